/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat: count events, and print counts and ratios.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/STAT_FILE.h>
#include <pt/config/STAT_MORE.h>
#include <pt/date.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/fail.h>
#include <pt/paint.h>
#include <pt/term.h>
#include <pt/textfile.h>

#include "stat.h"

static const PACKED(help) =
	"usage: pt stat [OPTIONS] [COMMAND [ARGS]]\n"
	HELP_IF(CONFIG_STAT_FILE,
	"       pt stat record [-o FILE] [OPTIONS] [COMMAND [ARGS]]   keep the counts\n"
	"       pt stat report [-i FILE] [OPTIONS]                    print them again\n")
	"\n"
	"Count events while COMMAND runs, or on CPUs, processes or threads until Ctrl-C.\n"
	"More: --help=rows, --help=output, --help=runs, --help=honesty, --help=all.\n"
	"\n"
	"  -e, --event LIST       what to count: names, pmu/terms/, {groups}: see pt list\n"
	"  -d, --detailed         add cache events; -dd and -ddd add more\n"
	"  -a, --all-cpus         everything on all CPUs (default without COMMAND)\n"
	"  -C, --cpu LIST         everything on these CPUs: 0-3,8\n"
	"  -p, --pid LIST         running processes, with all their threads\n"
	"  -t, --tid LIST         running threads\n"
	"  -u, --uid USER         all processes of a user\n"
	"  -i, --no-inherit       without child processes\n"
	"      --filter TEXT      only events of the last -e's tracepoint that match\n"
	"  -G, --cgroup LIST      with -a or -C: only tasks of these cgroups\n"
	"\n"
	"  pt stat ls                              the usual events of a command\n"
	"  pt stat -a -I 1000 -e cs,faults         the whole machine, every second\n"
	"  pt stat --diff 'ls /' 'ls -l /'         which one is faster?\n"
	"\f"
	"rows: what is added up (with -a or -C)\n"
	"\n"
	"  -A, --no-aggr          a row for each CPU\n"
	"      --per-core         a row for each core, with its number of CPUs\n"
	"      --per-die          a row for each die\n"
	"      --per-socket       a row for each socket\n"
	"      --per-node         a row for each NUMA node\n"
	"      --per-thread       a row for each thread (with -p, -t, -u or alone)\n"
	"      --no-merge         a row for each instance of an uncore PMU\n"
	"      --all-user         leave the kernel out of every event\n"
	"      --all-kernel       leave user space out of every event\n"
	HELP_IF(CONFIG_STAT_MORE,
	"      --for-each-cgroup LIST  with -a or -C: all events in each of these cgroups\n"
	"  -M, --metrics LIST     ratios: ipc, ghz, branch-misses, l1d, llc, dtlb, ...\n"
	"      --topdown          what slots of the pipeline were used for (Intel)\n"
	"      --cputype TYPE     only CPUs of this type: core, atom\n")
	"\n"
	"Ratios use the counts and the time of their own row.\n"
	"\f"
	"output: its form, and where it goes (stderr)\n"
	"\n"
	"  -x, --field-separator SEP   one line a count, SEP between fields: [time,]\n"
	"                         [row,[CPUs,]]value,unit,event,[cgroup,][noise%,]\n"
	"                         ns counted,share of time in %,ratio,its unit\n"
	"  -j, --json-output      a JSON object a line: interval; cpu, core, die, socket,\n"
	"                         node, thread, aggregate-number; counter-value, unit,\n"
	"                         event, cgroup, variance, event-runtime, pcnt-running,\n"
	"                         metric-value, metric-unit, reason, if they exist\n"
	"  -o, --output FILE      into FILE\n"
	"      --append           append to FILE\n"
	HELP_IF(CONFIG_STAT_FILE,
	"      --input FILE       with report: of FILE (perf.data)\n")
	"      --log-fd FD        to an open descriptor\n"
	"  -B, --big-num          commas between thousands, in any locale\n"
	"      --metric-only      ratios only, one line for each row\n"
	"      --scale            (the default) --no-scale: counts as they were read\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide             perf's columns on a terminal, not narrow ones\n")
	"      --summary          with -I: the sum of all intervals at the end\n"
	"      --quiet            print nothing\n"
	"  -v, --verbose          each event's count, ns enabled and ns counted\n"
	"\f"
	"runs: how often, when and how long\n"
	"\n"
	"  -r, --repeat N         run COMMAND N times: mean and standard error\n"
	"      --diff             two commands (one word each) in turn, 10 times or -r N:\n"
	"                         the ratio of their counts, if it is more than noise\n"
	"  -I, --interval-print MS   print the counts every MS milliseconds\n"
	"      --interval-count N    end after N intervals\n"
	"      --timeout MS       end after MS milliseconds\n"
	"  -D, --delay MS         begin MS milliseconds after the start; -1: when\n"
	"                         --control enables\n"
	"      --control FIFOS    fifo:CTL[,ACK] or fd:CTL[,ACK]: lines enable, disable,\n"
	"                         stop, ping, evlist; pt answers \"ack\"\n"
	"  -n, --null             count nothing, only measure the time\n"
	"      --pre CMD          sh -c CMD before each run\n"
	"      --post CMD         sh -c CMD after each run\n"
	"  -S, --sync             sync() before each run\n"
	HELP_IF(CONFIG_STAT_MORE,
	"      --table            with -r: the time of each run\n"
	"      --interval-clear   with -I: clear the screen before each table\n"
	"      --no-csv-summary   with -I, -x and --summary: no such word in its lines\n")
	"\f"
	"honesty: the meaning of numbers\n"
	"\n"
	"<not supported>  the event cannot be opened; the reason is below the table\n"
	"<not counted>    it was opened but never counted, or you lack rights\n"
	"(12.34%)         the event shared a counter with others: it counted for this\n"
	"                 part of the time, and the value is scaled to all of it\n"
	"\n"
	"A ratio is printed if both its operands counted in the same row for at least 1 %\n"
	"of the time. With CPUs of several types, the line of one type is its own count,\n"
	"not scaled by the time on the others.\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf stat without effect, since pt does so anyway\n"
	"\n"
	"      --hybrid-merge\n"
	"      --metric-no-group\n"
	"      --metric-no-merge\n");

