/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the soft recorder: who is traced, and in which state.
 *
 *	record_soft.c	starts and ends, writes what was emitted
 *	soft_follow.c	stops of threads: system calls, signals, births, deaths
 *	soft_path.c	what a stopped thread does next: computed, or planned and run
 *	soft_memory.c	its memory, as exec.c sees it
 *	soft_maps.c	its address space: what is code, what is shared, side-band
 *	emit.c		events to packets
 */
#ifndef RECORD_SOFT_H
#define RECORD_SOFT_H

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>

#include <pt/exec.h>
#include <pt/record.h>
#include <pt/tracee.h>

#include "emit.h"
#include "trans_pack.h"

struct soft;
struct thread;

/* A stretch of addresses that matters. */
struct region {
	u64 start, end, pgoff, ino;
	u32 maj, min, prot, flags;	/* flags: as MMAP2 has them */
	const char *name;
};

/* An address space. */
struct vm {
	struct vm *next;	/* free ones */
	u32 id;
	u32 users;		/* threads */
	int mem;		/* /proc/PID/mem, or -1 */
	i32 pid;		/* a thread that has it */
	u32 gen, maps, code;	/* kept for struct exec while another is in it */
	bool stepped;		/* it cannot be translated */
	bool settling;		/* all its threads are on the way into the cache, or out */
	bool odd;		/* memory that cannot be read behind its back: no computing */
	struct thread *running;	/* the one that runs by itself, if one does */
	struct region *regions;	/* code, and whatever is shared; sorted */
	u32 n_regions, room_regions;
};

enum thread_state {
	THREAD_NEW,		/* its first stop has not come, or nobody said yet what it is */
	THREAD_READY,		/* stopped; may be run on */
	THREAD_NATIVE,		/* runs to its breakpoint */
	THREAD_STEP,		/* does one instruction */
	THREAD_ENTER,		/* about to enter a system call */
	THREAD_CALL,		/* in a system call */
	THREAD_AGAIN,		/* out of a call that a signal interrupted; the kernel decides */
	THREAD_SIGNAL,		/* on the way to a signal's handler */
	THREAD_STOPPED,		/* by a stopping signal, until it is continued */
	THREAD_FREE,		/* not traced: before its exec, or detached */
	THREAD_CACHE,		/* runs translated: see trans.h */
	THREAD_GIVING,		/* ... and is about to come out */
	THREAD_HELD,		/* until the others of its address space are */
};

enum { PATH_MAX_INSNS = 64 };

struct thread {
	struct thread *next;	/* in its hash chain, or among the free */
	struct thread *ready_next;
	i32 tid, pid;
	struct vm *vm;
	u8 state;
	bool ready;		/* in the queue */
	bool stopped_once;	/* NEW: the stop came first */
	bool known;		/* NEW: the birth came first */
	u32 idx;		/* of its queue in the file */
	struct tracee_regs regs;
	bool have_regs, set_regs;
	u8 call;		/* enum tracee_call, and its arguments */
	u64 args[6];
	u64 call_ip;		/* where it was made */
	u64 called;		/* TSC then */
	bool broken;		/* a breakpoint is in place */
	u64 stop_at;		/* where */
	u8 stop_byte;
	u32 stretch;		/* instructions up to there */
	u64 from;		/* where the stretch began, and what is there */
	struct exec_line line;
	bool trapping;		/* the program has the trap flag on */
	u32 side_band;		/* soft.side_band when its trace last said the time */
	u64 blocked;		/* signals: its mask, if SIGTRAP is in it */
	bool opened;		/* ... which was taken out while it runs */
	cpu_set_t cpus;		/* its own wish */
	struct emit emit;

	/* Translated: */
	struct image *image;
	struct agent_thread *slot;
	u64 tail;		/* its ring was read up to here */
	struct trans_pack pack;
	bool quiet;		/* nothing of it goes to the file */
	bool filtered;		/* it, or one that made it, limits its system calls */
	bool vforked;		/* it has its parent's memory, which waits for it */
	bool given;		/* it gave itself up: the program's registers are in its slot */
	bool out;		/* its registers are the program's: it runs its own code */
	siginfo_t deadly;	/* the signal that it is to get then, if any */
};

enum { THREAD_HASH = 1024 };
enum { SOFT_PT_ID = 1, SOFT_SIDE_BAND_ID };	/* of the two events in the file */

