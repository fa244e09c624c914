/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory that the kernel shares with a recorder: a ring of records, and a
 * buffer of trace (AUX) beside it.
 */
#ifndef PT_PERF_RING_H
#define PT_PERF_RING_H

#include <pt/perf.h>

struct perf_ring {
	int fd;			/* the event it belongs to */
	u8 *page;		/* struct perf_event_mmap_page; the records lie behind it */
	u64 size;		/* of the records; a power of two */
	u64 taken;		/* read so far, as data_head counts */
	u8 *bounce;		/* a record that lies across the end, in one piece */
	/* AUX */
	int aux_fd;		/* the event that writes it, or -1 */
	const u8 *aux;
	u64 aux_size;
	bool overwrite;		/* the newest stays: snapshots */
	u64 aux_taken;		/* full trace: read so far, as aux_head counts;
				 * overwrite: where the last snapshot ended, in the buffer */
	u8 *aux_before;		/* overwrite: the bytes that were before that place then */
	u64 aux_total;		/* overwrite: bytes so far, and a buffer for each gap */
};

/* Map the records of 'fd': 'size' bytes, a power of two of pages. -errno. */
int perf_ring_map(struct perf_ring *r, int fd, u64 size, struct arena *arena);

/* Map the trace that event 'fd', whose records go to this ring, writes. */
int perf_ring_map_aux(struct perf_ring *r, int fd, u64 size, bool overwrite,
		      struct arena *arena);
void perf_ring_unmap(struct perf_ring *r);

/* The next records: as many whole ones as lie in one piece. False if there are
 * none. They stay until perf_ring_release() gives the room back. */
bool perf_ring_next(struct perf_ring *r, struct bytes *records);
void perf_ring_release(struct perf_ring *r);

/* A stretch of trace: 'size' bytes from 'off' on, as one or two pieces. */
struct perf_stretch {
	u64 off, size;
	struct bytes piece[2];
};

/* What is new in the AUX buffer; false if nothing is. In overwrite mode its
 * event has to be disabled, and at most the newest 'most' bytes are given. */
bool perf_ring_aux(struct perf_ring *r, u64 most, struct perf_stretch *s);
/* Done with it: the kernel may write there again. */
void perf_ring_aux_release(struct perf_ring *r, const struct perf_stretch *s);

/* How perf's clock follows from the TSC. */
void perf_ring_time(const struct perf_ring *r, struct perf_pt_info *info);

#endif