static bool some_per_package(const struct stat *s)
{
	u32 i;

	for (i = 0; i < s->events.n && !s->events.at[i].per_pkg; i++)
		;
	return i < s->events.n;
}

/* With another target, the command only determines the duration. */
static bool counts_command(const struct stat *s)
{
	return s->target.argv && !target_has_cpus(&s->target) && !target_has_threads(&s->target);
}

static int find_targets(struct stat *s)
{
	bool all = s->wants.by == BY_THREAD && s->target.all_cpus;
	const char *which;
	int err;

	err = target_find_cpus(&s->target, s->env.sysfs, &s->cpus, &s->arena);
	if (err)
		return fail(0, "-C %s: no such CPU", s->target.cpus);
	err = target_find_threads(&s->target, all, &s->threads, &s->arena, &which);
	if (err)
		return fail(0, "cannot count '%s': %s", which, target_why(&s->target, err));
	s->counting = (struct counting){
		.env = &s->env, .events = &s->events, .arena = &s->arena, .cpus = &s->cpus,
		.on_cpus = target_has_cpus(&s->target) && !all, .inherit = !s->wants.no_inherit,
		.tids = s->threads.tid,
		.n_tids = counts_command(s) ? 1 : s->threads.n,
	};
	if ((target_has_threads(&s->target) || all) && !s->threads.n)
		return fail(0, "there are no threads to count");
	return 0;
}

static void make_table(struct stat *s)
{
	bool topology = s->wants.by != BY_NOTHING || some_per_package(s);
	struct count_threads threads = { s->threads.n, s->threads.tid, s->threads.comm };
	u32 n;

	count_rows_make(&s->rows, s->wants.by, &s->cpus, &threads,
			topology ? cpus_places(&s->cpus, s->env.sysfs, &s->arena) : NULL,
			&s->arena);
	n = s->events.n * s->rows.n;
	s->cells = NEW(&s->arena, struct cell, n);
	count_sums_make(&s->sums, n, &s->arena);
	s->order = NEW(&s->arena, u32, s->rows.n);
	if (CONFIG_STAT_MORE && s->wants.table)
		s->walls = NEW(&s->arena, double, s->wants.runs);
	s->why = NEW(&s->arena, const char *, s->events.n);
}

