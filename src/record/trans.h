/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that run translated: the agent in their process records what they do, and here that
 * becomes packets.
 *
 *	trans.c		shared memory, what lies in the rings, births and deaths
 *	trans_inject.c	puts the agent into a stopped process
 *	trans_attach.c	the threads of a process that runs already, in and out
 *	trans_signal.c	stops
 *	trans_out.c	takes a stopped thread out of the cache
 *	trans_pack.c	records to packets
 *	trans_code.c	code that the program made, to a file
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
	const struct agent_head *head;
};

/* The agent's code, which every process gets: soft.agent. */
struct bytes trans_blob(struct arena *a);

static inline const struct agent_head *trans_head(const struct thread *t)
{
	return t->image->head;
}

/* The stopped thread, the only one of its process, is about to begin a program: let it begin
 * there translated. Or -errno, with nothing changed, if that cannot be; the reason was said.
 * -ESRCH: it died, as soft_stopped() knows. */
int trans_begin(struct soft *s, struct thread *t);

/* 't' is a thread or a process that 'parent', which runs translated, made. */
void trans_birth(struct soft *s, struct thread *parent, struct thread *t);

/* Its image is gone, or it is: take what is left in its ring. */
void trans_leave(struct soft *s, struct thread *t);

/* Take what lies in the rings; all of it, or where there is much. True if some ring was filling
 * up, so that it is worth looking again at once. */
bool trans_poll(struct soft *s, bool all);

/* Take what is in its ring; all of it, or if it is much. True if it was much. */
bool trans_take(struct thread *t, bool all);

/* trans_code.c: 't' is about to run 'now' at 'ip', which is in no file. What was told of
 * [start, end) holds still, though the map there was told anew. The image of 't' is gone. */
void trans_code(struct soft *s, const struct thread *t, u64 ip, struct bytes now);
void trans_code_again(struct soft *s, const struct thread *t, u64 start, u64 end);
void trans_code_gone(struct soft *s, const struct thread *t);

/* How long it all would have taken, into the result. */
void trans_estimate(struct soft *s);

/* Fill in the shared memory's head. */
void trans_prepare(struct soft *s, struct image *image, u64 blob_at);

/* Slot 'i' is the thread's from now on. */
void trans_take_slot(struct soft *s, struct image *image, u32 i, struct thread *t);

/* An image that is not in the list yet; it goes there, or 'err' kept it from that. */
struct image *trans_new_image(struct soft *s);
void trans_add_image(struct soft *s, struct image *image);
void trans_drop_image(struct soft *s, struct thread *t, struct image *image, int err);

/* trans_inject.c: map 'image' (whose size is set) and the agent's code into the process of 't',
 * which gets slot 0. -errno: it cannot be, and nothing is changed; -ESRCH: it died, which
 * was told by soft_stopped(). */
int trans_inject(struct soft *s, struct thread *t, struct image *image);

/* Does it still run in the cache, though the pt that began that was killed? */
bool trans_was_here(i32 pid);

/* The opposite; t->regs are the program's. */
void trans_unmap(struct soft *s, struct thread *t);

/* Signals that came while the thread ran code of ours: bit n is signal n + 1. */
void trans_send_again(const struct thread *t, u64 signals);

/* trans_out.c: the stopped thread's t->regs become those of the program: it may go on in its own
 * code. -EBUSY: it is in the agent's code; -ESRCH: it died, which soft_stopped() knows. */
int trans_locate(struct soft *s, struct thread *t);

/* Run the stopped thread from offset 'from' of the agent's code to the trap; t->regs are its
 * registers there. All signals are blocked: slot->mask says how it was, slot->deferred is set. */
int trans_run(struct soft *s, struct thread *t, u32 from);

/* Run it on to the system call that ends at 'at', which is not made; -ESRCH as above. Signals that
 * come in spite of its mask are sent again. */
int trans_run_to(struct soft *s, struct thread *t, u64 at);

/* t->regs, which are the program's, become those of the stopped thread, and its signals come: it
 * has left the agent. */
void trans_commit(struct thread *t);

/* t->regs to the slot; and t->regs to go on in the agent's code. */
void trans_put_regs(struct thread *t);
void trans_enter(struct thread *t, u32 from);

/* It is to give itself up: resume it by PTRACE_SYSCALL, until trans_given(). */
void trans_ask(struct thread *t);

/* It stands at a system call: did it give itself up there? Then trans_locate() knows where. */
bool trans_given(struct thread *t);

/* trans_signal.c: the thread stopped for a signal, or at a system call. */
void trans_signal(struct soft *s, struct thread *t, int signal);
void trans_call(struct soft *s, struct thread *t);

/* trans_attach.c: the thread is stopped, and stays so until all of its address space are; then they
 * go on translated, or, when the recording ends, untraced. */
void trans_hold(struct soft *s, struct thread *t);
/* One of the threads is gone: do the others still wait? */
void trans_settle(struct soft *s, struct vm *vm);

/* Its agent may want it to be stepped: all threads come out for that. */
void trans_look_refused(struct soft *s, struct thread *t);

/* A stop of a translated thread while all come out. */
void trans_ending(struct soft *s, struct thread *t, int event, int signal);

/* It is dead, all but its memory: what it wrote to its ring last may be read. */
void trans_publish_last(struct thread *t);

#endif
