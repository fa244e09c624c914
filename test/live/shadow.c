/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program with a shadow stack, where the processor and the kernel (6.6 or later) have them: it
 * calls functions for two seconds.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ARCH_PRCTL = 158, ARCH_SHSTK_ENABLE = 0x5001, ARCH_SHSTK_SHSTK = 1 };

static __attribute__((noinline)) unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* It must not return from here. */
int main(void)
{
	time_t end = time(NULL) + 2;
	unsigned wrong = 0;
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(ARCH_PRCTL), "D"(ARCH_SHSTK_ENABLE),
			 "S"(ARCH_SHSTK_SHSTK) : "rcx", "r11", "memory");
	if (r) {
		puts("none");
		fflush(stdout);
		_exit(0);
	}
	puts("has one");
	fflush(stdout);
	while (time(NULL) < end)
		wrong += fib(20) != 6765;
	printf("%u wrong\n", wrong);
	fflush(stdout);
	_exit(0);
}
