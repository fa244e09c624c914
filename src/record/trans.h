/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translated threads: the agent in their process records what they do, and this code converts the
 * records to packets.
 *
 *	trans.c		shared memory, rings, births and deaths
 *	trans_inject.c	puts the agent into a stopped process
 *	trans_attach.c	attaches to the threads of a running process, and detaches
 *	trans_over.c	takes over a process whose pt was killed
 *	trans_filter.c	may a program that limits its system calls stay translated?
 *	trans_signal.c	stops
 *	trans_out.c	takes a stopped thread out of the cache
 *	trans_pack.c	records to packets
 *	trans_code.c	code that the program made, to a file
 */
#ifndef RECORD_TRANS_H
#define RECORD_TRANS_H

#include <sys/auxv.h>

#include <pt/agent.h>
#include <pt/config/SOFT_TRANSLATE_32.h>

#include <pt/inject.h>

#include "soft.h"

/* The signals that stop a process if it has no handler. */
#define STOP_SIGNALS (1ULL << (SIGSTOP - 1) | 1ULL << (SIGTSTP - 1) | \
		      1ULL << (SIGTTIN - 1) | 1ULL << (SIGTTOU - 1))

/* The memory that one program image, with its children by fork(), shares with pt. */
struct image {
	struct image *next;
	struct agent_shared *shared;	/* its address in pt */
	u64 at;				/* its address in the process */
	u64 size;			/* of the mapping in pt */
	u32 users;			/* number of threads */
	u32 slots;			/* how many there can be */
	u64 data;			/* the limit of private memory (RLIMIT_DATA) */
	bool narrow;			/* a 32-bit program */
	bool left;			/* by a pt that was killed: see trans_over.c */
	struct bytes agent;		/* the agent's code */
};

/* The agent's code, which pt maps into every process; and into every 32-bit one. */
struct bytes trans_blob(struct arena *a, bool narrow);

static inline const struct agent_head *trans_head(const struct tracee *t)
{
	return (const void *)t->image->agent.at;
}

/* May programs use WRGSBASE? */
static inline bool trans_has_fsgsbase(void)
{
	return getauxval(AT_HWCAP2) & 2;
}

static inline bool trans_is_narrow(const struct image *image)
{
	return CONFIG_SOFT_TRANSLATE_32 && image->narrow;
}

static inline u64 trans_ring(const struct image *image)
{
	return trans_is_narrow(image) ? AGENT_RING_32 : AGENT_RING;
}

/* The offset of RIP in the agent's code; larger than the code if RIP is elsewhere. */
static inline u64 trans_off(const struct tracee *t)
{
	return tracee_ip(&t->regs) - t->image->shared->blob;
}

/* Start a program translated. 't' is stopped at its start, and is the only thread of its process.
 * Returns 0, or -errno after a message, with nothing changed; -ESRCH: the thread died, and
 * soft_stopped() was called. */
int trans_begin(struct soft *s, struct tracee *t);

/* 't' is a new thread or process of 'parent', which runs translated. */
void trans_birth(struct soft *s, struct tracee *parent, struct tracee *t);
/* 't' is stopped, and its parent is gone. If that ran translated, find the slot of 't'. */
void trans_adopt(struct soft *s, struct tracee *t);

/* The thread or its image has ended: read the rest of its ring. */
void trans_leave(struct soft *s, struct tracee *t);

/* Read the rings: 'all' of them, or only those with many records. True if some ring had many, so
 * that it is worth polling again at once. */
bool trans_poll(struct soft *s, bool all);

/* Read the ring of 't', always if 'all', else if it has many records. True if it had many. */
bool trans_take(struct tracee *t, bool all);

/* trans_code.c: at the TSC s->when, 't' makes the code 'now' at 'ip', which is in no file, except,
 * with 'within', what is in the next page; or it unmaps what is there. The events are in order when
 * trans_code_done() is called with a time before which all were read. */
void trans_code(struct soft *s, const struct tracee *t, u64 ip, struct bytes now, bool within);
void trans_code_unmapped(struct soft *s, const struct tracee *t, u64 ip, u64 len);
void trans_code_done(struct soft *s, u64 tsc);
/* Append a whole file, for which there is no other place. Returns the name of the file of code, and
 * the offset in it; NULL: there is no such file, or no room. */
