/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: what its files share.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <pt/print_sample.h>
#include "ask.h"

struct script {
	struct listing list;
	struct ask ask;
	struct sample_printer printer;
	bool dump, live;
	bool fields_set;	/* -F was given */
	bool xed;		/* --xed */
	u64 baud;		/* of the line that takes the output, 0: it has no such limit */
	u64 *behind;		/* of pt trace: see struct live */
	u64 max_samples;
	u64 n_shown;		/* lines that are not of samples */
	bool named;		/* event names and columns are settled */
	struct out *out;
	/* Which part is printed: parallel.c. */
	u32 jobs, shard, n_shards;	/* -j, --shard; 0: not asked for */
	struct queue *cut_queue;	/* parts end at a PSB of this one ... */
	u64 cut, trace_size;	/* ... here, at the earliest */
	struct parallel *parallel;
};

/* parallel.c */

enum taking {
	TAKE_IT,	/* the item is of this process's part */
	TAKE_NOT,
	TAKE_NO_MORE,	/* nor is what comes after it */
};

/* Read the argument of --shard. NULL, or what is wrong. */
const char *parallel_shard(struct script *s, const char *arg);

/* The session is open: see to the part. Exit status. */
int parallel_start(struct script *s);

enum taking parallel_take(struct script *s, const struct item *item);

/* There are no more items. True if this process is to say why. */
bool parallel_ends(struct script *s);

/* All lines of this process are made: as ask_end(), of all processes. */
int parallel_end(struct script *s, int status);

/* script_ask.c: take an option. NULL, or what is wrong. */
const char *script_take(struct script *s, struct opt *o, const char *name);

/* Do as --insn-trace and its like: they stand for other options. False if 'name' is none. */
bool script_preset(struct script *s, const char *name);

/* Settle event names and columns, when the events of the file are known. */
int script_settle(struct script *s);

/* The lines of an ENTRY_RECORDED, and the line of an ENTRY_RECORD that is wanted. */
void script_recorded(struct script *s, const struct entry *e);
void script_side_band(struct script *s, const struct entry *e);

/* script_term.c: what is other on a terminal. Whether its lines are short; the session is open:
 * see to that. */
bool script_is_short(const struct script *s);
void script_terminal(struct script *s);

/* If that takes more than a minute, say how long a serial line needs for the lines of
 * 'trace' bytes of trace. The line's speed is that of --baud, if it was given. */
void script_say_long(struct script *s, u64 trace);
const char *script_baud(struct script *s, const char *arg);

/* script_dump.c: all records of the open session, as a raw dump. */
int script_dump_all(struct script *s);

/* Whether a perf.data may hold SAMPLE records. */
bool dump_may_have_samples(const char *path);

#endif
