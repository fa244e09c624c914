/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A stable sort that is fast if the input is nearly sorted.
 */
#ifndef PT_SORT_H
#define PT_SORT_H

#include <pt/base.h>

/* The key, and the object that it belongs to. */
struct sort_item {
	u64 key;
	u32 index;
};

/* Sort 'n' items by key, the smallest first. 'room' is scratch space for 'n' items. */
void sort_items(struct sort_item *items, size_t n, struct sort_item *room);

#endif
