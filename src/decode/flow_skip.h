/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is at hand while skipping: flow_skip.c, flow_chain.c.
 */
#ifndef FLOW_SKIP_H
#define FLOW_SKIP_H

#include "flow.h"

/* The rest stays in struct flow. */
struct skip {
	struct flow *f;
	const u8 *at, *end;	/* trace; 'end' is where packets may not be whole */
	struct run *run;	/* NULL: not looked up yet */
	struct run *last;	/* the last one left behind */
	u64 insns;
	struct passed *note, *full;	/* where the next goes, if at all */
	/* TNTs in a row are taken at once, 7 % of a short trace's decode: so many before 'at',
	 * behind the first. */
	bool several;
	u32 behind;
	bool stop_at;		/* steps are wanted of conditional branches that are taken */
	u32 fresh;		/* results of the packet at hand, while none was used */
	/* Time by cycles is made up for later, as long as it is not near: f->clock and what
	 * was taken from it are behind while 'late'. */
	bool late;
	u8 unmeasured;		/* clock_measure() is due: what stands for an MTC before it, or 0 */
	u64 cyc_stop;		/* clock.cyc_n has to stay below */
	/* clock.cyc_n at skip_set_time(), and there at the last taken branch, if 'late' then. */
	u64 step_cyc, taken_cyc;
};

/* What of 'quick' says how to go on. */
static inline u8 way(const struct run *r)
{
	return r->quick & ~QUICK_HEEDED;
}

/* As complete() does behind a step. */
static inline void skip_set_time(struct skip *k, bool cycles, bool taken)
{
	struct flow *f = k->f;

	if (taken) {
		f->skipped_tsc = f->clock.tsc;
		k->taken_cyc = f->clock.cyc_n;
	}
	f->step_tsc = f->clock.tsc;
	k->step_cyc = f->clock.cyc_n;
	f->step_insns = f->insns_at_time;
	if ((cycles && f->clock.cycles_new) || f->setup.approximate)
		f->step_cycles = f->clock.cycles;
	f->clock.cycles_new = false;
}

/* With a threshold for CYCs only what stands straight behind one is exact. */
static inline void skip_heed_threshold(struct flow *f)
{
	if (f->setup.cyc_threshold && f->pkt.kind != PACKET_CYC)
		f->clock.cycles_new = false;
}

/* To where nobody has returned yet. */
static inline void skip_go_back(struct flow *f, const struct ret *ret)
{
	f->ip = ret->ip;
	f->link = NULL;
	f->back = ret->call;
}

/* The run at f->ip, to k->run. */
void skip_look_up(struct skip *k);

/* Go over branches that nobody heeds, and CYCs, at k->at, by what was learned of them. Stops
 * at any other packet, and where something is to be learned first; results of the
 * packet before may be left in f->tnt then. */
void skip_chains(struct skip *k);

#endif
