/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/branch_chain.h>

#include "test.h"

static struct branch_chain chain;
static u64 stack[400][3], callers[8];
static u32 n_branches, n_callers;

static void start(void)
{
	n_branches = n_callers = 0;
}

static void branch(u64 from, u64 to, u64 cycles)
{
	u64 *at = stack[n_branches++];

	at[0] = from;
	at[1] = to;
	at[2] = cycles << 4;
}

static void make(bool caller, u32 most)
{
	branch_chain(&chain, (struct bytes){ (u8 *)stack, n_branches * BRANCH_SIZE },
		     (struct bytes){ (u8 *)callers, n_callers * 8 }, caller, most);
}

TEST(each_branch_gives_its_target_then_its_source)
{
	start();
	branch(0x10, 0x20, 7);
	branch(0x30, 0x40, 0);
	make(false, 127);
	EQ(chain.n, 4);
	EQ(chain.ips[0], 0x20);
	EQ(chain.ips[1], 0x10);
	EQ(chain.ips[3], 0x30);
	EQ(chain.at[0].from, 0x10);
	EQ(chain.at[1].from, 0);
	EQ(chain.at[1].flags, 7 << 4);
	make(true, 127);
	EQ(chain.ips[0], 0x40);
	EQ(chain.ips[2], 0x20);
	make(false, 1);
	EQ(chain.n, 2);
}

TEST(repeated_branches_are_left_out_and_counted_at_the_next_one)
{
	start();
	branch(0x10, 0x20, 1);
	branch(0x20, 0x10, 2);
	branch(0x10, 0x20, 3);
	branch(0x20, 0x10, 4);
	branch(0x30, 0x10, 5);
	make(false, 127);
	EQ(chain.n, 6);
	EQ(chain.ips[5], 0x30);
	EQ(chain.at[3].loops, 0);
	EQ(chain.at[5].loops, 1);
	EQ(chain.at[5].cycles, 7);
}

TEST(a_repetition_at_the_end_is_left_out_even_if_it_is_cut)
{
	start();
	branch(0x10, 0x20, 1);
	branch(0x20, 0x10, 2);
	branch(0x10, 0x20, 3);
	make(false, 127);
	EQ(chain.n, 4);
	EQ(chain.at[3].loops, 0);
}

TEST(callers_follow_but_for_those_that_branches_show)
{
	start();
	branch(0x100, 0x200, 0);
	callers[n_callers++] = -512;
	callers[n_callers++] = 0x210;
	callers[n_callers++] = 0x310;
	callers[n_callers++] = 0x410;
	make(false, 127);
	/* The marker is passed; one caller less, for the branch. */
	EQ(chain.n, 4);
	EQ(chain.ips[2], 0x210);
	EQ(chain.ips[3], 0x310);
	EQ(chain.at[2].branch, false);
	/* The marker was passed at the first branch, and 0x20a calls what returns to 0x210. */
	branch(0x20a, 0x300, 0);
	make(false, 127);
	EQ(chain.n, 4);
	EQ(chain.ips[3], 0x20a);
	n_branches = 0;
	make(true, 2);
	EQ(chain.n, 2);
	EQ(chain.ips[0], 0x410);
	EQ(chain.ips[1], 0x310);
}

TEST(of_a_long_stack_the_newest_branches_are_taken)
{
	u64 i;

	start();
	for (i = 0; i < 400; i++)
		branch(0x1000 + 64 * i, 0x9000, 0);
	make(false, 1000);
	OK(chain.n <= 2 * 127);
	EQ(chain.ips[1], 0x1000);
	make(true, 1000);
	EQ(chain.ips[chain.n - 1], 0x1000);
	make(false, 0);
	EQ(chain.n, 0);
}
