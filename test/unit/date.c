/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include <test.h>
#include <pt/date.h>

static const char *in(const char *zone, i64 t)
{
	static char text[DATE_SIZE];

	setenv("TZ", zone, 1);
	return date_text(text, t);
}

TEST(a_date_is_that_of_the_calendar)
{
	STR_EQ(in("UTC0", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("UTC0", 951782400), "Tue Feb 29 00:00:00 2000");
	STR_EQ(in("UTC0", 4107542400), "Mon Mar  1 00:00:00 2100");
}

TEST(the_zone_counts_and_its_summer)
{
	static const char rule[] = "CET-1CEST,M3.5.0,M10.5.0/3";

	STR_EQ(in(rule, 1774745999), "Sun Mar 29 01:59:59 2026");
	STR_EQ(in(rule, 1774746000), "Sun Mar 29 03:00:00 2026");
	STR_EQ(in("<+0545>-5:45", 0), "Thu Jan  1 05:45:00 1970");
}

TEST(a_year_that_no_date_has_is_no_damage)
{
	OK(*in("UTC0", (i64)1 << 62));
}
