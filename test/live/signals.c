/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All effects of signals on the flow of a program: handlers, faults with recovery, its own traps,
 * restarts, a storm of timers, stop and continue. Prints what it saw, and dies of a signal.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int count, faults;
static sigjmp_buf back;

static void counted(int sig) { count++; }
static void out_of_it(int sig) { faults++; siglongjmp(back, 1); }

static int sent(void)
{
	int i, late = 0;

	for (i = 0; i < 50; i++) {
		count = 0;
		raise(SIGUSR1);
		late += count != 1;
		count = 0;
		kill(getpid(), SIGUSR1);
		late += count != 1;
	}
	return late;
}

static int faulted(void)
{
	volatile int zero = 0;

	signal(SIGSEGV, out_of_it);
	signal(SIGFPE, out_of_it);
	signal(SIGILL, out_of_it);
	if (!sigsetjmp(back, 1))
		*(volatile int *)8 = 1;
	if (!sigsetjmp(back, 1))
		((void (*)(void))16)();
	if (!sigsetjmp(back, 1))
		zero = 1 / zero;
	if (!sigsetjmp(back, 1))
		asm volatile("ud2");
	if (!sigsetjmp(back, 1))
		asm volatile("hlt");
	return faults;
}

static int trapped(void)
{
	signal(SIGTRAP, counted);
	count = 0;
	asm volatile("int3; nop; int3");
	asm volatile("lea -128(%%rsp), %%rsp\n"
		     "pushf\n orl $0x100, (%%rsp)\n popf\n nop\n nop\n"
		     "pushf\n andl $~0x100, (%%rsp)\n popf\n"
		     "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
	return count;
}

/* The next signal comes while the handler runs, if that takes 0.2 ms. It comes later and later:
 * a program that is stepped on a busy machine would else do nothing but handle it. */
static void counted_again(int sig)
{
	if (++count < 50)
		setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 200 << count / 8 },
			  NULL);
}

static int stormed(void)
{
	signal(SIGALRM, counted_again);
	count = 0;
	counted_again(0);
	while (count < 50)
		;
	return count;
}

/* A read that a handler interrupts is made again. */
static int restarted(void)
{
	struct sigaction action = { .sa_handler = counted, .sa_flags = SA_RESTART };
	int ends[2];
	char c = 0;
	pid_t pid;

	sigaction(SIGUSR2, &action, NULL);
	count = 0;
	if (pipe(ends))
		return 0;
	pid = fork();
	if (!pid) {
		while (usleep(1000), kill(getppid(), SIGUSR2), read(ends[0], &c, 0) < 0)
			;
		usleep(20000);
		_exit(write(ends[1], "r", 1) != 1);
	}
	if (read(ends[0], &c, 1) != 1)
		c = 'i';
	waitpid(pid, NULL, 0);
	return c == 'r' && count == 1;
}

static int stopped(void)
{
	int status, seen;
	pid_t pid = fork();

	if (!pid) {
		raise(SIGSTOP);
		_exit(7);
	}
	waitpid(pid, &status, WUNTRACED);
	seen = WIFSTOPPED(status);
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	return seen && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int piped(void)
{
	int ends[2];

	signal(SIGPIPE, counted);
	count = 0;
	if (pipe(ends))
		return 0;
	close(ends[0]);
	return write(ends[1], "x", 1) < 0 ? count : -1;
}

int main(void)
{
	sigset_t all;

	signal(SIGUSR1, counted);
	printf("late %d\n", sent());
	printf("faults %d\n", faulted());
	printf("traps %d\n", trapped());
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	printf("traps %d\n", trapped());
	printf("storm %d\n", stormed());
	printf("restart %d\n", restarted());
	printf("stop %d\n", stopped());
	printf("pipe %d\n", piped());
	fflush(stdout);
	signal(SIGTERM, SIG_DFL);
	kill(getpid(), SIGTERM);
	return 0;
}
