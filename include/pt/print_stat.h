/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts as text, CSV and JSON, with the ratios that follow from them.
 *
 * CSV, a line an event and row, fields in this order:
 *	[time,] [row, [CPUs,]] value, unit, event, [cgroup,] [noise%,]
 *	ns counted, share of the time in %, ratio, its unit
 * JSON, an object a line, with the keys
 *	interval; core, die, socket, node, cpu or thread; aggregate-number;
 *	counter-value, unit, event, cgroup, variance, event-runtime, pcnt-running,
 *	metric-value, metric-unit (both only where there is a ratio), reason
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
	bool merge;		/* instances of a PMU are shown as one */
	bool cgroups;		/* some event has one */
	u32 runs;		/* more than 1: show the noise */
	bool narrow;		/* lines have to fit a terminal */
};

struct stat_table {
	const struct stat_style *style;
	const struct event_list *events;
	const struct count_rows *rows;
	const struct cell *cells;	/* [event][row] */
	double wall_ns;			/* how long it was counted */
	bool on_cpus;			/* CPUs were counted, not tasks */
	bool skip_zero;			/* leave out rows that count nothing */
	u32 *order;			/* room for a number a row: BY_THREAD is sorted there */
	const char *prefix;		/* begins each line of an interval; "" if none */
	/* Why event 'i' was not counted in any row, in words, or NULL. */
	const char *(*why)(const struct stat_table *t, u32 i);
	void *who;
};

/* A ratio, and how it is shown. */
struct stat_metric {
	double value;
	bool known;		/* else only the unit says what it would be */
	u8 width, decimals;
	const char *tail;	/* "%" or " " */
	const char *unit;
};

enum { STAT_METRICS = 2 };

/* The ratios of an event in a row, from that row alone: no more than STAT_METRICS;
 * returns how many. What is not there, or ran below 1 %, gives none. */
int stat_metric(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row);

/* " Performance counter stats for KIND'WHAT' (N runs):" */
void print_stat_title(struct out *o, const struct stat_style *style, const char *kind,
		      const char *what);

/* The line above an interval's first table, and that of --metric-only. */
void print_stat_columns(struct out *o, const struct stat_table *t, bool interval);

void print_stat_table(struct out *o, const struct stat_table *t);

/* What is left below the table. 'seconds', 'noise': mean and its standard error. */
struct stat_end {
	double seconds, noise;
	bool has_times;		/* user and sys are known */
	double user, sys;
};
void print_stat_end(struct out *o, const struct stat_style *style, const struct stat_end *end,
		    bool any_event);

/* 's' as a string of JSON. */
void print_stat_json(struct out *o, const char *s);

/* Each reason for a number that is missing, with the events it holds for; behind
 * a blank line if 'gap'. */
void print_stat_reasons(struct out *o, const struct stat_table *t, bool gap);

#endif
