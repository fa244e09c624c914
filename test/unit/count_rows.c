/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>

#include <pt/count.h>

#include "sysfs.h"

static struct event_list events;
static struct counting counting;
static struct count_rows rows;
static struct cell cells[64];
static struct cpus cpus;

/* 'list' on the machine 'name', counted on CPUs 0 to n - 1 or, for n 0, on a task. */
static void make(const char *name, const char *list, u32 n, enum count_by by)
{
	struct event_env *env = sysfs_env(name);
	struct event_error error;
	u32 i;

	events = (struct event_list){ 0 };
	if (!env || event_spec_parse(&events, env, list, &error)) {
		TEST_FAIL("cannot parse %s", list);
		return;
	}
	cpus = (struct cpus){ .cpu = NEW(&test_arena, i32, n + 1) };
	for (i = 0; i < n; i++)
		cpus.cpu[cpus.n++] = i;
	counting = (struct counting){ .events = &events, .arena = &test_arena, .cpus = &cpus,
				      .on_cpus = n > 0, .n_tids = 1 };
	counting.at = NEW(&test_arena, struct count_event, events.n);
	for (i = 0; i < events.n; i++) {
		struct count_event *e = &counting.at[i];

		e->spec = &events.at[i];
		e->cpus = n ? (e->spec->cpus ? cpus_common(&cpus, e->spec->cpus, &test_arena) : cpus) :
			(struct cpus){ 1, NEW(&test_arena, i32, 1) };
		if (!n)
			e->cpus.cpu[0] = -1;
		e->n_threads = e->n_open = 1;
		e->now = NEW(&test_arena, struct count, n + 1);
	}
	count_rows_make(&rows, by, &cpus, &(struct count_threads){ 0 },
			cpus_places(&cpus, env->sysfs, &test_arena), &test_arena);
	sysfs_remove(env);
}

static void set(u32 event, u32 k, u64 value, u64 enabled, u64 running)
{
	counting.at[event].now[k] = (struct count){ value, enabled, running };
}

TEST(counters_are_scaled_before_they_are_added)
{
	make("intel", "cycles", 2, BY_NOTHING);
	set(0, 0, 1000, 100, 100);
	set(0, 1, 10, 100, 10);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].value, 1100);
	EQ(cells[0].raw, 1010);
	EQ(cells[0].running, 110);
	count_cells(cells, &counting, &rows, true, false);
	EQ(cells[0].value, 1010);
}

TEST(a_counter_that_never_ran_is_taken_for_the_others)
{
	make("intel", "cycles", 2, BY_NOTHING);
	set(0, 0, 1000, 100, 100);
	set(0, 1, 0, 100, 0);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].value, 2000);
	EQ(cells[0].state, CELL_COUNTED);
	set(0, 0, 0, 100, 0);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].state, CELL_NOT_COUNTED);
}

