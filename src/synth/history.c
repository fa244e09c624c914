/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries to the last branches and the open calls of each thread.
 *
 * The kernel enters a signal's handler without a call: tracing ends at one place and goes on at
 * another. What was interrupted is kept beside the calls, until tracing goes on there.
 */
#include <pt/history.h>

enum { FIRST_ROOM = 64 };

void history_setup(struct history *h, struct listing *l)
{
	h->list = l;
	l->itrace = (struct itrace){ .branches = true, .errors = true };
	l->use_calls = l->takes_runs = true;
}

static struct history_thread *thread_of(struct history *h, struct thread *thread, i32 cpu)
{
	struct arena *arena = &h->list->session.arena;
	u64 hash = hash_mix(1, (uintptr_t)thread);
	struct history_thread *t = h->now;
	struct hashed *in;

	if (likely(t && t->thread == thread))
		return t;
	for (in = hash_first(&h->threads, hash); in; in = in->next) {
		t = (struct history_thread *)in;
		if (t->thread == thread)
			return h->now = t;
	}
	t = NEW(arena, struct history_thread, 1);
	t->in.hash = hash;
	t->thread = thread;
	t->calls = calls_of(arena, thread, cpu);
	hash_put(arena, &h->threads, &t->in);
	*(h->newest ? &h->newest->next : &h->first) = t;
	h->newest = t;
	return h->now = t;
}

static COLD void grow(struct history *h, struct history_thread *t)
{
	u32 room = t->room ? HISTORY_BRANCHES : FIRST_ROOM;

	t->ring = arena_grow(&h->list->session.arena, t->ring, sizeof(*t->ring), t->room, room);
	t->room = room;
}

static inline void add(struct history *h, struct history_thread *t, struct history_branch b)
{
	if (unlikely(t->n >= t->room) && t->room < HISTORY_BRANCHES)
		grow(h, t);
	t->ring[t->n++ % HISTORY_BRANCHES] = b;
}

static bool is_after(u64 ip, u64 at)
{
	return ip - at <= INSN_MAX;
}

/* Depth before a call, or after a return; 'c' is as it is after the branch. A system call whose
 * kernel is not traced, and a call of the next instruction, are not on the stack. */
static u32 depth(const struct calls *c, u32 flags, u64 from, u64 to)
{
	u64 back = c->n ? c->back[c->n - 1] : to;

	return c->n - (flags & FLAG_CALL && to && back != to && is_after(back, from));
}

/* Runs */

static void add_run(struct history *h, struct history_thread *t, const struct passed *p)
{
	const struct run *run = p->run;
	u32 last = run->n_segments - 1, i;

	for (i = 0; i <= last; i++) {
		const struct segment *g = &run->rest->segments[i];
		u8 kind = i < last ? g->kind : run->end;
		u64 from = g->ip + g->bytes - g->branch_len;
		u64 to = i < last ? run_branch_target(run, i) : p->to;
		u32 flags = samples_flags[kind];

		if (!to || (i < last && kind == INSN_OTHER))
			continue;
		if (kind == INSN_COND)
			to = run->rest->target;
		if (flags & (FLAG_CALL | FLAG_RETURN))
			calls_follow(&h->list->session.arena, t->calls, flags, from, to,
				     g->branch_len);
		add(h, t, (struct history_branch){ from, to, flags,
						   depth(t->calls, flags, from, to) });
	}
}

static void add_runs(struct history *h, const struct entry *e)
{
	const struct item *item = e->item;
	struct history_thread *t;
	u32 i;

	/* The halves of a step that was divided come as samples. */
	if (!item->thread || item->halves != (STEP_STRETCH | STEP_EVENT))
		return;
	t = thread_of(h, item->thread, item->queue->now_cpu);
	calls_trace(t->calls, item->queue->trace_nr);
	for (i = 0; i < e->n_runs; i++)
		add_run(h, t, &e->runs[i]);
	t->time = session_time(&h->list->session, e->runs[e->n_runs - 1].tsc);
	listing_took(h->list, e->n_runs);
}

/* Samples */

static void push_signal(struct history *h, struct history_thread *t, u64 ip)
{
	u32 room = t->signals_room ? t->signals_room * 2 : 4;

	if (t->n_signals == t->signals_room) {
		t->signals = arena_grow(&h->list->session.arena, t->signals, sizeof(*t->signals),
					t->n_signals, room);
		t->signals_room = room;
	}
	t->signals[t->n_signals++] = (struct history_signal){ ip, t->calls->n };
}

