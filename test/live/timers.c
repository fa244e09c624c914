/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that compete for a mutex while a timer interrupts them, with child processes in between.
 * The sums must be correct.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, TURNS = 20000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_long atomic, signals;
static long locked;

static void tick(int sig)
{
	signals++;
}

static void *turns(void *nothing)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&mutex);
		locked++;
		pthread_mutex_unlock(&mutex);
		atomic++;
	}
	return NULL;
}

static int child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(7);
	while (waitpid(pid, &status, 0) < 0)
		;
	return WEXITSTATUS(status);
}

int main(void)
{
	struct sigaction action = { .sa_handler = tick, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t threads[THREADS];
	int i, sum = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, turns, NULL);
	for (i = 0; i < 5; i++)
		sum += child();
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (!signals)
		;
	printf("%ld %ld %d\n", locked, (long)atomic, sum);
	return 6;
}
