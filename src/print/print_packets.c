/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace that comes in pieces, to lines of packets: long ones, or short ones for a terminal.
 *
 * A packet may begin in one piece and end in the next. Therefore the last bytes of a piece, fewer
 * than the longest packet has, are kept, and printed before the next piece.
 */
#include <pt/out.h>
#include <pt/packet.h>
#include <pt/print.h>
#include <pt/term.h>

static struct bytes print_lines(struct out *out, struct packet_lines *l, struct bytes in,
				size_t least)
{
	return term_fits(out) ? short_packets(out, l, in, least) :
				print_packet_lines(out, l, in, least);
}

static void keep(struct packet_lines *l, struct bytes in)
{
	memcpy(l->kept, in.at, in.len);
	l->n_kept = in.len;
}

/* Print the bytes kept from the last piece, followed by the start of 'piece'. Returns the rest of
 * 'piece'. */
static struct bytes print_joint(struct out *out, struct packet_lines *l, struct bytes piece)
{
	u8 joint[2 * PACKET_MAX];
	size_t kept = l->n_kept, n = MIN(piece.len, sizeof(joint) - kept);
	struct bytes in = { joint, kept + n };

	memcpy(joint, l->kept, kept);
	memcpy(joint + kept, piece.at, n);
	in = print_lines(out, l, in, MAX(n + 1, (size_t)PACKET_MAX));
	l->n_kept = 0;
	if (in.at >= joint + kept)
		return bytes_skip(piece, in.at - joint - kept);
	keep(l, in);
	return bytes_skip(piece, n);
}

void print_packets(struct out *out, struct packet_lines *l, struct bytes piece)
{
	print_packet_start();
	if (l->n_kept)
		piece = print_joint(out, l, piece);
	if (!l->n_kept)
		keep(l, print_lines(out, l, piece, PACKET_MAX));
}

COLD void print_packets_end(struct out *out, struct packet_lines *l)
{
	u8 last[2 * PACKET_MAX] = { 0 };
	struct bytes in = { last, l->n_kept };

	memcpy(last, l->kept, l->n_kept);
	print_lines(out, l, in, 1);
	if (term_fits(out))
		short_packets_flush(out, l);
	*l = (struct packet_lines){ 0 };
}
