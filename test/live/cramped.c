/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls code that has memory of the program all around it, but for one gap. Prints what the code
 * returns.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define AT 0x200000000000ull

enum { MB = 1 << 20, FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE };

static int reserve(uint64_t from, uint64_t to)
{
	return mmap((void *)(uintptr_t)from, to - from, PROT_NONE, FLAGS, -1, 0) == MAP_FAILED;
}

int main(void)
{
	static const unsigned char code[] = { 0xb8, 7, 0, 0, 0, 0xc3 };	/* mov $7, %eax; ret */
	void *page = mmap((void *)(uintptr_t)AT, MB, PROT_READ | PROT_WRITE | PROT_EXEC, FLAGS, -1,
			  0);

	if (page == MAP_FAILED || reserve(AT - 4096ull * MB, AT - 116 * MB) ||
	    reserve(AT - 92 * MB, AT) || reserve(AT + MB, AT + 4096ull * MB))
		return 1;
	memcpy(page, code, sizeof(code));
	printf("%d\n", ((int (*)(void))(uintptr_t)page)());
	return 0;
}
