/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/num.h>

typedef bool parser(const char *s, u64 *v);

static void gives(parser *parse, const char *s, u64 wanted)
{
	u64 v = ~wanted;

	if (!parse(s, &v))
		TEST_FAIL("\"%s\" is not taken", s);
	else if (v != wanted)
		TEST_FAIL("\"%s\" is %llu, not %llu", s, v, wanted);
}

static void refused(parser *parse, const char *s)
{
	u64 v = 12345;

	if (parse(s, &v))
		TEST_FAIL("\"%s\" is taken as %llu", s, v);
	EQ(v, 12345);
}

TEST(numbers_are_decimal_or_hex_behind_0x)
{
	gives(num_parse, "0", 0);
	gives(num_parse, "010", 10);
	gives(num_parse, "0x10", 16);
	gives(num_parse, "0XfF", 255);
	gives(num_parse, "18446744073709551615", ~0ull);
	gives(num_parse, "0xffffffffffffffff", ~0ull);
}

TEST(numbers_that_are_none_or_too_big_are_refused)
{
	static const char *const wrong[] = {
		"", " 1", "1 ", "-1", "+1", "0x", "x", "1x", "0xg", "18446744073709551616",
		"0x10000000000000000", "99999999999999999999999",
	};
	size_t i;

	for (i = 0; i < N_ELEM(wrong); i++)
		refused(num_parse, wrong[i]);
}

TEST(hex_needs_no_0x)
{
	gives(num_parse_hex, "ffffffff81000000", 0xffffffff81000000);
	gives(num_parse_hex, "0x1f", 0x1f);
	refused(num_parse_hex, "");
	refused(num_parse_hex, "0x");
	refused(num_parse_hex, "12g");
}

TEST(sizes_have_units)
{
	gives(num_parse_size, "4096", 4096);
	gives(num_parse_size, "4k", 4096);
	gives(num_parse_size, "4K", 4096);
	gives(num_parse_size, "1M", 1 << 20);
	gives(num_parse_size, "2GB", 2ull << 30);
	gives(num_parse_size, "1t", 1ull << 40);
	gives(num_parse_size, "10B", 10);
	gives(num_parse_size, "0x10k", 16 << 10);
	gives(num_parse_size, "16777215T", 16777215ull << 40);
	refused(num_parse_size, "16777216T");
	refused(num_parse_size, "k");
	refused(num_parse_size, "1kk");
	refused(num_parse_size, "1.5M");
	refused(num_parse_size, "1Bk");
}

TEST(times_have_units_and_parts)
{
	gives(num_parse_time, "5", 5000000000);
	gives(num_parse_time, "5s", 5000000000);
	gives(num_parse_time, "1.5s", 1500000000);
	gives(num_parse_time, "0.000000001", 1);
	gives(num_parse_time, "0.0000000019", 1);
	gives(num_parse_time, "100ms", 100000000);
	gives(num_parse_time, "7us", 7000);
	gives(num_parse_time, "3ns", 3);
	gives(num_parse_time, "2m", 120000000000);
	gives(num_parse_time, "0.999999999m", 59999999940);
	refused(num_parse_time, "");
	refused(num_parse_time, "s");
	refused(num_parse_time, ".5");
	refused(num_parse_time, "5 s");
	refused(num_parse_time, "5h");
	refused(num_parse_time, "-1");
	refused(num_parse_time, "99999999999999999999");
	refused(num_parse_time, "18446744074");
	refused(num_parse_time, "18446744073.709551616");
	gives(num_parse_time, "18446744073.709551615", ~0ull);
}

TEST(reading_stops_behind_the_digits)
{
	u64 v;

	STR_EQ(num_read("12ab", 10, &v), "ab");
	EQ(v, 12);
	STR_EQ(num_read("12abx", 16, &v), "x");
	EQ(v, 0x12ab);
	OK(!num_read("x", 16, &v));
}

TEST(min_and_max_evaluate_their_arguments_once)
{
	u32 i = 1, j = 7;

	EQ(MIN(i++, j++), 1);
	EQ(MAX(i++, j++), 8);
	EQ(i, 3);
	EQ(j, 9);
	EQ(MIN(MAX(i++, 2u), MIN(j, 5u)), 3);
	EQ(i, 4);
}

TEST(wide_numbers_are_divided)
{
	u64 rest;

	EQ(num_divide(6, 0, 7, &rest), 0xdb6db6db6db6db6d);
	EQ(rest, 5);
	EQ(num_scale(~0ull, ~0ull, ~0ull), ~0ull);
	EQ(num_scale(~0ull, 3, 7), (u64)(((unsigned __int128)~0ull * 3) / 7));
	EQ(num_ones(0), 0);
	EQ(num_ones(~0ull), 64);
	EQ(num_ones(0x8000000000000101), 3);
}
