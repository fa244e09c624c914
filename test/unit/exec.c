/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * exec.c against the processor: random instructions, done by both.
 *
 * A child under ptrace has a page of code and some of data where we have them,
 * too. What exec_run() leaves to the processor is not looked at.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/tracee.h>

#include "test.h"

#define CODE ((u8 *)0x70000000)
#define DATA ((u8 *)0x70010000)
enum { DATA_SIZE = 4 * 4096, ROUNDS = 40000 };

static u64 seed = 88172645463325252;
static u8 before[DATA_SIZE];		/* what exec.c reads, and what it stored */
static u64 seen[512 + 6 * 256];		/* how often each opcode was compared */
static u8 vectors[EXEC_STATE];		/* the same of vector registers */

static u64 draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static bool map_pages(void)
{
	int prot = PROT_READ | PROT_WRITE | PROT_EXEC, flags = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED;

	return mmap(CODE, 4096, prot, flags, -1, 0) == CODE &&
	       mmap(DATA, DATA_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) == DATA;
}

static i32 start_child(void)
{
	i32 pid = fork();
	int status;

	if (pid)
		return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) ? pid : -1;
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	_exit(0);
}

static bool load(void *who, struct exec_page *p)
{
	if (p->base == (u64)CODE) {
		memcpy(p->bytes, CODE, 4096);
		return true;
	}
	if (p->base < (u64)DATA || p->base >= (u64)DATA + DATA_SIZE)
		return false;
	memcpy(p->bytes, before + (p->base - (u64)DATA), 4096);
	return true;
}

static bool store(void *who, struct exec_page *p, u64 at)
{
	return p->base >= (u64)DATA;
}

static void flush(void *who, struct exec_page *p)
{
	u64 i;

	for (i = 0; i < 4096; i++)
		if (p->stored[i / 64] >> i % 64 & 1)
			before[p->base - (u64)DATA + i] = p->bytes[i];
}

static bool fixed(void *who, u64 ip)
{
	return false;
}

static u32 load_vectors(void *who, u8 *state)
{
	memcpy(state, vectors, EXEC_STATE);
	return *(u32 *)who;
}

static void store_vectors(void *who, const u8 *state, u32 n)
{
	memcpy(vectors, state, n);
}

/* The parts of XSAVE's image that are not x87's. */
enum { MXCSR_AT = 24, XMM_AT = 160, XMM_END = 416, HEADER = 512, HEADER_END = 576, PKRU = 1 << 9 };

static void make_vectors(u32 n)
{
	u64 pkru = get64(vectors + HEADER) & PKRU;
	u32 i;

	for (i = XMM_AT; i < n; i += 8)
		if (i < XMM_END || i >= HEADER_END)
			set64(vectors + i, draw() & (draw() % 4 ? ~0ULL : 0x80ff800180008000));
	set32(vectors + MXCSR_AT, 0x1f80 ^ (draw() % 8 ? 0 : draw() & 0xffff));
	set64(vectors + HEADER, (get64(vectors + 464) & 0xe6) | pkru);
}

/* Compare the bytes from 'at' up to 'end'. Return false at the first difference. */
static bool compare_bytes(const u8 *real, u32 at, u32 end)
{
	for (; at < end; at++)
		if (vectors[at] != real[at]) {
			TEST_FAIL("byte %x of vectors is %x, not %x", at, vectors[at], real[at]);
			return false;
		}
	return true;
}

/* Compare the state components that the image holds. Where a component lies differs between
 * processors: Intel's leave room for MPX, for example, and AMD's do not. CPUID leaf 0Dh says
 * where. The bytes between components hold nothing, and the kernel does not keep them.
 * Manual: SDM volume 1, "Standard Format of XSAVE Area". */
