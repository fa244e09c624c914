/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/history.h>

#include "test.h"

static struct history_branch ring[HISTORY_BRANCHES];

/* A thread with 'n' branches, which are numbered in 'from'. */
static struct history_thread thread(u64 n)
{
	u64 i;

	for (i = 0; i < n; i++)
		ring[i % HISTORY_BRANCHES].from = i;
	return (struct history_thread){ .ring = ring, .n = n };
}

TEST(the_last_branch_is_the_first)
{
	struct history_thread t = thread(3);

	EQ(history_branch(&t, 0)->from, 2);
	EQ(history_branch(&t, 2)->from, 0);
}

TEST(before_the_first_branch_there_is_none)
{
	struct history_thread t = thread(3), empty = thread(0);

	OK(!history_branch(&t, 3));
	OK(!history_branch(&empty, 0));
}

TEST(older_branches_are_overwritten)
{
	struct history_thread t = thread(HISTORY_BRANCHES + 2);

	EQ(history_branch(&t, 0)->from, HISTORY_BRANCHES + 1);
	EQ(history_branch(&t, HISTORY_BRANCHES - 1)->from, 2);
	OK(!history_branch(&t, HISTORY_BRANCHES));
}
