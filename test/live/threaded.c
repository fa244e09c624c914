/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An interpreter of nothing but indirect jumps, calls and returns: no branch of it is conditional.
 * Prints how many of each it executed. usage: threaded
 */
#include <stdio.h>
#include <string.h>

enum { N = 300000 };

static unsigned char ops[N + 1];
unsigned long interpret(const unsigned char *op);

__asm__(
	".text\n"
	".macro next\n"
	"	movzbl	(%rdi), %ecx\n"
	"	lea	1(%rdi), %rdi\n"
	"	jmp	*ways(,%rcx,8)\n"
	".endm\n"
	"interpret:\n"
	"	xor	%eax, %eax\n"
	"	next\n"
	"jumps:	lea	1(%rax), %rax\n"
	"	next\n"
	"calls:	call	leaf\n"
	"	next\n"
	"goes:	mov	$leaf, %ecx\n"
	"	call	*%rcx\n"
	"	next\n"
	"ends:	ret\n"
	"leaf:	lea	1000000(%rax), %rax\n"
	"	ret\n"
	".section .rodata\n"
	"ways:	.quad	jumps, calls, goes, ends\n"
	".text\n");

int main(void)
{
	unsigned int i;

	for (i = N / 2; i < N; i++)
		ops[i] = i % 3;
	ops[N] = 3;
	printf("%lu\n", interpret(ops));
	return 0;
}