const char *trans_code_copy(struct soft *s, struct bytes file, u64 *off);
/* The name of what belongs to the recording: OUTPUT.'what'-PID. */
char *trans_beside(const struct soft *s, const char *what);
/* 'r' is the vDSO of its process: if that is a 32-bit one, it is copied, too. */
void trans_code_vdso(struct soft *s, const struct tracee *t, const struct region *r);
/* The known code of [start, end) is still valid after a new record of that map; or the image of 't'
 * has ended. */
void trans_code_again(struct soft *s, const struct tracee *t, u64 start, u64 end);
void trans_code_gone(struct soft *s, const struct tracee *t);

/* trans_files.c: write the map 'r' of 't'; if a reader would not find its file, as a map of a copy.
 * At the end: copy those that have no name any more, and write their maps again, with earlier
 * times. */
void trans_file_map(struct soft *s, const struct tracee *t, const struct region *r);
void trans_files_end(struct soft *s);
bool trans_files_are_held(const struct soft *s);	/* will the end write earlier times? */
/* 't' is a new process, or thread, of 'parent'. */
void trans_code_forked(struct soft *s, const struct tracee *parent, const struct tracee *t);

/* Records that make no packets: see trans_pack.h. */
void trans_side_band(void *who, struct trans_pack *p, const struct agent_slow *slow,
		     const u8 *words);

/* Count the branches, for the result. */
void trans_count(struct soft *s);

/* Fill in the head of the shared memory. */
void trans_prepare(struct soft *s, struct image *image, u64 blob_at);

/* Give the agent the maps of its process, which vm_load() has just read. */
void trans_put_maps(struct soft *s, struct tracee *t);

/* Assign slot 'i' to the thread. */
void trans_take_slot(struct soft *s, struct image *image, u32 i, struct tracee *t);

/* A new image for the process of 't', which is not yet in the list; then add it, or free it after a
 * failure. */
struct image *trans_new_image(struct soft *s, const struct tracee *t);
void trans_add_image(struct soft *s, struct image *image);
void trans_drop_image(struct soft *s, struct image *image);

/* trans_inject.c: map 'image' (whose size is set) and the agent's code into the process of 't',
 * which gets slot 0. Returns 0, or -errno with nothing changed; -ESRCH: the thread died, and
 * soft_stopped() was called. */
int trans_inject(struct soft *s, struct tracee *t, struct image *image);

/* Where it writes code for a moment, and where no code of the program is; 0: there is no such
 * place. */
u64 trans_spare_place(const struct vm *vm);

/* The address of the agent's code in a 32-bit program. */
#define TRANS_BLOB_AT_32 0x7e000000ull

/* Where the code of an agent is in the process with this memory; 0: there is none. */
u64 trans_agent_at(int mem);

/* Suspend the filters that forbid what pt does in the thread, or have them in force again. The
 * kernel lets only root do that. False if they are in force. */
bool trans_suspend(const struct tracee *t, bool on);

/* Unmap both; t->regs are the program's. */
void trans_unmap(struct soft *s, struct tracee *t);

/* Send signals again that came while the thread ran our code: bit n is signal n + 1. */
void trans_send_again(const struct tracee *t, u64 signals);

/* trans_out.c: set t->regs of the stopped thread to the program's registers, with which it can
 * continue in its own code. -EBUSY: it is in the agent's code; -ESRCH: it died, and soft_stopped()
 * was called. */
int trans_locate(struct soft *s, struct tracee *t);

/* Run the stopped thread from offset 'from' of the agent's code to the trap; t->regs are its
 * registers there. All signals are blocked: slot->mask has the old mask, and slot->deferred is
 * set. */
int trans_run(struct soft *s, struct tracee *t, u32 from);

/* Run it to the system call that ends at 'at', which is not made; -ESRCH as above. Signals that
 * come in spite of its mask are sent again. */
int trans_run_to(struct soft *s, struct tracee *t, u64 at);

/* Give the stopped thread its registers t->regs, which are the program's, and unblock its signals:
 * it has left the agent. */
void trans_commit(struct tracee *t);

