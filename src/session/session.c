/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One order over all queues and records.
 *
 * session_next() is a loop that returns in the middle: 'phase' tells where the last call stopped.
 * A record is read; the queues, the one with the earliest time first, run up to the time of the
 * record; the record takes effect; and so on.
 */

#include <pt/config/GUESTS.h>

#include "session.h"

enum phase {
	READ,		/* the next record */
	START_QUEUES,	/* new buffers were added */
	RUN,		/* queues up to 'until' */
	RUN_TIMELESS,	/* all of the queues of a thread */
	SHOW_LOST,
	SHOW,		/* the record is handed out */
	LAST,		/* no records are left; the queues run to their end */
	ENDED,
};

/* What is left to do with a step of a queue. */
enum stage {
	NOTHING,
	STEP_DUE,	/* the branches that it skipped were handed out */
	STRETCH_DUE,
	EVENT_UNTIMED,	/* the samples of the stretch determine its time */
	EVENT_WAITS,	/* its time is not reached yet */
	EVENT_DUE,
};

enum { AUX_TRUNCATED = 1 };

u64 session_time(const struct session *s, u64 tsc)
{
	return session_has_time(s) ? clock_from_tsc(&s->scale, tsc) : 0;
}

/* One queue */

/* Is the event of a step one at which perf would stop? */
static bool is_event(const struct session *s, const struct step *step)
{
	if (step->what & STEP_NOT_TAKEN)
		return s->options.insns;
	return step->what & ~(STEP_IN_TX | STEP_IPC | STEP_FROM_NR | STEP_TO_NR | STEP_NEW_BUFFER |
			      STEP_AT_FUP);
}

/* Is there a direct branch inside the stretch? */
static bool has_jump(const struct step *step)
{
	return step->run && step->run->n_segments > 1 && step->run->rest->segments[0].n <= step->n;
}

bool session_busy(const struct session *s, const struct step *step)
{
	if (!step->run || !step->n)
		return false;
	if (s->options.insns)
		return step->n > (step->kind != INSN_OTHER);
	return has_jump(step);
}

u64 session_insns(const struct queue *q)
{
	bool due = q->stage == STEP_DUE || q->stage == STRETCH_DUE;

	if (!q->flow)
		return 0;
	return due && q->step.walked ? q->step.first : q->flow->insns;
}

const struct skipped *session_skipped(const struct queue *q, const struct item *now)
{
	return q->skipped.any && (!q->skipped_given || q == now->queue) ? &q->skipped : NULL;
}

/* Is the time of the event another one than the latest time so far? */
static bool has_own_time(const struct queue *q)
{
	const struct step *step = &q->step;
	u64 kernel = 1ULL << 63;

	if (step->what & STEP_GAP || q->switching.estimated)
		return true;
	return !q->session->timeless && (step->from >= kernel || !step->from) && step->to &&
	       step->to < kernel;
}

/* The time of the event, and the time of the queue if that does not depend on sampling. */
static u64 event_time(struct queue *q)
{
	const struct session_options *o = &q->session->options;
	const struct step *step = &q->step;
	u64 tsc;

	if (!is_event(q->session, step))
		return q->tsc;
	tsc = has_own_time(q) ? flow_estimate(q->flow) : MAX(q->tsc, step->tsc);
	if (o->each_insn || !(step->what & STEP_NOT_TAKEN))
		q->tsc = tsc;
	return tsc;
}

static bool memory_is_full(const struct session *s)
{
	return s->runs.n_runs >= RUNS_MOST ||
	       (s->options.mem && s->runs.arena.total >= s->options.mem);
}

/* Forget all runs, except those of steps that wait for their time. */
static COLD void forget_runs(struct session *s)
{
	struct arena old = s->runs.arena;
	u32 i;

	s->runs.arena = (struct arena){ 0 };
	runs_clear(&s->runs);
	for (i = 0; i < s->n_queues; i++) {
		struct queue *q = s->queues[i];

		if (q->flow)
			flow_forget(q->flow);
		if (q->stage != NOTHING && q->step.run)
			q->step.run = runs_copy(&s->runs, q->step.run);
	}
	arena_free(&old);
}

/* Whose code the queue's trace shows: 'nr' says whether a guest runs. */
static struct thread *thread_of(struct queue *q, bool nr)
{
	q->given = 1 + nr;
	bool guest = CONFIG_GUESTS && unlikely(nr) && q->session->guests.any && q->tid != -1;

