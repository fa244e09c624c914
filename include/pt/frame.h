/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes as lines of text for a serial console, on which lines may be lost, doubled or mixed with
 * others.
 *
 *	%pt3f2a 000000 8c1d02ab AAECAwQF...	the first line of a block
 *	+pt3f2a 000001 77a0b3c2 BgcICQoL...	one that continues it
 *	=pt3f2a 000008 01d2e3f4 Dx8fAAEB...	the XOR of the eight lines before it
 *
 * The columns are: kind and number of the capture, number of the line, CRC-32 of the rest of the
 * line, and up to FRAME_BYTES bytes in base64. If one of nine adjacent lines is lost, it is
 * restored from the others.
 *
 * Blocks are independent of each other. A block has a head (struct frame_block) and bytes,
 * compressed if that makes them fewer.
 */
#ifndef PT_FRAME_H
#define PT_FRAME_H

#include <pt/base.h>

enum {
	FRAME_BYTES = 36,
	FRAME_GROUP = 8,	/* lines for each line of XOR */
	FRAME_PARITY = FRAME_BYTES + 2,	/* it also covers their kinds and lengths */
	FRAME_TEXT = 100,	/* size of the buffer for a line */
	FRAME_BLOCK = 4096,	/* most bytes of a file in a block */
	FRAME_HEAD = 24,
};

enum { FRAME_FIRST = '%', FRAME_MORE = '+', FRAME_XOR = '=' };

struct frame {
	u8 kind, len;
	u16 id;
	u32 seq;
	u8 bytes[FRAME_PARITY];
};

/* The head of a block: u64 off, size; u32 len, whose bit 31 is "deflated" and 30 "record", crc. */
struct frame_block {
	u64 off;		/* of its bytes in the file */
	u64 size;		/* of the file */
	u32 len;		/* of its bytes, at most FRAME_BLOCK */
	bool deflated;
	bool record;		/* it begins with a record of perf.data */
	u32 crc;		/* of its bytes */
};

u32 frame_crc(u32 crc, const void *bytes, size_t n);

/* Write the line without '\n' to 'to', which has FRAME_TEXT bytes. Returns its end. */
char *frame_put(char *to, const struct frame *f);

/* Find the next such line in 'text', which then begins within it. False if there is none, or if its
 * CRC is wrong; then '*damaged' is set. */
bool frame_read(struct frame *f, struct bytes *text, bool *damaged);

/* Decode base64 up to the first other character. Returns the number of bytes. */
size_t frame_base64(u8 *to, size_t room, struct bytes text);

void frame_put_head(u8 to[FRAME_HEAD], const struct frame_block *b);
bool frame_read_head(struct frame_block *b, struct bytes from);

#endif
