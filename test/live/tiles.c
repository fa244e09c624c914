/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two threads multiply matrices in AMX tiles, while signals come whose handler, on a stack of its
 * own, uses the tiles, too. Prints the sum of all, and how often a tile was wrong; or that there is
 * no AMX.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIZE = 1024, REQUEST = 0x1023, TILES = 18, MIN_STACK = 51, ROUNDS = 4000 };

static int wrong;

/* Eight tiles of 16 rows of 64 bytes. */
static void configure(void)
{
	static const struct {
		unsigned char palette, start, none[14];
		unsigned short bytes[16];
		unsigned char rows[16];
	} config = {
		.palette = 1, .bytes = { 64, 64, 64, 64, 64, 64, 64, 64 },
		.rows = { 16, 16, 16, 16, 16, 16, 16, 16 },
	};

	asm volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0x00" :: "a"(&config));	/* ldtilecfg */
}

static void load1(const void *p)
{
	asm volatile(".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x0c, 0x08" :: "a"(p), "c"(64L) : "memory");
}

static void load2(const void *p)
{
	asm volatile(".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x14, 0x08" :: "a"(p), "c"(64L) : "memory");
}

static void store0(void *p)
{
	asm volatile(".byte 0xc4, 0xe2, 0x7a, 0x4b, 0x04, 0x08" :: "a"(p), "c"(64L) : "memory");
}

static void store1(void *p)
{
	asm volatile(".byte 0xc4, 0xe2, 0x7a, 0x4b, 0x0c, 0x08" :: "a"(p), "c"(64L) : "memory");
}

/* tilezero; tdpbssd tmm2, tmm1, tmm0 */
static void clear(void) { asm volatile(".byte 0xc4, 0xe2, 0x7b, 0x49, 0xc0"); }
static void multiply(void) { asm volatile(".byte 0xc4, 0xe2, 0x6b, 0x5e, 0xc1"); }
static void release(void) { asm volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0"); }

static void use_tiles(int sig)
{
	char in[SIZE], out[SIZE];

	memset(in, sig, SIZE);
	configure();
	load1(in);
	store1(out);
	release();
	wrong += memcmp(in, out, SIZE) != 0;
}

static void *work(void *seed)
{
	unsigned int i, round, x = *(int *)seed, sum = 0, product[SIZE / 4];
	unsigned char a[SIZE], b[SIZE], back[SIZE];
	stack_t own = { .ss_size = getauxval(MIN_STACK) + 16384 };

	own.ss_sp = mmap(NULL, own.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	wrong += sigaltstack(&own, NULL) != 0;
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < SIZE; i++) {
			x = x * 1103515245 + 12345;
			a[i] = x >> 16;
			b[i] = x >> 24;
		}
		configure();
		clear();
		load1(a);
		load2(b);
		for (i = 0; i < 20; i++)
			multiply();
		if (round % 8 == 0)
			getppid();
		store0(product);
		store1(back);
		wrong += memcmp(a, back, SIZE) != 0;
		for (i = 0; i < SIZE / 4; i++)
			sum = sum * 31 + product[i];
	}
	*(int *)seed = sum;
	return NULL;
}

int main(void)
{
	struct sigaction act = { .sa_handler = use_tiles, .sa_flags = SA_ONSTACK | SA_RESTART };
	struct itimerval often = { { 0, 300 }, { 0, 300 } };
	int i, seeds[2] = { 1, 2 };
	pthread_t threads[2];
	sigset_t set;

	if (syscall(SYS_arch_prctl, REQUEST, TILES)) {
		puts("no AMX");
		return 0;
	}
	sigaction(SIGALRM, &act, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &seeds[i]);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%x %x, %d wrong\n", seeds[0], seeds[1], wrong);
	return 0;
}
