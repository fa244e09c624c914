/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/cpus.h>
#include "test.h"

/* The list, written again; or NULL. */
static const char *list(const char *text)
{
	static char again[64];
	struct cpus set;

	if (!cpus_parse(&set, text, &test_arena))
		return "wrong";
	cpus_str(again, sizeof(again), &set);
	return again;
}

TEST(a_list_of_cpus_has_ranges_in_any_order)
{
	STR_EQ(list("0"), "0");
	STR_EQ(list("0-3,8\n"), "0-3,8");
	STR_EQ(list("5, 1-2,3"), "1-3,5");
	STR_EQ(list(""), "");
	STR_EQ(list("2,2,0-2"), "0-2");
}

TEST(a_wrong_list_of_cpus_is_refused)
{
	STR_EQ(list("1,"), "wrong");
	STR_EQ(list("3-1"), "wrong");
	STR_EQ(list("a"), "wrong");
	STR_EQ(list("1 2"), "wrong");
	STR_EQ(list("-1"), "wrong");
}

TEST(the_last_cpu_is_8191)
{
	STR_EQ(list("8190-8191"), "8190-8191");
	STR_EQ(list("8192"), "wrong");
	STR_EQ(list("0-8192"), "wrong");
}

TEST(sets_have_what_is_in_both)
{
	struct cpus a, b, both;

	OK(cpus_parse(&a, "0-5,9", &test_arena) && cpus_parse(&b, "4-9", &test_arena));
	both = cpus_common(&a, &b, &test_arena);
	EQ(both.n, 3);
	EQ(both.cpu[0], 4);
	EQ(both.cpu[2], 9);
	EQ(cpus_find(&a, 9), 6);
	EQ(cpus_find(&a, 6), -1);
	OK(cpus_equal(&a, &a) && !cpus_equal(&a, &b));
}
