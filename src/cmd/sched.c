/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt sched timehist: when which thread ran, how long it waited before, and for how long it ran.
 *
 * A thread leaves a CPU at a sample of sched:sched_switch or, in a recording without these, at a
 * SWITCH record. It was woken at sched:sched_waking, or else sched:sched_wakeup. As in perf, times
 * are from the last switch on the same CPU.
 */
#include <pt/command.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/hash.h>
#include <pt/real.h>
#include <pt/sandbox.h>
#include <pt/sort.h>
#include "ask.h"

static const PACKED(help) =
	"usage: pt sched timehist [OPTIONS] [-i FILE]\n"
	"\n"
	"Print a line each time a thread left a CPU: how long it had waited, how long of\n"
	"that it was ready to run, and how long it ran. FILE has tracepoints of the\n"
	"scheduler, or records of context switches (pt record -a has them).\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -s, --summary         only a line for each thread\n"
	"  -S, --with-summary    both\n"
	"  -w, --wakeups         also who woke whom\n"
	"\n"
	"  pt record -a -e sched:sched_switch,sched:sched_waking -o s.data sleep 1\n"
	"  pt sched timehist -i s.data\n"
	"  pt sched timehist -s -i s.data\n";

/* The offset of a field in the samples, which is the same in every kernel since 2.6.23. */
enum { WOKEN_PID = 24 };

enum { COMM_WIDTH = 30 };

enum event { NO_EVENT, SWITCH, WAKING, WAKEUP };

struct task {
	struct hashed in;	/* by tid */
	struct thread *thread;
	i32 idle;		/* the CPU of an idle task, else -1 */
	u64 last, ready;	/* when it left a CPU, and became ready; 0: not known */
	u64 n, sum, min, max;	/* how often and how long it ran */
};

struct sched {
	struct ask ask;
	struct listing list;
	struct out *out;
	struct hash_table tasks;
	u64 *cpu_last;		/* of each CPU: the time of the last switch */
	u32 n_cpus;
	u8 *kinds;		/* of each event of the file: enum event */
	u32 n_kinds;
	struct thread dead;
	bool summary, with_summary, wakeups, by_records, waking;
	u64 first, last, switches;
};

static struct sched the = { .dead = { .pid = -1, .tid = -1, .comm = ":-1" } };

/* What the event is. New events may come while a pipe is read. */
static enum event kind_of(struct sched *s, const struct perf_event *event)
{
	static const char *const names[] = {
		[SWITCH] = "sched:sched_switch", [WAKING] = "sched:sched_waking",
		[WAKEUP] = "sched:sched_wakeup",
	};
	u32 kind;

	for (kind = SWITCH; kind <= WAKEUP; kind++)
		if (!strcmp(event->name, names[kind]))
			return kind;
	return !strcmp(event->name, "sched:sched_wakeup_new") ? WAKING : NO_EVENT;
}

/* Look at the events: which of them say when threads switch and wake up? */
static void settle(struct sched *s)
{
	struct session *session = &s->list.session;
	u32 n = session->file.n_events, i;

	s->kinds = arena_grow(&session->arena, s->kinds, 1, s->n_kinds, n + 1);
	s->by_records = true;
	for (i = 0; i < n; i++) {
		s->kinds[i] = kind_of(s, session->file.events[i]);
		s->by_records &= s->kinds[i] != SWITCH;
		s->waking |= !strcmp(session->file.events[i]->name, "sched:sched_waking");
	}
	s->n_kinds = n;
}

/* Each CPU has its own idle task. */
static struct task *task_of(struct sched *s, struct thread *t, i32 cpu)
{
	struct arena *arena = &s->list.session.arena;
	i32 idle = t->tid ? -1 : cpu;
	u64 hash = hash_mix(idle, t->tid);
	struct hashed *in = hash_first(&s->tasks, hash);
	struct task *task;

	for (; in; in = in->next)
		if (((struct task *)in)->thread == t && ((struct task *)in)->idle == idle)
			return (struct task *)in;
	task = NEW(arena, struct task, 1);
	task->in.hash = hash;
	task->thread = t;
	task->idle = idle;
	hash_put(arena, &s->tasks, &task->in);
	return task;
}

static u64 *last_on(struct sched *s, i32 cpu)
{
	enum { CPUS_MAX = 1 << 16 };
	u32 i = cpu < 0 || cpu >= CPUS_MAX ? 0 : cpu, room = s->n_cpus ? s->n_cpus : 8;

	while (room <= i)
		room *= 2;
	if (room > s->n_cpus)
		s->cpu_last = arena_grow(&s->list.session.arena, s->cpu_last, sizeof(u64),
					 s->n_cpus, room);
	s->n_cpus = room;
	return &s->cpu_last[i];
}

/* Lines */

