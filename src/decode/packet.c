/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One packet: bytes to struct packet.
 *
 * A packet is identified by its first byte, or by its second if the first is 02h. Both are looked
 * up in tables (the second one is in packet_table.h); read_*() handle what a table cannot express.
 * The only ambiguity is an item of an open block (BIP), which looks like a TNT, so a walk over
 * packets remembers whether a block is open.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#include <pt/last_ip.h>
#include <pt/packet.h>

#include "packet_table.h"

/* The first byte. These macros compute each row of the table from its index; 'size' 0 leaves the
 * byte to decode(). */
#define IS_TNT(b) (!((b) & 1) && (b) != 0 && (b) != 2)
#define IS_CYC(b) (((b) & 3) == 3)	/* as packet_is_cyc(): a constant */
#define HAS_OP(b, op) (((b) & PACKET_OP_IP) == PACKET_OP_##op)
#define IS_IP(b) (HAS_OP(b, TIP) || HAS_OP(b, PGE) || HAS_OP(b, PGD) || HAS_OP(b, FUP))

#define IP_KIND(b) (HAS_OP(b, TIP) ? PACKET_TIP : HAS_OP(b, PGE) ? PACKET_TIP_PGE : \
		    HAS_OP(b, PGD) ? PACKET_TIP_PGD : PACKET_FUP)
#define IP_SIZE(b) ((b) >> 5 == 0 ? 1 : (b) >> 5 == 1 ? 3 : (b) >> 5 == 2 ? 5 : \
		    (b) >> 5 == 3 ? 7 : (b) >> 5 == 4 ? 7 : (b) >> 5 == 6 ? 9 : 0)

/* The stop bit is the highest bit that is set; the results lie between it and bit 0. */
#define TNT_COUNT(b) ((b) & 0x80 ? 6 : (b) & 0x40 ? 5 : (b) & 0x20 ? 4 : (b) & 0x10 ? 3 : \
		      (b) & 0x08 ? 2 : 1)
#define TNT_BITS(b) ((b) >> 1 & ((1 << TNT_COUNT(b)) - 1))

#define BYTE(b) { \
	(b) == 0 ? PACKET_PAD : IS_TNT(b) ? PACKET_TNT : IS_CYC(b) ? PACKET_CYC : \
	IS_IP(b) ? IP_KIND(b) : (b) == PACKET_OP_TSC ? PACKET_TSC : \
	(b) == PACKET_OP_MTC ? PACKET_MTC : PACKET_BAD, \
	(b) == 0 || IS_TNT(b) ? 1 : IS_CYC(b) ? !((b) & 4) : IS_IP(b) ? IP_SIZE(b) : \
	(b) == PACKET_OP_TSC ? 8 : (b) == PACKET_OP_MTC ? 2 : 0, \
	IS_TNT(b) ? TNT_COUNT(b) : IS_IP(b) ? (b) >> 5 : 0, \
	IS_TNT(b) ? TNT_BITS(b) : IS_CYC(b) ? (b) >> 3 : 0 }
#define BYTES_4(b) BYTE(b), BYTE(b + 1), BYTE(b + 2), BYTE(b + 3)
#define BYTES_16(b) BYTES_4(b), BYTES_4(b + 4), BYTES_4(b + 8), BYTES_4(b + 12)
#define BYTES_64(b) BYTES_16(b), BYTES_16(b + 16), BYTES_16(b + 32), BYTES_16(b + 48)

const struct packet_byte packet_bytes[256] = {
	BYTES_64(0), BYTES_64(64), BYTES_64(128), BYTES_64(192)
};

const u64 packet_masks[10] = {
	0, 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
	~0ULL
};

#define PLACE(b, kind, size, n, ip) PLACE_##b,
enum { NOWHERE, EXTENDED(PLACE) };

#define AT_BYTE(b, kind, size, n, ip) [b] = PLACE_##b,
static const u8 places[256] = { EXTENDED(AT_BYTE) };

