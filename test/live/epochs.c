/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread that calls and returns all the time, while another one executes more code than fits into
 * the code cache, several times.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { STEP = 32, SIZE = 4 << 20, ROUNDS = 8, THREADS = 1, DEEP = 40 };

static volatile int stop;

__attribute__((noinline)) static unsigned deep(unsigned n)
{
	return n ? deep(n - 1) + (n & 1) : stop;
}

static void *climb(void *none)
{
	while (deep(DEEP) == DEEP / 2)
		;
	return none;
}

int main(void)
{
	unsigned i, round, sum = 0;
	pthread_t t[THREADS];
	unsigned char *code;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, climb, NULL);
	for (round = 0; round < ROUNDS; round++) {
		code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (i = 0; i < SIZE; i += STEP)
			memcpy(code + i, "\xb8\1\0\0\0\xc3", 6);	/* mov $1, %eax; ret */
		mprotect(code, SIZE, PROT_READ | PROT_EXEC);
		for (i = 0; i < SIZE; i += STEP)
			sum += ((unsigned (*)(void))(code + i))();
		munmap(code, SIZE);
	}
	stop = 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("%u\n", sum);
	return 0;
}
