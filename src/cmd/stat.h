/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the files of pt stat.
 */
#ifndef PT_CMD_STAT_H
#define PT_CMD_STAT_H

#include <pt/opt.h>
#include <pt/perf_write.h>
#include <pt/print_stat.h>
#include <pt/stat_run.h>
#include <pt/target.h>

/* Options: switches, strings and numbers. */
struct wants {
	bool append, null, no_inherit, no_merge, metric_only, summary, quiet, sync, diff, json;
	bool no_csv_summary;
	bool wide;
	bool table, clear, topdown;	/* STAT_MORE */
	const char *cputype, *each_cgroup;
	bool all_user, all_kernel, no_scale, big_num, no_big_num;
	const char *sep, *output, *pre, *post, *control;
	u64 interval, ticks, timeout, runs, log_fd;
	i64 delay;
	int detailed, verbose;
	bool has_runs;
	enum count_by by;
};

/* pt stat record and report: stat_file.c. */
struct stat_file {
	struct perf_writer writer;	/* record */
	struct perf_file in;		/* report */
	struct count *was;	/* of each event and counter: its count in the last round */
	u32 n_was, rounds;	/* n_was: counters of an event */
};

struct stat {
	struct wants wants;
	bool records, reports;		/* pt stat record, pt stat report ... */
	const char *data;		/* ... of this file */
	char **words;			/* the command line of pt */
	const char *title;		/* report: what was counted */
	struct stat_file *file;
	struct target target;
	struct arena arena;
	struct event_env env;
	struct event_list events;
	struct counting counting;
	struct target_threads threads;
	struct cpus cpus;
	struct count_rows rows;
	struct stat_style style;
	struct stat_run run;
	struct cell *cells;		/* of the last run or interval */
	struct count_sums sums;		/* of all runs or intervals */
	struct mean wall;
	double *walls;			/* of each run, for --table */
	u32 n_walls;
	const char **why;		/* cache: why an event has no count */
	u32 *order;
	u32 last_e;			/* first event of the last -e */
	u32 printed;			/* intervals since the last heading */
	char prefix[64];
	struct out out;
	const char *commands[2];	/* of --diff */
};

/* Read the options into 's'. Returns 0, or an exit status after an error message. */
int stat_ask(struct stat *s, struct opt *o);

/* Set the defaults for target and events. */
int stat_ask_rest(struct stat *s);

/* stat_once.c: run the command once. Returns 0, or -1 if it could not run; '*status' is then the
 * exit status. For struct stat_run, where 'who' is the struct stat: an interval ended; print the
 * names of the events. */
int stat_once(struct stat *s, int *status);
void stat_interval(void *who, u64 from, u64 to);
void stat_list_events(void *who);

/* Store the counts of the last run or interval in s->cells. */
void stat_count(struct stat *s);

/* stat_table.c: print the counts of all runs, or of an interval; below the table why numbers are
 * missing; the counts of a round of pt stat report, in s->cells. */
void stat_print(struct stat *s);
void stat_print_interval(struct stat *s, u64 from, u64 to);
void stat_reasons(struct stat *s, bool gap);
void stat_print_round(struct stat *s, bool interval, u64 ns);

/* stat_more.c: -M and --topdown add events; --cputype leaves out others; --for-each-cgroup counts
 * all in each cgroup. 0, or an exit status after an error message. */
int stat_check_more(const struct stat *s);
int stat_add_metrics(struct stat *s, const char *list);
int stat_add_topdown(struct stat *s);
int stat_choose_type(struct stat *s);
int stat_for_each_cgroup(struct stat *s);

/* stat_file.c: write the counts of a round at 'ns', since the start or of all; read a file. The
 * functions return 0, or an exit status after an error message. */
void stat_file_words(struct stat *s, struct opt *o);	/* is it one of the two? */
int stat_record_open(struct stat *s);
void stat_record_round(struct stat *s, u64 ns);
int stat_record_close(struct stat *s);
int stat_report(struct stat *s);

/* --diff: run both commands in turn and compare them. Returns an exit status. */
int stat_diff(struct stat *s);

#endif
