/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records are SWITCHes with a time; their CPU is the number of the record in the file.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "test.h"
#include "perf_data.h"

static const u64 timed[] = { 1 << PERF_S_TIME | 1 << PERF_S_CPU };
static struct perf_file f;
static const char *why;

enum { ROUND = -1, TOOL = -2 };

static void add_times(const i64 *times, size_t n)
{
	size_t i;
	u64 nth = 0;

	for (i = 0; i < n; i++) {
		if (times[i] == ROUND)
			ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
		else if (times[i] == TOOL)
			ADD_RECORD(&made, PERF_FINISHED_INIT, 0);
		else
			ADD_RECORD(&made, PERF_SWITCH, 0, times[i], nth++);
	}
}

/* "3r12t0": numbers of records as they come, r for a round, t for another tool record. */
static const char *order(void)
{
	static char got[256];
	struct perf_order *o = perf_order_start(&f);
	struct perf_record rec;
	struct perf_sample s;
	char *p = got;
	int err;

	while ((err = perf_order_next(o, &rec, &s, &why)) > 0) {
		if (rec.type == PERF_SWITCH)
			p = put_int(p, s.cpu);
		else
			p = put_char(p, rec.type == PERF_FINISHED_ROUND ? 'r' : 't');
	}
	*p = 0;
	if (err)
		strcpy(p, " bad");
	return got;
}

static const char *order_file(const i64 *times, size_t n)
{
	made_begin(&made, timed, 1);
	add_times(times, n);
	made_end(&made);
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
	return order();
}

static const char *order_pipe(const i64 *times, size_t n)
{
	struct perf_attr attr = { .size = 128, .sample_type = timed[0],
				  .flags = 1ull << PERF_F_SAMPLE_ID_ALL };

	memset(&made, 0, sizeof(made));
	add(&made, "PERFILE2", 8);
	add64(&made, 16);
	add_record(&made, PERF_HEADER_ATTR, 0, &attr, 128);
	add_times(times, n);
	EQ(perf_open(&f, made_pipe(&made), &test_arena, &why), 0);
	return order() + 1;	/* behind the t of HEADER_ATTR */
}

#define ORDER(wanted, ...) do { \
	const i64 times_[] = { __VA_ARGS__ }; \
	STR_EQ(order_file(times_, N_ELEM(times_)), wanted); \
	perf_close(&f); \
	STR_EQ(order_pipe(times_, N_ELEM(times_)), wanted); \
	perf_close(&f); \
} while (0)

TEST(records_are_sorted_by_time)
{
	ORDER("012", 1, 2, 3);
	ORDER("210", 3, 2, 1);
	ORDER("2031", 2, 4, 1, 3);
	ORDER("");
}

TEST(records_of_the_same_time_stay_in_order)
{
	ORDER("0123", 5, 5, 5, 5);
	ORDER("2301", 5, 5, 4, 4);
	ORDER("30142", 2, 3, 9, 1, 3);
	ORDER("1302", 5, 4, 6, 4);
}

TEST(tool_records_come_at_once)
{
	ORDER("t021", 1, 3, 2, TOOL);
	ORDER("tt01", TOOL, 1, TOOL, 2);
}

TEST(records_without_a_time_come_at_once)
{
	ORDER("1302", 2, 0, 3, 0);
}

TEST(a_round_frees_what_the_one_before_it_knew)
{
	/* The first frees nothing, the second what is not newer than 3, the third 6. */
	ORDER("rr10tr342t5", 3, 1, ROUND, 6, 4, ROUND, TOOL, 5, ROUND, TOOL, 7);
	ORDER("rr01t2", 1, 2, ROUND, ROUND, TOOL, 9);
}

TEST(a_run_goes_on_over_rounds)
{
	ORDER("rr01r23", 1, 2, ROUND, 3, 4, ROUND, ROUND);
}

TEST(records_before_damage_are_all_there)
{
	const i64 times[] = { 3, 1, 2 };

	made_begin(&made, timed, 1);
	add_times(times, 3);
	add(&made, "xxxxxx\1\0", 8);
	made_end(&made);
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
	STR_EQ(order(), "120 bad");
	perf_close(&f);
}

TEST(without_times_everywhere_records_come_as_they_are)
{
	const i64 times[] = { 3, 1, 2 };

	made_begin(&made, timed, 1);
	made.bytes[made.data - 144 + 40 + 2] = 0;	/* sample_id_all */
	add_times(times, 3);
	made_end(&made);
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
	OK(!perf_ordered(&f));
	STR_EQ(order(), "-1-1-1");
	perf_close(&f);
}

TEST(many_runs_need_no_more_memory_than_few)
{
	static struct made big;
	struct arena arena = { 0 };
	struct perf_order *o;
	struct perf_record rec;
	struct perf_sample s;
	u64 last = 0, n = 0, backwards = 0;
	int i;

	/* Time goes back at every record: each is a run of its own. */
	made_begin(&big, timed, 1);
	for (i = 0; i < 40000; i++)
		ADD_RECORD(&big, PERF_SWITCH, 0, 1000000 - i, i);
	made_end(&big);
	EQ(perf_open(&f, made_write(&big), &arena, &why), 0);
	o = perf_order_start(&f);
	for (; perf_order_next(o, &rec, &s, &why) > 0; n++) {
		backwards += s.time < last;
		last = s.time;
	}
	EQ(n, 40000);
	EQ(backwards, 1);	/* more than it keeps: the newest half comes first */
	OK(arena.total < 4 << 20);
	perf_close(&f);
	arena_free(&arena);
}
