/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: the interface between its files.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <pt/print_rows.h>
#include <pt/print_sample.h>
#include "ask.h"

struct script {
	struct listing list;
	struct ask ask;
	struct sample_printer printer;
	bool dump, live;
	bool fields_set;	/* -F was given */
	bool xed;		/* --xed */
	u64 baud;		/* speed of the serial line for the output; 0: no limit */
	u64 *undecoded;		/* of pt trace: see struct live */
	u64 max_samples;
	u64 n_shown;		/* printed lines other than samples */
	bool named;		/* event names and columns are settled */
	struct out *out;
	/* The part to print: parallel.c. */
	u32 jobs, shard, n_shards;	/* -j, --shard; 0: not given */
	struct queue *cut_queue;	/* parts end in the trace of this queue, at ... */
	u64 cut, trace_size;	/* ... or after this offset */
	struct parallel *parallel;
	bool dump_events;	/* --per-event-dump */
	struct script_dumps *dumps;
	bool debug;		/* -d */
	u64 last_time, n_unordered;
	bool json;		/* --json; --tsv is rows.tsv */
	struct row_printer rows;
	/* The last lines only: script_window.c. */
	u8 tail_unit;		/* enum tail_unit */
	u64 tail_n;		/* number of units to print; 0: print all lines */
	u64 tail_units;		/* number of units up to now */
	struct tail *tail;
	struct out *tail_out;	/* what 'out' was before */
	u64 *insns;		/* by queue: instructions so far */
	u32 n_insns;
};

/* parallel.c */

enum taking {
	TAKE_IT,	/* the item belongs to the part of this process */
	TAKE_NOT,
	TAKE_NO_MORE,	/* neither this item nor any after it */
};

/* Read the argument of --shard. NULL, or an error text. */
const char *parallel_shard(struct script *s, const char *arg);

/* One process decodes: say so if -j was given. */
void parallel_alone(struct script *s);

/* Prepare -j or --shard, when the session is open. Returns an exit status. */
int parallel_start(struct script *s);

enum taking parallel_take(struct script *s, const struct item *item);

/* After the last item. True if this process prints the final messages. */
bool parallel_ends(struct script *s);

/* After the last line of this process: like ask_end(), for all processes. */
int parallel_end(struct script *s, int status);

/* script_ask.c: take an option. NULL, or an error text. */
const char *script_take(struct script *s, struct opt *o, const char *name);

/* Apply an option that stands for several others, such as --insn-trace. False if 'name' is none. */
bool script_preset(struct script *s, const char *name);

/* script_lines.c: set event names and columns, when the events of the file are known. Returns an
 * exit status. */
int script_settle(struct script *s);

/* Print the lines of an ENTRY_RECORDED, and the line of a selected ENTRY_RECORD. */
void script_recorded(struct script *s, const struct entry *e);
void script_side_band(struct script *s, const struct entry *e);

/* script_term.c, for terminals: are lines short? And, when the session is open: start short
 * lines. */
bool script_is_short(const struct script *s);
void script_terminal(struct script *s);

/* If printing 'trace' bytes of trace takes more than a minute on a serial line, say how long. The
 * speed is that of --baud, if given, else that of the terminal. */
void script_say_long(struct script *s, u64 trace);
const char *script_baud(struct script *s, const char *arg);

/* script_window.c: take --head, --tail or --last of a count. False: it is another option. From
 * 'start' to 'end' lines are kept; an entry was printed. */
bool script_window(struct script *s, const struct opt *o, const char *name);
void script_window_start(struct script *s);
void script_window_entry(struct script *s, const struct entry *e);
void script_window_end(struct script *s);

/* script_more.c: take an option. False: it is another one; '*wrong' is as script_take() returns
 * it. --per-event-dump: start the process that writes the files, before the sandbox; returns an
 * error text or NULL. Then, before it is printed, each entry: samples go to the file of their
 * event; true: it is not printed. After the last one: returns an exit status. */
bool script_more(struct script *s, struct opt *o, const char *name, const char **wrong);
const char *script_dumps_open(struct script *s);
bool script_more_entry(struct script *s, const struct entry *e);
int script_more_end(struct script *s, int status);

/* script_dump.c: dump all records of the open session. Returns an exit status. */
int script_dump_all(struct script *s);

/* May this perf.data file contain SAMPLE records? */
bool dump_may_have_samples(const char *path);

#endif