#define FORMAT(b, kind, size, n, ip) [PLACE_##b] = { kind, size, n, ip },
static const struct format {
	u8 kind, size, n, ip;
} formats[] = { EXTENDED(FORMAT) };

enum {
	BBP_TYPE = 0x1f,
	BBP_SHORT = 0x80,	/* items have 4 bytes, not 8 */
	LOOK = PACKET_MAX + 8,	/* a packet, and as many bytes as one read may reach after it */
};

/* Is 'in' the beginning of a PSB, as far as its bytes go? */
static bool is_psb(struct bytes in)
{
	static const u8 psb[] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				  2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };

	return !memcmp(in.at, psb, MIN(in.len, sizeof(psb)));
}

/* All packets that begin with 02h: those of the table, and the special cases. It is a function of
 * its own because otherwise the registers that it uses would be saved for every TNT. */
static __attribute__((noinline)) int read_extended(struct packet *pkt, struct bytes in,
						   unsigned int errata)
{
	const struct format *f = &formats[places[in.at[1]]];
	u64 raw = get64(in.at + f->size - f->n) & packet_masks[f->n + 1], payload = raw;
	unsigned int size = f->size, count = 0, ip = f->ip, extra = 0;

	switch (f->kind) {
	case PACKET_BAD:
		return in.len < 2 ? 2 : -1;
	case PACKET_PSB:
		if (!is_psb(in))
			return -1;
		break;
	case PACKET_MNT:
		if (in.len > 2 && in.at[2] != 0x88)
			return -1;
		break;
	case PACKET_TNT:	/* the stop bit is the highest one; a packet without results is
				 * accepted */
		count = raw ? 63 - __builtin_clzll(raw) : 0;
		payload = raw & ((1ULL << count) - 1);
		break;
	case PACKET_PIP:
		ip = raw & 1;
		payload = raw >> 1;
		break;
	case PACKET_CBR:
		payload = raw & 0xff;
		extra = raw >> 8;
		break;
	case PACKET_TMA:
		payload = raw & 0xffff;
		extra = raw >> 24 & 0x1ff;
		if (errata & PACKET_LONG_TMA && raw & 0xfe00ff0000)
			size = 8;
		break;
	case PACKET_PTW:
		extra = size - 2;
		break;
	case PACKET_BBP:
		payload = raw & (BBP_SHORT | BBP_TYPE);
		break;
	case PACKET_CFE:
		payload = raw & 0x1f;
		ip = raw >> 7 & 1;
		extra = raw >> 8;
		break;
	case PACKET_EVD:
		extra = in.at[2] & 0x3f;
		break;
	}
	*pkt = (struct packet){ f->kind, size, count, ip, extra, payload };
	return size;
}

/* Are the two bytes of this CYC a CYC that was cut short, and the first byte of an OVF (02 f3)? */
static bool is_cut(const u8 *at)
{
	return at[1] == 0x02 && at[2] == 0xf3;
}

/* Another byte follows if bit 2 of the first byte, or bit 0 of a later one, is set. */
static int read_cyc(struct packet *pkt, const u8 *at, unsigned int errata)
{
	enum { CYC_MAX = 10 };
	u64 cycles = at[0] >> 3;
	unsigned int n = 1, shift = 5;
	bool more = at[0] & 4;

	if (more && errata & PACKET_CUT_CYC && is_cut(at))
		more = false;
	for (; more; shift += 7) {
		if (n == CYC_MAX)
			return -1;
		cycles |= (u64)(at[n] >> 1) << shift;
		more = at[n++] & 1;
	}
	*pkt = (struct packet){ .kind = PACKET_CYC, .size = n, .payload = cycles };
	return n;
}

static int read_mode(struct packet *pkt, const u8 *at)
{
	unsigned int leaf = at[1] >> 5, bits = at[1] & (leaf ? 3 : 7);

	if (leaf > 1 || (bits & 3) == 3)
		return -1;
	*pkt = (struct packet){
		.kind = leaf ? PACKET_MODE_TSX : PACKET_MODE_EXEC, .size = 2, .payload = bits,
	};
	return 2;
}

