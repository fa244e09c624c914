/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decoding costs where a trace leads to ever new addresses; runs that are kept.
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

TEST(a_run_is_kept_where_all_others_are_forgotten)
{
	struct runs runs = { .fetch = fetch };
	struct run *run, *kept;
	struct arena old;
	u32 mine;

	memset(code, 0x90, SIZE);
	memcpy(code + 2, "\xe8\x0a\x00\x00\x00", 5);		/* call +10 */
	memcpy(code + 19, "\x74\x05", 2);			/* je +5 */
	run = runs_find(&runs, 7, INSN_64, BASE);
	run->link[1] = runs_find(&runs, 7, INSN_64, BASE + 26);
	run_calls(run)->run = run->link[1]->id + 1;
	run->kept = &mine;
	run_lens(&runs, run);
	old = runs.arena;
	runs.arena = (struct arena){ 0 };
	runs_clear(&runs);
	runs_find(&runs, 7, INSN_64, BASE + 40);
	kept = runs_copy(&runs, run);
	EQ(kept->ip, BASE);
	EQ(kept->key, run->key);
	EQ(kept->n, 6);
	EQ(kept->end, INSN_COND);
	EQ(kept->rest->target, BASE + 26);
	EQ(kept->n_segments, 2);
	OK(kept->rest != run->rest && !kept->link[1] && !kept->kept);
	EQ(memcmp(kept->rest->segments, run->rest->segments, 2 * sizeof(struct segment)), 0);
	EQ(kept->n_calls, 1);
	EQ(run_calls(kept)->back, BASE + 7);
	OK(!run_after(&runs, run_calls(kept)));
	arena_free(&old);
	EQ(run_lens(&runs, kept)[2], 5);
	OK(runs_by_id(&runs, kept->id) == kept);
	OK(runs_find(&runs, 7, INSN_64, BASE) != kept);
	runs_clear(&runs);
}

TEST(runs_do_not_lead_into_code_that_changes_more_often)
{
	struct runs runs = { .fetch = fetch, .made = { BASE + 0x1000, 0x1000 } };
	struct run *run;

	memset(code, 0x90, SIZE);
	memcpy(code, "\xe9\xfb\x10\x00\x00", 5);			/* jmp 0x1100 */
	memcpy(code + 0xffe, "\x48\xc7\xc0\x01\x00\x00\x00", 7);	/* mov rax, 1 */
	memcpy(code + 0x1100, "\xe9\xfb\x0e\x00\x00", 5);		/* jmp 0x2000 */
	code[0x2001] = 0xc3;
	run = runs_find(&runs, 1, INSN_64, BASE);
	EQ(run->end, RUN_LONG);
	EQ(run->n, 1);
	EQ(run_end_ip(run), BASE + 0x1100);
	/* An instruction that begins before that code belongs to the run. */
	run = runs_find(&runs, 1, INSN_64, BASE + 0xff0);
	EQ(run->end, RUN_LONG);
	EQ(run_end_ip(run), BASE + 0x1005);
	/* Runs lead out of it. */
	run = runs_find(&runs, 2, INSN_64, BASE + 0x1100);
	EQ(run->end, INSN_RET);
	EQ(run->n, 3);
	EQ(run_end_ip(run), BASE + 0x2001);
	run = runs_find(&runs, 2, INSN_64, BASE + 0x1ff0);
	EQ(run->end, INSN_RET);
	EQ(run->n, 18);
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