struct soft {
	struct record *r;
	struct emit_clock clock;
	struct perf_pt_info info;
	struct exec *x;
	struct vm *in;		/* whose memory x has */
	struct thread *hash[THREAD_HASH], *free_threads;
	struct thread *first_ready, **last_ready;
	struct thread *last;	/* the one whose time passes, or NULL */
	struct vm *free_vms;
	u32 n_threads, n_idx;
	u32 side_band;		/* counts what the file was told */
	int cpu;		/* all run here, or -1 */
	cpu_set_t cpus;		/* where they may run otherwise */
	i32 child;		/* the command's process, or 0 */
	bool began;		/* --for counts */
	bool ending;
	bool said_traced;
	u32 epoch;		/* the last of all gen, maps and code given out */
	struct name *names[256];
	char *text;		/* room for a file of /proc */
	size_t text_size;
	struct region *fresh;	/* ... and for what it says */
	u32 room_fresh;
	u64 steps, stops;
	u64 stretched;		/* instructions that were done between two stops */

	/* Translated threads: */
	struct image *images, *free_images;
	struct code_file *code;	/* trans_code.c; NULL: nothing was told */
	struct robust_list_head owners;
	u8 *pack_buf;
	u64 told_bits, told_tips;	/* by threads that ended */
	u64 when;		/* TSC of what the side-band is told of, or 0: now */
};

/* record_soft.c */
extern const long soft_options;		/* of ptrace */
void soft_put_trace(void *who, struct emit *e);
u64 soft_now(const struct soft *s);
/* perf's time of 'tsc'. */
u64 soft_time(const struct soft *s, u64 tsc);

/* soft_follow.c */
struct thread *thread_find(struct soft *s, i32 tid);
struct thread *thread_add(struct soft *s, i32 tid);
/* The next one that may run, taken from the queue; NULL if all have to wait. */
struct thread *thread_next(struct soft *s);
/* Let it run: 'request' is PTRACE_CONT, _SYSCALL or _SINGLESTEP. */
void thread_resume(struct soft *s, struct thread *t, int request, int signal,
		   enum thread_state state);
/* All run on the recorder's CPU; except when the program asks, or is let go. */
void thread_pin(struct soft *s, struct thread *t, bool pin);
/* What waitpid() said. */
void soft_stopped(struct soft *s, i32 tid, int status);
/* Let go of a stopped thread that has the program's registers: now it is not traced any more. */
void soft_let_go(struct soft *s, struct thread *t, int signal);
/* The recorder has all it needs of a thread that runs stepped, or translated: on with it. */
void soft_go_on(struct soft *s, struct thread *t);
/* It wanted to trace another, or to be traced: say once that this fails. */
void soft_say_traced(struct soft *s, const struct thread *t);
/* The signals that it has handlers for. */
u64 soft_caught(const struct thread *t);
/* How many seccomp filters it has. */
u64 soft_filters(i32 tid);
/* A call that fails only because the thread was stopped is made again: t->regs are changed. */
void soft_make_again(struct thread *t);
/* A stop for another reason than a signal. */
void soft_event(struct soft *s, struct thread *t, int event, int signal);
/* What a signal will do. */
enum disposition { CAUGHT, IGNORED, DEFAULT };
enum disposition soft_disposition(const struct thread *t, int signal);
/* End the tracing of all; those that run are asked to stop first, so there is
 * more for soft_stopped() to do. */
void soft_detach(struct soft *s);

/* soft_path.c */
void path_run(struct soft *s, struct thread *t);
/* One instruction by the processor, if the 'signal' that comes in front of it,
 * or one that waits, lets it. */
void path_step(struct soft *s, struct thread *t, int signal);
/* It did the one instruction. */
void path_stepped(struct soft *s, struct thread *t);
void path_unbreak(struct thread *t);
/* What exec.ptwrite is. */
bool path_ptwrite(void *who, const struct uop *u, u64 value);

/* soft_memory.c */
void memory_open(struct soft *s);
/* From here on x shows the memory of 't', which is stopped. */
void memory_enter(struct soft *s, const struct thread *t);
/* Others may have changed it: nothing that was read still holds. */
void memory_changed(struct soft *s, struct vm *vm);
bool memory_read(struct vm *vm, u64 at, void *to, size_t n);

/* soft_maps.c */
struct vm *vm_new(struct soft *s, i32 pid);
struct vm *vm_copy(struct soft *s, const struct vm *of, i32 pid);
void vm_drop(struct soft *s, struct vm *vm);
/* Read /proc/PID/maps anew; code that is new goes to the file. */
void vm_load(struct soft *s, struct vm *vm, const struct thread *t);
void vm_call(struct soft *s, struct thread *t, i64 result);
const struct region *vm_region(const struct vm *vm, u64 at);
void soft_tell_map(struct soft *s, const struct thread *t, const struct region *r);
void soft_tell_comm(struct soft *s, const struct thread *t, bool exec);
void soft_tell_task(struct soft *s, u32 type, const struct thread *t, i32 ppid, i32 ptid);

#endif
