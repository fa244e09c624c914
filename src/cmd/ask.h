/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The common part of commands that read a trace: options for the file, the part of it and the code;
 * opening it; messages at the end.
 *
 *	ask_begin(&ask, &listing, out);
 *	while ((name = opt_next(o)) && !o->error)
 *		o->error = ask_take(&ask, o, name);	// or the command's own
 *	if (!ask_done(&ask, o))
 *		return STATUS_FAILED;
 *	if ((status = ask_open(&ask)) || (status = ask_start(&ask)) || ask.header_only)
 *		return status;
 *	...					// the loop: <pt/listing.h>
 *	return ask_end(&ask, ask_read(&ask, err), printed);
 */
#ifndef ASK_H
#define ASK_H

#include <pt/listing.h>
#include <pt/opt.h>
#include <pt/out.h>

/* How far it is: progress.c. */
struct progress {
	u64 total;		/* bytes of trace at the start */
	u64 start, due;		/* ms; due: the next line, ~0: none without a signal */
	u32 n;
	bool shown;		/* a line is on the terminal */
};

struct ask {
	struct listing *list;
	struct out *out;
	bool header, header_only, strict, wide, show_info;
	bool itrace_set;
	bool part;		/* a shard: other processes read other parts of the trace ... */
	bool later;		/* ... and one of them prints the header */
	bool sums_up;		/* it prints after it has read all, and lists no gaps ... */
	bool prints;		/* ... but prints while it reads */
	const char *cpu_list;	/* the argument of -C, or NULL */
	const char *raw_option;	/* the last option for bare traces only, or NULL */
	bool said_dwarf;
	const char *config;	/* --config: a file, or NULL */
	bool mispredicted;	/* intel-pt.mispred-all of it */
	bool no_eta;		/* --no-eta */
	bool quiet;		/* -q: no_eta, and nothing about gaps */
	struct progress progress;
	struct ask_log *log;	/* --itrace=d */
	u64 head_ns, tail_ns;	/* --head and --tail, or --last, of a time; 0: not asked for */
	bool counts;		/* the command calls ask_count(), for --last N ... */
	u64 last_calls, last_insns;	/* ... of calls or instructions; 0: not asked for */
};

void ask_begin(struct ask *a, struct listing *l, struct out *out);

/* Take the option 'name' from opt_next(). Returns NULL, or an error text. Their help is that of pt
 * script: script_help(). */
const char *ask_take(struct ask *a, struct opt *o, const char *name);

/* Take --itrace. 'sampled': its default without letters is that of a profile. */
const char *ask_itrace(struct ask *a, struct opt *o, bool sampled);

/* After all options: take FILE. False if the command ends here. */
bool ask_done(struct ask *a, struct opt *o);

/* Open the file, and print its header if requested; then start the listing, unless --header-only.
 * Both return an exit status. */
int ask_open(struct ask *a);
int ask_start(struct ask *a);

/* At ENTRY_EVENTS: check that the options can select their samples. 'callchains': call chains are
 * printed. Returns an exit status. */
int ask_events(struct ask *a, bool callchains);

/* At ENTRY_RECORD: print the parts of a pipe's header, which come as records. */
void ask_record(struct ask *a, const struct entry *e);

/* After the loop, which ended with 'err' of listing_next(). Returns an exit status. */
int ask_read(struct ask *a, int err);

/* Print the number of gaps, what could not be read, and, unless 'printed', why nothing was printed.
 * Returns the exit status: 'status' if it is not 0. */
int ask_end(const struct ask *a, int status, bool printed);

/* ask_window.c: take --head, --depth and their like. False: it is another option; '*wrong' is as
 * ask_take() returns it. After all options: one of them can select nothing, which was said. The
 * file is open: when do they begin and end? Exit status. At the end: a function that an option
 * names never began, which was said. */
bool ask_window(struct ask *a, struct opt *o, const char *name, const char **wrong);
/* Read "100calls" for the unit "calls". False, and '*n' is unchanged, if it has another form. */
bool ask_window_number(const char *arg, const char *unit, u64 *n);
bool ask_window_wrong(const struct ask *a);
int ask_window_start(struct ask *a);
bool ask_window_missed(const struct ask *a);

/* ask_count.c: if --last N asks for calls or instructions, read FILE once to count them, so that
 * the listing selects the last ones. Call it before ask_open(), while processes can still be made.
 * Exit status. */
int ask_count(struct ask *a);

/* progress.c: the trace is about to be read; an entry was; there are no more. */
void progress_start(struct ask *a);
void progress_step(struct ask *a);
void progress_end(struct ask *a);

/* progress.c, of pt record: ask the recorder to show its progress; the last line is erased. */
struct record;
void progress_of_record(struct record *r, bool quiet);
void progress_record_end(const struct record *r);

/* ask_log.c, --itrace=d: open the log, before the sandbox; false after an error message. After the
 * last entry: 0, or STATUS_FAILED after an error message. */
bool ask_log_open(struct ask *a);
int ask_log_end(struct ask *a);

/* ask_config.c: read the file of --config or PERF_CONFIG. False after an error message. */
bool ask_config(struct ask *a);

/* ask_raw.c: read the arguments of --map, --cpu-model and --tsc-ratio. NULL, or an error text. */
const char *ask_raw_map(struct ask *a, struct opt *o);
const char *ask_raw_model(struct ask *a, const char *arg);
const char *ask_raw_ratio(struct ask *a, const char *arg);

#endif
