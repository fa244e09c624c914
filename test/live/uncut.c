/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads wait in system calls that a stop interrupts. The first one gets SIGCHLD, which it ignores,
 * and at the end of standard input prints how often the waiting calls failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int failed;

static void *wait_epoll(void *none)
{
	struct epoll_event e;
	int poll = epoll_create1(0);

	for (;;)
		failed += epoll_wait(poll, &e, 1, -1) < 0;
	return none;
}

static void *wait_sem(void *none)
{
	struct sembuf down = { .sem_op = -1 };
	int sem = *(int *)none;

	while (!semop(sem, &down, 1) || errno == EINTR)
		failed++;
	return none;
}

static void *wait_signal(void *none)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	for (;;)
		failed += sigwaitinfo(&set, NULL) < 0;
	return none;
}

static int nap(void *none)
{
	nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
	_exit(0);
}

/* A thread that waits for its child cannot be stopped: pt has to wait for it, too. */
static void *wait_child(void *none)
{
	static char stack[1 << 16];

	for (;;)
		waitpid(clone(nap, stack + sizeof(stack), CLONE_VM | CLONE_VFORK, NULL), NULL,
			__WALL);
	return none;
}

static void wait_input(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int poll = epoll_create1(0);

	epoll_ctl(poll, EPOLL_CTL_ADD, 0, &e);
	while (epoll_wait(poll, &e, 1, -1) < 0)
		failed++;
}

int main(void)
{
	struct timespec pause = { .tv_nsec = 500000000 };
	int sem = semget(IPC_PRIVATE, 1, 0600), i;
	pthread_t thread;

	for (i = 0; i < 3; i++)
		if (!fork()) {
			nanosleep(&pause, NULL);
			_exit(0);
		}
	pthread_create(&thread, NULL, wait_epoll, NULL);
	pthread_create(&thread, NULL, wait_sem, &sem);
	pthread_create(&thread, NULL, wait_signal, NULL);
	pthread_create(&thread, NULL, wait_child, NULL);
	wait_input();
	printf("%d failed\n", failed);
	fflush(stdout);
	semctl(sem, 0, IPC_RMID);
	_exit(0);
}
