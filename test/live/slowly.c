/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A timer's handler takes a third of the time, without a system call, above code that looks at its
 * registers. With an argument, it takes longer, and SIGALRM comes from others. Ends after SIGTERM.
 * usage: slowly [rarely]
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile int stop, ticks, loops = 6000000;

static void on_term(int sig)
{
	stop = 1;
}

static void on_tick(int sig)
{
	volatile int i;

	for (i = 0; i < loops; i++)
		;
	ticks++;
}

int main(int argc, char **argv)
{
	const struct itimerval often = { { 0, 30000 }, { 0, 30000 } };
	struct sigaction tick = { .sa_handler = on_tick, .sa_flags = SA_RESTART };
	unsigned long wrong = 0, a, b, c;

	signal(SIGTERM, on_term);
	sigaction(SIGALRM, &tick, NULL);
	if (argc > 1)
		loops *= 5;
	else
		setitimer(ITIMER_REAL, &often, NULL);
	while (!stop) {
		__asm__ volatile("movabs $0x8115edc6ed72e900, %%rax\n mov %%rax, %%rbx\n"
				 "mov %%rax, %%rsi\n mov %%rax, %%r9\n mov $100000, %%ecx\n"
				 "1: nop\n dec %%ecx\n jnz 1b\n"
				 "xor %%rax, %%rbx\n xor %%rax, %%rsi\n xor %%rax, %%r9\n"
				 "or %%r9, %%rbx\n movabs $0x8115edc6ed72e900, %%rdx\n"
				 "xor %%rdx, %%rax"
				 : "=a"(a), "=b"(b), "=S"(c) : : "rcx", "rdx", "r9", "cc");
		wrong |= a | b | c;
	}
	printf("wrong: %lx%s\n", wrong, ticks || argc > 1 ? "" : ", no ticks");
	return 0;
}
