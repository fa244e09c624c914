/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace bytes for judges.
 *
 * usage: stream packets|hostile|random SEED SIZE > trace
 *        stream wrap < trace > perf.data
 *
 * 'packets' are valid ones of all kinds that old libipts know; 'hostile' ones are cut, have
 * reserved bits set or are in blocks; 'random' is any bytes. Each begins with a PSB. 'wrap' makes
 * the smallest perf.data that contains them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pt/encode.h>

static u64 state;

static u64 any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1d;
}

static unsigned int below(unsigned int n)
{
	return (any() >> 32) % n;
}

/* A value of any width up to 'bits'. */
static u64 up_to(unsigned int bits)
{
	return (any() & ~0ULL >> (64 - bits)) >> below(bits);
}

static int put_valid(u8 *to)
{
	static const struct { u8 kind, bits, extra; } kinds[] = {
		{ PACKET_TNT }, { PACKET_TNT }, { PACKET_TIP }, { PACKET_TIP_PGE },
		{ PACKET_TIP_PGD }, { PACKET_FUP }, { PACKET_CYC, 60 }, { PACKET_MTC, 8 },
		{ PACKET_TSC, 56 }, { PACKET_TMA, 16, 9 }, { PACKET_CBR, 8 },
		{ PACKET_MODE_EXEC, 2 }, { PACKET_MODE_TSX, 2 }, { PACKET_PSB }, { PACKET_PSBEND },
		{ PACKET_OVF }, { PACKET_PIP, 47 }, { PACKET_VMCS, 40 }, { PACKET_TRACESTOP },
		{ PACKET_PTW }, { PACKET_MWAIT }, { PACKET_PWRE }, { PACKET_PWRX },
		{ PACKET_EXSTOP }, { PACKET_MNT, 64 }, { PACKET_PAD },
	};
	static const u8 ip_forms[] = { 0, 1, 2, 3, 4, 6 }, ip_bits[] = { 1, 16, 32, 48, 48, 64 };
	unsigned int i = below(N_ELEM(kinds)), form = below(6);
	struct packet pkt = { kinds[i].kind, .ip = below(2) };

	if (kinds[i].bits)
		pkt.payload = up_to(kinds[i].bits);
	if (kinds[i].extra)
		pkt.extra = up_to(kinds[i].extra);
	if (pkt.kind == PACKET_TNT) {
		pkt.count = 1 + below(below(2) ? 6 : 47);
		pkt.payload = any();
	} else if (pkt.kind >= PACKET_TIP && pkt.kind <= PACKET_FUP) {
		pkt.count = ip_forms[form];
		pkt.payload = up_to(ip_bits[form]);
	} else if (pkt.kind == PACKET_PTW) {
		pkt.extra = below(2) ? 4 : 8;
		pkt.payload = up_to(8 * pkt.extra);
	} else if (pkt.kind == PACKET_MWAIT) {
		pkt.payload = below(256) | (u64)below(4) << 32;
	} else if (pkt.kind == PACKET_PWRE) {
		pkt.payload = below(2) << 7 | below(256) << 8;
	} else if (pkt.kind == PACKET_PWRX) {
		pkt.payload = below(256) | 1 << 8 << (2 * below(2));
	} else if (pkt.kind == PACKET_MODE_EXEC || pkt.kind == PACKET_MODE_TSX) {
		pkt.payload = pkt.payload == 3 ? 0 : pkt.payload;
	}
	return packet_encode(to, &pkt);
}

static int put_bytes(u8 *to, int n)
{
	int i;

	for (i = 0; i < n; i++)
		to[i] = any() >> 32;
	return n;
}

