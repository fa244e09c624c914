/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arch/x86/translate* against Zydis and against the processor.
 *
 *   translate N        N variants (prefixes, operands) of each opcode of each map
 *
 * For every instruction that Zydis knows, these must agree with Zydis or be on the safe side: its
 * length, whether it touches r11 and may write it, whether its operand is relative to RIP, which
 * register is free, and its effect on the flags. Then the instruction runs unchanged and translated,
 * near its operand and out of reach of it, with the same registers, flags, vectors and memory. The
 * results must be the same; and after a fault, the address in the cache must give the program's
 * registers.
 *
 * Compiled with -DTRANSLATE_NARROW=1 it does the same with 32-bit code, which runs as such when it
 * is unchanged, by a far jump.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <asm/ldt.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <Zydis/Zydis.h>

#include <pt/agent.h>
#include "arch/x86/translate.h"
#include "arch/x86/translate_emit.h"
#include "test/unit/native.h"

enum { AREA = 1 << 16, DATA = 1 << 14, DATA_SIZE = 1 << 14, STATE = 1 << 14, MAX_FAILED = 50 };

struct block *gs;

TEST_RUN("mov " TEST_SLOT ":888, %eax; xor %edx, %edx; mov " TEST_SLOT ":896, %rcx\n"
	 "xrstor64 (%rcx)",
	 "mov " TEST_SLOT ":888, %eax; xor %edx, %edx; mov " TEST_SLOT ":904, %rcx\n"
	 "xsave64 (%rcx)");

enum { N_REGS = TRANSLATE_NARROW ? 8 : 16, CODE_32 = 0x23, CODE_64 = 0x33, DATA_32 = 0x2b };

static u8 *program, *caches[2], *cache;
static ZydisDecoder decoder;
static u64 n_known, n_run, n_faulted, n_lacking, n_odd, n_failed, n_names;

static void failure(const char *what, const u8 *code, const ZydisDecodedInstruction *z)
{
	int i;

	if (n_failed++ >= MAX_FAILED)
		return;
	printf("%s: %s:", what, ZydisMnemonicGetString(z->mnemonic));
	for (i = 0; i < z->length; i++)
		printf(" %02x", code[i]);
	printf("\n");
}

/* -- What Zydis says ----------------------------------------------------------------- */

enum { STATUS = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
	ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF };

static bool is_register(ZydisRegister r, ZydisRegister wanted)
{
	return r != ZYDIS_REGISTER_NONE &&
		ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r) == wanted;
}

