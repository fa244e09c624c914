/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sample with a copy of the stack: its call chain is the recorded one, which has the functions of
 * the kernel, followed by the one that is made of the copy.
 */
#include <pt/unwind.h>
#include <pt/unwound.h>

bool unwound(struct unwound *u, struct session *s, struct thread *t,
	     const struct perf_sample *from, u32 n, struct perf_sample *to)
{
	enum { ABI_64 = 2, USER = -512, MARK = -4095 };	/* PERF_CONTEXT_USER, _MAX */
	struct unwind_state state = { from->regs_user, from->stack_user,
				      from->event->attr.regs_user };
	struct bytes kernel = from->callchain;
	u32 i = 0, left = MIN(n, (u32)UNWOUND_MAX), most = left;

	if (!t || !t->space || !from->stack_user.len || from->abi_user != ABI_64)
		return false;
	for (; left && i < UNWOUND_MAX && kernel.len >= 8; i++) {
		u->chain[i] = bytes_take64(&kernel);
		left -= u->chain[i] < (u64)MARK;
	}
	u->chain[i++] = USER;
	i += unwind(&s->images, t->space, &state, u->chain + i, most);
	*to = *from;
	to->callchain = (struct bytes){ (const u8 *)u->chain, 8 * (size_t)i };
	return true;
}
