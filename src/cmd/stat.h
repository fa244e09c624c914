/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of pt stat share.
 */
#ifndef PT_CMD_STAT_H
#define PT_CMD_STAT_H

#include <pt/opt.h>
#include <pt/print_stat.h>
#include <pt/stat_run.h>
#include <pt/target.h>

/* Options that are a switch, a text or a number. */
struct wants {
	bool append, null, no_inherit, no_merge, metric_only, summary, quiet, sync, diff, json;
	bool wide;
	bool all_user, all_kernel, no_scale, big_num, no_big_num;
	const char *sep, *output, *pre, *post, *control;
	u64 interval, ticks, timeout, runs, log_fd;
	i64 delay;
	int detailed, verbose;
	bool has_runs;
	enum count_by by;
};

struct stat {
	struct wants wants;
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
	struct count_sums sums;		/* of all */
	struct mean wall;
	const char **why;		/* an event's reason, once asked for */
	u32 *order;
	u32 last_e;			/* first event of the last -e */
	u32 printed;			/* intervals since the last heading */
	char prefix[64];
	struct out out;
	const char *commands[2];	/* of --diff */
};

/* Read the options into 's'. Returns 0, or a status when it has complained. */
int stat_ask(struct stat *s, struct opt *o);

/* Choose what was left open: the target, and the events. */
int stat_ask_rest(struct stat *s);

/* Run the command once. 0, or -1 if it could not be, and '*status' says so. */
int stat_once(struct stat *s, int *status);

/* What the last run or interval counted, into s->cells. */
void stat_count(struct stat *s);

/* Why numbers are missing, below the table. */
void stat_reasons(struct stat *s, bool gap);

/* --diff: run both commands in turn and compare. An exit status. */
int stat_diff(struct stat *s);

#endif
