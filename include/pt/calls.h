/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call stacks: the calls of a thread that have not yet returned, as far as the trace shows them.
 */
#ifndef PT_CALLS_H
#define PT_CALLS_H

#include <pt/branches.h>
#include <pt/process.h>

/* What a branch is; the letters of perf's flags column, in order. */
enum {
	FLAG_BRANCH = 1 << 0, FLAG_CALL = 1 << 1, FLAG_RETURN = 1 << 2, FLAG_COND = 1 << 3,
	FLAG_SYSCALL = 1 << 4, FLAG_ASYNC = 1 << 5, FLAG_INT = 1 << 6, FLAG_ABORT = 1 << 7,
	FLAG_BEGIN = 1 << 8, FLAG_END = 1 << 9, FLAG_IN_TX = 1 << 10, FLAG_VMENTRY = 1 << 11,
	FLAG_VMEXIT = 1 << 12, FLAG_INTR_OFF = 1 << 13, FLAG_INTR_CHANGE = 1 << 14,
};

enum { CALLS_SLOTS = 256 };

struct calls {
	u64 *back;		/* return addresses, the outermost first */
	bool *ended;		/* tracing ended at that call */
	u32 n, room;
	u64 trace_nr;
	struct branches branches;	/* the last ones, if they are kept */
	u32 like[CALLS_SLOTS];	/* the number of entries of 'back' with this lowest byte */
};

/* Remove the innermost entries so that 'n' are left. */
void calls_cut(struct calls *c, u32 n);

/* The stack of a thread, allocated at the first call. The idle threads share one tid, so they have
 * a stack for each CPU. */
struct calls *calls_of(struct arena *arena, struct thread *thread, i32 cpu);

/* The same stack if it exists, else NULL. */
struct calls *calls_if_any(const struct thread *thread, i32 cpu);

/* Apply a branch with FLAG_* 'flags': push or pop. 'len' is the length of the instruction, 0 if no
 * instruction branched. 'trace_nr' changes where the trace is not continuous. */
void calls_branch(struct arena *arena, struct calls *c, u32 flags, u64 from, u64 to,
		  unsigned int len, u64 trace_nr);

/* Trace number 'trace_nr' follows. If it is not the one before, the stack is cleared. */
void calls_trace(struct calls *c, u64 trace_nr);

void calls_grow(struct arena *arena, struct calls *c, u64 back, bool ended);
void calls_pop_to(struct calls *c, u64 to);

static inline void calls_push(struct arena *arena, struct calls *c, u64 back, bool ended)
{
	if (unlikely(c->n == c->room)) {
		calls_grow(arena, c, back, ended);
		return;
	}
	c->like[back % CALLS_SLOTS]++;
	c->back[c->n] = back;
	c->ended[c->n++] = ended;
}

static inline void calls_pop(struct calls *c, u64 to)
{
	if (unlikely(!c->n || c->back[c->n - 1] != to)) {
		calls_pop_to(c, to);
		return;
	}
	c->like[to % CALLS_SLOTS]--;
	c->n--;
}

/* calls_branch() after calls_trace(), for branches inside a run. */
static inline void calls_follow(struct arena *arena, struct calls *c, u32 flags, u64 from, u64 to,
				unsigned int len)
{
	if (flags & FLAG_RETURN)
		calls_pop(c, to);
	else if (flags & FLAG_CALL && to != from + len)
		calls_push(arena, c, from + len, false);
}

/* Write the call chain of a sample at 'ip' into 'to', the innermost first. 'places' limits it: each
 * change between kernel and user also takes a place. Returns the length. 'c' may be NULL. */
u32 calls_chain(const struct calls *c, u64 ip, u32 places, u64 *to);

/* The same for a recorded sample. The trace is already later than the sample, so calls that the
 * kernel has made since are left out. */
u32 calls_chain_late(const struct calls *c, u64 ip, u32 places, u64 *to);

/* A call chain as perf.data has it, with a marker where the level changes. It is written to 'to',
 * which has room for 2 * n words. */
struct bytes calls_mark(const u64 *chain, u32 n, u64 *to);

#endif
