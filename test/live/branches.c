/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prints the marks that it passed, in order. Each mark is a label mark_N in the code, so a trace
 * must show the same order.
 */
#include <stdio.h>
#include <string.h>

static unsigned char passed[100000];
static unsigned int n;

#define MARK(i) do { \
	asm volatile(".globl mark_" #i "_%=\nmark_" #i "_%=:" ::: "memory"); \
	passed[n++] = i; \
} while (0)

static int collatz(unsigned long v)
{
	int steps = 0;

	while (v != 1) {
		if (v & 1) {
			MARK(1);
			v = 3 * v + 1;
		} else {
			MARK(2);
			v /= 2;
		}
		steps++;
	}
	return steps;
}

static void __attribute__((noinline)) even(int i) { MARK(3); }
static void __attribute__((noinline)) odd(int i) { MARK(4); }
static void (*volatile ways[2])(int) = { even, odd };

static int __attribute__((noinline)) deep(int i)
{
	MARK(5);
	return i ? deep(i - 1) + 1 : 0;
}

static void strings(void)
{
	static char a[300], b[300];
	unsigned long c = sizeof(a);
	void *to = b;
	const void *from = a;

	memset(a, 'x', sizeof(a) - 1);
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(c) :: "memory");
	if (!strcmp(a, b))
		MARK(6);
	asm volatile("mov $5, %%ecx\n1: loop 1b\n jrcxz 2f\n ud2\n2:" ::: "rcx");
	MARK(7);
}

int main(void)
{
	unsigned long i;
	int sum = 0;

	for (i = 1; i < 40; i++)
		sum += collatz(i);
	for (i = 0; i < 50; i++)
		ways[i * i / 3 & 1](i);
	sum += deep(100);
	strings();
	for (i = 0; i < n; i++)
		putchar('0' + passed[i]);
	putchar('\n');
	return sum & 63;
}
