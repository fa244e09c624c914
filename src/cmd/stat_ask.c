/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of pt stat: reading them, conflicts between them, and defaults.
 */
#include <string.h>

#include <pt/config/STAT_FILE.h>
#include <pt/config/STAT_MORE.h>
#include <pt/fail.h>
#include <pt/num.h>

#include "stat.h"

static const struct opt_member members[] = {
	{ "append", offsetof(struct stat, wants.append) },
	{ "null", offsetof(struct stat, wants.null) },
	{ "no-inherit", offsetof(struct stat, wants.no_inherit) },
	{ "no-merge", offsetof(struct stat, wants.no_merge) },
	{ "metric-only", offsetof(struct stat, wants.metric_only) },
	{ "summary", offsetof(struct stat, wants.summary) },
	{ "no-csv-summary", offsetof(struct stat, wants.no_csv_summary) },
	{ "quiet", offsetof(struct stat, wants.quiet) },
	{ "sync", offsetof(struct stat, wants.sync) },
	{ "diff", offsetof(struct stat, wants.diff) },
	{ "json-output", offsetof(struct stat, wants.json) },
	{ "wide", offsetof(struct stat, wants.wide) },
	{ "all-user", offsetof(struct stat, wants.all_user) },
	{ "all-kernel", offsetof(struct stat, wants.all_kernel) },
	{ "all-cpus", offsetof(struct stat, target.all_cpus) },
	{ "field-separator", offsetof(struct stat, wants.sep), true },
	{ "output", offsetof(struct stat, wants.output), true },
	{ "pre", offsetof(struct stat, wants.pre), true },
	{ "post", offsetof(struct stat, wants.post), true },
	{ "control", offsetof(struct stat, wants.control), true },
	{ "cpu", offsetof(struct stat, target.cpus), true },
	{ "pid", offsetof(struct stat, target.pids), true },
	{ "tid", offsetof(struct stat, target.tids), true },
	{ "uid", offsetof(struct stat, target.user), true },
	{ 0 },
};

/* Those of stat_more.c. */
static const struct opt_member more_members[] = {
	{ "table", offsetof(struct stat, wants.table) },
	{ "interval-clear", offsetof(struct stat, wants.clear) },
	{ "topdown", offsetof(struct stat, wants.topdown) },
	{ "cputype", offsetof(struct stat, wants.cputype), true },
	{ "for-each-cgroup", offsetof(struct stat, wants.each_cgroup), true },
	{ 0 },
};

static const struct { const char *name; size_t at; } numbers[] = {
	{ "interval-print", offsetof(struct stat, wants.interval) },
	{ "interval-count", offsetof(struct stat, wants.ticks) },
	{ "timeout", offsetof(struct stat, wants.timeout) },
	{ "repeat", offsetof(struct stat, wants.runs) },
	{ "log-fd", offsetof(struct stat, wants.log_fd) },
};

static const struct { const char *name; enum count_by by; } row_options[] = {
	{ "no-aggr", BY_CPU }, { "per-core", BY_CORE }, { "per-die", BY_DIE },
	{ "per-socket", BY_SOCKET }, { "per-node", BY_NODE }, { "per-thread", BY_THREAD },
};

/* Options. Each function returns 0, or an exit status after it has printed an error. */

static int add_events(struct stat *s, const char *text)
{
	struct event_error err;
	u32 n = s->events.n;

	if (event_spec_parse(&s->events, &s->env, text, &err))
		return fail(0, err.hint[0] ? "-e %s: %s: %s" : "-e %s: %s", text, err.what,
			    err.hint);
	s->last_e = n;
	return 0;
}

static int add_filter(struct stat *s, const char *text)
{
	u32 i;

	for (i = s->last_e; i < s->events.n; i++) {
		if (s->events.at[i].attr.type != EVENT_TRACEPOINT)
			return fail(0, "--filter: '%s' is not a tracepoint", s->events.at[i].name);
		s->events.at[i].filter = text;
	}
	return s->events.n ? 0 : fail(0, "--filter needs a tracepoint before it: -e");
}

/* One name applies to all events so far; of several names, each applies to one event. */
static int add_cgroups(struct stat *s, const char *text)
{
	const char *end = strchr(text, ',');
	char *name;
	u32 i;

	if (!s->events.n)
		return fail(0, "-G needs events before it: -e");
	for (i = 0; i < s->events.n; i++) {
		name = arena_strn(&s->arena, text, end ? (size_t)(end - text) : strlen(text));
		s->events.at[i].cgroup = *name ? name : NULL;
		if (!strchr(text, ',') && !i) {
			for (i = 1; i < s->events.n; i++)
				s->events.at[i].cgroup = s->events.at[0].cgroup;
			break;
		}
		if (!end)
			break;
		text = end + 1;
		end = strchr(text, ',');
	}
	s->style.cgroups = true;
	return 0;
}

static int set_delay(struct stat *s, const char *text)
{
	u64 ms = 0;

	if (strcmp(text, "-1") && !num_parse(text, &ms))
		return fail(0, "--delay: '%s' is not a number of milliseconds", text);
	s->wants.delay = *text == '-' ? STAT_STAY_OFF : (i64)MIN(ms, 1ull << 40);
	return 0;
}

