/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script -j: the memory that its processes share.
 */
#ifndef BOARD_H
#define BOARD_H

#include <sys/types.h>

#include <pt/image.h>

enum {
	MARKS = 8,
	DSOS = 4096,
	KEPT = 16 << 20,	/* bytes of lines that can wait */
	MANY = 5 << 20,		/* bytes of lines that a segment should give */
	LONG = 8,		/* a segment may be this many times longer, to end at a PSB */
};

enum slot_state {
	FREE,
	ON_THE_WAY,	/* to the start of its segment */
	BEGUN,
	NOT_FOUND,	/* it did not pass that place */
	REFUSED,	/* another process decodes its segment */
};

/* The digest of the state at one place at the start of a segment, and what was kept before it. */
struct mark { u64 at, state, kept, gaps; };

/* The segment of a process: [start, end) of the trace. */
struct slot {
	u64 start, end;
	u32 state;
	pid_t pid;
	bool counted;
	u64 *insns;		/* by queue: instructions from its last sample to the start of
				 * the segment, if they are counted */
	u32 n;			/* number of marks; MARKS: no more will come */
	struct mark marks[MARKS];
};

/* Shared by all processes. Only the holder of 'lock' may access it; 'changes' may also be read
 * without the lock. */
struct board {
	u32 lock;
	u32 changes;		/* a futex */
	u32 n_waiting;		/* processes that wait for 'changes' */
	u32 truth;		/* the process that holds the truth ... */
	u32 from;		/* ... and the mark at which it got it */
	u32 over;		/* all lines are written */
	u32 n;
	u64 next, size;		/* start and intended length of the next segment */
	u64 gaps, lines;
	u32 passed;		/* see struct listing */
	bool counted;		/* to the end of the trace */
	int status, err;
	u32 said[64];		/* hashes of warnings */
	u32 n_dso_gaps;
	u8 dso_gaps[4096];		/* see part_put_gaps() */
	struct dso_lost lost[DSOS];	/* by dso->index */
	struct slot slots[];
};

struct parallel {
	struct board *board;
	u32 me;
	struct slot *slot;	/* of this process */
	struct out *out;
	char *kept;		/* a buffer for waiting lines */
	struct dso_lost (*lost)[DSOS];	/* what was lost up to each mark */
	u64 before;		/* start to decode this many bytes before the segment */
	bool fine;		/* segments need not begin at a PSB */
	bool seeks;
	bool settles, counts;	/* every Nth instruction is sampled: a segment can begin
				 * anywhere if a further process counts instructions */
	u32 n_unsaid;
	char unsaid[2048];	/* warnings, each with its NUL, to print with the lines */
};

/* Lock the board; unlock it and wake waiters. If a process has died, all end here. */
void board_lock(struct parallel *p);
void board_unlock(struct parallel *p);

/* Wait until the board changes. It is locked before and after. */
void board_wait(struct parallel *p);

bool board_has_truth(const struct parallel *p);

/* Has this process's segment become useless? */
bool board_in_vain(const struct parallel *p);

#endif
