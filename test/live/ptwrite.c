/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PTWRITE of registers and of memory, of eight bytes and of four.
 */
int main(void)
{
	static const unsigned long value = 0xdeadbeef12345678;
	unsigned long big = 0x1122334455667788;
	unsigned int small = 0x99aabbcc;
	int i;

	for (i = 0; i < 20; i++)
		asm volatile("ptwriteq %0\n ptwritel %1\n ptwriteq %2\n"
			     : : "r"(big), "r"(small), "m"(value));
	return 0;
}
