/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first process of a PID namespace, as in a container: signals without a handler do nothing to
 * it, but faults kill it. Prints the status of each. Status 1: not allowed here.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KINDS = 8 };

static int *volatile nowhere = (int *)8;

static void *fault(void *unused)
{
	*nowhere = 1;
	return unused;
}

static int first(int kind)
{
	pthread_t thread;
	sigset_t all;

	sigfillset(&all);
	switch (kind) {
	case 0:
		raise(SIGTERM);
		raise(SIGSEGV);
		raise(SIGTRAP);
		return 9;
	case 1:
		fault(NULL);
	case 2:
		__asm__("ud2");
	case 3:
		__asm__("int3");
	case 4:
		abort();
	case 5:
		sigprocmask(SIG_SETMASK, &all, NULL);
		fault(NULL);
	case 6:
		signal(SIGSEGV, SIG_IGN);
		fault(NULL);
	}
	pthread_create(&thread, NULL, fault, NULL);
	pthread_join(thread, NULL);
	return 0;
}

int main(void)
{
	int kind, status;
	pid_t pid;

	for (kind = 0; kind < KINDS; kind++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			if (unshare(CLONE_NEWPID))
				return 1;
			pid = fork();
			if (!pid)
				return first(kind);
			waitpid(pid, &status, 0);
			printf("%d: %s %d\n", kind, WIFSIGNALED(status) ? "signal" : "status",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
			return 0;
		}
		waitpid(pid, &status, 0);
		if (status)
			return 1;
	}
	return 0;
}