static void compare_vectors(const u8 *real, u32 n)
{
	u64 present = get64(real + HEADER) & ~PKRU;
	unsigned int size, at, ecx, edx;
	int i;

	if (!compare_bytes(real, MXCSR_AT, MXCSR_AT + 4) || !compare_bytes(real, XMM_AT, XMM_END))
		return;
	for (i = 2; i < 63; i++)
		if (present >> i & 1 && __get_cpuid_count(0xd, i, &size, &at, &ecx, &edx) &&
		    at + size <= n && !compare_bytes(real, at, at + size))
			return;
}

/* With VEX, EVEX, or what vectors had before. */
static void make_vector_code(u8 *code, unsigned int *which)
{
	unsigned int map = draw() % 4 ? 1 + draw() % 3 : 1, n = 0, i;

	for (i = 0; i < 32; i++)
		code[i] = draw() >> 20;
	*which = draw() >> 11 & 255;
	switch (draw() % 3) {
	case 0:
		if (draw() % 4)
			code[n++] = "\x66\x66\xf3\xf2"[draw() % 4];
		if (draw() % 2)
			code[n++] = 0x40 | (draw() >> 9 & 15);
		code[n++] = 0x0f;
		if (map > 1)
			code[n++] = map == 2 ? 0x38 : 0x3a;
		break;
	case 1:
		code[n++] = 0xc4;
		code[n] = (code[n] & 0xe0) | map, n++;
		code[n++] |= draw() % 2 ? 0x78 : 0;
		break;
	default:
		code[n++] = 0x62;
		code[n] = (code[n] & 0xf0) | map, n++;
		code[n] |= draw() % 2 ? 0x7c : 4, n++;
		code[n++] &= draw() % 2 ? 0x68 : 0xff;
	}
	code[n++] = *which;
	*which += 256 + 256 * map + (code[0] == 0xc4 || code[0] == 0x62 ? 3 * 256 : 0);
	if ((code[n] & 0xc7) == 0x84 || (code[n] & 0xc0) == 0x80)
		memset(code + n + 2 + ((code[n] & 7) == 4), 0, 3);
}

/* An instruction that is likely to be one: its opcode goes to '*which'. */
static void make_code(u8 *code, unsigned int *which)
{
	static const u8 prefixes[] = { 0x66, 0x67, 0xf2, 0xf3, 0xf0 };
	unsigned int i, n = 0;

	for (i = 0; i < 32; i++)
		code[i] = draw() >> 20;
	if (draw() % 4 == 0)
		code[n++] = prefixes[draw() % (draw() % 2 ? 1 : 5)];
	if (draw() % 2)
		code[n++] = 0x40 | (draw() >> 9 & 15);
	*which = draw() >> 11 & 255;
	if (draw() % 3 == 0) {
		code[n++] = 0x0f;
		code[n++] = *which;
		*which += 256;
	} else {
		code[n++] = *which;
	}
	if ((code[n] & 0xc7) == 0x84 || (code[n] & 0xc0) == 0x80)	/* small displacements */
		memset(code + n + 2 + ((code[n] & 7) == 4), 0, 3);
}

static void make_regs(struct user_regs_struct *u)
{
	__typeof__(u->rax) *r[] = { &u->rax, &u->rcx, &u->rdx, &u->rbx, &u->rbp, &u->rsi, &u->rdi,
		&u->r8, &u->r9, &u->r10, &u->r11, &u->r12, &u->r13, &u->r14, &u->r15 };
	size_t i;

	for (i = 0; i < N_ELEM(r); i++) {
		switch (draw() >> 7 & 7) {
		case 0: *r[i] = draw(); break;
		case 1: *r[i] = draw() >> 40 & 255; break;
		case 2: *r[i] = -(draw() >> 40 & 3); break;
		case 3: *r[i] = 1ULL << (draw() >> 10 & 63); break;
		default: *r[i] = (u64)DATA + 4096 + (draw() >> 13) % 8192; break;
		}
	}
	u->rsp = (u64)DATA + 4096 + (draw() >> 13) % 8192;
	u->rip = (u64)CODE;
	u->eflags = 0x202 | (draw() & 0x8d5);
	u->orig_rax = -1;
}

