/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of skipping: flow_skip.c, flow_chain.c, flow_skip_time.c, which call each other in
 * this order.
 */
#ifndef FLOW_SKIP_H
#define FLOW_SKIP_H

#include "flow.h"

/* All other state stays in struct flow. */
struct skip {
	struct flow *f;
	const u8 *at, *end;	/* trace; after 'end' packets may not be whole */
	struct run *run;	/* NULL: not looked up yet */
	struct run *last;	/* the last run that was passed */
	u64 insns;
	struct passed *note, *full;	/* where the next note goes, if there is any */
	/* Several TNTs in a row are taken at once (7 % of the decoding time of a short trace):
	 * how many of them lie before 'at', after the first. */
	bool several;
	u32 n_more;
	bool stop_at;		/* the caller needs steps of taken conditional branches */
	u32 fresh;		/* results of the current packet, while none was used */
	/* Time by cycles is computed later, as long as it is far from 'until': while 'late',
	 * f->clock and the values taken from it are not up to date. */
	bool late;
	u8 unmeasured;		/* clock_measure() is due: the kind of the packet before the MTC,
				 * or 0 */
	u64 cyc_stop;		/* clock.cyc_n must stay below this */
	/* clock.cyc_n at skip_set_time(), and at the last taken branch, if 'late' was set there. */
	u64 step_cyc, taken_cyc;
};

/* The bits of 'quick' that say how to go on. */
static inline u8 way(const struct run *r)
{
	return r->quick & ~QUICK_NEEDED;
}

/* As complete() does after a step. */
static inline void skip_set_time(struct skip *k, bool cycles, bool taken)
{
	struct flow *f = k->f;

	if (taken) {
		f->skipped_tsc = f->clock.tsc;
		k->taken_cyc = f->clock.cyc_n;
	}
	f->arch.step_tsc = f->clock.tsc;
	k->step_cyc = f->clock.cyc_n;
	f->step_insns = f->insns_at_time;
	if ((cycles && f->clock.cycles_new) || f->setup.approximate)
		f->step_cycles = f->clock.cycles;
	f->clock.cycles_new = false;
}

/* With a threshold for CYCs, only the branch directly after one is exact. */
static inline void skip_apply_threshold(struct flow *f)
{
	if (f->setup.cyc_threshold && f->pkt.kind != PACKET_CYC)
		f->clock.cycles_new = false;
}

/* Go to the target of a return for the first time. */
static inline void skip_go_back(struct flow *f, const struct ret *ret)
{
	f->arch.ip = ret->ip;
	f->link = NULL;
	f->back = ret->call;
}

/* If the clock is ahead of the next PSB's time, which happens with CYCs, the time of that PSB
 * depends on when the last branch was taken. Jumps on the way count, unless they are steps or
 * noted. */
static inline bool skip_needs_jumps(const struct flow *f)
{
	return f->clock.have_cyc && f->setup.needs && !(f->setup.needs & NEED_JUMPS);
}

/* The trace before 'at' is read. */
static inline void skip_sync_in(struct skip *k, const u8 *at)
{
	struct packets *in = &k->f->in;
	size_t n = at - in->rest.at;

	in->rest.at += n;
	in->rest.len -= n;
	in->off += n;
}

/* May time have advanced, without having reached 'until'? */
static inline bool skip_is_early(struct skip *k)
{
	struct flow *f = k->f;

	if (f->clock_updates != f->clock.updates) {
		f->clock_updates = f->clock.updates;
		f->insns_at_time = k->insns;
	}
	return f->clock.tsc < f->until;
}

/* flow_skip_time.c: set k->cyc_stop; bring the flow up to date with what '*k' has counted. */
void skip_set_stop(struct skip *k);
void skip_catch_up(struct skip *k);

/* A timing packet at k->at. False if it is not handled here, or time is up. */
bool skip_time(struct skip *k);

/* Skip branches that the caller does not need, CYCs and MTCs, at k->at, with the chains learned so
 * far. Stops at any other packet, and where something has to be learned first; results of the
 * packet before may then be left in f->arch.tnt. False if skip_time() said to stop. */
bool skip_chains(struct skip *k);

#endif
