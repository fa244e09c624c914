/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A long loop in memory that another process may change, so that its blocks compare their code each
 * time. It begins with a jump that goes farther than a block may compare. A second thread waits in
 * the meantime: its records follow those of the first.
 *
 * Before, a function that overwrites the flags is replaced by one that reads those of its caller.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { TIMES = 1500000 };	/* more branches than a ring has bytes */
enum { FAR = 300 };

static sem_t begun, done;

static void *wait_for(void *unused)
{
	sem_post(&begun);
	sem_wait(&done);
	return unused;
}

/* Call 'function' with the flag Z set. */
static int call_with_zero(void *function)
{
	int result = 0;

	asm volatile("lea -128(%%rsp), %%rsp; cmp %%eax, %%eax; call *%1; lea 128(%%rsp), %%rsp"
		     : "+a"(result) : "r"(function) : "memory", "cc");
	return result;
}

/* 1 if the new function gets the flag. */
static int replace(void *at)
{
	static const unsigned char writes[] = { 0x31, 0xc0, 0xc3 };		/* xor %eax, %eax */
	static const unsigned char reads[] = { 0x0f, 0x94, 0xc0, 0xc3 };	/* sete %al */

	memcpy(at, writes, sizeof(writes));
	if (call_with_zero(at))
		return -1;
	memcpy(at, reads, sizeof(reads));
	return call_with_zero(at);
}

int main(void)
{
	static const unsigned char begin[] = {
		0x31, 0xc0, 0xe9, FAR & 255, FAR >> 8, 0, 0,	/* xor %eax, %eax; jmp */
	};
	static const unsigned char count[] = {
		0xff, 0xc0, 0xff, 0xcf,		/* inc %eax; dec %edi */
		0x75, 0xfa, 0xc3,		/* jne; ret */
	};
	char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	printf("%d\n", replace(at));
	memset(at, 0xcc, 4096);
	memcpy(at, begin, sizeof(begin));
	memcpy(at + sizeof(begin) + FAR, count, sizeof(count));
	sem_init(&begun, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, wait_for, NULL);
	sem_wait(&begun);
	printf("%d\n", ((int (*)(int))(void *)at)(TIMES) - TIMES);
	sem_post(&done);
	pthread_join(thread, NULL);
	return 0;
}
