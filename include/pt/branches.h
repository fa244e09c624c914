/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The last branches of a thread, as a processor's LBR has them.
 */
#ifndef PT_BRANCHES_H
#define PT_BRANCHES_H

#include <pt/base.h>

enum { BRANCH_SIZE = 24, BRANCH_STACK_MAX = 1024 };

struct branches {
	u32 size, n, at;	/* room; number; place of the next one */
	u64 (*ring)[3];		/* from, to, and the flags of struct perf_branch_entry */
};

/* With the FLAG_* of a branch: it counts as mispredicted. Usually that is not known. */
enum { BRANCH_MISPREDICTED = 1 << 30 };

/* Add a branch with FLAG_* 'flags'; the ring has 'size' at most. */
void branches_add(struct arena *arena, struct branches *b, u32 size, u64 from, u64 to, u32 flags);

/* A branch of thread 't', which may be NULL, in 'queue'. */
struct thread;
struct queue;
void branches_follow(struct arena *arena, struct thread *t, const struct queue *queue, u32 size,
		     u64 from, u64 to, u32 flags);

/* Write up to 'most' branches of a thread, or NULL, to 'to', in the format of perf.data, the newest
 * first. */
struct bytes branches_of(const struct thread *t, i32 cpu, u32 most, u8 *to);

/* The same for a recorded sample at 'ip'. The trace is already later than the sample: branches
 * after it are left out, as far as they can be known. */
struct bytes branches_of_late(const struct thread *t, i32 cpu, u64 ip, u32 most, u8 *to);

#endif
