/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One measured run.
 *
 * All events in the meantime are descriptors: signals, including the end of the child, and control
 * commands. The loop sleeps in one poll() until something happens or an interval ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/date.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/stat_run.h>
#include <pt/target.h>

enum { LOOK_MS = 100 };		/* how often pt checks whether counted tasks still run */

struct watch {
	struct stat_run *r;
	struct target_child child;
	int signals;		/* signalfd */
	sigset_t old;
	u32 ticks;		/* intervals that are left, or 0 */
	/* ns of CLOCK_MONOTONIC: begin, last tick; the next tick, the end, 0: none */
	u64 start, last, next, limit;
	bool done;
	bool no_rest;		/* the last requested interval has ended */
};

static u64 now_ns(void)
{
	return date_clock(CLOCK_MONOTONIC);
}

static u64 ns_of(struct timeval tv)
{
	return tv.tv_sec * 1000000000ull + tv.tv_usec * 1000ull;
}

static int open_signals(struct watch *w)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	target_add_signal(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &w->old);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return w->signals < 0 ? -errno : 0;
}

static void close_signals(struct watch *w)
{
	close(w->signals);
	sigprocmask(SIG_SETMASK, &w->old, NULL);
}

/* The child has ended: read its status and its CPU times. */
static void reap(struct watch *w)
{
	struct rusage used;

	if (w->r->waited || wait4(w->child.pid, &w->r->status, WNOHANG, &used) != w->child.pid)
		return;
	w->r->waited = true;
	w->r->user_ns = ns_of(used.ru_utime);
	w->r->sys_ns = ns_of(used.ru_stime);
	w->done = true;
}

/* The terminal, i.e. the kernel, sends Ctrl-C to the command as well, and the end of the command
 * ends the run. A signal that a process sends to pt is forwarded; SIGTERM for SIGINT, which a
 * command ignores if a shell script started pt with '&'. */
static void take_signal(struct watch *w)
{
	struct signalfd_siginfo info;

	while (read(w->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			if (w->r->argv)
				reap(w);
			continue;
		}
		w->r->signal = info.ssi_signo;
		if (!w->r->argv)
			w->done = true;
		else if (info.ssi_code != SI_KERNEL)
			kill(w->child.pid, info.ssi_signo == SIGINT ? SIGTERM : info.ssi_signo);
	}
}

static void read_counters(struct watch *w, u64 at)
{
	struct counting *c = w->r->counting;

	c->tool_ns[EVENT_DURATION_TIME] = at - w->start;
	c->tool_ns[EVENT_USER_TIME] = w->r->user_ns;
	c->tool_ns[EVENT_SYSTEM_TIME] = w->r->sys_ns;
	count_read(c);
}

static void tick(struct watch *w)
{
	u64 at = now_ns();

	read_counters(w, at);
	w->r->tick(w->r->who, w->last - w->start, at - w->start);
	w->last = at;
}

static void cut(struct watch *w)
{
	w->done = w->r->cut = true;
	if (w->r->argv && !w->r->waited)
		kill(w->child.pid, SIGTERM);
}

static void answer(struct watch *w, const char *line)
{
	if (w->r->ack_fd >= 0 && write(w->r->ack_fd, line, strlen(line)) < 0)
		w->r->ack_fd = -1;
}

static void obey(struct watch *w, const char *word)
{
	bool enable = !strcmp(word, "enable"), disable = !strcmp(word, "disable");
	bool stop = !strcmp(word, "stop"), list = w->r->list && !strcmp(word, "evlist");
	bool known = enable || disable || stop || list || !strcmp(word, "ping");

	if (enable)
		count_enable(w->r->counting);
	if (disable)
		count_disable(w->r->counting);
	if ((enable || disable) && w->r->interval_ns)
		tick(w);
	if (stop)
		cut(w);
	if (list)
		w->r->list(w->r->who);
	answer(w, known ? "ack\n" : "error: unknown command\n");
}

static void take_commands(struct watch *w)
{
	char text[256], *line, *end;
	ssize_t n = read(w->r->ctl_fd, text, sizeof(text) - 1);

	if (n <= 0) {
		w->r->ctl_fd = n < 0 && errno == EAGAIN ? w->r->ctl_fd : -1;
		return;
	}
	text[n] = 0;
	for (line = text; line < text + n; line = end + 1) {
		end = line + strcspn(line, "\n");
		*end = 0;
		if (*line)
			obey(w, line);
	}
}

static bool all_gone(const struct counting *c)
{
	char path[32];
	u32 i;

	for (i = 0; i < c->n_tids; i++) {
		fmt_str(path, sizeof(path), "/proc/%d", c->tids[i]);
		if (!access(path, F_OK))
			return false;
	}
	return true;
}

static u64 soonest(u64 a, u64 b)
{
	return !a || (b && b < a) ? b : a;
}

static bool watches_tasks(const struct watch *w)
{
	return !w->r->argv && !w->r->counting->on_cpus;
}

/* The ms to sleep until the next tick or the end; -1: no limit. */
static int time_left(const struct watch *w, u64 due)
{
	u64 at = now_ns(), ms;

	if (!due)
		return watches_tasks(w) ? LOOK_MS : -1;
	if (due <= at)
		return 0;
	ms = (due - at + 999999) / 1000000;
	return MIN(ms, watches_tasks(w) ? (u64)LOOK_MS : (u64)1 << 30);
}

