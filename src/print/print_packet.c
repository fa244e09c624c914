/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace bytes to lines, one for each packet: offset, bytes in hex, name and contents.
 *
 *	.  00000018:  02 73 9f 64 00 5f 00                            TMA CTC 0x649f FC 0x5f
 *
 * A dump spends most of its time here. Therefore letters are made eight at a time in a 64-bit word,
 * digits two at a time from a table, and blanks are written in fixed lengths and overwritten.
 *
 * Zero bytes after a packet are PADs. They are printed on its line, up to eight bytes in all.
 */
#include <pt/config/SPEED.h>
#include <pt/out.h>
#include <pt/packet.h>
#include <pt/print.h>

enum {
	OFF = 3,		/* columns */
	HEX = 13,
	COLUMNS = 3 * PACKET_MAX + 1,	/* of bytes, and a blank */
	BLANKS = 16,		/* blanks written at once */
	LINE = HEX + COLUMNS + BLANKS + PACKET_TEXT + 16,
	GLUED = 8,		/* most bytes of a line with PADs */
};

#define EACH_BYTE(b) ((b) * 0x0101010101010101ULL)

/* All bytes in hex; print_packet_start() fills it. */
static u16 hex_pairs[CONFIG_SPEED ? 256 : 1];

static u16 hex_pair(u8 b)
{
	u32 d = (b >> 4 | b << 8) & 0x0f0f;

	return d + 0x3030 + ((d + 0x0606) >> 4 & 0x0101) * ('a' - '9' - 1);
}

COLD void print_packet_start(void)
{
	u32 i;

	if (!CONFIG_SPEED || hex_pairs[0])
		return;
	for (i = 0; i < N_ELEM(hex_pairs); i++)
		hex_pairs[i] = hex_pair(i);
}

static inline u16 hex2(u8 b)
{
	return CONFIG_SPEED ? hex_pairs[b] : hex_pair(b);
}

/* Eight digits, the first one in the lowest byte. */
static inline u64 hex8(u32 v)
{
	return hex2(v >> 24) | (u64)hex2(v >> 16) << 16 | (u64)hex2(v >> 8) << 32 |
	       (u64)hex2(v) << 48;
}

static inline char *put8(char *p, u64 chars)
{
	set64(p, chars);
	return p + 8;
}

/* put_hex(), but it may write up to 7 bytes more than it returns. */
static inline char *put_num(char *p, u64 v)
{
	unsigned int n;

	if (unlikely(v >> 32)) {
		p = put_num(p, v >> 32);
		return put8(p, hex8(v));
	}
	n = (35u - __builtin_clz(v | 1)) / 4;
	set64(p, hex8(v) >> (64 - 8 * n));
	return p + n;
}

/* The text of a packet up to its first number. */
static const struct words {
	char text[15];
	u8 len;
} words[N_PACKET_KINDS] = {
#define SAYS(text) { text, sizeof(text) - 1 }
	[PACKET_BAD] = SAYS("Bad packet!"),
	[PACKET_PAD] = SAYS("PAD"),
	[PACKET_TNT] = SAYS("TNT "),
	[PACKET_TIP] = SAYS("TIP"),
	[PACKET_TIP_PGE] = SAYS("TIP.PGE"),
	[PACKET_TIP_PGD] = SAYS("TIP.PGD"),
	[PACKET_FUP] = SAYS("FUP"),
	[PACKET_CYC] = SAYS("CYC 0x"),
	[PACKET_MTC] = SAYS("MTC 0x"),
	[PACKET_TSC] = SAYS("TSC 0x"),
	[PACKET_TMA] = SAYS("TMA CTC 0x"),
	[PACKET_CBR] = SAYS("CBR 0x"),
	[PACKET_MODE_EXEC] = SAYS("MODE.Exec IF:"),
	[PACKET_MODE_TSX] = SAYS("MODE.TSX"),
	[PACKET_PSB] = SAYS("PSB"),
	[PACKET_PSBEND] = SAYS("PSBEND"),
	[PACKET_OVF] = SAYS("OVF"),
	[PACKET_PIP] = SAYS("PIP 0x"),
	[PACKET_VMCS] = SAYS("VMCS 0x"),
	[PACKET_TRACESTOP] = SAYS("TraceSTOP"),
	[PACKET_PTW] = SAYS("PTWRITE 0x"),
	[PACKET_MWAIT] = SAYS("MWAIT 0x"),
	[PACKET_PWRE] = SAYS("PWRE 0x"),
	[PACKET_PWRX] = SAYS("PWRX 0x"),
	[PACKET_EXSTOP] = SAYS("EXSTOP IP:"),
	[PACKET_BBP] = SAYS("BBP SZ "),
	[PACKET_BIP] = SAYS("BIP ID 0x"),
	[PACKET_BEP] = SAYS("BEP IP:"),
	[PACKET_CFE] = SAYS("CFE IP:"),
	[PACKET_EVD] = SAYS("EVD Type 0x"),
	[PACKET_MNT] = SAYS("MNT 0x"),
	[PACKET_TRIG] = SAYS("TRIG 0x"),
};

