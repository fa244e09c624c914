/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decoded code. A run is what executes from an address on until the trace has
 * to say how it goes on: a conditional or indirect branch, a return, a far
 * transfer. Direct jumps and calls are followed on the way; each ends a
 * segment, a stretch of bytes in one piece.
 *
 * Runs are decoded once, found again by (space, ip), and linked: from a
 * conditional branch to the two runs that can follow it.
 */
#ifndef PT_RUNS_H
#define PT_RUNS_H

#include <pt/arch.h>
#include <pt/base.h>

/* How a run ends, where it is not by an instruction (enum insn_kind). */
enum {
	RUN_HOLE = N_INSN_KINDS,	/* no code is known where it ends, or none that decodes */
	RUN_EPTW,			/* a jump over the mark of an emulated PTWRITE */
	RUN_LONG,			/* it goes on where it ends: the next run takes over */
	RUN_STOP,			/* a direct branch to one of runs.stop */
};

struct segment {
	u64 ip;
	u32 bytes;		/* the ending branch included */
	u16 n;			/* instructions of the run up to the end of this segment */
	u8 kind;		/* of its last instruction; INSN_OTHER where that is no branch */
	u8 branch_len;		/* of its last instruction */
};

/* A call: where it returns to, and the run there once that was looked up. It is noted by its
 * id, as who returns there wants no more of it: see flow_chain.c. */
struct call {
	u64 back;
	u32 run;		/* its id, plus 1; or 0 */
};

/* What those who follow runs may want to stop at: runs.heed. */
enum {
	HEED_JUMPS = 1,		/* direct jumps on the way, indirect ones at the end */
	HEED_CALLS = 2,		/* the same of calls */
	HEED_RETURNS = 4,
	HEED_TAKEN = 8,		/* conditional branches that are taken */
	HEED_NOT_TAKEN = 16,
	HEED_ALL = 31,
	HEED_TIME = 32,		/* none, but the time at PSBs has to be exact */
};

/* How to go on behind a run where nobody heeds it: struct run.quick. */
enum {
	QUICK_NO,		/* somebody does, or it ends in a way that is rare */
	QUICK_COND,		/* a conditional branch, no calls on the way */
	QUICK_COND_CALLS,
	QUICK_RET,
	QUICK_INDIRECT,		/* an indirect jump or call */
	QUICK_HEEDED = 8,	/* a bit: somebody does, always; where runs.noted is set */
};

enum { RUN_HOLDS_PTWRITE = 1, RUN_HOLDS_CR3 = 2 };	/* INSN_MOV_CR3 */

/* All there is to following a run, in a cache line: with the rest beside it, half of a cache's
 * sets had none of what was wanted. */
struct run {
	u64 ip;			/* of its first instruction */
	u64 key;		/* space and mode: see runs_find() */
	struct run *link[2];	/* behind a conditional branch: not taken, taken; behind an
				 * indirect one: [1], where it went last; or NULL */
	u32 n;			/* instructions, the ending branch included */
	u16 n_calls;
	u8 quick;		/* QUICK_*, with QUICK_HEEDED */
	u8 end;			/* enum insn_kind, or RUN_* */
	u32 id;			/* counted from 0: runs_by_id() */
	u8 end_len;		/* of the ending instruction, 0 where there is none */
	u8 mode : 4;		/* enum insn_mode */
	u8 holds : 4;		/* RUN_HOLDS_*: instructions that packets may be about */
	u16 n_segments;
	struct run_rest *rest;
	void *text;		/* for whoever prints it */
};

/* What is wanted of it elsewhere. */
struct run_rest {
	u64 target;		/* of a conditional branch (and RUN_EPTW, RUN_STOP) */
	u8 *lens;		/* of its instructions; or NULL: run_lens() */
	struct segment segments[];	/* and behind them run_calls() */
};

/* Where the instruction is that ends it. */
u64 run_end_ip(const struct run *run);

/* The direct calls on the way; behind them that at its end. */
static inline struct call *run_calls(const struct run *run)
{
	return (struct call *)(run->rest->segments + run->n_segments);
}

/* Where a packet leads from a run: see flow_chain.c. Half a cache line, as their size is
 * what they cost; no address of a program has more than 48 bits. */
enum { RESULT_BITS = 7, ADDRESS_BITS = 48, CHAINS_ROOM = 1 << 21 };

