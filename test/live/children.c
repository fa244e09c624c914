/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A child that a pidfd shows as dead can be waited for at once. (While a process is traced, its
 * tracer must wait for it first.) Children end, are killed, have threads, and one becomes another
 * program by a thread that is not its first one, after the first one has ended.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KINDS = 5, TIMES = 40 };

static const char *self;

static void *doze(void *unused)
{
	pause();
	return NULL;
}

static void *become(void *unused)
{
	usleep(2000);
	execl(self, self, "again", (char *)NULL);
	_exit(99);
}

static void child(int kind)
{
	pthread_t thread;

	if (kind == 4) {
		pthread_create(&thread, NULL, become, NULL);
		pthread_exit(NULL);
	}
	if (kind & 2)
		pthread_create(&thread, NULL, doze, NULL);
	if (kind & 1)
		kill(getpid(), SIGKILL);
	_exit(7);
}

int main(int argc, char **argv)
{
	int late[KINDS] = { 0 }, wrong = 0, i, fd;
	struct pollfd dead;
	siginfo_t info;
	pid_t pid;

	if (argc > 1 && !strcmp(argv[1], "again"))
		return 7;
	self = argv[0];
	if (syscall(SYS_pidfd_open, getpid(), 0) < 0) {
		printf("no pidfd\n");
		return 77;
	}
	for (i = 0; i < KINDS * TIMES; i++) {
		pid = fork();
		if (!pid)
			child(i % KINDS);
		fd = syscall(SYS_pidfd_open, pid, 0);
		dead = (struct pollfd){ fd, POLLIN, 0 };
		poll(&dead, 1, -1);
		info.si_pid = 0;
		waitid(P_PID, pid, &info, WEXITED | WNOHANG);
		late[i % KINDS] += !info.si_pid;
		if (!info.si_pid)
			waitid(P_PID, pid, &info, WEXITED);
		wrong += info.si_status != (i % KINDS & 1 ? SIGKILL : 7);
		close(fd);
	}
	for (i = 0; i < KINDS; i++)
		printf("late: %d\n", late[i]);
	printf("wrong: %d\n", wrong);
	return 0;
}
