/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt sched timehist: what is known of threads and CPUs, and its lines.
 *
 * sched.c reads the events, sched_lines.c prints a line for each, sched_summary.c the tables at the
 * end, and sched_chain.c call chains.
 */
#ifndef SCHED_H
#define SCHED_H

#include <pt/count.h>
#include <pt/hash.h>
#include <pt/ranges.h>

#include "ask.h"

/* A call chain, the innermost function first. */
struct sched_chain {
	u32 n;
	struct sched_frame { u64 ip; const struct symbol *sym; } *at;
};

/* How often and how long CPUs were idle after one. */
struct idle_chain {
	struct hashed in;	/* by its functions */
	struct sched_chain chain;
	u64 ns, n;
};

/* Times are in ns. The states of threads are the kernel's numbers. */
struct task {
	struct hashed in;	/* by thread */
	struct thread *thread;
	i32 parent;		/* its number, or -1 */
	bool ended;
	u64 left, ready;	/* when it left a CPU, and became ready; 0: not known */
	i32 state;		/* in which it left */
	u64 ran, delay, waits[3];	/* of the last time, by enum sched_wait */
	u64 sum, sum_delay, sums[3], min, max;
	struct mean runs;	/* how often and how long it ran */
	u64 migrations;
};

enum sched_wait { WAIT_SLEEP, WAIT_IO, WAIT_PREEMPTED };

/* The idle task of a CPU. */
struct sched_idle {
	struct task task;
	struct task *before;	/* the task that ran before it, until that one's time is counted */
	struct sched_chain entered;	/* the call chain of 'before' */
	struct hash_table chains;	/* of struct idle_chain */
};

struct sched {
	struct ask ask;
	struct listing list;
	struct out *out;
	struct hash_table tasks;
	struct sched_idle **idle;	/* by CPU; NULL: not seen */
	u64 *cpu_last;			/* of each CPU: the time of the last switch */
	u32 n_cpus;			/* of both arrays */
	u32 n_idle;			/* CPUs from 0 on that have a line in the summary */
	u32 last_cpu;			/* of the columns of -V */
	u8 *kinds;			/* of each event of the file: enum sched_event */
	u32 n_kinds;
	struct thread dead;		/* all threads whose number is not known any more */
	const u64 *cpus;		/* of -C: a bit for each of cpus_room; NULL: all */
	u32 cpus_room;
	const char *time;
	struct ranges ranges;
	u32 depth;			/* functions of a call chain */
	bool summary, with_summary, wakeups, next, migrations, idle_only, cpu_visual, state;
	bool call_graph, has_chains;
	struct sched_frame *frames;	/* of the last sample */
	bool by_records, waking;
	bool seen, printed;		/* a switch, and a line of any event */
	u32 width;			/* of the column of names */
	u64 skipped;			/* events that the options do not select */
	u64 first, last;
	u64 start, end;			/* of --time; 0: open */
};

/* A thread leaves a CPU. */
struct sched_leaving {
	struct thread *thread;
	i32 cpu, state;
	u64 time;
	i32 next_pid;
	const char *next_comm;		/* NULL: not known who comes next */
	struct sched_chain chain;
};

/* Do the options select the CPU? */
static inline bool sched_has_cpu(const struct sched *s, i32 cpu)
{
	return !s->cpus || (cpu >= 0 && (u32)cpu < s->cpus_room &&
			    s->cpus[cpu / 64] >> cpu % 64 & 1);
}

/* sched_lines.c */
enum { SCHED_NAME = 32 };	/* bytes of a name, as in perf */
void sched_put_heading(struct sched *s);
const char *sched_name(struct sched *s, char to[SCHED_NAME], const struct thread *t);
void sched_put_switch(struct sched *s, const struct task *task, const struct sched_leaving *l,
		      u64 time);
void sched_put_wakeup(struct sched *s, const struct thread *by, i32 cpu, u64 time,
		      const struct thread *woken);
void sched_put_migration(struct sched *s, const struct thread *by, i32 cpu, u64 time,
			 const struct thread *moved, i32 from, i32 to);
void sched_put_time(char *to, size_t size, u64 ns);
void sched_put_ms(struct out *out, u64 ns, int width);

/* sched_summary.c */
void sched_put_summary(struct sched *s);

/* sched_chain.c: the functions of a sample, valid until the next call; keep a copy in '*to'; print
 * them; count the time of the idle task that came after them, in its struct idle_chain. Is a
 * function left out when chains are printed? */
struct sched_chain sched_chain(struct sched *s, const struct perf_sample *sample);
void sched_chain_keep(struct sched *s, struct sched_chain *to, const struct sched_chain *from);
void sched_put_chain(struct sched *s, const struct sched_chain *chain);
void sched_chain_count(struct sched *s, struct sched_idle *idle, u64 ns);
bool sched_chain_omits(const struct sched_frame *f);

#endif
