/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Intel PT packets, from struct packet to bytes; and, for loops, those of branches.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#ifndef PT_ENCODE_H
#define PT_ENCODE_H

#include <pt/packet.h>

/* Write 'pkt' (kind, count, ip, extra, payload; 'size' is ignored) to 'to', which has room for
 * PACKET_MAX bytes. Returns its length, or 0 if it cannot be encoded. TNT uses the short form if
 * it fits; TIP* and FUP use IPBytes 'count'. */
int packet_encode(u8 *to, const struct packet *pkt);

/* For loops. 'tnt' has results of conditional branches, the newest in bit 0, below a stop bit. All
 * functions may write 16 bytes. */

enum { TNT_SHORT = 6, TNT_LONG = 47 };	/* results that fit */

/* A long TNT, PACKET_LONG_TNT bytes, of up to TNT_LONG results. */
static inline void encode_long_tnt(u8 *to, u64 tnt)
{
	set64(to, tnt << 16 | PACKET_OP_LONG_TNT);
}

/* The same of the oldest TNT_LONG of at least as many; returns the others. It is rare, and stays
 * out of the loop, but in the same object: gcc then knows which registers it leaves alone. */
static COLD __attribute__((noinline, unused)) u64 encode_oldest(u8 *to, u64 tnt)
{
	u32 rest = 63 - TNT_LONG - __builtin_clzll(tnt);

	encode_long_tnt(to, tnt >> rest);
	return 1ull << rest | (tnt & ((1ull << rest) - 1));
}

/* For encode_tnts(): more than twelve results. They are spread to 8 bytes, in three steps. */
static __attribute__((noinline, unused)) u8 *encode_more_tnts(u8 *to, u64 tnt)
{
	u32 n, bytes;

	if (tnt >> TNT_LONG) {
		tnt = encode_oldest(to, tnt);
		to += PACKET_LONG_TNT;
	}
	n = 63 - __builtin_clzll(tnt);
	bytes = (n + TNT_SHORT - 1) / TNT_SHORT;
	tnt = (tnt & 0xffffff) | (tnt & 0xffffff000000) << 8;
	tnt = (tnt & 0xfff00000fff) | (tnt & 0xfff00000fff000) << 4;
	tnt = (tnt & 0x3f003f003f003f) | (tnt & 0xfc00fc00fc00fc0) << 2;
	tnt = tnt << 1 | (0x8080808080808080 & ((1ull << 8 * (n / TNT_SHORT)) - 1));
	set64(to, __builtin_bswap64(tnt) >> ((64 - 8 * bytes) & 63));
	return to + bytes;
}

/* All results, up to 63, as short TNTs; those that have more than TNT_LONG begin with a long one.
 * Returns the end. Between addresses there are mostly few: up to twelve are written without a
 * branch on their number, which would be mispredicted. */
static inline u8 *encode_tnts(u8 *to, u64 tnt)
{
	u32 first = tnt >> (TNT_SHORT + 1) ? TNT_SHORT : 0;

	if (unlikely(tnt >> (2 * TNT_SHORT + 1)))
		return encode_more_tnts(to, tnt);
	to[0] = tnt >> first << 1;
	to[1] = 0x80 | tnt << 1;
	return to + (tnt > 1) + !!first;
}

/* A packet with the address that is in the upper seven bytes of 'w' (the lowest is 0); 'last' is
 * that of the packet before, in the same bytes. IPBytes 1, 2 and 3 are the low 2, 4 and 6 bytes; 6
 * bytes are sign-extended. That is enough for all programs except those with 57-bit addresses.
 * Returns the end. */
static inline u8 *encode_ip(u8 *to, enum packet_op op, u64 last, u64 w)
{
	u64 differs = last ^ w, ip = (i64)w >> 8;
	u32 form = 1 + (differs >> 24 != 0) + (differs >> 40 != 0);

	if (unlikely(form == 3 && (u64)((i64)(ip << 16) >> 16) != ip)) {
		*to = op | 6 << 5;
		set64(to + 1, ip);
		return to + 9;
	}
	set64(to, w + op + (form << 5));
	return to + 1 + 2 * form;
}

/* An MTC, two bytes. */
static inline void encode_mtc(u8 *to, u8 ctc)
{
	set16(to, PACKET_OP_MTC | ctc << 8);
}

#endif