static bool set_simple(struct stat *s, struct opt *o, const char *name, int *status)
{
	size_t i;

	if (opt_set(o, name, members, s) ||
	    (CONFIG_STAT_MORE && opt_set(o, name, more_members, s)))
		return true;
	if (opt_refuse(o, name)) {
		*status = STATUS_FAILED;
		return true;
	}
	for (i = 0; i < N_ELEM(row_options); i++)
		if (!strcmp(name, row_options[i].name)) {
			s->wants.by = o->no ? BY_NOTHING : row_options[i].by;
			return true;
		}
	for (i = 0; i < N_ELEM(numbers); i++)
		if (!strcmp(name, numbers[i].name)) {
			if (!num_parse(o->arg, (u64 *)((char *)s + numbers[i].at)))
				*status = fail(0, "--%s: '%s' is not a number", name, o->arg);
			return true;
		}
	return false;
}

static int set_option(struct stat *s, struct opt *o, const char *name)
{
	int status = 0;

	if (set_simple(s, o, name, &status)) {
		s->wants.has_runs |= !strcmp(name, "repeat");
		return status;
	}
	if (CONFIG_STAT_FILE && !strcmp(name, "input")) {
		s->data = o->arg;
		return 0;
	}
	if (!strcmp(name, "event"))
		return add_events(s, o->arg);
	if (CONFIG_STAT_MORE && !strcmp(name, "metrics"))
		return stat_add_metrics(s, o->arg);
	if (!strcmp(name, "filter"))
		return add_filter(s, o->arg);
	if (!strcmp(name, "cgroup"))
		return add_cgroups(s, o->arg);
	if (!strcmp(name, "delay"))
		return set_delay(s, o->arg);
	if (!strcmp(name, "scale"))
		s->wants.no_scale = o->no;
	else if (!strcmp(name, "detailed"))
		s->wants.detailed++;
	else if (!strcmp(name, "verbose"))
		s->wants.verbose++;
	else if (!strcmp(name, "big-num"))
		*(o->no ? &s->wants.no_big_num : &s->wants.big_num) = true;
	return 0;
}

/* Refuse options that exclude each other. */
static int check(struct stat *s)
{
	struct wants *w = &s->wants;
	const char *said = target_settle(&s->target);

	if (said)
		warn(0, "%s", said);
	if (w->output && w->log_fd)
		return fail(0, "--output and --log-fd exclude each other");
	if (w->metric_only && (w->by == BY_THREAD || w->runs > 1))
		return fail(0, "--metric-only excludes --per-thread and -r");
	if (w->big_num && w->sep)
		return fail(0, "-B and -x exclude each other");
	if (w->sep && w->json)
		return fail(0, "-x and -j exclude each other");
	if (w->all_user && w->all_kernel)
		return fail(0, "--all-user and --all-kernel exclude each other");
	if (w->ticks && !w->interval)
		return fail(0, "--interval-count needs -I");
	if (w->timeout && w->interval)
		return fail(0, "--timeout and -I exclude each other; use --interval-count");
	if (w->timeout && w->timeout < 10)
		return fail(0, "--timeout is at least 10 ms");
	if (w->runs > 1 && !s->target.argv)
		return fail(0, "-r needs a command");
	if (w->append && !w->output)
		return fail(0, "--append needs -o");
	if (w->delay == STAT_STAY_OFF && !w->control)
		return fail(0, "--delay -1 needs --control to enable events");
	return CONFIG_STAT_MORE ? stat_check_more(s) : 0;
}

/* Rows of CPUs, and cgroups, need events that count on CPUs. */
static int check_rows(struct stat *s)
{
	enum count_by by = s->wants.by;
	bool cpus = target_has_cpus(&s->target);
	bool each = CONFIG_STAT_MORE && s->wants.each_cgroup;
	bool cgroups = s->style.cgroups || each;

	if (by == BY_THREAD && !target_has_threads(&s->target) &&
	    (!s->target.all_cpus || s->target.cpus))
		return fail(0, "--per-thread needs -p, -t, -u or -a, or no command");
	if ((cgroups || (by != BY_NOTHING && by != BY_THREAD)) && !cpus)
		return fail(0, "%s needs -a or -C", each ? "--for-each-cgroup" :
			    s->style.cgroups ? "-G" : "a row for each CPU");
	return 0;
}

/* Events. */

static void add_plain(struct stat *s, u32 type, u64 config)
{
	event_spec_add(&s->events, &s->env, type, config);
}

