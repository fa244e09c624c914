/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What commands that read a trace have in common: options for which file, which part of it and
 * where code is; opening it; what is said at the end.
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

struct ask {
	struct listing *list;
	struct out *out;
	bool header, header_only, strict, wide;
	bool itrace_set;
	bool part;		/* a shard: others read other parts of the trace ... */
	bool later;		/* ... and one of these prints the header */
	bool no_sums;		/* how much was lost in each file is not known */
	bool sums_up;		/* the output lists no gaps, whatever --itrace says */
	const char *cpu_list;	/* the argument of -C, or NULL */
	const char *raw_option;	/* the last one that only bare traces take, or NULL */
	bool said_dwarf;
};

void ask_begin(struct ask *a, struct listing *l, struct out *out);

/* Append the pages on what ask_take() takes, which are those of pt script. */
void ask_help(struct opt *o);

/* Take the option that opt_next() says: NULL, or what is wrong. */
const char *ask_take(struct ask *a, struct opt *o, const char *name);

/* Take --itrace. 'sampled': without letters it means what a profile needs. */
const char *ask_itrace(struct ask *a, const struct opt *o, bool sampled);

/* What is wrong with an option, made by a format. */
const char *ask_wrong(struct ask *a, const char *fmt, ...) PRINTF(2, 3);

/* All options were taken: FILE. False: the command ends here. */
bool ask_done(struct ask *a, struct opt *o);

/* Open the file; print its header, if that is asked for, and begin, unless that was all: exit
 * statuses. */
int ask_open(struct ask *a);
int ask_start(struct ask *a);

/* ENTRY_EVENTS: can their samples be selected? 'callchains': those would be shown. Exit status. */
int ask_events(struct ask *a, bool callchains);

/* ENTRY_RECORD: what of a pipe's header comes as records. */
void ask_record(struct ask *a, const struct entry *e);

/* The loop ended with 'err' of listing_next(). Exit status. */
int ask_read(struct ask *a, int err);

/* Say how many gaps there were, what could not be read and why nothing was printed, if so, which
 * 'printed' denies. Returns the exit status: 'status', if it is one. */
int ask_end(const struct ask *a, int status, bool printed);

/* The arguments of --map, --cpu-model and --tsc-ratio. NULL, or what is wrong: ask_raw.c. */
const char *ask_raw_map(struct ask *a, const char *arg);
const char *ask_raw_model(struct ask *a, const char *arg);
const char *ask_raw_ratio(struct ask *a, const char *arg);

#endif
