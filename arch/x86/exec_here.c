/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Vector instructions, done by this processor: the very instruction, with the
 * traced thread's registers loaded, on a copy of its operand in memory.
 *
 * Only encodings that are known to touch nothing else are taken. Their memory
 * operand becomes one relative to RIP, which needs no register; the rest of the
 * bytes stay. One that faults here was not done, and faults there.
 * Manual: SDM volume 2, "Instruction Format"; volume 1, "XSAVE-Managed State".
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "exec.h"

enum { SLOTS = 1024, MXCSR_AT = 24, MXCSR = 0x1f80, OSXSAVE = 1 << 27 };

/* What was made of one instruction, and of which. */
struct slot {
	u8 code[48];
	u8 len, bytes[INSN_MAX];
};

/* Mapped to be written and executed. */
struct exec_here {
	struct slot slot[SLOTS];
	u8 operand[4096];	/* apart from code: stores near that are slow */
	u8 clean[4096];		/* the state of who uses no vectors */
	u8 state[EXEC_STATE];
};

enum { LEGACY, VEX, EVEX };		/* encodings */
enum { NONE, P66, PF3, PF2 };		/* prefixes that select, as VEX.pp has them */

struct parts {
	u8 map, op, pp, encoding;
	u8 modrm_at;		/* 0: there is none */
	u8 rest_at;		/* immediates */
	u8 v;			/* the register in VEX.vvvv */
	u8 vector;		/* length */
	bool broadcast;
	struct form form;
};

/* What an opcode is; and where that is so. */
enum {
	STORES = 1,		/* and reads no memory */
	REG = 2, RM = 4, VVVV = 8,	/* may name a general register there */
	STRICT = 16,		/* without VEX, its operand in memory has to be aligned */
	ALIGNED = 32,		/* ... in any encoding; ALIGNED_66: if so prefixed */
	ALIGNED_66 = 64,
	FULL = 128,		/* its operand in memory is as long as the vector */
	SCALAR = 256,		/* with F2 or F3 it is neither STRICT nor FULL */
	ONLY_VEX = 0x200, ONLY_EVEX = 0x400,
	ONLY_66 = 0x800, ONLY_F3 = 0x1000, ONLY_F2 = 0x2000, ONLY_REP = 0x4000, NOT_REP = 0x8000,
};

struct kind {
	u8 first, last;
	u16 is;
};

static const struct kind map1[] = {
	{ 0x10, 0x10, SCALAR | FULL }, { 0x11, 0x11, STORES | SCALAR | FULL },
	{ 0x12, 0x12, NOT_REP }, { 0x13, 0x13, STORES }, { 0x14, 0x15, STRICT | FULL },
	{ 0x16, 0x16, NOT_REP }, { 0x17, 0x17, STORES },
	{ 0x28, 0x28, ALIGNED | FULL }, { 0x29, 0x29, STORES | ALIGNED | FULL },
	{ 0x2a, 0x2a, RM | ONLY_REP }, { 0x2b, 0x2b, STORES | ALIGNED | FULL },
	{ 0x2c, 0x2d, REG | ONLY_REP }, { 0x2e, 0x2f, 0 },
	{ 0x41, 0x4b, ONLY_VEX }, { 0x50, 0x50, REG }, { 0x51, 0x59, STRICT | FULL | SCALAR },
	{ 0x5a, 0x5a, STRICT | SCALAR }, { 0x5b, 0x5b, STRICT | FULL },
	{ 0x5c, 0x5f, STRICT | FULL | SCALAR }, { 0x60, 0x6d, STRICT | FULL },
	{ 0x6e, 0x6e, RM | ONLY_66 }, { 0x6f, 0x6f, ALIGNED_66 | FULL },
	{ 0x70, 0x76, STRICT | FULL }, { 0x77, 0x77, ONLY_VEX },
	{ 0x78, 0x79, REG | ONLY_EVEX }, { 0x7a, 0x7b, RM | ONLY_EVEX },
	{ 0x7c, 0x7d, STRICT | FULL }, { 0x7e, 0x7e, STORES | RM | ONLY_66 },
	{ 0x7e, 0x7e, ONLY_F3 }, { 0x7f, 0x7f, STORES | ALIGNED_66 | FULL },
	{ 0x90, 0x90, ONLY_VEX }, { 0x91, 0x91, STORES | ONLY_VEX }, { 0x92, 0x92, RM | ONLY_VEX },
	{ 0x93, 0x93, REG | ONLY_VEX }, { 0x98, 0x99, ONLY_VEX },
	{ 0xc2, 0xc2, STRICT | FULL | SCALAR }, { 0xc4, 0xc4, RM | ONLY_66 },
	{ 0xc5, 0xc5, REG | ONLY_66 }, { 0xc6, 0xc6, STRICT | FULL }, { 0xd0, 0xd0, STRICT | FULL },
	{ 0xd1, 0xd3, STRICT }, { 0xd4, 0xd5, STRICT | FULL }, { 0xd6, 0xd6, STORES | ONLY_66 },
	{ 0xd7, 0xd7, REG | ONLY_66 }, { 0xd8, 0xe0, STRICT | FULL }, { 0xe1, 0xe2, STRICT },
	{ 0xe3, 0xe5, STRICT | FULL }, { 0xe6, 0xe6, STRICT },
	{ 0xe7, 0xe7, STORES | ALIGNED | FULL | ONLY_66 }, { 0xe8, 0xef, STRICT | FULL },
	{ 0xf0, 0xf0, ONLY_F2 }, { 0xf1, 0xf3, STRICT }, { 0xf4, 0xf6, STRICT | FULL },
	{ 0xf8, 0xfe, STRICT | FULL },
};

