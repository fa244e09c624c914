/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two ways of a thread, side by side.
 */
#ifndef PT_PRINT_WAYS_H
#define PT_PRINT_WAYS_H

#include <pt/out.h>
#include <pt/ways.h>

struct ways_page {
	struct out *out;
	const struct ways *a, *b;
};

/* They are the same; there is only one of them; they differ, and page->a and b keep the branches
 * around the first difference. */
void print_ways_same(struct ways_page *p, const struct way *a, const struct way *b);
void print_ways_one(struct ways_page *p, const struct way *a, const struct way *b);
void print_ways_part(struct ways_page *p, const struct way *a, const struct way *b);

/* The functions whose numbers of calls differ most. */
void print_ways_functions(struct ways_page *p);

#endif
