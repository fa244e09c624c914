/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "test.h"
#include "perf_data.h"

static struct perf_file f;
static const char *why;

/* A file with one event that has these fields, open. */
static void open_with(u64 sample_type)
{
	made_begin(&made, &sample_type, 1);
	made_end(&made);
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
}

static struct perf_record record(u32 type, u16 misc, const void *body, size_t n)
{
	made.n = 0;
	add_record(&made, type, misc, body, n);
	return (struct perf_record){ .type = type, .misc = misc, .raw = { made.bytes, made.n } };
}

#define RECORD(type, misc, ...) \
	record(type, misc, (const u64[]){ __VA_ARGS__ }, sizeof((u64[]){ __VA_ARGS__ }))

#define BIT(name) (1ull << PERF_S_##name)

TEST(a_sample_has_its_fields_in_the_order_of_the_kernel)
{
	struct perf_record rec;
	struct perf_sample s;
	u64 time;

	open_with(BIT(IDENTIFIER) | BIT(IP) | BIT(TID) | BIT(TIME) | BIT(ADDR) | BIT(ID) |
		  BIT(STREAM_ID) | BIT(CPU) | BIT(PERIOD));
	rec = RECORD(PERF_SAMPLE, 1, 100, 0x401000, 7ull << 32 | 6, 123456, 0xadd, 100, 5, 3, 99);
	OK(perf_sample(&f, &rec, &s));
	OK(s.event == f.events[0]);
	EQ(s.ip, 0x401000);
	EQ(s.pid, 6);
	EQ(s.tid, 7);
	EQ(s.time, 123456);
	EQ(s.addr, 0xadd);
	EQ(s.id, 100);
	EQ(s.stream_id, 5);
	EQ(s.cpu, 3);
	EQ(s.period, 99);
	OK(perf_record_time(&f, &rec, &time));
	EQ(time, 123456);
	perf_close(&f);
}

TEST(long_fields_of_a_sample_are_borrowed)
{
	struct perf_record rec;
	struct perf_sample s;

	open_with(BIT(CALLCHAIN) | BIT(RAW) | BIT(BRANCH_STACK) | BIT(STACK_USER) | BIT(WEIGHT) |
		  BIT(AUX));
	rec = RECORD(PERF_SAMPLE, 1, 2, 0x11, 0x22,	/* chain */
		     0xabcdef00000004,			/* raw: u32 size, data */
		     1, 0x33, 0x44, 0x55,		/* branches */
		     8, 0x66, 4,			/* stack, and how much is used */
		     77, 8, 0x88);			/* weight; trace */
	OK(perf_sample(&f, &rec, &s));
	EQ(s.callchain.len, 16);
	EQ(get64(s.callchain.at + 8), 0x22);
	EQ(s.raw.len, 4);
	EQ(get32(s.raw.at), 0xabcdef);
	EQ(s.branches.len, 24);
	EQ(s.stack_user.len, 8);
	EQ(s.stack_user_dyn, 4);
	EQ(s.weight, 77);
	EQ(get64(s.aux.at), 0x88);
	perf_close(&f);
}

TEST(registers_are_there_if_they_have_an_abi)
{
	struct perf_record rec;
	struct perf_sample s;

	open_with(BIT(REGS_USER) | BIT(REGS_INTR));
	f.events[0]->attr.regs_user = 5;
	f.events[0]->attr.regs_intr = 1ull << 63;
	rec = RECORD(PERF_SAMPLE, 0, 2, 0xa, 0xb, 0);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.abi_user, 2);
	EQ(s.regs_user.len, 16);
	EQ(s.abi_intr, 0);
	EQ(s.regs_intr.len, 0);
	perf_close(&f);
}

TEST(the_read_block_is_as_long_as_its_format_says)
{
	struct perf_record rec;
	struct perf_sample s;

	open_with(BIT(READ) | BIT(PHYS_ADDR));
	f.events[0]->attr.read_format = 4 | 8 | 16;	/* ID, GROUP, LOST */
	rec = RECORD(PERF_SAMPLE, 0, 2, 1, 2, 3, 4, 5, 6, 0xfeed);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.read.len, 56);
	EQ(s.phys_addr, 0xfeed);
	f.events[0]->attr.read_format = 1 | 2 | 4;
	rec = RECORD(PERF_SAMPLE, 0, 9, 1, 2, 3, 0xfeed);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.read.len, 32);
	EQ(s.phys_addr, 0xfeed);
	perf_close(&f);
}

TEST(the_trailer_is_read_from_the_end)
{
	struct perf_record rec;
	struct perf_sample s;
	u64 time;

	open_with(BIT(IP) | BIT(TID) | BIT(TIME) | BIT(CPU) | BIT(IDENTIFIER));
	rec = RECORD(PERF_SWITCH, 0, 9ull << 32 | 8, 555, 2, 100);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.pid, 8);
	EQ(s.tid, 9);
	EQ(s.time, 555);
	EQ(s.cpu, 2);
	EQ(s.id, 100);
	EQ(s.fields, BIT(TID) | BIT(TIME) | BIT(CPU) | BIT(IDENTIFIER));
	OK(perf_record_time(&f, &rec, &time));
	EQ(time, 555);
	rec = RECORD(PERF_COMM, 0, 1, 2, 9ull << 32 | 8, 556, 2, 100);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.time, 556);
	perf_close(&f);
}

TEST(tool_records_have_an_empty_sample)
{
	struct perf_record rec;
	struct perf_sample s;
	u64 time;

	open_with(BIT(TIME));
	rec = RECORD(PERF_FINISHED_INIT, 0, 1);
	OK(perf_sample(&f, &rec, &s));
	EQ(s.pid, -1);
	EQ(s.cpu, -1);
	OK(!s.event);
	OK(!perf_record_time(&f, &rec, &time));
	perf_close(&f);
}

