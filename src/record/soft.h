/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the recorder without PMU: the traced threads and their states.
 *
 *	record_soft.c	starts and ends, writes packets
 *	soft_follow.c	stops of threads: system calls, signals, births, deaths
 *	soft_signal.c	what signals do
 *	soft_step.c	one instruction after the other, as records
 *	soft_maps.c	its address space: what is code, side-band
 *	soft_death.c	how it died
 *	soft_snapshot.c	only the last packets, for -S
 *	trans_pack.c	records to packets
 */
#ifndef RECORD_SOFT_H
#define RECORD_SOFT_H

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>

#include <pt/config/SOFT_STEP_CODE.h>
#include <pt/record.h>
#include <pt/tracee.h>

#include "trans_pack.h"

struct soft;
struct tracee;

/* A range of executable addresses. */
struct region {
	/* What was_there() compares. */
	u64 start, end, pgoff, ino;
	const char *name;
	u32 maj, min;

	u32 prot, flags;		/* flags: as MMAP2 has them */
	bool deleted;			/* the file has no name any more */
	bool untold;			/* a thread whose ring was not read yet has mapped it, and
					 * tells when */
};

/* The agent of a pt that was killed is there, and has not yet been taken over. */
enum vm_left { LEFT_NONE, LEFT_64, LEFT_32 };

/* No other code of a program has such a name. */
static inline bool is_vdso(const struct region *r)
{
	return r->name[0] == '[' && r->name[1] == 'v';
}

/* An address space. */
struct vm {
	struct vm *next;	/* in the list of free ones */
	u32 id;
	u32 users;		/* number of threads */
	int mem;		/* /proc/PID/mem, or -1 */
	bool stepped;		/* it cannot be translated; or: */
	bool leaving;		/* the program traces it: pt lets it go */
	u8 left;		/* enum vm_left */
	bool unused;		/* what a pt has left is used by no thread */
	bool part;		/* pt could not attach to all its threads */
	bool stuck;		/* a thread of it cannot be stopped: pt lets the others go */
	bool settling;		/* all its threads are entering the cache, or leaving it */
	struct region *regions;	/* code; sorted */
	u32 n_regions, room_regions;
	u64 from, to;		/* code of files that the program may have changed is here */
};

enum tracee_state {
	TRACEE_NEW,		/* no first stop yet, or its birth was not yet reported */
	TRACEE_STEP,		/* executes one instruction */
	TRACEE_ENTER,		/* about to enter a system call */
	TRACEE_CALL,		/* in a system call */
	TRACEE_AGAIN,		/* after a call that a signal interrupted; may be restarted */
	TRACEE_SIGNAL,		/* about to enter a signal handler */
	TRACEE_STOPPED,		/* stopped by a signal, until SIGCONT */
	TRACEE_FREE,		/* not traced: before its exec, or detached */
	TRACEE_CACHE,		/* runs translated: see trans.h */
	TRACEE_HELD,		/* waits for the other threads of its address space */
};

/* A thread that runs by single steps. */
enum { STEP_TOLD = CONFIG_SOFT_STEP_CODE ? 4096 : 1 };

struct step_state {
	u8 *records;		/* as in a ring: 'n' bytes, not yet converted to packets */
	u32 n;
	bool on;		/* tracing is on, according to the records */
	bool trapping;		/* the program has set the trap flag */
	u64 stamped;		/* TSC of the last record that has one */
	u64 from;		/* address of the next or the current instruction */
	struct insn insn;	/* this instruction */
	enum insn_mode mode;
	u8 code[INSN_MAX];
	struct tracee_regs entry;	/* after the last indirect branch */
	u32 tsc_reads;		/* since then */
	u64 calls[AGENT_CALLS];	/* the stack of calls, a ring */
	u32 top, depth;
	u64 told[STEP_TOLD];	/* by address: hash of an instruction that is in no file, and is
				 * recorded */
};

