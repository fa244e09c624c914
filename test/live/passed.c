/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals to the process, which any of its threads may take. Those that could take them end, or
 * block them, all the time. None may be lost. Prints how many were handled or waited for.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { N = 1000 };

static volatile int handled, code, ending, pausing;
static sigset_t one;

static void handler(int sig, siginfo_t *info, void *uc)
{
	code |= info->si_code | info->si_errno | (info->si_pid != getpid());
	__atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static void *ends(void *unused) { return unused; }

static void *makes(void *unused)
{
	pthread_t thread;

	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	while (!ending) {
		pthread_create(&thread, NULL, ends, NULL);
		pthread_join(thread, NULL);
	}
	return unused;
}

static void *blocks(void *unused)
{
	while (!ending) {
		pthread_sigmask(SIG_UNBLOCK, &one, NULL);
		pthread_sigmask(SIG_BLOCK, &one, NULL);
		while (pausing && !ending)
			usleep(10);
	}
	return unused;
}

/* Wait at most ten seconds: is it handled, or can it be waited for? */
static int came(int before)
{
	struct timespec moment = { 0, 1000000 };
	int i;

	for (i = 0; i < 10000 && handled == before; i++)
		if (sigtimedwait(&one, NULL, &moment) == SIGUSR1)
			return 1;
	return handled != before;
}

static int send(void *(*thread)(void *))
{
	int i, before, n = 0;
	pthread_t other;

	ending = 0;
	pthread_create(&other, NULL, thread, NULL);
	for (i = 0; i < N && n == i; i++) {
		before = handled;
		pausing = 0;
		kill(getpid(), SIGUSR1);
		pausing = 1;
		n += came(before);
	}
	ending = 1;
	pthread_join(other, NULL);
	return n;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	int first, second;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	first = send(makes);
	second = send(blocks);
	printf("%d %d, code %d\n", first, second, code);
	return 0;
}
