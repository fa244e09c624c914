/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was asked for, one entry at a time: samples, gaps and records, by time, CPU, thread and
 * place.
 *
 * A consumer (pt script, report, export) sets up what it wants, opens, and runs one loop:
 *
 *	listing_setup(&l);
 *	session_open(&l.session, l.path, &l.options);
 *	listing_start(&l);
 *	while ((err = listing_next(&l, &e)) > 0)
 *		switch (e.kind) {
 *		case ENTRY_RUNS:
 *			listing_took(&l, print_runs(..., e.item, e.runs, e.n_runs));
 *			break;
 *		case ENTRY_SAMPLE:
 *			print_sample(..., e.sample);
 *			break;
 *		...
 *
 * Plain runs are offered first, many at once, if the consumer says 'takes_runs'. Those that it
 * does not take come as samples.
 */
#ifndef PT_LISTING_H
#define PT_LISTING_H

#include <pt/ranges.h>
#include <pt/samples.h>

enum entry_kind {
	ENTRY_EVENTS,	/* the events of the file are known, or have become more */
	ENTRY_CUT,	/* 'cuts' is set: 'item', an ITEM_STEP, comes next. See listing_drop() */
	ENTRY_RUNS,	/* 'runs': whole runs, each with an ordinary branch at its end */
	ENTRY_SAMPLE,	/* 'sample', made of the trace */
	ENTRY_RECORDED,	/* 'recorded': one from the file, or a member of its group */
	ENTRY_RECORD,	/* 'item': any other record. It is wanted by 'show' */
	ENTRY_GAP,	/* 'gap' of the trace, at 'item'. It is wanted by the letters of --itrace */
};

/* What it points to stays until the next call. */
struct entry {
	u8 kind;		/* enum entry_kind */
	u8 gap;			/* enum gap */
	bool wanted;		/* else it comes only where that is said above, or by 'all' */
	u32 n_runs;
	const struct item *item;
	const struct passed *runs;
	const struct sample *sample;
	const struct perf_sample *recorded;
	struct thread *thread;	/* of 'sample', 'recorded' or 'gap'; NULL: not known */
};

struct listing {
	/* Set by the consumer, before listing_setup(). */
	const char *path;
	struct session_options options;
	struct session_raw raw;
	struct itrace itrace;
	const char *time, *comms, *pids, *tids, *dsos, *symbols;	/* lists; NULL: all */
	u64 show;		/* records that are wanted, bits by type */
	bool show_round;	/* the same of FINISHED_ROUND */
	bool use_calls;		/* call stacks are kept */
	bool cycles;		/* samples have to know their cycles */
	bool takes_runs;
	bool all;		/* samples and runs that are not wanted come, too */
	u32 omits;		/* kinds of samples that never come, bits by enum sample_kind */
	/* For the consumer to read. */
	struct session session;
	struct samples samples;
	struct ranges ranges;
	u64 n_samples;		/* those that were wanted, and ... */
	u64 n_runs;		/* ... the runs that were taken instead */
	u64 n_lost;		/* samples, as records say */
	u64 gaps;
	u32 passed;		/* LISTING_*: options that let some sample through */
	const char *foreign;	/* what trace there is that is not Intel PT, or NULL */
	bool cuts;		/* set while it runs: ENTRY_CUT is wanted */
	/* Where it is. */
	u8 phase, known;
	bool chooses;		/* not all samples are wanted */
	bool batch;		/* 'item' is of many runs ... */
	bool wanted;		/* ... and these are */
	u32 i, n;		/* runs of it before this one, and all */
	struct item item, one;	/* of the session; and a run of it as a step */
	struct step step;
	struct passed run;
	struct sample sample;
	struct perf_members members;
};

/* The options that choose samples, in the order in which they are tried: bits of 'passed'. */
enum {
	LISTING_TIME, LISTING_CPU, LISTING_COMM, LISTING_PID, LISTING_TID, LISTING_DSO,
	LISTING_SYMBOL, N_LISTING
};

/* What --itrace and the consumer want, as options of the session. */
void listing_setup(struct listing *l);

/* The session is open. NULL, or what is wrong with 'time'. */
const char *listing_start(struct listing *l);

/* Is each sample chosen by itself, by its time or place? Then no runs are offered. */
bool listing_by_sample(const struct listing *l);

/* Samples are made of a trace, as far as is known. */
bool listing_makes(const struct listing *l);

/* Begin and end of the recording in ns, as the file says; 0: it does not. */
void listing_times(struct listing *l, u64 *first, u64 *last);

/* The next entry: 1, 0 at the end, -errno. */
int listing_next(struct listing *l, struct entry *e);

/* Of an ENTRY_RUNS the first 'n' were used; the others come again, as samples. */
void listing_took(struct listing *l, u32 n);

/* Nothing is wanted of the item of an ENTRY_CUT. */
void listing_drop(struct listing *l);

/* The entry of one recorded sample. False: there is none. */
bool listing_recorded(struct listing *l, const struct perf_sample *sample, struct entry *e);

/* The entry of a record that is no sample. */
void listing_record(struct listing *l, const struct item *item, struct entry *e);

#endif
