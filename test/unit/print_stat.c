/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "test.h"

#include <pt/config/STAT_MORE.h>
#include <pt/print_stat.h>

#include "sysfs.h"

static struct event_list events;
static struct count_rows rows;
static struct cell cells[64];
static struct stat_style style;
static struct stat_table table;
static char text[16384];

static const char *why(const struct stat_table *t, u32 i)
{
	return "because";
}

/* A table of 'list' on the machine 'name' in 'n' rows, wall time 1 s. */
static void make(const char *name, const char *list, enum count_by by, u32 n)
{
	struct event_env *env = sysfs_env(name);
	struct event_error error;
	u32 i;

	events = (struct event_list){ 0 };
	memset(cells, 0, sizeof(cells));
	if (!env || event_spec_parse(&events, env, list, &error))
		TEST_FAIL("cannot parse %s: %s", list, env ? error.what : "no sysfs");
	if (env)
		sysfs_remove(env);
	rows = (struct count_rows){ .by = by, .n = n, .at = NEW(&test_arena, struct count_row, n) };
	for (i = 0; i < n; i++)
		rows.at[i] = (struct count_row){ .cpu = i, .place = { .socket = i, .core = i, .node = i },
						 .tid = 100 + i, .comm = i ? "b\033x" : "a" };
	style = (struct stat_style){ .sep = " ", .merge = true, .runs = 1 };
	table = (struct stat_table){ .style = &style, .events = &events, .rows = &rows, .cells = cells,
				     .wall_ns = 1e9, .prefix = "", .why = why,
				     .order = NEW(&test_arena, u32, n) };
}

/* Event 'i' counted 'value' in row 'r'; it ran for all of the second. */
static struct cell *count(u32 i, u32 r, double value)
{
	struct cell *cell = &cells[i * rows.n + r];

	*cell = (struct cell){ .value = value, .raw = value, .enabled = 1000000000,
			       .running = 1000000000, .n = 1, .state = CELL_COUNTED };
	return cell;
}