/* Output. */

/* In glibc, all locales except "C" and "POSIX" separate thousands. */
static bool locale_has_commas(void)
{
	static const char *const names[] = { "LC_ALL", "LC_NUMERIC", "LANG" };
	const char *value;
	size_t i;

	for (i = 0; i < N_ELEM(names); i++) {
		value = getenv(names[i]);
		if (value && *value)
			return *value != 'C' && strcmp(value, "POSIX");
	}
	return false;
}

static void set_style(struct stat *s)
{
	struct wants *w = &s->wants;

	s->style.form = w->sep ? STAT_CSV : w->json ? STAT_JSON : STAT_TEXT;
	s->style.sep = !w->sep ? " " : !strcmp(w->sep, "\\t") ? "\t" : w->sep;
	s->style.metric_only = w->metric_only;
	s->style.merge = !w->no_merge;
	s->style.runs = w->runs;
	if (!w->sep && (w->big_num || (!w->no_big_num && locale_has_commas())))
		s->style.comma = ',';
}

static void say_started(struct out *o)
{
	char date[DATE_SIZE];

	out_fmt(o, "# started on %s\n\n", date_text(date, date_clock(CLOCK_REALTIME) / 1000000000));
}

static int open_output(struct stat *s)
{
	enum { SIZE = 2 * OUT_ROOM };
	const struct wants *w = &s->wants;
	int how = O_WRONLY | O_CREAT | O_CLOEXEC | (w->append ? O_APPEND : O_TRUNC);
	int fd = w->log_fd ? (int)w->log_fd : 2;

	if (w->quiet)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	else if (w->output && strcmp(w->output, "-"))
		fd = open(w->output, how, 0666);
	if (fd < 0)
		return fail(-errno, "cannot write %s", w->output);
	out_open(&s->out, fd, NEW(&s->arena, char, SIZE), SIZE);
	s->out.lines = false;
	if (CONFIG_CONSOLE && s->style.form == STAT_TEXT && !w->wide)
		term_fit(&s->out);
	if (s->style.form == STAT_TEXT)
		paint(&s->out, PAINT_COUNTS);
	s->style.narrow = term_fits(&s->out);
	if (w->output && strcmp(w->output, "-") && !w->quiet)
		say_started(&s->out);
	return 0;
}

/* Reasons for missing counts */

static bool watchdog_counts(void)
{
	u64 v;

	return !textfile_value("/proc/sys/kernel/nmi_watchdog", 10, &v) && v == 1;
}

/* Why event 'i' has no count although it was opened, or was refused because its group is too
 * large. */
static void why_silent(char *to, size_t size, const struct stat *s, u32 i)
{
	const struct event_spec *spec = &s->events.at[i];
	const struct cell *cell = &s->cells[i * s->rows.n];
	const char *dog = watchdog_counts() ? "; the NMI watchdog holds one: "
		"echo 0 > /proc/sys/kernel/nmi_watchdog" : "";
	u32 members = s->events.at[spec->leader].members;

	if (s->counting.at[i].err)
		fmt_str(to, size, "its group needs %u counters at once; fewer are free%s",
			members, dog);
	else if (!cell->enabled && s->wants.delay)
		fmt_str(to, size, "it was never enabled");
	else if (!cell->enabled)
		fmt_str(to, size, "no counted task ran in this time");
	else if (spec->hybrid && !s->counting.on_cpus)
		fmt_str(to, size, "nothing ran on CPUs of this type");
	else if (members > 1)
		fmt_str(to, size, "its group needs %u counters at once; fewer are free%s",
			members, dog);
	else
		fmt_str(to, size, "no counter was free for it%s", dog);
}

