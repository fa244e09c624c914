/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What samples of it show: a chain of calls, page faults, and sleeps. TURNS says for how long.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile long x;

__attribute__((noinline)) void leaf(int n)
{
	for (int i = 0; i < n; i++)
		x += i * i;
}

__attribute__((noinline)) void mid(int n)
{
	leaf(n);
	x++;
}

__attribute__((noinline)) void top(int n)
{
	mid(n);
	x++;
}

int main(void)
{
	for (int i = 0; i < TURNS; i++) {
		char *p = malloc(300000);

		top(300000);
		memset(p, i, 300000);
		x += p[i];
		if (i % 10 == 0)
			usleep(1000);
		free(p);
	}
	return 0;
}
