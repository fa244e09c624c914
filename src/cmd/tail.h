/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The last lines of an output: what is written to 'lines' is kept, and what is older than asked for
 * is forgotten.
 */
#ifndef TAIL_H
#define TAIL_H

#include <pt/out.h>

enum tail_unit { TAIL_LINES, TAIL_CALLS, TAIL_INSNS };

struct tail {
	struct out lines;	/* write here */
	struct arena *arena;
	u64 most;		/* number of units to keep */
	u8 unit;		/* enum tail_unit */
	/* Private. */
	char *text;		/* pieces, each with its head */
	size_t first, used, room, open;	/* where the first and the last one begin */
	u64 n_lines;		/* in all pieces */
	u64 units;		/* met so far: calls or instructions */
	bool full;		/* there was no more memory: fewer lines are kept than requested */
	char buf[OUT_BUFFER];
};

/* 'most', 'unit' and 'arena' are set. */
void tail_start(struct tail *t);

/* What was written since the last call is one piece; 'units' calls or instructions were met by its
 * end, all in all. */
void tail_end_piece(struct tail *t, u64 units);

/* Write what is kept to 'out'. */
void tail_write(struct tail *t, struct out *out);

#endif
