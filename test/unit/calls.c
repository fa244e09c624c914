/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/calls.h>

#include "test.h"

static struct calls c;

static void start(void)
{
	c = (struct calls){ 0 };
}

/* A call of five bytes at 'from'; a return to 'to'. */
static void call(u64 from, u64 to)
{
	calls_branch(&test_arena, &c, FLAG_BRANCH | FLAG_CALL, from, to, 5, 1);
}

static void ret(u64 to)
{
	calls_branch(&test_arena, &c, FLAG_BRANCH | FLAG_RETURN, 0x999, to, 1, 1);
}

TEST(a_return_takes_its_call_away)
{
	start();
	call(0x100, 0x200);
	call(0x210, 0x300);
	EQ(c.n, 2);
	ret(0x215);
	EQ(c.n, 1);
	EQ(c.back[0], 0x105);
}

TEST(a_call_of_what_follows_it_is_no_call)
{
	start();
	call(0x100, 0x105);
	EQ(c.n, 0);
}

TEST(a_return_past_several_calls_takes_them_all)
{
	start();
	call(0x100, 0x200);
	call(0x210, 0x300);
	call(0x310, 0x400);
	ret(0x105);
	EQ(c.n, 0);
}

TEST(a_return_that_no_call_answers_changes_nothing)
{
	start();
	call(0x100, 0x200);
	ret(0x777);
	ret(0x205);	/* the lowest byte is that of 0x105, the address is not */
	EQ(c.n, 1);
}

TEST(what_ended_the_trace_is_over_when_it_goes_on)
{
	start();
	call(0x100, 0x200);
	calls_branch(&test_arena, &c, FLAG_CALL | FLAG_SYSCALL | FLAG_END, 0x210, 1, 2, 1);
	EQ(c.n, 2);
	calls_branch(&test_arena, &c, FLAG_BEGIN, 0, 0x212, 0, 1);
	EQ(c.n, 1);
}

TEST(a_trace_that_does_not_go_on_from_the_last_begins_with_an_empty_stack)
{
	start();
	calls_trace(&c, 1);
	call(0x100, 0x200);
	calls_trace(&c, 1);
	EQ(c.n, 1);
	calls_trace(&c, 2);
	EQ(c.n, 0);
}

TEST(deep_stacks_grow_and_shrink)
{
	u64 i;

	start();
	for (i = 0; i < 5000; i++)
		call(0x1000 + i * 16, 0x200);
	EQ(c.n, 5000);
	for (i = 5000; i--; )
		ret(0x1005 + i * 16);
	EQ(c.n, 0);
	for (i = 0; i < CALLS_SLOTS; i++)
		EQ(c.like[i], 0);
}

TEST(a_call_chain_begins_with_the_sample)
{
	u64 chain[8];

	start();
	EQ(calls_chain(NULL, 0x42, 8, chain), 1);
	EQ(chain[0], 0x42);
	call(0x100, 0x200);
	call(0x210, 0x300);
	EQ(calls_chain(&c, 0x310, 8, chain), 3);
	EQ(chain[1], 0x215);
	EQ(chain[2], 0x105);
	EQ(calls_chain(&c, 0x310, 2, chain), 2);
}

TEST(the_change_to_the_kernel_takes_a_place_in_a_chain)
{
	u64 kernel = 0xffffffff81000000, chain[4];

	start();
	call(0x100, 0x200);
	call(0x210, kernel);
	EQ(calls_chain(&c, kernel + 1, 4, chain), 3);
	EQ(calls_chain(&c, kernel + 1, 3, chain), 2);
}
