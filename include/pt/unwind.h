/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recorded stacks (--call-graph dwarf) to call chains.
 */
#ifndef PT_UNWIND_H
#define PT_UNWIND_H

#include <pt/image.h>

/* What was recorded of a 64-bit thread: the registers that are in 'mask', a bit for each by the
 * kernel's numbers, as u64 each; and a copy of its stack from the stack pointer on. */
struct unwind_state {
	struct bytes registers, stack;
	u64 mask;
};

/* Write the addresses of its frames to 'to', at most 'n', the innermost first. All but that and
 * those that a signal interrupted are in the call instruction, one less than where it returns to.
 * Returns their number; 0: the registers were not recorded. */
u32 unwind(struct images *im, struct space *space, const struct unwind_state *from, u64 *to,
	   u32 n);

#endif
