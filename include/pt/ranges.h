/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --time: stretches of time to look at.
 */
#ifndef PT_RANGES_H
#define PT_RANGES_H

#include <pt/base.h>

enum { RANGES_MAX = 64 };

struct ranges {
	u32 n;
	struct { u64 start, end; } at[RANGES_MAX];	/* ns; end 0: open */
};

/* Read "1.5,2.5", ",2.5", "1,2 3,4", "10%/2", "0%-10%,50%-60%". Percents are of
 * 'first' to 'last', both 0 if they are not known. NULL, or what is wrong. */
const char *ranges_parse(struct ranges *r, const char *text, u64 first, u64 last);

/* Is 'time' (0: not known, which is in) in one of them? No ranges: all is. */
bool ranges_have(const struct ranges *r, u64 time);

/* Where the last one ends; 0: nowhere. */
u64 ranges_end(const struct ranges *r);

#endif
