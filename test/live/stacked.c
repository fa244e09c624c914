/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code on the stack of the first thread, as GCC makes it for nested functions. Another thread calls
 * it first. The first one waits for that almost without branches, then has many: so the times of
 * its calls, which are an estimate, are too early. Prints the sum of what the calls returned.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 30, CALLS = 100 };

typedef int function(int);

static atomic_int go, gone;
static char far[1 << 18], other[1 << 18];

/* Take some time with one branch. */
static void take_time(char *to)
{
	void *end = to;
	long n = sizeof(far);

	asm volatile("rep stosb" : "+D" (end), "+c" (n) : "a" (0) : "memory");
}

static void *run(void *code)
{
	int i, k;

	for (i = 0; i < PAGES; i++) {
		while (go <= i)
			;
		for (k = 0; k < 5; k++)
			take_time(other);
		((function *)((char *)code + i * PAGE))(0);
		gone = i + 1;
	}
	return NULL;
}

int main(void)
{
	_Alignas(PAGE) char code[PAGES][PAGE], *at;
	pthread_t thread;
	int i, k, sum = 0;

	for (i = 0; i < PAGES; i++)
		memcpy(code[i], "\x8d\x47\x01\xc3", 4);	/* lea 1(%rdi), %eax; ret */
	/* All of the stack from here on, so that the kernel still calls it so. */
	for (at = code[0]; !mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC); at += PAGE)
		;
	pthread_create(&thread, NULL, run, code);
	for (i = 0; i < PAGES; i++) {
		for (go = i + 1; gone <= i; )
			take_time(far);
		for (k = 0; k < CALLS; k++)
			sum = ((function *)code[i])(sum);
	}
	pthread_join(thread, NULL);
	printf("%d\n", sum);
	return 0;
}
