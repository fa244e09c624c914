/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/ranges.h>

static struct ranges r;

TEST(times_are_seconds_and_either_end_may_be_open)
{
	OK(!ranges_parse(&r, "1.5,2.000000001", 0, 0));
	EQ(r.n, 1);
	EQ(r.at[0].start, 1500000000);
	EQ(r.at[0].end, 2000000001);
	OK(!ranges_parse(&r, ",3", 0, 0));
	EQ(r.at[0].start, 0);
	EQ(r.at[0].end, 3000000000);
	OK(!ranges_parse(&r, "4,", 0, 0));
	OK(ranges_have(&r, ~0ull) && !ranges_have(&r, 3999999999));
	EQ(ranges_end(&r), 0);
	OK(!ranges_parse(&r, "1,2 3,4", 0, 0));
	EQ(r.n, 2);
	OK(ranges_have(&r, 1000000000) && ranges_have(&r, 2000000000) && ranges_have(&r, 3500000000));
	OK(!ranges_have(&r, 2500000000));
	EQ(ranges_end(&r), 4000000000);
}

TEST(percents_are_of_the_recording)
{
	OK(!ranges_parse(&r, "10%-20%", 1000, 2000));
	EQ(r.at[0].start, 1100);
	EQ(r.at[0].end, 1199);
	OK(!ranges_parse(&r, "50%/2", 1000, 2000));
	EQ(r.at[0].start, 1500);
	EQ(r.at[0].end, 2000);
	OK(!ranges_parse(&r, "0%-10%,90%-100%", 1000, 2000));
	EQ(r.n, 2);
	EQ(r.at[1].end, 2000);
	OK(ranges_parse(&r, "10%", 0, 0));
}

TEST(percents_are_rounded_to_the_nearest_ns)
{
	OK(!ranges_parse(&r, "50%-100%", 1000, 1003));
	EQ(r.at[0].start, 1002);
	OK(!ranges_parse(&r, "10%-100%", 1000, 1003));
	EQ(r.at[0].start, 1000);
}

TEST(what_is_no_time_is_refused)
{
	static const char *const wrong[] = {
		"", "x", "1,x", "2,1", "1;2", "101%", "50%/3", "0%/0", "20%-10%", "1.1234567890,2",
		"99999999999999999999,", "10%/99999999999", "-1,2",
	};
	size_t i;

	for (i = 0; i < N_ELEM(wrong); i++)
		if (!ranges_parse(&r, wrong[i], 1000, 2000))
			TEST_FAIL("'%s' is taken", wrong[i]);
}

TEST(more_stretches_than_there_is_room_for_are_refused)
{
	char text[5 * (RANGES_MAX + 2)] = "";
	int i;

	for (i = 0; i <= RANGES_MAX; i++)
		strcat(text, "1,2 ");
	OK(ranges_parse(&r, text, 0, 0));
	text[4 * RANGES_MAX] = 0;
	OK(!ranges_parse(&r, text, 0, 0));
	EQ(r.n, RANGES_MAX);
}

TEST(no_stretches_have_every_time_and_no_time_is_in_all)
{
	OK(ranges_have(&(struct ranges){ 0 }, 5));
	OK(!ranges_parse(&r, "1,2", 0, 0));
	OK(ranges_have(&r, 0));
}
