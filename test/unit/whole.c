/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE	/* pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/whole.h>
#include "test.h"

enum { SIZE = 300000 };	/* more than a pipe holds */

static char wrote[SIZE], got[SIZE];

static void nothing(int signal)
{
}

/* Signals interrupt calls that wait, from now on or no longer. */
static void interrupt(bool on)
{
	struct itimerval every = { { 0, on ? 500 : 0 }, { 0, on ? 500 : 0 } };

	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = nothing }, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

TEST(all_is_written_and_read_though_signals_interrupt)
{
	int fds[2], status, i;
	pid_t pid;

	for (i = 0; i < SIZE; i++)
		wrote[i] = i * 7 >> 3;
	OK(!pipe2(fds, 0));
	pid = fork();
	if (!pid) {
		close(fds[0]);
		interrupt(true);
		for (i = 0; i < 10; i++) {
			if (whole_write(fds[1], wrote + SIZE / 10 * i, SIZE / 10))
				_exit(1);
			usleep(2000);
		}
		_exit(0);
	}
	close(fds[1]);
	interrupt(true);
	OK(whole_read(fds[0], got, SIZE));
	OK(!memcmp(wrote, got, SIZE));
	OK(!whole_read(fds[0], got, 1));
	interrupt(false);
	OK(waitpid(pid, &status, 0) == pid);
	EQ(status, 0);
	close(fds[0]);
}

TEST(an_early_end_is_no_success)
{
	int fds[2];

	OK(!pipe2(fds, 0));
	EQ(whole_write(fds[1], "abc", 3), 0);
	close(fds[1]);
	errno = EINTR;	/* of an earlier call */
	OK(!whole_read(fds[0], got, 4));
	OK(whole_read(fds[0], got, 0));
	close(fds[0]);
	OK(!whole_read(fds[0], got, 1));
}

TEST(what_fails_is_said)
{
	int full = open("/dev/full", O_WRONLY);

	EQ(whole_write(full, "abc", 3), -ENOSPC);
	EQ(whole_write(full, "abc", 0), 0);
	close(full);
	EQ(whole_write(full, "abc", 3), -EBADF);
}
