/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/packet.h>

/* The first packet of 'in', where blocks have items of 'item' bytes. */
static struct packet one(struct bytes in, unsigned int item)
{
	struct packets p = { .rest = in, .item = item };
	struct packet pkt = { .kind = N_PACKET_KINDS };

	OK(packet_next(&p, &pkt));
	EQ(p.off, pkt.size);
	EQ(p.rest.len, in.len - pkt.size);
	return pkt;
}

/* 'in' is this packet at the end of a buffer, and in a long one, where it is read the quick way.
 * Without its last bytes it is none. */
static void is(struct packet want, struct bytes in)
{
	u8 long_one[64];
	struct packet got[2];
	size_t i;

	memset(long_one, 0xee, sizeof(long_one));
	memcpy(long_one, in.at, in.len);
	got[0] = one(in, 0);
	got[1] = one((struct bytes){ long_one, sizeof(long_one) }, 0);
	for (i = 0; i < 2; i++) {
		EQ(got[i].kind, want.kind);
		EQ(got[i].size, in.len);
		EQ(got[i].count, want.count);
		EQ(got[i].ip, want.ip);
		EQ(got[i].extra, want.extra);
		EQ(got[i].payload, want.payload);
	}
	for (i = 0; i < in.len; i++)
		EQ(packet_decode(&got[0], bytes_first(in, i), 0), 0);
}

#define IS(...) is((struct packet){ __VA_ARGS__ }, in)
#define GIVEN(...) for (struct bytes in = BYTES(__VA_ARGS__), *once = &in; once; once = NULL)

TEST(psb_psbend_ovf_and_tracestop_are_known_by_their_opcode)
{
	GIVEN(2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82)
		IS(PACKET_PSB);
	GIVEN(0x02, 0x23)
		IS(PACKET_PSBEND);
	GIVEN(0x02, 0xf3)
		IS(PACKET_OVF);
	GIVEN(0x02, 0x83)
		IS(PACKET_TRACESTOP);
	GIVEN(0x00)
		IS(PACKET_PAD);
}

TEST(timing_packets_carry_their_counters)
{
	GIVEN(0x19, 0xab, 0x90, 0x78, 0x56, 0x34, 0x12, 0x00)
		IS(PACKET_TSC, .payload = 0x1234567890ab);
	GIVEN(0x02, 0x73, 0x00, 0x10, 0x00, 0x10, 0x00)
		IS(PACKET_TMA, .payload = 0x1000, .extra = 0x10);
	GIVEN(0x02, 0x73, 0xff, 0xff, 0x00, 0xff, 0xff)
		IS(PACKET_TMA, .payload = 0xffff, .extra = 0x1ff);
	GIVEN(0x02, 0x03, 0x1e, 0x00)
		IS(PACKET_CBR, .payload = 30);
	GIVEN(0x02, 0x03, 0x1e, 0x07)
		IS(PACKET_CBR, .payload = 30, .extra = 7);
	GIVEN(0x59, 0x03)
		IS(PACKET_MTC, .payload = 3);
}

TEST(cycle_counts_grow_by_seven_bits_a_byte)
{
	GIVEN(0x1b)
		IS(PACKET_CYC, .payload = 3);
	GIVEN(0x27, 0x06)
		IS(PACKET_CYC, .payload = 100);
	GIVEN(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0e)
		IS(PACKET_CYC, .payload = -1);
}

TEST(a_cycle_count_of_more_than_ten_bytes_is_damage)
{
	struct bytes in = BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	struct packet pkt;

	EQ(packet_decode(&pkt, bytes_first(in, 9), 0), 0);
	EQ(packet_decode(&pkt, in, 0), -1);
}

TEST(modes_have_two_leaves)
{
	GIVEN(0x99, 0x01)
		IS(PACKET_MODE_EXEC, .payload = 1);
	GIVEN(0x99, 0x06)
		IS(PACKET_MODE_EXEC, .payload = 6);
	GIVEN(0x99, 0x21)
		IS(PACKET_MODE_TSX, .payload = 1);
	GIVEN(0x99, 0x22)
		IS(PACKET_MODE_TSX, .payload = 2);
	EQ(one(BYTES(0x99, 0x03), 0).kind, PACKET_BAD);
	EQ(one(BYTES(0x99, 0x23), 0).kind, PACKET_BAD);
	EQ(one(BYTES(0x99, 0x41), 0).kind, PACKET_BAD);
}

