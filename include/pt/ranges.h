/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --time: ranges of time.
 */
#ifndef PT_RANGES_H
#define PT_RANGES_H

#include <pt/base.h>

enum { RANGES_MAX = 64 };

struct ranges {
	u32 n;
	struct { u64 start, end; } at[RANGES_MAX];	/* ns; end 0: open */
};

/* Read "1.5,2.5", ",2.5", "1,2 3,4", "10%/2", "0%-10%,50%-60%". Percentages are of the time from
 * 'first' to 'last', both 0 if not known. Returns NULL, or an error text. */
const char *ranges_parse(struct ranges *r, const char *text, u64 first, u64 last);

/* Is 'time' in one of the ranges? True if there are no ranges, or if 'time' is 0 (not known). */
bool ranges_have(const struct ranges *r, u64 time);

/* The end of the last range; 0 if it is open. */
u64 ranges_end(const struct ranges *r);

#endif
