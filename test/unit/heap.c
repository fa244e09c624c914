/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include "src/session/session.h"

enum { N = 40, ROUNDS = 400 };

static struct session s;
static struct queue queues[N];
static u64 times[N];		/* of those on the heap, else 0 */

static void add(u32 i, u64 tsc)
{
	times[i] = tsc;
	heap_add(&queues[i], tsc);
}

static void start(void)
{
	static struct queue *all[N];
	static u32 heap[N];
	static u64 heap_tsc[N];
	u32 i;

	s = (struct session){ .queues = all, .n_queues = N, .heap = heap, .heap_tsc = heap_tsc };
	for (i = 0; i < N; i++) {
		all[i] = &queues[i];
		queues[i] = (struct queue){ .session = &s, .index = i };
	}
}

static u64 earliest(void)
{
	u64 tsc = ~0ULL;
	u32 i;

	for (i = 0; i < N; i++)
		if (times[i])
			tsc = MIN(tsc, times[i]);
	return tsc;
}

TEST(the_earliest_queue_comes_first_whatever_the_order_in_which_they_were_added)
{
	u32 i, seed = 1;

	start();
	for (i = 0; i < N; i++)
		add(i, 100 + i * 23 % N / 2);	/* pairs have the same time */
	for (i = 0; i < ROUNDS; i++) {
		u64 tsc = earliest();
		struct queue *q;

		EQ(s.heap_tsc[0], tsc);
		q = heap_pop(&s);
		EQ(times[q->index], tsc);
		seed = seed * 1103515245 + 12345;
		add(q->index, tsc + (seed >> 16) % 50);
	}
	for (i = 0; i < N; i++) {
		u64 tsc = earliest();
		struct queue *q = heap_pop(&s);

		EQ(times[q->index], tsc);
		times[q->index] = 0;
	}
	EQ(s.n_heap, 0);
}

TEST(a_queue_that_waited_is_added_once)
{
	start();
	queues[3].tsc = 7;
	heap_resume(&queues[3]);
	heap_resume(&queues[3]);
	EQ(s.n_heap, 1);
	EQ(s.heap_tsc[0], 7);
	OK(heap_pop(&s) == &queues[3]);
}
