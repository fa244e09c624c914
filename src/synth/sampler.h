/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of samples.c that samples_state.c also reads.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <pt/samples.h>

/* The state of one queue between steps. */
struct sampler {
	u64 insns_at_sample;	/* of the last instruction sample */
	u64 period_insns;	/* instructions since then, up to 'seen' */
	u64 seen;		/* instructions of the queue so far; ~0: no step yet */
	u64 period_mask, period_ticks, last_masked;
	bool continuous;
	bool began;		/* tracing began again since the last sample */
	u32 breaks;
	u64 periods;		/* for which the last sample stands */
	u64 ahead_since;	/* see samples_ahead(): the period in which a sample was due */
	u32 ahead;		/* 0: none is due */
	u32 cbr_seen;
	u8 kind, len;		/* of the last instruction walked */
	bool insn_due;		/* the instruction that ends the stretch becomes a sample */
	u64 ip;
	struct thread *thread;
	u64 cycles;		/* at the last step ... */
	u64 exact;		/* ... or new_cycles of a later step that was sampled */
	u64 branch_insns, branch_cycles, insn_insns, insn_cycles;	/* at the last sample */
};

/* The sampler of 'queue'. It is allocated at the first call, from the session's arena. */
struct sampler *samples_sampler(struct samples *s, const struct queue *queue);

/* If time passes only where packets say so, then a sample is due at a packet, and more packets are
 * where there are more branches. The sample is therefore of an instruction further ahead, by a
 * distance that is chosen at random, in units of insn_cost(): of an instruction that takes long,
 * with a greater chance. It is not further than the next packet at which a sample is due; 'period'
 * is that of the time now.
 *
 * Returns the number of instructions up to and including this one. If the stretch ends before it,
 * this is more than the stretch has. */
u64 samples_ahead(const struct samples *s, u64 period);

/* The cycles at a step with 'cycles', unless a sample has already used more. */
static inline u64 cycles_at(const struct sampler *q, u64 cycles)
{
	return MAX(cycles, q->exact);
}

/* The flow skipped the branch 'last' of thread 't', since no sample needs it. Take it as the last
 * instruction. */
static inline void take_skipped(struct sampler *q, const struct skipped *last, struct thread *t)
{
	q->kind = last->kind;
	q->len = last->len;
	q->ip = last->ip;
	q->thread = t;
	q->cycles = cycles_at(q, last->cycles);
}

/* The number of instructions that the queue executed before 'item'. */
static inline u64 insns_before(const struct item *item)
{
	const struct step *step = item->step;

	return item->halves & STEP_STRETCH && step->walked ? step->first : step->insns;
}

#endif
