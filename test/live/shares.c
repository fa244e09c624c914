/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Three functions whose instructions are known: 60, 30 and 10 of each hundred.
 * usage: shares [TURNS]
 */
#include <stdlib.h>

__attribute__((noinline)) static void sixty(void)
{
	asm volatile("mov $200, %%ecx\n"
		     "1: lea 1(%%rax), %%rax; xor %%rdx, %%rax; dec %%ecx; jnz 1b\n"
		     : : : "eax", "ecx", "edx", "cc");
}

__attribute__((noinline)) static void thirty(void)
{
	asm volatile("mov $80, %%ecx\n"
		     "1: lea 1(%%rax), %%rax; test $1, %%al; jz 2f; nop\n"
		     "2: dec %%ecx; jnz 1b\n"
		     : : : "eax", "ecx", "edx", "cc");
}

__attribute__((noinline)) static void ten(void)
{
	asm volatile("mov $10, %%ecx\n"
		     "1: .rept 8; nop; .endr; fld1; fsqrt; fstp %%st(0)\n dec %%ecx; jnz 1b\n"
		     : : : "ecx", "cc");
}

int main(int argc, char **argv)
{
	int i;

	for (i = argc > 1 ? atoi(argv[1]) : 40; i > 0; i--) {
		sixty();
		thirty();
		ten();
	}
	return 0;
}
