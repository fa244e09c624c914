/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children that clone() and clone3() make for no tracer to see. Each makes more branches than a
 * ring has bytes.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLONE3 = 435 };

int main(void)
{
	unsigned long long args[8] = { [0] = CLONE_UNTRACED, [4] = SIGCHLD };	/* clone_args */
	volatile unsigned int i;
	int status = 0, how;
	pid_t child;

	for (how = 0; how < 2; how++) {
		child = how ? syscall(CLONE3, args, sizeof(args)) :
			syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, NULL, NULL, NULL, NULL);
		if (!child) {
			for (i = 0; i < 3000000; i++)
				;
			_exit(i / 100000);
		}
		waitpid(child, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
	}
	return 0;
}