static const char *why(const struct stat_table *t, u32 i)
{
	struct stat *s = t->who;
	char text[256];
	int err = s->counting.at[i].err;
	u32 leader = s->events.at[i].leader;

	if (s->why[i])
		return s->why[i];
	if (err && leader != i && s->counting.at[leader].err == err)
		fmt_str(text, sizeof(text), "the first event of its group could not be opened");
	else if (err == -EINVAL && s->events.at[i].grouped && i != leader)
		why_silent(text, sizeof(text), s, i);
	else if (err)
		counter_why(text, sizeof(text), &s->events.at[i], err, s->counting.on_cpus,
			    &s->env);
	else
		why_silent(text, sizeof(text), s, i);
	s->why[i] = arena_str(&s->arena, text);
	return s->why[i];
}

/* Results. */

static struct stat_table table_of(struct stat *s, const struct cell *cells, double wall_ns)
{
	return (struct stat_table){
		.style = &s->style, .events = &s->events, .rows = &s->rows, .cells = cells,
		.wall_ns = wall_ns, .on_cpus = s->counting.on_cpus, .prefix = s->prefix,
		.skip_zero = s->wants.by == BY_THREAD && s->target.all_cpus,
		.order = s->order, .why = why, .who = s,
	};
}

void stat_count(struct stat *s)
{
	count_cells(s->cells, &s->counting, &s->rows, !s->wants.no_merge, !s->wants.no_scale);
}

static void say_counts(struct stat *s)
{
	u32 i;

	for (i = 0; s->wants.verbose && i < s->events.n; i++) {
		const struct cell *cell = &s->cells[i * s->rows.n];

		if (s->wants.by == BY_NOTHING && cell->state == CELL_COUNTED)
			out_fmt(&s->out, "%s: %llu %llu %llu\n", s->events.at[i].name,
				(u64)cell->raw, cell->enabled, cell->running);
	}
}

/* Add the counts of a run that has ended. */
static void add_run(struct stat *s)
{
	stat_count(s);
	say_counts(s);
	mean_add(&s->wall, s->run.wall_ns);
	if (CONFIG_STAT_FILE && s->records && !s->wants.interval)
		stat_record_round(s, s->run.wall_ns);
	if (CONFIG_STAT_MORE && s->wants.table && s->n_walls < s->wants.runs)
		s->walls[s->n_walls++] = s->run.wall_ns;
	if (!s->wants.interval)
		count_sums_run(&s->sums, s->cells);
}

/* List the events where perf does: with the counts, if these go to a file. */
static void list_events(void *who)
{
	struct stat *s = who;
	char buf[OUT_ROOM];
	struct out out;
	u32 i;

	out_open(&out, 2, buf, sizeof(buf));
	for (i = 0; i < s->events.n; i++) {
		out_name(&out, s->events.at[i].name);
		out_newline(&out);
	}
	out_flush(&out);
}

static void put_prefix(struct stat *s, u64 to)
{
	fmt_str(s->prefix, sizeof(s->prefix), s->style.form == STAT_JSON ?
		"{\"interval\" : %llu.%09llu, " : s->style.form == STAT_CSV ? "%6llu.%09llu%s" :
		s->style.narrow ? "%6llu.%03llu%s" : "%6llu.%09llu%s", to / 1000000000,
		to % 1000000000 / (s->style.narrow ? 1000000 : 1), s->style.sep);
}

static void interval(void *who, u64 from, u64 to)
{
	enum { HEAD_EVERY = 25 };
	struct stat *s = who;
	struct stat_table t;

	stat_count(s);
	say_counts(s);
	if (CONFIG_STAT_FILE && s->records)
		stat_record_round(s, to);
	count_sums_interval(&s->sums, s->cells, &s->counting);
	put_prefix(s, to);
	t = table_of(s, s->cells, to - from);
	if (CONFIG_STAT_MORE && s->wants.clear) {
		out_str(&s->out, "\033[H\033[2J");
		s->printed = 0;
	}
	if (s->printed++ % HEAD_EVERY == 0)
		print_stat_columns(&s->out, &t, true);
	print_stat_table(&s->out, &t);
	out_flush(&s->out);
	s->prefix[0] = 0;
}

