/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script -j: locks, waiting, and the death of a process.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/fail.h>
#include "board.h"

/* Another process of -j ended with the wait status 'status'. End this one; the kernel then ends the
 * others (PR_SET_PDEATHSIG). */
static void quit(int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (signal == SIGPIPE)
		raise(SIGPIPE);	/* the reader of the output has gone; that process noticed first */
	else
		fail(0, "a process of -j %s %d; use a smaller -j, or none", signal ?
		     "was killed by signal" : "ended with status", signal ? signal :
		     WEXITSTATUS(status));
	_exit(STATUS_FAILED);
}

/* The segment of a process that dies is lost, so all processes end. */
static void look_after(struct parallel *p)
{
	int status;
	pid_t pid;
	u32 i;

	while (!p->me && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 1; i < p->board->n; i++)
			if (p->board->slots[i].pid == pid)
				p->board->slots[i].pid = 0;
		if (status)
			quit(status);
	}
}

void board_lock(struct parallel *p)
{
	while (__atomic_exchange_n(&p->board->lock, 1, __ATOMIC_ACQUIRE)) {
		look_after(p);
		sched_yield();
	}
}

void board_unlock(struct parallel *p)
{
	bool wanted = p->board->n_waiting;

	__atomic_add_fetch(&p->board->changes, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&p->board->lock, 0, __ATOMIC_RELEASE);
	if (wanted)
		syscall(SYS_futex, &p->board->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void board_wait(struct parallel *p)
{
	struct timespec often = { .tv_nsec = 50000000 };
	u32 seen = p->board->changes;

	p->board->n_waiting++;
	__atomic_store_n(&p->board->lock, 0, __ATOMIC_RELEASE);
	syscall(SYS_futex, &p->board->changes, FUTEX_WAIT, seen, &often, NULL, 0);
	look_after(p);
	board_lock(p);
	p->board->n_waiting--;
}

bool board_has_truth(const struct parallel *p)
{
	return __atomic_load_n(&p->board->truth, __ATOMIC_ACQUIRE) == p->me;
}

bool board_in_vain(const struct parallel *p)
{
	return __atomic_load_n(&p->slot->state, __ATOMIC_ACQUIRE) == REFUSED ||
	       __atomic_load_n(&p->board->over, __ATOMIC_ACQUIRE);
}
