/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads execute a call in memory that can be written, and another thread changes where it goes,
 * as JITs patch calls: with one store of four bytes, while the threads are there.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 3, TARGETS = 8, CHANGES = 1500, CALL_END = 16, TARGET = 512, SIZE = 64 };

typedef int function(int);

static unsigned char *code;
static volatile int ends;

static void *calls(void *wrong)
{
	function *f = (function *)code;
	int i, result;

	while (!ends)
		for (i = 0; i < 200; i++) {
			result = f(i & 3);
			*(long *)wrong += result < 0 || result >= TARGETS;
		}
	return NULL;
}

static void change(int i)
{
	__atomic_store_n((int *)(code + CALL_END - 4), TARGET + i * SIZE - CALL_END,
			 __ATOMIC_SEQ_CST);
}

int main(void)
{
	/* test %edi, %edi; je over; six times nop; over: nop; call; ret */
	static const unsigned char caller[] = {
		0x85, 0xff, 0x74, 0x06, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
		0x90, 0xe8, 0, 0, 0, 0, 0xc3,
	};
	/* mov $i, %eax; test %edi, %edi; je over; nop; nop; over: ret */
	unsigned char target[] = {
		0xb8, 0, 0, 0, 0, 0x85, 0xff, 0x74, 0x02, 0x90, 0x90, 0xc3,
	};
	pthread_t thread[THREADS];
	long wrong[THREADS] = { 0 }, sum = 0;
	int i;

	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	memcpy(code, caller, sizeof(caller));
	for (i = 0; i < TARGETS; i++) {
		target[1] = i;
		memcpy(code + TARGET + i * SIZE, target, sizeof(target));
	}
	change(0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, calls, &wrong[i]);
	for (i = 0; i < CHANGES; i++) {
		usleep(i & 1 ? 100 : 0);
		change(i % TARGETS);
	}
	ends = 1;
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		sum += wrong[i];
	}
	printf("%ld wrong\n", sum);
	return 0;
}