	return guest ? guest_thread_of(q) : q->thread;
}

/* A branch between a guest and its host belongs to the one that it comes from. */
static struct thread *thread_of_step(struct queue *q)
{
	u32 nr = q->step.from || q->step.n ? STEP_FROM_NR : STEP_TO_NR;

	return thread_of(q, q->step.what & nr);
}

/* Decode the next step. Steps that the caller does not need may be left out up to 'until'. */
static bool decode(struct queue *q, u64 until)
{
	struct session *s = q->session;
	bool got;

	if (memory_is_full(s))
		forget_runs(s);
	q->given = 0;
	got = flow_next(q->flow, &q->step, s->notes, MIN(until, s->to));
	if (q->flow->skipped.any) {
		q->skipped = q->flow->skipped;
		q->skipped_thread = thread_of(q, q->flow->skipped_nr);
		q->skipped_given = false;
	}
	if (!got)
		code_settle(q);
	return got;
}

/* Decode up to the first step that has a time: steps before it cannot be put in order. */
static void start_queue(struct session *s, struct queue *q)
{
	if (!q->first && !q->now)
		return;
	if (!q->flow) {
		queue_start(q);
		queue_begin(q, s->from);
	}
	if (q->on_heap || s->timeless || switch_waits(q))
		return;
	if (q->tsc) {
		heap_add(q, q->tsc);
		return;
	}
	s->fetching = q;
	do {
		if (!decode(q, 0))
			return queue_stop(q);
		if (q->step.what & STEP_NEW_BUFFER && q->now)
			q->trace_nr = q->now->nr;
	} while (q->step.what & STEP_GAP || !is_event(s, &q->step) || !q->step.tsc);
	q->tsc = q->step.tsc;
	q->stage = EVENT_DUE;
	q->switching.due = true;
	heap_add(q, q->tsc);
}

static COLD void start_queues(struct session *s)
{
	u32 i;

	queue_limits(s);
	s->new_buffers = false;
	s->setup.each_insn = s->options.each_insn;
	s->setup.approximate = s->options.approximate;
	if (s->options.stamped && s->pt.pmu_type == PERF_SOFT_PMU)
		s->setup.stamped = ~0ull;
	s->setup.needs = s->options.needs;
	/* If the interrupt flag is known, each branch has it. */
	s->setup.note = s->options.note && !s->pt.cap_event_trace;
	if (s->setup.note && !s->notes)
		s->notes = NEW(&s->arena, struct notes, 1);
	s->runs.no_chains = s->options.mem && s->options.mem < CHAINS_ROOM;
	s->setup.known_gap = code_known_gap;
	s->setup.who = s;
	switch_start(s);
	for (i = 0; i < s->n_queues; i++)
		start_queue(s, s->queues[i]);
}

static int give(struct queue *q, struct item *item, u8 halves, u64 tsc)
{
	*item = (struct item){ .kind = ITEM_STEP, .halves = halves, .queue = q,
			       .thread = thread_of_step(q),
			       .step = &q->step, .tsc_in = q->stretch_tsc, .tsc = tsc };
	if (q->skipped.any) {
		item->skipped = &q->skipped;
		q->skipped_given = true;
	}
	return 1;
}

/* The times are those that run_queue() gives to steps: none is after the limit of the flow, and
 * none before the one of the item before. */
static int give_passed(struct queue *q, struct item *item)
{
	struct notes *notes = q->session->notes;
	bool each = q->session->options.each_insn;
	struct passed *p, *end = notes->runs + notes->n;

	for (p = notes->runs; p < end && p->tsc_in < q->tsc; p++) {
		p->tsc_in = q->tsc;
		p->tsc = MAX(p->tsc, q->tsc);
	}
	for (p = end - 1; p > notes->runs && !(each || p->to || p->run->n_segments > 1);)
		p--;
	if (each || p->to)
		q->tsc = p->tsc;
	else if (p->run->n_segments > 1)
		q->tsc = p->tsc_in;
	give(q, item, STEP_STRETCH | STEP_EVENT, q->tsc);
	item->kind = ITEM_PASSED;
	item->thread = thread_of(q, q->flow->skipped_nr);
	item->runs = notes->runs;
	item->n_runs = notes->n;
	q->passed_breaks = notes->breaks;
	return 1;
}

enum { GIVEN = 1, TIME_IS_UP = 0, RAN_OUT = -1 };

