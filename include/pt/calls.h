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

enum { CALLS_SLOTS = 256 };

struct calls {
	u64 *back;		/* return addresses, the outermost first */
	bool *ended;		/* tracing ended with that call */
	u32 n, room;
	u64 trace_nr;
	u32 like[CALLS_SLOTS];	/* how many of 'back' have this lowest byte */
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

/* Down to 'n' of them. */
void calls_cut(struct calls *c, u32 n);

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

/* Trace that goes on from this comes now: where it is not what came before a stack is empty. */
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

/* calls_branch() behind calls_trace(), of branches that are no more than they seem. */
static inline void calls_follow(struct arena *arena, struct out *out, struct calls *c, u32 flags,
				u64 from, u64 to, unsigned int len, u64 trace_nr)
{
	if (unlikely(out && out->gate))
		calls_branch(arena, out, c, flags, from, to, len, trace_nr);
	else if (flags & FLAG_RETURN)
		calls_pop(c, to);
	else if (flags & FLAG_CALL && to != from + len)
		calls_push(arena, c, from + len, false);
}

/* The call chain of a sample at 'ip', the innermost first, into 'to' of 'places'; returns its
 * length, less where kernel and user change, which takes a place. 'c' may be NULL. */
u32 calls_chain(const struct calls *c, u64 ip, u32 places, u64 *to);

/* The same for a sample that was recorded, while the trace is further on: without what the
 * kernel called since. */
u32 calls_chain_late(const struct calls *c, u64 ip, u32 places, u64 *to);

#endif
