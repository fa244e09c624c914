/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread under ptrace: registers, system calls.
 *
 * A 64-bit kernel uses the 64-bit register struct for 32-bit threads, too; the code segment
 * distinguishes them. A system call that a signal interrupted has one of four results that programs
 * never see: after the signal, the kernel makes the call again or turns the result into EINTR.
 * Source: the kernel's arch/x86/kernel/signal.c for the latter.
 */
#include <errno.h>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <pt/arch_calls.h>
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/tracee.h>

enum {
	TRAP_FLAG = 1 << 8,
	LOWEST = 4096,		/* no address of memory is lower, no number of a clock higher */
	PUSHF = 0x9c, POPF = 0x9d, IRET = 0xcf, REP = 0x100,
};

int tracee_get(i32 tid, struct tracee_regs *regs)
{
	return ptrace(PTRACE_GETREGS, tid, 0, &regs->raw) ? -errno : 0;
}

int tracee_set(i32 tid, const struct tracee_regs *regs)
{
	return ptrace(PTRACE_SETREGS, tid, 0, &regs->raw) ? -errno : 0;
}

void tracee_general(const struct tracee_regs *regs, u64 r[16])
{
	const struct user_regs_struct *u = &regs->raw;

	memcpy(r, (u64[]){ u->rax, u->rcx, u->rdx, u->rbx, u->rsp, u->rbp, u->rsi, u->rdi,
			   u->r8, u->r9, u->r10, u->r11, u->r12, u->r13, u->r14, u->r15 }, 128);
}

void tracee_set_general(struct tracee_regs *regs, const u64 r[16])
{
	struct user_regs_struct *u = &regs->raw;

	u->rax = r[0], u->rcx = r[1], u->rdx = r[2], u->rbx = r[3];
	u->rsp = r[4], u->rbp = r[5], u->rsi = r[6], u->rdi = r[7];
	u->r8 = r[8], u->r9 = r[9], u->r10 = r[10], u->r11 = r[11];
	u->r12 = r[12], u->r13 = r[13], u->r14 = r[14], u->r15 = r[15];
	u->orig_rax = -1;
}

enum insn_mode tracee_mode(const struct tracee_regs *regs)
{
	return regs->raw.cs == TRACEE_CODE_32 ? INSN_32 : INSN_64;
}

bool tracee_traps(const struct tracee_regs *regs)
{
	return regs->raw.eflags & TRAP_FLAG;
}

void tracee_untrap(struct tracee_regs *regs)
{
	regs->raw.eflags &= ~(u64)TRAP_FLAG;
}

/* System calls by their numbers for 64-bit and 32-bit programs; 0: none. */
static const struct call { u16 nr, nr32; u8 call; } calls[] = {
	{ 9, 192, CALL_MAP }, { 10, 125, CALL_PROTECT }, { 11, 91, CALL_UNMAP },
	{ 329, 380, CALL_PROTECT },			/* pkey_mprotect */
	{ 25, 163, CALL_REMAP }, { 216, 257, CALL_REMAP }, /* mremap, remap_file_pages */
	{ 30, 397, CALL_REMAP }, { 67, 398, CALL_REMAP },  /* shmat, shmdt */
	{ 206, 245, CALL_REMAP },			/* io_setup: a shared ring */
	{ 0, 90, CALL_REMAP }, { 0, 117, CALL_REMAP },	/* old mmap, ipc */
	{ 101, 26, CALL_PTRACE },
	{ 157, 172, CALL_NAME },
	{ 14, 175, CALL_MASK }, { 15, 173, CALL_MASK },	/* rt_sigprocmask, rt_sigreturn */
	{ 0, 119, CALL_MASK }, { 0, 126, CALL_MASK },
	{ 56, 120, CALL_CLONE }, { 435, 435, CALL_CLONE3 },
	{ 57, 2, CALL_FORK }, { 58, 190, CALL_VFORK },
	{ 204, 242, CALL_GET_AFFINITY }, { 203, 241, CALL_SET_AFFINITY },
};

enum tracee_call tracee_call(const struct tracee_regs *regs, bool narrow, u64 args[6])
{
	const struct user_regs_struct *u = &regs->raw;
	unsigned int i;

