/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All call stacks, from one process to another that has read the same records.
 */
#ifndef PT_STACKS_H
#define PT_STACKS_H

#include <pt/calls.h>
#include <pt/session.h>

/* To 'to', of 'size' bytes. Returns how many entries there are; ~0: it cannot be done. */
u32 stacks_put(struct session *s, void *to, size_t size);

/* Take these 'n' instead of what is known, of threads that there were after so many forks. */
void stacks_take(struct session *s, const void *from, u32 n, u32 forks);

#endif
