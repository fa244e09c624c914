/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes functions of four forms over each other, in pages of code that run in between. The parts
 * of one form are at other addresses than those of the others, and often the same again later.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 20, PAGE = 4096, ROUNDS = 60 };

static unsigned int state = 1;

static unsigned int next(void)
{
	state = state * 1103515245 + 12345;
	return state >> 8;
}

/* mov $n, %eax; nops; 1: dec %edi; jnz 1b; in two forms: test %eax, %eax; jz .+3; nop; then ret */
static void write_code(unsigned char *to, unsigned int n, unsigned int form)
{
	unsigned char code[32] = { 0xb8, n, n >> 8 };
	int len = 5;

	while (form-- % 4)
		code[len++] = 0x90;
	memcpy(code + len, "\xff\xcf\x75\xfc", 4);
	len += 4;
	if (len & 1) {
		memcpy(code + len, "\x85\xc0\x74\x01\x90", 5);
		len += 5;
	}
	code[len++] = 0xc3;
	memcpy(to, code, len);
}

int main(void)
{
	unsigned char *code = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;
	int i, k, r, sum = 0;

	for (r = 0; r < ROUNDS; r++)
		for (i = 0; i < PAGES; i++)
			for (k = 0; k < 4; k++) {
				at = code + i * PAGE + next() % 100 * 40;
				write_code(at, next() & 0xffff, next() % 4);
				sum += ((int (*)(int))at)(3);
			}
	printf("%d\n", sum);
	return 0;
}