static bool uses(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops,
		 ZydisRegister wanted)
{
	int i;

	for (i = 0; i < z->operand_count; i++)
		if ((ops[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		     is_register(ops[i].reg.value, wanted)) ||
		    (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		     (is_register(ops[i].mem.base, wanted) ||
		      is_register(ops[i].mem.index, wanted))))
			return true;
	return false;
}

static bool writes_r11(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops)
{
	int i;

	for (i = 0; i < z->operand_count; i++)
		if (ops[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
		    is_register(ops[i].reg.value, ZYDIS_REGISTER_R11))
			return true;
	return false;
}

static bool by_rip(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops)
{
	int i;

	for (i = 0; i < z->operand_count; i++)
		if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    (ops[i].mem.base == ZYDIS_REGISTER_RIP ||
		     ops[i].mem.base == ZYDIS_REGISTER_EIP))
			return true;
	return false;
}

/* A shift by CL may be one by nothing, which keeps the flags: nothing of that is taken for
 * killed. */
static void compare_flags(const struct form *f, const u8 *code, const ZydisDecodedInstruction *z)
{
	enum form_flags ours = form_flags(f, code);
	u32 written = 0, read = 0;

	if (z->cpu_flags) {
		read = z->cpu_flags->tested;
		written = z->cpu_flags->modified | z->cpu_flags->set_0 | z->cpu_flags->set_1 |
			z->cpu_flags->undefined;
	}
	if (ours != FLAGS_READ && read & STATUS)
		failure("reads flags", code, z);
	if (ours == FLAGS_KILLED && (written & STATUS) != STATUS)
		failure("keeps flags", code, z);
}

/* -- Running it ---------------------------------------------------------------------- */

static sigjmp_buf away;
static u64 fault_at;
static int fault;

static void faulted(int sig, siginfo_t *info, void *context)
{
	static const u8 greg[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI,
		REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	ucontext_t *uc = context;
	long set_fs;
	int i;

	if (TRANSLATE_NARROW)	/* before anything of the libc */
		asm volatile("syscall" : "=a"(set_fs)
			     : "a"(SYS_arch_prctl), "D"(0x1002), "S"(gs->system)
			     : "rcx", "r11", "memory");
	fault = sig;
	fault_at = uc->uc_mcontext.gregs[REG_RIP];
	for (i = 0; i < 16; i++)
		gs->out[i] = uc->uc_mcontext.gregs[greg[i]];
	siglongjmp(away, 1);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP };
	struct sigaction act = { .sa_sigaction = faulted,
				 .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	stack_t stack = { .ss_sp = malloc(1 << 17), .ss_size = 1 << 17 };
	u32 i;

	sigaltstack(&stack, NULL);
	for (i = 0; i < N_ELEM(signals); i++)
		sigaction(signals[i], &act, NULL);
}

static struct bytes fetch(void *who, u64 ip)
{
	return (struct bytes){ (const u8 *)ip, 64 };
}

static u64 border(void *who, u64 ip)
{
	return ip + 1;
}

/* See trans_prepare(). */
static bool pushes_halves(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0, &eax, &ebx, &ecx, &edx) && ebx == signature_INTEL_ebx;
}

static struct translate setup(void)
{
	static int halves = -1;

	if (halves < 0)
		halves = pushes_halves();
	return (struct translate){
		.halves = halves,
		.ip = (u64)program, .enter = (u64)cache, .max = 1, .calls = true,
		.hot = { (u64)cache + TRANSLATE_ENTER, cache + TRANSLATE_ENTER },
		.cold = { (u64)cache + AREA, cache + AREA },
		.off = { .ring = 8, .limit = 16, .below = 24, .r11 = 32, .spill = 40,
			 .calls = offsetof(struct block, calls),
			 .top = offsetof(struct block, top),
			 .gs = offsetof(struct block, system) },
		.fetch = fetch, .border = border,
	};
}

/* gs->out, of a fault in the cache, becomes what the program had. */
static bool explain(void)
{
	u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];
	struct translate t = setup();
	u64 *saved;

	t.find = fault_at;
	t.hot.to = hot;
	t.cold.to = cold + sizeof(cold);
	translate_block(&t);
	if (!t.found)
		return false;
	saved = t.state.scratch ? (u64 *)((t.state.swapped ? gs->ring : gs->out[11]) +
					  t.state.scratch) : gs->spill;
	if (!t.state.swapped)
		gs->out[11] = gs->r11;
	if (t.state.spilled)
		gs->out[t.state.spilled - 1] = saved[0];
	if (t.state.second)
		gs->out[t.state.second - 1] = saved[1];
	if (t.state.held)
		gs->out[t.state.held - 1] = gs->out[13];
	gs->out[4] -= t.state.sp;
	fault_at = t.state.ip;
	return true;
}

static void run(u64 entry, u64 r11)
{
	fault = 0;
	memset((u8 *)gs->xout, 0, STATE);
	if (!sigsetjmp(away, 0))
		test_run(entry, r11);
}

static void run_native(void)
{
	gs->far = (u64)program | (u64)CODE_32 << 32;
	run(TRANSLATE_NARROW ? (u64)test_native : (u64)program, gs->in[11]);
}

/* What it leaves differs from one time to the next, is the processor's own address of x87
 * instructions, or would be felt by this program: it is not run. */