static void put_heading(struct sched *s)
{
	static const char dash[] = "------------------------------";

	out_fmt(s->out, "%15s %6s  %-30s  %9s  %9s  %9s\n", "time", "cpu", "task name", "wait time",
		"sch delay", "run time");
	out_fmt(s->out, "%15s %6s  %-30s  %9s  %9s  %9s\n", "", "", "[tid/pid]", "(msec)", "(msec)",
		"(msec)");
	out_fmt(s->out, "%.15s %.6s  %.30s  %.9s  %.9s  %.9s\n", dash, dash, dash, dash, dash,
		dash);
}

/* "name[tid/pid]" */
static void name_of(char *to, size_t size, const struct thread *t)
{
	if (!t->tid)
		fmt_str(to, size, "<idle>");
	else if (t->pid <= 0 && t->tid > 0)	/* only its number is known */
		fmt_str(to, size, "%s", t->comm);
	else if (t->pid == t->tid)
		fmt_str(to, size, "%s[%d]", t->comm, t->tid);
	else
		fmt_str(to, size, "%s[%d/%d]", t->comm, t->tid, t->pid);
}

static void put_time(char *to, size_t size, u64 ns)
{
	fmt_str(to, size, "%llu.%06llu", ns / 1000000000, ns / 1000 % 1000000);
}

static void put_front(struct sched *s, const struct thread *t, i32 cpu, u64 time, bool wakes)
{
	char name[80], when[32];
	int n;

	put_time(when, sizeof(when), time);
	out_fmt(s->out, "%15s [%04d]  ", when, cpu);
	name_of(name, sizeof(name), t);
	if (wakes && !t->tid)	/* as in perf */
		fmt_str(name, sizeof(name), "%s", t->comm);
	out_name(s->out, name);
	for (n = strlen(name); n < COMM_WIDTH + 1; n++)
		out_char(s->out, ' ');
}

static void put_ms(struct out *out, u64 ns)
{
	out_fmt(out, "%6llu.%03llu ", ns / 1000000, ns / 1000 % 1000);
}

/* The thread of a sample. In samples of a thread that has ended its number is -1, and that of its
 * process is often still known. As in perf, all of these are one thread. */
static struct thread *thread_of(struct sched *s, const struct entry *e)
{
	if (e->thread || e->recorded->tid != -1)
		return e->thread;
	if (s->dead.pid == -1)
		s->dead.pid = e->recorded->pid;
	return &s->dead;
}

static void show_wakeup(struct sched *s, const struct entry *e, const struct thread *woken)
{
	const struct thread *by = thread_of(s, e);
	char name[80];

	if (!by)
		return;
	put_front(s, by, e->recorded->cpu, e->recorded->time, true);
	name_of(name, sizeof(name), woken);
	out_fmt(s->out, " %9s  %9s  %9s  awakened: ", "", "", "");
	out_name(s->out, name);
	out_newline(s->out);
}

/* Events */

/* A thread left a CPU. As in perf, one that could go on is not ready until it is woken. */
static void leaves(struct sched *s, struct thread *t, i32 cpu, u64 time, bool wanted)
{
	struct task *task = task_of(s, t, cpu);
	u64 *last = last_on(s, cpu), ran = 0, wait = 0, delay = 0;

	if (*last) {
		ran = time - *last;
		if (task->ready && task->ready <= *last)
			delay = *last - task->ready;
		if (task->last && task->last <= *last)
			wait = *last - task->last;
	}
	if (wanted && !s->summary) {
		put_front(s, t, cpu, time, false);
		put_ms(s->out, wait);
		put_ms(s->out, delay);
		put_ms(s->out, ran);
		if (s->wakeups)
			out_fmt(s->out, "%32s", "");
		out_newline(s->out);
	}
	if (t->tid && wanted && *last) {
		task->min = task->n++ ? MIN(task->min, ran) : ran;
		task->max = MAX(task->max, ran);
		task->sum += ran;
	}
	s->switches++;
	s->first = s->first ? s->first : time;
	s->last = time;
	task->last = time;
	task->ready = 0;
	*last = time;
}

static void wakes(struct sched *s, const struct entry *e)
{
	const struct perf_sample *sample = e->recorded;
	struct processes *all = &s->list.session.processes;
	struct thread *t;
	struct task *task;

	if (sample->raw.len < WOKEN_PID + 4)
		return;
	t = process_thread(all, -1, get32(sample->raw.at + WOKEN_PID));
	task = task_of(s, t, sample->cpu);
	if (!task->ready)
		task->ready = sample->time;
	if (s->wakeups && !s->summary && e->wanted)
		show_wakeup(s, e, t);
}

static void take_sample(struct sched *s, const struct entry *e)
{
	const struct perf_sample *sample = e->recorded;
	u32 i = sample->event->index;
	struct thread *t;

	if (i >= s->n_kinds)
		return;
	switch (s->kinds[i]) {
	case SWITCH:
		t = thread_of(s, e);
		if (t)
			leaves(s, t, sample->cpu, sample->time, e->wanted);
		break;
	case WAKING:
		wakes(s, e);
		break;
	case WAKEUP:
		if (!s->waking)
			wakes(s, e);
		break;
	}
}

