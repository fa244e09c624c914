/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Branches to call stacks.
 *
 * The calls from before the start of the trace are not known. Therefore a return that matches no
 * entry changes nothing.
 */
#include <pt/calls.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/GUESTS.h>

enum { MAX_CPUS = 1 << 16, MAX_DEPTH = 1 << 20 };

/* thread.calls points to this: one stack, or for the idle threads one for each CPU. */
struct stacks {
	u32 n;
	struct calls **at;
};

static u32 slot(const struct thread *t, i32 cpu)
{
	return t->pid || cpu < 0 || cpu >= MAX_CPUS ? 0 : cpu;
}

struct calls *calls_if_any(const struct thread *t, i32 cpu)
{
	const struct stacks *s;
	u32 i;

	if (CONFIG_GUESTS && t->host)
		t = t->host;
	s = t->calls;
	i = slot(t, cpu);

	return s && i < s->n ? s->at[i] : NULL;
}

struct calls *calls_of(struct arena *arena, struct thread *t, i32 cpu)
{
	struct stacks *s;
	u32 i;

	if (CONFIG_GUESTS && t->host)
		t = t->host;
	s = t->calls;
	i = slot(t, cpu);
	if (!s)
		t->calls = s = NEW(arena, struct stacks, 1);
	if (i >= s->n) {
		u32 room = MAX(i + 1, s->n * 2);

		s->at = arena_grow(arena, s->at, sizeof(*s->at), s->n, room);
		s->n = room;
	}
	if (!s->at[i])
		s->at[i] = NEW(arena, struct calls, 1);
	return s->at[i];
}

COLD void calls_grow(struct arena *arena, struct calls *c, u64 back, bool ended)
{
	u32 room = c->room ? c->room * 2 : 64;

	if (c->n == MAX_DEPTH)
		return;
	c->back = arena_grow(arena, c->back, sizeof(*c->back), c->n, room);
	c->ended = arena_grow(arena, c->ended, sizeof(*c->ended), c->n, room);
	c->room = room;
	calls_push(arena, c, back, ended);
}

void calls_cut(struct calls *c, u32 n)
{
	while (c->n > n)
		c->like[c->back[--c->n] % CALLS_SLOTS]--;
}

/* Remove entries down to and including the innermost one that returns to 'to'. After a longjmp()
 * many returns match no entry, and the stack only grows. c->like[] avoids a search of the whole
 * stack then (call traces of such programs took 1.5 times as long without it). */
void calls_pop_to(struct calls *c, u64 to)
{
	u32 i;

	if (!c->like[to % CALLS_SLOTS])
		return;
	for (i = c->n; i--; )
		if (c->back[i] == to) {
			calls_cut(c, i);
			return;
		}
}

void calls_trace(struct calls *c, u64 trace_nr)
{
	if (likely(c->trace_nr == trace_nr))
		return;
	if (c->trace_nr) {
		calls_cut(c, 0);
		if (CONFIG_BRANCH_STACKS)
			c->branches.n = 0;
	}
	c->trace_nr = trace_nr;
}

void calls_branch(struct arena *arena, struct calls *c, u32 flags, u64 from, u64 to,
		  unsigned int len, u64 trace_nr)
{
	calls_trace(c, trace_nr);
	if (flags & FLAG_CALL) {
		if (to && from + len != to)
			calls_push(arena, c, from + len, flags & FLAG_END);
	} else if (flags & FLAG_BEGIN) {
		/* The calls that ended the trace have returned, since the trace continues. */
		while (c->n && c->ended[c->n - 1])
			calls_cut(c, c->n - 1);
	} else if (flags & FLAG_RETURN && from) {
		calls_pop(c, to);
	}
}

static bool is_kernel(u64 ip)
{
	return ip >> 63;
}

/* Append the return addresses of the 'n' outermost calls to the 'got' entries of 'to'. Each change
 * between user and kernel takes one of 'places'. Returns the new number of entries. */
static u32 add_frames(const struct calls *c, u32 n, u32 places, u64 *to, u32 got, bool kernel)
{
	while (n && --places) {
		u64 back = c->back[--n];

		if (is_kernel(back) != kernel && !--places)
			break;
		kernel = is_kernel(back);
		to[got++] = back;
	}
	return got;
}

u32 calls_chain(const struct calls *c, u64 ip, u32 places, u64 *to)
{
	to[0] = ip;
	return add_frames(c, c ? c->n : 0, places, to, 1, is_kernel(ip));
}

u32 calls_chain_late(const struct calls *c, u64 ip, u32 places, u64 *to)
{
	u32 n = c ? c->n : 0;

	while (n && is_kernel(c->back[n - 1]) && c->back[n - 1] != ip)
		n--;
	to[0] = ip;
	return n ? add_frames(c, n, places + 1, to, 0, is_kernel(c->back[n - 1])) : 1;
}

struct bytes calls_mark(const u64 *chain, u32 n, u64 *to)
{
	const u64 kernel = -128, user = -512;
	u64 level = 0, now;
	u32 got = 0, i;

	for (i = 0; i < n; i++) {
		now = chain[i] >> 63 ? kernel : user;
		if (now != level)
			to[got++] = level = now;
		to[got++] = chain[i];
	}
	return (struct bytes){ (const u8 *)to, got * 8 };
}
