/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report -T: the counts of each thread, of READ records (pt record -s).
 */
#include <pt/fail.h>
#include "report.h"

struct thread_counts {
	u32 pid, tid;
	u64 *counts;		/* of the events, by their order in 'events' */
};

struct report_threads {
	const struct perf_event **events;
	u32 n_events, n, room;
	struct thread_counts *threads;
};

static u32 index_of_event(struct report *r, const struct perf_event *e)
{
	struct report_threads *t = r->threads;
	u32 i;

	for (i = 0; i < t->n_events && t->events[i] != e; i++)
		;
	if (i == t->n_events)
		t->events[t->n_events++] = e;
	return i;
}

static struct thread_counts *counts_of(struct report *r, u32 pid, u32 tid)
{
	struct report_threads *t = r->threads;
	struct arena *arena = &r->list.session.arena;
	u32 i;

	for (i = 0; i < t->n; i++)
		if (t->threads[i].pid == pid && t->threads[i].tid == tid)
			return &t->threads[i];
	if (t->n == t->room) {
		t->room = MAX(2 * t->room, 16u);
		t->threads = arena_grow(arena, t->threads, sizeof(*t->threads), t->n, t->room);
	}
	t->threads[t->n] = (struct thread_counts){
		pid, tid, NEW(arena, u64, r->list.session.file.n_events)
	};
	return &t->threads[t->n++];
}

void report_threads_record(struct report *r, const struct item *item)
{
	const struct perf_record *rec = item->record;
	const struct perf_event *e = item->sample->event;
	struct arena *arena = &r->list.session.arena;
	u32 n = r->list.session.file.n_events;

	if (rec->type != PERF_READ || rec->raw.len < 24 || !e || e->index >= n)
		return;
	if (!r->threads) {
		r->threads = NEW(arena, struct report_threads, 1);
		r->threads->events = NEW(arena, const struct perf_event *, n);
	}
	counts_of(r, get32(rec->raw.at + 8), get32(rec->raw.at + 12))
		->counts[index_of_event(r, e)] += get64(rec->raw.at + 16);
}

static u32 digits(u64 v)
{
	u32 n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

struct widths { u32 pid, tid, name, index, count; };

/* The columns are as wide as their widest number, or their head. */
static struct widths widths_of(const struct report_threads *t)
{
	struct widths w = { 3, 3, 4, 3, 5 };
	u32 i, k;

	for (i = 0; i < t->n_events; i++) {
		w.name = MAX(w.name, (u32)strlen(t->events[i]->name));
		w.index = MAX(w.index, digits(t->events[i]->index));
	}
	for (i = 0; i < t->n; i++) {
		w.pid = MAX(w.pid, digits(t->threads[i].pid));
		w.tid = MAX(w.tid, digits(t->threads[i].tid));
		for (k = 0; k < t->n_events; k++)
			w.count = MAX(w.count, digits(t->threads[i].counts[k]));
	}
	return w;
}

static u32 width_of_event(const struct report_threads *t, u32 k)
{
	u32 width = strlen(t->events[k]->name), i;

	for (i = 0; i < t->n; i++)
		width = MAX(width, digits(t->threads[i].counts[k]));
	return width;
}

/* A line for each thread. */
static void print_table(struct out *out, const struct report_threads *t)
{
	struct widths w = widths_of(t);
	u32 i, k;

	out_fmt(out, "# %*s  %*s", (int)w.pid, "PID", (int)w.tid, "TID");
	for (k = 0; k < t->n_events; k++)
		out_fmt(out, "  %*s", (int)width_of_event(t, k), t->events[k]->name);
	out_newline(out);
	for (i = 0; i < t->n; i++) {
		const struct thread_counts *c = &t->threads[i];

		out_fmt(out, "  %*u  %*u", (int)w.pid, c->pid, (int)w.tid, c->tid);
		for (k = 0; k < t->n_events; k++)
			out_fmt(out, "  %*llu", (int)width_of_event(t, k), c->counts[k]);
		out_newline(out);
	}
}

/* --pretty=raw: a line for each event of each thread. */
static void print_raw(struct out *out, const struct report_threads *t)
{
	struct widths w = widths_of(t);
	u32 i, k;

	out_fmt(out, "# %*s  %*s  %*s  %*s  %*s\n", (int)w.pid, "PID", (int)w.tid, "TID",
		(int)w.name, "Name", (int)w.index, "Raw", (int)w.count, "Count");
	for (i = 0; i < t->n; i++)
		for (k = 0; k < t->n_events; k++)
			out_fmt(out, "  %*u  %*u  %*s  %*x  %*llu\n", (int)w.pid,
				t->threads[i].pid, (int)w.tid, t->threads[i].tid, (int)w.name,
				t->events[k]->name, (int)w.index, t->events[k]->index,
				(int)w.count, t->threads[i].counts[k]);
}

void report_threads_print(struct report *r)
{
	if (!r->threads)
		warn(0, "-T: %s has no counts of threads; record with -s", r->list.path);
	else
		(r->more.raw ? print_raw : print_table)(r->out, r->threads);
}
