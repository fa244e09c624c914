/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compression of long texts to about half their size. A file may have one such text:
 *
 *	PACKED(help) =
 *		"...";
 *
 * The build compiles such a file twice: with the plain text, which kconfig/pack.c packs, and for
 * linking, with PACKED_ID, the symbol of the packed text. Bytes that occur in no text stand for two
 * others, which may again be such bytes, up to eight in all. None of them includes the end of a
 * page.
 */
#ifndef PT_PACKED_H
#define PT_PACKED_H

#include <pt/base.h>

#ifdef PACKED_ID
#define PACKED(name) extern const char name[] __asm__(PACKED_ID); \
	static const char name##_plain[] __attribute__((unused))
#else
#define PACKED(name) \
	static const char name[] __attribute__((section(".rodata.packed"), aligned(1)))
#endif

enum {
	PACKED_MAX = 10 << 10,	/* size limit of a text plus 8 bytes; the build checks it */
	PACKED_WORD = 8,	/* most bytes that one byte stands for */
	PACKED_FIRST = 0x80,	/* the first byte that may stand for two; wraps to 0 */
	PACKED_PAIRS = 160,	/* limit of such bytes */
};

/* The two bytes for byte PACKED_FIRST + i, i < packed_n; if the first is 0 it stands for itself. */
extern const unsigned char packed_pairs[][2], packed_n;

/* The full expansion of each byte, computed at the first use. */
struct packed_words {
	u64 word[256];
	u8 len[256];
};

/* Unpack one page, up to its form feed, to '*text', which moves to the NUL after it. Returns the
 * packed rest, for the next call, or NULL. */
const char *packed_page(struct packed_words *words, char **text, const char *packed);

/* Unpack the whole text. */
void packed_read(char text[PACKED_MAX], const char *packed);

#endif
