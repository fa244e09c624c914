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
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/event_format.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/perf_write.h>
#include <pt/sandbox.h>
#include "sched.h"

PACKED(help) =
	"usage: pt sched timehist [OPTIONS] [-i FILE]\n"
	"\n"
	"Print a line each time a thread left a CPU: how long it had waited, how long of\n"
	"that it was ready to run, and how long it ran. FILE has tracepoints of the\n"
	"scheduler, or records of context switches (pt record -a has them).\n"
	"More: --help=lines, --help=all.\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -s, --summary         only a line for each thread\n"
	"  -S, --with-summary    both\n"
	"  -C, --cpu LIST        only these CPUs: 0,2-3\n"
	"  -p, --pid LIST        only these processes: 12,34\n"
	"  -t, --tid LIST        only these threads\n"
	"      --time RANGE      only this time, in seconds: 1.5,2.5 or 1.5,\n"
	"\n"
	"  pt record -a -e sched:sched_switch,sched:sched_waking -o s.data sleep 1\n"
	"  pt sched timehist -i s.data\n"
	"  pt sched timehist -s -i s.data\n"
	"\flines: what the lines of pt sched timehist show\n"
	"\n"
	"  -w, --wakeups         lines that say who woke whom\n"
	"  -M, --migrations      lines of threads that move to another CPU, and their\n"
	"                        number in the summary (sched:sched_migrate_task)\n"
	"  -n, --next            who runs next\n"
	"      --state           in which state it left; waits by kind in the summary\n"
	"  -V, --cpu-visual      a column for each CPU: s a thread, i idle, m moved there\n"
	"  -I, --idle-hist       only the idle time of CPUs, after which thread\n"
	"  -g, --call-graph      call chains, if the samples have them (default)\n"
	"      --max-stack N     functions of a call chain (5)\n"
	"  -k, --vmlinux FILE    the kernel's symbols and code, as an ELF file\n"
	"      --kallsyms FILE   the kernel's symbols\n"
	"      --symfs DIR       the folder of the files\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf sched without effect, since pt does so anyway\n"
	"\n"
	"  -f, --force\n"
	"  -v, --verbose\n");

/* The offsets of fields if the file has no format of the event: those of all kernels. */
enum { WOKEN_PID = 24, COMM = 16 };

enum sched_event { NO_EVENT, SWITCH, WAKING, WAKEUP, MIGRATE };

/* As in perf: a call chain has 5 functions, and a file that does not say how many CPUs there were
 * counts as one of 4. */
enum { USUAL_DEPTH = 5, USUAL_CPUS = 4, USUAL_WIDTH = 30 };

static struct sched the = {
	.dead = { .pid = -1, .tid = -1, .comm = ":-1" }, .width = USUAL_WIDTH,
	.depth = USUAL_DEPTH, .call_graph = true,
};

/* What the event is. New events may come while a pipe is read. */
static enum sched_event kind_of(const struct perf_event *event)
{
	static const char *const names[] = {
		[SWITCH] = "sched:sched_switch", [WAKING] = "sched:sched_waking",
		[WAKEUP] = "sched:sched_wakeup", [MIGRATE] = "sched:sched_migrate_task",
	};
	u32 kind;

	for (kind = SWITCH; kind <= MIGRATE; kind++)
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
		const struct perf_event *event = session->file.events[i];

		s->kinds[i] = kind_of(event);
		s->by_records &= s->kinds[i] != SWITCH;
		s->waking |= !strcmp(event->name, "sched:sched_waking");
		s->has_chains |= s->call_graph && s->kinds[i] == SWITCH &&
				 event->attr.sample_type >> PERF_S_CALLCHAIN & 1;
	}
	s->n_kinds = n;
}

/* Threads and CPUs */

static struct task *task_of(struct sched *s, struct thread *t)
{
	struct arena *arena = &s->list.session.arena;
	u64 hash = hash_mix(0, t->tid);
	struct hashed *in = hash_first(&s->tasks, hash);
	struct task *task;

	for (; in; in = in->next)
		if (((struct task *)in)->thread == t)
			return (struct task *)in;
	task = NEW(arena, struct task, 1);
	task->in.hash = hash;
	task->thread = t;
	task->parent = -1;
	hash_put(arena, &s->tasks, &task->in);
	return task;
}