static const char *printed(void (*print)(struct out *, const struct stat_table *))
{
	static char buf[OUT_BUFFER];
	int fd = memfd_create("out", 0);
	struct out o;
	ssize_t n;

	out_open(&o, fd, buf, sizeof(buf));
	print(&o, &table);
	out_flush(&o);
	n = pread(fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = 0;
	close(fd);
	return text;
}

static bool says(const char *what)
{
	return strstr(printed(print_stat_table), what);
}

TEST(instructions_per_cycle_are_made_of_one_row)
{
	make("intel", "cycles,instructions", BY_CPU, 2);
	count(0, 0, 1000);
	count(1, 0, 500);
	count(0, 1, 1000);
	count(1, 1, 3000);
	STR_EQ(printed(print_stat_table),
	       "CPU0                     1000      cycles                                                             \n"
	       "CPU1                     1000      cycles                                                             \n"
	       "CPU0                      500      instructions                     #    0.50  insn per cycle         \n"
	       "CPU1                     3000      instructions                     #    3.00  insn per cycle         \n");
}

TEST(a_socket_has_its_own_ratio_and_its_own_time)
{
	make("intel", "cpu-clock,cycles,instructions", BY_SOCKET, 2);
	count(0, 0, 2e9)->n = 2;
	count(1, 0, 4e9)->n = 2;
	count(2, 0, 1e9)->n = 2;
	count(0, 1, 1e9)->n = 2;
	count(1, 1, 1e9)->n = 2;
	count(2, 1, 3e9)->n = 2;
	OK(says("S0        2            2000.00 msec cpu-clock                        #    2.000 CPUs utilized"));
	OK(says("S0        2         4000000000      cycles                           #    2.000 GHz"));
	OK(says("S0        2         1000000000      instructions                     #    0.25  insn per cycle"));
	OK(says("S1        2         1000000000      cycles                           #    1.000 GHz"));
	OK(says("S1        2         3000000000      instructions                     #    3.00  insn per cycle"));
}

/* Give the events of the table these names, with a word for each. */
static void call(const char *const *names)
{
	u32 i;

	for (i = 0; i < events.n; i++) {
		events.at[i].name = names[i];
		events.at[i].pmu = "cpu";
	}
}

TEST(topdown_events_share_the_slots)
{
	static const char *const four[] = { "slots", "topdown-retiring", "topdown-bad-spec",
					    "topdown-fe-bound", "topdown-be-bound" };
	static const char *const five[] = { "topdown-total-slots", "topdown-slots-retired",
					    "topdown-slots-issued", "topdown-recovery-bubbles",
					    "topdown-fetch-bubbles" };
	u32 i;

	if (!CONFIG_STAT_MORE)
		SKIP("this build has no STAT_MORE");
	make("intel", "r1,r2,r3,r4,r5", BY_NOTHING, 1);
	call(four);
	count(0, 0, 1000);
	for (i = 1; i < 5; i++)
		count(i, 0, 100 * i);
	OK(says("topdown-retiring                 #     10.0% retiring"));
	OK(says("topdown-be-bound                 #     40.0% backend bound"));
	call(five);
	count(0, 0, 500);
	events.at[0].scale = 2;
	count(1, 0, 400);
	count(2, 0, 450);
	count(3, 0, 50);
	count(4, 0, 200);
	OK(says("topdown-total-slots              #     30.0% backend bound"));
	OK(says("topdown-slots-retired            #     40.0% retiring"));
	OK(says("topdown-recovery-bubbles         #     10.0% bad speculation"));
	OK(says("topdown-fetch-bubbles            #     20.0% frontend bound"));
}

TEST(a_ratio_wants_both_its_operands)
{
	make("intel", "cycles,instructions,branches,branch-misses", BY_NOTHING, 1);
	count(1, 0, 500);
	cells[0].state = CELL_NOT_SUPPORTED;
	count(2, 0, 0);
	count(3, 0, 0);
	OK(!says("insn per cycle"));
	OK(!says("of all branches"));
	OK(says("   <not supported>      cycles   "));
	count(0, 0, 0);
	OK(!says("insn per cycle"));
}

TEST(an_operand_that_ran_below_one_percent_makes_no_ratio)
{
	make("intel", "cycles,instructions,task-clock,faults", BY_NOTHING, 1);
	count(0, 0, 1000)->running = 9999999;
	count(1, 0, 500);
	count(2, 0, 5e8);
	count(3, 0, 50)->running = 9999999;
	OK(!says("insn per cycle"));
	OK(says("(1.00%)"));
	OK(!says("/sec"));
	cells[0].running = cells[3].running = 10000000;
	OK(says("#    0.50  insn per cycle"));
	OK(says("#  100.000 /sec"));
}

TEST(operands_are_of_the_same_rings_and_group)
{
	make("intel", "cycles:u,instructions,{cycles,instructions},cycles", BY_NOTHING, 1);
	count(0, 0, 1000);
	count(1, 0, 4000);
	count(2, 0, 2000);
	count(3, 0, 4000);
	count(4, 0, 8000);
	OK(says("              4000      instructions                     #    2.00  insn per cycle"));
	OK(!says("#    4.00"));
	make("intel", "cycles:u,instructions:k", BY_NOTHING, 1);
	count(0, 0, 1000);
	count(1, 0, 4000);
	OK(!says("insn per cycle"));
}

TEST(operands_are_of_the_same_cgroup)
{
	make("intel", "cycles,instructions,cycles,instructions", BY_NOTHING, 1);
	events.at[0].cgroup = events.at[1].cgroup = "web";
	events.at[2].cgroup = events.at[3].cgroup = "db";
	count(0, 0, 1000);
	count(1, 0, 500);
	count(2, 0, 2000);
	count(3, 0, 6000);
	OK(says("               500      instructions                     #    0.50  insn per cycle"));
	OK(says("              6000      instructions                     #    3.00  insn per cycle"));
}

TEST(each_cpu_type_has_its_own_ratio_and_its_own_time)
{
	make("hybrid", "task-clock,cycles,instructions", BY_NOTHING, 1);
	count(0, 0, 1e9);
	/* 40 % of the time on cores, 60 % on atoms */
	count(1, 0, 1.2e9)->running = 400000000;
	count(2, 0, 0.6e9)->running = 600000000;
	count(3, 0, 2.4e9)->running = 400000000;
	count(4, 0, 0.3e9)->running = 600000000;
	OK(says("        1200000000      cpu_core/cycles/                 #    3.000 GHz"));
	OK(says("         600000000      cpu_atom/cycles/                 #    1.000 GHz"));
	OK(says("        2400000000      cpu_core/instructions/           #    2.00  insn per cycle"));
	OK(says("         300000000      cpu_atom/instructions/           #    0.50  insn per cycle"));
	OK(says("  (40.00%)"));
}

TEST(what_counts_for_a_package_has_no_rate_per_cpu_second)
{
	make("intel", "cpu-clock,power/energy-pkg/,uncore_imc_0/event=4/,duration_time,cs", BY_NOTHING, 1);
	count(0, 0, 4e9);
	count(1, 0, 1e11);
	count(2, 0, 1e9);
	count(3, 0, 1e9);
	count(4, 0, 4000);
	OK(says("             23.28 Joules power/energy-pkg/                                                  \n"));
	OK(says("        1000000000        uncore_imc_0/event=4/                                              \n"));
	OK(says("        1000000000 ns     duration_time                                                      \n"));
	OK(says("              4000        cs                               # 1000.000 /sec"));
}

TEST(misses_are_shares_of_accesses)
{
	make("intel", "L1-dcache-loads,L1-dcache-load-misses,LLC-load-misses,cache-references,cache-misses,"
	     "branches,branch-misses,dTLB-loads,dTLB-load-misses", BY_NOTHING, 1);
	count(0, 0, 1000);
	count(1, 0, 125);
	count(2, 0, 10);
	count(3, 0, 300);
	count(4, 0, 100);
	count(5, 0, 200);
	count(6, 0, 3);
	count(7, 0, 50);
	count(8, 0, 1);
	OK(says("               125      L1-dcache-load-misses            #   12.50% of all L1-dcache accesses"));
	OK(says("                10      LLC-load-misses                                                    \n"));
	OK(says("               100      cache-misses                     #   33.333 % of all cache refs"));
	OK(says("                 3      branch-misses                    #    1.50% of all branches"));
	OK(says("                 1      dTLB-load-misses                 #    2.00% of all dTLB cache accesses"));
}

TEST(stalls_have_a_second_line)
{
	make("amd", "cycles,stalled-cycles-frontend,stalled-cycles-backend,instructions", BY_NOTHING, 1);
	count(0, 0, 1000);
	count(1, 0, 100);
	count(2, 0, 400);
	count(3, 0, 800);
	OK(says("#   10.00% frontend cycles idle"));
	OK(says("#   40.00% backend cycles idle"));
	OK(says("               800      instructions                     #    0.80  insn per cycle         \n"
		"                                                  #    0.50  stalled cycles per insn\n"));
	style.form = STAT_CSV;
	style.sep = ",";
	OK(says("800,,instructions,1000000000,100.00,0.80,insn per cycle\n,,,,,0.50,stalled cycles per insn\n"));
}

TEST(csv_has_its_fixed_fields)
{
	make("intel", "task-clock,cs,power/energy-pkg/,cycles", BY_CORE, 1);
	style.form = STAT_CSV;
	style.sep = ";";
	count(0, 0, 5e8)->running = 250000000;
	count(1, 0, 7);
	count(2, 0, 1e11);
	cells[3] = (struct cell){ .state = CELL_NOT_COUNTED, .n = 1, .enabled = 5 };
	STR_EQ(printed(print_stat_table),
	       "S0-D0-C0;1;500.00;msec;task-clock;250000000;25.00;0.500;CPUs utilized\n"
	       "S0-D0-C0;1;7;;cs;1000000000;100.00;14.000;/sec\n"
	       "S0-D0-C0;1;23.28;Joules;power/energy-pkg/;1000000000;100.00;;\n"
	       "S0-D0-C0;1;<not counted>;;cycles;0;0.00;;\n");
	style.runs = 3;
	style.cgroups = true;
	cells[1].noise = 0.7;
	events.at[1].cgroup = "web";
	table.prefix = "     1.000000000;";
	OK(says("     1.000000000;S0-D0-C0;1;7;;cs;web;10.00%;1000000000;100.00;;\n"));
}

TEST(json_names_what_it_has_and_nothing_else)
{
	make("intel", "task-clock,cs/name='a\"b\\c'/,cycles", BY_THREAD, 2);
	style.form = STAT_JSON;
	style.sep = " ";
	count(0, 0, 5e8);
	count(1, 0, 7);
	cells[4] = (struct cell){ .state = CELL_NOT_SUPPORTED, .n = 1 };
	STR_EQ(printed(print_stat_table),
	       "{\"thread\" : \"a-100\", \"counter-value\" : \"500.000000\", \"unit\" : \"msec\", \"event\" : "
	       "\"task-clock\", \"event-runtime\" : 1000000000, \"pcnt-running\" : 100.00, "
	       "\"metric-value\" : 0.500000, \"metric-unit\" : \"CPUs utilized\"}\n"
	       "{\"thread\" : \"a-100\", \"counter-value\" : \"7.000000\", \"unit\" : \"\", \"event\" : "
	       "\"a\\\"b\\\\c\", \"event-runtime\" : 1000000000, \"pcnt-running\" : 100.00, "
	       "\"metric-value\" : 14.000000, \"metric-unit\" : \"/sec\"}\n"
	       "{\"thread\" : \"a-100\", \"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : "
	       "\"cycles\", \"event-runtime\" : 0, \"pcnt-running\" : 100.00, \"reason\" : \"because\"}\n");
}

TEST(threads_are_listed_by_what_they_count)
{
	make("intel", "cs", BY_THREAD, 3);
	count(0, 0, 1);
	count(0, 1, 3);
	count(0, 2, 2);
	STR_EQ(printed(print_stat_table),
	       "          b\\x1bx-101                       3      cs                                                                 \n"
	       "          b\\x1bx-102                       2      cs                                                                 \n"
	       "               a-100                       1      cs                                                                 \n");
	table.skip_zero = true;
	count(0, 2, 0);
	OK(!says("-102"));
}

TEST(noise_and_share_follow_the_ratio)
{
	make("intel", "faults,task-clock", BY_NOTHING, 1);
	style.runs = 3;
	count(0, 0, 100)->noise = 5;
	cells[0].running = 500000000;
	count(1, 0, 1e9);
	OK(says("               100      faults                           #  100.000 /sec                     "
		"( +-  5.00% )  (50.00%)\n"));
}

TEST(metric_only_has_a_column_a_ratio)
{
	make("intel", "cycles,instructions,cs,branch-misses,branches", BY_CPU, 2);
	style.metric_only = true;
	count(0, 0, 1000);
	count(1, 0, 500);
	count(3, 0, 1);
	count(4, 0, 10);
	cells[1] = cells[3] = cells[7] = cells[9] = (struct cell){ .state = CELL_NOT_COUNTED, .n = 1 };
	STR_EQ(printed(print_stat_table),
	       "CPU0                                           0.50                         10.00% \n"
	       "CPU1                                                                               \n");
	style.form = STAT_JSON;
	OK(says("{\"cpu\" : \"0\", \"GHz\" : \"\", \"insn per cycle\" : \"0.50\", "
		"\"branch-misses of all branches\" : \"10.00\"}\n"));
}

TEST(instances_are_told_apart_when_they_are_not_merged)
{
	make("intel", "uncore_imc/cas_count_read/,cas_count_read", BY_NOTHING, 1);
	style.merge = false;
	count(0, 0, 16384);
	count(1, 0, 32768);
	count(2, 0, 16384);
	count(3, 0, 16384);
	OK(says("              1.00 MiB  uncore_imc_0/cas_count_read/"));
	OK(says("              2.00 MiB  uncore_imc_1/cas_count_read/"));
	OK(says("              1.00 MiB  cas_count_read [uncore_imc_0]"));
}

static void reasons(struct out *o, const struct stat_table *t)
{
	print_stat_reasons(o, t, false);
}

TEST(a_reason_is_said_once)
{
	make("intel", "cycles,cs,instructions", BY_NOTHING, 1);
	cells[0].state = cells[2].state = CELL_NOT_SUPPORTED;
	count(1, 0, 1);
	STR_EQ(printed(reasons), "  because:\n    cycles, instructions\n");
}