#define PUT(p, text) put_bytes(p, text, sizeof(text) - 1)

/* A number below 100. */
static inline char *put_small(char *p, unsigned int v)
{
	if (v >= 10)
		*p++ = '0' + v / 10;
	*p++ = '0' + v % 10;
	return p;
}

/* Eight TNT results, the oldest in bit 7, as letters. */
static inline u64 letters(u64 bits)
{
	u64 taken = ((EACH_BYTE(bits) & 0x0102040810204080) + EACH_BYTE(0x7f)) >> 7 & EACH_BYTE(1);

	return EACH_BYTE('N') + taken * ('T' - 'N');
}

static inline char *put_tnt(char *p, const struct packet *pkt)
{
	unsigned int left = pkt->count;

	for (; left > 8; left -= 8)
		p = put8(p, letters(pkt->payload >> (left - 8) & 0xff));
	set64(p, letters(pkt->payload << (8 - left) & 0xff));
	p += left;
	p = put_small(PUT(p, " ("), pkt->count);
	return put_char(p, ')');
}

static char *put_mode_exec(char *p, unsigned int mode)
{
	static const u8 width[4] = { 16, 64, 32 };

	p = put_small(p, mode >> 2 & 1);
	return put_small(put_char(p, ' '), width[mode & 3]);
}

static char *put_mwait(char *p, u64 raw)
{
	p = put_num(PUT(put_num(p, raw), " Hints 0x"), raw & 0xff);
	return put_num(PUT(p, " Extensions 0x"), raw >> 32 & 3);
}

static char *put_pwre(char *p, u64 raw)
{
	p = put_small(PUT(put_num(p, raw), " HW:"), raw >> 7 & 1);
	p = put_small(PUT(p, " CState:"), raw >> 12 & 15);
	return put_small(PUT(p, " Sub-CState:"), raw >> 8 & 15);
}

static char *put_pwrx(char *p, u64 raw)
{
	p = put_small(PUT(put_num(p, raw), " Last CState:"), raw >> 4 & 15);
	p = put_small(PUT(p, " Deepest CState:"), raw & 15);
	return put_num(PUT(p, " Wake Reason 0x"), raw >> 8 & 15);
}

static char *put_trig(char *p, const struct packet *pkt)
{
	p = put_small(PUT(put_num(p, pkt->payload), " IP:"), pkt->ip);
	p = put_small(PUT(p, " MULT:"), pkt->extra >> 17);
	return pkt->extra >> 16 & 1 ? put_num(PUT(p, " ICNT 0x"), pkt->extra & 0xffff) : p;
}

static inline char *put_hex2(char *p, u8 v)
{
	set16(p, hex2(v));
	return p + 2;
}

