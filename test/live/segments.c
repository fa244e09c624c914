/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that use %gs themselves, each with its own area, beside a timer, forks and system calls:
 * segments [ROUNDS]
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SET_GS = 0x1001, GET_GS = 0x1004, FSGSBASE = 2, N_THREADS = 4, N_WORDS = 64 };

struct area {
	unsigned long number, ticks, words[N_WORDS];
};

static unsigned long rounds, bad;

static unsigned long load(unsigned long offset)
{
	unsigned long v;

	__asm__ volatile("mov %%gs:16(%1), %0" : "=r"(v) : "r"(offset) : "memory");
	return v;
}

/* With a 32-bit address, and an index. */
static void add(unsigned int i, unsigned long v)
{
	__asm__ volatile("add %1, %%gs:16(,%k0,8)" : : "r"(i), "r"(v) : "memory", "cc");
}

static unsigned long number(void)
{
	unsigned long v;

	__asm__ volatile("mov %%gs:0, %0" : "=r"(v) : : "memory");
	return v;
}

static void tick(int sig)
{
	__asm__ volatile("incq %%gs:8" : : : "memory", "cc");
}

static int has_base(void)
{
	return getauxval(AT_HWCAP2) & FSGSBASE;
}

static void set_base(void *to)
{
	if (has_base())
		__asm__ volatile("wrgsbase %0" : : "r"(to) : "memory");
	else
		syscall(SYS_arch_prctl, SET_GS, to);
}

static void *base(void)
{
	void *v = NULL;

	if (has_base())
		__asm__ volatile("rdgsbase %0" : "=r"(v));
	else
		syscall(SYS_arch_prctl, GET_GS, &v);
	return v;
}

static void check(int right)
{
	if (!right)
		__atomic_fetch_add(&bad, 1, __ATOMIC_RELAXED);
}

static void in_child(struct area *a)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(number() == a->number && base() == a ? 7 : 8);
	check(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 7);
}

/* For a moment the base is another's. */
static void change(struct area *a)
{
	struct area other = { 99 };

	set_base(&other);
	check(number() == 99 && base() == &other);
	set_base(a);
}

static void *work(void *at)
{
	struct area *a = at;
	unsigned long i, sum = 0;

	set_base(a);
	for (i = 0; i < rounds; i++) {
		add(i % N_WORDS, i + a->number);
		sum += load(i * 7 % N_WORDS * 8);
		check(number() == a->number);
		if (i % 64 == 0)
			change(a);
		if (i % 1024 == 0)
			check(syscall(SYS_getppid) == getppid() && base() == a);
		if (i % (1 << 19) == 0)
			in_child(a);
	}
	return (void *)sum;
}

int main(int argc, char **argv)
{
	static struct area areas[N_THREADS + 1];
	struct itimerval each = { { 0, 3000 }, { 0, 3000 } };
	pthread_t threads[N_THREADS];
	unsigned long i, sum = 0;
	void *got;

	rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 200000;
	syscall(SYS_arch_prctl, SET_GS, &areas[N_THREADS]);
	areas[N_THREADS].number = N_THREADS;
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &each, NULL);
	for (i = 0; i < N_THREADS; i++) {
		areas[i].number = i;
		pthread_create(&threads[i], NULL, work, &areas[i]);
	}
	work(&areas[N_THREADS]);
	for (i = 0; i < N_THREADS; i++) {
		pthread_join(threads[i], &got);
		sum = sum * 3 + (unsigned long)got;
	}
	check(base() == &areas[N_THREADS]);
	printf("%lx, %lu are wrong\n", sum, bad);
	return bad != 0;
}
