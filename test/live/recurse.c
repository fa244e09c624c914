/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls itself from one place, more than 64 deep, so that the same return address is everywhere in
 * a stack of calls.
 */
static __attribute__((noinline)) int deep(int n)
{
	int i, sum = 1;

	for (i = n == 100 ? 2000 : n > 0; i; i--)
		sum += deep(n - 1);
	return sum & 0xffff;
}

int main(void)
{
	return deep(200) & 7;
}
