/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process with threads, and its child, which makes threads in a PID namespace of its own, if
 * that is permitted. Prints when it has begun, and a sum that is always the same.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 400, WORK = 100000 };

static void *work(void *seed)
{
	unsigned long v = (unsigned long)seed;
	int i;

	for (i = 0; i < WORK; i++) {
		v = v * 31 + i;
		if (v & 64)
			v ^= i;
	}
	return (void *)v;
}

/* Threads of the first process: they make system calls, too. */
static void *stay(void *seed)
{
	void *v = seed;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		v = work(v);
		usleep(100);
	}
	return v;
}

static unsigned long join(pthread_t *t, unsigned long sum)
{
	void *v;
	int i;

	for (i = 0; i < THREADS; i++) {
		pthread_join(t[i], &v);
		sum = sum * 7 + (unsigned long)v;
	}
	return sum;
}

static void start(pthread_t *t, void *(*run)(void *), long seed)
{
	long i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, run, (void *)(seed + i));
}

int main(void)
{
	unsigned long sum = 0, inner = 0;
	pthread_t t[THREADS];
	int ends[2], i;

	puts("began");
	fflush(stdout);
	if (pipe(ends))
		return 1;
	start(t, stay, 0);
	unshare(CLONE_NEWPID);
	if (!fork()) {
		for (i = 0; i < ROUNDS; i++) {
			start(t, work, i);
			sum = join(t, sum);
		}
		write(ends[1], &sum, sizeof(sum));
		_exit(0);
	}
	read(ends[0], &inner, sizeof(inner));
	wait(NULL);
	printf("%lx\n", join(t, inner));
	return 0;
}