/* Rare packets: optimized for size, not speed. */
static COLD __attribute__((noinline)) char *put_rare(char *p, const struct packet *pkt)
{
	u64 v = pkt->payload;

	switch (pkt->kind) {
	case PACKET_TMA:
		return put_num(PUT(put_num(p, v), " FC 0x"), pkt->extra);
	case PACKET_MODE_EXEC:
		return put_mode_exec(p, v);
	case PACKET_MODE_TSX:
		return put_small(PUT(put_small(PUT(p, " TXAbort:"), v >> 1), " InTX:"), v & 1);
	case PACKET_PIP:
		return put_char(put_small(PUT(put_num(p, v), " (NR="), pkt->ip), ')');
	case PACKET_PTW:
		return put_small(PUT(put_num(p, v), " IP:"), pkt->ip);
	case PACKET_MWAIT:
		return put_mwait(p, v);
	case PACKET_PWRE:
		return put_pwre(p, v);
	case PACKET_PWRX:
		return put_pwrx(p, v);
	case PACKET_EXSTOP:
	case PACKET_BEP:
		return put_small(p, pkt->ip);
	case PACKET_BBP:
		p = v & 0x80 ? PUT(p, "4") : PUT(p, "8");
		return put_num(PUT(p, "-byte Type 0x"), v & 0x1f);
	case PACKET_BIP:
		return put_num(PUT(put_hex2(p, pkt->extra), " Value 0x"), v);
	case PACKET_CFE:
		p = put_hex2(PUT(put_small(p, pkt->ip), " Type 0x"), v);
		return put_num(PUT(p, " Vector 0x"), pkt->extra);
	case PACKET_EVD:
		return put_num(PUT(put_hex2(p, pkt->extra), " Payload 0x"), v);
	case PACKET_TRIG:
		return put_trig(p, pkt);
	}
	return p;
}

/* One switch means one indirect jump to predict. All cases end in one put_num(), so that gcc
 * inlines it. */
char *put_packet(char *p, const struct packet *pkt)
{
	const struct words *w = &words[pkt->kind];
	u64 v = pkt->payload;

	memcpy(p, w, sizeof(*w));	/* 16 bytes; those after the text are overwritten */
	p += w->len;
	switch (pkt->kind) {
	case PACKET_TNT:
		return put_tnt(p, pkt);
	case PACKET_TIP:
	case PACKET_TIP_PGE:
	case PACKET_TIP_PGD:
	case PACKET_FUP:
		if (!pkt->count)
			return PUT(p, " no ip");
		p = PUT(p, " 0x");
		break;
	case PACKET_CYC:
	case PACKET_MTC:
	case PACKET_TSC:
	case PACKET_VMCS:
	case PACKET_MNT:
		break;
	case PACKET_CBR:
		v |= pkt->extra << 8;
		break;
	case PACKET_PAD:
	case PACKET_PSB:
	case PACKET_PSBEND:
	case PACKET_OVF:
		return p;
	default:
		return put_rare(p, pkt);
	}
	return put_num(p, v);
}

/* Print offset and bytes; returns the place of the text. */
static inline char *put_columns(char *p, u64 off, const u8 *at, unsigned int size)
{
	unsigned int i;

	set32(p, 0x2020202e);			/* ".   " */
	p += OFF;
	if (unlikely(off >> 32))
		p = put_hex(p, off >> 32);
	set64(p, hex8(off));
	set16(p + 8, 0x203a);			/* ": " */
	p += HEX - OFF;
	memset(p, ' ', COLUMNS);
	/* Four at a time, for fewer branches; blanks then overwrite the surplus. */
	for (i = 0; i < size; i += 4) {
		set16(p + 3 * i + 1, hex2(at[i]));
		set16(p + 3 * i + 4, hex2(at[i + 1]));
		set16(p + 3 * i + 7, hex2(at[i + 2]));
		set16(p + 3 * i + 10, hex2(at[i + 3]));
	}
	memset(p + 3 * size, ' ', BLANKS);
	return p + COLUMNS;
}

/* The number of bytes on the line of a packet of 'size' bytes: with the zeros that follow it, up to
 * eight in all. 8 bytes at 'at' must be readable. */
static inline unsigned int glued(const u8 *at, unsigned int size, size_t len)
{
	u64 next;

	if (size >= GLUED)
		return size;
	next = get64(at) >> 8 * size | 1ULL << (64 - 8 * size);
	size += __builtin_ctzll(next) / 8;
	return MIN(size, len);
}

struct bytes print_packet_lines(struct out *out, struct packet_lines *l, struct bytes in,
				size_t least)
{
	while (in.len >= least) {
		struct packet pkt;
		char *p = out_room(out, LINE);
		int size = packet_decode(&pkt, in, l->item);

		if (likely(size > 0)) {
			if (unlikely(l->item || pkt.kind == PACKET_BBP))
				l->item = packet_item(&pkt, l->item);
			size = glued(in.at, size, in.len);
		} else {
			pkt = (struct packet){ PACKET_BAD };
			size = 1;
		}
		p = put_columns(p, l->off, in.at, size);
		out_line(out, put_packet(p, &pkt));
		l->off += size;
		in.at += size;
		in.len -= size;
	}
	return in;
}
