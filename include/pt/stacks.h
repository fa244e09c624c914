/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hand all call stacks from one process of -j to another that has read the same records.
 */
#ifndef PT_STACKS_H
#define PT_STACKS_H

#include <pt/calls.h>
#include <pt/session.h>

/* Write all stacks to 'to', which has 'size' bytes. Returns the number of entries, or ~0 if there
 * is not enough room or a thread cannot be identified. */
u32 stacks_put(struct session *s, void *to, size_t size);

/* Replace all stacks by these 'n' entries. They are for threads that existed after 'forks'
 * forks. */
void stacks_take(struct session *s, const void *from, u32 n, u32 forks);

#endif
