/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Merge sorts. That of items starts from sorted runs in its input: one pass if all is sorted, and
 * one more for each time that the number of runs doubles.
 */
#include <pt/sort.h>

/* The end of the run that begins at 'i'. */
static size_t run_end(const struct sort_item *items, size_t n, size_t i)
{
	while (++i < n && items[i - 1].key <= items[i].key)
		;
	return i;
}

/* Merge the runs [a, b) and [b, c) into one at to[a]. */
static void merge(struct sort_item *to, const struct sort_item *from, size_t a, size_t b, size_t c)
{
	size_t i = a, k = b;

	for (to += a; i < b && k < c; to++)
		*to = from[from[k].key < from[i].key ? k++ : i++];
	memcpy(to, from + i, (b - i) * sizeof(*to));
	memcpy(to + (b - i), from + k, (c - k) * sizeof(*to));
}

/* Merge pairs of runs; true if one run is left. */
static bool pass(struct sort_item *to, const struct sort_item *from, size_t n)
{
	size_t a = 0, b, c;
	unsigned int runs = 0;

	for (; a < n; a = c, runs += runs < 2) {
		b = run_end(from, n, a);
		c = b < n ? run_end(from, n, b) : b;
		merge(to, from, a, b, c);
	}
	return runs < 2;
}

void sort_items(struct sort_item *items, size_t n, struct sort_item *room)
{
	struct sort_item *from = items, *to = room, *other;
	bool done;

	if (run_end(items, n, 0) >= n)
		return;
	do {
		done = pass(to, from, n);
		other = from;
		from = to;
		to = other;
	} while (!done);
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}

void sort_pointers(const void **at, size_t n, const void **room,
		   i64 (*cmp)(const void *who, const void *a, const void *b), const void *who)
{
	size_t half = n / 2, i = 0, k = half, to;

	if (n < 2)
		return;
	sort_pointers(at, half, room, cmp, who);
	sort_pointers(at + half, n - half, room, cmp, who);
	memcpy(room, at, half * sizeof(*at));
	for (to = 0; i < half; to++)
		at[to] = k < n && cmp(who, at[k], room[i]) < 0 ? at[k++] : room[i++];
}