TEST(addresses_have_six_sizes)
{
	GIVEN(0x71, 0x00, 0x10, 0x40, 0x00, 0x00, 0x00)
		IS(PACKET_TIP_PGE, .count = 3, .payload = 0x401000);
	GIVEN(0x2d, 0x10, 0x10)
		IS(PACKET_TIP, .count = 1, .payload = 0x1010);
	GIVEN(0x5d, 1, 2, 3, 4)
		IS(PACKET_FUP, .count = 2, .payload = 0x4030201);
	GIVEN(0x81, 1, 2, 3, 4, 5, 6)
		IS(PACKET_TIP_PGD, .count = 4, .payload = 0x60504030201);
	GIVEN(0xcd, 1, 2, 3, 4, 5, 6, 7, 8)
		IS(PACKET_TIP, .count = 6, .payload = 0x807060504030201);
	GIVEN(0x01)
		IS(PACKET_TIP_PGD);
	EQ(one(BYTES(0xad, 1, 2, 3, 4, 5, 6, 7, 8), 0).kind, PACKET_BAD);
	EQ(one(BYTES(0xfd, 1, 2, 3, 4, 5, 6, 7, 8), 0).kind, PACKET_BAD);
}

TEST(branch_results_come_oldest_first)
{
	GIVEN(0x04)
		IS(PACKET_TNT, .count = 1, .payload = 0);
	GIVEN(0x06)
		IS(PACKET_TNT, .count = 1, .payload = 1);
	GIVEN(0x0a)
		IS(PACKET_TNT, .count = 2, .payload = 1);
	GIVEN(0xa2)
		IS(PACKET_TNT, .count = 6, .payload = 0x11);
	GIVEN(0xfe)
		IS(PACKET_TNT, .count = 6, .payload = 0x3f);
	GIVEN(0x02, 0xa3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		IS(PACKET_TNT, .count = 47, .payload = (1ULL << 47) - 1);
	GIVEN(0x02, 0xa3, 0x05, 0x01, 0x00, 0x00, 0x00, 0x00)
		IS(PACKET_TNT, .count = 8, .payload = 5);
	GIVEN(0x02, 0xa3, 0, 0, 0, 0, 0, 0)
		IS(PACKET_TNT);
}

TEST(every_even_byte_but_00_and_02_is_a_short_tnt)
{
	int b, i, count, payload;

	for (b = 4; b < 256; b += 2) {
		struct packet pkt = one((struct bytes){ (u8[]){ b }, 1 }, 0);

		for (i = 7; !(b >> i & 1); i--)
			;
		count = i - 1;
		payload = b >> 1 & ((1 << count) - 1);
		EQ(pkt.kind, PACKET_TNT);
		EQ(pkt.count, count);
		EQ(pkt.payload, payload);
	}
}

TEST(system_state_packets)
{
	GIVEN(0x02, 0x43, 0x01, 0x34, 0x12, 0x00, 0x00, 0x00)
		IS(PACKET_PIP, .ip = 1, .payload = 0x123401 >> 1);
	GIVEN(0x02, 0xc8, 0x12, 0xbc, 0x0a, 0x00, 0x00)
		IS(PACKET_VMCS, .payload = 0xabc12);
	GIVEN(0x02, 0xc3, 0x88, 1, 2, 3, 4, 5, 6, 7, 8)
		IS(PACKET_MNT, .payload = 0x807060504030201);
	EQ(one(BYTES(0x02, 0xc3, 0x89), 0).kind, PACKET_BAD);
}

TEST(ptwrite_has_four_or_eight_bytes)
{
	GIVEN(0x02, 0xb2, 0xef, 0xcd, 0xab, 0x90, 0x78, 0x56, 0x34, 0x12)
		IS(PACKET_PTW, .ip = 1, .extra = 8, .payload = 0x1234567890abcdef);
	GIVEN(0x02, 0x32, 0x6f, 0x6c, 0x6c, 0x65, 0x68, 0x00, 0x00, 0x00)
		IS(PACKET_PTW, .extra = 8, .payload = 0x68656c6c6f);
	GIVEN(0x02, 0x12, 0x44, 0x33, 0x22, 0x11)
		IS(PACKET_PTW, .extra = 4, .payload = 0x11223344);
	GIVEN(0x02, 0x92, 0x44, 0x33, 0x22, 0x11)
		IS(PACKET_PTW, .ip = 1, .extra = 4, .payload = 0x11223344);
	EQ(one(BYTES(0x02, 0x52), 0).kind, PACKET_BAD);
	EQ(one(BYTES(0x02, 0xf2), 0).kind, PACKET_BAD);
}

TEST(power_packets_keep_their_raw_word)
{
	GIVEN(0x02, 0xc2, 0x60, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00)
		IS(PACKET_MWAIT, .payload = 0x100000060);
	GIVEN(0x02, 0x22, 0x80, 0x20)
		IS(PACKET_PWRE, .payload = 0x2080);
	GIVEN(0x02, 0xa2, 0x22, 0x04, 0x00, 0x00, 0x00)
		IS(PACKET_PWRX, .payload = 0x422);
	GIVEN(0x02, 0xe2)
		IS(PACKET_EXSTOP, .ip = 1);
	GIVEN(0x02, 0x62)
		IS(PACKET_EXSTOP);
}

TEST(event_packets)
{
	GIVEN(0x02, 0x13, 0x81, 0x0e)
		IS(PACKET_CFE, .ip = 1, .extra = 14, .payload = 1);
	GIVEN(0x02, 0x13, 0x02, 0x00)
		IS(PACKET_CFE, .payload = 2);
	GIVEN(0x02, 0x53, 0x01, 1, 2, 3, 4, 5, 6, 7, 8)
		IS(PACKET_EVD, .extra = 1, .payload = 0x807060504030201);
	GIVEN(0xd9, 0x80, 0x05)
		IS(PACKET_TRIG, .ip = 1, .payload = 5);
	GIVEN(0xd9, 0x60, 0x05, 0x34, 0x12)
		IS(PACKET_TRIG, .extra = 0x31234, .payload = 5);
	EQ(one(BYTES(0xd9, 0x01, 0x05), 0).kind, PACKET_BAD);
}

TEST(an_item_of_an_open_block_looks_like_a_tnt)
{
	struct bytes in = BYTES(0x02, 0x63, 0x04, 0x04, 1, 2, 3, 4, 5, 6, 7, 8, 0x02, 0xb3, 0x04);
	struct packets p = { .rest = in };
	struct packet pkt;

	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_BBP);
	EQ(pkt.payload, 4);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_BIP);
	EQ(pkt.size, 9);
	EQ(pkt.extra, 0);
	EQ(pkt.payload, 0x807060504030201);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_BEP);
	EQ(pkt.ip, 1);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_TNT);
	OK(!packet_next(&p, &pkt));
}

