/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One thread writes code over other code and calls it; another one, which waits without a system
 * call, calls it, too: remade ROUNDS. Prints the sum of what the calls returned.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plugins.h"

enum { PLACES = 8, APART = 256, SIZE = 64, SPINS = 1000 };

static _Atomic(int (*)(void)) code;
static volatile long sums[2];
static char *page;
static int rounds;

static void *makes(void *arg)
{
	int (*call)(void), i;

	for (i = 0; i < rounds; i++) {
		call = (int (*)(void))(page + i / (4 * N) % PLACES * APART);
		memcpy((void *)call, codes[i % N], SIZE);
		sums[0] += call();
		code = call;
		while (code)
			sched_yield();
	}
	return NULL;
}

static void *calls(void *arg)
{
	int (*call)(void), i, k;

	for (i = 0; i < rounds; i++) {
		for (k = 1; !(call = code); k++)
			if (!(k % SPINS))
				sched_yield();
		sums[1] += call();
		code = NULL;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	page = mmap(NULL, PLACES * APART, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&threads[0], NULL, makes, NULL);
	pthread_create(&threads[1], NULL, calls, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("%ld\n", sums[0] + sums[1]);
	return 0;
}
