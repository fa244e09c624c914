/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that makes code and handles faults starts another one, by a child that shares its
 * memory and sets all handlers to the default. Then it handles faults as before.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

static sigjmp_buf back;

static void handler(int sig)
{
	siglongjmp(back, sig);
}

int main(int argc, char **argv)
{
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *child[] = { argv[0], "child", NULL };
	int i, sig, status = 0;
	pid_t pid;

	if (argc > 1)
		return 7;
	signal(SIGSEGV, handler);
	for (i = 0; i < 3; i++) {
		memcpy(page, (unsigned char[]){ 0xb8, i, 0, 0, 0, 0xc3 }, 6); /* mov $i, %eax; ret */
		printf("%d\n", ((int (*)(void))page)());
		posix_spawn(&pid, argv[0], NULL, NULL, child, NULL);
		waitpid(pid, &status, 0);
		sig = sigsetjmp(back, 1);
		if (!sig)
			*(volatile char *)(long)i = 0;
		printf("%d: signal %d\n", WEXITSTATUS(status), sig);
	}
	return 0;
}