TEST(rows_are_the_sockets_of_sysfs)
{
	make("intel", "cycles,cs", 4, BY_SOCKET);
	set(0, 0, 1, 9, 9);
	set(0, 1, 2, 9, 9);
	set(0, 2, 4, 9, 9);
	set(0, 3, 8, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	EQ(rows.n, 2);
	EQ(cells[0].value, 3);
	EQ(cells[1].value, 12);
	EQ(cells[1].n, 2);
}

/* The numbers of CPUs in each row of a machine whose CPUs are not in the order of its sockets. */
static const char *rows_by(enum count_by by)
{
	static char text[64];
	size_t n = 0;
	u32 i;

	make("interleaved", "cs", 4, by);
	for (i = 0; i < 4; i++)
		set(0, i, 1 << i, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	for (i = 0; i < rows.n; i++)
		n += snprintf(text + n, sizeof(text) - n, "%d%d%d:%x ", rows.at[i].place.socket,
			      rows.at[i].place.die, rows.at[i].place.core, (u32)cells[i].value);
	return text;
}

TEST(rows_are_in_the_order_of_sockets_dies_and_cores)
{
	/* socket, die, core: a bit for each CPU */
	STR_EQ(rows_by(BY_CORE), "000:4 010:2 100:1 101:8 ");
	STR_EQ(rows_by(BY_DIE), "000:4 010:2 100:9 ");
	STR_EQ(rows_by(BY_SOCKET), "010:6 100:9 ");
}

TEST(each_thread_has_a_row)
{
	struct count_threads threads = { .n = 2, .tid = (i32[]){ 7, 8 },
					 .comm = (char [2][16]){ "a", "b" } };

	make("intel", "cs", 0, BY_NOTHING);
	counting.at[0].n_threads = 2;
	counting.at[0].now = NEW(&test_arena, struct count, 2);
	count_rows_make(&rows, BY_THREAD, &cpus, &threads, NULL, &test_arena);
	set(0, 0, 5, 9, 9);
	set(0, 1, 6, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	EQ(rows.n, 2);
	EQ(rows.at[1].tid, 8);
	EQ(cells[0].value, 5);
	EQ(cells[1].value, 6);
}

TEST(a_package_is_counted_once)
{
	make("intel", "power/energy-pkg/", 4, BY_NOTHING);
	EQ(counting.at[0].cpus.n, 2);
	counting.at[0].cpus = cpus;
	set(0, 0, 5, 9, 9);
	set(0, 1, 5, 9, 9);
	set(0, 2, 7, 9, 9);
	set(0, 3, 7, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	/* CPU 3 is on a die of its own. */
	EQ(cells[0].value, 5 + 7 + 7);
	/* The counter of CPU 0 never ran. */
	set(0, 0, 0, 9, 0);
	count_cells(cells, &counting, &rows, true, false);
	EQ(cells[0].value, 5 + 7 + 7);
}

TEST(instances_are_merged_where_they_are_one_event)
{
	make("intel", "uncore_imc/cas_count_read/,uncore_imc_0/event=1/", 4, BY_NOTHING);
	set(0, 0, 1, 9, 9);
	set(0, 1, 2, 9, 9);
	set(1, 0, 4, 9, 9);
	set(1, 1, 8, 9, 9);
	set(2, 0, 16, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].value, 15);
	EQ(cells[0].enabled, 4 * 9);
	EQ(cells[0].running, 4 * 9);
	EQ(cells[1].state, CELL_MERGED);
	EQ(cells[2].value, 16);
	count_cells(cells, &counting, &rows, false, true);
	EQ(cells[0].value, 3);
	EQ(cells[1].value, 12);
}

TEST(time_on_another_cpu_type_is_no_reason_to_scale)
{
	make("hybrid", "cycles,cpu_core/instructions/", 0, BY_NOTHING);
	set(0, 0, 400, 100, 40);
	set(1, 0, 300, 100, 60);
	set(2, 0, 500, 100, 40);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].value, 400);
	EQ(cells[1].value, 300);
	EQ(cells[2].value, 500);
}

TEST(but_sharing_the_counters_of_all_types_is)
{
	make("hybrid", "cycles", 0, BY_NOTHING);
	set(0, 0, 400, 100, 20);
	set(1, 0, 300, 100, 30);
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].value, 800);
	EQ(cells[1].value, 600);
}

TEST(what_could_not_be_opened_is_told_apart)
{
	make("intel", "cycles,cs,power/energy-pkg/", 1, BY_NOTHING);
	counting.at[0].n_open = counting.at[1].n_open = 0;
	counting.at[0].err = -ENOENT;
	counting.at[1].err = -EACCES;
	counting.at[2].cpus.n = 0;
	count_cells(cells, &counting, &rows, true, true);
	EQ(cells[0].state, CELL_NOT_SUPPORTED);
	EQ(cells[1].state, CELL_NOT_COUNTED);
	EQ(cells[2].state, CELL_NOT_SUPPORTED);
}

TEST(intervals_add_up_and_runs_make_means)
{
	struct count_sums sums;

	make("intel", "cycles", 1, BY_NOTHING);
	count_sums_make(&sums, 1, &test_arena);
	set(0, 0, 10, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	count_sums_interval(&sums, cells, &counting);
	set(0, 0, 30, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	count_sums_interval(&sums, cells, &counting);
	EQ(sums.all[0].value, 40);
	count_sums_reset(&sums);
	count_sums_run(&sums, cells);
	set(0, 0, 50, 9, 9);
	count_cells(cells, &counting, &rows, true, true);
	count_sums_run(&sums, cells);
	EQ(sums.all[0].value, 40);
	EQ(sums.all[0].raw, 40);
	EQ(sums.all[0].noise, 10);
}