/* A thread that pt traces. struct thread (process.h) is a thread that a file tells of. */
struct tracee {
	struct tracee *next;	/* in its hash chain, or among the free */
	i32 tid, pid;
	struct vm *vm;
	u8 state;
	bool stopped_once;	/* NEW: the stop came first */
	bool known;		/* NEW: the birth came first */
	u8 ticks;		/* NEW: so long it waits for its birth */
	u32 idx;		/* of its queue in the file */
	struct tracee_regs regs;
	bool have_regs, set_regs;
	u8 call;		/* enum tracee_call, and its arguments */
	u64 args[6];
	u64 call_ip;		/* address of the call */
	u64 blocked;		/* its signal mask, if it blocks SIGTRAP */
	bool opened;		/* ... and SIGTRAP is unblocked while it runs */
	cpu_set_t cpus;		/* the CPU mask that the program has set */
	struct trans_pack pack;	/* its packets */
	struct step_state *step;
	struct perf_death *death;	/* the last signal whose default action was due, or NULL */

	/* Translated: */
	struct image *image;
	struct agent_thread *slot;
	u64 tail;		/* its ring was read up to here */
	u64 cpu_ns;		/* CPU time that counts in record_result.programs_ns, or is from
				 * before the recording */
	bool quiet;		/* write nothing of it to the file */
	bool filtered;		/* it or an ancestor limits its system calls */
	u64 limits;		/* ... but the agent can live with that: trans_filter() */
	bool stuck;		/* it sleeps and cannot be stopped: soft_stuck.c */
	bool vforked;		/* it shares memory with its parent, which waits for it */
	bool asked;		/* it shall leave the cache: each system call is a stop */
	bool given;		/* it left the cache: the program's registers are in its slot */
	bool leaving;		/* the program traces it: pt lets it go, but not its parent */
	bool traces;		/* it waits until it can trace a process */
	bool out;		/* its registers are the program's: it runs its own code */
	u8 tries;		/* how often it was found in a handler: trans_is_between() */
	siginfo_t deadly;	/* a signal that it gets then, if any */
};

enum { TRACEE_HASH = 1024 };
enum { SOFT_PT_ID = 1, SOFT_SIDE_BAND_ID };	/* of the two events in the file */

struct soft {
	struct record *r;
	struct pack_clock clock;
	struct perf_pt_info info;
	struct tracee *hash[TRACEE_HASH], *free_tracees;
	struct vm *free_vms;
	u32 n_threads, n_idx;
	int cpu;		/* all run here, or -1 */
	cpu_set_t cpus;		/* the CPUs that they may use otherwise */
	i32 child;		/* the process of the command, or 0 */
	bool began;		/* the time of --for has started */
	bool ending;
	bool said_traced;
	bool stuck;		/* a process was not recorded because of that */
	bool keys;		/* host_has_keys() */
	struct name *names[256];
	char *text;		/* room for a file of /proc */
	size_t text_size;
	struct region *fresh;	/* ... and for the ranges in it */
	u32 room_fresh;
	u64 steps;
	u8 *pack_buf;
	struct soft_kept *kept;	/* -S: the last packets; or NULL */
	bool died;		/* ... and a process died by a signal */

	/* Translated threads: */
	struct image *images, *free_images;
	struct bytes agent, agent_32;	/* their code, and for 32-bit programs */
	int reuse;		/* descriptor of the file of src/agent/reuse.c; 0: none yet */
	struct code_file *code;	/* trans_code.c; NULL: no such code yet */
	struct soft_files *files;	/* trans_files.c; NULL: no file was mapped yet */
	struct timespec since;	/* the start of the recording */
	struct robust_list_head owners;
	bool gave_up;		/* one of them does not leave the cache */
	bool left;		/* a pt was killed in one of the programs */
	u64 ended_bits, ended_tips;	/* branches of threads that have ended */
	u64 ended_blocks;		/* blocks translated in images that were dropped */
	u64 when;		/* TSC for the next side-band records; 0: now */
	/* The TSC at the end of the last round, and of the one before, from which on perf
	 * expects the records of this round. */
	u64 round, floor;
	u32 longer;		/* ticks that this round takes longer: see is_behind() */
	u64 changed;		/* the TSC of the last record about a program's memory, or a new
				 * process or program */
};