static bool may_run(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *ops)
{
	static const char *const not[] = {
		"rdtsc", "rdtscp", "rdpmc", "rdrand", "rdseed", "cpuid", "rdpru", "rdpid",
		"wrfsbase", "wrgsbase", "rdgsbase", "wrpkru", "popf", "popfd", "popfq", "fnstenv",
		"fnsave", "fxsave", "fxsave64", "xsave", "xsave64", "xsavec", "xsavec64",
		"xsaveopt", "xsaveopt64", "xrstor", "xrstor64", "fxrstor", "fxrstor64", "frstor",
		"fldenv", "fldcw", "ldmxcsr", "vldmxcsr", "lfs", "lgs", "lss", "monitor", "mwait",
		"monitorx", "mwaitx", "umonitor", "umwait", "tpause", "clzero", "xbegin", "xabort",
		"xend", "ldtilecfg", "sttilecfg", "incsspd", "incsspq", "rstorssp", "saveprevssp",
		"senduipi", "stui", "clui", "testui", "uiret", "enclu", "sysenter", "llwpcb",
		"slwpcb", "lwpins", "lwpval", "tilerelease", "tilezero", "tileloadd",
		"tileloaddt1", "tilestored", "clrssbsy", "xgetbv", "vmmcall", "vmcall", "vmgexit",
		"getsec", "hlt", "cldemote", "wbnoinvd", "wbinvd", "invd", "vmfunc", "hreset",
		"enqcmd", "enqcmds", "movdir64b", "loadiwkey", "setssbsy",
		"pushfd",		/* writes below ESP */
	};
	const char *name = ZydisMnemonicGetString(z->mnemonic);
	u32 i;

	if (TRANSLATE_NARROW && !strncmp(name, "vzero", 5))
		return false;		/* also registers that 32-bit code lacks */
	for (i = 0; i < N_ELEM(not); i++)
		if (!strcmp(name, not[i]))
			return false;
	for (i = 0; i < z->operand_count; i++)
		if (ops[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    ZydisRegisterGetClass(ops[i].reg.value) == ZYDIS_REGCLASS_SEGMENT &&
		    ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			return false;
	return true;
}

static bool by_gs;		/* the instruction has the prefix GS */

static void randomize(const u8 *code)
{
	u64 *at = (u64 *)(program + DATA), *x = (u64 *)gs->xin;
	u32 i;

	for (i = 0; i < DATA_SIZE / 8; i++)
		at[i] = rnd();
	for (i = 0; i < STATE / 8; i++)
		x[i] = i >= 512 / 8 && i < 576 / 8 ? 0 : rnd();
	set32((u8 *)x, 0x37f);			/* x87: no exceptions, nothing pending */
	set32((u8 *)x + 24, 0x1f80);
	x[512 / 8] = gs->xmask;
	for (i = 0; i < 16; i++)
		gs->in[i] = (u64)program + DATA + DATA_SIZE / 2 + (rnd() & 0x7c0);
	gs->in[1] = rnd() & 31;
	/* The sum of two such offsets is one of nothing; so is RCX. */
	for (i = 0; !TRANSLATE_NARROW && by_gs && i < 16; i++)
		gs->in[i] += i == 4 ? 0 : i == 1 ? 1 << 26 : -(u64)gs;
	/* Offsets in %gs, which are often negative. No operand is on both sides of the base: in
	 * 32-bit code, where segments have limits, that is a fault. */
	for (i = 0; TRANSLATE_NARROW && code[0] == 0x65 && i < 8; i++)
		if (i != 4)
			gs->in[i] = (u32)((rnd() & 0x7c0) - 0x400);
	gs->in[16] = 0x202 | (rnd() & 0x8d5) | (rnd() & 7 ? 0 : 0x400);
}

/* Flags that the instruction leaves undefined may be anything. */
static u64 flags_of(const ZydisDecodedInstruction *z)
{
	return STATUS & ~(z->cpu_flags ? z->cpu_flags->undefined : 0);
}

static void put_jump(u8 *at, u64 to)
{
	static const u8 jump[] = { 0xff, 0x25, 0, 0, 0, 0 };

	if (TRANSLATE_NARROW) {
		*at = 0xea;
		set32(at + 1, to);
		set16(at + 5, CODE_64);
		return;
	}
	memcpy(at, jump, sizeof(jump));
	memcpy(at + 6, &to, 8);
}

static void compare_run(const u8 *code, const ZydisDecodedInstruction *z)
{
	static u8 before[DATA_SIZE], native[DATA_SIZE], state[STATE];
	u64 wanted[18], at;
	int was, k;
	struct translate t;

	memcpy(program, code, z->length);
	put_jump(program + z->length, (u64)test_back_native);
	randomize(code);
	memcpy(before, program + DATA, DATA_SIZE);
	run_native();
	was = fault;
	at = fault_at;
	if (was == SIGILL) {
		n_lacking++;
		return;
	}
	memcpy(wanted, gs->out, sizeof(wanted));
	memcpy(native, program + DATA, DATA_SIZE);
	memcpy(state, (u8 *)gs->xout, STATE);
	for (k = 0; k < 2; k++) {
		u64 ring[64], i;

		cache = caches[k];
		memcpy(program + DATA, before, DATA_SIZE);
		t = setup();
		translate_block(&t);
		gs->ring = (u64)ring;
		gs->limit = (u64)(ring + 8);
		gs->below = -gs->limit;
		gs->r11 = gs->in[11];
		run(rnd() & 1 ? t.entry : t.checked, (u64)ring);
		n_run++;
		n_faulted += was != 0;
		if (fault != was) {
			failure("faults", code, z);
			return;
		}
		if (fault && (!explain() || fault_at != at)) {
			failure("address of a fault", code, z);
			return;
		}
		for (i = 0; i < N_REGS; i++)
			if (gs->out[i] != wanted[i]) {
				failure("a register", code, z);
				return;
			}
		if (!fault && (gs->out[16] ^ wanted[16]) & flags_of(z))
			failure("flags", code, z);
		if (memcmp(program + DATA, native, DATA_SIZE))
			failure("memory", code, z);
		memcpy((u8 *)gs->xout + 6, state + 6, 18);	/* where x87 was last */
		memcpy((u8 *)gs->xout + 512, state + 512, 8);	/* XSTATE_BV: zeros are in use? */
		if (!fault && memcmp((u8 *)gs->xout, state, STATE))
			failure("vectors", code, z);
	}
}

/* -- Every instruction --------------------------------------------------------------- */

static void compare(const u8 *code)
{
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	static bool seen[ZYDIS_MNEMONIC_MAX_VALUE + 1];
	ZydisDecodedInstruction z;
	struct form f;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &z, ops)))
		return;
	/* Of Xeon Phi coprocessors, and something else elsewhere: insn.c. */
	if (z.mnemonic == ZYDIS_MNEMONIC_JKZD || z.mnemonic == ZYDIS_MNEMONIC_JKNZD ||
	    z.mnemonic == ZYDIS_MNEMONIC_KEXTRACT)
		return;
	n_known++;
	n_names += !seen[z.mnemonic];
	seen[z.mnemonic] = true;
	if (form_decode(&f, (struct bytes){ code, 32 }) != z.length) {
		failure("length", code, &z);
		return;
	}
	if (form_is_odd(&f, code)) {
		n_odd++;
		return;
	}
	/* System calls and branches have ways of their own, in the unit test and live. */
	if (f.insn.kind == INSN_SYSCALL)
		return;
	if (z.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
		return;
	if (!form_touches_r11(&f, code) && uses(&z, ops, ZYDIS_REGISTER_R11))
		failure("touches r11", code, &z);
	if (form_touches_r11(&f, code) && !form_may_write_r11(&f, code) && writes_r11(&z, ops))
		failure("may write r11", code, &z);
	if (!TRANSLATE_NARROW && f.rip != by_rip(&z, ops))
		failure("is relative to RIP", code, &z);
	compare_flags(&f, code, &z);
	/* What %fs points to is this program's own. */
	if (f.insn.kind != INSN_OTHER || memchr(code, 0x64, f.op_at) || !may_run(&z, ops))
		return;
	by_gs = f.seg == SEG_GS;
	compare_run(code, &z);
}

