/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code in memory that is mapped twice: it is written through one map and executed through the
 * other, as some JIT compilers do. No page can be guarded. Each call must execute the code that was
 * written last, also if the caller runs in a loop, and if a signal interrupts it. Prints the number
 * of wrong results.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { PAGE = 4096, CHANGES = 300, CALLS = 100, SIGNALS = 50 };

/* Returns its number; its loop adds this 1,000 times; returns the carry flag. */
static const unsigned char number[] = { 0xb8, 0, 0, 0, 0, 0xc3 };
static const unsigned char loop[] = {
	0x31, 0xc0,			/* xor %eax, %eax */
	0xb9, 0xe8, 3, 0, 0,		/* mov $1000, %ecx */
	0x05, 0, 0, 0, 0,		/* 1: add $number, %eax */
	0xff, 0xc9,			/* dec %ecx */
	0x75, 0xf7,			/* jnz 1b */
	0xc3,
};
static const unsigned char carry[] = {
	0xe8, 3, 0, 0, 0,		/* call 1f */
	0x19, 0xc0, 0xc3,		/* sbb %eax, %eax; ret */
	0xf8, 0xc3,			/* 1: clc, or stc; ret */
};
enum { NUMBER = 0, LOOP = 100, CARRY = 200 };

static volatile int n_signals;

static void count(int signal)
{
	n_signals++;
}

int main(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } };
	int fd = memfd_create("code", 0), i, k, wrong = 0;
	unsigned char *to, *code;

	if (fd < 0 || ftruncate(fd, PAGE))
		return 1;
	to = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (to == MAP_FAILED || code == MAP_FAILED)
		return 1;
	memcpy(to + NUMBER, number, sizeof(number));
	memcpy(to + LOOP, loop, sizeof(loop));
	memcpy(to + CARRY, carry, sizeof(carry));
	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < CHANGES || n_signals < SIGNALS; i++) {
		int v = (unsigned int)i << i % 25, c = i & 1;

		memcpy(to + NUMBER + 1, &v, sizeof(v));
		memcpy(to + LOOP + 8, &i, sizeof(i));
		to[CARRY + 8] = 0xf8 + c;
		asm volatile("" : : : "memory");
		for (k = 0; k < CALLS; k++) {
			wrong += ((int (*)(void))(code + NUMBER))() != v;
			wrong += ((int (*)(void))(code + CARRY))() != -c;
		}
		wrong += ((int (*)(void))(code + LOOP))() != 1000 * i;
	}
	printf("%d wrong\n", wrong);
	return 0;
}
