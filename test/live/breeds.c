/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes children by vfork() all the time, which run this program, while SIGCHLD is blocked. Another
 * thread counts. Ends after SIGTERM, and prints how many children failed.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop, count;

static void on_term(int sig)
{
	stop = 1;
}

static void *counts(void *unused)
{
	while (!stop)
		count++;
	return NULL;
}

int main(int argc, char **argv)
{
	int status, bad = 0;
	pthread_t thread;
	sigset_t chld;
	pid_t pid;

	if (argc > 1)
		return 7;
	signal(SIGTERM, on_term);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	pthread_create(&thread, NULL, counts, NULL);
	while (!stop) {
		pid = vfork();
		if (!pid) {
			execl("/proc/self/exe", "breeds", "child", (char *)0);
			_exit(1);
		}
		bad += waitpid(pid, &status, 0) != pid || status != 7 << 8;
	}
	pthread_join(thread, NULL);
	printf("%d\n", bad);
	return 0;
}
