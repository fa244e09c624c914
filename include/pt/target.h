/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is counted or traced: a command, running threads, or CPUs.
 */
#ifndef PT_TARGET_H
#define PT_TARGET_H

#include <signal.h>

#include <pt/cpus.h>

/* As asked for on the command line. */
struct target {
	bool all_cpus;		/* -a */
	const char *cpus;	/* -C LIST */
	const char *pids;	/* -p LIST */
	const char *tids;	/* -t LIST */
	const char *user;	/* -u NAME or number */
	bool per_thread;	/* --per-thread */
	char **argv;		/* the command, or NULL */
};

struct target_threads {
	u32 n;
	i32 *tid;
	i32 *pid;		/* its process */
	char (*comm)[16];
};

/* Settle contradictions as perf does: a pid wins over CPUs, and so on. Returns
 * what to warn of, or NULL. */
const char *target_settle(struct target *t);

static inline bool target_has_threads(const struct target *t)
{
	return t->pids || t->tids || t->user;
}

static inline bool target_has_cpus(const struct target *t)
{
	return t->all_cpus || t->cpus;
}

/* The threads of -p, -t, -u, or every one there is if 'all'. -errno; -EINVAL
 * where a list is malformed, -ESRCH where a process is not there ('*which'). */
int target_find_threads(const struct target *t, bool all, struct target_threads *threads,
			struct arena *arena, const char **which);

/* In words: why that failed. */
const char *target_why(const struct target *t, int err);


/* The CPUs of -C (of those that run), else all that run. -EINVAL if the list is
 * malformed or none of it runs. */
int target_find_cpus(const struct target *t, const char *sysfs, struct cpus *cpus,
		     struct arena *arena);

/* A command that is started but not yet running: its process exists, so events
 * can be opened on it with enable_on_exec. */
struct target_child {
	i32 pid;
	int go;			/* closed or written to: exec */
	int failed;		/* the child's errno comes out of here */
};

/* Fork; the child waits. 'to_stderr': its standard output is taken for
 * something else, so it writes to stderr. 'mask': the signals it is to block,
 * or NULL for those of the caller. -errno. */
int target_prepare(struct target_child *child, char **argv, bool to_stderr, const sigset_t *mask);

/* Let it exec. 'failed' becomes readable when it has, or could not. */
void target_release(struct target_child *child);
/* The same, and wait. 0 once it runs, or the -errno that exec gave it (it is reaped). */
int target_start(struct target_child *child);

/* Give up a prepared child. */
void target_cancel(struct target_child *child);

#endif