/* No machine has more CPUs: a greater number is damage, and counts as 0. */
static u32 likely_cpu(u32 cpu)
{
	return cpu < CPUS_MAX ? cpu : 0;
}

/* Make room for the CPU; returns its index. */
static u32 cpu_index(struct sched *s, i32 cpu)
{
	u32 i = likely_cpu(cpu), room = s->n_cpus ? s->n_cpus : 8;
	struct arena *arena = &s->list.session.arena;

	while (room <= i)
		room *= 2;
	if (room > s->n_cpus) {
		s->cpu_last = arena_grow(arena, s->cpu_last, sizeof(*s->cpu_last), s->n_cpus, room);
		s->idle = arena_grow(arena, s->idle, sizeof(*s->idle), s->n_cpus, room);
	}
	s->n_cpus = room;
	return i;
}

static struct sched_idle *idle_on(struct sched *s, i32 cpu)
{
	struct processes *all = &s->list.session.processes;
	u32 i = cpu_index(s, cpu);

	if (!s->idle[i]) {
		s->idle[i] = NEW(&s->list.session.arena, struct sched_idle, 1);
		s->idle[i]->task.thread = process_thread(all, 0, 0);
		s->n_idle = MAX(s->n_idle, i + 1);
	}
	return s->idle[i];
}

static bool in_list(const char *list, i32 v)
{
	u64 n;

	while (list && *list) {
		list = num_read(list, 10, &n);
		if (!list || (i64)n == v)
			return list;
		list += *list == ',';
	}
	return false;
}

/* Do the options leave out this thread's event? */
static bool skips(struct sched *s, const struct thread *t, bool to_idle)
{
	bool skip = (s->list.pids && !in_list(s->list.pids, t->pid)) ||
		    (s->list.tids && !in_list(s->list.tids, t->tid));

	s->skipped += skip;
	return skip || (s->idle_only && !to_idle);
}

static bool in_time(const struct sched *s, u64 time)
{
	return time >= s->start && (!s->end || time <= s->end);
}

/* The thread of a sample. In samples of a thread that has ended its number is -1, and that of its
 * process is often still known. As in perf, all of these are one thread. */
static struct thread *thread_of(struct sched *s, const struct perf_sample *sample)
{
	if (sample->tid != -1)
		return process_thread(&s->list.session.processes, sample->pid, sample->tid);
	if (s->dead.pid == -1)
		s->dead.pid = sample->pid;
	return &s->dead;
}

/* A number of a sample, by the name of its field; at 'off' if the file has no formats. */
static i32 number(struct sched *s, const struct perf_sample *sample, const char *name, u32 off)
{
	struct event_format *format = NULL;
	const struct event_field *field;

	if (CONFIG_TRACEPOINT_TEXT)
		format = event_format(&s->list.session.file, sample->event);
	if (CONFIG_TRACEPOINT_TEXT && format) {
		field = event_field(format, name, strlen(name));
		return field ? event_field_number(field, sample->raw, 0) : 0;
	}
	return sample->raw.len >= off + 4 ? get32(sample->raw.at + off) : 0;
}

/* Switches */

/* Count the time from the last switch on the CPU, 'from', to 'to'. */
static void count(struct task *task, u64 from, u64 to)
{
	enum { RUNNING, UNINTERRUPTIBLE = 2 };
	u64 wait;
	u32 i;

	task->delay = 0;
	memset(task->waits, 0, sizeof(task->waits));
	if (from) {
		task->ran = to - from;
		if (task->ready && task->ready <= from)
			task->delay = from - task->ready;
		wait = task->left && task->left <= from ? from - task->left : 0;
		task->waits[task->state == RUNNING ? WAIT_PREEMPTED :
			    task->state == UNINTERRUPTIBLE ? WAIT_IO : WAIT_SLEEP] = wait;
	}
	task->min = task->runs.n ? MIN(task->min, task->ran) : task->ran;
	task->max = MAX(task->max, task->ran);
	mean_add(&task->runs, task->ran);
	task->sum += task->ran;
	task->sum_delay += task->delay;
	for (i = 0; i < N_ELEM(task->sums); i++)
		task->sums[i] += task->waits[i];
}

