/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What samples.c and samples_state.c share.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <pt/samples.h>

/* What is kept for each queue from step to step. */
struct sampler {
	u64 insns_at_sample;	/* of the last instruction sample */
	u64 period_insns;	/* since then, up to ... */
	u64 seen;		/* ... when so many were executed; ~0: nothing yet */
	u64 period_mask, period_ticks, last_masked;
	bool continuous;
	u32 breaks;
	u32 cbr_seen;
	u8 kind, len;		/* of the last instruction walked */
	bool insn_due;		/* the instruction that ends the stretch is to be sampled */
	u64 ip;
	struct thread *thread;
	u64 cycles;		/* at the last step ... */
	u64 exact;		/* ... or as new_cycles of a later one that was sampled */
	u64 branch_insns, branch_cycles, insn_insns, insn_cycles;	/* at the last sample */
};

/* That of a queue, made if there is none. */
struct sampler *samples_sampler(struct samples *s, const struct queue *queue);

/* The cycles counted at a step that says 'cycles'. */
static inline u64 cycles_at(const struct sampler *q, u64 cycles)
{
	return MAX(cycles, q->exact);
}

/* The last branch was 'last', of 't', and there was no step of it. */
static inline void take_skipped(struct sampler *q, const struct skipped *last, struct thread *t)
{
	q->kind = last->kind;
	q->len = last->len;
	q->ip = last->ip;
	q->thread = t;
	q->cycles = cycles_at(q, last->cycles);
}

/* How many instructions were executed before what the item tells of. */
static inline u64 insns_before(const struct item *item)
{
	const struct step *step = item->step;

	return item->halves & STEP_STRETCH && step->walked ? step->first : step->insns;
}

#endif
