/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Has memory of its own where pt has its own in other programs. It begins with zeros. Prints a
 * line, waits for an input, and prints what is in this memory.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define FROM 0x7e7f00000000ull	/* a reservation, as large servers make it */
#define OWN 0x7e8000000000ull
#define TO 0x7e9100000000ull

int main(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	volatile uint64_t *own = (uint64_t *)(uintptr_t)OWN;
	void *all = mmap((void *)(uintptr_t)FROM, TO - FROM, PROT_NONE, flags, -1, 0);
	char c;

	if (all == MAP_FAILED || mprotect((void *)own, 4096, PROT_READ | PROT_WRITE))
		return 1;
	own[1] = 4711;
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	printf("%d\n", (int)own[1]);
	return 0;
}