static const struct kind map2[] = {
	{ 0x00, 0x00, STRICT | FULL }, { 0x01, 0x0f, STRICT },
	{ 0x10, 0x15, STORES | ONLY_EVEX | ONLY_F3 }, { 0x10, 0x1b, STRICT },
	{ 0x1c, 0x1f, STRICT | FULL }, { 0x20, 0x25, STORES | ONLY_EVEX | ONLY_F3 },
	{ 0x20, 0x25, 0 }, { 0x26, 0x29, STRICT | FULL }, { 0x2a, 0x2a, ALIGNED | FULL },
	{ 0x2b, 0x2b, STRICT }, { 0x30, 0x35, STORES | ONLY_EVEX | ONLY_F3 }, { 0x30, 0x35, 0 },
	{ 0x36, 0x40, STRICT | FULL }, { 0x41, 0x47, STRICT }, { 0x4c, 0x5b, STRICT },
	{ 0x62, 0x62, ONLY_EVEX }, { 0x63, 0x63, STORES | ONLY_EVEX }, { 0x64, 0x66, FULL },
	{ 0x68, 0x73, ONLY_EVEX }, { 0x75, 0x77, FULL }, { 0x78, 0x79, 0 },
	{ 0x7a, 0x7c, RM | ONLY_EVEX }, { 0x7d, 0x7f, FULL }, { 0x83, 0x83, ONLY_EVEX },
	{ 0x88, 0x89, ONLY_EVEX }, { 0x8d, 0x8d, FULL }, { 0x8f, 0x8f, ONLY_EVEX },
	{ 0x96, 0x9f, 0 }, { 0xa6, 0xaf, 0 }, { 0xb4, 0xbf, 0 }, { 0xc4, 0xc4, ONLY_EVEX },
	{ 0xc8, 0xcf, STRICT }, { 0xdb, 0xdf, STRICT }, { 0xf0, 0xf0, REG | RM },
	{ 0xf1, 0xf1, REG | RM | ONLY_F2 }, { 0xf1, 0xf1, STORES | REG | RM | NOT_REP },
	{ 0xf2, 0xf3, REG | RM | VVVV | ONLY_VEX }, { 0xf5, 0xf7, REG | RM | VVVV | ONLY_VEX },
	{ 0xf6, 0xf6, REG | RM | ONLY_66 }, { 0xf6, 0xf6, REG | RM | ONLY_F3 },
};

static const struct kind map3[] = {
	{ 0x03, 0x03, FULL }, { 0x0a, 0x0b, 0 }, { 0x00, 0x0e, STRICT },
	{ 0x0f, 0x0f, STRICT | FULL },
	{ 0x14, 0x17, STORES | RM }, { 0x19, 0x19, STORES }, { 0x1b, 0x1b, STORES },
	{ 0x1e, 0x1f, FULL }, { 0x18, 0x1a, 0 }, { 0x20, 0x20, RM },
	{ 0x22, 0x22, RM }, { 0x25, 0x25, FULL }, { 0x21, 0x27, 0 }, { 0x30, 0x33, ONLY_VEX },
	{ 0x39, 0x39, STORES }, { 0x3b, 0x3b, STORES }, { 0x3e, 0x3f, FULL }, { 0x38, 0x3a, 0 },
	{ 0x43, 0x43, FULL }, { 0x40, 0x57, STRICT }, { 0x60, 0x63, 0 }, { 0x66, 0x67, 0 },
	{ 0x70, 0x73, 0 }, { 0xc2, 0xc2, 0 }, { 0xcc, 0xcf, STRICT }, { 0xdf, 0xdf, STRICT },
	{ 0xf0, 0xf0, REG | RM | ONLY_VEX },
};

