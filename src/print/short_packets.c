/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace bytes to lines that fit a terminal, one for each packet:
 *
 *	.  00000018:  02 73 9f 64 00 5f 00                            TMA CTC 0x649f FC 0x5f
 *
 * The format is that of print_packet.c. The text of a long packet begins farther left, and hides
 * bytes of the packet if necessary. Adjacent timing packets of one kind share a line: "MTC 0x1 ..
 * 0x9 (9)". Therefore a line is printed after the next packet is known.
 */
#include <pt/out.h>
#include <pt/packet.h>
#include <pt/print.h>

enum { WORDS = 62, GLUED = 8 };		/* as in print_packet.c */

static bool may_join(u8 kind)
{
	return kind == PACKET_MTC || kind == PACKET_CYC || kind == PACKET_TSC ||
	       kind == PACKET_TMA || kind == PACKET_CBR || kind == PACKET_PAD ||
	       kind == PACKET_BAD;
}

static char *put_words(char *p, const struct packet_run *r)
{
	p = put_packet(p, &r->first);
	if (r->n == 1)
		return p;
	if (r->last != r->first.payload && r->first.kind != PACKET_TMA)
		p = put_hex(put_bytes(p, " .. 0x", 6), r->last);
	return put_char(put_dec(put_bytes(p, " (", 2), r->n), ')');
}

void short_packets_flush(struct out *out, struct packet_lines *l)
{
	char words[PACKET_TEXT + 64], *end, *start, *p;
	struct packet_run *r = &l->run;
	u32 len, used, i;

	if (!r->n)
		return;
	end = put_words(words, r);
	len = end - words;
	p = start = out_room(out, 2 * WORDS + sizeof(words));
	p = put_hex_0(put_bytes(p, ".  ", 3), r->off, 8);
	p = put_bytes(p, ": ", 2);
	used = p - start + 3 * r->size;
	for (i = 0; i < r->size && used + 2 + len <= out->width; i++)
		p = put_byte(put_char(p, ' '), r->bytes[i]);
	used = p - start;
	if (i)
		p = put_fill(p, ' ', MAX(MIN(WORDS, (i32)(out->width - len)) - (i32)used, 2));
	out_line(out, put_bytes(p, words, len));
	r->n = 0;
}

static void begin(struct packet_lines *l, const struct packet *pkt, const u8 *at, u32 size)
{
	l->run = (struct packet_run){ .off = l->off, .first = *pkt, .size = size };
	memcpy(l->run.bytes, at, size);
}

struct bytes short_packets(struct out *out, struct packet_lines *l, struct bytes in, size_t least)
{
	struct packet_run *r = &l->run;

	while (in.len >= least) {
		struct packet pkt;
		int size = packet_decode(&pkt, in, l->item);

		if (size > 0) {
			l->item = packet_item(&pkt, l->item);
		} else {
			pkt = (struct packet){ PACKET_BAD };
			size = 1;
		}
		while (size < GLUED && (size_t)size < in.len && !in.at[size])
			size++;
		if (!r->n || !may_join(pkt.kind) || pkt.kind != r->first.kind) {
			short_packets_flush(out, l);
			begin(l, &pkt, in.at, size);
		}
		r->n += pkt.kind == PACKET_PAD ? size : 1;
		r->last = pkt.payload;
		l->off += size;
		in = bytes_skip(in, size);
	}
	return in;
}
