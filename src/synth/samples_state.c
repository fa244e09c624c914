/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A digest of all state that later samples depend on, so that -j can start in the middle.
 */
#include <pt/digest.h>
#include <pt/part.h>
#include "sampler.h"

/* The sampler of queue 'i', and into '*before' its instructions before 'item'. NULL if the queue
 * has no trace. */
static struct sampler *sampler_at(struct samples *s, u32 i, const struct item *item, u64 *before)
{
	const struct queue *queue = s->session->queues[i];

	if (!session_decodes(queue))
		return NULL;
	*before = queue == item->queue ? insns_before(item) : session_insns(queue);
	return samples_sampler(s, queue);
}

void samples_begin(struct samples *s, const struct item *item, const u64 *insns)
{
	const struct skipped *last;
	struct sampler *q;
	u64 before;
	u32 i;

	for (i = 0; i < s->session->n_queues; i++) {
		q = sampler_at(s, i, item, &before);
		if (!q)
			continue;
		last = session_skipped(s->session->queues[i], item);
		if (last)
			take_skipped(q, last, s->session->queues[i]->skipped_thread);
		q->seen = before;
		q->period_insns = insns ? insns[i] : 0;
		q->insns_at_sample = before - q->period_insns;
	}
}

void samples_insns(struct samples *s, const struct item *item, u64 *insns)
{
	struct sampler *q;
	u64 before;
	u32 i;

	for (i = 0; i < s->session->n_queues; i++) {
		q = sampler_at(s, i, item, &before);
		if (q)
			insns[i] = q->seen == ~0ULL ? 0 :
				   (q->period_insns + before - q->seen) % s->itrace.period;
	}
}

#define Q(name) FIELD(sampler, name)

static const struct field of_all[] = { Q(cbr_seen), Q(insn_due) },
	of_insn[] = { Q(kind), Q(len) },
	of_periods[] = { Q(period_insns), Q(last_masked), Q(continuous), Q(ahead), Q(ahead_since) };

/* The digest of one queue. State that the options do not use is not kept up to date, and therefore
 * not included. */
static u64 sampler_state(const struct samples *s, const struct queue *queue,
			 const struct item *item, u64 h, bool cycles, bool periods, bool code)
{
	const struct sampler *q = s->samplers[queue->index];
	struct flow_totals now = part_totals(queue);

	h = digest_fields(h, q, of_all, N_ELEM(of_all));
	if (!session_skipped(queue, item)) {
		h = digest_fields(h, q, of_insn, N_ELEM(of_insn));
		/* An idle CPU does not set this for a long time. */
		if (code && q->len)
			h = digest(digest(h, q->ip), q->thread ? q->thread->tid : -1);
	}
	if (periods) {
		h = digest_fields(h, q, of_periods, N_ELEM(of_periods));
		h = digest(h, now.insns - q->insns_at_sample);
		if (q->period_ticks)
			h = digest(h, now.breaks == q->breaks);
	}
	if (cycles) {
		h = digest(h, now.cycles - q->cycles);
		h = digest(h, q->exact > now.cycles ? q->exact - now.cycles : 0);
		if (s->itrace.branches)
			h = digest(digest(h, now.insns - q->branch_insns),
				   now.cycles - q->branch_cycles);
		if (s->itrace.instructions)
			h = digest(digest(h, now.insns - q->insn_insns),
				   now.cycles - q->insn_cycles);
	}
	return h;
}

u64 samples_state(const struct samples *s, const struct item *item, u64 h, bool cycles,
		  bool periods, bool code)
{
	u32 i;

	for (i = 0; i < s->n_samplers; i++)
		if (s->samplers[i])
			h = sampler_state(s, s->session->queues[i], item, h, cycles, periods, code);
	return h;
}
