/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program with places for uprobes: at instructions that the kernel emulates, that it executes
 * elsewhere, and that it may replace by a call.
 * usage: probed [SECONDS]: calls them for so long, else a thousand times; the second half of the
 * time is spent in another call of waits()
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

long called(long n);
__asm__(".text\n"
	"	.globl called, place_1, place_2, place_3, place_4, place_5, place_6\n"
	"	.type called, @function\n"
	"called:\n"
	"place_1:	push %rbp\n"
	"place_2:	lea 1(%rdi,%rdi,2), %rax\n"
	"place_3:	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"place_4:	test $1, %al\n"
	"place_5:	jz 1f\n"
	"	inc %rax\n"
	"1:	pop %rbp\n"
	"place_6:	ret\n"
	"	.size called, . - called\n");

__attribute__((noinline)) long waits(int seconds)
{
	time_t end = time(NULL) + seconds;
	long sum;
	int i;

	do
		for (i = 0, sum = 0; i < 1000; i++)
			sum += called(i);
	while (time(NULL) < end);
	return sum;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 0;

	setvbuf(stdout, NULL, _IONBF, 0);
	printf("%ld\n", waits((seconds + 1) / 2));
	printf("%ld\n", waits(seconds / 2));
	return 5;
}
