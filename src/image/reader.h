/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The numbers of DWARF: little-endian, and LEB128.
 */
#ifndef READER_H
#define READER_H

#include <pt/base.h>

/* What is left to read; 'bad' when something did not fit into it. */
struct reader {
	struct bytes rest;
	bool bad;
};

static inline struct bytes reader_bytes(struct reader *r, u64 n)
{
	struct bytes b = bytes_first(r->rest, MIN(n, r->rest.len));

	r->bad |= n > r->rest.len;
	r->rest = bytes_skip(r->rest, b.len);
	return b;
}

/* A number of 'size' bytes, up to 8. */
static inline u64 reader_take(struct reader *r, u32 size)
{
	struct bytes b = reader_bytes(r, size);

	return get_le(b.at, MIN(b.len, sizeof(u64)));
}

static inline u64 reader_leb(struct reader *r, bool is_signed)
{
	u64 v = 0, byte;
	u32 shift = 0;

	do {
		byte = reader_take(r, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	if (is_signed && byte & 0x40 && shift < 64)
		v |= ~0ULL << shift;
	return v;
}

static inline u64 reader_uleb(struct reader *r)
{
	return reader_leb(r, false);
}

static inline i64 reader_sleb(struct reader *r)
{
	return reader_leb(r, true);
}

#endif