/* Of legacy encodings most of map 1 without a prefix is MMX, whose registers are
 * x87's, and of maps 2 and 3 much is not for vectors. */
static bool is_vector(const struct parts *p)
{
	if (p->encoding != LEGACY || p->pp == P66)
		return true;
	if (p->map == 1)
		return p->pp || p->op < 0x60 || (p->op & 0xfb) == 0xc2;
	return p->op >= 0xf0 || (!p->pp && p->op >= 0xc8 && p->op <= 0xcd);
}

static bool is_so(const struct parts *p, unsigned int is)
{
	static const u16 not_with[] = {
		[NONE] = ONLY_66 | ONLY_F3 | ONLY_F2 | ONLY_REP,
		[P66] = ONLY_F3 | ONLY_F2 | ONLY_REP,
		[PF3] = ONLY_66 | ONLY_F2 | NOT_REP, [PF2] = ONLY_66 | ONLY_F3 | NOT_REP,
	};

	return !(is & not_with[p->pp]) && !(is & ONLY_VEX && p->encoding != VEX) &&
	       !(is & ONLY_EVEX && p->encoding != EVEX);
}

/* -1: it is none of ours. */
static int find_kind(const struct parts *p)
{
	static const struct { const struct kind *at; size_t n; } maps[] = {
		[1] = { map1, N_ELEM(map1) }, { map2, N_ELEM(map2) }, { map3, N_ELEM(map3) },
	};
	const struct kind *k;

	if (!p->map || p->map > 3 || !is_vector(p))
		return -1;
	for (k = maps[p->map].at; k < maps[p->map].at + maps[p->map].n; k++) {
		if (p->op < k->first || p->op > k->last || !is_so(p, k->is))
			continue;
		return k->is & SCALAR && p->pp >= PF3 ? k->is & ~(STRICT | FULL) : k->is;
	}
	return -1;
}

static bool split_vex(struct parts *p)
{
	struct form *f = &p->form;
	const u8 *at = f->at;
	unsigned int n = *at == 0x62 ? 4 : *at == 0xc4 ? 3 : 2, last = at[n - 1];

	if (f->rexed || f->narrow_op || f->rep || f->repne || f->end - at <= (int)n)
		return false;
	p->encoding = n == 4 ? EVEX : VEX;
	p->map = n == 2 ? 1 : at[1] & (n == 4 ? 15 : 31);
	f->rex = at[1] & 0x80 ? 0 : 4;
	if (n > 2)
		f->rex |= (at[1] & 0x40 ? 0 : 2) | (at[1] & 0x20 ? 0 : 1);
	if (n == 4) {
		p->vector = 16 << (last >> 5 & 3);
		p->broadcast = last & 0x10;
		last = at[2];
	} else {
		p->vector = 16 << (last >> 2 & 1);
	}
	p->pp = last & 3;
	p->v = 15 & ~(last >> 3);
	p->op = at[n];
	f->at += n + 1;
	return true;
}

static bool split_legacy(struct parts *p)
{
	struct form *f = &p->form;

	if (f->end - f->at < 3 || *f->at++ != 0x0f)
		return false;
	p->pp = f->repne ? PF2 : f->rep ? PF3 : f->narrow_op ? P66 : NONE;
	p->map = *f->at == 0x38 ? 2 : *f->at == 0x3a ? 3 : 1;
	f->at += p->map > 1;
	p->op = *f->at++;
	p->vector = 16;
	return true;
}

static bool split(struct parts *p, struct uop *u, struct bytes code, u64 next)
{
	struct form *f = &p->form;
	bool vex;

	*p = (struct parts){ .form = { .at = code.at, .end = code.at + code.len } };
	if (!decode_prefixes(f) || f->lock)
		return false;
	vex = *f->at == 0x62 || (*f->at & 0xfe) == 0xc4;
	if (!(vex ? split_vex(p) : split_legacy(p)))
		return false;
	if (p->op != 0x77 || p->map != 1) {
		p->modrm_at = f->at - code.at;
		if (!decode_modrm(f, u, next))
			return false;
	}
	p->rest_at = f->at - code.at;
	return true;
}

