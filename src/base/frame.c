/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes to lines of a serial console, and back: <pt/frame.h>.
 */
#include <pt/frame.h>
#include <pt/out.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* One bit at a time, which is fast enough for a serial line. */
u32 frame_crc(u32 crc, const void *bytes, size_t n)
{
	const u8 *p = bytes;
	u32 i;

	crc = ~crc;
	while (n--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static u32 crc_of(const struct frame *f)
{
	const u8 head[8] = { f->kind, f->len, f->id, f->id >> 8,
			     f->seq, f->seq >> 8, f->seq >> 16, 0 };

	return frame_crc(frame_crc(0, head, sizeof(head)), f->bytes, f->len);
}

static char *put_base64(char *p, const u8 *at, u32 n)
{
	u32 i, v;

	for (; n; n -= MIN(n, 3u), at += 3) {
		v = at[0] << 16 | (n > 1 ? at[1] << 8 : 0) | (n > 2 ? at[2] : 0);
		for (i = 0; i < 4; i++)
			*p++ = i <= n ? digits[v >> (18 - 6 * i) & 63] : '=';
	}
	return p;
}

static i32 digit(u8 c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? at - digits : -1;
}

size_t frame_base64(u8 *to, size_t room, struct bytes text)
{
	u32 v = 0, bits = 0;
	size_t n = 0, i;

	for (i = 0; i < text.len && digit(text.at[i]) >= 0; i++) {
		v = v << 6 | digit(text.at[i]);
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		if (n == room)
			return 0;
		to[n++] = v >> bits;
	}
	return n;
}

char *frame_put(char *p, const struct frame *f)
{
	p = put_char(p, f->kind);
	p = put_hex_0(put_bytes(p, "pt", 2), f->id, 4);
	p = put_hex_0(put_char(p, ' '), f->seq, 6);
	p = put_hex_0(put_char(p, ' '), crc_of(f), 8);
	return put_base64(put_char(p, ' '), f->bytes, f->len);
}

/* Read a number of 'n' hexadecimal digits, and a blank. */
static bool read_hex(const u8 *p, u32 n, u32 *v)
{
	u32 i;

	for (*v = i = 0; i < n; i++) {
		u8 c = p[i], d = c - '0';

		if (c >= 'a' && c <= 'f')
			d = c - 'a' + 10;
		else if (d > 9)
			return false;
		*v = *v << 4 | d;
	}
	return p[n] == ' ';
}

enum { LEAST = 25 };	/* bytes of a line */

/* Read the line at the front of 'text', which has at least LEAST bytes. */
static bool read_at(struct frame *f, struct bytes text, bool *damaged)
{
	const u8 *p = text.at;
	u32 id, crc, most;

	if ((p[0] != FRAME_FIRST && p[0] != FRAME_MORE && p[0] != FRAME_XOR) || p[1] != 'p' ||
	    p[2] != 't' || !read_hex(p + 3, 4, &id) || !read_hex(p + 8, 6, &f->seq) ||
	    !read_hex(p + 15, 8, &crc))
		return false;
	f->kind = p[0];
	f->id = id;
	/* Other text may follow. */
	most = f->kind == FRAME_XOR ? FRAME_PARITY : FRAME_BYTES;
	text = bytes_first(bytes_skip(text, 24), (most * 8 + 5) / 6);
	f->len = frame_base64(f->bytes, most, text);
	*damaged = crc_of(f) != crc;
	return !*damaged;
}

bool frame_read(struct frame *f, struct bytes *text, bool *damaged)
{
	bool found = false;

	for (*damaged = false; text->len >= LEAST && !found && !*damaged; )
		if ((found = read_at(f, *text, damaged)) || *damaged)
			*text = bytes_skip(*text, LEAST - 1);
		else
			*text = bytes_skip(*text, 1);
	return found;
}

void frame_put_head(u8 to[FRAME_HEAD], const struct frame_block *b)
{
	set64(to, b->off);
	set64(to + 8, b->size);
	set32(to + 16, b->len | (u32)b->deflated << 31 | (u32)b->record << 30);
	set32(to + 20, b->crc);
}

bool frame_read_head(struct frame_block *b, struct bytes from)
{
	if (from.len < FRAME_HEAD)
		return false;
	b->off = get64(from.at);
	b->size = get64(from.at + 8);
	b->len = get32(from.at + 16) & 0x3fffffff;
	b->deflated = get32(from.at + 16) >> 31;
	b->record = get32(from.at + 16) >> 30 & 1;
	b->crc = get32(from.at + 20);
	return b->len <= FRAME_BLOCK && b->off <= b->size && b->len <= b->size - b->off;
}
