/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Manual: https://protobuf.dev/programming-guides/encoding
 */
#include <pt/proto.h>
#include <pt/text.h>

enum { VARINT, LEN = 2 };

void proto_varint(struct proto *p, u64 v)
{
	do {
		u8 byte = (v & 0x7f) | (v > 0x7f) << 7;

		if (p->out)
			out_char(p->out, byte);
		p->n++;
		v >>= 7;
	} while (v);
}

void proto_u64(struct proto *p, u32 field, u64 v)
{
	proto_varint(p, field << 3 | VARINT);
	proto_varint(p, v);
}

void proto_begin(struct proto *p, u32 field, u64 len)
{
	proto_varint(p, field << 3 | LEN);
	proto_varint(p, len);
}

static void put_text(struct proto *p, const char *s)
{
	u32 n;

	for (; *s; s += MAX(n, 1u)) {
		n = text_utf8(s);
		if (p->out)
			out_bytes(p->out, n ? s : "\xef\xbf\xbd", n ? n : 3);
		p->n += n ? n : 3;
	}
}

void proto_text(struct proto *p, u32 field, const char *s)
{
	struct proto count = { 0 };

	put_text(&count, s);
	proto_begin(p, field, count.n);
	put_text(p, s);
}