/* The time of an idle task is also counted for the thread that ran before it. */
static bool count_before(struct sched *s, struct sched_idle *idle, u64 from, u64 to)
{
	struct task *before = idle->before;

	if (!before)
		return false;
	count(before, from, to);
	before->ran = before->delay = 0;
	memset(before->waits, 0, sizeof(before->waits));
	sched_chain_count(s, idle, to - from);
	idle->before = NULL;
	return true;
}

/* Count it, and print it. */
static void show(struct sched *s, struct task *task, const struct sched_leaving *l, u64 from,
		 u64 to)
{
	bool is_idle = !l->thread->tid;

	if (!s->idle_only || is_idle) {
		if (sched_has_cpu(s, l->cpu))
			count(task, from, to);
		if (s->idle_only && !count_before(s, idle_on(s, l->cpu), from, to))
			return;
	}
	if (!s->summary && sched_has_cpu(s, l->cpu)) {
		sched_put_switch(s, task, l, to);
		s->printed = true;
	}
}

static void leaves(struct sched *s, const struct sched_leaving *l)
{
	u32 at = cpu_index(s, l->cpu);
	u64 *last = &s->cpu_last[at], from = *last, to = l->time;
	struct task *task = l->thread->tid ? task_of(s, l->thread) :
					     &idle_on(s, l->cpu)->task;
	bool to_idle = l->next_comm && !l->next_pid, known = false;

	if (s->idle_only && l->thread->tid) {
		idle_on(s, l->cpu)->before = task;
		if (to_idle)
			sched_chain_keep(s, &idle_on(s, l->cpu)->entered, &l->chain);
	}
	if (!skips(s, l->thread, !l->thread->tid || to_idle)) {
		known = true;
		if (to >= s->start && !(s->end && (!from || from > s->end))) {
			from = from ? MAX(from, s->start) : 0;
			to = s->end ? MIN(to, s->end) : to;
			show(s, task, l, from, to);
		}
	}
	if (!s->first && to >= s->start)
		s->first = to;
	if (!s->end || to <= s->end)
		s->last = to;
	if (known) {
		task->left = l->time;
		task->state = l->state;
		task->ready = 0;
	}
	*last = l->time;
	s->seen = true;
}

/* The name of the thread that runs next; it is at 'off' if the file has no formats. */
static void take_next_comm(struct sched *s, const struct perf_sample *sample, char to[COMM + 1],
			   u32 off)
{
	struct bytes b = bytes_skip(sample->raw, MIN((size_t)off, sample->raw.len));
	const struct event_field *field;
	struct event_format *format;

	if (CONFIG_TRACEPOINT_TEXT &&
	    (format = event_format(&s->list.session.file, sample->event)) &&
	    (field = event_field(format, "next_comm", 9)))
		b = event_field_bytes(field, sample->raw);
	fmt_str(to, COMM + 1, "%.*s", (int)strnlen((const char *)b.at, MIN((size_t)COMM, b.len)),
		(const char *)b.at);
}

static void take_switch(struct sched *s, const struct perf_sample *sample)
{
	enum { PREV_PID = 24, PREV_STATE = 32, NEXT_COMM = 40, NEXT_PID = 56 };
	struct sched_leaving l = { .cpu = sample->cpu, .time = sample->time };
	char comm[COMM + 1];

	l.thread = thread_of(s, sample);
	if (sample->raw.len >= NEXT_PID) {
		if (!number(s, sample, "prev_pid", PREV_PID))
			l.thread = process_thread(&s->list.session.processes, 0, 0);
		l.state = number(s, sample, "prev_state", PREV_STATE);
		l.next_pid = number(s, sample, "next_pid", NEXT_PID);
		take_next_comm(s, sample, comm, NEXT_COMM);
		l.next_comm = comm;
	}
	l.chain = sched_chain(s, sample);
	leaves(s, &l);
}

/* Other events */

