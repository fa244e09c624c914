/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt trace: pt record and pt script at the same time, with a pipe between them.
 *
 * One child process records; it is the parent of the traced command. A second one prints what comes
 * through the pipe. This process waits for both.
 *
 * Ctrl-C ends the recording. On a terminal it also kills the printer, which may have minutes of
 * output left (a serial line takes 11 kB/s). This process then empties the pipe, so that the
 * recorder can end, and says how much was dropped. If the output goes to a file, the printer prints
 * all of it; a second Ctrl-C drops the rest.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/SYSCALLS.h>
#include <pt/fail.h>
#include "syscalls.h"

PACKED(help) =
	"usage: pt trace [--calls | --insn | --branches] [OPTIONS] [--] COMMAND [ARGS]\n"
	"       pt trace [--calls | --insn | --branches] [OPTIONS] -a | -p PID\n"
	"\n"
	"Trace, and print what is executed while it happens, without a file.\n"
	"\n"
	"      --calls            calls, indented by depth (the default)\n"
	"      --returns          calls and returns\n"
	"      --branches         every branch\n"
	"      --insn             every instruction\n"
	HELP_IF(CONFIG_SYSCALLS,
	"  -s, --summary          system calls instead: how often, and how long they took\n"
	"      --input FILE       with -s: those in FILE (pt record -e 'raw_syscalls:*')\n")
	"  -a, --all-cpus         everything on all CPUs\n"
	"  -p, --pid LIST         these processes\n"
	"      --for TIME         end after 5s, 100ms, ...\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide             perf's lines on a terminal, not short ones\n")
	"\n"
	"Options of 'pt record' may follow these. The command's own output is mixed with\n"
	"the lines. The exit status is the command's. Ctrl-C ends pt, and drops the lines\n"
	"that are not yet printed.\n"
	"\n"
	"Examples:\n"
	"  pt trace ls                           its calls\n"
	"  pt trace --insn -p $$ --for 10ms      what a process does now\n"
	"  pt trace -e intel_pt/cyc/u -- ls 2> /dev/null | head\n";

static const struct { const char *name, *preset; } views[] = {
	{ "calls", "call-trace" },
	{ "returns", "call-ret-trace" },
	{ "branches", "branches" },
	{ "insn", "insn-trace" },
};

/* The words of the command line for the recorder. */
struct words {
	struct arena *arena;
	char **at;
	u32 n, room;
};

static void add_word(struct words *w, const char *word)
{
	if (w->n + 1 >= w->room) {
		w->room = MAX(16u, w->room * 2);
		w->at = arena_grow(w->arena, w->at, sizeof(*w->at), w->n, w->room);
	}
	w->at[w->n++] = (char *)word;
	w->at[w->n] = NULL;
}

static void add_option(struct words *w, const struct opt *o, const char *name)
{
	size_t size = strlen(name) + (o->arg ? strlen(o->arg) : 0) + 8;
	char *word = arena_alloc(w->arena, size);
	bool letter = !name[1];

	fmt_str(word, size, "%s%s%s%s%s", letter ? "-" : "--", o->no ? "no-" : "", name,
		o->arg && !letter ? "=" : "", o->arg ? o->arg : "");
	add_word(w, word);
}

/* Take an option about the lines to print. False if it is an option of the recorder. */
static bool take(struct live *live, const struct opt *o, const char *name)
{
	size_t i;

	if (CONFIG_CONSOLE && !strcmp(name, "wide")) {
		live->wide = !o->no;
		return true;
	}
	if (CONFIG_SYSCALLS && !strcmp(name, "summary")) {
		live->syscalls = !o->no;
		return true;
	}
	if (CONFIG_SYSCALLS && !strcmp(name, "input")) {
		live->input = o->arg;
		return true;
	}
	for (i = 0; i < N_ELEM(views); i++)
		if (!strcmp(name, views[i].name)) {
			live->preset = views[i].preset;
			return true;
		}
	return false;
}

