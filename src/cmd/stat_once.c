/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat: one run of a command, or the time until Ctrl-C, and its counts.
 */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/STAT_FILE.h>
#include <pt/config/STAT_MORE.h>
#include <pt/fail.h>

#include "stat.h"

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

void stat_interval(void *who, u64 from, u64 to)
{
	struct stat *s = who;

	stat_count(s);
	say_counts(s);
	if (CONFIG_STAT_FILE && s->records)
		stat_record_round(s, to);
	count_sums_interval(&s->sums, s->cells, &s->counting);
	stat_print_interval(s, from, to);
}

/* List the events where perf does: with the counts, if these go to a file. */
void stat_list_events(void *who)
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
