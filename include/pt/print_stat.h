/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts as text, CSV and JSON, with ratios computed from them.
 *
 * CSV, one line for each event and row, with the fields
 *	[time,] [row, [CPUs,]] value, unit, event, [cgroup,] [noise%,]
 *	ns counted, share of the time in %, ratio, its unit
 * JSON, one object on a line, with the keys
 *	interval; core, die, socket, node, cpu or thread; aggregate-number;
 *	counter-value, unit, event, cgroup, variance, event-runtime, pcnt-running,
 *	metric-value, metric-unit (both only if there is a ratio), reason
 */
#ifndef PT_PRINT_STAT_H
#define PT_PRINT_STAT_H

#include <pt/count.h>
#include <pt/out.h>

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_style {
	enum stat_form form;
	const char *sep;	/* of CSV */
	char comma;		/* between thousands, or 0 */
	bool metric_only;
	bool merge;		/* print the sum of all instances of a PMU */
	bool cgroups;		/* some event has a cgroup */
	u32 runs;		/* more than 1: print the noise */
	bool narrow;		/* lines must fit a terminal */
};

struct stat_table {
	const struct stat_style *style;
	const struct event_list *events;
	const struct count_rows *rows;
	const struct cell *cells;	/* [event][row] */
	double wall_ns;			/* elapsed time of the count */
	bool on_cpus;			/* CPUs were counted, not tasks */
	bool skip_zero;			/* leave out rows with a count of 0 */
	u32 *order;			/* scratch space to sort threads: one number a row */
	const char *prefix;		/* start of each line of an interval, or "" */
	/* A text that says why event 'i' was not counted in any row, or NULL. */
	const char *(*why)(const struct stat_table *t, u32 i);
	void *who;
};

/* A ratio, and its format. */
struct stat_metric {
	double value;
	bool known;		/* else only the unit is printed */
	u8 width, decimals;
	const char *tail;	/* "%" or " " */
	const char *unit;
};

enum { STAT_METRICS = 2 };

/* Compute the ratios of an event in a row, at most STAT_METRICS, from counts of the same row.
 * Returns their number. An event that is missing, or that counted for less than 1 % of the time,
 * gives none. */
int stat_metric(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row);

/* " Performance counter stats for KIND'WHAT' (N runs):" */
void print_stat_title(struct out *o, const struct stat_style *style, const char *kind,
		      const char *what);

/* Print the line above the first table of -I or of --metric-only. */
void print_stat_columns(struct out *o, const struct stat_table *t, bool interval);

void print_stat_table(struct out *o, const struct stat_table *t);

/* The lines below the table. 'seconds', 'noise': the mean and its standard error. */
struct stat_end {
	double seconds, noise;
	bool has_times;		/* user and sys are known */
	double user, sys;
	const double *run_ns;	/* of each run, to print; or n_runs is 0 */
	u32 n_runs;
};
void print_stat_end(struct out *o, const struct stat_style *style, const struct stat_end *end,
		    bool any_event);

/* 's' as a string of JSON. */
void print_stat_json(struct out *o, const char *s);

/* Print each reason for missing numbers with its events; after an empty line if 'gap'. */
void print_stat_reasons(struct out *o, const struct stat_table *t, bool gap);

#endif