/* Tracing goes on at 'ip'. */
static void begin(struct history *h, struct history_thread *t, u64 ip)
{
	u64 ended = t->end_ip;
	bool here = t->by_interrupt ? ip == ended : is_after(ip, ended);

	while (t->n_signals && t->signals[t->n_signals - 1].depth > t->calls->n)
		t->n_signals--;
	t->end_ip = 0;
	if (!ended || here)
		return;
	if (t->n_signals && is_after(ip, t->signals[t->n_signals - 1].ip)) {
		calls_cut(t->calls, t->signals[--t->n_signals].depth);
		return;
	}
	push_signal(h, t, ended);
}

static void add_sample(struct history *h, const struct entry *e)
{
	const struct sample *s = e->sample;
	struct history_thread *t;

	if (s->kind != SAMPLE_BRANCH || !e->thread)
		return;
	t = thread_of(h, e->thread, s->cpu);
	t->time = s->time;
	if (s->flags & FLAG_BEGIN)
		begin(h, t, s->addr);
	if (s->flags & FLAG_END) {
		t->end_ip = s->ip;
		t->by_interrupt = s->flags & FLAG_ASYNC;
	}
	t->gap &= t->calls->n > 0;
	add(h, t, (struct history_branch){ s->ip, s->addr, s->flags,
					   depth(t->calls, s->flags, s->ip, s->addr) });
}

static void add_gap(struct history *h, const struct entry *e)
{
	const struct item *item = e->item;
	struct history_thread *t;
	u64 at = item->kind == ITEM_STEP ? item->step->from : 0;

	if (!e->thread)
		return;
	t = thread_of(h, e->thread, e->thread->cpu);
	t->gap = true;
	t->end_ip = 0;
	add(h, t, (struct history_branch){ at, e->gap, 0, t->calls->n });
}

/* A new process returns from the calls of the thread that made it. A new thread does not. */
static void add_fork(struct history *h, const struct perf_task *task)
{
	struct processes *processes = &h->list->session.processes;
	struct thread *from = process_thread(processes, task->ppid, task->ptid);
	struct thread *to = process_thread(processes, task->pid, task->tid);
	const struct calls *calls = calls_if_any(from, from->cpu);
	struct history_thread *t;
	u32 i;

	if (task->pid == task->ppid || !calls)
		return;
	t = thread_of(h, to, to->cpu);
	calls_cut(t->calls, 0);
	for (i = 0; i < calls->n; i++)
		calls_push(&h->list->session.arena, t->calls, calls->back[i], calls->ended[i]);
}

/* A new program did nothing yet. */
static void add_record(struct history *h, const struct perf_record *rec)
{
	struct processes *processes = &h->list->session.processes;
	struct history_thread *t;
	struct perf_task task;
	struct perf_comm comm;
	struct thread *thread;

	if (rec->type == PERF_FORK && perf_get_task(rec, &task))
		add_fork(h, &task);
	if (rec->type != PERF_COMM || !perf_get_comm(rec, &comm) || !comm.exec)
		return;
	thread = process_thread(processes, comm.pid, comm.tid);
	t = thread_of(h, thread, thread->cpu);
	calls_cut(t->calls, 0);
	t->n = t->n_signals = 0;
	t->end_ip = 0;
	t->gap = false;
}

void history_add(struct history *h, const struct entry *e)
{
	switch (e->kind) {
	case ENTRY_RUNS:
		add_runs(h, e);
		break;
	case ENTRY_SAMPLE:
		add_sample(h, e);
		break;
	case ENTRY_GAP:
		add_gap(h, e);
		break;
	case ENTRY_RECORD:
		add_record(h, e->item->record);
	}
}

/* Is 'a' more likely than 'b' to be the thread that died? */
static bool is_better(const struct history_thread *a, const struct history_thread *b)
{
	bool fault = a->end_ip && a->by_interrupt;

	if (!b)
		return true;
	if (fault != (b->end_ip && b->by_interrupt))
		return fault;
	return a->time >= b->time;
}

struct history_thread *history_of(const struct history *h, i32 pid, i32 tid)
{
	struct history_thread *t, *best = NULL;

	for (t = h->first; t; t = t->next) {
		if (!t->n || (tid ? t->thread->tid != tid : pid && t->thread->pid != pid))
			continue;
		if (tid || is_better(t, best))
			best = t;
	}
	return best;
}

const struct history_branch *history_branch(const struct history_thread *t, u32 i)
{
	if (i >= t->n || i >= HISTORY_BRANCHES)
		return NULL;
	return &t->ring[(t->n - 1 - i) % HISTORY_BRANCHES];
}
