/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Start of decoding in the middle of a trace.
 *
 * A PSB gives nearly all of the state. The rest soon becomes the same as that of a decoder that
 * started at the beginning; part_state() shows when it is.
 */
#include <pt/digest.h>
#include <pt/flow_state.h>
#include <pt/part.h>

#include "session.h"

static u64 trace_of(const struct queue *q)
{
	const struct buffer *b;
	u64 size = q->now ? q->now->size : 0;

	for (b = q->first; b; b = b->next)
		size += b->size;
	return size;
}

struct queue *part_queue(const struct session *s, u64 *size)
{
	struct queue *largest = NULL;
	u32 i;

	*size = 0;
	if (s->streamed || (s->source->threads && !s->all_buffers))
		return NULL;
	for (i = 0; i < s->n_queues; i++) {
		u64 here = trace_of(s->queues[i]);

		if (here <= *size)
			continue;
		*size = here;
		largest = s->queues[i];
	}
	return largest;
}

bool part_seeks(const struct session *s)
{
	u32 i, n = 0;

	for (i = 0; i < s->n_queues; i++)
		n += trace_of(s->queues[i]) > 0;
	return (n == 1 || !s->timeless) && !s->pt.snapshot && !s->in_samples;
}

void part_mutable(struct session *s)
{
	s->options.mutable |= s->setup.needs == NEED_ALL;
	s->runs.noted |= s->options.mutable;
}

u32 part_put_gaps(const struct session *s, u8 *to, u32 max)
{
	u32 n = MIN(s->n_dso_state, max);

	if (n)
		memcpy(to, s->dso_state, n);
	return n;
}

void part_take_gaps(struct session *s, const u8 *from, u32 n)
{
	if (n > s->n_dso_state)
		s->dso_state = arena_grow(&s->arena, s->dso_state, 1, s->n_dso_state, n);
	s->n_dso_state = MAX(s->n_dso_state, n);
	if (n)
		memcpy(s->dso_state, from, n);
}

void part_lost(struct session *s, struct dso_lost *to, u32 max)
{
	const struct dso *dso;
	u32 i;

	for (i = 0; i < s->n_queues; i++)
		if (s->queues[i]->flow)
			code_settle(s->queues[i]);
	for (dso = s->images.dsos; dso; dso = dso->next)
		if (dso->index < max)
			to[dso->index] = dso->lost;
}

u64 part_psb(const struct queue *q, u64 off, u64 len)
{
	const struct buffer *b = q->now ? q->now : q->first;
	u64 at = off - q->base;
	u8 look[64 << 10];
	size_t psb;
	long n;

	for (; b && at >= b->size; b = b->next)
		at -= b->size;
	if (!b)
		return 0;
	n = MIN(MIN(b->size - at, len), sizeof(look));
	n = MAX(q->session->source->read_at(q->session, b->off + at, look, n), 0L);
	psb = sync_find((struct bytes){ look, n });
	return psb < (size_t)n ? off + psb : 0;
}

void part_seek(struct session *s, struct queue *q, u64 off)
{
	u64 tsc;
	u32 i;

	queue_seek(q, off);
	for (i = 0; i < s->n_queues && s->switch_ip; i++)
		switch_jump(s->queues[i]);
	tsc = queue_psb_tsc(q);
	for (i = 0; i < s->n_queues && tsc; i++)
		if (s->queues[i] != q && s->queues[i]->flow)
			queue_seek_time(s->queues[i], tsc);
}

u64 part_place(const struct queue *q)
{
	return flow_state_place(q->flow);
}

void part_stop(struct queue *q, u64 off)
{
	if (q->flow)
		flow_stop(q->flow, off);
}

bool part_stopped(const struct item *item)
{
	return item->step->what & STEP_BRANCH && flow_state_stopped(item->queue->flow);
}

void part_mute(struct session *s, bool mute)
{
	u32 i, needs = mute ? NEED_TIME : s->setup.needs;

	for (i = 0; i < s->n_queues && s->runs.noted && s->options.mutable; i++) {
		struct flow *f = s->queues[i]->flow;

		if (f && f->setup.needs != needs)
			flow_need(f, needs, s->setup.note && !mute);
	}
}

#define Q(name) FIELD(queue, name)
#define S(name) FIELD(session, name)

static const struct field of_queue[] = {
	Q(cpu), Q(queue_tid), Q(now_cpu), Q(pid), Q(tid), Q(tsc), Q(trace_nr), Q(set), Q(on_heap),
	Q(stage), Q(step.n), Q(step.what), Q(step.from), Q(step.to), Q(step.kind),
	Q(step.len), Q(step.gap), Q(step.walked), Q(step.in_tx), Q(step.walk_tsc),
	Q(step.walk_insns), Q(step.tsc_in), Q(step.tsc), Q(switching),
}, of_session[] = {
	S(record.part), S(record.off), S(until), S(running_until), S(phase), S(timeless_next),
	S(timeless_tid), S(n_heap),
};

static u64 queue_state(const struct queue *q, const struct item *item, u64 h, bool cycles)
{
	const struct skipped *last = session_skipped(q, item);
	const struct step *step = &q->step;

	h = flow_state(q->flow, h, cycles);
	if (!h)
		return 0;
	h = digest_fields(h, q, of_queue, N_ELEM(of_queue));
	h = digest(h, q->thread ? q->thread->born : ~0U);
	if (last) {
		h = digest(h, last->ip + ((u64)last->kind << 56) + ((u64)last->len << 48));
		h = digest(h, q->skipped_thread ? q->skipped_thread->tid : -1);
	}
	h = digest(h, step->run ? step->run->ip : 0);
	if (session_busy(q->session, step))
		h = digest(h, q->stretch_tsc);
	if (step->what & STEP_PSB)
		h = digest(h, q->values->psb_off);
	return flow_state_since(q->flow, step, h, cycles);
}

struct flow_totals part_totals(const struct queue *q)
{
	return flow_state_totals(q->flow);
}

u64 part_state(const struct session *s, const struct item *item, u64 h, bool cycles)
{
	u32 i;

	h = digest_fields(h, s, of_session, N_ELEM(of_session));
	h = digest(digest(h, item->halves), item->tsc);
	h = digest(digest(h, item->queue->index), s->running ? s->running->index : ~0U);
	h = digest_bytes(h, s->heap, s->n_heap * sizeof(*s->heap));
	h = digest_bytes(h, s->heap_tsc, s->n_heap * sizeof(*s->heap_tsc));
	for (i = 0; i < s->n_dso_state; i++)
		if (s->dso_state[i])
			h = digest(h, (u64)i << 8 | s->dso_state[i]);
	for (i = 0; i < s->n_queues && h; i++)
		if (s->queues[i]->flow)
			h = queue_state(s->queues[i], item, h, cycles);
	return h;
}
