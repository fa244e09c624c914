/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Requests to a running recording: signals, the control FIFO, and the time limit, all as
 * descriptors for one poll().
 *
 * Signals come through a signalfd, so there are no handlers and no variables shared with them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/PROGRESS.h>
#include <pt/config/RECORD_FILES.h>
#include <pt/config/RECORD_MORE.h>
#include <pt/num.h>
#include <pt/out.h>

#include "record.h"

static int watch(struct record_control *c, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(c->poll_fd, EPOLL_CTL_ADD, fd, &e) ? -errno : 0;
}

/* The signals to block. SIGALRM is one of them, since it would end a recording without its last
 * round; the soft recorder uses it as a timer and unblocks it. */
void record_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGALRM, SIGUSR2,
				       SIGCHLD };
	size_t i;

	sigemptyset(set);
	for (i = 0; i < N_ELEM(signals); i++)
		sigaddset(set, signals[i]);
	target_add_signal(set, SIGHUP);
}

/* SIGPIPE and SIGXFSZ are ignored: write() then returns an error. */
static int open_signals(struct record_control *c, const struct record *r)
{
	sigset_t set, blocked;

	record_signals(&set);
	blocked = set;
	sigaddset(&blocked, SIGPIPE);
	sigaddset(&blocked, SIGXFSZ);
	if (sigprocmask(SIG_BLOCK, &blocked, (sigset_t *)c->old_mask))
		return -errno;
	if (r->mask)
		memcpy(c->old_mask, r->mask, sizeof(*r->mask));
	c->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signal_fd < 0 ? -errno : watch(c, c->signal_fd);
}

/* A timer that expires after 'ns', and again after each 'every' ms. 0: not at all. */
static int open_timer(struct record_control *c, int *fd, u64 ns, u32 every)
{
	struct itimerspec t = { { every / 1000, every % 1000 * 1000000 },
				{ ns / 1000000000, ns % 1000000000 } };

	if (!ns)
		return 0;
	*fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (*fd < 0 || timerfd_settime(*fd, 0, &t, NULL))
		return -errno;
	return watch(c, *fd);
}

void record_control_begin(struct record_control *c, u64 grace_ns)
{
	u64 ns = c->r->for_ns + grace_ns;
	struct itimerspec t = { .it_value = { ns / 1000000000, ns % 1000000000 } };

	if (c->timer_fd >= 0)
		timerfd_settime(c->timer_fd, 0, &t, NULL);
}

