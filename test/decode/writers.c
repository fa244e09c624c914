/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: writers COMMAND...
 *
 * Run COMMAND, and print how many processes wrote to its standard output: that is a socket, and the
 * kernel adds the writer's pid to what is read from it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
	static char bytes[1 << 16];
	union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(struct ucred))]; } control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control };
	int ends[2], one = 1, n = 0, i;
	pid_t pids[MOST];

	if (argc < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
	    setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &one, sizeof(one)))
		return 1;
	if (!fork()) {
		dup2(ends[1], 1);
		close(ends[0]);
		close(ends[1]);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	close(ends[1]);
	for (;;) {
		struct cmsghdr *head;
		struct ucred writer;

		message.msg_controllen = sizeof(control);
		if (recvmsg(ends[0], &message, 0) <= 0)
			break;
		head = CMSG_FIRSTHDR(&message);
		if (!head || head->cmsg_type != SCM_CREDENTIALS)
			return 1;
		memcpy(&writer, CMSG_DATA(head), sizeof(writer));
		for (i = 0; i < n && pids[i] != writer.pid; i++)
			;
		if (i == n && n < MOST)
			pids[n++] = writer.pid;
	}
	printf("%d\n", n);
	return 0;
}
