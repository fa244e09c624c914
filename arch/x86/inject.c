/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sequence of system calls as x86-64 code. A register is loaded for each argument, and results
 * stay in registers that system calls preserve. The code after the calls leads back to the program,
 * so that the program continues even if the tracer dies meanwhile.
 */
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/inject.h>

enum { NR_CLOSE = 3, NR_SIGPROCMASK = 14, SETMASK = 2, NR_SCHED_YIELD = 24 };
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R10 = 10 };

/* Registers by number: those of arguments, and those of results. */
static const u8 args[6] = { RDI, RSI, RDX, R10, 8, 9 };
static const u8 results[INJECT_CALLS] = { RBX, RBP, 12 };

/* mov $v, %reg */
static u8 *put_load(u8 *to, u8 reg, u64 v)
{
	*to++ = 0x48 | reg >> 3;
	*to++ = 0xb8 | (reg & 7);
	set64(to, v);
	return to + 8;
}

/* mov %from, %reg */
static u8 *put_move(u8 *to, u8 reg, u8 from)
{
	*to++ = 0x48 | reg >> 3 | (from >> 3) << 2;
	*to++ = 0x89;
	*to++ = 0xc0 | (from & 7) << 3 | (reg & 7);
	return to;
}

static u8 *put_syscall(u8 *to, u32 nr)
{
	*to = 0xb8;			/* mov $nr, %eax */
	set32(to + 1, nr);
	to[5] = 0x0f;
	to[6] = 0x05;
	return to + 7;
}

static u8 *put_call(u8 *to, const struct inject_call *c, u32 i)
{
	u32 k;

	for (k = 0; k < N_ELEM(args); k++)
		to = c->arg == k + 1 ? put_move(to, args[k], results[c->of]) :
		     put_load(to, args[k], c->args[k]);
	return put_move(put_syscall(to, c->nr), results[i], RAX);
}

static u8 *put_mask(u8 *to, u64 mask_at)
{
	to = put_load(to, RDI, SETMASK);
	to = put_load(to, RSI, mask_at);
	to = put_load(to, RDX, 0);
	to = put_load(to, R10, 8);
	return put_syscall(to, NR_SIGPROCMASK);
}

/* Restore all registers except RSP, which this code does not change, nor the flags. */
static u8 *put_back(u8 *to, const struct tracee_regs *back)
{
	const struct user_regs_struct *u = &back->raw;
	bool narrow = CONFIG_SOFT_TRANSLATE_32 && tracee_mode(back) != INSN_64;
	const u64 r[16] = { u->rax, u->rcx, u->rdx, u->rbx, u->rsp, u->rbp, u->rsi, u->rdi,
			    u->r8, u->r9, u->r10, u->r11, u->r12, u->r13, u->r14, u->r15 };
	u8 i;

	for (i = 0; i < 16; i++)
		if (i != RSP)
			to = put_load(to, i, r[i]);
	*to++ = 0xff;			/* jmp *0(%rip) or ljmp *0(%rip) */
	*to++ = narrow ? 0x2d : 0x25;
	set32(to, 0);
	set64(to + 4, narrow ? u->rip | u->cs << 32 : u->rip);
	return to + 12;
}

struct inject_ends inject_code(u8 code[INJECT_CODE], u64 at, const struct inject_call *calls, u32 n,
			       const struct tracee_regs *back, u64 mask, bool close)
{
	struct inject_ends ends;
	u8 *to = code;
	u32 i;

	for (i = 0; i < n; i++)
		to = put_call(to, calls + i, i);
	to = put_syscall(to, NR_SCHED_YIELD);
	ends.made = to - code;
	if (close)
		to = put_syscall(put_syscall(put_move(to, RDI, results[0]), NR_CLOSE),
				 NR_SCHED_YIELD);
	ends.closed = to - code;
	to = put_mask(to, at + INJECT_MASK);
	put_back(to, back);
	set64(code + INJECT_MASK, mask);
	return ends;
}

i64 inject_result(const struct tracee_regs *regs, u32 i)
{
	const struct user_regs_struct *u = &regs->raw;
	const u64 r[INJECT_CALLS] = { u->rbx, u->rbp, u->r12 };

	return r[i];
}
