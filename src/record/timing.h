/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time of a trace that no processor wrote: the TSC is read now and then, time between two
 * readings is shared out over the work that was done between them, and packets tell it.
 *
 *	read     t0                                              t1
 *	work     0 ......... w1 .............. w2 .............. work
 *	told     TSC         MTC at t0 + w1's  MTC at t0 + w2's
 *	                     share of t1 - t0  share
 *
 * So a sampler that takes an instruction every so often takes them where the program did its
 * work, not where the recorder stopped it.
 */
#ifndef RECORD_TIMING_H
#define RECORD_TIMING_H

#include <pt/base.h>

/* What the time packets of a recording are made by. */
struct emit_clock {
	u64 config;		/* bits of enum pt_config */
	u32 ctc_n, ctc_d;	/* TSC ticks per tick of the crystal's counter */
	u8 cbr;
};

/* What a stream of packets has said of the time so far. */
struct timing {
	const struct emit_clock *clock;
	u64 mtc;		/* MTC periods, as last said by TSC or MTC */
	u64 tsc;		/* as last said */
	u64 cyc;		/* TSC ticks at the last CYC */
	bool timed;		/* some TSC was said */
};

/* An instruction is one unit of work. An indirect jump or call is some more, of what it leads
 * to: that is mostly not fetched yet. So the parts of a sort with a comparison function come
 * within 6 points of perf record -e cpu-clock, where they were 14 off. */
enum { TIMING_INDIRECT = 3 };

/* The work between two places where MTC, or CYC, may tell the time, on average. */
enum { TIMING_WORK = 1024, TIMING_WORK_CYC = 64 };

/* How much work to do before the next such place. It varies, so that no loop has it always
 * at the same instruction; '*seed' is kept by the caller. */
u64 timing_step(const struct emit_clock *c, u32 *seed);

/* The time when 'done' of 'work' units were done, which took from 'start' to 'end'. */
u64 timing_share(u64 start, u64 end, u64 done, u64 work);

/* Packets that say 'tsc', which must not go back, in the TIMING_MOST bytes at 'to'; return how
 * many bytes they take, 0 if nothing can or needs to be said.
 * exact: TSC, and TMA where there are MTCs.
 * near: MTC, or TSC where that is not clear or MTCs were not asked for.
 * cycles: CYC. */
enum { TIMING_MOST = 32 };
u32 timing_exact(struct timing *t, u64 tsc, u8 *to);
u32 timing_near(struct timing *t, u64 tsc, u8 *to);
u32 timing_cycles(struct timing *t, u64 tsc, u8 *to);

#endif