/* Hand out steps of 'q' until its time reaches '*until'; '*until' is then that time. */
static int run_queue(struct queue *q, struct item *item, u64 *until)
{
	struct session *s = q->session;
	const struct step *step = &q->step;
	bool got;
	u8 halves;
	u64 tsc;

	if (q->skipped_given)
		q->skipped.any = q->skipped_given = false;
	for (;;) {
		switch (q->stage) {
		case NOTHING:
			if (unlikely(s->switch_ip) && switch_after(q))
				return RAN_OUT;
			got = decode(q, s->timeless ? ~0ULL : *until);
			if (got)
				q->stage = STEP_DUE;
			if (got && unlikely(s->switch_ip))
				switch_step(q);
			if (s->notes && s->notes->n)
				return give_passed(q, item);
			if (!got)
				return RAN_OUT;
			/* fall through */
		case STEP_DUE:
			q->stage = STRETCH_DUE;
			if (step->what & STEP_NEW_BUFFER && q->now)
				q->trace_nr = q->now->nr;
			q->tsc = MAX(q->tsc, q->flow->skipped_tsc);
			q->stretch_tsc = q->tsc;
			if (!session_busy(s, step))
				continue;
			q->stretch_tsc = MAX(q->tsc, step->tsc_in);
			if (has_jump(step) || s->options.each_insn)
				q->tsc = q->stretch_tsc;
			if (s->timeless || q->stretch_tsc < *until)
				continue;
			*until = q->stretch_tsc;
			return TIME_IS_UP;
		case STRETCH_DUE:
			if (step->n && s->options.insns &&
			    (step->what & STEP_PSB || has_own_time(q))) {
				q->stage = EVENT_UNTIMED;
				return give(q, item, STEP_STRETCH, q->tsc);
			}
			/* fall through */
		case EVENT_UNTIMED:
			halves = STEP_EVENT | (q->stage == EVENT_UNTIMED ? 0 : STEP_STRETCH);
			q->stage = NOTHING;
			tsc = event_time(q);
			if (!is_event(s, step) || s->timeless || step->what & STEP_GAP ||
			    tsc < *until)
				return give(q, item, halves, tsc);
			q->stage = EVENT_WAITS;
			if ((step->n || step->what & STEP_AT_FUP) && halves & STEP_STRETCH)
				return give(q, item, STEP_STRETCH, q->tsc);
			continue;
		case EVENT_WAITS:
			q->stage = EVENT_DUE;
			*until = event_time(q);
			return TIME_IS_UP;
		case EVENT_DUE:
			q->stage = NOTHING;
			return give(q, item, STEP_EVENT, event_time(q));
		}
	}
}

/* Run all queues up to s->until. 1: an item; 0: all of them have reached that time. */
static int run_queues(struct session *s, struct item *item)
{
	int got;

	for (;;) {
		if (!s->running) {
			if (!s->n_heap || s->heap_tsc[0] >= s->until)
				return 0;
			s->running = heap_pop(s);
			s->running_until = s->until;
			if (s->n_heap && s->heap_tsc[0] + 1 < s->until)
				s->running_until = s->heap_tsc[0] + 1;
			queue_find_thread(s->running);
		}
		got = run_queue(s->running, item, &s->running_until);
		if (got == GIVEN)
			return 1;
		if (got == TIME_IS_UP)
			heap_add(s->running, s->running_until);
		else
			s->running->on_heap = false;
		s->running = NULL;
	}
}

static int run_timeless(struct session *s, struct item *item)
{
	u64 never = ~0ULL;
	struct queue *q;

	for (; s->timeless_next < s->n_queues; s->timeless_next++, s->running = NULL) {
		q = s->queues[s->timeless_next];
		if (!q->flow || (s->timeless_tid != -1 && q->tid != s->timeless_tid))
			continue;
		if (!s->running) {
			queue_find_thread(q);
			s->running = q;
		}
		if (run_queue(q, item, &never) == GIVEN)
			return 1;
	}
	s->running = NULL;
	return 0;
}

/* The loop */

static bool has_trace(const struct session *s)
{
	return s->have_pt && !s->options.no_decode;
}

