/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decoded code. A run is the code from an address up to the first instruction whose successor only
 * the trace tells: a conditional or indirect branch, a return, a far transfer. Direct jumps and
 * calls are followed; each ends a segment, which is a contiguous range of bytes.
 *
 * Runs are decoded once, found again by (space, ip), and linked: from a conditional branch to the
 * two runs that can follow it.
 */
#ifndef PT_RUNS_H
#define PT_RUNS_H

#include <pt/arch.h>
#include <pt/base.h>

/* How a run ends if it does not end with an instruction (enum insn_kind). */
enum {
	RUN_GAP = N_INSN_KINDS,	/* the code at its end is missing, or does not decode */
	RUN_EPTW,			/* a jump over the mark of an emulated PTWRITE */
	RUN_LONG,			/* it continues in the next run */
	RUN_STOP,			/* a direct branch to one of runs.stop */
};

struct segment {
	u64 ip;
	u32 bytes;		/* with the branch at its end */
	u16 n;			/* instructions of the run up to the end of this segment */
	u8 kind;		/* of its last instruction; INSN_OTHER if that is not a branch */
	u8 branch_len;		/* of its last instruction */
};

/* A call: its return address, and the run there once that was looked up. The run is stored as an
 * id, because a return needs nothing else of it: see flow_chain.c. */
struct call {
	u64 back;
	u32 run;		/* its id, plus 1; or 0 */
};

/* Events at which a caller may want to stop: runs.needs. */
enum {
	NEED_JUMPS = 1,		/* direct jumps on the way, indirect jumps at the end */
	NEED_CALLS = 2,		/* the same for calls */
	NEED_RETURNS = 4,
	NEED_TAKEN = 8,		/* conditional branches that are taken */
	NEED_NOT_TAKEN = 16,
	NEED_ALL = 31,
	NEED_TIME = 32,		/* no branch, but the time at PSBs must be exact */
};

/* How to continue after a run whose end the caller does not need as a step: struct run.quick. */
enum {
	QUICK_NO,		/* the caller needs it, or its end is of a rare kind */
	QUICK_COND,		/* a conditional branch, no calls on the way */
	QUICK_COND_CALLS,
	QUICK_RET,
	QUICK_INDIRECT,		/* an indirect jump or call */
	QUICK_NEEDED = 8,	/* a bit: the caller always needs it; if runs.noted is set */
};

enum { RUN_HOLDS_PTWRITE = 1, RUN_HOLDS_CR3 = 2 };	/* INSN_MOV_CR3 */

/* All members that are needed to follow a run, in one cache line. With the rest next to them,
 * half of a cache's sets would contain none of them. */
struct run {
	u64 ip;			/* of its first instruction */
	u64 key;		/* space and mode: see runs_find() */
	struct run *link[2];	/* after a conditional branch: not taken, taken; after an indirect
				 * one: [1], its last target; or NULL */
	u32 n;			/* instructions, with the branch at the end */
	u16 n_calls;
	u8 quick;		/* QUICK_*, with QUICK_NEEDED */
	u8 end;			/* enum insn_kind, or RUN_* */
	u32 id;			/* from 0: runs_by_id() */
	u8 end_len;		/* of the instruction at the end, 0 if there is none */
	u8 mode : 4;		/* enum insn_mode */
	u8 holds : 4;		/* RUN_HOLDS_*: instructions that packets may refer to */
	u16 n_segments;
	struct run_rest *rest;
	void *kept;		/* what the consumer of the trace keeps with it: runs_keep() */
};

/* The other members. */
struct run_rest {
	u64 target;		/* of a conditional branch (and RUN_EPTW, RUN_STOP) */
	u8 *lens;		/* of its instructions; or NULL: see run_lens() */
	struct segment segments[];	/* followed by run_calls() */
};

/* The address of the instruction at its end. */
u64 run_end_ip(const struct run *run);

/* The direct calls on the way, followed by the one at its end. */
static inline struct call *run_calls(const struct run *run)
{
	return (struct call *)(run->rest->segments + run->n_segments);
}

/* The run that a packet leads to from a run: see flow_chain.c. It has half a cache line, because
 * its size determines its cost; no address of a program has more than 48 bits. */
enum { RESULT_BITS = 7, ADDRESS_BITS = 48, CHAINS_ROOM = 1 << 21 };

struct chain {
	u32 key;		/* a run's id and the packet's part; 0: empty */
	u32 end;		/* id of the run that it leads to, shifted left by RESULT_BITS */
	u32 next;		/* what that run adds to the offset of the next chain, in bytes */
	u16 insns;
	u8 how, n_pushes;
	union {
		u64 ip;				/* the address in a TIP */
		struct {			/* a struct call *: the call it returns from */
			u64 pop_insns : 16, pop : ADDRESS_BITS;
		};
	};
	u64 rest : 8, pop_rest : 8;		/* results that are left, below a stop bit */
	u64 pushes : ADDRESS_BITS;		/* a struct call *: n_pushes of them */
};

/* What is needed of a run to learn chains. It has a quarter of a run's size, because a trace of
 * much code has more runs than fit into the processor's caches (the trace of a compiler is decoded
 * 1.1 times as fast). */
struct node {
	u64 not_taken : 26, taken : 26;	/* ids of the linked runs, plus 1; 0: look there */
	u64 way : 3, n_calls : 3;	/* 'quick' without QUICK_NEEDED; 7 calls: or more */
	u64 n : 16;			/* instructions; 0: the node is not filled in yet */
	u64 calls : ADDRESS_BITS;
};

