/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: what its files share.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <pt/opt.h>
#include <pt/print_sample.h>
#include <pt/ranges.h>
#include <pt/samples.h>
#include <pt/session.h>

struct script {
	const char *path;
	struct session session;
	struct session_options options;
	struct session_raw raw;
	struct itrace itrace;
	bool itrace_set;
	struct sample_printer printer;
	struct samples samples;
	const char *time, *comms, *pids, *tids, *dsos, *symbols, *cpu_list;
	u32 passed;		/* bits of those that some sample got through: script_wants.c */
	bool header, header_only, dump, strict, live;
	bool wide, fields_set;	/* --wide; -F was given */
	u64 baud;		/* of the line that takes the output, 0: it has no such limit */
	u64 *behind;		/* of pt trace: see struct live */
	u64 show;		/* bits by record type */
	bool show_round;
	u64 max_samples, n_samples;
	const char *foreign;	/* what trace there is that is not Intel PT, or NULL */
	u64 n_shown;		/* lines that are not of samples */
	u64 gaps;
	bool said_dwarf;	/* that user stacks are not unwound */
	const char *raw_option;	/* the last one that only bare traces take, or NULL */
	bool named;		/* event names and columns are settled ... */
	bool made_named;	/* ... those of made samples, too */
	struct out *out;
	/* pt report: takes samples where they would be printed. One of 'made' and 'recorded' is
	 * NULL; not 'wanted' is what the command line leaves out. */
	void (*count)(struct script *s, const struct sample *made,
		      const struct perf_sample *recorded, struct thread *thread, bool wanted);
	/* The same of 'n' steps that are nothing but branches, as the halves of 'item' say: how
	 * many of them were counted. May be NULL. */
	u32 (*count_branches)(struct script *s, const struct item *item, const struct passed *b,
			      u32 n);
	u64 n_lost;		/* samples, as their records say */
	/* Which part is printed: parallel.c. */
	u32 jobs, shard, n_shards;	/* -j, --shard; 0: not asked for */
	struct queue *cut_queue;	/* parts end at a PSB of this one ... */
	u64 cut, trace_size;	/* ... here, at the earliest */
	struct parallel *parallel;
	struct ranges ranges;	/* the last: seldom used, and it would part the rest by a page */
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

/* All lines of this process are made: returns the exit status of the whole. */
int parallel_end(struct script *s, int status);

/* In this order: begin, ask, run (exit status). */
void script_begin(struct script *s, struct out *out);
int script_run(struct script *s);

/* script_wants.c: is a sample wanted, by when and where it was, and by whose it is? */
bool script_wants_cpu(struct script *s, i32 cpu);
bool script_wants_time(struct script *s, i32 cpu, u64 time);
bool script_wants(struct script *s, struct thread *t, i32 pid, i32 tid, u64 ip);

/* All is done: say what could not be read, and why nothing was printed, if so. STATUS_FAILED if
 * nothing was printed, else 0. */
int script_say_nothing(const struct script *s);

/* script_ask.c: read the options and FILE. 'take' takes the option that opt_next() says: NULL,
 * or what is wrong. False if nothing is to be done. */
bool script_ask(struct script *s, struct opt *o,
		const char *(*take)(struct script *s, struct opt *o, const char *name));

/* What is wrong with an option, made by a format. */
const char *script_wrong(struct script *s, const char *fmt, ...) PRINTF(2, 3);

/* Take one of pt script. */
const char *script_take(struct script *s, struct opt *o, const char *name);

/* Take --itrace or --no-itrace. 'sampled': without letters it is that of pt report. */
const char *script_take_itrace(struct script *s, const struct opt *o, bool sampled);

/* Do as --insn-trace and its like: they stand for other options. False if 'name' is none. */
bool script_preset(struct script *s, const char *name);

/* Settle event names and columns, when the events of the file are known. */
int script_settle(struct script *s);

/* The line(s) of a recorded sample, if it is wanted. */
void script_sample(struct script *s, const struct perf_sample *sample);

/* The line of a side-band record, if --show-...-events asks for it. */
void script_side_band(struct script *s, const struct item *item);

/* script_term.c: what is other on a terminal. Whether its lines are short; the session is open:
 * see to that; the file's header, in lines that fit. */
bool script_is_short(const struct script *s);
void script_terminal(struct script *s);
void script_header(struct script *s);

/* If that takes more than a minute, say how long a serial line needs for the lines of
 * 'trace' bytes of trace. The line's speed is that of --baud, if it was given. */
void script_say_long(struct script *s, u64 trace);
const char *script_baud(struct script *s, const char *arg);

/* Begin and end of the recording in ns, as the file says; 0: it does not. */
void script_times(struct script *s, u64 *first, u64 *last);

/* script_dump.c: all records of the open session, as a raw dump. */
int script_dump_all(struct script *s);

/* script_raw.c: the arguments of --map, --cpu-model and --tsc-ratio. NULL, or what is wrong. */
const char *script_raw_map(struct script *s, const char *arg);
const char *script_raw_model(struct script *s, const char *arg);
const char *script_raw_ratio(struct script *s, const char *arg);

/* Whether a perf.data may hold SAMPLE records. */
bool dump_may_have_samples(const char *path);

#endif
