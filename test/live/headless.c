/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Its first thread ends. The other one executes code that it makes, until it reads the end of its
 * input, and prints whether all results were right.
 */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static __attribute__((noinline)) unsigned turn(unsigned char *code, unsigned n)
{
	code[0] = 0xb8;			/* mov $n, %eax; ret */
	memcpy(code + 1, &n, 4);
	code[5] = 0xc3;
	return ((unsigned (*)(void))(uintptr_t)code)();
}

static void *run(void *none)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd input = { 0, POLLIN, 0 };
	unsigned n, wrong = 0;

	for (n = 0; poll(&input, 1, 1) == 0; n++)
		wrong += turn(code, n) != n;
	puts(wrong ? "wrong" : "right");
	exit(wrong);
	return none;
}

int main(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, run, NULL))
		return 2;
	pthread_exit(NULL);
}
