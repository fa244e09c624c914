/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of which parts are missing: see holes.c.
 */
#ifndef HOLES_H
#define HOLES_H

#include <pt/base.h>

/* Bytes of a file that arrived. */
struct span {
	u64 off, end;
	bool record;		/* a record of perf.data is known to begin at 'off' */
};

/* 'file' has the bytes of the spans, which are in the order of time, and 0 elsewhere. Make it
 * readable. */
void holes_mend(struct bytes file, const struct span *spans, u32 n, struct arena *arena);

#endif
