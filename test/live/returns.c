/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A handler returns to code that was never executed, where there is a conditional branch. Another
 * thread sends signals, one after the other at various times: some of them come during this return.
 * Prints how often it returned. usage: returns N
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 8 };

static pthread_t target;
static volatile int done, skipped, interrupted;

static void interrupt(int sig)
{
	interrupted++;
}

static void skip(int sig, siginfo_t *info, void *uc)
{
	((ucontext_t *)uc)->uc_mcontext.gregs[REG_RIP] += 2;
	skipped++;
}

static void *send(void *nothing)
{
	int i, was, wait;

	for (i = 0; !done; i++) {
		was = interrupted;
		pthread_kill(target, SIGUSR1);
		while (!done && interrupted == was)
			sched_yield();
		for (wait = i * 7919 % 10007; wait > 0; wait--)
			asm volatile("pause");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), i;
	struct sigaction action = { .sa_sigaction = skip, .sa_flags = SA_SIGINFO };
	unsigned char *code = mmap(NULL, n * SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	for (i = 0; i < n; i++)		/* ud2; test %edi, %edi; jz .+2; ret */
		memcpy(code + i * SIZE, "\x0f\x0b\x85\xff\x74\x00\xc3", 7);
	signal(SIGUSR1, interrupt);
	sigaction(SIGILL, &action, NULL);
	target = pthread_self();
	pthread_create(&thread, NULL, send, NULL);
	for (i = 0; i < n; i++)
		((void (*)(int))(code + i * SIZE))(i & 1);
	done = 1;
	pthread_join(thread, NULL);
	printf("%d %d\n", skipped, interrupted > 0);
	return 0;
}
