/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes a perf.data with records of every kind, and samples with every field, to
 * standard output, for records.sh.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "test/unit/perf_data.h"

#define BIT(name) (1ull << PERF_S_##name)

static const u64 every_field =
	BIT(IDENTIFIER) | BIT(IP) | BIT(TID) | BIT(TIME) | BIT(ADDR) | BIT(ID) | BIT(STREAM_ID) |
	BIT(CPU) | BIT(PERIOD) | BIT(READ) | BIT(CALLCHAIN) | BIT(RAW) | BIT(BRANCH_STACK) |
	BIT(REGS_USER) | BIT(STACK_USER) | BIT(WEIGHT_STRUCT) | BIT(DATA_SRC) |
	BIT(TRANSACTION) | BIT(REGS_INTR) | BIT(PHYS_ADDR) | BIT(DATA_PAGE_SIZE) |
	BIT(CODE_PAGE_SIZE) | BIT(AUX);

static u64 pair(u32 low, u32 high)
{
	return low | (u64)high << 32;
}

/* A kernel record with the trailer that every_field asks for. */
#define KERNEL(type, misc, ...) \
	ADD_RECORD(&made, type, misc, __VA_ARGS__, pair(7, 8), ++now, 100, 5, 1, 100)

static u64 now = 1000000000;

static u64 text(const char *s)
{
	u64 v = 0;

	memcpy(&v, s, strnlen(s, 8));
	return v;
}

static void add_tool_records(void)
{
	double scale = -6.103515625e-05;
	u64 bits;
	int i;

	memcpy(&bits, &scale, 8);
	ADD_RECORD(&made, PERF_AUXTRACE_INFO, 0, 1, 8, 31, 5, 6, 1, 0x400, 0x800, 3, 0, 1, 0x200,
		   0x3c000, 176, 2, 2, 24, 7, text("start 1"), 1);
	ADD_RECORD(&made, PERF_TIME_CONV, 0, 31, 5, 6);
	ADD_RECORD(&made, PERF_TIME_CONV, 0, 31, 5, 6, 7, 0xff, 0x101);
	ADD_RECORD(&made, PERF_ID_INDEX, 0, 1, 100, 0, 1, 7);
	ADD_RECORD(&made, PERF_ID_INDEX, 0, 1, 100, 0, -1ull, 7, 0, 3);
	ADD_RECORD(&made, PERF_THREAD_MAP, 0, 2, 7, text("one"), 0, 8, text("two"), 0);
	ADD_RECORD(&made, PERF_CPU_MAP, 0, 0x0002000100030000, 0x5);
	for (i = 0; i < 5; i++)
		ADD_RECORD(&made, PERF_EVENT_UPDATE, 0, i, 100,
			   i == 1 ? bits : i == 3 ? 0x0001000000020000 : text("abc"));
	ADD_RECORD(&made, PERF_AUXTRACE_ERROR, 0, pair(1, 6), pair(2, 7), pair(8, 1), 0x401000,
		   1234567890123, text("message"), 0, 0, 0, 0, 0, 0, 0, 0);
	ADD_RECORD(&made, PERF_AUXTRACE_ERROR, 0, pair(9, 6), pair(-1, 7), pair(8, 2), 0x401000, 0,
		   text("message"), 0, 0, 0, 0, 0, 0, 0, pair(3, 4));
	ADD_RECORD(&made, PERF_AUXTRACE, 0, 16, 0x100, 0x12345, pair(0, 7), pair(1, 0));
	add64(&made, 0x8202820282028202);
	add64(&made, 0x8202820282028202);
	ADD_RECORD(&made, PERF_FINISHED_INIT, 0, 0);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
}

