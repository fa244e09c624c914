/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Queues in order of time: a binary heap.
 */
#include "session.h"

static void heap_put(struct session *s, u32 at, u32 queue, u64 tsc)
{
	while (at) {
		u32 parent = (at - 1) / 2;

		if (s->heap_tsc[parent] <= tsc)
			break;
		s->heap[at] = s->heap[parent];
		s->heap_tsc[at] = s->heap_tsc[parent];
		at = parent;
	}
	s->heap[at] = queue;
	s->heap_tsc[at] = tsc;
}

void heap_add(struct queue *q, u64 tsc)
{
	struct session *s = q->session;

	q->on_heap = true;
	heap_put(s, s->n_heap++, q->index, tsc);
}

void heap_resume(struct queue *q)
{
	if (!q->on_heap)
		heap_add(q, q->tsc);
}

/* The free place moves down to a leaf, and the last queue fills it. */
struct queue *heap_pop(struct session *s)
{
	struct queue *q = s->queues[s->heap[0]];
	u32 at = 0, n = --s->n_heap, child;

	for (;;) {
		child = 2 * at + 1;
		if (child >= n)
			break;
		if (child + 1 < n && s->heap_tsc[child] >= s->heap_tsc[child + 1])
			child++;
		s->heap[at] = s->heap[child];
		s->heap_tsc[at] = s->heap_tsc[child];
		at = child;
	}
	heap_put(s, at, s->heap[n], s->heap_tsc[n]);
	return q;
}
