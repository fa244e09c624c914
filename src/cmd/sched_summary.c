/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The summary of pt sched timehist: a line for each thread, those that ended after the others, and
 * how long the CPUs were idle.
 */
#include <pt/real.h>
#include <pt/sort.h>
#include "sched.h"

enum { LINE = 117 };

struct totals { u64 tasks, runs, ns; };

static void put_heading(struct sched *s)
{
	const char *title = s->idle_only ? "Idle-time" : s->state ? "Wait-time" : "Runtime";
	const char *columns = s->idle_only ? "  idle-time   min-idle    avg-idle    max-idle" :
		s->state ? "   run-time      sleep      iowait     preempt       delay" :
		"   run-time    min-run     avg-run     max-run";
	int i;

	out_fmt(s->out, "\n%s summary\n", title);
	out_fmt(s->out, "%*s  parent  %s  ", (int)s->width, "comm",
		s->idle_only ? "sched-out" : " sched-in");
	out_str(s->out, columns);
	out_str(s->out, s->state && !s->idle_only ? "\n" : "  stddev  migrations\n");
	out_fmt(s->out, "%*s            (count)       (msec)     (msec)      (msec)      (msec)",
		(int)s->width, "");
	out_fmt(s->out, "       %s\n", s->state ? "(msec)" : "%");
	for (i = 0; i < LINE; i++)
		out_char(s->out, '-');
	out_newline(s->out);
}

static void put_waits(struct sched *s, const struct task *task)
{
	sched_put_ms(s->out, task->sums[WAIT_SLEEP], 6);
	out_char(s->out, ' ');
	sched_put_ms(s->out, task->sums[WAIT_IO], 6);
	out_char(s->out, ' ');
	sched_put_ms(s->out, task->sums[WAIT_PREEMPTED], 6);
	out_char(s->out, ' ');
	sched_put_ms(s->out, task->sum_delay, 6);
}

static void put_runs(struct sched *s, const struct task *task)
{
	double mean = task->runs.value;

	sched_put_ms(s->out, task->min, 6);
	out_char(s->out, ' ');
	sched_put_ms(s->out, (u64)mean, 6);
	out_char(s->out, ' ');
	sched_put_ms(s->out, task->max, 6);
	out_str(s->out, "  ");
	out_real(s->out, mean ? 100 * mean_error(&task->runs) / mean : 0, 5, 2);
	out_fmt(s->out, "   %5llu", task->migrations);
}

static void put_task(struct sched *s, const struct task *task)
{
	char name[SCHED_NAME];
	int n;

	sched_name(s, name, task->thread);
	for (n = strlen(name); n < (int)s->width; n++)
		out_char(s->out, ' ');
	out_name(s->out, name);
	out_fmt(s->out, "   %5d  %9llu ", task->parent, (u64)task->runs.n);
	sched_put_ms(s->out, task->sum, 8);
	if (s->state)
		put_waits(s, task);
	else
		put_runs(s, task);
	out_newline(s->out);
}

/* Has perf removed the thread, because a fork made another one with its number? */
static bool has_ended(const struct task *task)
{
	return task->ended || task->thread->gone;
}

/* perf has 256 tables of threads, by number, each with those that were removed at its end. */
static u64 place_of(const struct task *task)
{
	u32 tid = task->thread->tid;

	return (u64)(tid % 256) << 33 | (u64)task->thread->gone << 32 | tid;
}

static void put_tasks(struct sched *s, bool ended, struct totals *totals)
{
	struct arena *arena = &s->list.session.arena;
	struct task **all = NEW(arena, struct task *, s->tasks.n + 1), *task;
	struct sort_item *items = NEW(arena, struct sort_item, 2 * s->tasks.n + 1);
	struct hashed *in;
	u32 n = 0, i;

	for (i = 0; i < s->tasks.room; i++)
		for (in = s->tasks.at[i]; in; in = in->next) {
			task = (struct task *)in;
			if (!task->runs.n || has_ended(task) != ended)
				continue;
			items[n] = (struct sort_item){ place_of(task), n };
			all[n++] = task;
		}
	sort_items(items, n, items + n);
	for (i = 0; i < n; i++) {
		task = all[items[i].index];
		totals->tasks++;
		totals->runs += task->runs.n;
		totals->ns += task->sum;
		put_task(s, task);
	}
	if (!n)
		out_fmt(s->out, "<no %s tasks>\n", ended ? "terminated" : "still running");
}