static void add_kernel_records(void)
{
	int i;

	KERNEL(PERF_COMM, 0x2000, pair(7, 7), text("execed"));
	KERNEL(PERF_COMM, 0, pair(7, 7), text("name"));
	KERNEL(PERF_MMAP, 2, pair(7, 8), 0x400000, 0x1000, 0, text("/bin/x"));
	KERNEL(PERF_MMAP, 0x2002, pair(7, 8), 0x600000, 0x1000, 0x2000, text("/bin/x"));
	KERNEL(PERF_MMAP2, 2, pair(7, 7), 0x400000, 0x1000, 0, pair(8, 0x123), 99, 0, pair(5, 2),
	       text("/bin/y"));
	KERNEL(PERF_MMAP2, 0x4002, pair(7, 7), 0x500000, 0x1000, 0x1000, 0x1122334400000014,
	       0x5566778899aabbcc, 0xddeeff00, pair(7, 1), text("/bin/z"));
	KERNEL(PERF_LOST, 0, 100, 17);
	KERNEL(PERF_LOST_SAMPLES, 0, 18);
	KERNEL(PERF_FORK, 0, pair(9, 7), pair(9, 7), 5);
	KERNEL(PERF_EXIT, 0, pair(9, 7), pair(9, 7), 6);
	KERNEL(PERF_THROTTLE, 0, 1, 100, 100);
	KERNEL(PERF_UNTHROTTLE, 0, 1, 100, 100);
	KERNEL(PERF_READ, 0, pair(7, 8), 1, 2, 3, 4, 5);
	for (i = 0; i < 8; i++)
		KERNEL(PERF_AUX, 0, i * 0x100, 0x100, i);
	KERNEL(PERF_ITRACE_START, 0, pair(7, 8));
	for (i = 0; i < 4; i++)
		KERNEL(PERF_SWITCH_CPU_WIDE, i << 13, pair(123456, i));
	ADD_RECORD(&made, PERF_SWITCH, 0x2000, pair(7, 8), ++now, 100, 5, 1, 100);
	KERNEL(PERF_NAMESPACES, 0, pair(7, 8), 7, 4, 1, 4, 2, 4, 3, 4, 4, 4, 5, 4, 6, 4, 0);
	KERNEL(PERF_KSYMBOL, 1, 0xffffffffa0000000, 0x0000000100000040, text("symbol"));
	KERNEL(PERF_BPF_EVENT, 1, 0x0000000500000001, 0x1122);
	KERNEL(PERF_CGROUP, 0, 77, text("/group"));
	KERNEL(PERF_TEXT_POKE, 1, 0xffffffff90001000, 0x0807060500120012, 0x100f0e0d0c0b0a09, 1, 2, 3,
	       4);
	KERNEL(PERF_AUX_OUTPUT_HW_ID, 0, 0x1234);
}

static void add_sample(u16 misc, u64 abi)
{
	u64 body[128], *p = body;
	int i;

	*p++ = 100;			/* identifier */
	*p++ = 0x400123;		/* ip */
	*p++ = pair(7, 8);
	*p++ = ++now;
	*p++ = 0xadd7;			/* addr */
	*p++ = 100;			/* id, stream id */
	*p++ = 5;
	*p++ = 1;			/* cpu, period */
	*p++ = 250000;
	*p++ = 1000 * now;		/* read: value, enabled, running, id, lost */
	*p++ = 11;
	*p++ = 12;
	*p++ = 100;
	*p++ = 1;
	*p++ = 2;			/* call chain */
	*p++ = -512ull;
	*p++ = 0x400123;
	*p++ = pair(4, 0x11223344);	/* raw */
	*p++ = 3;			/* branches */
	for (i = 0; i < 3; i++) {
		*p++ = 0x400100 + i;
		*p++ = 0x400200 + i;
		*p++ = (u64)i << 33 | (i == 2 ? 15ull << 20 | 3ull << 26 : (u64)i << 20) | 77 << 4 |
			1 << i;
	}
	*p++ = abi;			/* registers of the user */
	if (abi) {
		*p++ = 0xaa;
		*p++ = 0x1b;
	}
	*p++ = 8;			/* stack */
	*p++ = 0x57ac;
	*p++ = 4;
	*p++ = 0x0003000200000001;	/* weight */
	*p++ = 0x68100142;		/* data source */
	*p++ = 0x20000;			/* transaction */
	*p++ = 2;			/* registers when interrupted */
	*p++ = 0xcc;
	*p++ = 0x12345000;		/* physical address, page sizes */
	*p++ = 4096;
	*p++ = 2 << 20;
	*p++ = 8;			/* trace */
	*p++ = 0x23024f0199;
	add_record(&made, PERF_SAMPLE, misc, body, (p - body) * 8);
}

int main(void)
{
	struct perf_attr *attr;

	made_begin(&made, &every_field, 1);
	attr = (struct perf_attr *)(made.bytes + made.data - 144);
	attr->type = 1;
	attr->read_format = 1 | 2 | 4 | 16;
	attr->regs_user = 1 | 1 << 16;
	attr->regs_intr = 1ull << 40;
	attr->branch_sample_type = 1 << 3;
	add_tool_records();
	add_kernel_records();
	add_sample(2, 2);
	add_sample(1, 0);
	add_sample(3, 1);
	made_end(&made);
	return write(1, made.bytes, made.n) != (ssize_t)made.n;
}