bool here_decode(struct uop *u, struct bytes code, u64 next)
{
	struct uop got = { .base = ZERO, .index = ZERO, .len = u->len, .kind = u->kind };
	struct parts p;
	int is = split(&p, &got, code, next) ? find_kind(&p) : -1;
	u8 modrm;

	if (is < 0)
		return false;
	modrm = p.modrm_at ? code.at[p.modrm_at] : 0xc0;
	/* RSP is ours meanwhile. */
	if ((is & REG && got.reg == 4) || (is & RM && got.rm == 4) || (is & VVVV && p.v == 4))
		return false;
	if (modrm < 0xc0) {
		if (p.vector > 64)
			return false;
		if (p.encoding == EVEX && modrm >> 6 == 1) {	/* its displacement is scaled */
			if (p.broadcast || !(is & FULL))
				return false;
			got.disp += (u64)(i8)code.at[p.rest_at - 1] * (p.vector - 1);
		}
		got.size = p.vector;
		*(is & STORES ? &got.dst : &got.src) = AT_MEM;
		got.sub = is & ALIGNED || (is & ALIGNED_66 && p.pp == P66) ||
			(is & STRICT && p.encoding == LEGACY);
	}
	got.op = OP_HERE;
	got.imm = p.v;
	*u = got;
	return true;
}

/* The code in 'slot', of 'line': prefixes in the order that all take. */
static void make(struct exec_here *h, struct slot *slot, const struct exec_line *line)
{
	struct bytes code = { line->bytes, line->u.len };
	struct uop u = { 0 };
	struct parts p;
	const u8 *from = code.at;
	u8 *to = slot->code;
	bool mem;

	split(&p, &u, code, 0);
	mem = line->u.src == AT_MEM || line->u.dst == AT_MEM;
	if (p.encoding == LEGACY) {
		if (p.form.narrow_op)
			*to++ = 0x66;
		if (p.pp >= PF3)
			*to++ = p.pp == PF3 ? 0xf3 : 0xf2;
		if (p.form.rexed)
			*to++ = p.form.rex & (mem ? ~3 : ~0);
		from += p.modrm_at - (p.map == 1 ? 2 : 3);
	} else {
		while (*from != 0x62 && (*from & 0xfe) != 0xc4)
			from++;
	}
	while (from < code.at + (p.modrm_at ? p.modrm_at : p.rest_at))
		*to++ = *from++;
	if (p.modrm_at)
		*to++ = mem ? (*from & 0x38) | 5 : *from;
	if (mem) {
		set32(to, h->operand - (to + 4 + code.len - p.rest_at));
		to += 4;
	}
	memcpy(to, code.at + p.rest_at, code.len - p.rest_at);
	memset(to + code.len - p.rest_at, 0xc3, slot->code + sizeof(slot->code) - to -
	       (code.len - p.rest_at));
	slot->len = code.len;
	memcpy(slot->bytes, line->bytes, INSN_MAX);
}

static const u8 *code_of(struct exec_here *h, const struct exec_line *line)
{
	u64 hash = get64(line->bytes) & ~0ULL >> (64 - 8 * MIN(line->u.len, 8));
	struct slot *slot = &h->slot[(hash ^ hash >> 10 ^ hash >> 20 ^ hash >> 32) % SLOTS];

	if (slot->len != line->u.len || memcmp(slot->bytes, line->bytes, slot->len))
		make(h, slot, line);
	return slot->code;
}

/* Call 'code' with these registers, but RSP. Returns the flags it leaves, or 0 if
 * it faulted; then nothing has changed. */
