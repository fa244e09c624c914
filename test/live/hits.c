/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes to pages of code that were executed, again and again. Prints how many faults its handler
 * saw: there are none. usage: hits MILLISECONDS
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SIZE = 16 << 20 };

static volatile int faults, stop;

static void on_fault(int sig)
{
	faults++;
	signal(SIGSEGV, faults > 9 ? SIG_DFL : on_fault);
}

static void *hit(void *none)
{
	static const unsigned char code[] = { 0xb8, 1, 0, 0, 0, 0xc3 };
	char *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;
	unsigned int i;

	for (i = 0; !stop; i++) {
		at = area + i / 3 * 4096 % SIZE + i % 3 * 64;
		memcpy(at, code, sizeof(code));
		((int (*)(void))at)();
	}
	return none;
}

int main(int argc, char **argv)
{
	struct timespec ms = { 0, 1000000 };
	pthread_t t[2];
	int i, n = argc > 1 ? atoi(argv[1]) : 100;

	signal(SIGSEGV, on_fault);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, hit, NULL);
	while (n--)
		nanosleep(&ms, NULL);
	stop = 1;
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d faults\n", faults);
	return 0;
}
