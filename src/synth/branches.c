/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Branches to branch stacks.
 */
#include <pt/branches.h>
#include <pt/calls.h>
#include <pt/session.h>

enum { MISPREDICTED = 1, IN_TX = 4, ABORT = 8 };

void branches_add(struct arena *arena, struct branches *b, u32 size, u64 from, u64 to, u32 flags)
{
	u64 *entry;

	if (!b->ring) {
		b->size = size;
		b->ring = arena_alloc(arena, size * sizeof(*b->ring));
	}
	entry = b->ring[b->at];
	entry[0] = from;
	entry[1] = to;
	entry[2] = (flags & BRANCH_MISPREDICTED ? MISPREDICTED : 0) |
		   (flags & FLAG_IN_TX ? IN_TX : 0) | (flags & FLAG_ABORT ? ABORT : 0);
	b->at = (b->at + 1) % b->size;
	b->n = MIN(b->n + 1, b->size);
}

/* The newest branch is number 0, the one before it number 1. */
static const u64 *newest(const struct branches *b, u32 i)
{
	return b->ring[(b->at + b->size - 1 - i) % b->size];
}

static struct bytes copy(const struct branches *b, u32 first, u32 most, u8 *to)
{
	u32 n = MIN(most, b->n - first), i;

	for (i = 0; i < n; i++)
		memcpy(to + i * BRANCH_SIZE, newest(b, first + i), BRANCH_SIZE);
	return (struct bytes){ to, n * BRANCH_SIZE };
}

void branches_follow(struct arena *arena, struct thread *t, const struct queue *queue, u32 size,
		     u64 from, u64 to, u32 flags)
{
	struct calls *calls;

	if (!t)
		return;
	calls = calls_of(arena, t, queue->now_cpu);
	calls_trace(calls, queue->trace_nr);
	branches_add(arena, &calls->branches, size, from, to, flags);
}

static const struct branches *stack_of(const struct thread *t, i32 cpu)
{
	static const struct branches none;
	const struct calls *calls = t ? calls_if_any(t, cpu) : NULL;

	return calls ? &calls->branches : &none;
}

struct bytes branches_of(const struct thread *t, i32 cpu, u32 most, u8 *to)
{
	return copy(stack_of(t, cpu), 0, most, to);
}

/* Was the sample at 'ip' taken after branch 'i' and before the newer branches? An address in user
 * code does not tell this; there the newest branches are skipped if they are the kernel's. */
static bool is_start(const struct branches *b, u64 ip, u32 i)
{
	u64 to = newest(b, i)[1];

	if (!(ip >> 63))
		return to && !(to >> 63);
	return i && ip >= to && ip <= newest(b, i - 1)[0];
}

struct bytes branches_of_late(const struct thread *t, i32 cpu, u64 ip, u32 most, u8 *to)
{
	const struct branches *b = stack_of(t, cpu);
	u32 i = 0;

	while (i < b->n && !is_start(b, ip, i))
		i++;
	return copy(b, i, most, to);
}
