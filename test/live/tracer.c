/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that traces, as debuggers, strace and sanitizers do: a child that asks for it, also after
 * vfork(), a child that does not, and its own process.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long word = 12345, seen;
static volatile int go;
static long stack[8192];

/* Read the word of a stopped child, then let it end. Returns what it ended with. */
static int finish(pid_t child)
{
	int status;
	long got = ptrace(PTRACE_PEEKDATA, child, &word, 0);

	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, &status, 0);
	return got == word && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int by_request(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(3);
	}
	waitpid(child, &status, 0);
	return WIFSTOPPED(status) ? finish(child) : -2;
}

static int by_vfork(char *self)
{
	pid_t child = vfork();
	int status;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(self, self, "4", NULL);
		_exit(9);
	}
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		return -2;
	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int by_attaching(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		for (;;)
			pause();
	}
	if (ptrace(PTRACE_ATTACH, child, 0, 0))
		return -2;
	waitpid(child, &status, 0);
	word++;
	if (ptrace(PTRACE_PEEKDATA, child, &word, 0) != word - 1)
		return -1;
	ptrace(PTRACE_DETACH, child, 0, 0);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 5;
}

/* A leak checker looks at its process from a thread that nobody traces. */
static int watch(void *process)
{
	pid_t pid = *(pid_t *)process;
	int status;

	if (ptrace(PTRACE_ATTACH, pid, 0, 0))
		return 1;
	waitpid(pid, &status, __WALL);
	seen = ptrace(PTRACE_PEEKDATA, pid, &word, 0);
	go = 1;
	ptrace(PTRACE_DETACH, pid, 0, 0);
	return 0;
}

static int by_thread(void)
{
	pid_t self = getpid(), thread;
	int status;

	thread = clone(watch, stack + 8192, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED,
		       &self);
	waitpid(thread, &status, __WALL);
	return go && seen == word ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return atoi(argv[1]);
	printf("request %d\n", by_request());
	printf("vfork %d\n", by_vfork(argv[0]));
	printf("attach %d\n", by_attaching());
	fflush(stdout);
	printf("thread %d\n", by_thread());
	return 7;
}