struct chain {
	u32 key;		/* a run's id and what of a packet; 0: none is here */
	u32 end;		/* id of the run that it leads to, RESULT_BITS up */
	u32 next;		/* what that adds to where the chain behind it is, in bytes */
	u16 insns;
	u8 how, n_pushes;
	union {
		u64 ip;				/* of a TIP */
		struct {			/* a struct call *, that it returns from */
			u64 pop_insns : 16, pop : ADDRESS_BITS;
		};
	};
	u64 rest : 8, pop_rest : 8;		/* results that are left, below a stop bit */
	u64 pushes : ADDRESS_BITS;		/* a struct call *: n_pushes of them */
};

/* What there is to learning chains of a run: a quarter of it, as a trace of much code leads
 * to more runs than a cache holds (a tenth of the time of a compiler's). */
struct node {
	u64 not_taken : 26, taken : 26;	/* ids of the links, plus 1; 0: see there */
	u64 way : 3, n_calls : 3;	/* quick, without QUICK_HEEDED; 7 calls: or more */
	u64 n : 16;			/* instructions; 0: all of this is still to be filled in */
	u64 calls : ADDRESS_BITS;
};

struct runs {
	/* Code bytes from 'ip' on: as many as are at hand in one piece, empty if
	 * there are none. */
	struct bytes (*fetch)(void *who, u64 ip);
	void *who;
	u32 heed;		/* HEED_*, set before the first run is made */
	bool noted;		/* the same: what is heeded is no reason to stop */
	u64 stop[2];		/* the same: direct branches to these are steps always; or 0 */
	struct arena arena;
	u64 *table;		/* of runs, see runs.c */
	struct bytes spare;	/* what the one before it was, zeroed: for runs */
	u32 room, n;
	u64 near_key, near_ip;	/* where the bytes fetched last are, of the lower half */
	struct bytes near;
	struct chain *chains;	/* n_chains, a power of two, by run and packet; or NULL */
	u32 n_chains, n_learned;
	u32 n_unchained;	/* bytes of trace gone over before there were any */
	struct node *nodes;	/* n_nodes, by id; or NULL */
	u32 n_nodes;
	struct run **blocks;	/* of RUN_BLOCK runs each, by their ids */
	u32 n_runs;
	bool no_chains;		/* no room is to be given to them: CHAINS_ROOM */
};

/* A cache line, and so many to a block of them. */
enum { RUN_BITS = 6, RUN_ALIGN = 1 << RUN_BITS, RUN_BLOCK = 32 };

static inline struct run *runs_by_id(const struct runs *runs, u32 id)
{
	return (struct run *)((u8 *)runs->blocks[id / RUN_BLOCK] + id % RUN_BLOCK * RUN_ALIGN);
}

/* From so much on a run ends where it can: RUN_LONG. */
enum { RUN_LONG_SEGMENTS = 64, RUN_LONG_INSNS = 4096, RUN_PAGE = 4096 };

/* Where a call returns to; NULL if nobody knows. */
static inline struct run *run_behind(const struct runs *runs, const struct call *call)
{
	return call->run ? runs_by_id(runs, call->run - 1) : NULL;
}

/* The run at 'ip'. 'key' tells spaces, their changes and modes apart: what was
 * decoded under another key is not found. A run that ends in a hole is
 * decoded anew each time, since the code may have come. Never NULL. */
struct run *runs_find(struct runs *runs, u64 key, enum insn_mode mode, u64 ip);

/* The same if it was looked up before, else NULL; 'key' is that of a run. */
struct run *runs_known(const struct runs *runs, u64 key, u64 ip);

/* Forget everything (the cap on memory was reached, code was changed). */
void runs_clear(struct runs *runs);

/* The lengths of the run's instructions, n of them. */
const u8 *run_lens(struct runs *runs, struct run *run);

/* Walks the first 'n' instructions of a run. */
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

/* Step to the next instruction; false behind the last. */
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

/* How many instructions of the run come before the one at 'ip'; false if it has
 * none there (its end counts: the address behind a run that stops short). */
bool run_count_to(struct runs *runs, struct run *run, u64 ip, u32 *n);

/* Find the instruction of 'kind' (an INSN_* that is not a branch) that follows 'skip' others of
 * that kind. '*n': instructions up to and including it; '*ip': its address. False: none. */
bool run_find(struct runs *runs, struct run *run, u8 kind, u32 skip, u32 *n, u64 *ip);

/* Where the direct branch that ends segment 'i' goes. */
static inline u64 run_branch_target(const struct run *run, unsigned int i)
{
	return i + 1u < run->n_segments ? run->rest->segments[i + 1].ip : run_end_ip(run);
}

#endif
