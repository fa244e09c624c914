/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Changes a function of its own file and runs it, several times: in memory that cannot be executed
 * meanwhile, and in memory that can. The same for a function that is waiting for its callee.
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
    "waits:	sub $8, %rsp\n"
    "	call change_caller\n"
    "	.byte 0xb8\n"
    "caller_value: .long 1\n"		/* mov $1, %eax */
    "	add $8, %rsp\n"
    "	ret\n"
    ".balign 4096\n");
extern unsigned char value[], caller_value[];
int twice(void), waits(void);
static int round;

void change_caller(void)
{
	mprotect(value, PAGE, PROT_READ | PROT_WRITE | (round & 1 ? PROT_EXEC : 0));
	caller_value[0] += round + 1;
	if (round & 2)
		mprotect(value, PAGE, PROT_READ | PROT_EXEC);
	else
		mprotect(value, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
}

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

	for (round = 0; round < 8; round++)
		sum = sum * 3 + waits();
	for (i = 2; i < 8; i++)
		sum = sum * 3 + change(i, i & 2 ? 0 : PROT_EXEC);
	printf("%d\n", sum);
	return 0;
}
