/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that make and change code together, in the same pages: modified THREADS ROUNDS. Each
 * writes functions and calls them at once; what they return is checked. A timer interrupts them.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { PAGE = 4096, SLOT = 64, MAX = 16, ALL = PROT_READ | PROT_WRITE | PROT_EXEC };

typedef unsigned function(unsigned);

static unsigned char *shared, *edge;
static unsigned rounds;
static volatile long ticks;

/* v + n, counted in a loop, so that signals come inside. */
static void make(unsigned char *to, unsigned v)
{
	unsigned char code[] = { 0xb8, v, v >> 8, v >> 16, v >> 24,	/* mov $v, %eax */
#ifdef __i386__
				 0x8b, 0x4c, 0x24, 4,			/* mov 4(%esp), %ecx */
				 0x40, 0x49, 0x75, 0xfc, 0xc3 };	/* inc; dec; jne; ret */
#else
				 0xff, 0xc0, 0xff, 0xcf,		/* inc %eax; dec %edi */
				 0x75, 0xfa, 0xc3 };			/* jne; ret */
#endif

	memcpy(to, code, sizeof(code));
}

static unsigned call(unsigned char *at, unsigned n)
{
	return ((function *)at)(n);
}

/* Memory that is writable and executable at the same time; others write beside it. */
static unsigned beside(unsigned me, unsigned i)
{
	unsigned char *at = shared + me * SLOT;

	make(at, i * 5);
	return call(at, 100) - 100 - i * 5;
}

/* Over the border of two such pages. */
static unsigned over(unsigned me, unsigned i)
{
	unsigned char *at = edge + me * 2 * PAGE + PAGE - 1 - i % 11;

	make(at, i * 3);
	return call(at, 50) - 50 - i * 3;
}

/* Memory that comes and goes, at places that others had before. */
static unsigned fleeting(unsigned me, unsigned i)
{
	unsigned char *at = mmap(NULL, 2 * PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned bad;

	make(at + 8 * me, i * 7 + me);
	bad = call(at + 8 * me, 30) - 30 - i * 7 - me;
	munmap(at, 2 * PAGE);
	return bad;
}

/* Writable first, executable later, and once more. */
static unsigned switched(unsigned me, unsigned i)
{
	unsigned char *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
	unsigned bad = 0, k;

	for (k = 0; k < 3; k++) {
		make(at + 16 * k, i + k);
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
		bad |= call(at + 16 * k, 20) - 20 - i - k;
		mprotect(at, PAGE, k == 1 ? ALL : PROT_READ | PROT_WRITE);
		make(at, i * 9 + k);
		if (k == 1)
			bad |= call(at, 20) - 20 - i * 9 - k;
	}
	at = mremap(at, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
	make(at + PAGE, i);
	mprotect(at, 2 * PAGE, ALL);
	bad |= call(at + PAGE, 9) - 9 - i;
	munmap(at, 2 * PAGE);
	return bad;
}

/* Moved, with its rights. */
static unsigned moved(unsigned me, unsigned i)
{
	unsigned char *at = mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *to;
	unsigned bad;

	make(at, i);
	bad = call(at, 9) - 9 - i;
	to = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	at = mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	bad |= call(at, 9) - 9 - i;
	make(at, i * 5 + me + 1);
	bad |= call(at, 9) - 10 - i * 5 - me;
	munmap(at, PAGE);
	return bad;
}

static void *run(void *p)
{
	unsigned me = (unsigned long)p, i, bad = 0;

	for (i = 0; i < rounds; i++)
		bad += !!beside(me, i) + !!over(me, i) + !!fleeting(me, i) + !!switched(me, i) +
		       !!moved(me, i);
	return (void *)(unsigned long)bad;
}

/* Another makes all that is shared writable once more: nobody may notice. */
static void *touch(void *p)
{
	volatile int *stop = p;
	unsigned n = 0;

	while (!*stop) {
		mprotect(shared, PAGE, ALL);
		shared[PAGE - 1 - n % SLOT] = n;
		n++;
	}
	return NULL;
}

static void tick(int sig)
{
	ticks++;
}

int main(int argc, char **argv)
{
	unsigned n = atoi(argv[1]), i, bad = 0;
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	static volatile int stop;
	pthread_t t[MAX], other;
	void *got;

	rounds = atoi(argv[2]);
	shared = mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	edge = mmap(NULL, MAX * 2 * PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_create(&other, NULL, touch, (void *)&stop);
	for (i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, (void *)(unsigned long)i);
	for (i = 0; i < n; i++) {
		pthread_join(t[i], &got);
		bad += (unsigned long)got;
	}
	stop = 1;
	pthread_join(other, NULL);
	printf("%u wrong\n", bad);
	return 0;
}
