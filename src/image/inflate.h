/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compressed bytes to plain ones.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include <pt/base.h>

enum { INFLATE_MAX = 256 << 20 };		/* more than that is not believed */

/* Undo gzip or zlib (told apart by their first bytes). The result is in 'a';
 * 'size' is how long it should be, or 0. Empty if 'in' is damaged, or this
 * program was built without zlib. */
struct bytes inflate_bytes(struct bytes in, u64 size, struct arena *a);

static inline bool inflate_is_gzip(struct bytes in)
{
	return in.len > 18 && in.at[0] == 0x1f && in.at[1] == 0x8b;
}

#endif