static void title_of_run(struct stat *s)
{
	const struct target *t = &s->target;
	char text[1024];
	size_t len = 0;
	char **word;

	if (t->all_cpus) {
		print_stat_title(&s->out, &s->style, "", "system wide");
	} else if (t->cpus) {
		fmt_str(text, sizeof(text), "CPU(s) %s", t->cpus);
		print_stat_title(&s->out, &s->style, "", text);
	} else if (counts_command(s)) {
		for (word = t->argv; *word && len < sizeof(text); word++)
			len += fmt_str(text + len, sizeof(text) - len, "%s%s",
				       word == t->argv ? "" : " ", *word);
		print_stat_title(&s->out, &s->style, "", text);
	} else {
		print_stat_title(&s->out, &s->style,
				 t->pids ? "process id " : t->tids ? "thread id " : "user ",
				 t->pids ? t->pids : t->tids ? t->tids : t->user);
	}
}

static void title(struct stat *s)
{
	if (CONFIG_STAT_FILE && s->reports) {
		print_stat_title(&s->out, &s->style, "", s->title);
		return;
	}
	title_of_run(s);
}

void stat_reasons(struct stat *s, bool gap)
{
	struct stat_table t = table_of(s, s->sums.runs ? s->sums.all : s->cells, s->wall.value);

	if (s->style.form == STAT_TEXT)
		print_stat_reasons(&s->out, &t, gap);
}

static void print_result(struct stat *s)
{
	bool tasks = !target_has_cpus(&s->target) && !target_has_threads(&s->target);
	struct stat_end end = {
		.seconds = s->wall.value / 1e9, .noise = mean_error(&s->wall) / 1e9,
		.has_times = tasks, .user = s->run.user_ns / 1e9, .sys = s->run.sys_ns / 1e9,
		.run_ns = s->walls, .n_runs = s->n_walls,
	};
	struct stat_table t = table_of(s, s->sums.all, s->wall.value);

	title(s);
	if (s->style.form == STAT_CSV && s->wants.interval && !s->wants.no_csv_summary) {
		fmt_str(s->prefix, sizeof(s->prefix), "%16s%s", "summary", s->style.sep);
		t.prefix = s->prefix;
	}
	if (s->style.metric_only)
		print_stat_columns(&s->out, &t, false);
	print_stat_table(&s->out, &t);
	print_stat_end(&s->out, &s->style, &end, !s->wants.null);
	stat_reasons(s, false);
}

/* Running. */