static bool gs_prefix;

/* Prefixes, ModRM, SIB, displacement and immediate of the opcode at *at. */
static void operands(u8 *at, bool by_chance)
{
	static const u8 mods[] = { 0x05, 0x00, 0x03, 0x43, 0x83, 0xc0, 0xc3, 0x04, 0x44 };
	u8 mod = mods[rnd() % N_ELEM(mods)];
	u32 i;

	for (i = 1; i < 14; i++)
		at[i] = rnd();
	if (by_chance)
		return;
	at[0] = mod | (at[0] & 0x38);
	if ((mod & 0xc7) == 5)		/* by RIP, to the data; or there without a register */
		set32(at + 1, DATA + DATA_SIZE / 2 + (rnd() & 0x7c0) +
		      (TRANSLATE_NARROW ? (u32)(u64)program : 0));
	if (TRANSLATE_NARROW && (mod & 0xc7) == 5 && gs_prefix)
		set32(at + 1, (rnd() & 0x7c0) - 0x400);
	else if (mod >> 6 == 2)
		set32(at + 1, rnd() & 0x7c0);
	else if (mod >> 6 == 1)
		at[1] &= gs_prefix ? 0x40 : 0x7c;
	if (gs_prefix && (mod & 7) == 4) {
		at[1] &= 0x3f;		/* no scale */
		at[2] &= 0x40;
	}
}

