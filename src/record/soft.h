/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the soft recorder: who is traced, and in which state.
 *
 *	record_soft.c	starts and ends, writes what was emitted
 *	soft_follow.c	stops of threads: system calls, signals, births, deaths
 *	soft_step.c	one instruction after the other, as records
 *	soft_maps.c	its address space: what is code, side-band
 *	trans_pack.c	records to packets
 */
#ifndef RECORD_SOFT_H
#define RECORD_SOFT_H

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>

#include <pt/record.h>
#include <pt/tracee.h>

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
	bool stepped;		/* it cannot be translated */
	bool settling;		/* all its threads are on the way into the cache, or out */
	struct region *regions;	/* code; sorted */
	u32 n_regions, room_regions;
};

enum thread_state {
	THREAD_NEW,		/* its first stop has not come, or nobody said yet what it is */
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

/* A thread that goes by single steps. */
struct step_state {
	u8 *records;		/* as in a ring; 'n' bytes that are no packets yet */
	u32 n;
	bool on;		/* tracing is, as far as the records say */
	bool trapping;		/* the program has the trap flag on */
	u64 stamped;		/* TSC of the last record that has one */
	u64 from;		/* the next instruction, or the one that is being done */
	struct insn insn;	/* it */
	enum insn_mode mode;
	u8 code[INSN_MAX];
	u64 calls[AGENT_CALLS];	/* that returns are compared with: a ring */
	u32 top, depth;
};

struct thread {
	struct thread *next;	/* in its hash chain, or among the free */
	i32 tid, pid;
	struct vm *vm;
	u8 state;
	bool stopped_once;	/* NEW: the stop came first */
	bool known;		/* NEW: the birth came first */
	u32 idx;		/* of its queue in the file */
	struct tracee_regs regs;
	bool have_regs, set_regs;
	u8 call;		/* enum tracee_call, and its arguments */
	u64 args[6];
	u64 call_ip;		/* where it was made */
	u64 blocked;		/* signals: its mask, if SIGTRAP is in it */
	bool opened;		/* ... which was taken out while it runs */
	cpu_set_t cpus;		/* its own wish */
	struct trans_pack pack;	/* its packets */
	struct step_state *step;

	/* Translated: */
	struct image *image;
	struct agent_thread *slot;
	u64 tail;		/* its ring was read up to here */
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
	struct pack_clock clock;
	struct perf_pt_info info;
	struct thread *hash[THREAD_HASH], *free_threads;
	struct vm *free_vms;
	u32 n_threads, n_idx;
	int cpu;		/* all run here, or -1 */
	cpu_set_t cpus;		/* where they may run otherwise */
	i32 child;		/* the command's process, or 0 */
	bool began;		/* --for counts */
	bool ending;
	bool said_traced;
	struct name *names[256];
	char *text;		/* room for a file of /proc */
	size_t text_size;
	struct region *fresh;	/* ... and for what it says */
	u32 room_fresh;
	u64 steps;
	u8 *pack_buf;

	/* Translated threads: */
	struct image *images, *free_images;
	struct bytes agent;	/* its code */
	struct code_file *code;	/* trans_code.c; NULL: nothing was told */
	struct robust_list_head owners;
	u64 told_bits, told_tips;	/* by threads that ended */
	u64 when;		/* TSC of what the side-band is told of, or 0: now */
};

/* record_soft.c */
extern const long soft_options;		/* of ptrace */
/* A stream of packets for a thread. */
void trans_pack_open(struct soft *s, struct thread *t);
/* Threads that are stepped run where the recorder does. */
void soft_choose_cpu(struct soft *s);
u64 soft_now(const struct soft *s);
/* Ticks of the TSC in a microsecond. */
static inline u64 soft_us(const struct soft *s)
{
	return (u64)s->info.max_nonturbo * 100;
}

/* perf's time of 'tsc'. */
u64 soft_time(const struct soft *s, u64 tsc);

/* soft_follow.c */
struct thread *thread_find(struct soft *s, i32 tid);
struct thread *thread_add(struct soft *s, i32 tid);
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

/* soft_step.c: the thread is stopped, t->regs are its registers. */
/* Do the next instruction, or enter the system call that is next. */
void step_next(struct soft *s, struct thread *t);
/* The same, if the 'signal' that comes before it, or one that waits, lets it. */
void step_into(struct soft *s, struct thread *t, int signal);
/* It did the one instruction. */
void step_done(struct soft *s, struct thread *t);
/* That took all flags from the stack. */
bool step_pops_flags(const struct thread *t);
/* Tell that the thread runs its own code at 'ip', is about to leave it for the kernel, or is
 * interrupted before the instruction at 'ip'; and what the time is. */
void step_on(struct soft *s, struct thread *t, u64 ip);
void step_off(struct soft *s, struct thread *t);
void step_interrupt(struct soft *s, struct thread *t, u64 ip);
void step_stamp(struct soft *s, struct thread *t);
/* Another program begins: calls of before do not return. */
void step_exec(struct thread *t);
/* All records to packets. */
void step_flush(struct thread *t);

/* soft_maps.c */
struct vm *vm_new(struct soft *s, i32 pid);
struct vm *vm_copy(struct soft *s, const struct vm *of, i32 pid);
void vm_drop(struct soft *s, struct vm *vm);
bool vm_read(const struct vm *vm, u64 at, void *to, size_t n);
/* Read /proc/PID/maps anew; code that is new goes to the file. */
void vm_load(struct soft *s, struct vm *vm, const struct thread *t);
void vm_call(struct soft *s, struct thread *t, i64 result);
void soft_tell_map(struct soft *s, const struct thread *t, const struct region *r);
void soft_tell_comm(struct soft *s, const struct thread *t, bool exec);
void soft_tell_task(struct soft *s, u32 type, const struct thread *t, i32 ppid, i32 ptid);

#endif
