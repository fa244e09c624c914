/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that another process is told to make: code for it, and what came of it.
 */
#ifndef PT_INJECT_H
#define PT_INJECT_H

#include <pt/tracee.h>

enum {
	INJECT_CALLS = 3,	/* at most, in a row */
	INJECT_CODE = 512,	/* bytes of code, at most, and ... */
	INJECT_MASK = INJECT_CODE - 8,	/* the signal mask */
	INJECT_SPARE = INJECT_CODE - 16,	/* the caller's, eight bytes */
};

/* A call, its arguments, and which of them is the result of an earlier call. */
struct inject_call {
	u32 nr;
	u8 arg, of;		/* args[arg - 1] is the result of call 'of'; arg 0: none */
	u64 args[6];
};

/* Write code for address 'at' that makes 'n' calls, and then one that does nothing, where the
 * caller stops the thread; one that nobody stops sets its signal mask to 'mask' and goes on with
 * the registers 'back'. Returns the offset of the last call's end. */
u32 inject_code(u8 code[INJECT_CODE], u64 at, const struct inject_call *calls, u32 n,
		const struct tracee_regs *back, u64 mask);

/* The result of call 'i' of a thread that is there. */
i64 inject_result(const struct tracee_regs *regs, u32 i);

#endif
