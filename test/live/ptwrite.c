/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PTWRITE of registers and of memory, of eight bytes and of four; also of those registers that a
 * translator needs, and at the end of readable memory.
 */
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	static const unsigned long value = 0xdeadbeef12345678, values[] = { 0, 0x2200000000000022 };
	unsigned long big = 0x1122334455667788, in_rcx = 0x3300000000000033;
	unsigned int small = 0x99aabbcc, last = 0x44000044;
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	munmap(page + 4096, 4096);
	memcpy(page + 4092, &last, 4);
	for (i = 0; i < 20; i++) {
		asm volatile("ptwriteq %0\n ptwritel %1\n ptwriteq %2\n"
			     : : "r"(big), "r"(small), "m"(value));
		asm volatile("mov %1, %%r11\n add $5, %%r11\n ptwriteq 3(%%r11)\n"
			     "mov 3(%%r11), %%r11\n add $1, %%r11\n ptwriteq %%r11\n"
			     "ptwriteq %0\n ptwritel 4092(%2)\n"
			     : : "c"(in_rcx), "r"(values), "r"(page) : "r11", "cc");
	}
	return 0;
}