struct runs {
	/* Code bytes from 'ip' on: as many as are contiguous in memory, empty if there are none. */
	struct bytes (*fetch)(void *who, u64 ip);
	void *who;
	u32 needs;		/* NEED_*, set before the first run is made */
	bool noted;		/* the same: needed branches do not end a run */
	u64 stop[2];		/* the same: direct branches to these are always steps; or 0 */
	struct area made;	/* code that changes often, and has keys of its own. Runs of other
				 * code end before it and have no links to it */
	struct arena arena;
	u64 *table;		/* of runs, see runs.c */
	struct bytes spare;	/* the memory of the previous table, zeroed: for runs */
	u32 room, n;
	u64 near_key, near_ip;	/* the place of the bytes fetched last, of the lower half */
	struct bytes near;
	struct chain *chains;	/* n_chains, a power of two, by run and packet; or NULL */
	u32 n_chains, n_learned;
	u32 n_unchained;	/* bytes of trace decoded before there were any */
	struct node *nodes;	/* n_nodes, by id; or NULL */
	u32 n_nodes;
	struct run **blocks;	/* of RUN_BLOCK runs each, by their ids */
	u32 n_runs;
	bool no_chains;		/* do not allocate them: CHAINS_ROOM */
};

/* A cache line, and the number of them in a block. */
enum { RUN_BITS = 6, RUN_ALIGN = 1 << RUN_BITS, RUN_BLOCK = 32 };

static inline struct run *runs_by_id(const struct runs *runs, u32 id)
{
	return (struct run *)((u8 *)runs->blocks[id / RUN_BLOCK] + id % RUN_BLOCK * RUN_ALIGN);
}

/* Forget all runs when there are more: their hashes are too short to find one of many quickly. */
enum { RUNS_MOST = (1 << 21) - (1 << 16) };

/* From this size on a run ends where it can: RUN_LONG. */
enum { RUN_LONG_SEGMENTS = 64, RUN_LONG_INSNS = 4096, RUN_PAGE = 4096 };

/* The run that contains one of its links. */
static inline struct run *run_of_link(struct run **link)
{
	return (struct run *)((uintptr_t)link & -(uintptr_t)RUN_ALIGN);
}

/* The run that a call returns to; NULL if it is unknown. */
static inline struct run *run_after(const struct runs *runs, const struct call *call)
{
	return call->run ? runs_by_id(runs, call->run - 1) : NULL;
}

/* Does a way from 'from' to 'to' lead into runs.made? */
bool runs_border(const struct runs *runs, u64 from, u64 to);

/* The run at 'ip'. 'key' identifies a space, its changes and the mode: code that was decoded
 * under another key is not found. A run that ends at missing code is decoded again each time,
 * because the code may be available now. Never NULL. */
struct run *runs_find(struct runs *runs, u64 key, enum insn_mode mode, u64 ip);

/* The same if it was looked up before, else NULL; 'key' is that of a run. */
struct run *runs_known(const struct runs *runs, u64 key, u64 ip);

/* Forget everything (the limit of memory was reached, or code was changed). */
void runs_clear(struct runs *runs);

/* A copy of a run that was, or will be, forgotten. It is not found, and nothing leads to it. */
struct run *runs_copy(struct runs *runs, const struct run *from);

/* Zeroed memory that the consumer of the trace keeps with a run, as 'kept': it is forgotten with
 * the run. NULL: that takes too much by now. */
void *runs_keep(struct runs *runs, struct run *run, size_t size);

/* The lengths of the run's instructions, n of them. */
const u8 *run_lens(struct runs *runs, struct run *run);

/* A walk over the first 'n' instructions of a run. */
struct run_walk {
	const struct run *run;
	const u8 *lens;
	u64 ip;			/* of the current instruction */
	u32 i, n;
	u32 segment;
	u8 len, kind;		/* of the current instruction; INSN_OTHER inside a segment */
};

static inline struct run_walk run_walk(struct runs *runs, struct run *run, u32 n)
{
	return (struct run_walk){ .run = run, .lens = run_lens(runs, run), .n = n,
				  .ip = run->ip };
}

/* Step to the next instruction; false after the last. */
static inline bool run_walk_next(struct run_walk *w)
{
	const struct segment *s = &w->run->rest->segments[w->segment];

	if (w->i == w->n)
		return false;
	if (w->i) {
		w->ip += w->len;
		if (w->i == s->n) {
			s++;
			w->segment++;
			w->ip = s->ip;
		}
	}
	w->len = w->lens[w->i++];
	w->kind = w->i == s->n ? s->kind : INSN_OTHER;
	return true;
}

/* How many instructions of the run are before the one at 'ip'; false if it contains none there
 * (its end counts: the address after a run that ends without a branch). */
bool run_count_to(struct runs *runs, struct run *run, u64 ip, u32 *n);

/* Find the instruction of 'kind' (an INSN_* that is not a branch) that follows 'skip' others of
 * that kind. '*n': instructions up to and including it; '*ip': its address. False if there is
 * none. */
bool run_find(struct runs *runs, struct run *run, u8 kind, u32 skip, u32 *n, u64 *ip);

/* Go '*left' units of insn_cost() ahead, from instruction 'from' of the run, which is not counted,
 * to its instruction 'n'. Returns the number of the instruction that is reached, and sets '*left'
 * to 0. If the run is too short, returns 0, and '*left' is what remains. */
u32 run_ahead(struct runs *runs, struct run *run, u32 from, u32 n, u32 *left);

/* The target of the direct branch that ends segment 'i'. */
static inline u64 run_branch_target(const struct run *run, unsigned int i)
{
	return i + 1u < run->n_segments ? run->rest->segments[i + 1].ip : run_end_ip(run);
}

#endif
