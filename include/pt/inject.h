/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that another process is told to make: code for it, and what came of it.
 */
#ifndef PT_INJECT_H
#define PT_INJECT_H

#include <pt/tracee.h>

enum {
	INJECT_CALLS = 5,	/* at most, in a row */
	INJECT_CODE = 512,	/* bytes of code, at most */
};

/* A call, its arguments, and which of them is the result of an earlier call. */
struct inject_call {
	u32 nr;
	u8 arg, of;		/* args[arg - 1] is the result of call 'of'; arg 0: none */
	u64 args[6];
};

/* Write code that makes 'n' calls, then traps. Returns its length. */
u32 inject_code(u8 code[INJECT_CODE], const struct inject_call *calls, u32 n);

/* The result of call 'i' of a thread that has run into the trap. */
i64 inject_result(const struct tracee_regs *regs, u32 i);

#endif
