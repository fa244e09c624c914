/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decoding costs where a trace leads to ever new addresses.
 */
#include <pt/runs.h>

#include "../test.h"

enum { BASE = 0x400000, SIZE = 1 << 20 };

static u8 code[SIZE];

static struct bytes fetch(void *who, u64 ip)
{
	(void)who;
	return bytes_skip((struct bytes){ code, SIZE }, MIN(ip - BASE, (u64)SIZE));
}

/* Runs one behind the other from BASE + 'at' on, up to an end; how many there are. */
static u32 follow(struct runs *runs, u64 at, u32 *insns)
{
	struct run *run = runs_find(runs, 0, INSN_64, BASE + at);
	u32 n = 1;

	for (*insns = run->n; run->end == RUN_LONG; *insns += run->n, n++)
		run = runs_find(runs, 0, INSN_64, run_end_ip(run));
	return n;
}

static u64 decoded(const struct runs *runs, bool segments)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < runs->n_runs; i++)
		sum += segments ? runs_by_id(runs, i)->n_segments : runs_by_id(runs, i)->n;
	return sum;
}

TEST(runs_to_all_of_straight_code_share_what_is_behind)
{
	enum { STARTS = 4000, STRIDE = 257 };
	struct runs runs = { .fetch = fetch };
	u32 i, insns;

	memset(code, 0x90, SIZE);
	code[SIZE - 1] = 0xc3;
	for (i = STARTS; i--; ) {
		OK(follow(&runs, i * STRIDE % SIZE, &insns) <= 1 + 16 + 16);
		EQ(insns, SIZE - i * STRIDE % SIZE);
	}
	OK(decoded(&runs, false) < STARTS * 3ULL * RUN_LONG_INSNS + 2 * SIZE);
	runs_clear(&runs);
}

TEST(runs_to_all_of_a_chain_of_jumps_share_what_is_behind)
{
	enum { JUMPS = 4000, STRIDE = 16, STARTS = 1000 };
	struct runs runs = { .fetch = fetch };
	u32 i, insns;

	memset(code, 0x90, SIZE);
	for (i = 0; i < JUMPS; i++)
		memcpy(code + i * STRIDE, "\xeb\x0e", 2);
	code[JUMPS * STRIDE] = 0xc3;
	for (i = 0; i < STARTS; i++) {
		OK(follow(&runs, i * STRIDE, &insns) <= JUMPS / RUN_LONG_SEGMENTS + 1);
		EQ(insns, JUMPS - i + 1);
	}
	OK(decoded(&runs, true) < STARTS * 2ULL * (RUN_LONG_SEGMENTS + 1) + JUMPS * 2);
	OK(runs.arena.total < 8 << 20);
	runs_clear(&runs);
}

TEST(a_run_that_is_not_long_is_one)
{
	struct runs runs = { .fetch = fetch };
	u32 insns;

	memset(code, 0x90, SIZE);
	code[RUN_LONG_INSNS - 1] = 0xc3;
	EQ(follow(&runs, 0, &insns), 1);
	EQ(insns, RUN_LONG_INSNS);
	runs_clear(&runs);
}

TEST(instructions_ahead_have_their_costs)
{
	struct runs runs = { .fetch = fetch };
	struct run *run;
	u32 left = 2;

	memset(code, 0x90, SIZE);
	memcpy(code + 2, "\x48\xf7\xf9\x90\xc3", 5);	/* idiv %rcx; nop; ret */
	run = runs_find(&runs, 0, INSN_64, BASE);
	EQ(run->n, 5);
	EQ(run_ahead(&runs, run, 0, 5, &left), 2);
	EQ(left, 0);
	left = 2;
	EQ(run_ahead(&runs, run, 1, 5, &left), 3);
	left = 1 + 56;
	EQ(run_ahead(&runs, run, 1, 5, &left), 3);
	left = 1 + 57;
	EQ(run_ahead(&runs, run, 1, 5, &left), 4);
	left = 100;
	EQ(run_ahead(&runs, run, 1, 5, &left), 0);
	EQ(left, 100 - 1 - 56 - 2);
	EQ(run_ahead(&runs, run, 5, 5, &left), 0);
	EQ(left, 41);
	runs_clear(&runs);
}