/* record_soft.c */
extern const long soft_options;		/* PTRACE_O_* */
/* Open the stream of packets of a thread. */
void trans_pack_open(struct soft *s, struct tracee *t);
/* Choose the CPU on which stepped threads and the recorder run. */
void soft_choose_cpu(struct soft *s);
u64 soft_now(const struct soft *s);
/* TSC ticks per microsecond. */
static inline u64 soft_us(const struct soft *s)
{
	return (u64)s->info.max_nonturbo * 100;
}

/* perf's time of 'tsc'. */
u64 soft_time(const struct soft *s, u64 tsc);

/* Write packets to the file; 'tsc' is the time of their end, 'off' their place in the stream. */
void soft_put_trace(struct soft *s, i32 pid, i32 tid, u32 idx, u64 tsc, u64 off,
		    struct bytes packets);

/* soft_snapshot.c: the memory; keep the packets of t->pack; write what is kept, at 'tsc'. */
struct soft_kept *soft_snapshot_open(struct record *r);
void soft_snapshot_keep(struct soft_kept *k, const struct tracee *t);
void soft_snapshot_write(struct soft *s, u64 tsc);
/* Remove side-band that the packets do not need any more. All rings were read up to 'tsc'. */
void soft_snapshot_trim(struct soft *s, u64 tsc);

/* soft_threads.c */
struct tracee *tracee_find(struct soft *s, i32 tid);
/* The next thread after 't', in no order; the first one if that is NULL. NULL: there is none. */
struct tracee *tracee_next(const struct soft *s, const struct tracee *t);
/* The address space of process 'pid'; NULL if none of its threads is left. */
struct vm *vm_of(const struct soft *s, i32 pid);
struct tracee *tracee_add(struct soft *s, i32 tid);
/* Forget a thread, and write its last packets. */
void tracee_drop(struct soft *s, struct tracee *t);
/* Count its CPU time: getrusage() knows only of children that were waited for. */
void tracee_count_cpu(struct soft *s, struct tracee *t);

/* soft_follow.c */
/* Resume a thread: 'request' is PTRACE_CONT, _SYSCALL or _SINGLESTEP. */
void tracee_resume(struct soft *s, struct tracee *t, int request, int signal,
		   enum tracee_state state);
/* Pin a thread to the recorder's CPU, or restore its own mask: while the program reads the mask,
 * and before it is detached. */
void tracee_pin(struct soft *s, struct tracee *t, bool pin);
/* When pt no longer waits for a thread to finish in the agent, in ticks; is that now? */
u32 soft_patience(void);
bool soft_is_late(u32 end);
bool soft_traces(i32 tid);	/* is pt its tracer? */
/* Begin to trace a thread whose birth pt did not see. t->pid is set. */
void soft_know(struct soft *s, struct tracee *t);
/* Handle the result of waitpid(). */
void soft_stopped(struct soft *s, i32 tid, int status);
/* Detach a stopped thread that has the program's registers. */
void soft_let_go(struct soft *s, struct tracee *t, int signal);
void soft_release(struct soft *s, struct tracee *t, int signal);	/* the same, after a stop */

/* soft_signal.c: the signals that were sent to it and not yet delivered; those for which it has
 * handlers. */
u64 soft_pending(const struct tracee *t);
u64 soft_caught(const struct tracee *t);
/* Is there a signal that must be delivered before more of its own code runs? */
bool soft_waits(const struct tracee *t);
/* The effect of a signal; a fault if the thread is in the stop for it. */
enum disposition { CAUGHT, IGNORED, DEFAULT };
enum disposition soft_disposition(const struct tracee *t, int signal);
/* Is it the first process of its PID namespace, as in a container? */
bool soft_is_init(const struct tracee *t);
/* soft_stuck.c: let processes go that have a thread which cannot be stopped. True if pt traces no
 * others. */
bool soft_free_stuck(struct soft *s);

