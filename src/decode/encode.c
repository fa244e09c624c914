/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One packet: struct packet to bytes, the inverse of packet.c.
 *
 * A packet is an opcode of up to three bytes and a value. Kinds whose value is not simply the
 * payload have a case in value().
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#include <pt/encode.h>
#include <pt/last_ip.h>

#include "packet_table.h"

#define FORM(b, kind, size, n, ip) { b, kind, size, n, ip },
static const struct form { u8 byte, kind, size, n, ip; } forms[] = { EXTENDED(FORM) };

/* The value after the opcode that encodes 'pkt'. */
static u64 value(const struct packet *pkt)
{
	u64 v = pkt->payload;

	switch (pkt->kind) {
	case PACKET_TMA:
		return (v & 0xffff) | (u64)(pkt->extra & 0x1ff) << 24;
	case PACKET_CBR:
		return (v & 0xff) | pkt->extra << 8;
	case PACKET_MODE_EXEC:
		return v & 7;
	case PACKET_MODE_TSX:
		return (v & 3) | 1 << 5;
	case PACKET_PIP:
		return v << 1 | pkt->ip;
	case PACKET_PTW:
		return pkt->extra == 8 ? v : (u32)v;
	case PACKET_CFE:
		return (v & 0x1f) | pkt->ip << 7 | pkt->extra << 8;
	}
	return v;
}

static int put_psb(u8 *to)
{
	set64(to, 0x8202820282028202);
	set64(to + 8, 0x8202820282028202);
	return 16;
}

static int put_tnt(u8 *to, const struct packet *pkt)
{
	u64 stop = 1ULL << (pkt->count & 63), bits = stop | (pkt->payload & (stop - 1));

	if (!pkt->count || pkt->count > TNT_LONG)
		return 0;
	if (pkt->count <= TNT_SHORT) {
		*to = bits << 1;
		return 1;
	}
	encode_long_tnt(to, bits);
	return PACKET_LONG_TNT;
}

static int put_ip(u8 *to, const struct packet *pkt)
{
	static const u8 opcode[N_PACKET_KINDS] = {
		[PACKET_TIP] = PACKET_OP_TIP, [PACKET_TIP_PGE] = PACKET_OP_PGE,
		[PACKET_TIP_PGD] = PACKET_OP_PGD, [PACKET_FUP] = PACKET_OP_FUP,
	};

	if (pkt->count > 7 || (pkt->count && !ip_bytes[pkt->count]))
		return 0;
	*to = opcode[pkt->kind] | pkt->count << 5;
	set64(to + 1, pkt->payload);
	return 1 + ip_bytes[pkt->count];
}

/* Five bits, then seven per byte; a bit below each group says that another byte follows. */
static int put_cyc(u8 *to, const struct packet *pkt)
{
	u64 rest = pkt->payload >> 5;
	int n = 1;

	to[0] = (pkt->payload & 0x1f) << 3 | 3 | (rest ? 4 : 0);
	for (; rest; rest >>= 7)
		to[n++] = (rest & 0x7f) << 1 | (rest >> 7 ? 1 : 0);
	return n;
}

static int put_bip(u8 *to, const struct packet *pkt)
{
	*to = pkt->extra << 3 | 4;
	set64(to + 1, pkt->payload);
	return pkt->count == 4 ? 5 : 9;
}

static int put_trig(u8 *to, const struct packet *pkt)
{
	bool counted = pkt->extra >> 16 & 1, many = pkt->extra >> 17 & 1;

	to[0] = 0xd9;
	to[1] = pkt->ip << 7 | counted << 6 | many << 5;
	to[2] = pkt->payload;
	set16(to + 3, pkt->extra);
	return counted ? 5 : 3;
}

/* A packet whose opcode is one byte, with 'size' bytes of value. */
static int put_short(u8 *to, u8 opcode, int size, u64 v)
{
	if (v >> 8 * size)
		return 0;
	set64(to, opcode | v << 8);
	return 1 + size;
}

/* The row of 'pkt'; NULL if it has none. */
static const struct form *form_of(const struct packet *pkt)
{
	const struct form *f, *found = NULL;

	for (f = forms; f < forms + N_ELEM(forms); f++) {
		if (f->kind != pkt->kind)
			continue;
		if (f->kind == PACKET_PTW && (f->n == 8) != (pkt->extra == 8))
			continue;
		if (f->ip == pkt->ip)
			return f;
		found = f;
	}
	return found;
}

static int put_extended(u8 *to, const struct packet *pkt)
{
	enum { OPCODE = 2, MNT_OPCODE = 0x88, EVD_TYPE = 0x3f };
	const struct form *f = form_of(pkt);
	u64 v = value(pkt);

	if (!f || (f->n < 8 && v >> 8 * f->n))
		return 0;
	set16(to, PACKET_EXTENDED | f->byte << 8);
	to[OPCODE] = pkt->kind == PACKET_EVD ? pkt->extra & EVD_TYPE : MNT_OPCODE;
	if (f->n)
		set64(to + f->size - f->n, v);
	return f->size;
}

int packet_encode(u8 *to, const struct packet *pkt)
{
	switch (pkt->kind) {
	case PACKET_PSB:
		return put_psb(to);
	case PACKET_TNT:
		return put_tnt(to, pkt);
	case PACKET_TIP:
	case PACKET_TIP_PGE:
	case PACKET_TIP_PGD:
	case PACKET_FUP:
		return put_ip(to, pkt);
	case PACKET_CYC:
		return put_cyc(to, pkt);
	case PACKET_PAD:
		return put_short(to, 0, 0, pkt->payload);
	case PACKET_MTC:
		return put_short(to, PACKET_OP_MTC, 1, pkt->payload);
	case PACKET_TSC:
		return put_short(to, PACKET_OP_TSC, 7, pkt->payload);
	case PACKET_MODE_EXEC:
	case PACKET_MODE_TSX:
		return put_short(to, PACKET_OP_MODE, 1, value(pkt));
	case PACKET_BIP:
		return put_bip(to, pkt);
	case PACKET_TRIG:
		return put_trig(to, pkt);
	}
	return put_extended(to, pkt);
}