static void take_wakeup(struct sched *s, const struct perf_sample *sample)
{
	struct processes *all = &s->list.session.processes;
	struct thread *woken, *by;
	struct task *task;

	if (sample->raw.len < WOKEN_PID + 4)
		return;
	woken = process_thread(all, -1, number(s, sample, "pid", WOKEN_PID));
	task = task_of(s, woken);
	if (!task->ready)
		task->ready = sample->time;
	if (!s->wakeups || s->summary || !in_time(s, sample->time))
		return;
	by = thread_of(s, sample);
	if (skips(s, by, false) && skips(s, woken, false))
		return;
	sched_put_wakeup(s, by, sample->cpu, sample->time, woken);
	s->printed = true;
}

static void take_migration(struct sched *s, const struct perf_sample *sample)
{
	enum { FROM = 32, TO = 36 };
	struct processes *all = &s->list.session.processes;
	struct thread *moved, *by;

	if (!s->migrations || sample->raw.len < WOKEN_PID + 4)
		return;
	moved = process_thread(all, -1, number(s, sample, "pid", WOKEN_PID));
	task_of(s, moved)->migrations++;
	if (s->summary)
		return;
	by = thread_of(s, sample);
	if (skips(s, by, false) && skips(s, moved, false))
		return;
	sched_put_migration(s, by, sample->cpu, sample->time, moved,
			    number(s, sample, "orig_cpu", FROM), number(s, sample, "dest_cpu", TO));
	s->printed = true;
}

static void take_sample(struct sched *s, const struct perf_sample *sample)
{
	u32 i = sample->event->index;

	if (i >= s->n_kinds)
		return;
	s->last_cpu = MAX(s->last_cpu, likely_cpu(sample->cpu));
	if (s->kinds[i] == SWITCH)
		take_switch(s, sample);
	else if (s->kinds[i] == WAKING || (s->kinds[i] == WAKEUP && !s->waking))
		take_wakeup(s, sample);
	else if (s->kinds[i] == MIGRATE)
		take_migration(s, sample);
}

/* Samples were lost, so that some times are too long: say when. */
static void show_lost(struct sched *s, const struct entry *e)
{
	enum { N_LOST = 16 };
	const struct perf_sample *sample = e->item->sample;
	struct bytes b = e->item->record->raw;
	char when[32];

	if (b.len < N_LOST + 8)
		return;
	sched_put_time(when, sizeof(when), sample->time);
	out_fmt(s->out, "%15s lost %llu events on cpu %d\n", when, get64(b.at + N_LOST),
		sample->cpu);
}

/* Records of context switches say when a thread left, as a sample of sched_switch does. */
static void switch_record(struct sched *s, const struct entry *e)
{
	const struct perf_sample *sample = e->item->sample;
	struct processes *all = &s->list.session.processes;
	enum { RUNNING, UNKNOWN_STATE = 1 << 30 };
	struct perf_switch sw;
	struct sched_leaving l = { .cpu = sample->cpu, .time = sample->time };

	if (!perf_get_switch(e->item->record, &sw) || !sw.out || sample->tid == -1 || !sample->time)
		return;
	l.thread = process_thread(all, sample->pid, sample->tid);
	l.state = sw.preempt ? RUNNING : UNKNOWN_STATE;
	if (sw.cpu_wide) {
		l.next_pid = sw.tid;
		l.next_comm = process_thread(all, sw.pid, sw.tid)->comm;
	}
	s->last_cpu = MAX(s->last_cpu, likely_cpu(sample->cpu));
	leaves(s, &l);
}

static void take_record(struct sched *s, const struct entry *e)
{
	struct processes *all = &s->list.session.processes;
	struct perf_task task;
	struct thread *t;

	switch (e->item->record->type) {
	case PERF_LOST:
		show_lost(s, e);
		break;
	case PERF_FORK:
		if (perf_get_task(e->item->record, &task))
			task_of(s, process_thread(all, task.pid, task.tid))->parent = task.ptid;
		break;
	case PERF_EXIT:
		if (perf_get_task(e->item->record, &task) && (t = process_find(all, task.tid)))
			task_of(s, t)->ended = true;
		break;
	case PERF_SWITCH:
	case PERF_SWITCH_CPU_WIDE:
		if (s->by_records)
			switch_record(s, e);
		break;
	}
}

