/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call chains of samples that have a copy of the user's stack (--call-graph dwarf).
 */
#ifndef PT_UNWOUND_H
#define PT_UNWOUND_H

#include <pt/session.h>

/* The longest chain in each of the two parts, of the kernel and of user space. */
enum { UNWOUND_USUAL = 127, UNWOUND_MAX = 512 };

struct unwound { u64 chain[2 * UNWOUND_MAX + 1]; };

/* Make '*to' a copy of the sample 'from' with such a chain, of at most 'n' places in each part,
 * which is valid until the next call. False if it has no copy of the stack. */
bool unwound(struct unwound *u, struct session *s, struct thread *t,
	     const struct perf_sample *from, u32 n, struct perf_sample *to);

#endif
