/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The longest calls of a trace, up to a limit, for a picture.
 */
#ifndef PT_TIMELINE_H
#define PT_TIMELINE_H

#include <pt/spans.h>

enum { TIMELINE_MAX = 100000 };

struct timeline_call {
	u32 track, depth;	/* an index of 'tracks'; from 0 */
	const char *name;
	u64 start, len, insns;
};

struct timeline {
	struct arena *arena;	/* set by the caller; the rest starts as zero */
	bool by_insns;		/* for the consumer: see struct spans */
	struct timeline_call *calls;
	struct tree_track **tracks;
	u32 n, n_tracks;
	u64 least;		/* calls shorter than this were left out: */
	u64 n_less;
	u64 first, last;	/* start of the first call, end of the last */
	u32 tracks_room;
};

void timeline_add(struct timeline *t, const struct span *span);

#endif