static int put_hostile(u8 *to)
{
	static const u8 second[] = {
		0x03, 0x12, 0x13, 0x22, 0x23, 0x32, 0x33, 0x43, 0x53, 0x62, 0x63, 0x73, 0x82, 0x83,
		0x92, 0xa2, 0xa3, 0xb2, 0xb3, 0xc2, 0xc3, 0xc8, 0xe2, 0xf3,
	};
	u8 whole[PACKET_MAX];
	int n;

	switch (below(9)) {
	case 0:			/* cut off */
		n = put_valid(whole);
		memcpy(to, whole, n = below(n + 1));
		return n;
	case 1:			/* pads */
		memset(to, 0, n = below(20));
		return n;
	case 2:			/* a long CYC */
		memset(to, 0xff, n = below(14));
		return n;
	case 3:			/* a block with items */
		set16(to, 0x6302);
		to[2] = below(2) ? 0x84 : 4;
		to[3] = below(32) << 3 | 4;
		return 4 + put_bytes(to + 4, 8);
	case 4:			/* values that do not fit */
		to[0] = 2;
		to[1] = second[below(N_ELEM(second))];
		return 2 + put_bytes(to + 2, below(12));
	case 5:
		to[0] = 0x99;
		return 1 + put_bytes(to + 1, 1);
	case 6:			/* a TNT-64 of few results, or none */
		set64(to, 0xa302 | up_to(48) << 16);
		return 8;
	case 7:
		return put_bytes(to, 3);
	}
	return put_valid(to);
}

/* No TRIG: perf has none. */
static void make(const char *what, size_t size)
{
	u8 *to = malloc(size + 64), *at = to;
	size_t i;

	at += packet_encode(at, &(struct packet){ PACKET_PSB });
	while ((size_t)(at - to) < size)
		at += *what == 'p' ? put_valid(at) : *what == 'h' ? put_hostile(at) : put_bytes(at, 8);
	if (*what != 'p')
		at = to + size;
	for (i = 0; *what != 'p' && i < size; i++)
		if (to[i] == 0xd9)
			to[i] = 0xd1;
	fwrite(to, 1, at - to, stdout);
}

static u8 *put32(u8 *p, u32 v)
{
	set32(p, v);
	return p + 4;
}

static u8 *put64(u8 *p, u64 v)
{
	set64(p, v);
	return p + 8;
}

static void wrap(void)
{
	enum { ATTR = 128, WORDS = 18, INFO = 16 + 8 * WORDS, AUXTRACE = 48 };
	static const u64 words[WORDS] = { 8, 31, 1 << 20, 0, 1, 0x400, 0x800, 2, 0, 1, 0x200, 0x3c000,
					  0, 0, 2, 24, 0, 0 };
	size_t room = 64 << 20;
	u8 head[1024] = { 0 }, *p = head, *trace = calloc(1, room);
	u64 size = round_up(fread(trace, 1, room - 8, stdin), 8), i;

	memcpy(p, "PERFILE2", 8);
	p = put64(put64(p + 8, 104), ATTR + 16);
	p = put64(put64(p, 104), ATTR + 16);
	p = put64(put64(p, 104 + ATTR + 16), INFO + AUXTRACE + size);
	p = head + 104;
	put64(put64(put64(put32(put32(p, 8), ATTR), 0x300e601), 1), 0x10087);
	put64(p + 32, 4);
	put64(p + 40, 1 << 18);
	p += ATTR + 16;
	p = put32(put32(put32(put32(p, 70), INFO << 16), 1), 0);
	for (i = 0; i < WORDS; i++)
		p = put64(p, words[i]);
	p = put64(put64(put32(put32(p, 71), AUXTRACE << 16), size), 0);
	p = put32(put32(put64(p, 1), 0), -1);
	p = put32(put32(p, 0), 0);
	fwrite(head, 1, p - head, stdout);
	fwrite(trace, 1, size, stdout);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "wrap")) {
		wrap();
	} else if (argc == 4) {
		state = strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15 + 1;
		make(argv[1], strtoull(argv[3], NULL, 0));
	} else {
		return 1;
	}
	return 0;
}
