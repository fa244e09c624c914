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