static int read_record(struct session *s)
{
	int err = s->source->next(s);

	if (err < 0)
		return err;
	if (!err) {
		s->until = ~0ULL;
		s->timeless_tid = -1;
		s->timeless_next = 0;
		s->phase = LAST;
		switch_records_end(s);
		if (has_trace(s) && s->new_buffers)
			start_queues(s);
		return 0;
	}
	s->phase = SHOW;
	if (s->record.type == PERF_AUXTRACE_INFO)
		return setup_take(s, &s->record);
	if (s->record.type == PERF_HEADER_FEATURE)
		open_know_machine(s);
	if (s->record.type == PERF_AUXTRACE && !s->all_buffers && has_trace(s))
		return queue_add_record(s, &s->record);
	if (s->have_pt && (s->record.type < 64 ||
			   (s->record.type == PERF_FINISHED_ROUND && s->options.live)))
		s->phase = START_QUEUES;
	return 0;
}

/* Do what has to be done before the record. */
static void before_record(struct session *s)
{
	u64 time = s->sample.time;

	s->until = time && time != ~0ULL ? clock_to_tsc(&s->scale, time) : 0;
	if (s->record.type == PERF_FINISHED_ROUND) {
		/* Records are held back for a round. This record is earlier than those of the
		 * last round, whose predecessors were handed out already. */
		s->until = s->barrier;
		s->barrier = s->next_barrier;
		s->next_barrier = s->round;
	}
	s->phase = SHOW_LOST;
	if (s->options.no_decode)
		return;
	if ((s->until || s->timeless) && s->new_buffers)
		start_queues(s);
	if (s->timeless && s->record.type == (s->in_samples ? PERF_SAMPLE : PERF_EXIT)) {
		struct perf_task task = { .tid = -1 };

		if (!s->in_samples && !perf_get_task(&s->record, &task))
			return;
		s->timeless_tid = task.tid;
		s->timeless_next = 0;
		s->phase = RUN_TIMELESS;
	} else if (!s->timeless && s->until) {
		s->phase = RUN;
	}
}

static int show_lost(struct session *s, struct item *item)
{
	struct perf_aux aux;

	s->phase = SHOW;
	if (s->record.type == PERF_AUX && perf_get_aux(&s->record, &aux) &&
	    aux.flags & AUX_TRUNCATED) {
		*item = (struct item){ .kind = ITEM_LOST,
				       .record = &s->record,
				       .sample = &s->sample };
		return 1;
	}
	return 0;
}

static int show(struct session *s, struct item *item)
{
	if (s->have_pt)
		sideband_switch(s, &s->record, &s->sample);
	sideband_apply(s, &s->record, &s->sample);
	*item = (struct item){ .kind = ITEM_RECORD, .record = &s->record, .sample = &s->sample };
	s->phase = READ;
	return 1;
}

int session_next(struct session *s, struct item *item)
{
	int err = 0;

	if (unlikely(item->sampled))
		item->queue->tsc = MAX(item->queue->tsc, item->sampled);
	if (s->to && unlikely(s->until > s->to) && queue_all_past(s))
		return 0;
	for (;;) {
		switch (s->phase) {
		case READ:
			err = read_record(s);
			break;
		case START_QUEUES:
			before_record(s);
			err = 0;
			break;
		case RUN:
			err = run_queues(s, item);
			if (!err)
				s->phase = SHOW_LOST;
			break;
		case RUN_TIMELESS:
			err = run_timeless(s, item);
			if (!err)
				s->phase = SHOW_LOST;
			break;
		case SHOW_LOST:
			err = show_lost(s, item);
			break;
		case SHOW:
			return show(s, item);
		case LAST:
			if (has_trace(s))
				err = s->timeless ? run_timeless(s, item) : run_queues(s, item);
			if (!err)
				s->phase = ENDED;
			break;
		case ENDED:
			return 0;
		}
		if (err)
			return err;
	}
}

void session_passed_begin(const struct item *passed, struct step *step, struct item *item)
{
	*step = (struct step){ .walked = true, .breaks = passed->queue->passed_breaks };
	*item = *passed;
	item->kind = ITEM_STEP;
	item->step = step;
	item->skipped = NULL;
}

bool session_passed(const struct item *passed, u32 i, struct step *step, struct item *item)
{
	const struct passed *p = &passed->runs[i];

	if (i >= passed->n_runs)
		return false;
	step->run = p->run;
	step->n = p->run->n;
	step->first = p->first;
	step->insns = p->first + p->run->n;
	step->walk_tsc = p->at;
	step->from = run_end_ip(p->run);
	step->to = passed_to(p);
	step->kind = p->run->end;
	step->len = p->run->end_len;
	step->what = p->to ? STEP_BRANCH : STEP_NOT_TAKEN;
	item->tsc_in = p->tsc_in;
	item->tsc = p->tsc;
	return true;
}