/* Step until it is over: a repeated string instruction stops at each round. */
static bool step(i32 pid, int mem, struct tracee_regs *regs)
{
	int status, i;

	for (i = 0; i < 1000; i++) {
		if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) || waitpid(pid, &status, 0) != pid ||
		    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
			return false;
		tracee_get(pid, regs);
		tracee_stepped(regs, (struct bytes){ CODE, 15 }, mem);
		if (regs->raw.rip != (u64)CODE || !tracee_repeats((struct bytes){ CODE, 15 }))
			return true;
	}
	return false;
}

static void say_code(unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		printf("%02x ", CODE[i]);
}

static void compare(const struct cpu *cpu, const struct tracee_regs *regs)
{
	static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
	struct cpu real = { 0 };
	int i;

	tracee_to_cpu(regs, &real);
	for (i = 0; i < 16; i++)
		if (cpu->r[i] != real.r[i])
			TEST_FAIL("%s is %llx, not %llx", names[i], cpu->r[i], real.r[i]);
	if (cpu->ip != real.ip)
		TEST_FAIL("ip is %llx, not %llx", cpu->ip, real.ip);
	if ((cpu_flags(cpu) ^ cpu_flags(&real)) & 0xfff)
		TEST_FAIL("flags are %llx, not %llx", cpu_flags(cpu), cpu_flags(&real));
	for (i = 0; i < DATA_SIZE; i++)
		if (before[i] != DATA[i]) {
			TEST_FAIL("byte %x is %x, not %x", i, before[i], DATA[i]);
			break;
		}
}

static void one(struct exec *x, i32 pid, int mem, const struct tracee_regs *first)
{
	static u8 real[EXEC_STATE];
	struct tracee_regs regs = *first;
	u32 n = x->here ? tracee_vectors(pid, real) : 0;
	unsigned int which, i;
	struct uop u;
	u64 from;
	int bad = test_bad;

	if (draw() % 2)
		make_vector_code(CODE, &which);
	else
		make_code(CODE, &which);
	if (!exec_decode(&u, (struct bytes){ CODE, 15 }, (u64)CODE))
		return;
	for (i = 0; i < DATA_SIZE; i += 8)
		set64(DATA + i, draw());
	memcpy(before, DATA, DATA_SIZE);
	make_regs(&regs.raw);
	tracee_to_cpu(&regs, &x->cpu);
	memcpy(vectors, real, n);
	make_vectors(n);
	memcpy(real, vectors, n);
	x->who = &n;
	x->n_vectors = 0;
	x->gen++;
	x->stop = x->n + 1;
	if (exec_run(x, &from) == EXEC_NATIVE)
		return;
	exec_flush(x);
	tracee_set(pid, &regs);
	tracee_set_vectors(pid, real, n);
	if (!step(pid, mem, &regs))
		TEST_FAIL("the processor would not do it");
	else
		compare(&x->cpu, &regs);
	tracee_vectors(pid, real);
	compare_vectors(real, n);
	seen[which]++;
	if (test_bad != bad) {
		printf("  ... by ");
		say_code(u.len);
		printf("\n");
	}
}

/* What compilers write is never left to the processor: that would be a step under ptrace
 * each. 0x100 and up: behind 0f. 'regs': which values of ModRM's middle field, by bit. */
