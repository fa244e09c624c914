/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Plain bytes to compressed ones and back.
 */
#ifndef PT_ZIP_H
#define PT_ZIP_H

#include <pt/base.h>

enum { ZIP_MAX = 256 << 20 };		/* a file that says it unpacks to more is not believed */

/* Compress 'in', less than 4 GiB, to a zlib stream in 'a'. Empty if that would not be
 * shorter than 'in'. */
struct bytes zip_deflate(struct bytes in, struct arena *a);

/* Undo gzip or zlib, which their first bytes tell apart. The result is in 'a'; 'size' is
 * how long it has to be, or 0 if that is not known. Empty if 'in' is damaged or longer than
 * ZIP_MAX. */
struct bytes zip_inflate(struct bytes in, u64 size, struct arena *a);

static inline bool zip_is_gzip(struct bytes in)
{
	return in.len > 18 && in.at[0] == 0x1f && in.at[1] == 0x8b;
}

#endif
