// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program that does a little of everything: sorts, floating point, faults that a handler leaves
// by siglongjmp(), clocks, timers, threads, a child. Its output is always the same.
// usage: everything [ROUNDS [FILE]]: until FILE exists, it goes on, and prints nothing

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 2000, FAULTS = 20, THREADS = 3 };

static sigjmp_buf before;
static volatile int alarms;

static void on_fault(int signal)
{
	siglongjmp(before, signal);
}

static void on_alarm(int signal)
{
	alarms++;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned int sorts(void)
{
	static int v[N];
	unsigned int x = 1, sum = 0;
	int i;

	for (i = 0; i < N; i++) {
		x = x * 1103515245 + 12345;
		v[i] = x >> 3;
	}
	qsort(v, N, sizeof(*v), compare);
	for (i = 0; i < N; i++)
		sum = sum * 31 + v[i];
	return sum;
}

static int faults(void)
{
	volatile int i, n = 0;

	for (i = 0; i < FAULTS; i++)
		if (sigsetjmp(before, 1))
			n++;
		else
			*(volatile int *)(8L * i) = 1;
	return n;
}

static void *counts(void *arg)
{
	unsigned int x = (unsigned long)arg;
	int i;

	for (i = 0; i < 50000; i++)
		x = x & 64 ? x * 1664525 + 1013904223 : x + i;
	return (void *)(unsigned long)x;
}

static unsigned int threads(void)
{
	pthread_t thread[THREADS];
	unsigned int sum = 0;
	void *x;
	long i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, counts, (void *)i);
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &x);
		sum += (unsigned long)x;
	}
	return sum;
}

static int child(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(sorts() & 63);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 20000 }, { 0, 20000 } };
	int i, n = argc > 1 ? atoi(argv[1]) : 1;
	struct timespec now;
	long double l = 1;
	double d = 1;

	signal(SIGSEGV, on_fault);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (n--) {
		for (i = 1; i < 100; i++) {
			d += d / i / 100;
			l *= 1.0001L;
			clock_gettime(CLOCK_MONOTONIC, &now);
		}
		printf("%u %d %u %d %.9g %.9Lg\n", sorts(), faults(), threads(), child(), d, l);
		fflush(stdout);
	}
	while (!alarms || (argc > 2 && access(argv[2], F_OK)))
		sorts();
	return 3;
}
