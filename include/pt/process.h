/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes and threads, as in the kernel's records.
 */
#ifndef PT_PROCESS_H
#define PT_PROCESS_H

#include <pt/image.h>
#include <pt/rbtree.h>

struct thread {
	struct thread *older;	/* the one that had this number before, or NULL */
	i32 pid, tid;		/* pid -1: unknown */
	i32 cpu;		/* the CPU where it ran last, or -1 */
	const char *comm;
	bool comm_known;	/* else it is ":TID" */
	bool gone;		/* another thread has its number */
	u32 born;		/* the number of forks before it */
	struct space *space;	/* shared by the threads of a process */
	struct guest *guest;	/* in which it is, or NULL: see <pt/session.h>; and ... */
	struct thread *host;	/* ... the thread that runs it, which has its call stack, too */
	i32 vcpu;		/* ... on this virtual CPU, if records of the guest tell */
	void *calls;		/* its call stack: see <pt/calls.h>; or NULL */
};

struct processes {
	struct images *images;
	struct arena *arena;
	struct thread **threads;	/* the newest of each number: from 1 to n_threads */
	struct rb_tree by_tid;	/* of their indices */
	u32 n_threads, threads_room;
	u32 forks;		/* so far */
	i32 *cpu_tid;		/* the thread on each CPU; -1: unknown */
	u32 n_cpus;
};

void processes_start(struct processes *p, struct images *images, struct arena *arena);

/* The thread, created if it is unknown. pid -1: of any process. */
struct thread *process_thread(struct processes *p, i32 pid, i32 tid);

/* The same, or NULL if it is unknown. */
struct thread *process_find(const struct processes *p, i32 tid);

/* The newest thread with that number, even if it is gone, or NULL. */
struct thread *process_newest(const struct processes *p, i32 tid);

void process_comm(struct processes *p, i32 pid, i32 tid, const char *name);
void process_fork(struct processes *p, i32 pid, i32 tid, i32 ppid, i32 ptid, bool shares_no_maps);

/* 'tid' (of 'pid', or -1) runs on 'cpu' from now on. */
void process_switch(struct processes *p, i32 cpu, i32 pid, i32 tid);

/* The thread that runs on 'cpu', or -1. */
i32 process_on_cpu(const struct processes *p, i32 cpu);

#endif