/* Copy t->regs to the slot; and set t->regs to continue in the agent's code: without changing other
 * registers, at 'off'; or on its stack. */
void trans_put_regs(struct tracee *t);
void trans_go(struct tracee *t, u32 off);
void trans_enter(struct tracee *t, u32 from);

/* Request that the thread gives itself to pt: resume it with PTRACE_SYSCALL until trans_given(). */
void trans_ask(struct tracee *t);

/* It is stopped at a system call: did it give itself to pt there? Then trans_locate() works. */
bool trans_given(struct tracee *t);

/* trans_signal.c: the thread stopped for a signal, or at a system call. */
void trans_signal(struct soft *s, struct tracee *t, int signal);
void trans_call(struct soft *s, struct tracee *t);
/* Continue it in the cache, or to the place where it gives itself to pt. */
void trans_resume(struct soft *s, struct tracee *t, int signal);

/* Send the signal t->deadly again, if there is one. */
void trans_send_deadly(const struct tracee *t);

/* The registers that select code and data become the program's. */
void trans_leave_agent(struct tracee *t);

/* Does the process of this thread still run in the cache of a pt that was killed? */
enum vm_left trans_was_here(i32 tid);

/* trans_over.c: why it cannot be taken over, or NULL. */
const char *trans_look_left(struct soft *s, i32 tid, enum vm_left left);

/* Is a SIGSEGV pending that is not blocked? Perhaps only the agent's handler understands it. */
bool trans_segv_is_due(const struct tracee *t);

/* Is the stopped thread in code of pt where its place in the program is not known? It leaves this
 * code soon. */
bool trans_is_between(struct tracee *t);

/* All threads of the address space are stopped: give them an image, so that they can leave the
 * cache. 0; -ENOENT: no thread uses what the pt has left; or -errno. */
int trans_take_over(struct soft *s, struct vm *vm);

/* Where image->left: is the stopped thread in the agent or the cache, in a handler of the program
 * that has interrupted these, or in the program's own code? */
enum trans_where { WHERE_IN, WHERE_ABOVE, WHERE_OUT };
enum trans_where trans_where(const struct tracee *t);
/* ... the last: t->regs are the program's. */
void trans_note_out(struct tracee *t);

/* Where image->left: read t->slot, or write it. The thread is stopped. */
void trans_fetch(struct tracee *t);
void trans_store(struct tracee *t);

/* trans_birth() there; and before agent_head.close in 't'. */
void trans_over_birth(struct soft *s, const struct tracee *parent, struct tracee *t);
void trans_ask_close(struct tracee *t);

/* trans_attach.c: the next living thread of the address space after 't'; the first one if that is
 * NULL. */
struct tracee *trans_next(const struct soft *s, const struct vm *vm, struct tracee *t);

/* The thread is stopped, and stays stopped until all threads of its address space
 * are; then they continue translated, or, when the recording ends, untraced. */
void trans_hold(struct soft *s, struct tracee *t);
/* One of the threads has ended: the others may now be complete. */
void trans_settle(struct soft *s, struct vm *vm);

/* Say that it is not translated, and why. */
void trans_say_steps(struct soft *s, const struct tracee *t, enum agent_refusal why);

/* trans_filter.c: the thread is about to install a filter of system calls. May it go on translated?
 * 0, or FILTER_FITS and: after exec, the agent's memory cannot be made by memfd_create(), or not at
 * all; the filter is for all threads. The other bits are those of agent_thread.limits. */
enum { FILTER_FITS = 1 << 1, FILTER_NO_MEMFD = 1 << 3, FILTER_NO_INJECT = 1 << 4,
       FILTER_ALL = 1 << 6 };
u64 trans_filter(const struct tracee *t);
/* The same for all filters that are in force when pt attaches. Only root may look at them. */
u64 trans_filters(const struct tracee *t);

/* Its agent may have requested single steps: then all threads leave the cache. */
void trans_look_refused(struct soft *s, struct tracee *t);

/* Handle a stop of a translated thread while all threads leave the cache. */
void trans_ending(struct soft *s, struct tracee *t, int event, int signal);

/* The thread is dead but its memory still exists: make its last records readable. */
void trans_publish_last(struct tracee *t);

#endif