TEST(a_block_may_have_items_of_four_bytes)
{
	struct packets p = { .rest = BYTES(0x02, 0x63, 0x84, 0x14, 1, 2, 3, 4) };
	struct packet pkt;

	OK(packet_next(&p, &pkt));
	EQ(pkt.payload, 0x84);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_BIP);
	EQ(pkt.size, 5);
	EQ(pkt.extra, 2);
	EQ(pkt.payload, 0x4030201);
}

/* What follows 'bytes' in an open block. */
static int then_04_is(struct bytes bytes)
{
	u8 all[32] = { 0 };
	struct packets p = { .rest = { all, sizeof(all) }, .item = 8 };
	struct packet pkt;

	memcpy(all, bytes.at, bytes.len);
	all[bytes.len] = 0x04;
	OK(packet_next(&p, &pkt));
	EQ(pkt.size, bytes.len);
	OK(packet_next(&p, &pkt));
	return pkt.kind;
}

TEST(time_and_power_packets_leave_a_block_open)
{
	EQ(then_04_is(BYTES(0x00)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x19, 1, 1, 1, 1, 1, 1, 1)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0x73, 1, 1, 0, 1, 0)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x59, 1)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x3d, 1, 1)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x0b)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0x03, 1, 0)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0xc3, 0x88, 1, 2, 3, 4, 5, 6, 7, 8)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0xe2)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0x22, 0, 0)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x02, 0xa2, 0, 0, 0, 0, 0)), PACKET_BIP);
	EQ(then_04_is(BYTES(0x05)), PACKET_BIP);
}

