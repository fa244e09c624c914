/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program whose file is mounted nowhere, as container runtimes do: the kernel names it "/".
 * Without the right to do that, or on an old kernel, it says so and ends with 77.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NR_OPEN_TREE = 428, CLONE_TREE = 1, EMPTY_PATH = 0x1000 };

int main(int argc, char **argv)
{
	char *again[] = { "detached", "again", NULL }, *env[] = { NULL };
	int fd, i, sum = 0;

	if (argc > 1) {
		for (i = 0; i < 1000; i++)
			sum += i % 7;
		printf("%s %d\n", argv[1], sum);
		return 0;
	}
	fd = syscall(NR_OPEN_TREE, AT_FDCWD, argv[0], CLONE_TREE | O_CLOEXEC);
	if (fd >= 0)
		syscall(SYS_execveat, fd, "", again, env, EMPTY_PATH);
	printf("no\n");
	return 77;
}
