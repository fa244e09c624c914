/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * reserves FROM...: has memory of its own at these addresses, where pt has its own in other
 * programs. It begins with zeros. Prints a line, waits for an input, and prints what is in this
 * memory.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BEFORE (4ull << 30)		/* a reservation, as large servers make it */
#define SIZE (0x12ull << 32)

int main(int argc, char **argv)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	volatile uint64_t *own = NULL;
	int i, sum = 0;
	void *all;
	char c;

	for (i = 1; i < argc; i++) {
		own = (uint64_t *)(uintptr_t)strtoull(argv[i], NULL, 16);
		all = mmap((char *)own - BEFORE, SIZE, PROT_NONE, flags, -1, 0);
		if (all == MAP_FAILED || mprotect((void *)own, 4096, PROT_READ | PROT_WRITE))
			return 1;
		own[1] = 4711;
	}
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	for (i = 1; i < argc; i++) {
		own = (uint64_t *)(uintptr_t)strtoull(argv[i], NULL, 16);
		sum += own[1];
	}
	printf("%d\n", sum);
	return 0;
}
