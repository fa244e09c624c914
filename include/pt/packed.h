/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Long texts in half the bytes. A file may have one,
 *
 *	static const PACKED(help) =
 *		"...";
 *
 * which the compiler sees as it is and the build (kconfig/pack.c) packs before it is
 * linked: bytes that are in no text stand for two others, which may be such bytes again,
 * up to eight in all. None stands for the end of a page.
 */
#ifndef PT_PACKED_H
#define PT_PACKED_H

#include <pt/base.h>

#define PACKED(name) char name[] __attribute__((section(".rodata.packed"), aligned(1)))

enum {
	PACKED_MAX = 6 << 10,	/* of a text, with 8 bytes after it; the build checks it */
	PACKED_WORD = 8,	/* bytes that one may stand for */
	PACKED_FIRST = 0x80,	/* bytes that may stand for two: from here, and on from 0 */
	PACKED_PAIRS = 160,	/* at most */
};

/* What the byte PACKED_FIRST + i stands for, i < packed_n; for itself if the first is 0. */
extern const unsigned char packed_pairs[][2], packed_n;

/* What each byte stands for, once there are zeros no more. */
struct packed_words {
	u64 word[256];
	u8 len[256];
};

/* The text again, up to the end of its first page, which is a form feed: '*text' moves on to
 * the NUL behind it. Returns what is left, for the next call, or NULL. */
const char *packed_page(struct packed_words *words, char **text, const char *packed);

/* All of it. */
void packed_read(char text[PACKED_MAX], const char *packed);

#endif
