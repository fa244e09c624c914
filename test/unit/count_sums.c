/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/count.h>

static struct event_spec specs[] = { { .snapshot = false }, { .snapshot = true } };
static struct event_list events = { .at = specs, .n = N_ELEM(specs) };
static const struct counting counting = { .events = &events };

static struct cell counted(double value, u64 enabled, u64 running)
{
	return (struct cell){ .state = CELL_COUNTED, .value = value, .raw = value / 2,
			      .enabled = enabled, .running = running, .n = 3 };
}

TEST(intervals_add_up_except_the_level_of_something)
{
	const struct cell first[] = { counted(100, 50, 20), counted(7, 50, 50) };
	const struct cell second[] = { counted(30, 60, 40), counted(5, 60, 60) };
	struct count_sums sums;

	count_sums_make(&sums, N_ELEM(first), &test_arena);
	count_sums_interval(&sums, first, &counting);
	count_sums_interval(&sums, second, &counting);
	EQ(sums.all[0].value, 130);
	EQ(sums.all[0].raw, 65);
	EQ(sums.all[0].enabled, 110);
	EQ(sums.all[0].running, 60);
	EQ(sums.all[0].n, 3);
	EQ(sums.all[1].value, 5);
	EQ(sums.all[1].enabled, 110);
	EQ(sums.all[1].running, 110);
}

TEST(what_was_counted_in_some_interval_counts)
{
	struct cell none[] = { { .state = CELL_NOT_COUNTED }, { .state = CELL_NOT_COUNTED } };
	const struct cell some[] = { counted(4, 10, 10), { .state = CELL_NOT_COUNTED } };
	struct count_sums sums;

	count_sums_make(&sums, N_ELEM(none), &test_arena);
	count_sums_interval(&sums, none, &counting);
	EQ(sums.all[0].state, CELL_NOT_COUNTED);
	count_sums_interval(&sums, some, &counting);
	count_sums_interval(&sums, none, &counting);
	EQ(sums.all[0].state, CELL_COUNTED);
	EQ(sums.all[0].value, 4);
	EQ(sums.all[1].state, CELL_NOT_COUNTED);
}

TEST(the_mean_of_runs_leaves_out_those_that_did_not_count)
{
	const struct cell runs[] = { counted(10, 100, 50), { .state = CELL_NOT_COUNTED },
				     counted(20, 200, 150) };
	struct count_sums sums;
	u32 i;

	count_sums_make(&sums, 1, &test_arena);
	for (i = 0; i < N_ELEM(runs); i++)
		count_sums_run(&sums, &runs[i]);
	EQ(sums.runs, 3);
	EQ(sums.all[0].value, 15);
	EQ(sums.all[0].enabled, 150);
	EQ(sums.all[0].running, 100);
	EQ(sums.all[0].noise, 5);
	count_sums_reset(&sums);
	EQ(sums.runs, 0);
	EQ(sums.all[0].value, 0);
}
