/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples, as the lines of 'perf script'.
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
	bool since_first, since_last;	/* times are relative to those of other lines ... */
	u64 base;			/* ... to this one, if not 0 */
	u32 max_stack;		/* places in any call chain, if not 0 */
	bool no_callchains;
	bool any_callchain;	/* some event of the file has call chains */
	u32 chain_size;		/* places in the call chain of a made sample; 0: none */
	u32 late_chain_size;	/* the same of a recorded one without */
	int name_width;		/* of the event column */
	int dso_width;		/* the dso is padded to this, if not 0 */
	int spacing;		/* of the call column: see print_sample.c */
	int source_width;	/* of the data_src column, as far as it grew */
	struct { u64 day, ns; } clock;	/* the time of day, and that of samples, at one moment */
	const char *names[N_SAMPLE_KINDS];	/* of the made events */
	struct place *places;	/* what was rendered before: see print_place.c */
	u32 n_places, places_room;
	bool once;		/* what is rendered now others keep */
	u8 by_run;		/* what print_run() prints: see print_run.c */
	bool calls, returns;	/* which of these it does */
	u64 n_lines;		/* how many that were */
	struct line_start *start;	/* of the last line, for print_run() */
	struct short_lines *brief;	/* lines are short, if not NULL: <pt/print_short.h> */
	bool mute;		/* nobody wants lines, nor what later ones depend on ... */
	bool blind;		/* ... but for calls, and how wide their column is */
};

/* What the raw data of a tracepoint's sample says; nothing where that is not known. */
void print_trace(struct out *out, struct session *session, const struct perf_sample *s);

/* Read 'clock' of the file: false where it has none. */
bool print_sample_clock(struct sample_printer *p);

/* The line of a made sample. */
void print_sample(struct sample_printer *p, const struct sample *s);

/* Lines that waited for a gate: with all that was put off. See <pt/calls.h>. */
void print_calls_waiting(struct sample_printer *p, const char *lines, const char *end);

/* The line(s) of a recorded one. */
void print_recorded(struct sample_printer *p, const struct perf_sample *s, struct thread *thread);

/* What lines of records begin with: comm, pid, cpu, time. */
void print_record_start(struct sample_printer *p, enum fields_type type, const char *comm,
			const struct perf_sample *s);

/* The line of a gap: " instruction trace error type 1 time ...". */
void print_gap(struct sample_printer *p, const struct item *item, enum gap gap);

#endif
