/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that forbids system calls which it does not need itself, but which a recorder may need.
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	/* Instructions of BPF: load the number; kill if it is one of two. */
	struct {
		unsigned short code;
		unsigned char yes, no;
		unsigned value;
	} code[] = {
		{ 0x20, 0, 0, 0 },
		{ 0x15, 1, 0, SYS_futex },
		{ 0x15, 0, 1, SYS_mmap },
		{ 0x06, 0, 0, 0x80000000 },
		{ 0x06, 0, 0, 0x7fff0000 },
	};
	struct {
		unsigned short n;
		void *code;
	} filter = { sizeof(code) / sizeof(*code), code };
	int status = 0;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	printf("filter: %d\n", prctl(PR_SET_SECCOMP, 2, &filter));
	fflush(stdout);
	if (!fork())
		_exit(5);
	wait(&status);
	printf("child: %x\n", status);
	return 4;
}
