/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stable sorts.
 */
#ifndef PT_SORT_H
#define PT_SORT_H

#include <pt/base.h>

/* The key, and the object that it belongs to. */
struct sort_item {
	u64 key;
	u32 index;
};

/* Sort 'n' items by key, the smallest first; fast if they are nearly sorted. 'room' is scratch
 * space for 'n' items. */
void sort_items(struct sort_item *items, size_t n, struct sort_item *room);

/* Sort 'n' pointers, the smallest first: 'cmp' returns a number below 0 if 'a' is before 'b'.
 * 'room' is scratch space for 'n' pointers. */
void sort_pointers(const void **at, size_t n, const void **room,
		   i64 (*cmp)(const void *who, const void *a, const void *b), const void *who);

#endif
