/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code that a block is translated from: the program's, or a copy of it while it may change.
 */
#include "own.h"

enum { UNSURE_CODE = 256 };	/* more than the bytes of an unsure block */

struct bytes origin_fetch(void *who, u64 ip)
{
	const struct origin *s = who;
	struct bytes code;

	if (s->copy)
		return ip - s->ip < s->len ?
			(struct bytes){ s->copy + (ip - s->ip), s->len - (ip - s->ip) } :
			(struct bytes){ 0 };
	if (ip - s->page >= PAGE && (s->may_change || ip - s->from >= s->to - s->from ||
				     guard_changing(s->a, ip, ip + INSN_MAX)))
		return (struct bytes){ 0 };
	code = (struct bytes){ (const u8 *)ip, s->to - ip };
	if (ip < s->from || ip >= s->to || code.len < 2 * INSN_MAX)
		code = maps_code(s->a, ip);
	return s->may_change ? bytes_first(code, s->page + PAGE_CODE - ip) : code;
}

bool origin_open(struct origin *s, struct agent *a, u64 ip, u8 *copy)
{
	u64 page = ip & ~(u64)(PAGE - 1);

	*s = (struct origin){ .a = a, .ip = ip, .page = page };
	if (!maps_code(a, ip).len || !maps_bounds(a, ip, &s->from, &s->to))
		return false;
	s->may_change = maps_made(a, ip);
	if (!guard_changing(a, page, page + PAGE_CODE))
		return true;
	s->may_change = true;
	s->copy = copy;
	s->len = sys_peek(copy, ip, page + PAGE_CODE - ip);
	return s->len;
}

/* The kernel has written INT3 over an instruction (uprobes). It would know it there, but not in the
 * cache, where it would end the program. So what the file has there is translated, and such probes
 * do not fire. If the program handles SIGTRAP, and has changed the rights of the page, the INT3 is
 * its own. */
COLD bool origin_of_file(struct origin *s, u8 *copy)
{
	enum { TRAP = 5, INT3 = 0xcc };
	const u8 *now = (const u8 *)s->ip;
	struct page *p = guard_of(s->a, s->ip);
	bool differs = false;
	i64 n, i;

	if (p->no_file || maps_writable(s->a, s->ip) ||
	    (s->a->actions[TRAP].handler > 1 && p->rights))
		return false;
	n = maps_original(copy, s->ip, MIN(s->to - s->ip, UNSURE_CODE));
	for (i = 0; i < n && (now[i] == copy[i] || now[i] == INT3); i++)
		differs |= now[i] != copy[i];
	if (n == MAPS_UPROBES) {	/* to the kernel this is the end of a function */
		s->a->now->no_room = AGENT_ODD;
		differs = true;
	}
	p->no_file = n <= 0 && !differs;
	s->len = i;
	s->copy = differs ? copy : NULL;
	return differs;
}

COLD void origin_copy(struct origin *s, u8 *copy)
{
	struct bytes code = origin_fetch(s, s->ip);

	s->len = MIN(code.len, UNSURE_CODE);
	s->copy = memcpy(copy, code.at, s->len);
}
