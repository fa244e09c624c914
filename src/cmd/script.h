/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: what its files share.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

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
	struct ranges ranges;
	const char *time, *comms, *pids, *tids, *dsos, *symbols, *cpus;
	bool header, header_only, dump, strict, live;
	u64 show;		/* bits by record type */
	bool show_round;
	u64 max_samples, n_samples;
	u64 gaps;
	bool named;		/* event names and columns are settled for made samples */
	struct out *out;
};

/* Settle event names and columns, when the events of the file are known. */
int script_settle(struct script *s);

/* The line(s) of a recorded sample, if it is wanted. */
void script_sample(struct script *s, const struct perf_sample *sample);

/* script_dump.c: all records of the open session, as a raw dump. */
int script_dump_all(struct script *s);

/* Whether a perf.data may hold SAMPLE records. */
bool dump_may_have_samples(const char *path);

#endif
