/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two processes with the same ID, one after the other. The first makes code; the second has code of
 * a file at the same address. Prints their results, or "no" if it may not choose IDs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, CODE = PROT_READ | PROT_EXEC };
#define AT ((unsigned char *)0x10000000)

/* linux/sched.h, struct clone_args */
struct args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
		 set_tid_size, cgroup;
};

static __attribute__((noinline, aligned(256))) int count(int n)
{
	int i, found = 0;

	for (i = 0; i < n; i++)
		found += i % 7 == 3;
	return found;
}

static int (*at(int off))(int)
{
	return (int (*)(int))(uintptr_t)(AT + off);
}

static int make_code(void)
{
	mmap(AT, PAGE, CODE | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memset(AT, 0x90, PAGE - 6);			/* nop */
	memcpy(AT + PAGE - 6, "\xb8\5\0\0\0\xc3", 6);	/* mov $5, %eax; ret */
	return at(0)(0);
}

static int map_code(void)
{
	uintptr_t here = (uintptr_t)count, page = here & -(uintptr_t)PAGE;
	int file = open("/proc/self/exe", O_RDONLY);

	/* It is linked at 0x400000, and its code is in the file at the same offset. */
	mmap(AT, 2 * PAGE, CODE, MAP_PRIVATE | MAP_FIXED, file, page - 0x400000);
	return at(here - page)(1000);
}

int main(void)
{
	struct args args = { .exit_signal = SIGCHLD };
	int pid, status, i;

	for (i = 0; i < 2; i++) {
		pid = syscall(SYS_clone3, &args, sizeof(args));
		if (!pid)
			_exit(i ? map_code() : make_code());
		if (pid < 0) {
			puts("no");
			return 0;
		}
		waitpid(pid, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
		args.set_tid = (uintptr_t)&pid;
		args.set_tid_size = 1;
	}
	return 0;
}
