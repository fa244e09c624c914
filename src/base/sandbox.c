/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading hostile files: the process gives up what it will not need.
 */
#define _GNU_SOURCE	/* prlimit() */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/base.h>
#include <pt/sandbox.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE

/* Those that come often first: the kernel goes through them one by one. */
static const u16 may[] = {
	SYS_write, SYS_pread64, SYS_read, SYS_mmap, SYS_munmap, SYS_close, SYS_lseek,
	SYS_fstat, SYS_writev, SYS_readv, SYS_newfstatat, SYS_statx, SYS_brk, SYS_mremap,
	SYS_madvise, SYS_mprotect, SYS_futex, SYS_faccessat, SYS_readlinkat, SYS_getcwd,
	SYS_getdents64, SYS_fcntl, SYS_uname, SYS_sysinfo, SYS_memfd_create,
	SYS_ftruncate, SYS_pwrite64, SYS_exit, SYS_exit_group, SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn, SYS_sigaltstack, SYS_clock_gettime, SYS_nanosleep,
	SYS_clock_nanosleep, SYS_ppoll, SYS_dup, SYS_dup3, SYS_pipe2, SYS_clone,
	SYS_wait4, SYS_waitid, SYS_kill, SYS_tgkill, SYS_tkill, SYS_getpid, SYS_gettid,
	SYS_getppid, SYS_set_tid_address, SYS_set_robust_list, SYS_sched_getaffinity,
	SYS_sched_yield, SYS_prlimit64, SYS_getrandom, SYS_prctl, SYS_getrusage,
	SYS_fadvise64, SYS_restart_syscall, SYS_membarrier,
#ifdef SYS_stat
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_dup2, SYS_pipe, SYS_fork,
	SYS_vfork, SYS_getrlimit,
#endif
#ifdef SYS_arch_prctl
	SYS_arch_prctl,
#endif
};

#ifdef SYS_open
#define OPEN SYS_open
#else
#define OPEN (~0u)	/* no call has this number */
#endif

/* The lower half of an argument, which is 64 bits wide. */
#define ARG(i) (offsetof(struct seccomp_data, args) + 8 * (i))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IF(how, value, yes, no) BPF_JUMP(BPF_JMP | BPF_##how | BPF_K, value, yes, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

enum { CHANGES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

static const struct sock_filter head[] = {
	/* What this begins with keeps the kernel from trying it with each call there is
	 * beforehand, to remember the answers: 0.1 ms of 0.2 at the start. */
	BPF_STMT(BPF_LD | BPF_IMM, 0),
	LOAD(offsetof(struct seccomp_data, arch)),
	IF(JEQ, MACHINE, 1, 0),
	RETURN(SECCOMP_RET_ERRNO | EPERM),
	LOAD(offsetof(struct seccomp_data, nr)),
};

/* Behind the list: files are opened for reading, and a terminal is asked its size. */
static const struct sock_filter tail[] = {
	IF(JEQ, SYS_openat, 0, 2),
	LOAD(ARG(2)),
	IF(JSET, CHANGES, 6, 7),
	IF(JEQ, OPEN, 0, 2),
	LOAD(ARG(1)),
	IF(JSET, CHANGES, 3, 4),
	IF(JEQ, SYS_ioctl, 0, 2),
	LOAD(ARG(1)),
	IF(JEQ, TIOCGWINSZ, 1, 0),
	RETURN(SECCOMP_RET_ERRNO | EPERM),
	RETURN(SECCOMP_RET_ALLOW),
};

static void filter_calls(void)
{
	enum { N_HEAD = N_ELEM(head), N_MAY = N_ELEM(may), N_TAIL = N_ELEM(tail) };
	struct sock_filter all[N_HEAD + N_MAY + N_TAIL];
	struct sock_fprog program = { N_ELEM(all), all };
	size_t i;

	memcpy(all, head, sizeof(head));
	for (i = 0; i < N_MAY; i++)	/* to the last of the tail */
		all[N_HEAD + i] = (struct sock_filter)IF(JEQ, may[i], N_MAY - i + N_TAIL - 2, 0);
	memcpy(all + N_HEAD + N_MAY, tail, sizeof(tail));
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void filter_calls(void)
{
}
#endif

/* Rights that are handled and given for no folder are gone. Reading is not handled. */
static void give_up_files(void)
{
	enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, ASK_VERSION = 1,
	       EXECUTE = 1 << 0, WRITE = 1 << 1, REMOVE_AND_MAKE = 0x1ff0, TRUNCATE = 1 << 14 };
	long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION), fd;
	u64 handled = EXECUTE | WRITE | REMOVE_AND_MAKE | (version >= 3 ? TRUNCATE : 0);

	fd = version < 1 ? -1 : syscall(CREATE_RULESET, &handled, sizeof(handled), 0);
	if (fd < 0)
		return;
	syscall(RESTRICT_SELF, fd, 0);
	close(fd);
}

void sandbox_enter(void)
{
	static const struct rlimit none = { 0, 0 };
	const char *off = getenv("PT_SANDBOX");

	if (off && !strcmp(off, "off"))
		return;
	prlimit(0, RLIMIT_CORE, &none, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	give_up_files();
	filter_calls();
}