	narrow |= tracee_mode(regs) == INSN_32;
	if (narrow)
		memcpy(args, (u64[]){ u->rbx, u->rcx, u->rdx, u->rsi, u->rdi, u->rbp }, 48);
	else
		memcpy(args, (u64[]){ u->rdi, u->rsi, u->rdx, u->r10, u->r8, u->r9 }, 48);
	for (i = 0; u->rax && i < N_ELEM(calls); i++)
		if ((narrow ? calls[i].nr32 : calls[i].nr) == u->rax)
			return calls[i].call;
	return CALL_OTHER;
}

enum tracee_call tracee_call_made(const struct tracee_regs *regs, bool narrow, u64 args[6])
{
	struct tracee_regs before = *regs;

	before.raw.rax = regs->raw.orig_rax;
	return tracee_call(&before, narrow, args);
}

bool tracee_in_call(const struct tracee_regs *regs)
{
	return (i64)regs->raw.orig_rax >= 0;
}

i64 tracee_result(const struct tracee_regs *regs, bool *again)
{
	i64 result = regs->raw.rax;

	if (tracee_mode(regs) == INSN_32)
		result = (i32)result;
	*again = result == -512 || result == -513 || result == -514 || result == -516;
	return result;
}

enum { RESTART_NOHAND = -514, RESTART_BLOCK = -516 };

bool tracee_whole_call(struct tracee_regs *regs)
{
	bool rest = tracee_in_call(regs) && (i32)regs->raw.rax == RESTART_BLOCK;

	if (rest)
		regs->raw.rax = (i64)RESTART_NOHAND;
	return rest;
}

void tracee_settle(struct tracee_regs *regs)
{
	enum { NR_RESTART = 219, NR_RESTART_32 = 0, CALL_LENGTH = 2 };
	struct user_regs_struct *u = &regs->raw;
	bool again = false;

	if (tracee_in_call(regs))
		tracee_result(regs, &again);
	if (again) {
		u->rip -= CALL_LENGTH;
		u->rax = (i32)u->rax != RESTART_BLOCK ? u->orig_rax :
			 tracee_mode(regs) == INSN_32 ? NR_RESTART_32 : NR_RESTART;
	}
	u->orig_rax = -1;
}

bool tracee_make_again(struct tracee_regs *regs)
{
	enum { EINTR_RESULT = -4, CALL_LENGTH = 2 };
	struct user_regs_struct *u = &regs->raw;
	bool narrow = tracee_mode(regs) != INSN_64;

	if ((narrow && !CONFIG_SOFT_TRANSLATE_32) || (i64)u->rax != EINTR_RESULT ||
	    !arch_calls_cut(u->orig_rax, narrow))
		return false;
	u->rax = u->orig_rax;
	u->rip -= CALL_LENGTH;
	return true;
}

bool tracee_is_call(const struct insn *insn, struct bytes code)
{
	if (insn->kind == INSN_SYSCALL)
		return true;
	return insn->kind == INSN_INT && insn->len >= 2 && code.at[insn->len - 2] == 0xcd &&
	       code.at[insn->len - 1] == 0x80;
}

/* The opcode after the prefixes, and REP if that is one of them. */
static u32 opcode_of(struct bytes code)
{
	u32 rep = 0;
	size_t i;

	for (i = 0; i < code.len; i++) {
		u8 b = code.at[i];

		if (b == 0xf2 || b == 0xf3)
			rep = REP;
		else if (b != 0x66 && b != 0x67 && (b & 0xe7) != 0x26 && (b & 0xfe) != 0x64 &&
			 (b & 0xf0) != 0x40)
			return rep | b;
	}
	return 0;
}

/* Is it INS, OUTS, MOVS, CMPS, STOS, LODS or SCAS with REP or REPNE? */
bool tracee_repeats(struct bytes code)
{
	u32 op = opcode_of(code) ^ REP;

	return (op & ~3u) == 0x6c || (op & ~3u) == 0xa4 || (op >= 0xaa && op <= 0xaf);
}

bool tracee_is_xbegin(struct bytes code)
{
	return (u8)opcode_of(code) == 0xc7;
}

/* Where the memory operand of ModRM 'm' is; 'next': the address of the next instruction. */
static u64 operand(const u64 r[16], const u8 *m, u8 rex, u64 next)
{
	u32 mod = *m >> 6, rm = *m & 7, base = rm | (rex & 1) << 3, index;
	const u8 *disp = m + 1;
	u64 at = 0;

	if (rm == 4) {
		index = (m[1] >> 3 & 7) | (rex & 2) << 2;
		base = (m[1] & 7) | (rex & 1) << 3;
		at = index == 4 ? 0 : r[index] << (m[1] >> 6);
		disp++;
	}
	if (!mod && rm == 5)
		return next + (i32)get32(disp);
	if (!mod && (base & 7) == 5)
		return at + (i32)get32(disp);
	return at + r[base] + (mod == 1 ? (i8)*disp : mod == 2 ? (i32)get32(disp) : 0);
}

