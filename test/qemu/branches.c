/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program with calls, indirect calls, signals, threads and a child process. With an argument it
 * runs until it is killed.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void handler(int signal)
{
}

static void *thread(void *arg)
{
	volatile int x = 0;
	int i;

	for (i = 0; i < 100; i++)
		x += fib(5);
	return NULL;
}

static void sort(void)
{
	int a[64], i;

	for (i = 0; i < 64; i++)
		a[i] = i * 7919 % 101;
	qsort(a, 64, sizeof(*a), compare);
}

int main(int argc, char **argv)
{
	volatile long x = 0;
	pthread_t t[3];
	pid_t child;
	int i;

	while (argc > 1)
		x += fib(12);
	signal(SIGUSR1, handler);
	fib(12);
	sort();
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	for (i = 0; i < 3; i++)
		pthread_create(t + i, NULL, thread, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	child = fork();
	if (!child) {
		fib(10);
		_exit(7);
	}
	waitpid(child, NULL, 0);
	usleep(1000);
	return 5;
}