/* Flags: bit 7 IP, bit 6 an instruction count follows, bit 5 several triggers; the rest is
 * reserved. */
static int read_trig(struct packet *pkt, const u8 *at)
{
	unsigned int flags = at[1], size = flags & 0x40 ? 5 : 3;

	if (flags & 0x1f)
		return -1;
	*pkt = (struct packet){
		.kind = PACKET_TRIG, .size = size, .ip = flags >> 7,
		.payload = at[2],
		.extra = (flags & 0x40 ? 1 << 16 | get16(at + 3) : 0) | (flags & 0x20) << 12,
	};
	return size;
}

static int read_item(struct packet *pkt, const u8 *at, unsigned int item)
{
	*pkt = (struct packet){
		.kind = PACKET_BIP, .size = 1 + item, .count = item, .extra = at[0] >> 3,
		.payload = get64(at + 1) & packet_masks[1 + item],
	};
	return 1 + item;
}

/* LOOK bytes at in.at can be read, even if 'in' ends before. */
static int read_any(struct packet *pkt, struct bytes in, unsigned int item, unsigned int errata)
{
	const struct packet_byte *b = &packet_bytes[in.at[0]];

	if (unlikely(item && (in.at[0] & 7) == 4))
		return read_item(pkt, in.at, item);
	if (b->size) {
		packet_set(pkt, b, get64(in.at + 1) & packet_masks[b->size]);
		return b->size;
	}
	if (likely(in.at[0] == 0x02))
		return read_extended(pkt, in, errata);
	if (b->kind == PACKET_CYC)
		return read_cyc(pkt, in.at, errata);
	if (in.at[0] == 0x99)
		return read_mode(pkt, in.at);
	if (in.at[0] == 0xd9)
		return read_trig(pkt, in.at);
	return -1;
}

/* Bytes after the end of 'in' are read as zeros; a packet that needs them is then dropped. */
static int read_cut(struct packet *pkt, struct bytes in, unsigned int item, unsigned int errata)
{
	u8 longer[LOOK] = { 0 };
	struct packet got;
	int size;

	memcpy(longer, in.at, in.len);
	size = read_any(&got, (struct bytes){ longer, in.len }, item, errata);
	if (size > (int)in.len)
		return 0;
	if (size > 0)
		*pkt = got;
	return size;
}

static int decode(struct packet *pkt, struct bytes in, unsigned int item, unsigned int errata)
{
	if (unlikely(in.len < LOOK))
		return in.len ? read_cut(pkt, in, item, errata) : 0;
	return read_any(pkt, in, item, errata);
}

int packet_decode(struct packet *pkt, struct bytes in, unsigned int item)
{
	return decode(pkt, in, item, 0);
}

unsigned int packet_item(const struct packet *pkt, unsigned int item)
{
	if (pkt->kind == PACKET_BBP)
		return pkt->payload & BBP_SHORT ? 4 : 8;
	return packet_in(PACKET_SET(PACKET_CLOSES), pkt->kind) ? 0 : item;
}

/* Cases that packet_next() does not handle itself: the end, blocks, rare packets. */
bool packet_next_any(struct packets *p, struct packet *pkt)
{
	int size = decode(pkt, p->rest, p->item, p->errata);

	if (!size)
		return false;
	if (size < 0) {
		*pkt = (struct packet){ PACKET_BAD, .size = 1, .payload = p->rest.at[0] };
		size = 1;
	}
	p->item = packet_item(pkt, p->item);
	packet_step(p, size);
	return true;
}

size_t packet_skip_pads(struct packets *p)
{
	const u8 *at = p->rest.at, *end = at + p->rest.len;
	size_t n;

	while (end - at >= 8 && !get64(at))
		at += 8;
	while (at < end && !*at)
		at++;
	n = at - p->rest.at;
	packet_step(p, n);
	return n;
}
