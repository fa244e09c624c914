/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that changes.
 *
 * A thread that jumps to changed code must execute the new code, as on a processor: there, a change
 * that is visible to the thread comes before all that it fetches afterwards. Here, a fetch is the
 * entry into a block: by a link, through the table of indirect branches, or by a lookup in the
 * agent. A thread inside of a block may finish it, like a processor that has fetched it already;
 * blocks are short and contain no loops. So it is enough that no block can be entered any more
 * before its code can change, and that new blocks are made from code that does not change in the
 * meantime, or compare it at each entry with what they were made from ("unsure"). All this happens
 * under agent.lock:
 *
 *	store to a page that	the page is made read-only before its code is read. A store
 *	may be written		faults; its blocks are killed (cache_forget()), and only then
 *				the page becomes writable
 *	... by others, too	the kernel writes signal frames to stacks, and other processes
 *				to shared memory: blocks are unsure. So are those of a page that
 *				is often written
 *	system call		guard_begin(): blocks are killed, guards are removed; until
 *				guard_end(), new blocks there are unsure and their code is read
 *				by the kernel, since it may vanish. When two threads change the
 *				same memory, their order is not known: the maps are read again
 *
 * A killed block stays in the cache, with the copy of its code that cache_find() needs, until no
 * thread can be inside of it (see cache.c). Its exits, and returns to calls in it, lead to
 * addresses of the program, which are looked up as usual.
 *
 * A block depends on no byte outside of block.span, except that a block of a file may look at the
 * following code in the same range for dead flags; so guard_begin() kills all blocks of such a
 * range. (A file that is itself written to while it is executed is not seen.)
 *
 * If a fault comes for a page that has no guard, another thread may have removed the guard in the
 * meantime. Then the page can be written: the instruction is done again.
 */
#include "own.h"

enum { NR_MPROTECT = 10, READ_EXEC = 5, ALL = 7 };
enum { HITS = 64, EARN_SHIFT = 20 };	/* a hit costs as much as 2^16 cycles: see guard_hit() */
enum { STACK_BELOW = 64 << 20, STACK_ABOVE = 1 << 20 };
enum { CHANGES = 1, MIXED, WRITES };	/* of agent_thread.changes */

/* A page of a stack must stay writable: the kernel writes signal frames there, and would not
 * handle a fault. */
static bool on_stack(const struct agent *a, u64 ip)
{
	u32 i, n = agent_taken(a);
	u64 from, to;

	if (ip - (a->stack - STACK_BELOW) < STACK_BELOW + STACK_ABOVE)
		return true;
	if (!maps_bounds(a, ip, &from, &to))
		return true;
	for (i = 0; i < n; i++) {
		const struct agent_thread *t = agent_thread_in(a, i);

		if (t && t->regs.r[RSP] - from <= to - from)
			return true;
	}
	return false;
}

static bool is_guarded(const struct agent *a, u64 at)
{
	const struct page *p = &a->pages[at / PAGE % N_PAGES];

	return p->guard < a->n_guarded && (a->guarded[p->guard] ^ at) < PAGE;
}

static COLD bool protect(u64 page, u64 rights)
{
	return !sys_call(NR_MPROTECT, page, PAGE, rights, 0, 0, 0);
}

/* If its rights cannot be restored later, the kernel refuses to set them now, too. */
COLD bool guard_page(struct agent *a, u64 ip)
{
	u64 page = ip & ~(u64)(PAGE - 1);
	struct page *p = guard_of(a, ip);

	if (p->guard < a->n_guarded && guard_of(a, a->guarded[p->guard]) == p)
		return a->guarded[p->guard] == page;
	if (p->written || a->mute)
		return false;
	/* If 'out' is set, the program has its own handlers again: see agent_leave(). */
	if (a->in.out || guard_changing(a, page, page + PAGE) || maps_shared(a, ip) ||
	    on_stack(a, ip) || !handlers_own_segv(a))
		return false;
	if (a->n_guarded == N_GUARDED || !protect(page, ALL) || !protect(page, READ_EXEC))
		return false;
	p->guarded = 1;
	p->guard = a->n_guarded;
	a->guards_from = a->n_guarded ? MIN(a->guards_from, page) : page;
	a->guards_to = MAX(a->n_guarded ? a->guards_to : 0, page + PAGE);
	a->guarded[a->n_guarded++] = page;
	return true;
}

