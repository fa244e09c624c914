/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Moves of a tree to calls with start and end, in the order of the trace.
 *
 *	tree.use_moves = true;			before the first tree_add()
 *	while (listing_next(&listing, &e) > 0) {
 *		tree_add(&tree, &e);
 *		while (spans_next(&spans, &span))
 *			...
 *	}
 *	tree_finish(&tree);			the last calls end
 *	while (spans_next(&spans, &span))
 *		...
 *
 * At a gap all calls of the track end, and "[gap]" is open until the trace continues. While a
 * thread is not traced, "[not traced]" is open above its calls. The times of a track do not
 * decrease, and calls are nested.
 */
#ifndef PT_SPANS_H
#define PT_SPANS_H

#include <pt/tree.h>

enum span_kind {
	SPAN_TRACK,	/* the track has a new name; comes before its first call */
	SPAN_OPEN,	/* 'name' was called, or jumped to */
	SPAN_CLOSE,	/* it ended; 'insns' of it and of its callees */
};

struct span {
	u8 kind;		/* enum span_kind */
	struct tree_track *track;
	u32 track_nr;		/* from 0, in the order in which they appear */
	u32 depth;		/* from 0 */
	const char *name;
	bool is_new;		/* SPAN_OPEN: the first call of that name */
	u64 at, start;		/* ns, or instructions: see struct spans. 'start' of SPAN_CLOSE */
	u64 insns;
};

struct spans {
	struct tree *tree;
	bool by_insns;		/* no times: 'at' counts the instructions of all tracks */
	/* Private. */
	u32 i, n_tracks, n_seen;
	struct shown_track *newest;
	bool *seen;		/* names, by their numbers */
};

/* The next one of the moves that the tree has. */
bool spans_next(struct spans *s, struct span *span);

/* For output in several files. All that is open ends: until it is false. Then all that was open
 * begins again, at the same times: until it is false. Names and tracks are new once more. */
bool spans_suspend(struct spans *s, struct span *span);
bool spans_resume(struct spans *s, struct span *span);

#endif
