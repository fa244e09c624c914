/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions whose pages are a multiple of 128 MiB apart: the agent has one list of blocks for all
 * of them. Their code is changed in turns: one page, or all of them and what is in between, gets
 * other rights in the meantime. Prints the number of wrong results.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 3, ROUNDS = 60 };
#define APART (128ul << 20)
#define SIZE (APART * (PAGES - 1) + 4096)

int main(void)
{
	static const unsigned char number[] = { 0xb8, 0, 0, 0, 0, 0xc3 };	/* mov; ret */
	int i, k, now[PAGES] = { 0 }, wrong = 0;
	unsigned char *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return 1;
	for (k = 0; k < PAGES; k++)
		memcpy(at + APART * k, number, sizeof(number));
	mprotect(at, SIZE, PROT_READ | PROT_EXEC);
	for (i = 1; i < ROUNDS; i++) {
		unsigned char *page = at + APART * (i % PAGES);
		unsigned char *from = i % 2 ? page : at;
		size_t size = i % 2 ? 4096 : SIZE;

		mprotect(from, size, PROT_READ | PROT_WRITE);
		memcpy(page + 1, &i, sizeof(i));
		mprotect(from, size, PROT_READ | PROT_EXEC);
		now[i % PAGES] = i;
		for (k = 0; k < PAGES; k++)
			wrong += ((int (*)(void))(at + APART * k))() != now[k];
	}
	printf("%d wrong\n", wrong);
	return 0;
}
