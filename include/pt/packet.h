/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Intel PT packets: bytes to struct packet. <pt/encode.h> has the inverse.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#ifndef PT_PACKET_H
#define PT_PACKET_H

#include <pt/base.h>

/* What the decoder knows of a kind of packet. */
enum packet_trait {
	PACKET_TIME = 1,	/* it sets the clock */
	PACKET_STATE = 2,	/* it gives the state of the CPU, or nothing, and no control flow */
	PACKET_CUTS = 4,	/* control flow before and after it is not connected */
	PACKET_CLOSES = 8,	/* it closes a block: no item of that can follow (PEBS) */
	PACKET_UNCOUNTED = 16,	/* cycles that are counted across it do not measure a cycle */
	PACKET_NO_FLOW = 32,	/* it may be anywhere and changes nothing */
};

/* Each kind, and its traits: X(kind, traits, set). */
#define PACKET_KINDS(X, set) \
	/* Not a packet: one byte, which is the payload. */ \
	X(BAD, PACKET_CUTS | PACKET_UNCOUNTED, set) \
	/* A sequence of them may be one packet of 'size' bytes. */ \
	X(PAD, PACKET_STATE | PACKET_NO_FLOW, set) \
	X(TNT, PACKET_CLOSES, set) \
	X(TIP, PACKET_CLOSES, set) \
	X(TIP_PGE, PACKET_CLOSES, set) \
	X(TIP_PGD, PACKET_CLOSES | PACKET_UNCOUNTED, set) \
	X(FUP, 0, set) \
	X(CYC, PACKET_TIME | PACKET_STATE, set) \
	X(MTC, PACKET_TIME | PACKET_STATE, set) \
	X(TSC, PACKET_TIME | PACKET_STATE | PACKET_UNCOUNTED, set) \
	X(TMA, PACKET_TIME | PACKET_STATE | PACKET_UNCOUNTED, set) \
	X(CBR, PACKET_STATE, set) \
	X(MODE_EXEC, PACKET_STATE | PACKET_CLOSES, set) \
	X(MODE_TSX, PACKET_STATE | PACKET_CLOSES, set) \
	X(PSB, PACKET_CLOSES, set) \
	X(PSBEND, PACKET_CLOSES, set) \
	X(OVF, PACKET_CUTS | PACKET_CLOSES | PACKET_UNCOUNTED, set) \
	X(PIP, PACKET_STATE | PACKET_CLOSES, set) \
	X(VMCS, PACKET_STATE | PACKET_CLOSES | PACKET_NO_FLOW, set) \
	X(TRACESTOP, PACKET_CUTS | PACKET_CLOSES | PACKET_UNCOUNTED, set) \
	X(PTW, PACKET_CLOSES, set) \
	X(MWAIT, PACKET_CLOSES | PACKET_UNCOUNTED, set) \
	X(PWRE, PACKET_UNCOUNTED, set) \
	X(PWRX, PACKET_UNCOUNTED, set) \
	X(EXSTOP, PACKET_UNCOUNTED, set) \
	X(BBP, 0, set) \
	X(BIP, 0, set) \
	X(BEP, PACKET_CLOSES, set) \
	X(CFE, PACKET_CLOSES, set) \
	X(EVD, PACKET_CLOSES, set) \
	X(MNT, PACKET_STATE | PACKET_NO_FLOW, set) \
	X(TRIG, PACKET_UNCOUNTED, set)

#define PACKET_NAME(kind, traits, set) PACKET_##kind,
enum packet_kind { PACKET_KINDS(PACKET_NAME, 0) N_PACKET_KINDS };

/* A set of kinds is a constant with a bit for each: those with any of the traits, or one kind. */
#define PACKET_IF(kind, traits, set) ((traits) & (set) ? 1ULL << PACKET_##kind : 0) |
#define PACKET_SET(traits) (PACKET_KINDS(PACKET_IF, traits) 0ULL)
#define PACKET_ONE(kind) (1ULL << PACKET_##kind)

static inline bool packet_in(u64 set, u8 kind)
{
	return set >> kind & 1;
}

