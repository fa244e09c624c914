/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call stacks: what a thread has called and not returned from, as far as the
 * trace told.
 */
#ifndef PT_CALLS_H
#define PT_CALLS_H

#include <pt/out.h>
#include <pt/process.h>

/* What a branch is; the letters of perf's flags column, in order. */
enum {
	FLAG_BRANCH = 1 << 0, FLAG_CALL = 1 << 1, FLAG_RETURN = 1 << 2, FLAG_COND = 1 << 3,
	FLAG_SYSCALL = 1 << 4, FLAG_ASYNC = 1 << 5, FLAG_INT = 1 << 6, FLAG_ABORT = 1 << 7,
	FLAG_BEGIN = 1 << 8, FLAG_END = 1 << 9, FLAG_IN_TX = 1 << 10, FLAG_VMENTRY = 1 << 11,
	FLAG_VMEXIT = 1 << 12, FLAG_INTR_OFF = 1 << 13, FLAG_INTR_CHANGE = 1 << 14,
};

struct calls {
	u64 *back;		/* return addresses, the outermost first */
	bool *ended;		/* tracing ended with that call */
	u32 n, room;
	u64 trace_nr;
};

/* What a branch does to a stack. */
enum { CALLS_NOTHING, CALLS_PUSH, CALLS_POP, CALLS_BEGIN };

/* Where nobody knows yet what was called before (out.gate), lines come with these in
 * between instead of an indent; each begins with a byte that is in no line. */
enum { CALLS_LATER = 1 };

struct calls_later {
	u8 mark, what;
	u16 line;		/* 0: there is none; 1 + entries more than are on the stack ... */
	u16 front, name;	/* ... behind 'front' bytes of it; a name of so many follows */
	u32 trace_nr;
	bool ended;
	u64 at;			/* where to return to */
	struct calls *calls;	/* NULL: not known */
};

enum { CALLS_NO_INDENT = 254 };	/* instead of entries: a line without a name */

/* Do what was put off. */
void calls_do(struct arena *arena, const struct calls_later *l);

/* The stack of a thread. The idle threads share a number: they have one a CPU. */
struct calls *calls_of(struct arena *arena, struct thread *thread, i32 cpu);

/* The same if there is one, else NULL. */
struct calls *calls_if_any(const struct thread *thread, i32 cpu);

/* How many CPUs it may have one for. */
u32 calls_cpus(const struct thread *thread);

/* A branch: push or pop. 'len' is the instruction's length, 0 where none branched;
 * 'trace_nr' changes where the trace does not go on from before. With an 'out' that has
 * a gate it is put off: written there. */
void calls_branch(struct arena *arena, struct out *out, struct calls *c, u32 flags, u64 from,
		  u64 to, unsigned int len, u64 trace_nr);

/* The call chain of a sample at 'ip', the innermost first, into 'to' of 'places'; returns its
 * length, less where kernel and user change, which takes a place. 'c' may be NULL. */
u32 calls_chain(const struct calls *c, u64 ip, u32 places, u64 *to);

/* The same for a sample that was recorded, while the trace is further on: without what the
 * kernel called since. */
u32 calls_chain_late(const struct calls *c, u64 ip, u32 places, u64 *to);

#endif
