/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that is made and modified at run time: in memory that is writable and executable at the same
 * time, and in memory whose protection is switched. Then code is read from a pipe, with one call.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int function(int);

/* A loop that adds 'k', n times. */
static void make(unsigned char *to, unsigned char k)
{
	unsigned char code[] = { 0x31, 0xc0, 0x83, 0xc0, k, 0xff, 0xcf, 0x75, 0xf9, 0xc3 };

	memcpy(to, code, sizeof(code));
}

/* The second page of the three has code that ran: the kernel must be able to write there. */
static int read_code(unsigned char *to)
{
	static unsigned char bytes[3 * 4096];
	int ends[2], sum;

	make(to + 4096, 1);
	sum = ((function *)(to + 4096))(10);
	make(bytes + 4096, 2);
	pipe(ends);
	write(ends[1], bytes, sizeof(bytes));
	return sum + read(ends[0], to, sizeof(bytes)) + ((function *)(to + 4096))(10);
}

int main(void)
{
	int all = PROT_READ | PROT_WRITE | PROT_EXEC, i, sum = 0;
	unsigned char *a = mmap(NULL, 8192, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *b;

	b = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 1; i < 6; i++) {
		make(a, i);
		make(a + 4090, i + 1);		/* over the border of a page */
		sum += ((function *)a)(100) + ((function *)(a + 4090))(10);
		mprotect(b, 8192, PROT_READ | PROT_WRITE);
		make(b + 64 * i, i);
		mprotect(b, 8192, PROT_READ | PROT_EXEC);
		sum += ((function *)(b + 64 * i))(7);
	}
	printf("%d %d\n", sum, read_code(mmap(NULL, 3 * 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1,
					     0)));
	return 0;
}