struct packet {
	u8 kind;		/* enum packet_kind */
	u8 size;		/* its bytes in the trace */
	u8 count;		/* TNT: results, 1 to 47; IP packets: IPBytes, the 3-bit field;
				 * BIP: bytes of its value, 4 or 8 */
	u8 ip;			/* PTW EXSTOP BEP CFE TRIG: 1 if a FUP follows; PIP: NR */
	u32 extra;		/* TMA: FastCounter; CBR: its reserved byte; CFE: vector; EVD: type;
				 * BIP: id; PTW: payload bytes, 4 or 8; TRIG: icnt, bits 16 if
				 * valid, 17 if several triggers are merged; else 0 */
	u64 payload;
	/* payload of: TNT results, the oldest in bit count-1, the last in bit 0;
	 *   TIP* FUP raw bytes of the address (see <pt/last_ip.h>);
	 *   CYC cycles; MTC 8 bits of CTC; TSC 56 bits; TMA CTC, 16 bits; CBR ratio;
	 *   MODE.Exec bits 2:0 (IF, D, L); MODE.TSX bits 1:0 (abort, in);
	 *   PIP CR3 >> 5 (the packet's payload without NR); VMCS base >> 12;
	 *   PTW value; MWAIT, PWRE and PWRX the raw word (MWAIT: hints in bits 7:0,
	 *   extensions in bits 33:32); CFE type; EVD value; BBP type, bit 7 SZ; BIP value;
	 *   MNT value; TRIG bit vector */
};

/* Packets that some CPU models write wrongly. */
enum packet_errata {
	PACKET_CUT_CYC = 1,	/* SKD007: an OVF may cut a CYC short; the part that was written
				 * is read as a CYC of one byte, followed by the OVF */
	PACKET_LONG_TMA = 2,	/* SKZ84: a TMA with reserved bits set has one byte more; it is
				 * read with size 8, and its contents are wrong */
};

/* The position of a walk over packets. '{ .rest = bytes }' is a valid start. */
struct packets {
	struct bytes rest;	/* bytes that are not read yet; starts at a packet */
	u64 off;		/* offset of rest.at in the trace */
	u8 item;		/* size of a BIP's value if a block is open, else 0 */
	u8 errata;		/* of the CPU: enum packet_errata */
};

/* The meaning of a first byte: complete if 'size' is not 0 and no block is open. The payload is
 * 'bits', followed by the bytes after the first. */
struct packet_byte {
	u8 kind, size, count, bits;
};
extern const struct packet_byte packet_bytes[256];
extern const u64 packet_masks[10];	/* of the payload, by size */

bool packet_next_any(struct packets *p, struct packet *pkt);

static inline void packet_step(struct packets *p, size_t n)
{
	p->rest.at += n;
	p->rest.len -= n;
	p->off += n;
}

/* Fill in '*pkt' from 'b' and the bytes after the first. */
static inline void packet_set(struct packet *pkt, const struct packet_byte *b, u64 more)
{
	/* kind, size, count; ip and extra are 0. One store instead of five is 1.2 times as fast. */
	set64(pkt, get32(b) & 0xffffff);
	pkt->payload = b->bits | more;
}

/* Read the packet at the front of p->rest and step over it.
 *
 * False, with nothing changed, if 'rest' is empty or ends inside a packet: append bytes and call
 * again, or stop. Damage is PACKET_BAD, one byte long. PADs are returned one at a time, unless
 * packet_skip_pads() is used.
 *
 * Most packets have one byte. If the branch for these is predicted right (the asm keeps it a
 * branch), the next packet does not wait for the table lookup: twice as fast on real traces. */
static inline bool packet_next(struct packets *p, struct packet *pkt)
{
	const u8 *at = p->rest.at;
	const struct packet_byte *b;

	if (unlikely(p->rest.len < 9 || p->item))
		return packet_next_any(p, pkt);
	b = &packet_bytes[*at];
	if (unlikely(!b->size))
		return packet_next_any(p, pkt);
	if (likely(b->size == 1)) {
		packet_set(pkt, b, 0);
		packet_step(p, 1);
		asm volatile("");
	} else {
		packet_set(pkt, b, get64(at + 1) & packet_masks[b->size]);
		packet_step(p, b->size);
	}
	return true;
}

/* What a packet is, by its first byte or bytes, for loops that handle a few kinds. */

