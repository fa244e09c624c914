/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * More code than fits into the code cache, beside a thread that always runs the same code. Prints
 * whether all of it was executed, and whether memory other than its own stayed below 64 MiB.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STEP = 32, SIZE = 4 << 20, ROUNDS = 3 };

static volatile int stop;
static volatile unsigned spins;

static void *spin(void *none)
{
	while (!stop)
		spins += rand() & 1;
	return none;
}

static unsigned long anonymous(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	unsigned long kb = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "Anonymous: %lu", &kb);
	if (file)
		fclose(file);
	return kb;
}

static unsigned fill(unsigned char *at, unsigned round)
{
	unsigned i, sum = 0;

	for (i = 0; i < SIZE / STEP; i++, at += STEP) {
		unsigned v = i * 31 + round;

		memcpy(at, (unsigned char[]){ 0xb8, v, v >> 8, v >> 16, v >> 24, 0xc3 }, 6);
		sum += v;
	}
	return sum;
}

int main(void)
{
	unsigned long most = 0;
	unsigned i, round, sum = 0;
	unsigned char *code;
	pthread_t t;

	pthread_create(&t, NULL, spin, NULL);
	for (round = 0; round < ROUNDS; round++) {
		code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sum -= fill(code, round);
		mprotect(code, SIZE, PROT_READ | PROT_EXEC);
		for (i = 0; i < SIZE; i += STEP)
			sum += ((unsigned (*)(void))(code + i))();
		munmap(code, SIZE);
		most = anonymous() > most ? anonymous() : most;
	}
	stop = 1;
	pthread_join(t, NULL);
	printf("%u %d\n", sum, most < 64 << 10);
	return 0;
}
