/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/timeline.h>

#include "test.h"

static struct timeline timeline;

static void calls(u32 n, u64 len)
{
	while (n--)
		timeline_add(&timeline, &(struct span){ .kind = SPAN_CLOSE, .start = 100,
							.at = 100 + len, .name = "f" });
}

TEST(when_it_is_full_the_shortest_calls_are_left_out)
{
	timeline = (struct timeline){ .arena = &test_arena };
	calls(TIMELINE_MAX * 4 / 10, 1);
	calls(TIMELINE_MAX * 6 / 10, 0);
	EQ(timeline.n, TIMELINE_MAX * 4 / 10);
	EQ(timeline.n_less, TIMELINE_MAX * 6 / 10);
	EQ(timeline.least, 1);
	/* Calls after that are counted in the same way. */
	calls(3, 0);
	calls(2, 1);
	EQ(timeline.n, TIMELINE_MAX * 4 / 10 + 2);
	EQ(timeline.n_less, TIMELINE_MAX * 6 / 10 + 3);
}

TEST(the_limit_doubles_until_half_is_free)
{
	timeline = (struct timeline){ .arena = &test_arena };
	calls(TIMELINE_MAX * 6 / 10, 3);
	calls(TIMELINE_MAX * 3 / 10, 4);
	calls(TIMELINE_MAX / 10, 9);
	EQ(timeline.least, 4);
	EQ(timeline.n, TIMELINE_MAX * 4 / 10);
	EQ(timeline.first, 100);
	EQ(timeline.last, 109);
}
