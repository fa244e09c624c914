/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Changes a function of its own file and runs it, several times: in memory that cannot be executed
 * meanwhile, and in memory that can.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

asm(".balign 4096\n"
    "value:	mov $1, %eax\n"
    "	ret\n"
    "twice:	call value\n"
    "	add %eax, %eax\n"
    "	ret\n"
    ".balign 4096\n");
extern unsigned char value[];
int twice(void);

static int change(int to, int prot)
{
	mprotect(value, PAGE, PROT_READ | PROT_WRITE | prot);
	memcpy(value + 1, &to, sizeof(to));
	if (to & 1)		/* nop; mov $to, %ax; nop: other instructions */
		memcpy(value, "\x90\x31\xc0\xb0\x07", 5);
	else
		value[0] = 0xb8;
	mprotect(value, PAGE, PROT_READ | PROT_EXEC);
	return twice();
}

int main(void)
{
	int sum = twice(), i;

	for (i = 2; i < 8; i++)
		sum = sum * 3 + change(i, i & 2 ? 0 : PROT_EXEC);
	printf("%d\n", sum);
	return 0;
}
