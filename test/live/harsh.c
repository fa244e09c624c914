/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is easily broken by code that runs elsewhere: alternate stacks, jumps out of handlers,
 * queued signals, cancelled threads, robust mutexes, faults in threads. harsh ROUNDS says sums that
 * are always the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 64 << 10 };

static __thread sigjmp_buf out;
static __thread volatile int depth, deepest, queued;
static volatile long ticks;

static void tick(int sig)
{
	ticks++;
}

/* On the alternate stack, in itself again. */
static void nest(int sig)
{
	char here;

	if (++depth > deepest)
		deepest = depth;
	if (depth < 5)
		raise(SIGUSR1);
	memset(&here, depth, 1);
	depth--;
}

static void fault(int sig, siginfo_t *info, void *context)
{
	siglongjmp(out, info->si_code == SEGV_MAPERR ? 3 : 5);
}

/* Skips the instruction, of two bytes. */
static void skip(int sig, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

static void count(int sig, siginfo_t *info, void *context)
{
	queued = queued * 3 + info->si_value.sival_int;
}

static long faults(void)
{
	volatile int *volatile none = (int *)16;
	long n;

	n = sigsetjmp(out, 1);
	if (!n)
		n = *none;
	__asm__ volatile("ud2" : : : "memory");
	return n;
}

static long queues(void)
{
	sigset_t some, was;
	int i;

	queued = 0;
	sigemptyset(&some);
	sigaddset(&some, SIGRTMIN + 3);
	pthread_sigmask(SIG_BLOCK, &some, &was);
	for (i = 0; i < 5; i++) {
		siginfo_t info = { .si_code = SI_QUEUE };

		info.si_value.sival_int = i;
		syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGRTMIN + 3, &info);
	}
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return queued;
}

static void *endless(void *at)
{
	volatile unsigned long *n = at;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		++*n;
	return NULL;
}

static void *sleeping(void *none)
{
	for (;;)
		pause();
	return none;
}

static long cancels(void)
{
	volatile unsigned long n = 0;
	pthread_t a, b;
	void *how, *how2;

	pthread_create(&a, NULL, endless, (void *)&n);
	pthread_create(&b, NULL, sleeping, NULL);
	while (!n)
		;
	pthread_cancel(a);
	pthread_cancel(b);
	pthread_join(a, &how);
	pthread_join(b, &how2);
	return (how == PTHREAD_CANCELED) + (how2 == PTHREAD_CANCELED);
}

static void *die_with(void *mutex)
{
	pthread_mutex_lock(mutex);
	return NULL;
}

static long robust(void)
{
	pthread_mutexattr_t how;
	pthread_mutex_t mutex;
	pthread_t t;
	long n;

	pthread_mutexattr_init(&how);
	pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &how);
	pthread_create(&t, NULL, die_with, &mutex);
	pthread_join(t, NULL);
	n = pthread_mutex_lock(&mutex) == EOWNERDEAD;
	pthread_mutex_consistent(&mutex);
	pthread_mutex_unlock(&mutex);
	return n;
}

static long child(long round)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		if (round & 1)
			raise(SIGTERM);
		_exit(9);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	return status;
}

static void *work(void *at)
{
	stack_t stack = { .ss_sp = malloc(STACK), .ss_size = STACK };
	long *sum = at, rounds = *sum, i, s = 0;

	sigaltstack(&stack, NULL);
	for (i = 0; i < rounds; i++) {
		deepest = 0;
		raise(SIGUSR1);
		s = s * 31 + deepest;
		s = s * 31 + faults();
		s = s * 31 + queues();
		s = s * 31 + cancels();
		s = s * 31 + robust();
		s = s * 31 + child(i);
	}
	*sum = s;
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	free(stack.ss_sp);
	return NULL;
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction a = { .sa_flags = SA_RESTART };
	long sums[3];
	pthread_t t[3];
	int i;

	a.sa_handler = tick;
	sigaction(SIGALRM, &a, NULL);
	a.sa_handler = nest;
	a.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
	sigaction(SIGUSR1, &a, NULL);
	a.sa_sigaction = fault;
	a.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGSEGV, &a, NULL);
	a.sa_sigaction = skip;
	sigaction(SIGILL, &a, NULL);
	a.sa_sigaction = count;
	a.sa_flags = SA_SIGINFO | SA_RESTART;
	sigaction(SIGRTMIN + 3, &a, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 3; i++) {
		sums[i] = atoi(argv[1]);
		pthread_create(&t[i], NULL, work, &sums[i]);
	}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld %ld\n", sums[0], sums[1], sums[2]);
	return 0;
}
