/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace bytes to the places where decoding can start: PSB packets.
 *
 * A PSB is 02 82, eight times, at any offset. Without bit 7 all its bytes are the same, so every
 * 4-byte word inside it is 02020202h without these bits, whatever its alignment; the first such
 * word leaves four places where the PSB may start. Vectors of words are compared at once.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Stream Boundary".
 */
#include <pt/packet.h>

enum { PSB = PSB_BYTES, WORD = 4, BLOCK = 64 };

typedef u32 words __attribute__((vector_size(16)));

static bool is_psb(const u8 *at)
{
	return get64(at) == 0x8202820282028202 && get64(at + 8) == 0x8202820282028202;
}

static inline words words_at(const u8 *at)
{
	words w;

	memcpy(&w, at, sizeof(w));
	return (w & 0x7f7f7f7f) == 0x02020202;
}

/* May a word of the 64 bytes at 'at' belong to a PSB? */
static inline bool block_may(const u8 *at)
{
	words w = words_at(at) | words_at(at + 16) | words_at(at + 32) | words_at(at + 48);
	u64 half[2];

	memcpy(half, &w, sizeof(half));
	return half[0] | half[1];
}

static bool word_may(const u8 *at)
{
	return (get32(at) & 0x7f7f7f7f) == 0x02020202;
}

size_t sync_find(struct bytes in)
{
	size_t at = 0, start;

	if (in.len < PSB)
		return in.len;
	while (at + WORD <= in.len) {
		if (at % BLOCK == 0 && at + BLOCK <= in.len && !block_may(in.at + at)) {
			at += BLOCK;
			continue;
		}
		if (word_may(in.at + at))
			for (start = at < WORD ? 0 : at - WORD + 1; start <= at; start++)
				if (start + PSB <= in.len && is_psb(in.at + start))
					return start;
		at += WORD;
	}
	return in.len;
}

/* The same from the end: words lie at multiples of 4 before it. */
size_t sync_find_last(struct bytes in)
{
	const u8 *end = in.at + in.len;
	size_t back = WORD, start;	/* distance of the word from the end */

	for (; back <= in.len; back += WORD) {
		if (back % BLOCK == WORD) {
			size_t far = back - WORD + BLOCK;

			if (far <= in.len && !block_may(end - far)) {
				back = far;
				continue;
			}
		}
		if (!word_may(end - back))
			continue;
		/* It is the last whole word of a PSB, which ends up to 3 bytes after it. */
		for (start = PSB - WORD - (WORD - 1) + back; start <= PSB - WORD + back; start++)
			if (start >= PSB && start <= in.len && is_psb(end - start))
				return in.len - start;
	}
	return in.len;
}
