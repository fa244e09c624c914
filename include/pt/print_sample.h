/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Print samples as the lines of 'perf script'.
 */
#ifndef PT_PRINT_SAMPLE_H
#define PT_PRINT_SAMPLE_H

#include <pt/fields.h>
#include <pt/out.h>
#include <pt/samples.h>

struct sample_printer {
	struct out *out;
	struct session *session;
	struct fields fields;
	bool ns;		/* nine digits of a second, not six */
	bool short_comm;	/* -L: command and CPU in narrow columns */
	bool since_first, since_last;	/* --reltime, --deltatime: times are relative to 'base' */
	u64 base;			/* 0: not yet known */
	u32 max_stack;		/* limit of any call chain; 0: none */
	bool no_frames;		/* the limit is 0: the lines of call chains are left out */
	const char *stops;	/* functions that end a call chain; NULL: none */
	u32 max_blocks;		/* of brstackinsn; 0: all */
	bool kernel_path;	/* print the path of the kernel's file */
	bool no_callchains;
	bool any_callchain;	/* some event of the file has call chains */
	u32 chain_size;		/* limit of the call chain of a made sample; 0: no chain */
	u32 late_chain_size;	/* the same for a recorded sample without its own chain */
	int name_width;		/* of the event column */
	int dso_width;		/* the DSO is padded to this, if not 0 */
	int spacing;		/* of the call column: see print_calls.c */
	int source_width;	/* of the data_src column; it grows with its contents */
	struct { u64 day, ns; } clock;	/* one moment as time of day and as time of samples */
	const char *names[N_SAMPLE_KINDS];	/* of the made events */
	struct place *places;	/* cache of rendered places: see print_place.c */
	u32 n_places, places_room;
	bool once;		/* do not cache places now: the caller caches the text */
	u8 by_run;		/* what print_runs() prints: see run_text.h */
	bool calls, returns;	/* which of these print_runs() prints */
	u64 n_lines;		/* the number of lines that print_runs() has printed */
	struct line_start *start;	/* of the last line, for print_runs() */
	struct short_lines *brief;	/* short lines, if not NULL: <pt/print_short.h> */
	bool full_path;		/* srcline has folders */
	struct sample_cgroup *cgroups;	/* of print_columns.c */
	struct source_lines *sources;	/* of print_srccode.c */
	bool mute;		/* print nothing, and keep no state for later lines ... */
	bool blind;		/* ... except call stacks and the width of their column */
};

/* Print the raw data of a tracepoint's sample as text; nothing if its format is not known. */
void print_trace(struct out *out, struct session *session, const struct perf_sample *s);

/* The same as the values of all its fields. */
void print_trace_fields(struct out *out, struct session *session, const struct perf_sample *s);

/* Learn the name of a control group, from a CGROUP record. */
void print_sample_cgroup(struct sample_printer *p, const struct perf_record *rec);

/* Read 'clock' from the file; false if the file has none. */
bool print_sample_clock(struct sample_printer *p);

/* Print the line of a made sample. */
void print_sample(struct sample_printer *p, const struct sample *s);

/* Print the lines of a recorded sample. */
void print_recorded(struct sample_printer *p, const struct perf_sample *s, struct thread *thread);

/* Print the start of the line of a record: comm, pid, cpu, time. */
void print_record_start(struct sample_printer *p, enum fields_type type, const char *comm,
			const struct perf_sample *s);

/* Print the rest of the line of a TEXT_POKE record. */
void print_poke(struct sample_printer *p, const struct perf_record *rec);

/* Print the line of a gap: " instruction trace error type 1 time ...". */
void print_gap(struct sample_printer *p, const struct item *item, enum gap gap);

#endif