__attribute__((naked, noinline, noclone)) static u64
call_here(u64 *r, u8 *state, const u8 *code, u64 flags, const u8 *clean)
{
	asm("push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	    "push %r8; push %rdx; push %rsi; push %rdi; push %rcx; popf\n"
	    "mov $0xe6, %eax; mov $0, %edx; xrstor64 (%rsi)\n"	/* all but x87, PKRU, tiles */
	    "mov (%rdi), %rax; mov 8(%rdi), %rcx; mov 16(%rdi), %rdx; mov 24(%rdi), %rbx\n"
	    "mov 40(%rdi), %rbp; mov 48(%rdi), %rsi; mov 64(%rdi), %r8; mov 72(%rdi), %r9\n"
	    "mov 80(%rdi), %r10; mov 88(%rdi), %r11; mov 96(%rdi), %r12; mov 104(%rdi), %r13\n"
	    "mov 112(%rdi), %r14; mov 120(%rdi), %r15; mov 56(%rdi), %rdi\n"
	    "call *16(%rsp)\n"
	    "here_done: pushf; push %rdi; mov 16(%rsp), %rdi\n"
	    "mov %rax, (%rdi); mov %rcx, 8(%rdi); mov %rdx, 16(%rdi); mov %rbx, 24(%rdi)\n"
	    "mov %rbp, 40(%rdi); mov %rsi, 48(%rdi); mov %r8, 64(%rdi); mov %r9, 72(%rdi)\n"
	    "mov %r10, 80(%rdi); mov %r11, 88(%rdi); mov %r12, 96(%rdi); mov %r13, 104(%rdi)\n"
	    "mov %r14, 112(%rdi); mov %r15, 120(%rdi); pop 56(%rdi)\n"
	    "mov 16(%rsp), %rsi; mov $0xe6, %eax; mov $0, %edx; xsave64 (%rsi); jmp 1f\n"
	    "here_fault: movq $0, (%rsp); mov $0xe6, %eax; mov $0, %edx\n"
	    "1: mov 32(%rsp), %rsi; xrstor64 (%rsi); pop %rax; add $32, %rsp\n"
	    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret");
}

extern const u8 here_done[] __attribute__((visibility("hidden")));
extern const u8 here_fault[] __attribute__((visibility("hidden")));

/* The instruction faulted: it is the one that returns to here_done. */
static void fault(int sig, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (*(const u8 *const *)r[REG_RSP] == here_done)
		r[REG_RIP] = (greg_t)here_fault;
	else
		signal(sig, SIG_DFL);
}

static bool do_line(struct exec *x, const struct exec_line *line)
{
	struct exec_here *h = x->here;
	struct cpu *cpu = &x->cpu;
	u64 flags = (cpu_flags(cpu) & STATUS_FLAGS) | 0x202;

	flags = call_here(cpu->r, h->state, code_of(h, line), flags, h->clean);
	if (flags)
		cpu_set_flags(cpu, cpu->rest | (flags & STATUS_FLAGS));
	return flags;
}

static bool have_vectors(struct exec *x)
{
	if (!x->n_vectors && x->here)
		x->n_vectors = x->load_vectors(x->who, x->here->state);
	return x->n_vectors;
}

/* What is at 'at' goes to the operand. */
static bool copy_in(struct exec *x, u64 at, unsigned int size)
{
	u8 *operand = x->here->operand;
	unsigned int i;
	u64 v;

	for (i = 0; i < size; i += 8) {
		if (!exec_load(x, at + i, &v))
			return false;
		set64(operand + i, v);
	}
	return true;
}

/* Done twice, with all ones and all zeros there before: bytes that are the same
 * were stored. */
static bool store_line(struct exec *x, const struct exec_line *line, u64 at)
{
	unsigned int size = line->u.size, i;
	u8 *operand = x->here->operand, first[64];

	memset(operand, 0xff, size);
	if (!exec_may_store(x, at, size) || !do_line(x, line))
		return false;
	memcpy(first, operand, size);
	memset(operand, 0, size);
	do_line(x, line);
	for (i = 0; i < size; i++)
		if (operand[i] == first[i])
			exec_store(x, at + i, first[i]);
	return true;
}

bool here_run(struct exec *x, const struct exec_line *line)
{
	const struct uop *u = &line->u;
	u64 at = uop_address(&x->cpu, u);

	if ((u->sub && at % u->size) || !have_vectors(x))
		return false;
	if (u->dst == AT_MEM)
		return store_line(x, line, at);
	if ((u->src == AT_MEM && !copy_in(x, at, u->size)) || !do_line(x, line))
		return false;
	x->vectors_changed = true;
	return true;
}

void here_flush(struct exec *x)
{
	if (x->vectors_changed)
		x->store_vectors(x->who, x->here->state, x->n_vectors);
	x->vectors_changed = false;
}

void exec_open(struct exec *x)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO };
	unsigned int a, b, c, d;
	void *at;
	size_t i;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE))
		return;
	at = mmap(NULL, sizeof(*x->here), PROT_READ | PROT_WRITE | PROT_EXEC,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return;
	x->here = at;
	set32(x->here->clean + MXCSR_AT, MXCSR);
	for (i = 0; i < N_ELEM(signals); i++)
		sigaction(signals[i], &action, NULL);
}