static const struct { u16 first, last; u8 regs, prefix; } ours[] = {
	{ 0x00, 0x05, 0xff }, { 0x08, 0x0d, 0xff }, { 0x10, 0x15, 0xff }, { 0x18, 0x1d, 0xff },
	{ 0x20, 0x25, 0xff }, { 0x28, 0x2d, 0xff }, { 0x30, 0x35, 0xff }, { 0x38, 0x3d, 0xff },
	{ 0x50, 0x5f, 0xff }, { 0x63, 0x63, 0xff, 0x48 }, { 0x68, 0x6b, 0xff },
	{ 0x70, 0x7f, 0xff }, { 0x80, 0x81, 0xff }, { 0x83, 0x8b, 0xff }, { 0x8d, 0x8d, 0xff },
	{ 0x8f, 0x8f, 0x01 }, { 0x90, 0x99, 0xff }, { 0x9c, 0x9f, 0xff }, { 0xa4, 0xa5, 0xff },
	{ 0xa8, 0xad, 0xff }, { 0xb0, 0xbf, 0xff }, { 0xc0, 0xc1, 0xbf }, { 0xc2, 0xc3, 0xff },
	{ 0xc6, 0xc7, 0x01 }, { 0xc9, 0xc9, 0xff }, { 0xd0, 0xd3, 0xbf }, { 0xe0, 0xe3, 0xff },
	{ 0xe8, 0xe9, 0xff }, { 0xeb, 0xeb, 0xff }, { 0xf5, 0xf5, 0xff }, { 0xf6, 0xf7, 0xfd },
	{ 0xf8, 0xf9, 0xff }, { 0xfc, 0xfd, 0xff }, { 0xfe, 0xfe, 0x03 }, { 0xff, 0xff, 0x57 },
	{ 0x118, 0x11f, 0xff }, { 0x140, 0x14f, 0xff }, { 0x180, 0x19f, 0xff },
	{ 0x1a3, 0x1a5, 0xff }, { 0x1ab, 0x1ad, 0xff }, { 0x1af, 0x1b1, 0xff },
	{ 0x1b3, 0x1b3, 0xff }, { 0x1b6, 0x1b7, 0xff }, { 0x1ba, 0x1ba, 0xf0 },
	{ 0x1b8, 0x1b8, 0xff, 0xf3 }, { 0x1bb, 0x1c1, 0xff }, { 0x1c8, 0x1cf, 0xff },
};

/* Not in memory: there the bit, or the address, may be anywhere. */
static bool only_register(unsigned int op)
{
	return op == 0x8f || op == 0x1a3 || op == 0x1ab || op == 0x1b3 || op == 0x1bb;
}

static bool is_ours(unsigned int op, u8 prefix, u8 modrm)
{
	u8 code[32] = { 0 };
	unsigned int n = 0;
	struct uop u;

	if (prefix)
		code[n++] = prefix;
	if (op >> 8)
		code[n++] = 0x0f;
	code[n++] = op;
	code[n] = modrm;
	return exec_decode(&u, (struct bytes){ code, 15 }, (u64)CODE);
}

TEST(what_compilers_write_is_done_here)
{
	unsigned int i, op, reg;

	for (i = 0; i < N_ELEM(ours); i++)
		for (op = ours[i].first; op <= ours[i].last; op++)
			for (reg = 0; reg < 8; reg++) {
				if (!(ours[i].regs >> reg & 1))
					continue;
				if (op != 0x8d && !is_ours(op, ours[i].prefix, 0xc1 | reg << 3))
					TEST_FAIL("%x /%u of a register is not", op, reg);
				if (!only_register(op) &&
				    !is_ours(op, ours[i].prefix, 0x01 | reg << 3))
					TEST_FAIL("%x /%u of memory is not", op, reg);
			}
}

TEST(what_is_computed_is_what_the_processor_does)
{
	struct exec *x = NEW(&test_arena, struct exec, 1);
	const char *rounds = getenv("ROUNDS");
	struct tracee_regs regs;
	char path[32];
	int mem, i, n = rounds ? atoi(rounds) : ROUNDS, kinds = 0;
	i32 pid;

	if (!map_pages())
		SKIP("no pages at the addresses wanted");
	pid = start_child();
	if (pid < 0 || tracee_get(pid, &regs))
		SKIP("no ptrace");
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDWR);
	x->load = load, x->store = store, x->flush = flush, x->fixed = fixed;
	x->load_vectors = load_vectors, x->store_vectors = store_vectors;
	x->gen = x->maps = x->code = 1;
	exec_open(x);
	for (i = 0; i < n && test_bad < 20; i++)
		one(x, pid, mem, &regs);
	close(mem);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (i = 0; i < (int)N_ELEM(seen); i++)
		kinds += seen[i] != 0;
	OK(kinds > (x->here ? 400 : 150));
}