static void legacy(u32 map, u32 op)
{
	static const u8 prefixes[] = { 0, 0, 0x66, 0xf2, 0xf3, 0x67, 0x65, 0x64, 0xf0, 0x2e };
	u8 code[48] = { 0 }, *to = code, p = prefixes[rnd() % N_ELEM(prefixes)];

	if (p)
		*to++ = p;
	if (p && !(rnd() & 7) && prefixes[rnd() % N_ELEM(prefixes)])
		*to++ = 0x66;
	if (rnd() & 1 && !TRANSLATE_NARROW)
		*to++ = 0x40 | (rnd() & 15);
	if (map)
		*to++ = 0x0f;
	if (map > 1)
		*to++ = map == 2 ? 0x38 : 0x3a;
	*to++ = op;
	to[0] = rnd();
	gs_prefix = code[0] == 0x65;
	operands(to, !map && (op & 7) > 3 && op < 0x40);
	compare(code);
}

/* Some have a prefix GS (in 32-bit code, that is odd). Returns the place after it. */
static u8 *begin_gs(u8 *code)
{
	memset(code, 0, 48);
	gs_prefix = !TRANSLATE_NARROW && !(rnd() & 3);
	*code = 0x65;
	return code + gs_prefix;
}

static void vex(u32 map, u32 op)
{
	u8 all[48], *code = begin_gs(all);

	code[0] = 0xc4;
	code[1] = (rnd() & 0xe0) | map;
	code[2] = rnd();
	code[3] = op;
	if (TRANSLATE_NARROW) {		/* most others are odd */
		code[1] |= 0xe0;
		code[2] |= 0x40;
	}
	if (rnd() & 1)
		code[2] |= 0x78;	/* no second operand */
	code[4] = rnd();
	operands(code + 4, false);
	compare(all);
}

static void evex(u32 map, u32 op)
{
	u8 all[48], *code = begin_gs(all);

	code[0] = 0x62;
	code[1] = (rnd() & 0xf0) | map;
	code[2] = rnd() | 4;
	code[3] = rnd();
	code[4] = op;
	if (TRANSLATE_NARROW) {
		code[1] |= 0xf0;
		code[2] |= 0x40;
		code[3] |= 8;
	}
	if (rnd() & 1)
		code[2] |= 0x78;
	if (rnd() & 1)
		code[3] = (code[3] & 0x60) | 8;
	code[5] = rnd();
	operands(code + 5, false);
	compare(all);
}

