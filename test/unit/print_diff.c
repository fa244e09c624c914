/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <pt/print_diff.h>

static struct mean mean_of(int n, const double *values)
{
	struct mean m = { 0 };
	int i;

	for (i = 0; i < n; i++)
		mean_add(&m, values[i]);
	return m;
}

#define MEAN(...) mean_of(sizeof((double[]){ __VA_ARGS__ }) / 8, (double[]){ __VA_ARGS__ })
#define NEAR(got, wanted) OK((got) > (wanted) - 1e-3 && (got) < (wanted) + 1e-3)

TEST(the_mean_has_its_standard_error)
{
	struct mean m = MEAN(10, 12, 14);

	NEAR(m.value, 12);
	NEAR(mean_error(&m), 1.1547);
	m = MEAN(5);
	NEAR(mean_error(&m), 0);
}

TEST(a_ratio_has_bounds_by_student_and_welch)
{
	struct mean a = MEAN(10, 12, 14), b = MEAN(20, 22, 24);
	struct diff_ratio r = diff_ratio(&a, &b);

	OK(r.known);
	NEAR(r.ratio, 1.8333);
	NEAR(r.low, 1.1939);
	NEAR(r.high, 2.4727);
}

TEST(without_two_runs_or_with_nothing_to_divide_by_there_is_no_ratio)
{
	struct mean one = MEAN(1), zero = MEAN(0, 0), two = MEAN(1, 2);

	OK(!diff_ratio(&one, &two).known);
	OK(!diff_ratio(&two, &one).known);
	OK(!diff_ratio(&zero, &two).known);
	NEAR(diff_ratio(&two, &zero).ratio, 0);
}

TEST(equal_counts_are_the_same)
{
	struct mean a = MEAN(7, 7, 7);
	struct diff_ratio r = diff_ratio(&a, &a);

	OK(r.low == 1 && r.high == 1);
}

/* Whether a line is printed of an event with the counts 'a' and 'b'. */
static bool has_line(struct mean a, struct mean b)
{
	struct stat_style style = { .form = STAT_CSV, .sep = "," };
	struct diff_line line = { .name = "cycles", .unit = "", .scale = 1, .a = a, .b = b };
	static char text[2 * OUT_ROOM];
	struct out out;

	out_open(&out, -1, text, sizeof(text));
	print_diff(&out, &style, &line);
	return out.at != text;
}

TEST(an_event_that_one_command_did_not_count_has_no_line)
{
	struct mean none = { 0 }, two = MEAN(1, 2);

	OK(has_line(two, two));
	OK(!has_line(two, none));
	OK(!has_line(none, two));
}
