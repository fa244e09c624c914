/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that leave their signal handlers by siglongjmp(): one those of faults, which it causes
 * all the time, another those of a timer, which interrupt a system call. Ends after SIGTERM, and
 * prints whether a signal stayed blocked.
 * usage: leaps
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int stop, blocked;
static __thread sigjmp_buf place;

static void on_term(int sig)
{
	stop = 1;
}

static void leap(int sig)
{
	siglongjmp(place, 1);
}

static void look_at_mask(int own)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	if (sigismember(&now, own) || sigismember(&now, SIGTERM))
		blocked++;
}

static void *wait_in_call(void *none)
{
	sigset_t alarm;
	int ends[2];
	char c;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	if (pipe(ends))
		return none;
	while (!stop) {
		if (!sigsetjmp(place, 1)) {
			pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
			read(ends[0], &c, 1);
		}
		look_at_mask(SIGHUP);
	}
	return none;
}

int main(void)
{
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	sigset_t alarm;
	pthread_t t;

	signal(SIGTERM, on_term);
	signal(SIGSEGV, leap);
	signal(SIGALRM, leap);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&t, NULL, wait_in_call, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (!stop) {
		if (!sigsetjmp(place, 1))
			*(volatile int *)8 = 1;
		look_at_mask(SIGSEGV);
	}
	pthread_join(t, NULL);
	printf("blocked: %d\n", blocked);
	return 0;
}
