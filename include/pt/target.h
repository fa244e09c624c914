/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The target of counting and tracing: a command, running threads, or CPUs.
 */
#ifndef PT_TARGET_H
#define PT_TARGET_H

#include <signal.h>

#include <pt/cpus.h>
#include <pt/textfile.h>

/* The target on the command line. */
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

/* Resolve contradictions as perf does: for example, a pid overrides CPUs. Returns a warning, or
 * NULL. */
const char *target_settle(struct target *t);

static inline bool target_has_threads(const struct target *t)
{
	return t->pids || t->tids || t->user;
}

static inline bool target_has_cpus(const struct target *t)
{
	return t->all_cpus || t->cpus;
}

/* Find the threads of -p, -t, -u, or all threads if 'all', into 'arena'. Returns 0 or -errno:
 * -EINVAL if a list is malformed; -ESRCH if '*which' does not exist. */
int target_find_threads(const struct target *t, bool all, struct target_threads *threads,
			struct arena *arena, const char **which);

/* A text that says why that failed. */
const char *target_why(const struct target *t, int err);


/* The online CPUs of -C, or all online CPUs. -EINVAL if the list is malformed or none of it is
 * online. */
int target_find_cpus(const struct target *t, const char *sysfs, struct cpus *cpus,
		     struct arena *arena);

/* The process of a command that has not yet called exec. Events can be opened on it with
 * enable_on_exec. */
struct target_child {
	i32 pid;
	int go;			/* the child calls exec when this is written to */
	int held;		/* the other end: no SIGPIPE if the child died meanwhile */
	int failed;		/* a pipe for the errno of a failed exec */
};

/* Fork; the child waits. 'to_stderr': the child's standard output goes to stderr, since pt uses
 * standard output itself. 'mask': the signals that the child blocks, or NULL for the caller's
 * mask. 0 or -errno. */
int target_prepare(struct target_child *child, char **argv, bool to_stderr, const sigset_t *mask);

/* Let it call exec. 'failed' becomes readable after exec has succeeded or failed. */
void target_release(struct target_child *child);
/* The same, and wait. Returns 0 when the command runs, or the -errno of exec; the child is then
 * reaped. */
int target_start(struct target_child *child);

/* End a prepared child. */
void target_cancel(struct target_child *child);

/* Send a signal to the command; SIGTERM if it ignores this one, as it does with SIGINT if a shell
 * script started pt with '&'. */
void target_signal(i32 pid, int signal);
/* Add a signal to those that pt takes, unless it is ignored, as nohup does with SIGHUP. */
void target_add_signal(sigset_t *set, int signal);

/* The number of the line "name:" in a thread's status file, with the newline before it: "\nUid"; 0
 * if it is missing. */
u64 target_status(i32 tid, const char *name, int base);
/* The folder of a process that has its threads. 0 or -errno. */
int target_tasks(i32 pid, struct textfile_dir *dir);
/* The name of a thread. Returns its length, or -errno. */
int target_comm(i32 tid, char *name, size_t size);
/* Its ID in its own PID namespace. */
i32 target_inner_tid(i32 tid);
/* Open a file whose name this process knows. Returns the descriptor, or -errno. */
int target_file(i32 pid, const char *name);
/* What stat() says of /proc/TID/ns/'name'; 0 if this user may not know, or the kernel does not. */
u64 target_namespace(i32 tid, const char *name, u64 *dev);

#endif