TEST(everything_else_closes_a_block)
{
	EQ(then_04_is(BYTES(0x06)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x0d)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x11)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x01)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x99, 0x01)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x99, 0x20)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x43, 1, 1, 1, 1, 1, 1)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0xf3)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0xc8, 1, 1, 1, 1, 1)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x83)), PACKET_TNT);
	EQ(then_04_is(BYTES(2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2,
			    0x82)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x23)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x12, 1, 1, 1, 1)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0xc2, 1, 1, 1, 1, 1, 1, 1, 1)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x33)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x13, 1, 1)), PACKET_TNT);
	EQ(then_04_is(BYTES(0x02, 0x53, 1, 1, 1, 1, 1, 1, 1, 1, 1)), PACKET_TNT);
}

TEST(a_psb_with_a_wrong_tail_is_damage_as_soon_as_it_shows)
{
	struct packet pkt;

	EQ(packet_decode(&pkt, BYTES(0x02, 0x82, 0x02), 0), 0);
	EQ(packet_decode(&pkt, BYTES(0x02, 0x82, 0x02, 0x83), 0), -1);
}

TEST(damage_is_one_byte_and_decoding_goes_on_behind_it)
{
	struct packets p = { .rest = BYTES(0x05, 0xff, 0x02) };
	struct packet pkt;

	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_BAD);
	EQ(pkt.size, 1);
	EQ(pkt.payload, 5);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_CYC);
	OK(!packet_next(&p, &pkt));
	EQ(p.rest.len, 0);
}

TEST(a_packet_cut_off_changes_nothing)
{
	struct packets p = { .rest = BYTES(0x19, 1, 2), .off = 7, .item = 4 };
	struct packet pkt;

	OK(!packet_next(&p, &pkt));
	EQ(p.rest.len, 3);
	EQ(p.off, 7);
	EQ(p.item, 4);
}

TEST(pads_are_skipped_to_the_last)
{
	u8 zeros[100] = { [77] = 0x04 };
	struct packets p = { .rest = { zeros, sizeof(zeros) }, .off = 1 };

	EQ(packet_skip_pads(&p), 77);
	EQ(p.off, 78);
	EQ(p.rest.len, 23);
	EQ(packet_skip_pads(&p), 0);
	p.rest = bytes_skip(p.rest, 1);
	EQ(packet_skip_pads(&p), 22);
	EQ(packet_skip_pads(&p), 0);
}

TEST(an_overflow_may_cut_a_cycle_count)
{
	struct packets p = { .rest = BYTES(0x27, 0x02, 0xf3), .errata = PACKET_CUT_CYC };
	struct packet pkt;

	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_CYC);
	EQ(pkt.size, 1);
	EQ(pkt.payload, 4);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_OVF);

	p = (struct packets){ .rest = BYTES(0x27, 0x02, 0xf3) };
	OK(packet_next(&p, &pkt));
	EQ(pkt.size, 2);
}

TEST(a_tma_may_have_a_byte_too_many)
{
	struct packets p = {
		.rest = BYTES(0x02, 0x73, 1, 2, 3, 4, 0, 5, 0x02, 0x23), .errata = PACKET_LONG_TMA
	};
	struct packet pkt;

	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_TMA);
	EQ(pkt.size, 8);
	OK(packet_next(&p, &pkt));
	EQ(pkt.kind, PACKET_PSBEND);

	p.rest = BYTES(0x02, 0x73, 1, 2, 0, 4, 0, 0x02, 0x23);
	OK(packet_next(&p, &pkt));
	EQ(pkt.size, 7);
}
