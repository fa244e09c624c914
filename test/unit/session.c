/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the printed lines of a session do not show: that decoded code is forgotten, and that the
 * fast ways are taken.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/print_run.h>
#include <pt/session.h>

#include "src/print/run_text.h"
#include "src/session/session.h"
#include "test.h"

#define HELLO "test/golden/hello/perf.data"
#define ROOT "test/golden/hello/root"

static struct session s;

/* Decode the trace of 'make demo'. The most bytes that decoded code took, and how often it was
 * forgotten. */
static u64 decode(u64 mem, u32 *forgotten)
{
	struct session_options options = { .mem = mem, .needs = NEED_ALL };
	u64 most = 0, last = 0, insns = 0;
	struct item item = { 0 };

	s = (struct session){ .images.symfs = ROOT };
	*forgotten = 0;
	if (session_open(&s, HELLO, &options)) {
		TEST_FAIL("cannot open %s", HELLO);
		return 0;
	}
	while (session_next(&s, &item) > 0) {
		most = MAX(most, (u64)s.runs.arena.total);
		*forgotten += s.runs.arena.total < last;
		last = s.runs.arena.total;
		if (item.kind == ITEM_STEP)
			insns = MAX(insns, item.step->insns);
	}
	EQ(insns, 24190);
	return most;
}

TEST(decoded_code_is_forgotten_where_memory_has_a_cap)
{
	u32 forgotten;
	u64 all = decode(0, &forgotten);

	EQ(forgotten, 0);
	OK(all > 4096);
	OK(decode(all / 4, &forgotten) < all);
	OK(forgotten > 0);
}

/* Which lines print_run() makes for these columns and samples. */
static int by_run(const char *fields, const char *letters)
{
	struct sample_printer p = { .session = &s };
	struct itrace it = { 0 };

	fields_default(&p.fields);
	OK(!fields_parse(&p.fields, fields));
	OK(itrace_parse(&it, letters));
	print_run_start(&p, &it);
	return p.by_run;
}

TEST(plain_lines_are_made_by_the_run)
{
	EQ(by_run("+symoff", "be"), BRANCHES);
	EQ(by_run("ip", "i0nse"), INSNS);
	EQ(by_run("+insn,-event,-period", "i0nse"), INSNS);
	EQ(by_run("-ip,-addr,-event,-period,+callindent", "cewp"), CALLS);
	EQ(by_run("+flags", "be"), BRANCHES);
}

TEST(other_lines_are_made_of_samples)
{
	EQ(by_run("+ipc", "be"), BY_SAMPLE);
	EQ(by_run("+symoff", "s5be"), BY_SAMPLE);
	EQ(by_run("+symoff", "i100us"), BY_SAMPLE);
	EQ(by_run("+symoff", "qbe"), BY_SAMPLE);
	EQ(by_run("+insn", "be"), BY_SAMPLE);
}

/* Is a threshold of CYC packets seen in the attributes of the trace of 'make demo', if these are
 * changed to have it? */
static bool has_threshold(u64 threshold)
{
	enum { ENTRY = 16, ATTRS = 24, SIZE = 32, CONFIG = 8, CYC = 1 << 1, SHIFT = 19 };
	static u8 bytes[1 << 20];
	struct session_options options = { 0 };
	int from = open(HELLO, O_RDONLY), fd = memfd_create("hello", 0);
	ssize_t n = read(from, bytes, sizeof(bytes));
	u8 *attr = bytes + get64(bytes + ATTRS), *end = attr + get64(bytes + SIZE);
	struct item item = { 0 };
	char path[32];

	close(from);
	for (; attr < end; attr += get64(bytes + ENTRY))
		set64(attr + CONFIG, (get64(attr + CONFIG) & ~(15ull << SHIFT)) | CYC |
		      threshold << SHIFT);
	OK(write(fd, bytes, n) == n);
	fmt_str(path, sizeof(path), "/proc/self/fd/%d", fd);
	s = (struct session){ .images.symfs = ROOT };
	EQ(session_open(&s, path, &options), 0);
	while (session_next(&s, &item) > 0 && !s.have_pt)
		;
	close(fd);
	return s.setup.cyc_threshold;
}

TEST(each_threshold_of_cycles_is_seen)
{
	u64 i;

	for (i = 0; i < 16; i++)
		EQ(has_threshold(i), i > 0);
}

TEST(an_address_filter_without_regions_is_none)
{
	struct session empty = { 0 };

	EQ(filter_parse(&empty, ""), 0);
	OK(!empty.filters);
	EQ(filter_parse(&empty, "filter 0x10/0x20@/bin/x"), 0);
	OK(empty.filters);
}