static COLD void open(struct agent *a, u32 i)
{
	u64 page = a->guarded[i], last = a->guarded[--a->n_guarded];

	cache_forget(a, page, page + PAGE);
	protect(page, ALL);
	a->guarded[i] = last;
	guard_of(a, last)->guard = i;
}

/* A hit takes as long as some 2^16 cycles, but blocks that compare run at half the speed. So each
 * process may have HITS hits at once, and one more in 2^EARN_SHIFT cycles. A page that is hit more
 * often gets no guard any more, until is_valid() in cache.c finds that it does not change. */
COLD bool guard_hit(struct agent *a, u64 at)
{
	struct page *p = guard_of(a, at);
	u64 now;

	if (!is_guarded(a, at))
		return p->guarded && maps_may_write(at);
	now = __builtin_ia32_rdtsc() >> EARN_SHIFT;
	a->hits = MIN(a->hits + (now - a->hits_at), HITS);
	a->hits_at = now;
	if (a->hits)
		a->hits--;
	else
		p->written = 1;
	open(a, p->guard);
	return true;
}

COLD void guard_open(struct agent *a, u64 from, u64 to)
{
	u32 i;

	for (i = a->n_guarded; i-- > 0;)
		if (a->guarded[i] < to && a->guarded[i] + PAGE > from)
			open(a, i);
}

/* Extend [from, to) to the whole ranges of files in which it begins and ends. */
static void widen(const struct agent *a, u64 *from, u64 *to)
{
	u64 start, end, last = *to - 1;

	if (!maps_made(a, *from) && maps_bounds(a, *from, &start, &end))
		*from = start;
	if (!maps_made(a, last) && maps_bounds(a, last, &start, &end))
		*to = end;
}

COLD bool guard_begin(struct agent_thread *t, u64 from, u64 to)
{
	struct agent *a = t->agent;
	bool file;
	u32 i;

	agent_lock(a);
	file = maps_file(a, from, to);
	if (from < to && (maps_touch(a, from, to - from) || cache_has(a, from, to))) {
		widen(a, &from, &to);
		cache_forget(a, from, to);
		guard_open(a, from, to);
		t->changes = CHANGES;
		for (i = 0; a->n_changes && i < agent_taken(a); i++) {
			struct agent_thread *other = agent_thread_in(a, i);

			if (other && other != t && other->changes && other->change_from < to &&
			    other->change_to > from)
				other->changes = t->changes = MIXED;
		}
		t->change_from = from;
		t->change_to = to;
		a->n_changes++;
	}
	agent_unlock(a);
	return file;
}

/* These count like hits. */
COLD void guard_write(struct agent_thread *t, u64 at, u64 size)
{
	struct agent *a = t->agent;
	u64 from = MAX(at, a->guards_from) & -(u64)PAGE;
	u64 to = MIN(at + MIN(size, 1u << 31), a->guards_to);

	if (from >= to)
		return;
	agent_lock(a);
	for (at = from; at < to; at += PAGE) {
		if (!is_guarded(a, at))
			continue;
		guard_hit(a, at);
		t->change_from = t->changes ? MIN(t->change_from, from) : from;
		t->change_to = MAX(t->changes ? t->change_to : 0, to);
		a->n_changes += !t->changes;
		t->changes = WRITES;
	}
	agent_unlock(a);
}

void guard_end(struct agent_thread *t, bool failed)
{
	struct agent *a = t->agent;

	if (!t->changes)
		return;
	agent_lock(a);
	cache_forget(a, t->change_from, t->change_to);
	if (t->changes == MIXED || (failed && t->changes == CHANGES))
		maps_read(a);
	t->changes = 0;
	a->n_changes--;
	agent_unlock(a);
}

bool guard_changing(const struct agent *a, u64 from, u64 to)
{
	u32 i, n = a->n_changes ? agent_taken(a) : 0;

	for (i = 0; i < n; i++) {
		const struct agent_thread *t = agent_thread_in(a, i);

		if (t && t->changes && t->change_from < to && t->change_to > from)
			return true;
	}
	return false;
}

void guard_forked(struct agent *a)
{
	if (a->n_changes)
		maps_read(a);
	a->n_changes = 0;
}
