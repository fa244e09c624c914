/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Limits its memory, and then uses what natively is within the limit: threads, a command, memory.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MB = 1 << 20, LIMIT = 400 * MB };

static void *work(void *n)
{
	memset(n, 1, MB);
	return n;
}

int main(void)
{
	struct rlimit limit = { LIMIT, LIMIT };
	pthread_t threads[8];
	int i, made = 0;

	if (setrlimit(RLIMIT_AS, &limit))
		return 1;
	for (i = 0; i < 8; i++)
		made += !pthread_create(&threads[i], NULL, work, malloc(MB));
	for (i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	printf("%d threads, status %d, ", made, system("exit 3") >> 8);
	printf("%d\n", malloc(100 * MB) != NULL);
	return 0;
}
