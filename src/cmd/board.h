/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script -j: what the processes know of each other.
 */
#ifndef BOARD_H
#define BOARD_H

#include <sys/types.h>

#include <pt/base.h>

enum {
	MARKS = 8,
	STACKS = 4 << 20,	/* bytes of call stacks that are handed over */
	KEPT = 16 << 20,	/* bytes of lines: so many can wait ... */
	MANY = 2 << 20,		/* ... and so many should */
	LONG = 8,		/* so many times as long a segment may be, to end at a PSB */
};

enum slot_state {
	FREE,
	ON_THE_WAY,	/* to the begin of its segment */
	BEGUN,
	NOT_FOUND,	/* it did not come by there */
	REFUSED,	/* somebody else does its segment */
};

/* What was the state at a PSB at the begin of a segment, with what was kept before it. */
struct mark { u64 at, state, kept, gaps; };

/* What a process is at: [start, end) of the trace. */
struct slot {
	u64 start, end;
	u32 state;
	pid_t pid;
	bool counted;
	u64 *insns;		/* of each queue: executed up to the segment since its last
				 * sample, if they are counted */
	u32 n;			/* marks; MARKS: there will be no more */
	struct mark marks[MARKS];
};

/* Shared by all. Only the owner of 'lock' looks at it, but for words that are only read
 * to see whether anything changed. */
struct board {
	u32 lock;
	u32 changes;		/* a futex */
	u32 n_waiting;		/* for it */
	u32 truth;		/* who has it ... */
	u32 from;		/* ... since which of its marks */
	u32 over;		/* all lines are out */
	u32 n;
	u64 next, size;		/* where the next segment begins, and how long it is to be */
	u64 gaps, lines;
	u32 passed;		/* see struct listing */
	bool counted;		/* to the end of the trace */
	int status, err;
	u32 said[64];		/* hashes of warnings */
	/* What the truth knows of calls: all entries of stacks, the width of the column. */
	u32 n_calls, forks;
	int spacing;
	void *calls;		/* STACKS bytes */
	u32 n_holes;
	u8 holes[4096];		/* see part_put_holes() */
	bool missing[4096];	/* by dso->index: its code was wanted */
	struct slot slots[];
};

struct parallel {
	struct board *board;
	u32 me;
	struct slot *slot;	/* mine */
	struct out *out;
	char *kept;		/* a buffer for lines that may have to wait */
	u64 before;		/* where to begin: so far before the segment */
	bool fine;		/* segments need not begin at a PSB */
	bool seeks;
	bool settles, counts;	/* samples of each so many instructions can begin anywhere,
				 * if they are counted, by a process of its own */
	u32 n_unsaid;
	char unsaid[2048];	/* warnings, each with its NUL, to be said with the lines */
};

/* To look at the board, and to have changed it. A process that has died ends all. */
void board_lock(struct parallel *p);
void board_unlock(struct parallel *p);

/* Until something on the board changes, which is locked before and after. */
void board_wait(struct parallel *p);

bool board_has_truth(const struct parallel *p);

/* Is what the process is at of no use to anybody? */
bool board_in_vain(const struct parallel *p);

#endif
