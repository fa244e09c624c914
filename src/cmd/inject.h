/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of pt inject.
 */
#ifndef INJECT_H
#define INJECT_H

#include <pt/made_sample.h>
#include <pt/perf_write.h>
#include "ask.h"

struct inject {
	struct listing list;
	struct ask ask;
	struct perf_writer w;
	const char *output;
	char **cmdline;
	bool makes;		/* --itrace: samples replace the trace */
	bool strip, ids, all_ids;
	bool started;		/* the head is written */
	struct perf_event *events;	/* of the file, then made ones */
	const struct perf_event *made[N_SAMPLE_KINDS];	/* NULL: none of this kind */
	u64 copied;		/* offset of the last sample that was copied, plus 1 ... */
	u32 copied_part;	/* ... and its part */
	u64 n_long;		/* samples that do not fit into a record */
	u8 *early;
	u32 n_early, early_room;
	struct made_room room;
	u8 *has_id;		/* by the index of a DSO: its build-id was written */
	u32 n_has_id;
};

/* Write the head, if that was not done. */
void inject_start(struct inject *x);

/* inject_ids.c: write the build-id of the file where a sample, or a made sample, is; or of the one
 * that a record maps. */
void inject_sample_ids(struct inject *x, const struct entry *e);
void inject_record_ids(struct inject *x, const struct perf_record *rec);

#endif
