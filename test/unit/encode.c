/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/encode.h>
#include <pt/last_ip.h>

/* Encoded, then decoded, it is the same. */
static void round_trip(struct packet pkt)
{
	unsigned int item = pkt.kind == PACKET_BIP ? pkt.count : 0;
	struct packet got = { .kind = N_PACKET_KINDS };
	u8 to[PACKET_MAX];
	int n = packet_encode(to, &pkt);

	OK(n > 0);
	EQ(packet_decode(&got, (struct bytes){ to, n }, item), n);
	EQ(got.kind, pkt.kind);
	EQ(got.size, n);
	EQ(got.count, pkt.count);
	EQ(got.ip, pkt.ip);
	EQ(got.extra, pkt.extra);
	EQ(got.payload, pkt.payload);
}

/* 'bits' ones, or some bits of a pattern: what a field of that width holds. */
static u64 some(unsigned int bits, unsigned int i)
{
	static const u64 pattern[] = { 0, ~0ULL, 0x123456789abcdef0, 0xa5a5a5a5a5a5a5a5, 1 };

	return bits ? pattern[i % 5] & ~0ULL >> (64 - bits) : 0;
}

TEST(every_kind_comes_back_as_it_was)
{
	static const struct kind {
		u8 kind, bits, extra, ip;	/* widths */
	} kinds[] = {
		{ PACKET_PAD }, { PACKET_PSB }, { PACKET_PSBEND }, { PACKET_OVF },
		{ PACKET_TRACESTOP }, { PACKET_CYC, 64 }, { PACKET_MTC, 8 }, { PACKET_TSC, 56 },
		{ PACKET_TMA, 16, 9 }, { PACKET_CBR, 8, 8 }, { PACKET_PIP, 47, 0, 1 },
		{ PACKET_VMCS, 40 }, { PACKET_MWAIT, 64 }, { PACKET_PWRE, 16 }, { PACKET_PWRX, 40 },
		{ PACKET_EXSTOP, 0, 0, 1 }, { PACKET_BBP, 5 }, { PACKET_BEP, 0, 0, 1 },
		{ PACKET_CFE, 5, 8, 1 }, { PACKET_EVD, 64, 6 }, { PACKET_MNT, 64 },
		{ PACKET_TRIG, 8, 0, 1 },
	};
	const struct kind *k;
	unsigned int i;

	for (k = kinds; k < kinds + N_ELEM(kinds); k++)
		for (i = 0; i < 10; i++)
			round_trip((struct packet){ k->kind, .payload = some(k->bits, i),
						    .extra = some(k->extra, i + 1),
						    .ip = k->ip & i });
}

TEST(modes_come_back)
{
	static const u8 exec[] = { 0, 1, 2, 4, 5, 6 };
	size_t i;

	for (i = 0; i < N_ELEM(exec); i++)
		round_trip((struct packet){ PACKET_MODE_EXEC, .payload = exec[i] });
	for (i = 0; i < 3; i++)
		round_trip((struct packet){ PACKET_MODE_TSX, .payload = i });
}

TEST(results_of_any_number_come_back)
{
	unsigned int count, i;

	for (count = 1; count <= 47; count++)
		for (i = 0; i < 5; i++)
			round_trip((struct packet){ PACKET_TNT, .count = count,
						    .payload = some(count, i) });
}

TEST(six_results_fit_into_a_byte_and_seven_do_not)
{
	u8 to[PACKET_MAX];

	EQ(packet_encode(to, &(struct packet){ PACKET_TNT, .count = 6, .payload = 0x11 }), 1);
	EQ(to[0], 0xa2);
	EQ(packet_encode(to, &(struct packet){ PACKET_TNT, .count = 7 }), 8);
}

TEST(addresses_of_any_form_come_back)
{
	static const u8 kinds[] = { PACKET_TIP, PACKET_TIP_PGE, PACKET_TIP_PGD, PACKET_FUP };
	unsigned int k, form, i;

	for (k = 0; k < N_ELEM(kinds); k++)
		for (form = 0; form < 8; form++)
			for (i = 0; i < 5 && (ip_bytes[form] || !form); i++)
				round_trip((struct packet){ kinds[k], .count = form,
							    .payload = some(8 * ip_bytes[form], i) });
}

