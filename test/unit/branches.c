/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/calls.h>
#include <pt/session.h>

#include "test.h"

enum { SIZE = 4 };
static struct thread thread;
static struct queue queue;
static u8 got[SIZE * BRANCH_SIZE];

static void start(void)
{
	thread = (struct thread){ .pid = 1, .tid = 1 };
	queue = (struct queue){ .trace_nr = 1 };
}

static void branch(u64 from, u64 to, u32 flags)
{
	branches_follow(&test_arena, &thread, &queue, SIZE, from, to, flags);
}

/* Member 'k' of the branch with 'i' newer ones. */
static u64 member(u32 i, u32 k)
{
	return get64(got + i * BRANCH_SIZE + k * 8);
}

TEST(the_newest_branch_is_the_first)
{
	start();
	branch(0x10, 0x20, FLAG_BRANCH);
	branch(0x25, 0x30, FLAG_BRANCH);
	EQ(branches_of(&thread, 0, SIZE, got).len, 2 * BRANCH_SIZE);
	EQ(member(0, 0), 0x25);
	EQ(member(0, 1), 0x30);
	EQ(member(0, 2), 0);
	EQ(member(1, 0), 0x10);
	EQ(branches_of(&thread, 0, 1, got).len, BRANCH_SIZE);
	EQ(member(0, 0), 0x25);
}

TEST(a_full_stack_forgets_the_oldest)
{
	u64 i;

	start();
	for (i = 1; i <= SIZE + 3; i++)
		branch(i, 100 + i, FLAG_BRANCH);
	EQ(branches_of(&thread, 0, SIZE, got).len, SIZE * BRANCH_SIZE);
	for (i = 0; i < SIZE; i++)
		EQ(member(i, 0), SIZE + 3 - i);
}

TEST(flags_are_those_of_perf)
{
	start();
	branch(1, 2, FLAG_BRANCH | BRANCH_MISPREDICTED);
	branch(1, 2, FLAG_BRANCH | FLAG_IN_TX);
	branch(1, 2, FLAG_BRANCH | FLAG_ABORT | FLAG_IN_TX);
	branches_of(&thread, 0, SIZE, got);
	EQ(member(2, 2), 1);
	EQ(member(1, 2), 4);
	EQ(member(0, 2), 12);
}

TEST(another_trace_begins_with_no_branches)
{
	start();
	branch(1, 2, FLAG_BRANCH);
	queue.trace_nr = 2;
	branch(3, 4, FLAG_BRANCH);
	if (!CONFIG_BRANCH_STACKS)
		SKIP("not in this build");
	EQ(branches_of(&thread, 0, SIZE, got).len, BRANCH_SIZE);
	EQ(member(0, 0), 3);
}

TEST(a_thread_without_branches_has_none)
{
	start();
	EQ(branches_of(&thread, 0, SIZE, got).len, 0);
	EQ(branches_of(NULL, 0, SIZE, got).len, 0);
	branches_follow(&test_arena, NULL, &queue, SIZE, 1, 2, FLAG_BRANCH);
}

/* The kernel's branches on the way to the sample, and those after it. */
TEST(of_a_recorded_sample_later_branches_are_left_out)
{
	enum { OTHER = 1 };
	u64 k = 1ULL << 63;

	start();
	branch(0x10, 0x20, FLAG_BRANCH);
	branch(0x28, k + 0x100, FLAG_BRANCH);
	branch(k + 0x110, k + 0x200, FLAG_BRANCH);
	/* In user code: after the newest branch to user code. */
	EQ(branches_of_late(&thread, 0, 0x24, SIZE, got).len, BRANCH_SIZE);
	EQ(member(0, 0), 0x10);
	/* In the kernel: from where a branch went to where the next one came from. */
	EQ(branches_of_late(&thread, 0, k + 0x108, SIZE, got).len, 2 * BRANCH_SIZE);
	EQ(member(0, 0), 0x28);
	EQ(branches_of_late(&thread, 0, k + 0x100, SIZE, got).len, 2 * BRANCH_SIZE);
	EQ(branches_of_late(&thread, 0, k + 0x110, SIZE, got).len, 2 * BRANCH_SIZE);
	EQ(branches_of_late(&thread, 0, k + 0x111, SIZE, got).len, 0);
	EQ(branches_of_late(&thread, 0, k + 0xff, SIZE, got).len, 0);
	/* After the newest one: nothing says where it ends. */
	EQ(branches_of_late(&thread, 0, k + 0x208, SIZE, got).len, 0);
	EQ(branches_of_late(&thread, OTHER, 0x24, SIZE, got).len, BRANCH_SIZE);
}
