/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Returns without a backward branch, and a long chain of forward branches after each of them: these
 * write to the ring most between two checks.
 */
#include <stdio.h>

enum { DEEP = 60, ROUNDS = 2000 };	/* rounds end at any place of the ring */

/* Calls itself 'left' times. After each of these calls there are 300 taken branches. */
void climb(int left);

asm(".balign 4096\n"
    "climb:\n"
    "	subl $1, %edi\n"
    "	js 1f\n"
    "	call climb\n"
    "	xorl %eax, %eax\n"
    "	.rept 300\n"
    "	jz 2f\n"
    "	.byte 0x90\n"
    "2:\n"
    "	.endr\n"
    "1:	ret\n");

int main(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		climb(DEEP - i * i % 47);
	printf("%d\n", i);
	return 0;
}
