/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals whose siginfo is unlike that of others: a handler prints what it finds there, and the
 * size of the registers of its frame.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { X87 = sizeof(long) == 4 ? 112 : 0, EXTENDED_SIZE = 468 };	/* of _fpx_sw_bytes */

static volatile unsigned size;

static void handler(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;

	printf("%d: code %d, band %ld, descriptor %d\n", sig, info->si_code, (long)info->si_band,
	       info->si_fd);
	memcpy((void *)&size, (char *)c->uc_mcontext.fpregs + X87 + EXTENDED_SIZE, sizeof(size));
}

int main(void)
{
	struct sigaction act = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	int sigs[] = { SIGRTMIN + 1, SIGUSR1, SIGIO, SIGCHLD }, fds[2];
	unsigned i;

	for (i = 0; i < sizeof(sigs) / sizeof(*sigs); i++) {
		sigaction(sigs[i], &act, NULL);
		pipe(fds);
		fcntl(fds[0], F_SETOWN, getpid());
		fcntl(fds[0], F_SETSIG, sigs[i]);
		fcntl(fds[0], F_SETFL, O_ASYNC | O_NONBLOCK);
		write(fds[1], "x", 1);
	}
	printf("%u\n", size);
	return 0;
}
