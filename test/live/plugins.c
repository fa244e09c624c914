/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads map code of a file, call it, and unmap it, all at the same time: plugins ROUNDS. Prints
 * the sum of what the calls returned.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugins.h"

static long sums[N];
static int fd, rounds;

static void *run(void *arg)
{
	long n = (long)arg, i;
	int (*call)(void);

	for (i = 0; i < rounds; i++) {
		call = (int (*)(void))mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
					   codes[n] - __executable_start);
		sums[n] += call() + call();
		munmap((void *)call, PAGE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[N];
	long i, sum = 0;

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	for (i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (i = 0; i < N; i++) {
		pthread_join(threads[i], NULL);
		sum += sums[i];
	}
	printf("%ld\n", sum);
	return 0;
}