/* Divide the command line into our options and the recorder's. */
static void read_words(struct opt *o, struct live *live, struct words *w)
{
	const char *name;
	char **command;
	struct opt all;

	/* One table of options: ours, followed by those of 'pt record'. */
	opt_start(&all, help, o->argv);
	all.room = 2 * PACKED_MAX;
	while (opt_more(&all))
		;
	all.packed = cmd_record.help;
	all.plain_ends = true;
	add_word(w, "--quiet");
	while ((name = opt_next(&all)))
		if (!take(live, &all, name))
			add_option(w, &all, name);
	o->wants_help = all.wants_help;
	o->topic = all.topic;
	if (all.error)
		o->error = arena_str(w->arena, all.error);
	if (CONFIG_SYSCALLS && live->syscalls) {
		add_word(w, "-e");
		add_word(w, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	}
	add_word(w, "--");
	for (command = opt_words(&all); *command; command++)
		add_word(w, *command);
}

/* The recorder: run 'pt record' with these words. */
static int record(const struct words *w, int fd, int code_fd)
{
	struct opt o;
	int status;

	opt_start(&o, cmd_record.help, w->at);
	status = record_into(&o, fd, code_fd);
	return o.error ? fail(0, "%s (see pt trace --help)", o.error) : status;
}

/* The printer: run 'pt script' on standard input. */
static int print(const struct live *live, int fd, struct out *out)
{
	struct pollfd begins = { fd, POLLIN, 0 };
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, out->lines && !live->syscalls ? SIG_DFL : SIG_IGN);
	/* Else the recorder could not begin, and has said why. */
	while (poll(&begins, 1, -1) < 0)
		;
	if (!(begins.revents & POLLIN))
		return STATUS_FAILED;
	if (dup2(fd, 0) < 0)
		return fail(-errno, "cannot read a pipe");
	close(fd);
	status = CONFIG_SYSCALLS && live->syscalls ? syscalls_read("-", out) :
						     script_live(live, out);
	out_flush(out);
	return out->err && out->err != -EPIPE ? fail(out->err, "cannot write") : status;
}

enum { GRACE = 200 };		/* ms for the recorder to end after Ctrl-C */

struct tracing {
	struct live live;
	int pipe;		/* from the recorder */
	pid_t recorder, printer;	/* 0: it has ended ... */
	int recorded, printed;	/* ... with this wait status */
	u32 stops;		/* number of Ctrl-C and similar signals */
	u64 last_stop;		/* time of the last one, in ms */
	sigset_t old_mask;
};

/* Fork. The child has the signal mask that pt was started with. */
static pid_t fork_child(const struct tracing *t)
{
	pid_t pid = _Fork();

	if (!pid)
		sigprocmask(SIG_SETMASK, &t->old_mask, NULL);
	return pid;
}

static int start(struct tracing *t, const struct words *words, struct out *out)
{
	int ends[2], code;

	if (pipe2(ends, O_CLOEXEC))
		return fail(-errno, "cannot make a pipe");
	/* The recorder and the printer both have it: for code of the program's own making. */
	code = memfd_create("code", MFD_CLOEXEC);
	t->pipe = ends[0];
	t->recorder = fork_child(t);
	if (!t->recorder) {
		close(ends[0]);
		_exit(record(words, ends[1], code));
	}
	close(ends[1]);
	if (t->recorder > 0)
		t->printer = fork_child(t);
	if (!t->printer)
		_exit(print(&t->live, ends[0], out));
	if (t->recorder < 0 || t->printer < 0)
		return fail(-errno, "cannot start a process");
	return 0;
}

/* Collect the children that have ended. */
static void reap(struct tracing *t)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == t->recorder) {
			t->recorder = 0;
			t->recorded = status;
		} else if (pid == t->printer) {
			t->printer = 0;
			t->printed = status;
		}
	}
}

