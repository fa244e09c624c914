/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sorting that keeps the order of equals and is fast on what is nearly sorted.
 */
#ifndef PT_SORT_H
#define PT_SORT_H

#include <pt/base.h>

/* What to sort by, and what it belongs to. */
struct sort_item {
	u64 key;
	u32 index;
};

/* Sort 'n' items by key, the smallest first. 'room' is for another 'n'. */
void sort_items(struct sort_item *items, size_t n, struct sort_item *room);

#endif
