/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Many threads at the same time; prints how many there were.
 * usage: crowd THREADS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t all;

static void *run(void *none)
{
	pthread_barrier_wait(&all);
	return none;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, i;
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32 << 10);
	pthread_barrier_init(&all, NULL, n + 1);
	for (i = 0; i < n && !pthread_create(&threads[i], &small, run, NULL); i++)
		;
	printf("%d threads\n", i);
	if (i < n)
		return 1;
	pthread_barrier_wait(&all);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
