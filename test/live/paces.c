/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * quick() executes nine of ten instructions; slow() takes nearly all of the time, since each of its
 * square roots needs the result of the one before.
 */
__attribute__((noinline)) static void quick(int n)
{
	while (n--)
		asm volatile(".rept 45; nop; .endr");
}

__attribute__((noinline)) static void slow(int n)
{
	double v = 3;

	while (n--)
		asm volatile("sqrtsd %0, %0; divsd %0, %0; sqrtsd %0, %0; addsd %1, %0"
			     : "+x"(v) : "x"(2.5));
}

int main(void)
{
	quick(1000000);
	slow(1000000);
	return 0;
}
