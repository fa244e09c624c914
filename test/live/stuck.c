/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program in which one thread sleeps in the kernel and cannot be stopped (its child by vfork()
 * sleeps), while another one counts.
 * usage: stuck SECONDS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int over;
static int seconds;

static void *sleeps(void *arg)
{
	pid_t pid = vfork();

	if (!pid) {
		struct timespec ts = { seconds, 0 };

		syscall(SYS_nanosleep, &ts, NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	over = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	struct timespec last, now;
	long longest = 0, ms;
	pthread_t thread;

	seconds = argc > 1 ? atoi(argv[1]) : 1;
	printf("%d\n", getpid());
	fflush(stdout);
	pthread_create(&thread, NULL, sleeps, NULL);
	clock_gettime(CLOCK_MONOTONIC, &last);
	while (!over) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		ms = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
		longest = ms > longest ? ms : longest;
		last = now;
	}
	pthread_join(thread, NULL);
	fprintf(stderr, "longest pause: %ld ms\n", longest);
	puts("done");
	return 0;
}
