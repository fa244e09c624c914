/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/clock.h>

#include "test.h"

TEST(the_first_tick_of_a_time_is_found_and_no_scale_makes_it_search_for_ever)
{
	struct timescale scale = { .shift = 10, .mult = 385, .zero = 12345 }, odd[] = {
		{ .mult = 0, .zero = 99 }, { .shift = 63, .mult = 1 }, { .zero = ~0ULL },
	};
	u64 ns, tsc;
	size_t i;

	for (ns = 1000000; ns < 1000100; ns++) {
		tsc = clock_first_tsc(&scale, ns);
		OK(clock_from_tsc(&scale, tsc) >= ns);
		OK(clock_from_tsc(&scale, tsc - 1) < ns);
	}
	for (i = 0; i < N_ELEM(odd); i++)
		clock_first_tsc(&odd[i], 50);
}

TEST(a_tsc_packet_that_goes_back_a_little_is_late_and_one_that_goes_back_far_has_wrapped)
{
	struct clock c = { 0 };

	clock_reset(&c, 0x0100000000100000);
	clock_tsc(&c, 0x100000, false);
	EQ(c.tsc, 0x0100000000100000);
	clock_tsc(&c, 0x100000 - 0xffff, false);
	EQ(c.tsc, 0x0100000000100000);
	clock_tsc(&c, 0x100000 - 0x10000, false);
	EQ(c.tsc, 0x02000000000f0000);
}

TEST(the_first_time_is_the_one_nearest_to_the_reference)
{
	struct clock c = { 0 };

	clock_reset(&c, 0x0200000000000010);
	clock_tsc(&c, 0xfffffffffffff0, false);
	EQ(c.tsc, 0x01fffffffffffff0);
	clock_reset(&c, 0x01fffffffffffff0);
	clock_tsc(&c, 0x10, false);
	EQ(c.tsc, 0x0200000000000010);
}

TEST(the_bits_of_mtc_that_tma_lacks_are_taken_from_the_first_mtc_only)
{
	/* Of MTC's bits 9 to 16 of the crystal clock a TMA does not have bit 16. */
	struct clock c = { .setup = { .ctc_n = 2, .ctc_d = 1, .mtc_shift = 9 } };
	const u64 tick = 2 << 9;

	clock_reset(&c, 1000000);
	clock_tsc(&c, 1000000, false);
	clock_tma(&c, 4 << 9, 0, true, false);
	clock_mtc(&c, 0x85, false, true);
	EQ(c.tsc, 1000000 + tick);
	clock_mtc(&c, 0x05, false, true);
	EQ(c.tsc, 1000000 + 129 * tick);
	/* The bit was 0 when TMA was sent, and 1 at the first MTC. */
	clock_tsc(&c, 2000000, false);
	clock_tma(&c, 127 << 9, 0, true, false);
	clock_mtc(&c, 0x80, false, true);
	EQ(c.tsc, 2000000 + tick);
}

/* As the flow reads them: one alone, then those that follow it. */
TEST(mtcs_in_a_row_are_as_one_after_the_other)
{
	static const u8 row[] = { 0x80, 0x81, 0x01, 0x00, 0xff, 0xff, 0x10 };
	const struct clock_setup setups[] = { { 2, 1, 3, 20 }, { 2, 1, 9, 20 }, { 168, 2, 12, 20 } };
	u8 bytes[2 * N_ELEM(row)];
	size_t i, k;

	for (i = 0; i < N_ELEM(row); i++)
		set16(bytes + 2 * i, 0x59 | row[i] << 8);
	for (i = 0; i < N_ELEM(setups); i++) {
		struct clock each = { .setup = setups[i] }, rest;

		clock_reset(&each, 1000000);
		clock_tsc(&each, 1000000, false);
		clock_tma(&each, 127 << 9, 5, false, false);
		rest = each;
		for (k = 0; k < N_ELEM(row); k++)
			clock_mtc(&each, row[k], false, false);
		clock_mtc(&rest, row[0], false, false);
		EQ(clock_mtcs(&rest, (struct bytes){ bytes + 2, sizeof(bytes) - 2 }),
		   sizeof(bytes) - 2);
		EQ(rest.tsc, each.tsc);
		EQ(rest.last_mtc, each.last_mtc);
		EQ(rest.ctc_delta, each.ctc_delta);
		OK(!rest.fix_mtc);
	}
}
