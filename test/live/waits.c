/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Four processes that wait in system calls which a stop interrupts. Prints their pids. At the end
 * of standard input each gets what it waits for, and the result of its call is printed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int fds[2], sockets[2], sem;

static int wait_epoll(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int poll = epoll_create1(0);

	epoll_ctl(poll, EPOLL_CTL_ADD, fds[0], &e);
	return epoll_wait(poll, &e, 1, 100000);
}

static int wait_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigwaitinfo(&set, NULL);
}

static int wait_sem(void)
{
	struct sembuf down = { .sem_op = -1 };

	return semop(sem, &down, 1);
}

static int wait_socket(void)
{
	struct timeval most = { .tv_sec = 100 };
	char c;

	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	return recv(sockets[0], &c, 1, 0);
}

int main(void)
{
	static int (*const waits[])(void) = { wait_epoll, wait_signal, wait_sem, wait_socket };
	struct sembuf up = { .sem_op = 1 };
	int i, status, pid[4];
	sigset_t set;
	char c;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pipe(fds);
	socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
	sem = semget(IPC_PRIVATE, 1, 0600);
	for (i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			int got = waits[i]();

			_exit(got < 0 ? 100 + errno : got);
		}
		printf("%d%s", pid[i], i < 3 ? "," : "\n");
	}
	fflush(stdout);
	read(0, &c, 1);
	write(fds[1], "", 1);
	kill(pid[1], SIGUSR2);
	semop(sem, &up, 1);
	send(sockets[1], "", 1, 0);
	for (i = 0; i < 4; i++) {
		waitpid(pid[i], &status, 0);
		printf("%d ", status >> 8);
	}
	semctl(sem, 0, IPC_RMID);
	printf("\n");
	return 0;
}
