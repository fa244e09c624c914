/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf.data with holes, whose bytes are in other files.
 */
#include "perf_input.h"

/* The first hole that ends after 'off', or NULL. */
static const struct perf_hole *find(const struct perf_elsewhere *all, u64 off)
{
	u32 low = 0, high = all->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (all->holes[mid].off + all->holes[mid].size > off)
			high = mid;
		else
			low = mid + 1;
	}
	return low < all->n ? &all->holes[low] : NULL;
}

long elsewhere_pread(const struct perf_file *f, void *to, size_t n, u64 off)
{
	const struct perf_hole *e;
	size_t got = 0, part;
	u64 skip;
	long r;

	for (; got < n; got += r, off += r) {
		e = find(f->elsewhere, off);
		if (e && off >= e->off) {
			skip = off - e->off;
			part = MIN(n - got, e->size - skip);
			r = perf_read_at(e->file, e->at + skip, (u8 *)to + got, part);
		} else {
			part = e ? MIN(n - got, e->off - off) : n - got;
			r = input_pread(f->in->parts->fd, (u8 *)to + got, part, off);
		}
		if (r <= 0)
			return r ? r : (long)got;
	}
	return got;
}
