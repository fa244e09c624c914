/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cost of a command. usage: cpu TIMES COMMAND... [against COMMAND...]: runs the command TIMES
 * times without output, and prints the median of its CPU time in ms, and its peak memory in KiB.
 * Two commands run in turns, since the speed of the machine varies, and have a line each. They
 * start by vfork(): with fork() the child first copies page tables and pages of this program, which
 * takes 75 us and would count for the command. All run on one CPU (unless ANYWHERE is set), because
 * the caches of an idle CPU are cold. The measured memory is never less than that of this program,
 * so it is linked statically.
 */
#define _GNU_SOURCE	/* vfork(), sched_setaffinity() */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX = 64 };

static double ms(const struct rusage *r)
{
	return (r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1e3 +
	       (r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void stay_here(void)
{
	int cpu = sched_getcpu();
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(cpu < 0 ? 0 : cpu, &only);
	sched_setaffinity(0, sizeof(only), &only);
}

static struct rusage run(char **command, int null)
{
	struct rusage r;
	int status;
	pid_t pid = vfork();

	if (!pid) {
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(command[0], command);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &r) < 0)
		exit(1);
	return r;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0, n_commands = 1, i, c;
	char **commands[2] = { argv + 2 };
	double took[2][MAX];
	long kib[2] = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (n < 1 || n > MAX)
		return 2;
	if (!getenv("ANYWHERE"))
		stay_here();
	for (i = 3; i + 1 < argc && n_commands == 1; i++)
		if (!strcmp(argv[i], "against")) {
			argv[i] = NULL;
			commands[n_commands++] = argv + i + 1;
		}
	for (i = 0; i < n; i++)
		for (c = 0; c < n_commands; c++) {
			struct rusage r = run(commands[c], null);

			took[c][i] = ms(&r);
			kib[c] = r.ru_maxrss > kib[c] ? r.ru_maxrss : kib[c];
		}
	for (c = 0; c < n_commands; c++) {
		qsort(took[c], n, sizeof(*took[c]), by_value);
		printf("%.3f %ld\n", took[c][n / 2], kib[c]);
	}
	return 0;
}
