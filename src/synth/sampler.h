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
	u64 cycles;		/* at the last step */
	u64 branch_insns, branch_cycles, insn_insns, insn_cycles;	/* at the last sample */
};

/* That of a queue, made if there is none. */
struct sampler *samples_sampler(struct samples *s, const struct queue *queue);

/* Branches that were no steps are as if they had come. */
static inline void take_skipped(struct sampler *q, const struct queue *queue)
{
	struct skipped *last = &queue->flow->skipped;

	if (!last->any)
		return;
	last->any = false;
	q->kind = last->kind;
	q->len = last->len;
	q->ip = last->ip;
	q->thread = queue->skipped_thread;
	q->cycles = last->cycles;
}

/* How many instructions were executed before what the item tells of. */
static inline u64 insns_before(const struct item *item)
{
	const struct step *step = item->step;

	return item->halves & STEP_STRETCH && step->walked ? step->first : step->insns;
}

#endif
