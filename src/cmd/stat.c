/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat: count events, and print counts and ratios.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

#include "stat.h"

PACKED(help) =
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
	"      --scale            the default; --no-scale: print counts as they were read\n"
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
	"      --control FIFOS    fifo:CTL[,ACK] or fd:CTL[,ACK]. Lines to CTL: enable,\n"
	"                         disable, stop, ping, evlist; pt answers \"ack\"\n"
	"  -n, --null             count nothing, only measure the time\n"
	"      --pre CMD          sh -c CMD before each run\n"
	"      --post CMD         sh -c CMD after each run\n"
	"  -S, --sync             sync() before each run\n"
	HELP_IF(CONFIG_STAT_MORE,
	"      --table            with -r: the time of each run\n"
	"      --interval-clear   with -I: clear the screen before each table\n"
	"      --no-csv-summary   with -I, -x, --summary: without the word summary\n")
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

/* Output */

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

/* Running */

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
			stat_print(s);
			out_flush(&s->out);
			count_sums_reset(&s->sums);
			s->wall = (struct mean){ 0 };
			runs++;
		}
	}
	if (!s->wants.interval || s->wants.summary)
		stat_print(s);
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
		.ticks = w->ticks, .tick = stat_interval, .list = stat_list_events, .who = s,
	};
	if (w->control)
		err = stat_run_control(&s->run, w->control);
	if (err == -EINVAL)
		return fail(0, "--control: '%s' is neither fd:CTL[,ACK] nor fifo:CTL[,ACK]",
			    w->control);
	return err ? fail(err, "--control %s", w->control) : 0;
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