static void take_time(struct watch *w)
{
	u64 at = now_ns();

	if (w->next && at >= w->next) {
		tick(w);
		w->next += w->r->interval_ns;
		if (w->next <= at)
			w->next = at + w->r->interval_ns;
		if (w->ticks && !--w->ticks) {
			w->no_rest = true;
			w->limit = at;
		}
	}
	if (w->limit && at >= w->limit)
		cut(w);
}

/* The elapsed time starts when counting does. */
static void begin_time(struct watch *w)
{
	struct stat_run *r = w->r;

	w->start = w->last = now_ns();
	w->next = r->interval_ns ? w->start + r->interval_ns : 0;
	w->limit = r->timeout_ns ? w->start + r->timeout_ns : 0;
}

static void loop(struct watch *w)
{
	struct stat_run *r = w->r;
	u64 on = r->delay_ns > 0 ? w->start + r->delay_ns : 0;

	if (on)
		w->next = w->limit = 0;
	while (!w->done) {
		struct pollfd fds[] = { { w->signals, POLLIN }, { r->ctl_fd, POLLIN } };
		u64 due = soonest(soonest(w->next, w->limit), on);

		poll(fds, N_ELEM(fds), time_left(w, due));
		if (fds[0].revents)
			take_signal(w);
		if (fds[1].revents)
			take_commands(w);
		if (!w->done && on && now_ns() >= on) {
			count_enable(r->counting);
			begin_time(w);
			on = 0;
		}
		if (!w->done)
			take_time(w);
		if (!w->done && watches_tasks(w) && all_gone(r->counting))
			w->done = true;
	}
	if (on)		/* else the command ended before the delay: no time was counted */
		begin_time(w);
}

/* After a limit, wait for the end of the command. */
static void wait_for_child(struct watch *w)
{
	struct rusage used;

	if (!w->r->argv || w->r->waited)
		return;
	while (wait4(w->child.pid, &w->r->status, 0, &used) < 0)
		if (errno != EINTR)
			return;
	w->r->waited = true;
	w->r->user_ns = ns_of(used.ru_utime);
	w->r->sys_ns = ns_of(used.ru_stime);
}

/* While the child waits: open the events, enable them, then let the child run. */
static enum stat_failed begin(struct watch *w, int *err)
{
	struct stat_run *r = w->r;
	struct counting *c = r->counting;

	if (r->counts_command) {
		c->tids = &w->child.pid;
		c->n_tids = 1;
	}
	c->on_exec = r->counts_command && !r->delay_ns;
	*err = count_open(c, &r->which);
	if (*err)
		return STAT_FAILED_OPEN;
	if (!c->on_exec && !r->delay_ns)
		count_enable(c);
	begin_time(w);
	if (!r->argv)
		return STAT_FAILED_NOTHING;
	*err = target_start(&w->child);
	w->child.go = -1;
	return *err ? STAT_FAILED_EXEC : STAT_FAILED_NOTHING;
}

static void end(struct watch *w)
{
	struct stat_run *r = w->r;
	u64 at;

	/* Do not count processes that the command left running. */
	count_disable(r->counting);
	wait_for_child(w);
	at = now_ns();
	r->wall_ns = at - w->start;
	read_counters(w, at);
	if (r->interval_ns && !w->no_rest)
		r->tick(r->who, w->last - w->start, at - w->start);
}

enum stat_failed stat_run(struct stat_run *r, int *err)
{
	struct watch w = { .r = r, .ticks = r->ticks };
	enum stat_failed failed = STAT_FAILED_SYSTEM;

	r->waited = r->cut = false;
	r->signal = 0;
	*err = open_signals(&w);
	if (*err)
		return failed;
	if (r->argv) {
		*err = target_prepare(&w.child, r->argv, false, &w.old);
		if (*err)
			goto out;
	}
	failed = begin(&w, err);
	if (!failed) {
		loop(&w);
		end(&w);
	} else if (r->argv && w.child.go >= 0) {
		target_cancel(&w.child);
	}
	count_close(r->counting);
out:
	close_signals(&w);
	return failed;
}

static int open_control(const char *kind, const char *name)
{
	u64 fd;
	int opened;

	if (!strcmp(kind, "fd"))
		return num_parse(name, &fd) && fd < 1 << 20 ? (int)fd : -EINVAL;
	opened = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return opened < 0 ? -errno : opened;
}

int stat_run_control(struct stat_run *r, const char *text)
{
	char kind[8], name[512];
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;

	r->ctl_fd = r->ack_fd = -1;
	if ((len != 2 || memcmp(text, "fd", 2)) && (len != 4 || memcmp(text, "fifo", 4)))
		return -EINVAL;
	fmt_str(kind, sizeof(kind), "%.*s", (int)len, text);
	text = colon + 1;
	len = strcspn(text, ",");
	if (!len || len >= sizeof(name))
		return -EINVAL;
	fmt_str(name, sizeof(name), "%.*s", (int)len, text);
	r->ctl_fd = open_control(kind, name);
	if (r->ctl_fd < 0)
		return r->ctl_fd;
	if (text[len])
		r->ack_fd = open_control(kind, text + len + 1);
	return r->ack_fd < -1 ? r->ack_fd : 0;
}

int stat_run_aside(char *const *argv)
{
	int status;
	pid_t pid = vfork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		execvp(*argv, argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status;
}
