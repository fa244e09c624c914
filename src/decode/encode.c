/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One packet: struct packet to bytes, the inverse of packet.c.
 *
 * A packet is an opcode of up to three bytes and a value. Kinds whose value is not simply the
 * payload have a case in value().
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#include <pt/last_ip.h>
#include <pt/packet.h>

/* 'n' bytes of opcode, 'size' bytes of value. 'ip' is the bit of the opcode's last byte that says
 * that a FUP follows. */
struct form {
	u8 opcode[3];
	u8 n, size, ip;
};

static const struct form forms[N_PACKET_KINDS] = {
	[PACKET_PAD] = { { 0x00 }, 1 },
	[PACKET_MTC] = { { 0x59 }, 1, 1 },
	[PACKET_TSC] = { { 0x19 }, 1, 7 },
	[PACKET_TMA] = { { 0x02, 0x73 }, 2, 5 },
	[PACKET_CBR] = { { 0x02, 0x03 }, 2, 2 },
	[PACKET_MODE_EXEC] = { { 0x99 }, 1, 1 },
	[PACKET_MODE_TSX] = { { 0x99 }, 1, 1 },
	[PACKET_PSBEND] = { { 0x02, 0x23 }, 2 },
	[PACKET_OVF] = { { 0x02, 0xf3 }, 2 },
	[PACKET_PIP] = { { 0x02, 0x43 }, 2, 6 },
	[PACKET_VMCS] = { { 0x02, 0xc8 }, 2, 5 },
	[PACKET_TRACESTOP] = { { 0x02, 0x83 }, 2 },
	[PACKET_MWAIT] = { { 0x02, 0xc2 }, 2, 8 },
	[PACKET_PWRE] = { { 0x02, 0x22 }, 2, 2 },
	[PACKET_PWRX] = { { 0x02, 0xa2 }, 2, 5 },
	[PACKET_EXSTOP] = { { 0x02, 0x62 }, 2, .ip = 0x80 },
	[PACKET_BBP] = { { 0x02, 0x63 }, 2, 1 },
	[PACKET_BEP] = { { 0x02, 0x33 }, 2, .ip = 0x80 },
	[PACKET_CFE] = { { 0x02, 0x13 }, 2, 2 },
	[PACKET_MNT] = { { 0x02, 0xc3, 0x88 }, 3, 8 },
};

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

	if (!pkt->count || pkt->count > 47)
		return 0;
	if (pkt->count <= 6) {
		*to = bits << 1;
		return 1;
	}
	set64(to, bits << 16 | 0xa302);
	return 8;
}

static int put_ip(u8 *to, const struct packet *pkt)
{
	static const u8 opcode[N_PACKET_KINDS] = {
		[PACKET_TIP] = 0x0d, [PACKET_TIP_PGE] = 0x11, [PACKET_TIP_PGD] = 0x01,
		[PACKET_FUP] = 0x1d,
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

static int put_ptw(u8 *to, const struct packet *pkt)
{
	bool wide = pkt->extra == 8;

	set16(to, 0x1202 | wide << 13 | pkt->ip << 15);
	set64(to + 2, pkt->payload);
	return wide ? 10 : 6;
}

static int put_evd(u8 *to, const struct packet *pkt)
{
	set16(to, 0x5302);
	to[2] = pkt->extra & 0x3f;
	set64(to + 3, pkt->payload);
	return 11;
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

static int put_form(u8 *to, const struct packet *pkt, const struct form *f)
{
	u64 v = value(pkt);

	if (!f->n || (f->size < 8 && v >> 8 * f->size))
		return 0;
	memcpy(to, f->opcode, sizeof(f->opcode));
	if (pkt->ip)
		to[f->n - 1] |= f->ip;
	if (f->size)
		set64(to + f->n, v);
	return f->n + f->size;
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
	case PACKET_PTW:
		return put_ptw(to, pkt);
	case PACKET_BIP:
		return put_bip(to, pkt);
	case PACKET_EVD:
		return put_evd(to, pkt);
	case PACKET_TRIG:
		return put_trig(to, pkt);
	}
	return pkt->kind < N_PACKET_KINDS ? put_form(to, pkt, &forms[pkt->kind]) : 0;
}
