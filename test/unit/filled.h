/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes to be packed and unpacked.
 */
#ifndef TEST_FILLED_H
#define TEST_FILLED_H

#include "test.h"

/* 'len' bytes below 'values', as if by chance. */
static inline struct bytes filled(size_t len, u32 seed, u32 values)
{
	u8 *at = NEW(&test_arena, u8, len);
	size_t i;

	for (i = 0; i < len; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (seed >> 16) % values;
	}
	return (struct bytes){ at, len };
}

/* Of frequencies so unlike that codes get as long as they may. */
static inline struct bytes uneven(size_t len)
{
	u8 *at = NEW(&test_arena, u8, len);
	size_t i;
	u32 seed = 7;

	for (i = 0; i < len; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = __builtin_ctz(seed >> 8 | 1 << 23) + (i % 5000 ? 0 : i / 5000);
	}
	return (struct bytes){ at, len };
}

#endif
