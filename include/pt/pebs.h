/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PEBS records in the trace to samples of the events that wrote them.
 *
 * Such an event has the flag AUX_OUTPUT. A record says which counters it is for, and
 * AUX_OUTPUT_HW_ID records say which event uses a counter; without them, it is the only event.
 */
#ifndef PT_PEBS_H
#define PT_PEBS_H

#include <pt/samples.h>

struct pebs_user;

struct pebs {
	struct pebs_user *users;	/* of counters, in the order of their records */
	u32 n_users;
	/* The record, and the counters that are left of it. */
	const struct session *session;
	const struct queue *queue;
	struct sample made;
	u64 counters;
	bool any;
	struct perf_event event;	/* as in the file, with the registers that there are */
	u64 *words;			/* that the sample refers to */
};

/* An AUX_OUTPUT_HW_ID record: which counter the event of 'sample' uses. */
void pebs_learn(struct pebs *p, struct session *s, const struct perf_record *rec,
		const struct perf_sample *sample);

/* Begin with a record: 'made' is a SAMPLE_BLOCK of 'queue'. */
void pebs_start(struct pebs *p, struct session *s, const struct queue *queue,
		const struct sample *made);

/* The record as a sample of its next event; false if there are no more events. 'chain': the number
 * of places of call chains, 0: none. */
bool pebs_next(struct pebs *p, u32 chain, struct perf_sample *sample);

#endif