/* F3 [REX] 0F AE /4, with prefixes. */
u32 tracee_ptwrite(const struct tracee_regs *regs, struct bytes code, int mem, u64 *value)
{
	u8 all[INSN_MAX + 8] = { 0 }, *m = all, rex = 0, segment = 0;
	bool addr32 = false;
	u64 r[16], at;
	u32 size;

	if (tracee_mode(regs) != INSN_64)
		return 0;
	memcpy(all, code.at, code.len);
	for (; *m != 0x0f; m++) {
		segment = (*m & 0xfe) == 0x64 ? *m : segment;
		addr32 |= *m == 0x67;
		rex = (*m & 0xf0) == 0x40 ? *m : 0;
	}
	m += 2;
	size = rex & 8 ? 8 : 4;
	tracee_general(regs, r);
	*value = 0;
	if (*m >= 0xc0) {
		memcpy(value, &r[(*m & 7) | (rex & 1) << 3], size);
		return size;
	}
	at = operand(r, m, rex, regs->raw.rip + code.len);
	at = addr32 ? (u32)at : at;
	at += segment == 0x64 ? regs->raw.fs_base : segment ? regs->raw.gs_base : 0;
	return pread(mem, value, size, at) == (ssize_t)size ? size : 0;
}

bool tracee_pops_flags(struct bytes code)
{
	u8 op = opcode_of(code);

	return op == POPF || op == IRET;
}

bool tracee_stepped(struct tracee_regs *regs, struct bytes code, int mem)
{
	u8 op = opcode_of(code), byte;

	if (op == PUSHF && pread(mem, &byte, 1, regs->raw.rsp + 1) == 1) {
		byte &= ~(TRAP_FLAG >> 8);
		pwrite(mem, &byte, 1, regs->raw.rsp + 1);
	}
	if (tracee_pops_flags(code) || !tracee_traps(regs))
		return false;
	tracee_untrap(regs);
	return true;
}

/* Source: the kernel's <linux/rseq.h>; for PTRACE_GET_RSEQ_CONFIGURATION ptrace(2). */
bool tracee_restarts(i32 tid, struct tracee_regs *regs, int mem)
{
	enum { GET_CONFIGURATION = 0x420f, SEQUENCE_AT = 8 };
	struct { u64 at; u32 size, signature, flags, pad; } area;
	struct { u32 version, flags; u64 start, len, abort; } seq;
	u64 at;

	if (ptrace(GET_CONFIGURATION, tid, sizeof(area), &area) <= 0 || !area.at ||
	    pread(mem, &at, 8, area.at + SEQUENCE_AT) != 8 || !at ||
	    pread(mem, &seq, sizeof(seq), at) != sizeof(seq) ||
	    regs->raw.rip - seq.start >= seq.len)
		return false;
	regs->raw.rip = seq.abort;
	return true;
}

bool tracee_reads_tsc(const u8 code[INSN_MAX])
{
	enum { RDTSC = 0x310f, RDTSCP = 0xf9010f };
	u32 first = get32(code);

	return (u16)first == RDTSC || (first & 0xffffff) == RDTSCP;
}

bool tracee_tell_time(struct tracee_regs *regs, const struct tracee_regs *entry, int mem)
{
	const struct user_regs_struct *e = &entry->raw;
	u64 time[2] = { 0 }, zone, back, to = e->rsi;

	if (e->rdi < LOWEST) {		/* the number of a clock, not a pointer */
		syscall(SYS_clock_gettime, e->rdi, time);
	} else {
		syscall(SYS_gettimeofday, time, &zone);
		if (to && pwrite(mem, &zone, 8, to) != 8)
			return false;
		to = e->rdi;
	}
	if (pread(mem, &back, 8, e->rsp) != 8 || pwrite(mem, time, 16, to) != 16)
		return false;
	regs->raw = *e;
	regs->raw.rax = 0;
	regs->raw.rip = back;
	regs->raw.rsp += 8;
	return true;
}

bool tracee_kernel_page(u64 ip)
{
	return ip >> 12 == 0xffffffffff600000ULL >> 12;
}