/* "fifo:CTL[,ACK]". They are opened for reading and writing, so that open() does not wait. */
static int open_fifos(struct record_control *c, const char *names, struct arena *arena)
{
	size_t len = strcspn(names, ",");
	char *ctl = arena_strn(arena, names, len);

	c->closes_ctl = true;
	c->ctl_fd = open(ctl, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (c->ctl_fd < 0)
		return -errno;
	if (!names[len])
		return 0;
	c->ack_fd = open(names + len + 1, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return c->ack_fd < 0 ? -errno : 0;
}

/* "fd:CTL[,ACK]": descriptors that the caller of pt has opened. */
static int take_fds(struct record_control *c, const char *text)
{
	const char *at;
	u64 fd;

	at = num_read(text, 10, &fd);
	if (!at)
		return -EINVAL;
	c->ctl_fd = fd;
	if (*at == ',') {
		at = num_read(at + 1, 10, &fd);
		if (!at)
			return -EINVAL;
		c->ack_fd = fd;
	}
	if (*at)
		return -EINVAL;
	return ioctl(c->ctl_fd, FIONBIO, &(int){ 1 }) ? -errno : 0;
}

static int open_control(struct record_control *c, struct record *r)
{
	int err;

	if (!strncmp(r->control, "fifo:", 5))
		err = open_fifos(c, r->control + 5, r->arena);
	else if (!strncmp(r->control, "fd:", 3))
		err = take_fds(c, r->control + 3);
	else
		err = -EINVAL;
	if (!err)
		err = watch(c, c->ctl_fd);
	if (err)
		record_say(r, 0, "--control %s: %s", r->control,
			   err == -EINVAL ? "use fifo:CTL[,ACK] or fd:CTL[,ACK]" :
			   strerror(-err));
	return err;
}

int record_control_open(struct record_control *c, struct record *r)
{
	int err;

	*c = (struct record_control){ .r = r, .signal_fd = -1, .timer_fd = -1, .delay_fd = -1,
				      .progress_fd = -1, .next_fd = -1, .ctl_fd = -1,
				      .ack_fd = -1 };
	c->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	err = c->poll_fd < 0 ? -errno : open_signals(c, r);
	if (!err)
		err = open_timer(c, &c->timer_fd, r->for_ns, 0);
	if (!err && r->delay_ms > 0)
		err = open_timer(c, &c->delay_fd, (u64)r->delay_ms * 1000000, 0);
	if (CONFIG_PROGRESS && !err)
		err = open_timer(c, &c->progress_fd, (u64)r->progress_ms * 2000000,
				 r->progress_ms);
	if (CONFIG_RECORD_FILES && !err)
		err = open_timer(c, &c->next_fd, r->files.ns, r->files.ns / 1000000);
	if (err)
		record_say(r, 0, "cannot wait for signals: %s", strerror(-err));
	else if (r->control)
		err = open_control(c, r);
	if (err)
		record_control_close(c);
	return err;
}

static bool asks_progress(const struct record_control *c, u32 signal)
{
	return CONFIG_PROGRESS && signal == SIGUSR1 && c->r->progress;
}

static bool stops(const struct record_control *c, u32 signal)
{
	return signal != SIGCHLD && signal != SIGUSR2 && !asks_progress(c, signal);
}

static void close_if(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Take signals that came after the last poll(). If they were still pending when the mask is
 * restored, they would end pt before it prints its summary. */
static void take_pending(struct record_control *c)
{
	struct signalfd_siginfo s;

	while (c->signal_fd >= 0 && read(c->signal_fd, &s, sizeof(s)) == sizeof(s))
		if (stops(c, s.ssi_signo) && !c->signal)
			c->signal = s.ssi_signo;
}

/* A broken pipe ends pt if it is the pipe of the output. */
static void take_pipe(void)
{
	const struct timespec now = { 0 };
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	if (sigtimedwait(&set, &info, &now) == SIGPIPE && info.si_pid == getpid())
		raise(SIGPIPE);
}

void record_control_close(struct record_control *c)
{
	signal(SIGXFSZ, SIG_IGN);	/* one may be pending, and was reported */
	take_pending(c);
	take_pipe();
	close_if(c->poll_fd);
	close_if(c->timer_fd);
	close_if(c->delay_fd);
	close_if(c->progress_fd);
	close_if(c->next_fd);
	close_if(c->signal_fd);
	if (c->closes_ctl) {
		close_if(c->ctl_fd);
		close_if(c->ack_fd);
	}
	sigprocmask(SIG_SETMASK, (sigset_t *)c->old_mask, NULL);
}

static enum record_ask ask_by_signal(struct record_control *c)
{
	struct signalfd_siginfo s;

	if (read(c->signal_fd, &s, sizeof(s)) != sizeof(s))
		return ASK_NOTHING;
	if (stops(c, s.ssi_signo)) {
		c->signal = s.ssi_signo;
		return ASK_STOP;
	}
	if (asks_progress(c, s.ssi_signo))
		return ASK_PROGRESS;
	return s.ssi_signo == SIGCHLD ? ASK_CHILD : ASK_SNAPSHOT;
}

/* Answer an unknown word, since its sender may wait for an answer. */
static void refuse_word(const struct record_control *c)
{
	static const char line[] = "error: unknown command\n";

	if (c->ack_fd >= 0 && write(c->ack_fd, line, sizeof(line) - 1) < 0)
		return;
}

/* Print the events as they were given. */
static void list_events(struct record *r)
{
	static const char *const usual[] = { "intel_pt//u", NULL };
	const char *const *event = r->events ? r->events : usual;

	for (; *event && r->say; event++)
		r->say(r->who, 1, *event);
}

/* Handle a word from the FIFO. */
static enum record_ask ask_by_word(struct record_control *c, const char *word)
{
	static const struct { const char *word; enum record_ask ask; } words[] = {
		{ "enable", ASK_ENABLE }, { "disable", ASK_DISABLE },
		{ "snapshot", ASK_SNAPSHOT }, { "stop", ASK_STOP },
	};
	size_t i;

	for (i = 0; i < N_ELEM(words); i++) {
		if (strcmp(word, words[i].word))
			continue;
		c->acking = true;
		return words[i].ask;
	}
	if (!strcmp(word, "evlist"))
		list_events(c->r);
	if (!strcmp(word, "ping") || !strcmp(word, "evlist")) {
		c->acking = true;
		record_answer(c);
	} else if (*word) {
		refuse_word(c);
	}
	return ASK_NOTHING;
}

/* Handle one line; the next call handles the next line. */
static enum record_ask ask_by_fifo(struct record_control *c)
{
	enum record_ask ask = ASK_NOTHING;
	char byte;

	while (ask == ASK_NOTHING && read(c->ctl_fd, &byte, 1) == 1) {
		if (byte != '\n' && byte) {
			if (c->len < sizeof(c->line) - 1)
				c->line[c->len++] = byte;
			continue;
		}
		c->line[c->len] = 0;
		c->len = 0;
		ask = ask_by_word(c, c->line);
	}
	return ask;
}

static bool rang(int timer_fd)
{
	u64 ticks;

	return timer_fd >= 0 && read(timer_fd, &ticks, sizeof(ticks)) == sizeof(ticks);
}

static bool is_full(struct record *r)
{
	if (!r->max_size || r->files.earlier + r->w.at < r->max_size)
		return false;
	record_say(r, 0, "%s has reached the size limit of %llu KB: the recording ends", r->output,
		   r->max_size >> 10);
	r->max_size = 0;
	return true;
}

/* Is the file complete, by its size or its time? */
static bool wants_next(struct record_control *c)
{
	const struct record *r = c->r;

	return rang(c->next_fd) ||
		(r->files.size && r->w.at - r->files.begun >= r->files.size);
}

/* A delay is over: enable the events, or disable them if they are enabled. */
static enum record_ask next_delay(struct record_control *c)
{
	u32 n = c->n_delays++;
	u64 ms = n < c->r->n_delays ? c->r->delays[n] : 0;
	struct itimerspec t = { .it_value = { ms / 1000, ms % 1000 * 1000000 } };

	if (ms)
		timerfd_settime(c->delay_fd, 0, &t, NULL);
	return n & 1 ? ASK_DISABLE : ASK_ENABLE;
}

enum record_ask record_asked(struct record_control *c)
{
	enum record_ask ask = ask_by_signal(c);

	if (ask == ASK_NOTHING && (rang(c->timer_fd) || is_full(c->r)))
		ask = ASK_STOP;
	if (ask == ASK_NOTHING && rang(c->delay_fd))
		ask = CONFIG_RECORD_MORE ? next_delay(c) : ASK_ENABLE;
	if (ask == ASK_NOTHING && c->ctl_fd >= 0)
		ask = ask_by_fifo(c);
	if (CONFIG_RECORD_FILES && ask == ASK_NOTHING && wants_next(c))
		ask = ASK_NEXT_FILE;
	if (CONFIG_PROGRESS && (ask == ASK_PROGRESS || rang(c->progress_fd)))
		c->r->progress(c->r, ask == ASK_PROGRESS);
	return ask;
}

void record_end_command(struct record *r, struct record_control *c, i32 pid, bool wait)
{
	struct pollfd p = { .fd = c->poll_fd, .events = POLLIN };
	struct record_result *res = &r->result;

	wait |= r->w.err && r->w.err != -EPIPE && !c->signal;
	while (wait && waitpid(pid, &res->wait_status, WNOHANG) != pid) {
		poll(&p, 1, -1);
		wait = record_asked(c) != ASK_STOP;
	}
	if (wait) {
		res->waited = true;
		return;
	}
	target_signal(pid, c->signal ? c->signal : SIGTERM);
	kill(pid, SIGCONT);
	while (waitpid(pid, &res->wait_status, 0) < 0 && errno == EINTR)
		;
	res->waited = c->signal;	/* else pt ended it */
}

void record_answer(struct record_control *c)
{
	static const char ack[] = "ack\n";

	if (c->acking && c->ack_fd >= 0 && write(c->ack_fd, ack, sizeof(ack) - 1) < 0)
		c->ack_fd = -1;	/* the reader has closed it */
	c->acking = false;
}
