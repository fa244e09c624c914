/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf.data with holes, whose bytes are in other files.
 */
#include "perf_input.h"

/* The first part that ends after 'off', or NULL. */
static const struct perf_elsewhere *find(const struct perf_spool *s, u64 off)
{
	u32 low = 0, high = s->n_elsewhere, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->elsewhere[mid].off + s->elsewhere[mid].size > off)
			high = mid;
		else
			low = mid + 1;
	}
	return low < s->n_elsewhere ? &s->elsewhere[low] : NULL;
}

long elsewhere_pread(const struct perf_file *f, void *to, size_t n, u64 off)
{
	const struct perf_elsewhere *e;
	size_t got = 0, part;
	u64 skip;
	long r;

	for (; got < n; got += r, off += r) {
		e = find(&f->spool, off);
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
