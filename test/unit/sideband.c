/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/session/session.h"
#include "test.h"

static struct session s;
static u8 record[24];

enum { OUT = 1 << 13, CPU = 2 };

static void start(u32 have_sched_switch, bool per_cpu)
{
	s = (struct session){ .images.arena = &test_arena };
	s.pt.have_sched_switch = have_sched_switch;
	s.pt.per_cpu = per_cpu;
	processes_start(&s.processes, &s.images, &test_arena);
}

/* A record with a pid and a tid in its body, and of a thread: who runs on the CPU afterwards? */
static i32 after(u32 type, u16 misc, i32 pid, i32 tid, i32 of)
{
	struct perf_record rec = { .type = type, .misc = misc };
	struct perf_sample sample = { .pid = of, .tid = of, .cpu = CPU };
	u16 size = 16;

	memset(record, 0, sizeof(record));
	memcpy(record, &type, 4);
	memcpy(record + 4, &misc, 2);
	memcpy(record + 6, &size, 2);
	memcpy(record + 8, &pid, 4);
	memcpy(record + 12, &tid, 4);
	rec.raw = (struct bytes){ record, size };
	sideband_switch(&s, &rec, &sample);
	return process_on_cpu(&s.processes, CPU);
}

TEST(a_thread_that_is_switched_in_runs_and_one_that_is_switched_out_does_not_begin)
{
	start(2, true);
	EQ(after(PERF_SWITCH, OUT, 0, 0, 20), -1);
	EQ(after(PERF_SWITCH, 0, 0, 0, 20), 20);
	EQ(after(PERF_SWITCH, OUT, 0, 0, 20), 20);
	EQ(after(PERF_SWITCH, OUT, 0, 0, 30), 20);
	EQ(after(PERF_SWITCH, 0, 0, 0, 30), 30);
}

TEST(a_record_of_all_cpus_names_who_comes_next)
{
	start(3, true);
	EQ(after(PERF_SWITCH_CPU_WIDE, OUT, 30, 31, 20), 31);
	EQ(process_thread(&s.processes, 30, 31)->pid, 30);
	EQ(after(PERF_SWITCH_CPU_WIDE, 0, 20, 20, 40), 40);
	/* Without the name of the next one it says nothing of who runs. */
	EQ(after(PERF_SWITCH, OUT, 0, 0, 50), 40);
	EQ(after(PERF_SWITCH, 0, 0, 0, 50), 50);
}

TEST(where_tracing_of_a_cpu_starts_the_thread_is_known)
{
	start(2, true);
	EQ(after(PERF_ITRACE_START, 0, 20, 21, 0), 21);
	start(2, false);	/* the trace of a thread: it runs wherever it is */
	EQ(after(PERF_ITRACE_START, 0, 20, 21, 0), -1);
}
