/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The entries that the user's options select, one at a time: samples, gaps and records, selected
 * by time, CPU, thread and place.
 *
 * A consumer (pt script, report, export) sets its options, opens the session, and runs one loop:
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
 * If the consumer sets 'takes_runs', plain runs are offered first, in batches. Runs that it does
 * not take come as samples.
 */
#ifndef PT_LISTING_H
#define PT_LISTING_H

#include <pt/choice.h>
#include <pt/pebs.h>
#include <pt/ranges.h>
#include <pt/samples.h>
#include <pt/unwound.h>
#include <pt/window.h>

enum entry_kind {
	ENTRY_EVENTS,	/* the events of the file are known, or there are new ones */
	ENTRY_CUT,	/* 'cuts' is set: 'item', an ITEM_STEP, comes next. See listing_drop() */
	ENTRY_RUNS,	/* 'runs': whole runs, each with an ordinary branch at its end */
	ENTRY_SAMPLE,	/* 'sample', made of the trace */
	ENTRY_RECORDED,	/* 'recorded': one from the file, or a member of its group, or a PEBS record
			 * of the trace: 'sample' */
	ENTRY_RECORD,	/* 'item': any other record. It is wanted by 'show' */
	ENTRY_GAP,	/* 'gap' of the trace, at 'item'. It is wanted by the letters of --itrace */
};

/* All pointers are valid until the next call of listing_next(). */
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
	struct window window;	/* which samples of a thread: <pt/window.h> */
	struct choice choice;	/* the same: <pt/choice.h> */
	u64 show;		/* records to show, a bit for each type below 64 */
	bool show_round;	/* also FINISHED_ROUND */
	bool use_calls;		/* keep call stacks */
	bool cycles;		/* samples need cycle counts */
	bool takes_runs;	/* the consumer takes ENTRY_RUNS */
	bool all;		/* also return samples and runs that the options do not select */
	u32 unwind;		/* places in each part of a call chain that is made of a copy of
				 * the stack; 0: there are no such chains */
	/* Called with each record that is no sample ('gap' < 0), and each gap; or NULL. */
	void (*note_item)(void *who, const struct item *item, int gap);
	void *who;
	u32 omits;		/* kinds of samples to leave out, bits by enum sample_kind */
	/* For the consumer to read. */
	struct session session;
	struct samples samples;
	struct ranges ranges;
	u64 n_samples;		/* selected samples */
	u64 n_runs;		/* selected runs that the consumer took instead of samples */
	u64 n_lost;		/* lost samples, from records of the kernel */
	u64 gaps;
	u32 passed;		/* bits by LISTING_*: options that matched at least one sample */
	const char *foreign;	/* the kind of a trace that is not Intel PT, or NULL */
	bool cuts;		/* may be set at any time: return ENTRY_CUT, too */
	bool chooses;		/* some option selects samples */
	/* Private. */
	u8 phase, known;
	bool batch;		/* 'item' holds many runs */
	bool wanted;		/* the options select the offered runs */
	u32 i, n;		/* index of the current run, and number of runs */
	struct item item, one;	/* from the session; and one run of it as a step */
	struct step step;
	struct passed run;
	struct sample sample;
	bool cycles_due;	/* it gives one of cycles, too */
	struct perf_members members;
	struct perf_sample recorded;	/* with branches of the trace, or a call chain */
	struct unwound *unwound;
	struct pebs pebs;
};

/* The options that select samples, in the order in which they are tested: bits of 'passed'. */
enum {
	LISTING_TIME, LISTING_CPU, LISTING_COMM, LISTING_PID, LISTING_TID, LISTING_DSO,
	LISTING_SYMBOL, N_LISTING
};

/* Set l->options for the session from --itrace and the fields that the consumer has set. */
void listing_setup(struct listing *l);

/* Call it when the session is open. Returns NULL, or a text that says what is wrong with 'time'. */
const char *listing_start(struct listing *l);

/* True if the options select samples by time or place. Then no runs are offered. */
bool listing_by_sample(const struct listing *l);

/* True if the options select what 't' executes, as far as its names and numbers tell. */
bool listing_wants_thread(struct listing *l, struct thread *t);

/* True if there is a trace to make samples from, as far as is known. */
bool listing_makes(const struct listing *l);

/* Start and end of the recording in ns, from the file's header; 0 if it has none. */
void listing_times(struct listing *l, u64 *first, u64 *last);

/* The next entry: 1, 0 at the end, -errno. */
int listing_next(struct listing *l, struct entry *e);

/* The consumer used the first 'n' runs of an ENTRY_RUNS. The next run comes as samples; the rest is
 * offered again. */
void listing_took(struct listing *l, u32 n);

/* Skip the item of an ENTRY_CUT. */
void listing_drop(struct listing *l);

/* Fill '*e' for a recorded sample. False if it is not selected. */
bool listing_recorded(struct listing *l, const struct perf_sample *sample, struct entry *e);

/* Fill '*e' for a record that is not a sample. */
void listing_record(struct listing *l, const struct item *item, struct entry *e);

#endif
