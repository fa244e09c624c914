/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compress and decompress bytes.
 */
#ifndef PT_ZIP_H
#define PT_ZIP_H

#include <pt/base.h>

enum { ZIP_MAX = 256 << 20 };		/* limit of the decompressed size */

/* Compress 'in', less than 4 GiB, to a zlib stream in 'a'. Empty if that would not be
 * shorter than 'in'. */
struct bytes zip_deflate(struct bytes in, struct arena *a);

/* The same as a gzip file; 'in' as it is if that would not be shorter. */
struct bytes zip_gzip(struct bytes in, struct arena *a);

/* Decompress gzip or zlib data into 'a'. 'size' is the exact length of the result, or 0 if not
 * known. Empty if 'in' is damaged or the result is longer than ZIP_MAX. */
struct bytes zip_inflate(struct bytes in, u64 size, struct arena *a);

static inline bool zip_is_gzip(struct bytes in)
{
	return in.len > 18 && in.at[0] == 0x1f && in.at[1] == 0x8b;
}

#endif
