/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is hard for a pt that is killed while it attaches or detaches: threads that make short
 * threads, code that changes, a timer, faults whose handler does not return, and a thread that
 * waits in a system call, or is in a slow handler. Each part looks at what another thread's
 * registers, or another signal mask, would change. Ends after SIGTERM, and prints what was wrong.
 * usage: throng
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static volatile int stop, wrong_thread, wrong_code, wrong_mask, wrong_call, ticks;
static int ends[2];		/* of a pipe */
static sigjmp_buf place;

static void on_term(int sig)
{
	stop = 1;
}

static void on_tick(int sig)
{
	ticks++;
}

static void on_call(int sig)
{
	volatile int i;

	for (i = 0; i < 1000000; i++)
		;
}

static void on_fault(int sig)
{
	siglongjmp(place, 1);
}

/* A short thread: it doubles its number, if it is what it should be. */
static void *twice(void *number)
{
	long *n = number;
	volatile pid_t tid = syscall(SYS_gettid);

	sched_yield();
	*n = tid == syscall(SYS_gettid) ? *n * 2 : 0;
	return number;
}

static void *make_threads(void *none)
{
	pthread_t self = pthread_self(), t;
	long i, n;

	for (i = 1; !stop; i++) {
		n = i;
		if (pthread_create(&t, NULL, twice, &n) || pthread_join(t, NULL) || n != 2 * i ||
		    !pthread_equal(self, pthread_self()))
			wrong_thread++;
	}
	return none;
}

static void *change_code(void *none)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	for (i = 0; !stop; i++) {
		code[0] = 0xb8;			/* mov $i, %eax; ret */
		memcpy(code + 1, &i, 4);
		code[5] = 0xc3;
		if (((unsigned int (*)(void))code)() != i)
			wrong_code++;
	}
	return none;
}

static void *wait_in_call(void *none)
{
	char c = 0;

	if (read(ends[0], &c, 1) != 1 || c != 'x')
		wrong_call++;
	return none;
}

static void fault(void)
{
	sigset_t now;

	if (!sigsetjmp(place, 1))
		*(volatile int *)8 = 1;
	sigprocmask(SIG_BLOCK, NULL, &now);
	if (sigismember(&now, SIGALRM) || sigismember(&now, SIGSEGV))
		wrong_mask++;
}

int main(void)
{
	static void *(*const parts[THREADS])(void *) = {
		change_code, make_threads, make_threads, wait_in_call,
	};
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction tick = { .sa_handler = on_tick, .sa_flags = SA_RESTART };
	struct sigaction call = { .sa_handler = on_call, .sa_flags = SA_RESTART };
	struct timespec ms = { 0, 1000000 };
	pthread_t t[THREADS];
	int i;

	signal(SIGTERM, on_term);
	signal(SIGSEGV, on_fault);
	sigaction(SIGALRM, &tick, NULL);
	sigaction(SIGUSR1, &call, NULL);
	if (pipe(ends))
		return 2;
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, parts[i], NULL);
	while (!stop) {
		fault();
		pthread_kill(t[THREADS - 1], SIGUSR1);
		nanosleep(&ms, NULL);
	}
	if (write(ends[1], "x", 1) != 1)
		return 2;
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("wrong: threads %d, code %d, masks %d, calls %d%s\n", wrong_thread, wrong_code,
	       wrong_mask, wrong_call, ticks ? "" : ", no ticks");
	return 0;
}
