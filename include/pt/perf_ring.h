/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory that the kernel shares with a recorder: a ring of records, and a buffer of trace
 * (AUX).
 */
#ifndef PT_PERF_RING_H
#define PT_PERF_RING_H

#include <pt/perf.h>

struct perf_ring {
	int fd;			/* the event that it belongs to */
	u8 *page;		/* struct perf_event_mmap_page; the records follow it */
	u64 size;		/* of the records; a power of two */
	u64 taken;		/* bytes read so far, as data_head counts */
	bool backward;		/* the newest records stay: the kernel writes from the end on ... */
	u64 newest, end;	/* ... and the head was there at the last reading; up to where that
				 * goes */
	u8 *bounce;		/* a record that crosses the end, in one piece */
	/* AUX */
	int aux_fd;		/* the event that writes it, or -1 */
	const u8 *aux;
	u64 aux_size;
	bool overwrite;		/* the newest trace stays: snapshots */
	u64 aux_taken;		/* full trace: bytes read so far, as aux_head counts; overwrite:
				 * where in the buffer the last snapshot ended */
	u8 *aux_before;		/* overwrite: the bytes that were before that place then */
	u64 aux_total;		/* overwrite: bytes so far, and a buffer for each gap */
};

/* Map the records of 'fd': 'size' bytes, a power of two of pages. 'backward': its attribute has
 * write_backward set. -errno. */
int perf_ring_map(struct perf_ring *r, int fd, u64 size, bool backward, struct arena *arena);

/* Map the trace of event 'fd', whose records go to this ring. */
int perf_ring_map_aux(struct perf_ring *r, int fd, u64 size, bool overwrite,
		      struct arena *arena);
void perf_ring_unmap(struct perf_ring *r);

/* The next records: as many whole ones as are contiguous. False if there are none. They are valid
 * until perf_ring_release() frees their room. */
bool perf_ring_next(struct perf_ring *r, struct bytes *records);
void perf_ring_release(struct perf_ring *r);

/* The kernel writes backward: stop it, and begin with the newest record; perf_ring_next() then
 * returns all that are new. Let it continue. */
void perf_ring_pause(struct perf_ring *r);
void perf_ring_resume(struct perf_ring *r);

/* A range of trace: 'size' bytes from 'off' on, as one or two pieces. */
struct perf_stretch {
	u64 off, size;
	struct bytes piece[2];
};

/* The new bytes of the AUX buffer; false if there are none. In overwrite mode its event must be
 * disabled, and at most the newest 'most' bytes are returned. */
bool perf_ring_aux(struct perf_ring *r, u64 most, struct perf_stretch *s);
/* These bytes are not needed any more: the kernel may write there again. */
void perf_ring_aux_release(struct perf_ring *r, const struct perf_stretch *s);

/* The parameters that convert TSC to perf's clock. */
void perf_ring_time(const struct perf_ring *r, struct perf_pt_info *info);

#endif
