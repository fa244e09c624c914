/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/session/session.h"
#include "test.h"

static u8 trace[4096];
static size_t len;
static u64 ticks = 0x1000;	/* from a PSB to the next */

static void add(struct packet pkt)
{
	len += packet_encode(trace + len, &pkt);
}

/* PSBs with rising times, and some results behind each. */
static struct bytes make(unsigned int first, unsigned int n)
{
	unsigned int i;

	len = 0;
	for (; n--; first++) {
		add((struct packet){ .kind = PACKET_PSB });
		add((struct packet){ .kind = PACKET_TSC, .payload = ticks * first });
		add((struct packet){ .kind = PACKET_PSBEND });
		for (i = 0; i < 20; i++)
			add((struct packet){ .kind = PACKET_TNT, .count = 4, .payload = first });
	}
	return (struct bytes){ memcpy(NEW(&test_arena, u8, len), trace, len), len };
}

TEST(a_snapshot_goes_on_where_the_last_one_ended)
{
	struct bytes all = make(1, 6);
	size_t part = all.len / 6;
	bool joined;

	/* older: 1 to 4; newer: 3 to 6 */
	EQ(overlap_skip(bytes_first(all, 4 * part), bytes_skip(all, 2 * part), &joined), 2 * part);
	OK(joined);
}

TEST(the_last_psb_of_a_snapshot_may_be_cut)
{
	struct bytes all = make(1, 6);
	size_t part = all.len / 6, cut = 16;
	bool joined;

	EQ(overlap_skip(bytes_first(all, 4 * part + cut), bytes_skip(all, 2 * part), &joined),
	   2 * part + cut);
	OK(joined);
}

TEST(a_snapshot_of_later_times_is_a_trace_of_its_own)
{
	struct bytes older = make(1, 3), newer = make(5, 3);
	bool joined;

	EQ(overlap_skip(older, newer, &joined), 0);
	OK(!joined);
	/* What stands before its first PSB cannot be read. */
	EQ(overlap_skip(older, bytes_skip(newer, 1), &joined), newer.len / 3 - 1);
	OK(!joined);
}

TEST(hours_may_lie_between_two_snapshots)
{
	struct bytes older, newer;
	bool joined;

	ticks = 1ULL << 44;
	older = make(1, 3);
	newer = make(5, 3);
	EQ(overlap_skip(older, newer, &joined), 0);
	OK(!joined);
	ticks = 0x1000;
}

TEST(the_same_snapshot_again_adds_nothing)
{
	struct bytes all = make(1, 3);
	bool joined;

	EQ(overlap_skip(all, all, &joined), all.len);
	OK(joined);
	EQ(overlap_skip(all, bytes_first(all, all.len / 3), &joined), all.len / 3);
}

/* The end of the older one is longer than all of the newer one: that is not its continuation. */
TEST(a_newer_snapshot_has_no_less_after_the_same_time)
{
	struct bytes all = make(1, 3);
	bool joined;

	EQ(overlap_skip(all, bytes_skip(bytes_first(all, all.len - 8), all.len / 3 * 2), &joined),
	   all.len / 3 - 8);
	OK(!joined);
}

TEST(a_snapshot_without_a_psb_is_of_no_use)
{
	struct bytes all = make(1, 2);
	bool joined;

	EQ(overlap_skip(all, bytes_skip(all, all.len - 10), &joined), 10);
	OK(!joined);
}

TEST(zeros_after_a_snapshot_are_no_part_of_it)
{
	struct bytes all = make(1, 6), older;
	size_t part = all.len / 6, pad;
	u8 *padded = NEW(&test_arena, u8, all.len);
	bool joined;

	memcpy(padded, all.at, 4 * part);
	for (pad = 0; pad < 8; pad++) {
		older = (struct bytes){ padded, 4 * part + pad };
		EQ(overlap_skip(older, bytes_skip(all, 2 * part), &joined), 2 * part);
		OK(joined);
	}
}

TEST(a_cut_psb_may_have_zeros_after_it)
{
	struct bytes all = make(1, 6), older;
	size_t part = all.len / 6, cut = 16;
	u8 *padded = NEW(&test_arena, u8, all.len);
	bool joined;

	memcpy(padded, all.at, 4 * part + cut);
	older = (struct bytes){ padded, 4 * part + cut + 3 };
	EQ(overlap_skip(older, bytes_skip(all, 2 * part), &joined), 2 * part + cut);
	OK(joined);
}
