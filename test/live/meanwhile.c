/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A handler that interrupts a system call with a mask of its own: the mask while the handler runs
 * has those signals, too. After the call, the thread's own mask is back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIZE = 8, EPOLL_PWAIT2 = 441, PLAIN = 5 };
#ifdef __i386__
enum { CALLS = PLAIN + 2, OLD_SIGSUSPEND = 72, OLD_IO_PGETEVENTS = 385 };
#else
enum { CALLS = PLAIN, OLD_SIGSUSPEND, OLD_IO_PGETEVENTS };
#endif

static volatile uint64_t inside;

static uint64_t mask(void)
{
	uint64_t now = 0;

	syscall(SYS_rt_sigprocmask, 0, NULL, &now, SIZE);
	return now;
}

static void handler(int sig)
{
	inside = mask();
}

static long wait_in(int call, int fd, uint64_t *set)
{
	struct pollfd p = { fd, POLLIN, 0 };
	long limit[4] = { 10, 0 };
	unsigned long events = 0;
	struct { uint64_t *set; size_t size; } both = { set, SIZE };
	struct epoll_event event;
	fd_set fds;

	FD_ZERO(&fds);
	FD_SET(fd, &fds);
	switch (call) {
	case 0:
		return syscall(SYS_rt_sigsuspend, set, SIZE);
	case 1:
		return syscall(SYS_ppoll, &p, 1, limit, set, SIZE);
	case 2:
		return syscall(SYS_pselect6, fd + 1, &fds, NULL, NULL, limit, &both);
	case 3:
		return syscall(SYS_epoll_pwait, epoll_create1(0), &event, 1, 10000, set, SIZE);
	case PLAIN:		/* the others are calls of 32-bit programs */
		return syscall(OLD_SIGSUSPEND, 0, 0, (long)*set);
	case PLAIN + 1:
		syscall(SYS_io_setup, 1, &events);
		return syscall(OLD_IO_PGETEVENTS, events, 1, 1, &fds, limit, &both);
	}
	return syscall(EPOLL_PWAIT2, epoll_create1(0), &event, 1, limit, set, SIZE);
}

int main(void)
{
	uint64_t own = 1 << (SIGALRM - 1), set = 1 << (SIGCHLD - 1) | 1 << (SIGSEGV - 1);
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	int fds[2], call;
	long result;

	signal(SIGALRM, handler);
	pipe(fds);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &own, NULL, SIZE);
	for (call = 0; call < CALLS; call++) {
		inside = 0;
		setitimer(ITIMER_REAL, &soon, NULL);
		result = wait_in(call, fds[0], &set);
		printf("%d: %ld %s, inside %#lx, after %#lx\n", call, result,
		       strerror(errno), (long)inside, (long)mask());
	}
	return 0;
}
