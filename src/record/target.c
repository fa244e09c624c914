/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The target of counting and tracing: threads, from /proc, and a command that waits to run.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/file.h>
#include <pt/mounts.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/target.h>
#include <pt/text.h>
#include <pt/textfile.h>

const char *target_settle(struct target *t)
{
	const char *said = NULL;
	bool tasks = t->pids || t->tids;

	if (tasks && (t->cpus || t->user || t->all_cpus))
		said = t->cpus ? "PID/TID switch overriding CPU" :
			t->user ? "PID/TID switch overriding UID" :
			"PID/TID switch overriding SYSTEM";
	if (tasks)
		t->user = NULL;
	if (t->user && !said && (t->cpus || t->all_cpus))
		said = t->cpus ? "UID switch overriding CPU" : "UID switch overriding SYSTEM";
	if (tasks || t->user) {
		t->cpus = NULL;
		t->all_cpus = false;
	}
	if (t->per_thread && target_has_cpus(t)) {
		t->per_thread = false;
		said = said ? said : "SYSTEM/CPU switch overriding PER-THREAD";
	}
	return said;
}

/* Threads. */

int target_comm(i32 tid, char *name, size_t size)
{
	return textfile_readf(name, size, "/proc/%d/comm", tid);
}

static void add_thread(struct target_threads *threads, u32 *room, i32 pid, i32 tid,
		       struct arena *arena)
{
	u32 n = threads->n++;

	if (n == *room) {
		u32 more = *room ? *room * 2 : 16;

		threads->tid = arena_grow(arena, threads->tid, sizeof(i32), n, more);
		threads->pid = arena_grow(arena, threads->pid, sizeof(i32), n, more);
		threads->comm = arena_grow(arena, threads->comm, 16, n, more);
		*room = more;
	}
	threads->tid[n] = tid;
	threads->pid[n] = pid;
	if (target_comm(tid, threads->comm[n], 16) < 0)
		threads->comm[n][0] = 0;
}

int target_tasks(i32 pid, struct textfile_dir *dir)
{
	char path[32];

	fmt_str(path, sizeof(path), "/proc/%d/task", pid);
	return textfile_dir_open(dir, path);
}

/* Add all threads of a process. 0 or -errno. */
static int add_process(struct target_threads *threads, u32 *room, i32 pid, struct arena *arena)
{
	struct textfile_dir dir;
	u64 tid;
	int err = target_tasks(pid, &dir);

	if (err)
		return err;
	while (textfile_dir_number(&dir, &tid))
		add_thread(threads, room, pid, tid, arena);
	return 0;
}

enum { STATUS_SIZE = 4096 };

/* What follows 'name' in the status of a thread; or NULL. */
static const char *in_status(char text[STATUS_SIZE], i32 tid, const char *name)
{
	return textfile_readf(text, STATUS_SIZE, "/proc/%d/status", tid) > 0 ?
	       text_after(text, name) : NULL;
}

u64 target_status(i32 tid, const char *name, int base)
{
	char text[STATUS_SIZE];
	const char *at = in_status(text, tid, name);
	u64 v = 0;

	return at && num_read(at + 2, base, &v) ? v : 0;	/* after ":\t" */
}

i32 target_inner_tid(i32 tid)
{
	char text[STATUS_SIZE];
	const char *at = in_status(text, tid, "\nNSpid:");
	u64 id = tid;

	while (at && *at == '\t')		/* one for each namespace; the innermost last */
		at = num_read(at + 1, 10, &id);
	return id;
}

int target_file(i32 pid, const char *name)
{
	char root[32];

	fmt_str(root, sizeof(root), "/proc/%d/root", pid);
	return file_open_below(root, name);
}

u64 target_namespace(i32 tid, const char *name, u64 *dev)
{
	struct stat st = { 0 };
	char path[40];

	fmt_str(path, sizeof(path), "/proc/%d/ns/%s", tid, name);
	stat(path, &st);
	*dev = st.st_dev;
	return st.st_ino;
}

static i32 process_of(i32 tid)
{
	i32 pid = target_status(tid, "\nTgid", 10);

	return pid ? pid : tid;
}

/* Add a list like "12,34" of -p or -t. */
static int add_list(struct target_threads *threads, u32 *room, const char *list, bool processes,
		    struct arena *arena, const char **which)
{
	const char *s = list;
	char path[32];
	u64 id;

	for (;;) {
		*which = s;
		s = num_read(s, 10, &id);
		if (!s || (*s && *s != ',') || !id || id > 0x7fffffff)
			return -EINVAL;
		fmt_str(path, sizeof(path), "/proc/%u", (u32)id);
		if (processes ? add_process(threads, room, id, arena) : access(path, F_OK))
			return -ESRCH;
		if (!processes)
			add_thread(threads, room, process_of(id), id, arena);
		if (!*s++)
			return 0;
	}
}

