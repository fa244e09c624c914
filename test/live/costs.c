/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nearly all time is in slow(), and nearly all branches are in quick().
 */
__attribute__((noinline)) static void slow(void)
{
	asm volatile("mov $1, %%ecx\n"
		     ".rept 40; mov $9, %%eax; xor %%edx, %%edx; div %%ecx; .endr\n"
		     : : : "eax", "ecx", "edx", "cc");
}

__attribute__((noinline)) static void quick(void)
{
	asm volatile("mov $30, %%ecx\n"
		     "1: dec %%ecx; jnz 1b\n"
		     : : : "ecx", "cc");
}

int main(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		slow();
		quick();
	}
	return 0;
}