static void put_idle(struct sched *s, struct totals *totals)
{
	u64 whole = s->last - s->first;
	const struct task *task;
	u32 i;

	out_str(s->out, "\nIdle stats:\n");
	for (i = 0; i < s->n_idle; i++) {
		if (!sched_has_cpu(s, i))
			continue;
		task = i < s->n_cpus && s->idle[i] ? &s->idle[i]->task : NULL;
		if (!task || !task->runs.n) {
			out_fmt(s->out, "    CPU %2d idle entire time window\n", i);
			continue;
		}
		totals->runs += task->runs.n;
		out_fmt(s->out, "    CPU %2d idle for ", i);
		sched_put_ms(s->out, task->sum, 6);
		out_str(s->out, " msec  (");
		out_real(s->out, whole ? 100.0 * task->sum / whole : 0, 6, 2);
		out_str(s->out, "%)\n");
	}
}

/* The outermost function last, with addresses of unknown ones. */
static void put_folded(struct sched *s, const struct sched_chain *chain)
{
	const char *arrow = "";
	u32 i;

	for (i = 0; i < chain->n; i++) {
		if (sched_chain_omits(&chain->at[i]))
			continue;
		out_str(s->out, arrow);
		if (chain->at[i].sym)
			out_name(s->out, chain->at[i].sym->name);
		else
			out_fmt(s->out, "%#llx", chain->at[i].ip);
		arrow = " <- ";
	}
}

static void put_chains(struct sched *s, const struct sched_idle *idle)
{
	static const char dashes[] = "--------------------------------------------------";
	struct arena *arena = &s->list.session.arena;
	u32 room = idle ? idle->chains.n : 0, n = 0, i;
	struct idle_chain **all = NEW(arena, struct idle_chain *, room + 1);
	struct sort_item *items = NEW(arena, struct sort_item, 2 * room + 1);
	struct hashed *in;

	out_fmt(s->out, "  %16s  %8s  %s\n", "Idle time (msec)", "Count", "Callchains");
	out_fmt(s->out, "  %.16s  %.8s  %.50s\n", dashes, dashes, dashes);
	for (i = 0; idle && i < idle->chains.room; i++)
		for (in = idle->chains.at[i]; in; in = in->next) {
			all[n] = (struct idle_chain *)in;
			items[n] = (struct sort_item){ ~all[n]->ns, n };
			n++;
		}
	sort_items(items, n, items + n);
	for (i = 0; i < n; i++) {
		const struct idle_chain *c = all[items[i].index];

		out_str(s->out, "  ");
		sched_put_ms(s->out, c->ns, 12);
		out_fmt(s->out, " %8llu  ", c->n);
		put_folded(s, &c->chain);
		out_newline(s->out);
	}
}

static void put_idle_chains(struct sched *s)
{
	u32 i;

	out_str(s->out, "\nIdle stats by callchain:\n");
	for (i = 0; i < s->n_idle; i++) {
		const struct sched_idle *idle = i < s->n_cpus ? s->idle[i] : NULL;

		out_fmt(s->out, "  CPU %2d:", i);
		sched_put_ms(s->out, idle ? idle->task.sum : 0, 6);
		out_str(s->out, " msec\n");
		put_chains(s, idle);
		out_newline(s->out);
	}
}

void sched_put_summary(struct sched *s)
{
	struct totals totals = { 0 };

	put_heading(s);
	put_tasks(s, false, &totals);
	out_str(s->out, "\nTerminated tasks:\n");
	put_tasks(s, true, &totals);
	/* Options that select threads leave out switches to the idle tasks, too. */
	if (s->skipped && !s->idle_only)
		return;
	put_idle(s, &totals);
	if (s->idle_only && s->has_chains)
		put_idle_chains(s);
	out_fmt(s->out, "\n    Total number of unique tasks: %llu\n"
		"Total number of context switches: %llu\n           Total run time (msec): ",
		totals.tasks, totals.runs);
	sched_put_ms(s->out, totals.ns, 2);
	out_str(s->out, "\n    Total scheduling time (msec): ");
	sched_put_ms(s->out, s->last - s->first, 2);
	out_fmt(s->out, " (x %d)\n", s->last_cpu);
}
