/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/session/session.h"
#include "test.h"

enum { SWITCH_TO = 0x1000, BEGINS = 0x2000, CPU = 1, OLD = 20, NEXT = 30 };

static struct session s;
static struct queue queue, *queues[] = { &queue };
static struct flow flow;
static const struct source source = { .threads = true };
static u32 heap[2], cpu_queues[] = { 0, 1 };
static u64 heap_tsc[2];

/* A queue, the trace of CPU 1, whose kernel just called a function that begins a switch. */
static void start(void)
{
	s = (struct session){ .images.arena = &test_arena,
			      .source = &source, .switch_ip = SWITCH_TO,
			      .switch_begins_ip = BEGINS, .queues = queues, .n_queues = 1,
			      .cpu_queues = cpu_queues, .n_cpu_queues = 2, .heap = heap,
			      .heap_tsc = heap_tsc };
	queue = (struct queue){ .session = &s, .flow = &flow, .now_cpu = CPU, .cpu = CPU,
				.queue_tid = -1, .on_heap = true };
	queue.switching.next_tid = -1;
	processes_start(&s.processes, &s.images, &test_arena);
	process_switch(&s.processes, CPU, OLD, OLD);
}

/* The queue executes a branch to 'to' at time 'tsc'. Does it have to wait afterwards? */
static bool branch(u64 to, u8 kind, u64 tsc)
{
	queue.tsc = tsc;
	queue.step = (struct step){ .what = STEP_BRANCH, .from = 0x500, .to = to, .kind = kind };
	switch_step(&queue);
	return switch_after(&queue);
}

static void begin_tracing(void)
{
	branch(0, INSN_OTHER, 10);
	branch(0x500, INSN_OTHER, 11);
	branch(BEGINS, INSN_CALL, 12);
}

static i32 running(void)
{
	return process_on_cpu(&s.processes, CPU);
}

TEST(a_record_takes_effect_at_switch_to)
{
	start();
	begin_tracing();
	OK(switch_record(&s, CPU, NEXT));
	EQ(running(), OLD);
	OK(!branch(SWITCH_TO, INSN_JUMP, 20));
	EQ(running(), NEXT);
}

TEST(at_switch_to_the_trace_waits_for_its_record)
{
	start();
	begin_tracing();
	OK(branch(SWITCH_TO, INSN_JUMP, 20));
	OK(switch_waits(&queue));
	queue.on_heap = false;
	s.until = 30;
	OK(!switch_record(&s, CPU, NEXT));
	OK(!switch_waits(&queue));
	/* It continues at the time of the record. */
	OK(queue.on_heap);
	EQ(queue.tsc, 30);
	EQ(heap_tsc[0], 30);
}

TEST(a_late_record_does_not_set_back_the_time)
{
	start();
	begin_tracing();
	OK(branch(SWITCH_TO, INSN_JUMP, 20));
	queue.on_heap = false;
	s.until = 15;
	OK(!switch_record(&s, CPU, NEXT));
	EQ(queue.tsc, 20);
	EQ(heap_tsc[0], 20);
}

TEST(after_the_last_record_no_trace_waits)
{
	start();
	begin_tracing();
	OK(branch(SWITCH_TO, INSN_JUMP, 20));
	queue.on_heap = false;
	switch_records_end(&s);
	OK(queue.on_heap);
	start();
	begin_tracing();
	s.records_end = true;
	OK(!branch(SWITCH_TO, INSN_JUMP, 20));
}

TEST(after_a_gap_in_the_kernel_records_count_at_once)
{
	start();
	begin_tracing();
	queue.step = (struct step){ .what = STEP_GAP, .from = 1ull << 63 };
	switch_step(&queue);
	OK(!switch_after(&queue));
	OK(!switch_record(&s, CPU, NEXT));
	OK(!branch(SWITCH_TO, INSN_JUMP, 20));
}

TEST(a_return_from_an_interrupt_is_no_switch)
{
	start();
	begin_tracing();
	OK(!branch(SWITCH_TO, INSN_IRET, 20));
	OK(!branch(SWITCH_TO, INSN_COND, 20));
	OK(branch(SWITCH_TO, INSN_CALL, 20));
}

TEST(the_first_time_that_is_decoded_counts)
{
	start();
	s.from = 12;
	begin_tracing();
	OK(branch(SWITCH_TO, INSN_JUMP, 20));
	start();
	s.from = 13;
	begin_tracing();
	OK(!branch(SWITCH_TO, INSN_JUMP, 20));
}

TEST(a_thread_that_comes_in_settles_the_switch)
{
	start();
	begin_tracing();
	OK(switch_record(&s, CPU, NEXT));
	switch_in(&s, CPU);
	/* The trace waits for a new record again, and the old one is of no use. */
	OK(branch(SWITCH_TO, INSN_JUMP, 20));
	EQ(running(), OLD);
	queue.on_heap = false;
	switch_in(&s, CPU);
	OK(queue.on_heap);
	OK(!switch_waits(&queue));
}
