/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: refuse NR ERRNO COMMAND [ARGS]
 *
 * Runs COMMAND; system call NR fails with ERRNO, as with the seccomp filter of a container.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argc > 3 ? atoi(argv[1]) : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (argc > 3 ? atoi(argv[2]) : 0)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (argc < 4 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		fputs("refuse: cannot\n", stderr);
		return 125;
	}
	execvp(argv[3], argv + 3);
	return 127;
}
