/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes perf.data to standard output: two CPUs of a kernel whose code is in switches.sh often
 * switch threads, and the times in the trace and in the switch records differ slightly.
 *
 * usage: switches SEED [drop] > perf.data
 *
 * 'drop': some of the records are missing.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include <pt/encode.h>

#include "test/unit/perf_data.h"

#define BIT(name) (1ull << PERF_S_##name)

enum { CPUS = 2, SWITCHES = 300, FIRST = 100, THREADS = 20, TRACE_MAX = 64 << 10,
       START = 1000000, OUT = 1 << 13 };

static const u64 kernel = 0xffffffff81000000;

static u64 state;

static u32 below(u32 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state * 0x2545f4914f6cdd1d >> 32) % n;
}

static u64 pair(u32 low, u32 high)
{
	return low | (u64)high << 32;
}

static u64 text(const char *s)
{
	u64 v = 0;

	memcpy(&v, s, strnlen(s, 8));
	return v;
}

/* A kernel record with its trailer: thread, time, CPU, identifier. */
#define RECORD(type, misc, tid, time, cpu, ...) \
	ADD_RECORD(&made, type, misc, __VA_ARGS__, pair(tid, tid), time, cpu, 101)

static struct { u8 bytes[TRACE_MAX]; size_t n; } traces[CPUS], *trace;
static u64 now;

/* No two CPUs do anything at the same time: who would be first? */
static u64 stamp(void)
{
	return CPUS * now + (trace - traces);
}

static void put(u8 kind, u8 count, u64 payload)
{
	struct packet pkt = { .kind = kind, .count = count, .payload = payload };

	trace->n += packet_encode(trace->bytes + trace->n, &pkt);
}

static void put_ip(u8 kind, u64 ip)
{
	put(kind, 6, ip);
}

static void put_psb(bool begins)
{
	put(PACKET_PSB, 0, 0);
	put(PACKET_TSC, 0, stamp());
	put(PACKET_MODE_EXEC, 0, 1);
	if (!begins)
		put_ip(PACKET_FUP, kernel);
	put(PACKET_PSBEND, 0, 0);
	if (begins)
		put_ip(PACKET_TIP_PGE, kernel);
}

static void pass_time(u32 max)
{
	now += below(max);
	if (!below(3))
		put(PACKET_TSC, 0, stamp());
}

static void result(bool taken)
{
	put(PACKET_TNT, 1, taken);
	pass_time(40);
}

/* What may come between two rounds. */
static void interrupt(void)
{
	switch (below(30)) {
	case 0:
		put_psb(false);
		break;
	case 1:
		put_ip(PACKET_FUP, kernel);
		put(PACKET_TIP_PGD, 0, 0);
		pass_time(400);
		put_ip(PACKET_TIP_PGE, kernel);
		break;
	case 2:
		put(PACKET_TSC, 0, stamp());
		break;
	}
}

/* A round of the kernel's loop: from one thread to the next. Its records are made before
 * __switch_to and after it, but the trace tells the time now and then only. */
static void round_of_kernel(u32 cpu, u32 tid, u32 next, bool drop)
{
	result(below(2));	/* __perf_event_task_sched_out */
	if (!drop || below(10))
		RECORD(PERF_SWITCH_CPU_WIDE, OUT, tid, stamp(), cpu, pair(next, next));
	now++;
	result(true);
	result(below(2));	/* __switch_to */
	now++;
	if (!drop || below(10))
		RECORD(PERF_SWITCH_CPU_WIDE, 0, next, stamp(), cpu, pair(tid, tid));
	result(true);
	result(true);		/* schedule() */
	result(below(2));
}

static void run_cpu(u32 cpu, bool drop)
{
	u32 tid = FIRST + cpu, next, i;

	trace = &traces[cpu];
	now = START / CPUS + below(100);
	put_psb(true);
	RECORD(PERF_ITRACE_START, 0, tid, stamp(), cpu, pair(tid, tid));
	for (i = 0; i < SWITCHES; i++, tid = next) {
		next = FIRST + below(THREADS);
		now += below(1000);
		put(PACKET_TSC, 0, stamp());
		round_of_kernel(cpu, tid, next, drop);
		interrupt();
	}
}

static void add_attr(u32 at, u32 type, u64 config)
{
	struct perf_attr *attr = (struct perf_attr *)(made.bytes + made.data - (2 - at) * 144);

	attr->type = type;
	attr->config = config;
}

int main(int argc, char **argv)
{
	const u64 fields = BIT(IDENTIFIER) | BIT(IP) | BIT(TID) | BIT(TIME) | BIT(CPU);
	static u8 records[MADE_MAX];
	u64 index[1 + 2 * CPUS] = { CPUS };
	size_t start, n;
	u32 i;

	state = strtoull(argc > 1 ? argv[1] : "1", NULL, 0) * 0x9e3779b97f4a7c15 | 1;
	made_begin(&made, (const u64[]){ fields, fields }, 2);
	add_attr(0, 8, 0x2401);
	add_attr(1, 1, 9);
	ADD_RECORD(&made, PERF_AUXTRACE_INFO, 0, 1, 8, 0, 1, 0, 1, 0x400, 0x800, 3, 0, 1, 0x200,
		   0x3c000, 176, 2, 2, 24, 0);
	RECORD(PERF_MMAP, 1, 0, 0, 0, pair(-1, 0), kernel, 0x1000000, kernel, text("[kernel."),
	       text("kallsyms"), text("]_text"));
	for (i = FIRST; i < FIRST + THREADS; i++)
		RECORD(PERF_COMM, 0, i, 0, 0, pair(i, i), text((char[]){ 'c', 'a' + i - FIRST, 0 }));
	start = made.n;
	for (i = 0; i < CPUS; i++)
		run_cpu(i, argc > 2);
	/* The trace stands before what is about it. */
	n = made.n - start;
	memcpy(records, made.bytes + start, n);
	made.n = start;
	for (i = 0; i < CPUS; i++) {
		u64 size = round_up(traces[i].n, 8);

		index[1 + 2 * i] = made.n;
		index[2 + 2 * i] = 48;
		ADD_RECORD(&made, PERF_AUXTRACE, 0, size, 0, START, pair(i, -1), pair(i, 0));
		add(&made, traces[i].bytes, size);
	}
	add(&made, records, n);
	made_end(&made);
	/* The header's feature AUXTRACE: perf asks it whether samples may have addresses. */
	made.bytes[72 + 18 / 8] |= 1 << 18 % 8;
	add64(&made, made.n + 16);
	add64(&made, sizeof(index));
	add(&made, index, sizeof(index));
	return write(1, made.bytes, made.n) != (ssize_t)made.n;
}
