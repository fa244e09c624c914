/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls in a row, as x86-64 code: a register is loaded for each argument, and results
 * stay in registers that system calls keep.
 */
#include <pt/inject.h>

/* Registers by number: of the arguments, and of results. */
static const u8 args[6] = { 7, 6, 2, 10, 8, 9 };
static const u8 results[INJECT_CALLS] = { 3, 5, 12, 13, 14 };

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

static u8 *put_call(u8 *to, const struct inject_call *c, u32 i)
{
	u32 k;

	for (k = 0; k < N_ELEM(args); k++)
		to = c->arg == k + 1 ? put_move(to, args[k], results[c->of]) :
		     put_load(to, args[k], c->args[k]);
	to = put_load(to, 0, c->nr);
	*to++ = 0x0f;			/* syscall */
	*to++ = 0x05;
	return put_move(to, results[i], 0);
}

u32 inject_code(u8 code[INJECT_CODE], const struct inject_call *calls, u32 n)
{
	u8 *to = code;
	u32 i;

	for (i = 0; i < n; i++)
		to = put_call(to, calls + i, i);
	*to++ = 0xcc;			/* int3 */
	return to - code;
}

i64 inject_result(const struct tracee_regs *regs, u32 i)
{
	const struct user_regs_struct *u = &regs->raw;
	const u64 r[INJECT_CALLS] = { u->rbx, u->rbp, u->r12, u->r13, u->r14 };

	return r[i];
}
