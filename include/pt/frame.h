/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes as lines of text that survive a serial console: lines may be lost, doubled or mixed with
 * others.
 *
 *	%pt3f2a 000000 8c1d02ab AAECAwQF...	the first line of a block
 *	+pt3f2a 000001 77a0b3c2 BgcICQoL...	one that continues it
 *	=pt3f2a 000008 01d2e3f4 Dx8fAAEB...	the XOR of the eight lines before it
 *
 * The columns are: kind and the number of the capture, the line's number, the CRC-32 of all of the
 * line but itself, and up to FRAME_BYTES bytes in base64. Of nine lines in a row any one may be
 * lost: the others give it back.
 *
 * A block is independent of the others: a head (struct frame_block), then its bytes, deflated if
 * that makes them fewer.
 */
#ifndef PT_FRAME_H
#define PT_FRAME_H

#include <pt/base.h>

enum {
	FRAME_BYTES = 36,
	FRAME_GROUP = 8,	/* lines to a line of XOR */
	FRAME_PARITY = FRAME_BYTES + 2,	/* that has their kinds and lengths, too */
	FRAME_TEXT = 100,	/* room for a line */
	FRAME_BLOCK = 4096,	/* bytes of a file in a block, at most */
	FRAME_HEAD = 24,
};

enum { FRAME_FIRST = '%', FRAME_MORE = '+', FRAME_XOR = '=' };

struct frame {
	u8 kind, len;
	u16 id;
	u32 seq;
	u8 bytes[FRAME_PARITY];
};

/* The head of a block: u64 off, size; u32 len, whose bit 31 is "deflated", crc. */
struct frame_block {
	u64 off;		/* of its bytes in the file */
	u64 size;		/* of the file */
	u32 len;		/* of its bytes, at most FRAME_BLOCK */
	bool deflated;
	u32 crc;		/* of its bytes */
};

u32 frame_crc(u32 crc, const void *bytes, size_t n);

/* The line, without its end, to 'to' of FRAME_TEXT. Returns its end. */
char *frame_put(char *to, const struct frame *f);

/* Is there such a line somewhere in 'text'? False also if its CRC is wrong: then '*damaged'. */
bool frame_read(struct frame *f, struct bytes text, bool *damaged);

/* Base64, up to the first character that is none of it. Returns how many bytes it is. */
size_t frame_base64(u8 *to, size_t room, struct bytes text);

void frame_put_head(u8 to[FRAME_HEAD], const struct frame_block *b);
bool frame_read_head(struct frame_block *b, struct bytes from);

#endif
