/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that wait for each other in all possible ways, and many short-lived threads.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static long total;
static volatile int turn;

static void *work(void *arg)
{
	long i, mine = (long)arg;

	pthread_barrier_wait(&barrier);
	for (i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		total += i;
		pthread_mutex_unlock(&lock);
	}
	while (turn != mine)	/* all turns of the loop are in the trace */
		if (++i % 100 == 0)
			sched_yield();
	turn = mine + 1;
	return NULL;
}

static void *nothing(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	int many = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t t[4];
	long i;

	pthread_barrier_init(&barrier, NULL, 4);
	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < many; i++) {
		pthread_create(&t[0], NULL, nothing, NULL);
		pthread_join(t[0], NULL);
	}
	printf("total %ld, turn %d, many %d\n", total, turn, many);
	return 3;
}