/* The command */

/* The number of CPUs, from the header. */
static void count_cpus(struct sched *s)
{
	struct bytes b = perf_feature(&s->list.session.file, PERF_FEAT_NRCPUS);
	u32 online = b.len >= 8 ? likely_cpu(get32(b.at + 4)) : 0;

	s->last_cpu = s->n_idle = online ? online : USUAL_CPUS;
}

static int take_time(struct sched *s)
{
	u64 first, last;
	const char *wrong;

	if (!s->time)
		return 0;
	listing_times(&s->list, &first, &last);
	wrong = ranges_parse(&s->ranges, s->time, first, last);
	if (!wrong && s->ranges.n > 1)
		wrong = "only one range is allowed";
	if (wrong)
		return fail(0, "--time %s: %s", s->time, wrong);
	if (s->ranges.n) {
		s->start = s->ranges.at[0].start;
		s->end = s->ranges.at[0].end;
	}
	return 0;
}

/* Why there is no line. */
static int say_nothing(struct sched *s)
{
	if (!s->seen)
		return fail(0, "%s has no context switches; record with -e sched:sched_switch or "
			    "--switch-events", s->list.path);
	return fail(0, "%s has no context switch that the options select", s->list.path);
}

static int run(struct sched *s)
{
	struct entry e;
	int status, err;

	/* Times of the selected CPUs depend on what happened on others. */
	s->cpus = s->list.options.cpus;
	s->cpus_room = s->list.options.n_cpus;
	s->list.options.cpus = NULL;
	s->list.options.no_decode = true;
	s->list.all = true;
	if ((status = ask_open(&s->ask)) || (status = ask_start(&s->ask)) ||
	    (status = take_time(s)))
		return status;
	count_cpus(s);
	if (!s->summary)
		sched_put_heading(s);
	while ((err = listing_next(&s->list, &e)) > 0) {
		if (e.kind == ENTRY_EVENTS)
			settle(s);
		else if (e.kind == ENTRY_RECORDED)
			take_sample(s, e.recorded);
		else if (e.kind == ENTRY_RECORD)
			take_record(s, &e);
		if (s->out->err)
			break;
	}
	status = ask_read(&s->ask, err);
	if (!status && (!s->first || (!s->printed && !s->summary && !s->with_summary)))
		return say_nothing(s);
	if (!status && (s->summary || s->with_summary))
		sched_put_summary(s);
	return status;
}

static const char *take(struct sched *s, struct opt *o, const char *name)
{
	static const struct opt_member flags[] = {
		{ "summary", offsetof(struct sched, summary) },
		{ "with-summary", offsetof(struct sched, with_summary) },
		{ "wakeups", offsetof(struct sched, wakeups) },
		{ "next", offsetof(struct sched, next) },
		{ "migrations", offsetof(struct sched, migrations) },
		{ "state", offsetof(struct sched, state) },
		{ "cpu-visual", offsetof(struct sched, cpu_visual) },
		{ "idle-hist", offsetof(struct sched, idle_only) },
		{ "call-graph", offsetof(struct sched, call_graph) },
		{ "time", offsetof(struct sched, time), true },
		{ 0 },
	};
	u64 depth;

	if (opt_set(o, name, flags, s))
		return NULL;
	if (strcmp(name, "max-stack"))
		return ask_take(&s->ask, o, name);
	if (opt_refuse(o, name))
		return o->error;
	if (!num_parse(o->arg, &depth) || depth > 127)
		return "--max-stack takes a number up to 127";
	s->depth = depth;
	return NULL;
}

/* Options that do not go together. False after an error message. */
static bool check(struct sched *s)
{
	bool lines = s->wakeups || s->next || s->cpu_visual;

	if (s->summary && lines)
		return fail(0, "-s prints no lines, so that -%c does nothing; use -S",
			    s->wakeups ? 'w' : s->next ? 'n' : 'V') == 0;
	return true;
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
	if (!ask_done(&the.ask, o) || !check(&the))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_sched = { "sched", "when threads ran, and how long they waited", help,
				   sched, true };