/* Without a part of the samples, times are too long: say where it is missing. */
static void show_lost(struct sched *s, const struct entry *e)
{
	enum { N_LOST = 16 };
	const struct perf_sample *sample = e->item->sample;
	struct bytes b = e->item->record->raw;
	char when[32];

	if (b.len < N_LOST + 8)
		return;
	put_time(when, sizeof(when), sample->time);
	out_fmt(s->out, "%15s lost %llu events on cpu %d\n", when, get64(b.at + N_LOST),
		sample->cpu);
}

/* Records of context switches say when a thread left, as a sample of sched_switch does. */
static void take_record(struct sched *s, const struct entry *e)
{
	const struct perf_sample *sample = e->item->sample;
	struct perf_switch sw;

	if (e->item->record->type == PERF_LOST)
		show_lost(s, e);
	if (!s->by_records || !perf_get_switch(e->item->record, &sw) || !sw.out ||
	    sample->tid == -1 || !sample->time)
		return;
	leaves(s, process_thread(&s->list.session.processes, sample->pid, sample->tid), sample->cpu,
	       sample->time, true);
}

/* The summary */

static void put_summary(struct sched *s)
{
	struct arena *arena = &s->list.session.arena;
	struct task **all = NEW(arena, struct task *, s->tasks.n + 1), *task;
	struct sort_item *items = NEW(arena, struct sort_item, 2 * s->tasks.n + 1);
	struct hashed *in;
	u32 n = 0, i;

	for (i = 0; i < s->tasks.room; i++)
		for (in = s->tasks.at[i]; in; in = in->next) {
			task = (struct task *)in;
			if (!task->n)
				continue;
			items[n] = (struct sort_item){ ~task->sum, n };
			all[n++] = task;
		}
	sort_items(items, n, items + n);
	out_fmt(s->out, "\n%30s  %9s  %11s  %10s  %10s  %10s\n", "task", "sched-in", "run-time",
		"min-run", "avg-run", "max-run");
	out_fmt(s->out, "%30s  %9s  %11s  %10s  %10s  %10s\n", "[tid/pid]", "(count)", "(msec)",
		"(msec)", "(msec)", "(msec)");
	for (i = 0; i < n; i++) {
		char name[80];

		task = all[items[i].index];
		name_of(name, sizeof(name), task->thread);
		out_fmt(s->out, "%*s", (int)MAX(COMM_WIDTH - (int)strlen(name), 0), "");
		out_name(s->out, name);
		out_fmt(s->out, "  %9llu ", task->n);
		out_real(s->out, task->sum / 1e6, 12, 3);
		out_real(s->out, task->min / 1e6, 12, 3);
		out_real(s->out, task->sum / 1e6 / task->n, 12, 3);
		out_real(s->out, task->max / 1e6, 12, 3);
		out_newline(s->out);
	}
	out_fmt(s->out, "\n%llu context switches in ", s->switches);
	out_real(s->out, (s->last - s->first) / 1e6, 0, 3);
	out_str(s->out, " ms\n");
}

/* The command */

static int run(struct sched *s)
{
	struct entry e;
	int status, err;

	s->list.options.no_decode = true;
	s->list.all = true;
	if ((status = ask_open(&s->ask)) || (status = ask_start(&s->ask)))
		return status;
	if (!s->summary)
		put_heading(s);
	while ((err = listing_next(&s->list, &e)) > 0) {
		if (e.kind == ENTRY_EVENTS)
			settle(s);
		else if (e.kind == ENTRY_RECORDED)
			take_sample(s, &e);
		else if (e.kind == ENTRY_RECORD)
			take_record(s, &e);
		if (s->out->err)
			break;
	}
	status = ask_read(&s->ask, err);
	if (!status && !s->switches)
		return fail(0, "%s has no context switches: record with -e sched:sched_switch or "
			    "--switch-events", s->list.path);
	if (!status && (s->summary || s->with_summary))
		put_summary(s);
	return status;
}

static const char *take(struct sched *s, struct opt *o, const char *name)
{
	static const struct opt_member flags[] = {
		{ "summary", offsetof(struct sched, summary) },
		{ "with-summary", offsetof(struct sched, with_summary) },
		{ "wakeups", offsetof(struct sched, wakeups) },
		{ 0 },
	};

	if (opt_set(o, name, flags, s))
		return NULL;
	return ask_take(&s->ask, o, name);
}

static int sched(struct opt *o, struct out *out)
{
	const char *name, *word;

	ask_begin(&the.ask, &the.list, out);
	the.out = out;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	word = opt_stopped(o) ? NULL : opt_word(o);
	if (!opt_stopped(o) && (!word || strcmp(word, "timehist")))
		return fail(0, word ? "pt sched %s: there is only pt sched timehist" :
				      "usage: pt sched timehist (see --help)", word);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_sched = { "sched", "when threads ran, and how long they waited", help,
				   sched, true };
