/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IP compression: an IP packet contains the part of the address that changed since the last one.
 */
#ifndef PT_LAST_IP_H
#define PT_LAST_IP_H

#include <pt/packet.h>

struct last_ip {
	u64 ip;
	bool known;		/* a full address, or a PSB, was seen */
};

/* Bytes of payload for the IPBytes field 0 to 7: 0 2 4 6 6 - 8 -. */
extern const u8 ip_bytes[8];

/* A PSB: addresses are relative to 0 from here on. */
static inline void last_ip_reset(struct last_ip *l)
{
	*l = (struct last_ip){ 0, true };
}

/* Take the address of the IP packet 'pkt'. False if it has none (suppressed, or relative to an
 * unknown one); '*ip' is then unchanged. */
static inline bool last_ip_update(struct last_ip *l, const struct packet *pkt, u64 *ip)
{
	u64 p = pkt->payload;

	switch (pkt->count) {
	case 1:
		p |= l->ip & ~0xffffULL;
		break;
	case 2:
		p |= l->ip & ~0xffffffffULL;
		break;
	case 3:
		p = (u64)((i64)(p << 16) >> 16);
		l->known = true;
		break;
	case 4:
		p |= l->ip & ~0xffffffffffffULL;
		break;
	case 6:
		l->known = true;
		break;
	default:
		return false;
	}
	l->ip = p;
	if (!l->known)
		return false;
	*ip = p;
	return true;
}

/* The same from the bytes of a TIP, if the last address is known. Returns the new address, or 0. */
static inline u64 last_ip_at(u64 last, const u8 *tip)
{
	enum { SIGN_EXTENDED = 3 };	/* IPBytes */
	u32 size = packet_bytes[*tip].size;
	u64 ip = get64(tip + 1);

	if (unlikely(size < 3))
		return 0;
	if (*tip >> 5 == SIGN_EXTENDED)
		return (i64)(ip << 16) >> 16;
	return last ^ ((last ^ ip) & packet_masks[size]);
}

#endif
