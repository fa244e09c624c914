/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that run translated: the agent in their process records what they do, and here that
 * becomes packets.
 *
 *	trans.c		shared memory, what lies in the rings, births and deaths
 *	trans_inject.c	puts the agent into a stopped process
 *	trans_pack.c	records to packets
 */
#ifndef RECORD_TRANS_H
#define RECORD_TRANS_H

#include <pt/agent.h>

#include "soft.h"

/* The memory that one program image, and what it forked, shares with pt. */
struct image {
	struct image *next;
	struct agent_shared *shared;	/* where it is here */
	u64 at;				/* and there */
	u64 size;			/* of the mapping here */
	u32 users;			/* threads */
};

/* The agent's code, which every process gets. */
struct bytes trans_blob(void);

/* The stopped thread, the only one of its process, is about to begin a program: let it begin
 * there translated. False, with nothing changed, if that cannot be; the reason was said. */
bool trans_begin(struct soft *s, struct thread *t);

/* 't' is a thread or a process that 'parent', which runs translated, made. */
void trans_birth(struct soft *s, struct thread *parent, struct thread *t);

/* Its image is gone, or it is: take what is left in its ring. */
void trans_leave(struct soft *s, struct thread *t);

/* Take what lies in the rings; all of it, or where there is much. True if some ring was filling
 * up, so that it is worth looking again at once. */
bool trans_poll(struct soft *s, bool all);

/* Fill in the shared memory's head. */
void trans_prepare(struct soft *s, struct image *image, u64 blob_at);

/* Slot 'i' is the thread's from now on. */
void trans_take_slot(struct soft *s, struct image *image, u32 i, struct thread *t);

/* trans_inject.c: map 'image' (whose size is set) and the agent's code into the process of 't', and
 * make 't' begin there. -errno: it cannot be, and nothing is changed; -ESRCH: it died, which
 * was told by soft_stopped(). */
int trans_inject(struct soft *s, struct thread *t, struct image *image);

#endif
