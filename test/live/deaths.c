/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ends of a program: deaths NUMBER
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int n;

static void work(int i)
{
	if (i % 3)
		n += i;
	else
		n ^= i;
}

static void *run(void *other)
{
	for (;;)
		work(1);
	return other;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int i;

	for (i = 0; i < 1000; i++)
		work(i);
	switch (atoi(argv[argc - 1])) {
	case 1:
		*(volatile int *)8 = 1;
	case 2:
		__builtin_trap();
	case 3:
		abort();
	case 4:
		raise(SIGTERM);
	case 5:
		kill(getpid(), SIGKILL);
	case 6:		/* beside another thread */
		pthread_create(&t, NULL, run, NULL);
		usleep(10000);
		exit(6);
	case 7:
		alarm(1);
		pause();
	case 8:
		signal(SIGSEGV, SIG_IGN);
		raise(SIGSEGV);
		exit(8);
	}
	return 0;
}
