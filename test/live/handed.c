/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One thread maps code of a file and calls it; another one calls it, too, and unmaps it at once.
 * The same place has other code the next time. The second one waits without a system call, so its
 * last time may be before that of the map. A third thread has just had many branches: pt reads them
 * between the records of the other two. handed ROUNDS: prints the sum of what the calls returned.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugins.h"

enum { PLACES = 3, BRANCHES = 100000, SPINS = 1000 };
#define PLACE ((char *)0x600000000)

static _Atomic(int (*)(void)) code;
static atomic_int busy = 1;
static volatile long sums[2];
static int fd, rounds;

static void *maps(void *arg)
{
	int (*call)(void), i;

	for (i = 0; i < rounds; i++) {
		while (busy)
			sched_yield();
		call = (int (*)(void))mmap(PLACE + i % PLACES * 2 * PAGE, PAGE,
					   PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
					   codes[i % N] - __executable_start);
		sums[0] += call();
		code = call;
		while (code)
			sched_yield();
		busy = 1;
	}
	return NULL;
}

static void *branches(void *arg)
{
	int i, k;

	for (i = 0; i < rounds; i++) {
		while (!busy)
			sched_yield();
		for (k = 0; k < BRANCHES; k++)
			__asm__ volatile("lea 1f(%%rip), %%rax\n jmp *%%rax\n 1:" : : : "rax");
		busy = 0;
	}
	return NULL;
}

static void *unmaps(void *arg)
{
	int (*call)(void), i, k;

	for (i = 0; i < rounds; i++) {
		for (k = 1; !(call = code); k++)
			if (!(k % SPINS))
				sched_yield();
		sums[1] += call();
		munmap((void *)call, PAGE);
		code = NULL;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *(*const run[])(void *) = { maps, branches, unmaps };
	pthread_t threads[3];
	int i;

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run[i], NULL);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", sums[0] + sums[1]);
	return 0;
}
