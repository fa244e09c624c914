/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code of a file that is mapped to be read, and made executable later: as it is in the file, and
 * with one page changed. Prints the sum of what its functions return.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

extern unsigned char first[], second[];
__asm__(".text\n"
	"		.balign 4096\n"
	"		.globl first, second\n"
	"		.type first, @function\n"
	"		.type second, @function\n"
	"first:		mov $1, %eax\n"
	"		cmp %eax, %edi\n"
	"		je 1f\n"
	"		add $1, %eax\n"
	"1:		ret\n"
	"		.size first, . - first\n"
	"		.balign 4096\n"
	"second:	mov $10, %eax\n"
	"		ret\n"
	"		.size second, . - second\n"
	"		.balign 4096\n");

/* Where the code is in the file. */
static off_t place_of(const unsigned char *code)
{
	unsigned long from, to, off, at = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &off) == 3 &&
		    (unsigned long)code >= from && (unsigned long)code < to)
			at = (unsigned long)code - from + off;
	fclose(maps);
	return at;
}

static int call(unsigned char *code, int arg)
{
	return ((int (*)(int))code)(arg);
}

int main(void)
{
	int fd = open("/proc/self/exe", O_RDONLY), sum = 0, i;
	unsigned char *code = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, place_of(first));

	mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC);
	for (i = 0; i < 20; i++)
		sum += call(code, i & 1) + call(code + PAGE, 0);
	mprotect(code, 2 * PAGE, PROT_READ | PROT_WRITE);
	code[PAGE + 1] = 20;
	mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC);
	for (i = 0; i < 20; i++)
		sum += call(code, i & 1) + call(code + PAGE, 0);
	printf("%d\n", sum);
	return 0;
}
