/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls in another process: the code that makes them, and their results.
 */
#ifndef PT_INJECT_H
#define PT_INJECT_H

#include <pt/tracee.h>

enum {
	INJECT_CALLS = 3,	/* maximum of calls in one piece of code */
	INJECT_CODE = 512,	/* bytes of code and data, at most */
	INJECT_MASK = INJECT_CODE - 8,	/* offset of the signal mask */
	INJECT_SPARE = INJECT_CODE - 40,	/* offset of 32 bytes for the caller */
};

/* A call and its arguments. One argument may be the result of an earlier call. */
struct inject_call {
	u32 nr;
	u8 arg, of;		/* args[arg - 1] is the result of call 'of'; arg 0: none */
	u64 args[6];
};

/* Offsets of the ends of two more calls, which do nothing: the caller stops the thread in them, and
 * may skip them. With 'close', the thread closes the descriptor that is the first call's result in
 * between; without it, both are the same call. */
struct inject_ends {
	u32 made, closed;
};

/* Write code for address 'at' that makes 'n' calls and these two. If the caller does not stop it,
 * the thread sets its signal mask to 'mask' and continues with the registers 'back'. */
struct inject_ends inject_code(u8 code[INJECT_CODE], u64 at, const struct inject_call *calls, u32 n,
			       const struct tracee_regs *back, u64 mask, bool close);

/* The result of call 'i'. The thread is stopped at one of these ends. */
i64 inject_result(const struct tracee_regs *regs, u32 i);

#endif