/* Read a user: a number, or a name in /etc/passwd. */
static bool find_user(const char *name, u64 *uid)
{
	char text[4096], *line, *end, *field;
	size_t len = strlen(name);
	int fd, n, kept = 0;

	if (num_parse(name, uid))
		return true;
	fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, text + kept, sizeof(text) - 1 - kept)) > 0) {
		text[kept + n] = 0;
		for (line = text; (end = strchr(line, '\n')); line = end + 1) {
			if (strncmp(line, name, len) || line[len] != ':')
				continue;
			field = strchr(line + len + 1, ':');
			close(fd);
			return field && field < end && num_read(field + 1, 10, uid);
		}
		kept = strlen(line);
		if (kept == sizeof(text) - 1)
			kept = 0;
		memmove(text, line, kept);
	}
	if (fd >= 0)
		close(fd);
	return false;
}

/* Add every process, or those of one user, except this one. */
static int add_all(struct target_threads *threads, u32 *room, const u64 *uid, struct arena *arena)
{
	struct textfile_dir dir;
	struct stat st;
	char path[64];
	u64 pid;
	int err = textfile_dir_open(&dir, "/proc");

	if (err)
		return err;
	while (textfile_dir_number(&dir, &pid)) {
		fmt_str(path, sizeof(path), "/proc/%u", (u32)pid);
		if (!uid || (!stat(path, &st) && st.st_uid == *uid && pid != (u64)getpid()))
			add_process(threads, room, pid, arena);
	}
	return 0;
}

const char *target_why(const struct target *t, int err)
{
	const char *missing = mounts_missing("/proc");

	if (missing)
		return missing;
	if (err == -ESRCH)
		return "there is no such process or thread";
	if (err == -EINVAL)
		return t->user ? "there is no such user" :
			"-p and -t take numbers: see 'pidof NAME'";
	return strerror(-err);
}

int target_find_threads(const struct target *t, bool all, struct target_threads *threads,
			struct arena *arena, const char **which)
{
	u32 room = 0;
	u64 uid;

	*threads = (struct target_threads){ 0 };
	*which = "";
	if (t->pids)
		return add_list(threads, &room, t->pids, true, arena, which);
	if (t->tids)
		return add_list(threads, &room, t->tids, false, arena, which);
	if (!t->user)
		return all ? add_all(threads, &room, NULL, arena) : 0;
	*which = t->user;
	if (!find_user(t->user, &uid))
		return -EINVAL;
	return add_all(threads, &room, &uid, arena);
}

int target_find_cpus(const struct target *t, const char *sysfs, struct cpus *cpus,
		     struct arena *arena)
{
	struct cpus online, asked;

	cpus_online(&online, sysfs, arena);
	*cpus = online;
	if (!t->cpus)
		return 0;
	if (!cpus_parse(&asked, t->cpus, arena))
		return -EINVAL;
	*cpus = cpus_common(&asked, &online, arena);
	return cpus->n ? 0 : -EINVAL;
}

/* The command. Its process waits until one pipe is closed. If exec then fails, the errno comes
 * through another pipe, which a successful exec closes. */

static _Noreturn void run_child(char **argv, int go, int failed, bool to_stderr,
				const sigset_t *mask)
{
	char c = 0;
	int err;

	if (mask)
		sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_NAME, "perf-exec");
	if (to_stderr)
		dup2(2, 1);
	while (read(go, &c, 1) < 0 && errno == EINTR)
		;
	if (c == 'g')
		execvp(*argv, argv);
	err = c == 'g' ? errno : ECANCELED;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int target_prepare(struct target_child *child, char **argv, bool to_stderr, const sigset_t *mask)
{
	int go[2], failed[2], err;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto no_second;
	}
	child->pid = _Fork();
	if (child->pid < 0) {
		err = -errno;
		goto no_child;
	}
	if (!child->pid) {
		close(go[1]);
		close(failed[0]);
		run_child(argv, go[0], failed[1], to_stderr, mask);
	}
	close(failed[1]);
	child->go = go[1];
	child->held = go[0];
	child->failed = failed[0];
	return 0;
no_child:
	close(failed[0]);
	close(failed[1]);
no_second:
	close(go[0]);
	close(go[1]);
	return err;
}

void target_release(struct target_child *child)
{
	if (child->go < 0)
		return;
	write(child->go, "g", 1);
	close(child->go);
	close(child->held);
	child->go = -1;
}

int target_start(struct target_child *child)
{
	int err = 0;
	ssize_t n;

	target_release(child);
	while ((n = read(child->failed, &err, sizeof(err))) < 0 && errno == EINTR)
		;
	close(child->failed);
	if (err)
		waitpid(child->pid, NULL, 0);
	return -err;
}

void target_cancel(struct target_child *child)
{
	close(child->go);
	close(child->held);
	close(child->failed);
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
}

void target_signal(i32 pid, int signal)
{
	u64 ignored = target_status(pid, "\nSigIgn", 16);

	kill(pid, ignored >> (signal - 1) & 1 ? SIGTERM : signal);
}

void target_add_signal(sigset_t *set, int signal)
{
	struct sigaction action;

	if (!sigaction(signal, NULL, &action) && action.sa_handler != SIG_IGN)
		sigaddset(set, signal);
}
