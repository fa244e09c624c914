/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
	STR_EQ(in("", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("", -1), "Wed Dec 31 23:59:59 1969");
	STR_EQ(in("", 951782400), "Tue Feb 29 00:00:00 2000");
	STR_EQ(in("", 4107542399), "Sun Feb 28 23:59:59 2100");
	STR_EQ(in("", 4107542400), "Mon Mar  1 00:00:00 2100");
	STR_EQ(in("", -62135596800), "Mon Jan  1 00:00:00 1");
}

TEST(a_rule_says_when_it_is_summer)
{
	static const char rule[] = "CET-1CEST,M3.5.0,M10.5.0/3";

	STR_EQ(in(rule, 1774745999), "Sun Mar 29 01:59:59 2026");
	STR_EQ(in(rule, 1774746000), "Sun Mar 29 03:00:00 2026");
	STR_EQ(in(rule, 1792889999), "Sun Oct 25 02:59:59 2026");
	STR_EQ(in(rule, 1792890000), "Sun Oct 25 02:00:00 2026");
	STR_EQ(in("<+0545>-5:45", 0), "Thu Jan  1 05:45:00 1970");
	STR_EQ(in("AEST-10AEDT,M10.1.0,M4.1.0/3", 1767225600), "Thu Jan  1 11:00:00 2026");
	STR_EQ(in("XXX1YYY,J60,J300", 1709254799), "Thu Feb 29 23:59:59 2024");
	STR_EQ(in("XXX0YYY,J60/0,300", 1709251200), "Fri Mar  1 01:00:00 2024");
	STR_EQ(in("XXX0YYY,59/0,300", 1709164800), "Thu Feb 29 01:00:00 2024");
}

TEST(what_is_no_zone_is_UTC)
{
	STR_EQ(in("Nowhere/At_All", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("/dev/null", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("XX1", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("<X", 0), "Thu Jan  1 00:00:00 1970");
	STR_EQ(in("XYZ", 0), "Thu Jan  1 00:00:00 1970");
}

static const char *libc_text(i64 t)
{
	static char text[64];
	time_t seconds = t;
	struct tm tm;

	tzset();
	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
	return text;
}

/* Zones of all kinds: no summer any more, summer in the south, at negative hours, of half an
 * hour, before winter, behind many changes; and rules. */
TEST(libc_says_the_same)
{
	static const char *const zones[] = { "Europe/Berlin", "America/New_York", "Asia/Kolkata",
		"Australia/Lord_Howe", "America/Nuuk", "Europe/Dublin", "Asia/Gaza", "Asia/Tokyo",
		"Africa/Casablanca", "Pacific/Apia", "America/Sao_Paulo", ":Africa/Cairo",
		"/usr/share/zoneinfo/Asia/Tehran", "CET", "Pacific/Chatham", "Etc/GMT+7",
		"EST5EDT,M3.2.0,M11.1.0", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
		"IST-1GMT0,M10.5.0,M3.5.0/1", "AAA3BBB,J1,J365/23", "AAA3BBB,0/1:30:15,200", "UTC",
	};
	size_t i;
	i64 t;

	if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK))
		SKIP("there are no zones here");
	for (i = 0; i < N_ELEM(zones); i++) {
		/* musl knows no summer before 1970 that is not in a file. */
		for (t = strchr(zones[i], ',') ? 0 : -3000000000; t < 5000000000; t += 29989 * 113) {
			char ours[DATE_SIZE];

			snprintf(ours, sizeof(ours), "%s", in(zones[i], t));
			if (strcmp(ours, libc_text(t)))
				TEST_FAIL("%s, %lld: %s, not %s", zones[i], t, ours, libc_text(t));
		}
	}
}
