/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat: counts to tables, with a title and the reasons for missing counts.
 */
#include <errno.h>

#include <pt/config/STAT_FILE.h>
#include <pt/config/STAT_MORE.h>
#include <pt/textfile.h>

#include "stat.h"

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

/* Tables */

static struct stat_table table_of(struct stat *s, const struct cell *cells, double wall_ns)
{
	return (struct stat_table){
		.style = &s->style, .events = &s->events, .rows = &s->rows, .cells = cells,
		.wall_ns = wall_ns, .on_cpus = s->counting.on_cpus, .prefix = s->prefix,
		.skip_zero = s->wants.by == BY_THREAD && s->target.all_cpus,
		.order = s->order, .why = why, .who = s,
	};
}

static void put_prefix(struct stat *s, u64 to)
{
	fmt_str(s->prefix, sizeof(s->prefix), s->style.form == STAT_JSON ?
		"{\"interval\" : %llu.%09llu, " : s->style.form == STAT_CSV ? "%6llu.%09llu%s" :
		s->style.narrow ? "%6llu.%03llu%s" : "%6llu.%09llu%s", to / 1000000000,
		to % 1000000000 / (s->style.narrow ? 1000000 : 1), s->style.sep);
}

void stat_print_interval(struct stat *s, u64 from, u64 to)
{
	enum { HEAD_EVERY = 25 };
	struct stat_table t;

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
	} else if (s->run.counts_command) {
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

void stat_print(struct stat *s)
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

void stat_print_round(struct stat *s, bool interval, u64 ns)
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
