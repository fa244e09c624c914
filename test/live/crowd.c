/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Many threads at the same time; prints how many there were. With ROUNDS they are busy, and it
 * prints, too, how many kB of pt's memory for records they used.
 * usage: crowd THREADS [ROUNDS]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t all;
static int rounds;

static void *run(void *p)
{
	unsigned long v = (unsigned long)p;
	int i;

	pthread_barrier_wait(&all);
	for (i = 0; i < rounds; i++) {
		v = v * 6364136223846793005 + 1;
		if (v >> 63)
			v ^= 0x55;
		if (v & 1024)
			v += 3;
	}
	return (void *)v;
}

/* Of all maps of the memfd "pt". */
static unsigned long used(void)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long sum = 0, kb;
	char line[512];
	int ours = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (strchr("0123456789abcdef", *line))
			ours = strstr(line, "memfd:pt") != NULL;
		if (ours && sscanf(line, "Rss: %lu", &kb) == 1)
			sum += kb;
	}
	fclose(f);
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, i;
	unsigned long most = 0, now;
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t small;

	rounds = argc > 2 ? atoi(argv[2]) : 0;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32 << 10);
	pthread_barrier_init(&all, NULL, n + 1);
	for (i = 0; i < n && !pthread_create(&threads[i], &small, run, &threads[i]); i++)
		;
	printf("%d threads\n", i);
	if (i < n)
		return 1;
	pthread_barrier_wait(&all);
	for (i = 0; i < n; i++) {
		now = rounds ? used() : 0;
		most = now > most ? now : most;
		pthread_join(threads[i], NULL);
	}
	if (rounds)
		printf("%lu kB\n", most);
	return 0;
}
