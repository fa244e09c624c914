/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads with different priorities (SCHED_FIFO) on one processor call functions that they make
 * all the time. A thread may be interrupted at any place by one with a higher priority, and goes
 * on only when that one sleeps. Status 1: not allowed here.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { N = 4, ROUNDS = 200, FUNCTIONS = 100, SIZE = 4096 };

static long total;

static void *work(void *number)
{
	const long rank = (long)number;
	const struct timespec pause = { 0, 200000 + rank * 10007 };
	long i, k, sum = 0;

	for (i = 0; i < ROUNDS; i++) {
		unsigned char *code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
					   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (k = 0; k < FUNCTIONS; k++)		/* lea k(%rdi), %eax; ret */
			memcpy(code + k * 16, (char[]){ 0x8d, 0x47, k, 0xc3 }, 4);
		for (k = 0; k < FUNCTIONS; k++)
			sum += ((int (*)(int))(code + k * 16))(1);
		munmap(code, SIZE);
		if (rank)
			nanosleep(&pause, NULL);
	}
	__atomic_fetch_add(&total, sum, __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	cpu_set_t one;
	long i;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return 1;
	for (i = 0; i < N; i++) {
		struct sched_param priority = { .sched_priority = (int)i };

		pthread_create(&threads[i], NULL, work, (void *)i);
		if (i && pthread_setschedparam(threads[i], SCHED_FIFO, &priority))
			return 1;
	}
	for (i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", total);
	return 0;
}