/* Forward a signal to the children. A terminal has sent Ctrl-C to them already; kill() has not. */
static void stop(struct tracing *t, const siginfo_t *got, bool on_terminal)
{
	struct timespec ts;
	u64 now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
	/* timeout(1) sends each signal twice. */
	if (!t->stops || now - t->last_stop > GRACE)
		t->stops++;
	t->last_stop = now;
	if (got->si_code <= 0 && t->recorder)
		kill(t->recorder, got->si_signo);
	if (t->printer && (on_terminal || t->stops > 1 || got->si_signo != SIGINT))
		kill(t->printer, SIGKILL);
}

/* Wait for the printer, or for the recorder if the printer has ended. After a stop the wait for the
 * recorder has a limit, because it waits for its command, which may ignore signals. */
static void wait_for(struct tracing *t, const sigset_t *signals, pid_t *child, bool on_terminal)
{
	const struct timespec grace = { 0, GRACE * 1000000 };
	siginfo_t got;
	int signal;

	for (reap(t); *child; reap(t)) {
		if (t->stops && child == &t->recorder)
			signal = sigtimedwait(signals, &got, &grace);
		else
			signal = sigwaitinfo(signals, &got);
		if (signal < 0 && errno == EAGAIN)
			break;
		if (signal > 0 && signal != SIGCHLD)
			stop(t, &got, on_terminal);
	}
}

/* Read and drop the pipe's contents, so that the recorder can continue. Returns the number of
 * bytes. */
static u64 drain(int fd)
{
	struct pollfd some = { .fd = fd, .events = POLLIN };
	char piece[64 << 10];
	u64 sum = 0;
	ssize_t n = 1;

	while (n && poll(&some, 1, GRACE) > 0) {
		n = read(fd, piece, sizeof(piece));
		if (n < 0)
			break;
		sum += n;
	}
	return sum;
}

/* The printer has ended before the recorder: end the recorder. Returns the number of dropped
 * bytes. */
static u64 end_recording(struct tracing *t, bool on_terminal)
{
	reap(t);
	if (on_terminal && t->stops)
		tcflush(1, TCOFLUSH);
	if (t->recorder && !t->stops)
		kill(t->recorder, SIGTERM);
	return drain(t->pipe) + *t->live.undecoded;
}

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int follow(struct tracing *t, const sigset_t *signals, struct out *out)
{
	bool on_terminal = out->lines && !t->live.syscalls;
	u64 dropped = 0;

	wait_for(t, signals, &t->printer, on_terminal);
	if (WIFSIGNALED(t->printed) || t->recorder)
		dropped = end_recording(t, on_terminal);
	close(t->pipe);
	wait_for(t, signals, &t->recorder, on_terminal);
	if (!WIFSIGNALED(t->printed) || !t->stops)
		return t->recorded ? status_of(t->recorded) : status_of(t->printed);
	if (on_terminal)
		out_newline(out);	/* the last line was printed in part */
	warn(0, "stopped: about %llu kB of trace were dropped, not printed",
	     (dropped + 1023) >> 10);
	return t->recorded ? status_of(t->recorded) : 128 + SIGINT;
}

static int trace(struct opt *o, struct out *out)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	static struct arena arena;
	struct words words = { .arena = &arena };
	struct tracing t = { .live.preset = views[0].preset };
	sigset_t set;
	size_t i;
	int err;

	read_words(o, &t.live, &words);
	if (opt_stopped(o))
		return STATUS_FAILED;
	if (CONFIG_SYSCALLS && t.live.input && !t.live.syscalls)
		return fail(0, "--input is for -s; to print a file: pt script -i %s",
			    t.live.input);
	if (CONFIG_SYSCALLS && t.live.input)
		return syscalls_read(t.live.input, out);
	t.live.undecoded = mmap(NULL, sizeof(u64), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t.live.undecoded == MAP_FAILED)
		return fail(-errno, "cannot share memory");
	sigemptyset(&set);
	for (i = 0; i < N_ELEM(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &t.old_mask);
	err = start(&t, &words, out);
	return err ? err : follow(&t, &set, out);
}

const struct command cmd_trace = { "trace", "record and print while a program runs", help, trace };
