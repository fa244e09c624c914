/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads, forks, programs and a timer at the same time; prints a sum that is always the same.
 * usage: busy [alone] ROUNDS; alone: without programs, and prints when it has begun. With BARE in the
 * environment it unmaps its vDSO, where pt would put code for a moment.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ticks;

static void tick(int signal)
{
	ticks += signal;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned work(unsigned seed)
{
	unsigned sum = 0, r, i;
	int v[500];

	for (r = 0; r < 60; r++) {
		for (i = 0; i < 500; i++)
			v[i] = (seed = seed * 1103515245 + 12345) >> 8 & 0xffff;
		qsort(v, 500, sizeof(*v), compare);
		for (i = 0; i < 500; i++)
			sum = sum * 31 + v[i];
	}
	return sum;
}

static void *run(void *p)
{
	*(unsigned *)p = work(work(*(unsigned *)p));
	return p;
}

static unsigned in_child(unsigned seed)
{
	int to[2], status;
	unsigned sum;
	pid_t pid;

	if (pipe(to))
		abort();
	pid = fork();
	if (!pid) {
		sum = work(seed);
		_exit(write(to[1], &sum, 4) == 4 ? 7 : 8);
	}
	while (read(to[0], &sum, 4) < 0)
		;
	while (waitpid(pid, &status, 0) < 0)
		;
	close(to[0]);
	close(to[1]);
	return sum + status;
}

static int in_program(void)
{
	FILE *from = popen("echo 5", "r");
	int v = 0;

	while (fscanf(from, "%d", &v) != 1)
		clearerr(from);
	return v + pclose(from);
}

static void unmap_vdso(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512];

	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &from, &to) == 2)
			munmap((void *)from, to - from);
	fclose(maps);
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	unsigned sums[4], sum = 0, r, i;
	pthread_t t[4];

	if (getenv("BARE"))
		unmap_vdso();
	if (argc > 2)
		printf("began\n");
	fflush(stdout);
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	for (r = 0; r < (unsigned)atoi(argv[argc - 1]); r++) {
		for (i = 0; i < 4; i++) {
			sums[i] = i + r;
			pthread_create(&t[i], NULL, run, &sums[i]);
		}
		sum = sum * 31 + in_child(r);
		for (i = 0; i < 4; i++) {
			pthread_join(t[i], NULL);
			sum = sum * 31 + sums[i];
		}
		sum += argc > 2 ? 5 : in_program();
	}
	printf("%u\n", sum);
	return 0;
}
