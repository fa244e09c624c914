/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for a part of the code cache.
 */
#include "own.h"

enum { MB = 1 << 20, HUGE = 2 * MB, RWX = 7, NEAR = 0x70000000 };
/* For 32-bit code it is below the agent's own memory. */
#define LOWEST (SYS_OWN_32 - N_STRETCHES * STRETCH_SIZE)

/* Emitted code expects that all of it has the same upper 32 bits. */
static COLD u64 map_at(u64 at, u64 size)
{
	return (at ^ (at + size - 1)) >> 32 ? 0 : sys_map_at(at, size, RWX);
}

/* Find free memory near 'ip' in a place that the program will hardly use: above libraries, between
 * them and the stack, or else far below. The last resort is any gap: Java has little else, since
 * each of its threads may reserve 64 MiB. */
COLD u64 room_find(u64 ip, u64 size)
{
	u64 base = ip & ~(u64)(HUGE - 1), at, step;

	if (TRANSLATE_NARROW) {
		for (at = SYS_OWN_32 - size; !sys_map_at(at, size, RWX); at -= size)
			if (at < LOWEST)
				return 0;
		return at;
	}
	for (step = 4 * MB; step < 100 * (u64)MB; step += 8 * MB)
		if (ip >> 40 == 0x7f && (at = map_at(base + step, size)))
			return at;
	for (step = 64 * MB; step < NEAR; step += 64 * MB) {
		if (base > step + 16 * MB && (at = map_at(base - step, size)))
			return at;
		if (ip >> 40 != 0x7f && (at = map_at(base + NEAR - step, size)))
			return at;
	}
	for (step = 4 * MB; step < NEAR - size; step += 4 * MB)
		if ((base > step + 16 * MB && (at = map_at(base - step, size))) ||
		    (at = map_at(base + step, size)))
			return at;
	return 0;
}