TEST(wide_and_narrow_forms_come_back)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		round_trip((struct packet){ PACKET_PTW, .extra = 4, .ip = i & 1,
					    .payload = some(32, i) });
		round_trip((struct packet){ PACKET_PTW, .extra = 8, .ip = i & 1,
					    .payload = some(64, i) });
		round_trip((struct packet){ PACKET_BIP, .count = 4, .extra = i, .payload = some(32, i) });
		round_trip((struct packet){ PACKET_BIP, .count = 8, .extra = 31, .payload = some(64, i) });
		round_trip((struct packet){ PACKET_BBP, .payload = 0x80 | i });
		round_trip((struct packet){ PACKET_TRIG, .extra = 1 << 16 | some(16, i), .payload = i });
		round_trip((struct packet){ PACKET_TRIG, .extra = 1 << 17, .payload = i });
	}
}

TEST(what_no_packet_says_is_not_written)
{
	u8 to[PACKET_MAX];

	EQ(packet_encode(to, &(struct packet){ PACKET_BAD }), 0);
	EQ(packet_encode(to, &(struct packet){ N_PACKET_KINDS }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_TNT }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_TNT, .count = 48 }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_TIP, .count = 5 }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_TIP, .count = 7 }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_MTC, .payload = 256 }), 0);
	EQ(packet_encode(to, &(struct packet){ PACKET_TSC, .payload = 1ULL << 56 }), 0);
}

/* As the loop of a recording writes them: the fewest bytes that give the address again. */
TEST(addresses_come_back_whatever_was_before_them)
{
	static const struct { u64 last, ip; u8 count; } cases[] = {
		{ 0, 0, 1 }, { 0x401000, 0x401fff, 1 }, { 0x401000, 0x7f1000, 2 },
		{ 0x7f0012345678, 0x7f00f2345678, 2 }, { 0x100401000, 0x200401000, 3 },
		{ 0x401000, 0x7f0000401000, 3 },
		{ 0x7f0000401000, 0xffffffff81000000, 3 }, { 0, 0xffff800000000000, 3 },
		{ 0x401000, 0x0040000000401000, 6 }, { 0, 0x0000800000000000, 6 },
		{ 0x401000, 0xffbfffffff401000, 6 }, { 0x0040000000401000, 0x0040000000402000, 1 },
	};
	size_t i;

	for (i = 0; i < N_ELEM(cases); i++) {
		u64 last = cases[i].last, ip = cases[i].ip, got = 0;
		struct last_ip l = { .ip = last, .known = true };
		struct packet pkt;
		u8 to[PACKET_MAX];
		int n = encode_ip(to, PACKET_OP_FUP, last << 8, ip << 8) - to;

		EQ(packet_decode(&pkt, (struct bytes){ to, n }, 0), n);
		EQ(pkt.kind, PACKET_FUP);
		EQ(pkt.count, cases[i].count);
		OK(last_ip_update(&l, &pkt, &got));
		EQ(got, ip);
	}
}

TEST(results_of_branches_come_back_in_their_order)
{
	const u64 bits = 0x9e3779b97f4a7c15;
	u32 n;

	for (n = 0; n < 64; n++) {
		u64 results = bits & ((1ULL << n) - 1), got = 0;
		struct packets p;
		struct packet pkt;
		u8 to[32];
		u32 count = 0;

		p = (struct packets){ .rest = { to, encode_tnts(to, 1ULL << n | results) - to } };
		while (packet_next(&p, &pkt)) {
			EQ(pkt.kind, PACKET_TNT);
			got = got << pkt.count | pkt.payload;
			count += pkt.count;
		}
		EQ(p.rest.len, 0);
		EQ(count, n);
		EQ(got, results);
	}
}