TEST(what_is_too_short_is_bad)
{
	struct perf_record rec;
	struct perf_sample s;
	u64 time;
	size_t n;

	open_with(BIT(IP) | BIT(TIME) | BIT(CALLCHAIN));
	for (n = 0; n < 40; n += 8) {
		rec = record(PERF_SAMPLE, 0, (u64[]){ 1, 2, 2, 4, 5 }, n);
		OK(!perf_sample(&f, &rec, &s));
		OK(s.bad);
		EQ(perf_record_time(&f, &rec, &time), n >= 16);
	}
	rec = RECORD(PERF_SAMPLE, 0, 1, 2, UINT64_MAX, 4, 5);
	OK(!perf_sample(&f, &rec, &s));
	rec = RECORD(PERF_SWITCH, 0, 1);
	OK(perf_sample(&f, &rec, &s));
	rec = record(PERF_SWITCH, 0, "", 0);
	OK(!perf_sample(&f, &rec, &s));
	perf_close(&f);
}

TEST(bodies_are_read_if_they_fit)
{
	struct perf_text_poke poke;
	struct perf_record rec;
	struct perf_ksymbol k;
	struct perf_switch sw;
	struct perf_comm comm;
	struct perf_mmap m;

	rec = RECORD(PERF_MMAP, 0, 2ull << 32 | 1, 0x1000, 0x2000, 0x3000, 0x006f6c6c6568);
	OK(perf_get_mmap(&rec, &m));
	EQ(m.pid, 1);
	EQ(m.tid, 2);
	EQ(m.pgoff, 0x3000);
	STR_EQ(m.name, "hello");
	rec.raw.len -= 4;	/* the name has no end then */
	OK(!perf_get_mmap(&rec, &m));

	rec = RECORD(PERF_MMAP2, 0, 1, 0x1000, 0x2000, 0, 8ull << 32 | 7, 9, 10, 5ull | 2ull << 32,
		     0x78);
	OK(perf_get_mmap(&rec, &m));
	EQ(m.maj, 7);
	EQ(m.min, 8);
	EQ(m.ino, 9);
	EQ(m.prot, 5);
	EQ(m.flags, 2);
	STR_EQ(m.name, "x");
	OK(!m.build_id);
	rec = RECORD(PERF_MMAP2, 1 << 14, 1, 0x1000, 0x2000, 0, 0xaabbccdd000000ff, 0, 0, 0, 0x78);
	OK(perf_get_mmap(&rec, &m));
	EQ(m.build_id_size, 20);
	EQ(m.build_id[0], 0xdd);

	rec = RECORD(PERF_COMM, 1 << 13, 2ull << 32 | 1, 0x6f6c6c6568);
	OK(perf_get_comm(&rec, &comm));
	OK(comm.exec);
	STR_EQ(comm.name, "hello");
	OK(!perf_get_mmap(&rec, &m));

	rec = RECORD(PERF_SWITCH_CPU_WIDE, 3 << 13, 2ull << 32 | 1);
	OK(perf_get_switch(&rec, &sw));
	OK(sw.out && sw.preempt && sw.cpu_wide);
	EQ(sw.tid, 2);

	rec = RECORD(PERF_KSYMBOL, 0, 0xffffffff81000000, 1ull << 48 | 2ull << 32 | 64, 0x79);
	OK(perf_get_ksymbol(&rec, &k));
	EQ(k.len, 64);
	EQ(k.type, 2);
	EQ(k.flags, 1);
	STR_EQ(k.name, "y");

	rec = RECORD(PERF_TEXT_POKE, 0, 0x1000, 0x0403020100020002);
	OK(perf_get_text_poke(&rec, &poke));
	EQ(poke.old.at[1], 2);
	EQ(poke.new.at[0], 3);
	rec = RECORD(PERF_TEXT_POKE, 0, 0x1000, 0x0403020100030002);
	OK(!perf_get_text_poke(&rec, &poke));
}

TEST(auxtrace_info_may_end_early)
{
	u64 words[19] = { 1, 8, 31, 5, 6, 1, 0x400, 0x800, 3, 0, 1, 0x200, 0x3c000, 176, 2, 2, 24, 0, 1 };
	struct perf_pt_info info = { 0 };
	struct perf_record rec;

	rec = record(PERF_AUXTRACE_INFO, 0, words, sizeof(words));
	OK(perf_get_pt_info(&rec, &info, &test_arena));
	EQ(info.type, PERF_AUXTRACE_INTEL_PT);
	EQ(info.pmu_type, 8);
	EQ(info.time_zero, 6);
	OK(info.per_cpu && !info.snapshot);
	EQ(info.tsc_ctc_n, 176);
	EQ(info.max_nonturbo, 24);
	STR_EQ(info.filter, "");
	OK(info.cap_event_trace);

	info = (struct perf_pt_info){ 0 };
	rec = record(PERF_AUXTRACE_INFO, 0, words, 11 * 8);
	OK(perf_get_pt_info(&rec, &info, &test_arena));
	OK(info.per_cpu);
	EQ(info.mtc_bit, 0);
	rec = record(PERF_AUXTRACE_INFO, 0, words, 10 * 8);
	OK(!perf_get_pt_info(&rec, &info, &test_arena));

	words[0] = 3;	/* cs_etm */
	rec = record(PERF_AUXTRACE_INFO, 0, words, 8);
	OK(perf_get_pt_info(&rec, &info, &test_arena));
	EQ(info.type, 3);
}
