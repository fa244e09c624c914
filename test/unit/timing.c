/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/packet.h>
#include <pt/record.h>

#include "src/record/timing.h"
#include "test.h"

/* A tick of the crystal is 100 of the TSC; an MTC comes every 8 of them. */
static const struct emit_clock usual = { .config = PT_CFG_DEFAULT, .ctc_n = 100, .ctc_d = 1 };

static struct packet read_packet(const u8 *at, u32 n)
{
	struct packet pkt = { 0 };

	OK(packet_decode(&pkt, (struct bytes){ at, n }, 0) > 0);
	return pkt;
}

TEST(time_is_shared_out_over_work_and_stays_between_its_ends)
{
	EQ(timing_share(1000, 2000, 0, 10), 1000);
	EQ(timing_share(1000, 2000, 3, 10), 1300);
	EQ(timing_share(1000, 2000, 10, 10), 2000);
	EQ(timing_share(1000, 2000, 11, 10), 2000);
	EQ(timing_share(1000, 2000, 0, 0), 2000);
	EQ(timing_share(1000, 900, 5, 10), 1000);
	EQ(timing_share(0, 1ull << 60, 1ull << 39, 1ull << 40), 1ull << 59);
}

TEST(steps_differ_and_are_as_long_as_they_should_be_on_average)
{
	u64 sum = 0, step, last = 0, same = 0;
	u32 seed = 0, i;

	for (i = 0; i < 10000; i++) {
		step = timing_step(&usual, &seed);
		OK(step >= TIMING_WORK / 2 && step < 2 * TIMING_WORK);
		same += step == last;
		sum += last = step;
	}
	OK(same < 100);
	OK(sum / 10000 > TIMING_WORK - 50 && sum / 10000 < TIMING_WORK + 50);
}

TEST(the_first_time_is_an_exact_one_and_MTCs_follow_it)
{
	struct timing t = { .clock = &usual };
	u8 at[TIMING_MOST];
	struct packet pkt;
	u32 n;

	EQ(timing_near(&t, 5000, at), 0);
	n = timing_exact(&t, 5012, at);
	pkt = read_packet(at, n);
	EQ(pkt.kind, PACKET_TSC);
	EQ(pkt.payload, 5012);
	pkt = read_packet(at + 8, n - 8);
	EQ(pkt.kind, PACKET_TMA);
	EQ(pkt.payload, 50);
	EQ(pkt.extra, 12);
	EQ(timing_near(&t, 5599, at), 0);
	n = timing_near(&t, 5600, at);
	pkt = read_packet(at, n);
	EQ(pkt.kind, PACKET_MTC);
	EQ(pkt.payload, 7);
	EQ(timing_near(&t, 5600, at), 0);
	EQ(timing_near(&t, 5000, at), 0);
}

TEST(where_an_MTC_could_be_taken_for_an_earlier_one_there_is_a_TSC)
{
	struct timing t = { .clock = &usual };
	u8 at[TIMING_MOST];
	struct packet pkt;

	timing_exact(&t, 0, at);
	timing_near(&t, 800 * 200, at);
	pkt = read_packet(at, 2);
	EQ(pkt.kind, PACKET_MTC);
	EQ(pkt.payload, 200);
	timing_near(&t, 800 * 401, at);
	pkt = read_packet(at, 8);
	EQ(pkt.kind, PACKET_TSC);
	EQ(pkt.payload, 800 * 401);
}

TEST(without_MTCs_a_TSC_comes_now_and_then)
{
	const struct emit_clock rare = { .config = PT_CFG_PT | PT_CFG_TSC, .ctc_n = 100,
					 .ctc_d = 1 };
	const struct emit_clock none = { .config = PT_CFG_PT, .ctc_n = 100, .ctc_d = 1 };
	struct timing t = { .clock = &rare };
	u8 at[TIMING_MOST];

	EQ(timing_exact(&t, 77, at), 8);
	EQ(timing_near(&t, 100000, at), 0);
	EQ(timing_near(&t, 2000000, at), 8);
	t = (struct timing){ .clock = &none };
	EQ(timing_exact(&t, 77, at), 0);
	EQ(timing_near(&t, 2000000, at), 0);
}

TEST(cycles_are_told_where_they_were_asked_for_and_are_enough)
{
	const struct emit_clock cyc = { .config = PT_CFG_DEFAULT | PT_CFG_CYC | 4 <<
					PT_CFG_CYC_THRESH, .ctc_n = 100, .ctc_d = 1 };
	struct timing t = { .clock = &usual };
	struct packet pkt;
	u8 at[TIMING_MOST];
	u32 n;

	EQ(timing_cycles(&t, 1000, at), 0);
	t.clock = &cyc;
	EQ(timing_cycles(&t, 7, at), 0);
	n = timing_cycles(&t, 300, at);
	pkt = read_packet(at, n);
	EQ(pkt.kind, PACKET_CYC);
	EQ(pkt.payload, 300);
	EQ(timing_cycles(&t, 300, at), 0);
	EQ(timing_cycles(&t, 200, at), 0);
}
