/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Intel PT packets: bytes to struct packet, and back.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#ifndef PT_PACKET_H
#define PT_PACKET_H

#include <pt/base.h>

enum packet_kind {
	PACKET_BAD,		/* not a packet: one byte, which is the payload */
	PACKET_PAD,		/* a sequence of them may be one packet of 'size' bytes */
	PACKET_TNT,
	PACKET_TIP,
	PACKET_TIP_PGE,
	PACKET_TIP_PGD,
	PACKET_FUP,
	PACKET_CYC,
	PACKET_MTC,
	PACKET_TSC,
	PACKET_TMA,
	PACKET_CBR,
	PACKET_MODE_EXEC,
	PACKET_MODE_TSX,
	PACKET_PSB,
	PACKET_PSBEND,
	PACKET_OVF,
	PACKET_PIP,
	PACKET_VMCS,
	PACKET_TRACESTOP,
	PACKET_PTW,
	PACKET_MWAIT,
	PACKET_PWRE,
	PACKET_PWRX,
	PACKET_EXSTOP,
	PACKET_BBP,
	PACKET_BIP,
	PACKET_BEP,
	PACKET_CFE,
	PACKET_EVD,
	PACKET_MNT,
	PACKET_TRIG,
	N_PACKET_KINDS
};

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

/* Write 'pkt' (kind, count, ip, extra, payload; 'size' is ignored) to 'to', which has room for
 * PACKET_MAX bytes. Returns its length, or 0 if it cannot be encoded. TNT uses the short form if
 * it fits; TIP* and FUP use IPBytes 'count'. */
int packet_encode(u8 *to, const struct packet *pkt);

enum { PACKET_MAX = 16 };

#endif
