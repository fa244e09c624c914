/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pages that code was translated from and that the program may write to.
 *
 * Such a page is made read-only. At a write fault its blocks are dropped, and the page becomes
 * writable until code there is executed again. A page that is written to very often stays writable,
 * and its blocks are compared with the code each time they are entered. So are those in shared
 * memory, which may be written to elsewhere.
 */
#include "own.h"

enum { NR_MPROTECT = 10, READ_EXEC = 5, ALL = 7, OFTEN = 8 };
enum { STACK_BELOW = 64 << 20, STACK_ABOVE = 1 << 20 };

static u32 find(const struct agent *a, u64 page)
{
	u32 i;

	for (i = 0; i < a->n_guarded && a->guarded[i] != page; i++)
		;
	return i;
}

/* A page of the stack must stay writable: the kernel writes signal frames there, and would not
 * handle a fault. */
static bool on_stack(const struct agent *a, u64 ip)
{
	return ip - (a->stack - STACK_BELOW) < STACK_BELOW + STACK_ABOVE;
}

bool guard_page(struct agent *a, u64 ip)
{
	u64 page = ip & ~(u64)(PAGE - 1);

	if (find(a, page) < a->n_guarded)
		return true;
	if (on_stack(a, ip) || maps_shared(a, ip) || !signals_own_segv(a))
		return false;
	if (a->n_guarded == N_GUARDED || a->writes[page / PAGE % N_PAGES] >= OFTEN)
		return false;
	if (sys_call(NR_MPROTECT, page, PAGE, READ_EXEC, 0, 0, 0))
		return false;
	a->guarded[a->n_guarded++] = page;
	return true;
}

static void open(struct agent *a, u32 i)
{
	u64 page = a->guarded[i];

	sys_call(NR_MPROTECT, page, PAGE, ALL, 0, 0, 0);
	cache_forget(a, page, page + PAGE);
	a->guarded[i] = a->guarded[--a->n_guarded];
}

/* Another thread may have made it writable in the meantime. */
bool guard_hit(struct agent *a, u64 at)
{
	u64 page = at & ~(u64)(PAGE - 1);
	u32 i = find(a, page);

	if (i < a->n_guarded) {
		if (a->writes[page / PAGE % N_PAGES] < OFTEN)
			a->writes[page / PAGE % N_PAGES]++;
		open(a, i);
		return true;
	}
	return maps_writable(a, at) && a->writes[page / PAGE % N_PAGES];
}

bool guard_open_all(struct agent *a)
{
	bool any = a->n_guarded;

	while (a->n_guarded)
		open(a, a->n_guarded - 1);
	return any;
}

/* The program changed the rights of [from, to), or unmapped it. */
void guard_drop(struct agent *a, u64 from, u64 to)
{
	u32 i;

	for (i = a->n_guarded; i-- > 0;)
		if (a->guarded[i] < to && a->guarded[i] + PAGE > from)
			a->guarded[i] = a->guarded[--a->n_guarded];
}
