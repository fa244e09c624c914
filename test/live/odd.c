/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions that are rare in programs, and that a translator has to know.
 */
#include <stdio.h>

/* A call with a prefix that REX.W makes void, as linkers write before __tls_get_addr(). */
static int padded_call(void)
{
	int r;

	__asm__ volatile("jmp 2f\n1: mov $7, %0\n ret\n"
			 "2: .byte 0x66, 0x66, 0x48\n call 1b" : "=&r"(r));
	return r;
}

int main(void)
{
	printf("padded call %d\n", padded_call());
	return 0;
}
