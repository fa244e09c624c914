/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * limited many|few|fixed|mdwe now|later: limits its system calls to a list; all others kill it.
 * 'fixed', 'mdwe': only memory that is writable and executable is forbidden, by a filter or by
 * prctl(). 'later': only after it has read a line. Prints "ready", computes until its input ends,
 * and says whether the result is right. Its status is 7.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N(list) (sizeof(list) / sizeof(*(list)))

enum { SET_MDWE = 65 };		/* linux/prctl.h */

/* linux/filter.h and linux/seccomp.h */
struct filter { uint16_t code; uint8_t yes, no; uint32_t k; };
struct program { uint16_t n; const struct filter *code; };
enum { LOAD = 0x20, JUMP_EQUAL = 0x15, RETURN = 6, ALLOW = 0x7fff0000, MODE_FILTER = 2 };
#define KILL_PROCESS 0x80000000
#define KILL_THREAD 0

static const unsigned short calls[] = {
	SYS_read, SYS_write, SYS_writev, SYS_open, SYS_openat, SYS_close, SYS_fstat,
	SYS_newfstatat, SYS_poll, SYS_lseek, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk,
	SYS_madvise, SYS_mremap, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_sched_yield, SYS_ioctl, SYS_pread64, SYS_getpid, SYS_gettid, SYS_kill, SYS_tgkill,
	SYS_rt_tgsigqueueinfo, SYS_futex, SYS_arch_prctl, SYS_exit_group, SYS_memfd_create,
	SYS_process_vm_readv, SYS_process_vm_writev,
};

static const unsigned short few[] = {
	SYS_read, SYS_write, SYS_writev, SYS_poll, SYS_brk, SYS_munmap, SYS_madvise,
	SYS_rt_sigprocmask, SYS_ioctl, SYS_futex, SYS_exit_group,
};

static void limit(const unsigned short *list, size_t n, unsigned other)
{
	struct filter code[2 * N(calls) + 2] = { { LOAD, 0, 0, 0 } }, *f = code + 1;
	struct program program = { 2 * n + 2, code };
	size_t i;

	for (i = 0; i < n; i++) {
		*f++ = (struct filter){ JUMP_EQUAL, 0, 1, list[i] };
		*f++ = (struct filter){ RETURN, 0, 0, ALLOW };
	}
	*f = (struct filter){ RETURN, 0, 0, other };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, MODE_FILTER, &program))
		perror("seccomp");
}

/* As systemd's MemoryDenyWriteExecute. */
static void forbid(void)
{
	enum { NR = 0, ARG_2 = 32, ANY = 0x45, ERROR = 0x50001, WRITE = 2, EXEC = 4 };
	struct filter code[] = {
		{ LOAD, 0, 0, NR }, { JUMP_EQUAL, 1, 0, SYS_mmap },
		{ JUMP_EQUAL, 0, 6, SYS_mprotect },
		{ LOAD, 0, 0, ARG_2 }, { ANY, 0, 4, EXEC },
		{ LOAD, 0, 0, NR }, { JUMP_EQUAL, 3, 0, SYS_mprotect },
		{ LOAD, 0, 0, ARG_2 }, { ANY, 1, 0, WRITE },
		{ RETURN, 0, 0, ALLOW }, { RETURN, 0, 0, ERROR },
	};
	struct program program = { N(code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, MODE_FILTER, &program))
		perror("seccomp");
}

static unsigned sum(unsigned n)
{
	unsigned i, x = 1;

	for (i = 0; i < n; i++)
		x = x * 1103515245 + (x >> 28 == 3 ? 7 : 12345);
	return x;
}

int main(int argc, char **argv)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };
	unsigned first = sum(300), bad = 0;
	char line[8];

	if (!strcmp(argv[2], "later"))
		bad += read(0, line, 1) != 1;
	if (!strcmp(argv[1], "mdwe"))
		prctl(SET_MDWE, 1, 0, 0, 0);
	else if (!strcmp(argv[1], "fixed"))
		forbid();
	else if (!strcmp(argv[1], "few"))
		limit(few, N(few), KILL_THREAD);
	else
		limit(calls, N(calls), *argv[2] == 'n' ? KILL_PROCESS : KILL_THREAD);
	puts("ready");
	fflush(stdout);
	while (!poll(&in, 1, 1) || read(0, line, sizeof(line)) > 0)
		bad += sum(300) != first;
	printf("%u wrong\n", bad);
	return 7;
}