static void add_default(struct stat *s)
{
	add_plain(s, EVENT_SOFTWARE, target_has_cpus(&s->target) ? SW_CPU_CLOCK : SW_TASK_CLOCK);
	add_plain(s, EVENT_SOFTWARE, SW_CONTEXT_SWITCHES);
	add_plain(s, EVENT_SOFTWARE, SW_CPU_MIGRATIONS);
	add_plain(s, EVENT_SOFTWARE, SW_PAGE_FAULTS);
	add_plain(s, EVENT_HARDWARE, HW_CYCLES);
	if (event_pmu_has_event(&s->env, "cpu", "stalled-cycles-frontend"))
		add_plain(s, EVENT_HARDWARE, HW_STALLED_FRONTEND);
	if (event_pmu_has_event(&s->env, "cpu", "stalled-cycles-backend"))
		add_plain(s, EVENT_HARDWARE, HW_STALLED_BACKEND);
	add_plain(s, EVENT_HARDWARE, HW_INSTRUCTIONS);
	add_plain(s, EVENT_HARDWARE, HW_BRANCHES);
	add_plain(s, EVENT_HARDWARE, HW_BRANCH_MISSES);
}

/* -d, -dd, -ddd: cache, operation << 8, misses << 16 */
static void add_detailed(struct stat *s, int level)
{
	static const struct { u8 level; u32 config; } more[] = {
		{ 1, 0 }, { 1, 0x10000 }, { 1, 2 }, { 1, 0x10002 },
		{ 2, 1 }, { 2, 0x10001 }, { 2, 3 }, { 2, 0x10003 }, { 2, 4 }, { 2, 0x10004 },
		{ 3, 0x200 }, { 3, 0x10200 },
	};
	size_t i;

	for (i = 0; i < N_ELEM(more) && more[i].level <= level; i++)
		add_plain(s, EVENT_CACHE, more[i].config);
}

/* Without a target pt counts the whole machine. It also does so for a command if all events count
 * per package. */
static bool all_are_uncore(const struct stat *s)
{
	u32 i;

	for (i = 0; i < s->events.n; i++)
		if (!s->events.at[i].uncore && s->events.at[i].tool != EVENT_DURATION_TIME)
			return false;
	return s->events.n;
}

static void choose_target(struct stat *s)
{
	struct target *t = &s->target;

	if (target_has_threads(t) || target_has_cpus(t))
		return;
	if (!t->argv || all_are_uncore(s))
		t->all_cpus = true;
}

static void choose_events(struct stat *s)
{
	u32 i;

	if (!s->events.n && !s->wants.null)
		add_default(s);
	if (!s->wants.null)
		add_detailed(s, s->wants.detailed);
	for (i = 0; i < s->events.n; i++) {
		u64 *flags_of = &s->events.at[i].attr.flags;

		if (s->wants.all_user)
			*flags_of = (*flags_of & ~(1ull << PERF_F_EXCLUDE_USER)) |
				1ull << PERF_F_EXCLUDE_KERNEL;
		if (s->wants.all_kernel)
			*flags_of = (*flags_of & ~(1ull << PERF_F_EXCLUDE_KERNEL)) |
				1ull << PERF_F_EXCLUDE_USER;
	}
}

/* --diff: take the two commands, and refuse options that a table of two commands cannot show. */
static int take_commands(struct stat *s, char **words)
{
	const struct wants *w = &s->wants;

	if (!words[0] || !words[1] || words[2] || !*words[0] || !*words[1])
		return fail(0, "--diff needs two commands, each one word: 'cmd a' 'cmd b'");
	if (target_has_threads(&s->target) || w->by != BY_NOTHING || w->interval || w->metric_only)
		return fail(0, "--diff compares commands: no other target, rows or intervals");
	if (w->has_runs && w->runs < 2)
		return fail(0, "--diff needs at least two runs of each");
	s->commands[0] = words[0];
	s->commands[1] = words[1];
	s->target.argv = words;
	if (!w->has_runs)
		s->wants.runs = 10;
	return 0;
}

int stat_ask(struct stat *s, struct opt *o)
{
	const char *name;
	int status = 0;
	char **words;

	o->plain_ends = !s->reports;
	while ((name = opt_next(o))) {
		if ((status = set_option(s, o, name)))
			return status;
		/* the commands of --diff are one word each, so options may follow them */
		o->plain_ends = !s->wants.diff && !s->reports;
	}
	if (opt_stopped(o))
		return STATUS_FAILED;
	words = opt_words(o);
	if (CONFIG_STAT_FILE && s->records && s->wants.output) {
		s->data = s->wants.output;
		s->wants.output = NULL;
	}
	if (CONFIG_STAT_FILE && s->reports && *words) {
		s->data = *words++;
		if (*words)
			return fail(0, "pt stat report takes one file: %s or %s", s->data, *words);
	}
	if (s->wants.diff)
		return take_commands(s, words);
	s->target.argv = *words ? words : NULL;
	return 0;
}

int stat_ask_rest(struct stat *s)
{
	int status = check(s);

	if (status)
		return status;
	if (CONFIG_STAT_MORE && s->wants.topdown && (status = stat_add_topdown(s)))
		return status;
	choose_target(s);
	status = check_rows(s);
	if (status)
		return status;
	choose_events(s);
	if (CONFIG_STAT_MORE && s->wants.cputype)
		status = stat_choose_type(s);
	if (CONFIG_STAT_MORE && s->wants.each_cgroup && !status)
		status = stat_for_each_cgroup(s);
	return status;
}