static void xop(u32 map, u32 op)
{
	u8 code[48] = { 0x8f, (rnd() & 0xe0) | map, rnd(), op };

	if (TRANSLATE_NARROW) {
		code[1] |= 0xe0;
		code[2] |= 0x40;
	}
	code[4] = rnd();
	operands(code + 4, false);
	compare(code);
}

/* Its pages are there: ENTER begins anew if one is missing, and may then copy what it has
 * written. */
static void *map_at(u64 at)
{
	return mmap((void *)at, AREA, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE, -1, 0);
}

/* %gs of 32-bit code is an entry of the GDT. */
static void open_segment(void)
{
	static struct user_desc desc;	/* below 4 GiB */
	long result;

	desc = (struct user_desc){
		.entry_number = -1, .base_addr = (u64)program + DATA + DATA_SIZE / 2,
		.limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1, .useable = 1,
	};

	syscall(SYS_arch_prctl, 0x1003, &gs->system);
	asm volatile("int $0x80" : "=a"(result) : "a"(243), "b"(&desc) : "memory");
	asm volatile("mov %0, %%gs; mov %1, %%ds; mov %1, %%es"
		     : : "r"(desc.entry_number << 3 | 3), "r"(DATA_32));
}

/* Does the kernel run 32-bit programs? Else INT 80h is a fault. */
static bool has_narrow(void)
{
	pid_t pid = fork();
	int status = -1;
	long got;

	if (!pid) {
		asm volatile("int $0x80" : "=a"(got) : "a"(20) : "memory");	/* getpid */
		_exit(got != getpid());
	}
	return waitpid(pid, &status, 0) == pid && !status;
}

static void open_areas(void)
{
	u32 eax, edx, k;

	program = map_at(TRANSLATE_NARROW ? 0x20000000 : 0x200000000);
	/* Not where BT gets to, from an address. */
	caches[0] = map_at(TRANSLATE_NARROW ? 0x50000000 : 0x210000000);
	caches[1] = map_at(TRANSLATE_NARROW ? 0x60000000 : 0x4200000000);
	/* In 64-bit code, offsets of the data have 32 bits. */
	gs = mmap(TRANSLATE_NARROW ? NULL : (void *)0x1e8000000, 1 << 17, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (TRANSLATE_NARROW) {
		open_segment();
	} else {
		gs->system = (u64)gs;
		syscall(SYS_arch_prctl, 0x1001, gs);
	}
	asm("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
	gs->xmask = eax & 0xe7;			/* x87, SSE, AVX, AVX-512 */
	gs->xin = (u64)gs + (1 << 15);
	gs->xout = gs->xin + STATE;
	for (k = 0; k < 2; k++) {
		struct translate t;

		cache = caches[k];
		t = setup();
		t.hot = (struct translate_code){ (u64)cache, cache };
		translate_enter(&t, (u64)test_back);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		void (*make)(u32 map, u32 op);
		u32 first, last;
	} maps[] = { { legacy, 0, 3 }, { vex, 0, 7 }, { evex, 1, 6 }, { xop, 8, 10 } };
	u32 n = argc > 1 ? atoi(argv[1]) : 50, i, map, op, k;

	ZydisDecoderInit(&decoder, TRANSLATE_NARROW ? ZYDIS_MACHINE_MODE_LONG_COMPAT_32 :
			 ZYDIS_MACHINE_MODE_LONG_64,
			 TRANSLATE_NARROW ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64);
	if (TRANSLATE_NARROW && !has_narrow())
		return 2;
	open_areas();
	catch_signals();
	for (i = 0; i < N_ELEM(maps); i++)
		for (map = maps[i].first; map <= maps[i].last; map++)
			for (op = 0; op < 256; op++)
				for (k = 0; k < n; k++)
					maps[i].make(map, op);
	printf("%llu instructions, of %llu names: %llu odd; run %llu times, %llu of these faulted; "
	       "%llu are not this processor's; %llu failed\n", n_known, n_names, n_odd, n_run,
	       n_faulted, n_lacking, n_failed);
	return n_failed != 0;
}
