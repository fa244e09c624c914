/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --last N of calls or instructions, for commands that do not print lines: another process first
 * reads the file, and counts what there is.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/sandbox.h>
#include "ask.h"

/* What the options select in the whole trace. */
struct counts { u64 calls, insns; };

static bool count(struct ask *a, struct counts *n)
{
	const struct sample *s;
	struct entry e;
	int err;

	if (ask_open(a) || ask_start(a))
		return false;
	while ((err = listing_next(a->list, &e)) > 0) {
		s = e.kind == ENTRY_SAMPLE && e.wanted ? e.sample : NULL;
		n->insns += s && s->kind == SAMPLE_INSN;
		n->calls += s && s->kind == SAMPLE_BRANCH && s->flags & FLAG_CALL;
	}
	return !err;
}

/* The process that counts prints no messages: the process that reads the trace again prints the
 * same ones. */
static _Noreturn void count_to(struct ask *a, int to)
{
	struct counts n = { 0 };

	a->quiet = true;
	a->list->itrace = (struct itrace){ .instructions = true, .period = 1, .branches = true };
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	_exit(!count(a, &n) || write(to, &n, sizeof(n)) != sizeof(n));
}

int ask_count(struct ask *a)
{
	struct window *w = &a->list->window;
	struct counts n = { 0 };
	int fd[2], status;
	pid_t pid;

	if (!a->last_calls && !a->last_insns)
		return 0;
	if (!strcmp(a->list->path, "-"))
		return fail(0, "--last of calls or instructions reads the file twice; "
			    "store it first");
	if (pipe2(fd, O_CLOEXEC))
		return fail(-errno, "cannot make a pipe");
	pid = _Fork();
	if (!pid)
		count_to(a, fd[1]);
	close(fd[1]);
	/* If it failed, everything is selected, and the second reading says why. */
	if (pid < 0 || read(fd[0], &n, sizeof(n)) != sizeof(n))
		n = (struct counts){ 0 };
	close(fd[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	w->skip_calls = a->last_calls ? n.calls - MIN(n.calls, a->last_calls) : 0;
	w->skip_insns = a->last_insns ? n.insns - MIN(n.insns, a->last_insns) : 0;
	return 0;
}