/* Continue a stopped thread, stepped or translated. */
void soft_go_on(struct soft *s, struct tracee *t);
/* The program uses ptrace itself: say once that this fails. */
void soft_say_traced(struct soft *s, const struct tracee *t);
/* The CPU time of a thread in ns; 0 if it ended, or the kernel does not count (SCHED_INFO). */
u64 soft_cpu_ns(i32 tid);
/* The number of its seccomp filters. */
u64 soft_filters(i32 tid);
/* Change t->regs so that a call which failed only because of a stop is made again. */
void soft_make_again(struct tracee *t);
/* It is about to get 'signal'. If that does nothing, it must not cut off a call: it is sent only
 * because pt traces the thread. */
void soft_ignore(struct tracee *t, int signal);
/* Handle a stop for a reason other than a signal. */
void soft_event(struct soft *s, struct tracee *t, int event, int signal);
/* The kernel does not kill a traced process for a fault if it is the first of its PID namespace: it
 * would make the fault for ever. Detach the thread, which makes it once more. */
void soft_die_untraced(struct soft *s, struct tracee *t, int signal);
/* Let children run whose parents were killed before they could tell of them. Called regularly. */
void soft_adopt(struct soft *s);
/* Detach from all threads. Running threads are first interrupted, so further stops come for
 * soft_stopped(). */
void soft_detach(struct soft *s);

/* soft_step.c: the thread is stopped, t->regs are its registers. */
/* Step the next instruction, or enter the system call that is next. */
void step_next(struct soft *s, struct tracee *t);
/* The same, after the delivery of 'signal'; a pending signal may come before the instruction. */
void step_into(struct soft *s, struct tracee *t, int signal);
/* The step has ended: record it. */
void step_done(struct soft *s, struct tracee *t);
/* Did the step pop the flags from the stack? */
bool step_pops_flags(const struct tracee *t);
/* Record, with the time, that the thread runs its own code at 'ip', will enter the kernel, or is
 * interrupted before the instruction at 'ip'. */
void step_on(struct soft *s, struct tracee *t, u64 ip);
void step_off(struct soft *s, struct tracee *t);
void step_interrupt(struct soft *s, struct tracee *t, u64 ip);
void step_stamp(struct soft *s, struct tracee *t);
/* After exec: clear the stack of calls. */
void step_exec(struct tracee *t);
/* Convert all records to packets. */
void step_flush(struct tracee *t);
void soft_flush(struct soft *s);	/* the records of all threads */

/* soft_maps.c */
struct vm *vm_new(struct soft *s, i32 pid);
struct vm *vm_copy(struct soft *s, const struct vm *of, i32 pid);
void vm_drop(struct soft *s, struct vm *vm);
void vm_tell_all(struct soft *s, u64 tsc);	/* names and maps of all threads, as of 'tsc' */
int vm_open(i32 tid);			/* /proc/TID/mem; -1 on errors */
const struct region *vm_region(const struct vm *vm, u64 at);	/* NULL: none */
bool vm_read(const struct vm *vm, u64 at, void *to, size_t n);
/* Read /proc/PID/maps again, and write new code to the file, except code of files that is not in
 * [at, at + len). */
void vm_load(struct soft *s, struct vm *vm, const struct tracee *t, u64 at, u64 len);
/* Set from, to: find pages of files that the program has changed before it was stepped. */
void vm_find_changed(struct vm *vm, i32 pid);
#define VM_ALL 0, ~0ull
/* Is the code at 'ip' in no file ("//anon", "[stack]"), or written by trans_code.c for another
 * reason? Not the vDSO. */
bool soft_is_made(const struct tracee *t, u64 ip);
/* May the code there not be in a file? */
bool soft_in_no_file(const struct tracee *t, u64 ip);
void vm_call(struct soft *s, struct tracee *t, i64 result);
void soft_write_map(struct soft *s, i32 pid, i32 tid, const struct region *r);
void soft_write_comm(struct soft *s, const struct tracee *t, bool exec);
void soft_write_task(struct soft *s, u32 type, const struct tracee *t, i32 ppid, i32 ptid);

/* soft_death.c: 'info' is about to do to 't' what it does by default; t->regs are the program's if
 * 'have_regs'. It ended, as 'status' of waitpid() says. */
void soft_doomed(struct soft *s, struct tracee *t, const siginfo_t *info, bool have_regs);
void soft_died(struct soft *s, const struct tracee *t, int status);

#endif
