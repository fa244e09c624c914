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

COLD void origin_copy(struct origin *s, u8 *copy)
{
	struct bytes code = origin_fetch(s, s->ip);

	s->len = MIN(code.len, UNSURE_CODE);
	s->copy = memcpy(copy, code.at, s->len);
}