/* The first byte. That of a packet with an address has the field IPBytes in bits 7:5. */
enum packet_op {
	PACKET_EXTENDED = 0x02, PACKET_OP_TSC = 0x19, PACKET_OP_MTC = 0x59, PACKET_OP_MODE = 0x99,
	PACKET_OP_TIP = 0x0d, PACKET_OP_PGE = 0x11, PACKET_OP_PGD = 0x01, PACKET_OP_FUP = 0x1d,
	PACKET_OP_IP = 0x1f,	/* the bits below that field */
	PACKET_OP_LONG_TNT = 0xa3 << 8 | PACKET_EXTENDED,	/* the first two bytes */
};

enum { PACKET_LONG_TNT = 8 };	/* its bytes */

static inline bool packet_is_short_tnt(u32 b)
{
	return !(b & 1) && b > PACKET_EXTENDED;
}

static inline bool packet_is_cyc(u32 b)
{
	return (b & 3) == 3;
}

static inline bool packet_is_tip(u32 b)
{
	return (b & PACKET_OP_IP) == PACKET_OP_TIP;
}

static inline bool packet_is_ovf(const u8 *at)
{
	return at[0] == PACKET_EXTENDED && at[1] == 0xf3;
}

/* The results of a short TNT, the first one in the highest bit, after a stop bit. */
static inline u32 packet_short_tnt(u32 b)
{
	return b >> 1;
}

/* Does the first of them say that a branch was taken? */
static inline bool packet_first_taken(u32 b)
{
	return (b & b << 1) > b >> 1;
}

/* The counter in the MTC at 'at'. */
static inline u8 packet_mtc(const u8 *at)
{
	return at[1];
}

/* The results of a long TNT at 'at', and how many; 0 if it is none, or has none. */
static inline u32 packet_long_tnt(const u8 *at, u64 *results)
{
	u64 v = get64(at) >> 16;
	u32 n;

	if (get16(at) != PACKET_OP_LONG_TNT || !v)
		return 0;
	n = 63 - __builtin_clzll(v);
	*results = v ^ 1ULL << n;
	return n;
}

/* The end of the CYC at 'at', whose first byte is 'b', and its cycles; NULL if it has more than
 * three bytes. */
static inline const u8 *packet_pass_cyc(const u8 *at, u32 b, u32 *cycles)
{
	at++;
	*cycles = b >> 3;
	if (!(b & 4))
		return at;
	b = *at++;
	*cycles += b << 4;
	if (!(b & 1))
		return at;
	b = *at++;
	*cycles += (b << 11) - 16;
	return unlikely(b & 1) ? NULL : at;
}

/* The size of the CYC at the front of 'w', and its cycles; 0 if it has more than three bytes, or
 * may have been cut short by an OVF (an erratum). */
static inline u32 packet_cyc(u64 w, u64 *cycles)
{
	*cycles = w >> 3 & 0x1f;
	if (!(w & 4))
		return 1;
	*cycles |= w >> 4 & 0xfe0;
	if (!(w & 0x100))
		return (w >> 8 & 0xffff) != 0xf302 ? 2 : 0;
	*cycles |= w >> 5 & 0x7f000;
	return w & 0x10000 ? 0 : 3;
}

/* Step over PADs at memory speed. Returns how many there were. */
size_t packet_skip_pads(struct packets *p);

/* Read the packet at the front of 'in', where 'item' is as in struct packets.
 *
 * Returns its length, 0 if 'in' ends inside it, or -1 if none starts there.
 * '*pkt' is written only when the result is positive. */
int packet_decode(struct packet *pkt, struct bytes in, unsigned int item);

/* The 'item' after 'pkt', which was read with 'item': a BBP opens a block, many other packets
 * close it. packet_next() does this itself. */
unsigned int packet_item(const struct packet *pkt, unsigned int item);

enum { PSB_BYTES = 16 };

/* The offset of the first PSB in 'in'; in.len if there is none. A PSB that is cut off by the end
 * of 'in' is not found: keep the last 15 bytes and search again. */
size_t sync_find(struct bytes in);

/* The offset of the last PSB in 'in'; in.len if there is none. */
size_t sync_find_last(struct bytes in);

enum { PACKET_MAX = 16 };	/* the longest packet */

#endif
