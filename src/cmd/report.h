/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of pt report share.
 */
#ifndef REPORT_H
#define REPORT_H

#include <pt/branch_blocks.h>
#include <pt/branch_chain.h>
#include <pt/hist_keys.h>
#include <pt/made.h>
#include <pt/print_report.h>
#include "ask.h"

enum { PLACES = 4096 };		/* a power of two */

/* A cache entry: map and symbol of an address. */
struct place { u32 space; struct frame frame; };

/* The options of report_more.c. */
struct report_more {
	struct hist_keys keys;
	bool exclude_other, hide_unresolved, relative, by_socket, asked_parent, host;
	bool raw_trace;		/* tracepoints: the values of fields, not the text */
	bool parents;		/* there is a column for them */
	bool chains;		/* call chains are needed even if they are not printed */
	i32 socket;
	const char *part;	/* --symbol-filter */
	bool threads, raw;	/* -T, --pretty=raw */
	struct hash_table lines;	/* those of frames */
	struct report_field **fields;	/* those that are columns */
	u32 n_fields;
};

enum { BRANCHES_AUTO, BRANCHES_ASKED, BRANCHES_NONE };

struct report {
	struct listing list;
	struct ask ask;
	struct out *out;
	struct report_style style;
	const char *sort, *fields;
	bool no_chains, asked_chains, has_chains, inverted, order_set, itrace_set, stdio,
	     started;
	bool samples, periods, shares;	/* columns */
	u32 max_stack;		/* --max-stack, or 0 */
	bool no_frames;		/* it is 0 */
	enum { GROUP_AS_RECORDED, GROUP_ALL, GROUP_NONE } group;
	struct hist made[N_SAMPLE_KINDS], *events;
	u32 n_events;
	struct place places[PLACES];
	u64 ips[ITRACE_CHAIN_MAX];
	struct frame chain[BRANCH_CHAIN_MAX];
	bool history, past;	/* --branch-history; chains have branches */
	bool total_cycles;	/* a table of blocks */
	struct branch_blocks blocks;
	struct branch_types branch_types;
	struct branch_chain branch_chain;
	u64 marked[2 * ITRACE_CHAIN_MAX];
	char trace[OUT_BUFFER];
	struct report_more more;
	u8 branches;		/* -b: BRANCHES_* */
	struct report_threads *threads;	/* of -T; NULL: no counts came yet */
	bool stats, tasks, mmaps;	/* other outputs: report_stats.c */
};

/* report_columns.c: set the columns and the sort keys, when the file is open. Exit status. */
int report_columns(struct report *r);

/* If a list option selects one value, print it once before the table and hide its column, unless no
 * column would be left. */
void report_hide(struct report *r);

/* There are no call chains: without the column of callers, unless --fields names it. */
void report_no_children(struct report *r);

/* report_more.c: take one of its options; false: it is another one. */
bool report_more_take(struct report *r, struct opt *o, const char *name, const char **wrong);

/* The columns are known. */
void report_more_start(struct report *r);

/* A record that is no sample. */
void report_more_record(struct report *r, const struct item *item);

/* A sample, whose chain is known. False: it does not count at all. */
bool report_more_sample(struct report *r, struct hist_sample *s, bool *wanted);

/* The line of the source in call chains (-g address, srcline), or NULL. */
const char *report_more_line(struct report *r, const struct frame *frame);

/* report_fields.c: add a field of tracepoints, or all of them, as sort keys. False: there is
 * none. */
bool report_fields_add(struct report *r, const char *name, size_t len);

/* Hide the columns of other events than this one. */
void report_fields_show(struct report *r, u32 event);

/* struct hist_style.values, if there are such columns; 'who' is the struct report. */
void report_fields_values(void *who, const struct hist_style *style, const struct hist_sample *s,
			  const struct frame *at, struct hist_value *to);

/* report_trace.c: the data of a tracepoint; valid until the next call. */
const char *report_trace_text(struct report *r, const struct perf_sample *s);

/* report_stats.c: --stats, --tasks, --mmaps. Exit status. */
int report_stats(struct report *r);

/* report_threads.c, -T: take a READ record, print the table. */
void report_threads_record(struct report *r, const struct item *item);
void report_threads_print(struct report *r);

/* report_sample.c: the address as a place, with its map and function. */
struct frame report_place(struct report *r, const struct thread *t, u64 ip);

/* Count a sample in 'h'. 'n_chain': the length of its call chain in r->ips. */
struct hist_entry *report_sample(struct report *r, struct hist *h, struct hist_sample *s, u64 ip,
				 u32 n_chain, bool wanted);

/* Apply --max-stack to the call chain in r->ips: keep the end that is printed first. Returns the
 * new length. */
u32 report_cut_chain(struct report *r, u32 n);

/* report_runs.c: count the branches of up to 'n' runs. Returns the number of runs that were
 * counted. */
u32 report_runs(struct report *r, const struct item *item, const struct passed *b, u32 n);

/* report_branches.c: are branches counted? Exit status. To be called before the columns are set. */
int report_branches_start(struct report *r);

/* --total-cycles: print the table of an event. */
void report_blocks(struct report *r, struct hist *h, const char *name);

/* Make r->branch_chain, of 'branches' and of callers, the chain of 's'. Returns its length. The
 * callers are in 'chain', as perf.data has them, or the first 'n' of r->ips. */
u32 report_past(struct report *r, struct hist_sample *s, struct bytes branches, struct bytes chain,
		u32 n);

/* Count the branches of 's', as perf.data has them. */
void report_branches(struct report *r, struct hist *h, const struct hist_sample *s,
		     struct bytes branches, bool wanted);

#endif