static int aside(const char *what)
{
	char *argv[] = { "sh", "-c", (char *)what, NULL };
	int status = what ? stat_run_aside(argv) : 0;

	if (status < 0)
		return fail(status, "cannot run sh");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int say_failed(struct stat *s, enum stat_failed failed, int err)
{
	const struct event_spec *spec = s->run.which;
	char text[256];

	if (failed == STAT_FAILED_EXEC) {
		fail(err, "cannot run '%s'", *s->run.argv);
		return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	}
	if (failed != STAT_FAILED_OPEN)
		return fail(err, "cannot count");
	if (spec->cgroup && err == -ENOENT)
		return fail(0, "there is no cgroup '%s'", spec->cgroup);
	if (spec->filter && err == -EINVAL)
		return fail(0, "event '%s' does not take the filter '%s'", spec->name,
			    spec->filter);
	counter_why(text, sizeof(text), spec, err, s->counting.on_cpus, &s->env);
	return fail(0, "cannot count '%s': %s", spec->name, text);
}

/* The exit status of the command; success if --timeout or --interval-count ended it. */
static int status_of(const struct stat *s)
{
	int status = s->run.status;

	if (s->run.signal)
		return 128 + s->run.signal;
	if (!s->run.waited || (s->run.cut && WIFSIGNALED(status)))
		return STATUS_DONE;
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	if (!s->wants.quiet)
		warn(0, "%s: %s", *s->run.argv, strsignal(WTERMSIG(status)));
	return 128 + WTERMSIG(status);
}

int stat_once(struct stat *s, int *status)
{
	enum stat_failed failed;
	int err, before = aside(s->wants.pre);

	*status = before;
	if (before)
		return -1;
	if (s->wants.sync)
		sync();
	failed = stat_run(&s->run, &err);
	if (failed) {
		*status = say_failed(s, failed, err);
		return -1;
	}
	*status = status_of(s);
	if (!s->wants.diff)
		add_run(s);
	before = *status ? 0 : aside(s->wants.post);
	if (before)
		*status = before;
	return 0;
}

static int run_all(struct stat *s)
{
	u64 i, runs = MAX(s->wants.runs, 1ull);
	int status = 0;

	for (i = 0; i < runs; i++) {
		if (s->wants.verbose && s->style.runs > 1)
			out_fmt(&s->out, "[ pt stat: run %llu ]\n", i + 1);
		if (stat_once(s, &status))
			return status;
		if (s->run.signal)
			break;
		if (s->wants.has_runs && !s->wants.runs) {
			/* -r 0: repeat for ever, and print a table for each run */
			print_result(s);
			out_flush(&s->out);
			count_sums_reset(&s->sums);
			s->wall = (struct mean){ 0 };
			runs++;
		}
	}
	if (!s->wants.interval || s->wants.summary)
		print_result(s);
	else
		stat_reasons(s, true);
	return status;
}

static int prepare_run(struct stat *s)
{
	const struct wants *w = &s->wants;
	int err = 0;

	s->run = (struct stat_run){
		.counting = &s->counting, .argv = s->target.argv,
		.counts_command = counts_command(s), .ctl_fd = -1, .ack_fd = -1,
		.interval_ns = w->interval * 1000000, .timeout_ns = w->timeout * 1000000,
		.delay_ns = w->delay > 0 ? w->delay * 1000000 : w->delay,
		.ticks = w->ticks, .tick = interval, .list = list_events, .who = s,
	};
	if (w->control)
		err = stat_run_control(&s->run, w->control);
	if (err == -EINVAL)
		return fail(0, "--control: '%s' is neither fd:CTL[,ACK] nor fifo:CTL[,ACK]",
			    w->control);
	return err ? fail(err, "--control %s", w->control) : 0;
}

void stat_report_round(struct stat *s, bool interval, u64 ns)
{
	struct stat_end end = { .seconds = ns / 1e9 };
	struct stat_table t;

	if (interval)
		put_prefix(s, ns);
	t = table_of(s, s->cells, interval ? 0 : ns);
	t.why = NULL;
	if (interval && !s->printed++)
		print_stat_columns(&s->out, &t, true);
	if (!interval)
		title(s);
	print_stat_table(&s->out, &t);
	if (!interval)
		print_stat_end(&s->out, &s->style, &end, true);
	s->prefix[0] = 0;
}

/* pt stat report: the table of a file. */
static int run_report(struct stat *s)
{
	int status;

	set_style(s);
	status = open_output(s);
	if (!status)
		status = stat_report(s);
	out_flush(&s->out);
	return s->out.err && !status ? fail(s->out.err, "cannot write") : status;
}

static int run_stat(struct stat *s)
{
	int status = stat_ask_rest(s);

	if (status)
		return status;
	set_style(s);
	if ((status = find_targets(s)) || (status = prepare_run(s)) || (status = open_output(s)))
		return status;
	make_table(s);
	counter_raise_limit();
	if (CONFIG_STAT_FILE && s->records && (status = stat_record_open(s)))
		return status;
	status = s->wants.diff ? stat_diff(s) : run_all(s);
	if (CONFIG_STAT_FILE && s->records) {
		int err = stat_record_close(s);

		status = status ? status : err;
	}
	out_flush(&s->out);
	return s->out.err && !status ? fail(s->out.err, "cannot write") : status;
}

static int stat_main(struct opt *o, struct out *out)
{
	struct stat s = { .env = { .sysfs = "/sys", .arena = &s.arena }, .wants.runs = 1 };
	int status;

	if (CONFIG_STAT_FILE)
		stat_file_words(&s, o);
	status = stat_ask(&s, o);
	if (!status)
		status = CONFIG_STAT_FILE && s.reports ? run_report(&s) : run_stat(&s);
	arena_free(&s.arena);
	return status;
}

const struct command cmd_stat = { "stat", "count events", help, stat_main };
