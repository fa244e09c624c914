/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Print a profile like 'perf report --stdio'.
 */
#ifndef PT_PRINT_REPORT_H
#define PT_PRINT_REPORT_H

#include <pt/hist.h>

struct out;
struct branch_blocks;
struct branch_types;
struct hist_keys;

enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

/* A column of a field of a tracepoint. */
struct key_field { const char *name; u32 width; };

struct report_style {
	u8 n_fields;
	bool self;		/* the head of HIST_OVERHEAD is "Self" */
	bool no_heads;		/* print only the lines of entries */
	bool narrow_dso;		/* the DSO column is as wide as its names */
	bool skip_first;	/* the first frame of a chain is the entry's own */
	u8 value;		/* enum chain_value */
	const char *widths;	/* of columns: "10,0,30", or NULL */
	const i32 *socket;	/* the argument of --socket-filter, or NULL */
	bool hierarchy;		/* entries in a tree, with a level for each key */
	bool branches;		/* entries are of branch stacks */
	bool counts;		/* chains have branches: print their counts */
	bool ns;		/* times with nanoseconds */
	u32 max_chains;		/* chains to print for each entry; 0: all */
	double least;		/* leave out entries below this percentage */
	char separator;		/* between columns, which are then not padded; or 0 */
	const char *separators;	/* the whole separator */
	const char *time;	/* the argument of --time, or NULL */
	struct key_field *columns;	/* those from HIST_FIELD on */
	struct hist_style hist;
	u8 fields[N_HIST_COLUMNS];	/* enum hist_column */
	u8 level[N_HIST_COLUMNS];	/* neighbours with the same number are one level */
};

/* The column with this name in --sort and --fields, which may be abbreviated; N_HIST_COLUMNS if
 * there is none. */
enum hist_column report_column(const char *name, size_t len);

/* Print what a table begins with: the event, and how many samples it has. */
void print_report_title(struct out *out, const struct hist *h, const struct report_style *style,
			const char *event);

/* print_branch_blocks.c: the table of blocks, after branch_blocks_sort(). */
void print_branch_blocks(struct out *out, const struct branch_blocks *b, struct hist_keys *keys,
			 const struct report_style *style);

/* print_branch_counts.c: how many branches there are of each type, after the tables of branches. */
void print_branch_types(struct out *out, const struct branch_types *types);

/* Print the table of one event. Call it after hist_sort(). */
void print_report(struct out *out, struct hist *h, const struct report_style *style,
		  const char *event);

#endif
