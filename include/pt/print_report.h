/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A profile as 'perf report --stdio' has it.
 */
#ifndef PT_PRINT_REPORT_H
#define PT_PRINT_REPORT_H

#include <pt/hist.h>

struct out;

enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct report_style {
	struct hist_style hist;
	u8 fields[N_HIST_COLUMNS], n_fields;	/* enum hist_column */
	bool self;		/* that of HIST_OVERHEAD is "Self" */
	bool no_heads;		/* lines of entries, nothing else */
	bool narrow_dso;		/* that column is no wider than its names */
	bool skip_first;	/* the first frame of a chain is the entry's own */
	u8 value;		/* enum chain_value */
	u32 max_chains;		/* this many of each, 0: all */
	double least;		/* entries that have less, in percent, are left out */
	char separator;		/* between columns, which are not padded then; or 0 */
	const char *separators;	/* all of it */
	const char *time;	/* of --time, or NULL */
};

/* A column by the name that --sort and --fields have for it, which may be shortened, or
 * N_HIST_COLUMNS. */
enum hist_column report_column(const char *name, size_t len);

/* The block of one event, after hist_sort(). */
void print_report(struct out *out, struct hist *h, const struct report_style *style,
		  const char *event);

#endif
