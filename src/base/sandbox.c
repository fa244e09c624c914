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

/* All that readers call, and what libc or a sanitizer calls for them. Each that is not below
 * 32 costs a start 0.2 us. */
static const u16 may[] = {
	SYS_write, SYS_writev, SYS_pread64, SYS_read, SYS_mmap, SYS_munmap, SYS_close, SYS_lseek,
	SYS_fstat, SYS_brk, SYS_mremap, SYS_madvise, SYS_mprotect, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pwrite64, SYS_newfstatat, SYS_readlinkat,
	SYS_getcwd, SYS_fcntl, SYS_uname, SYS_memfd_create, SYS_ftruncate, SYS_exit_group,
	SYS_clock_gettime, SYS_restart_syscall,
#ifdef SYS_stat
	SYS_stat, SYS_access, SYS_poll,
#else
	SYS_faccessat, SYS_ppoll,
#endif
#ifdef __SANITIZE_ADDRESS__
	SYS_futex, SYS_getpid, SYS_gettid, SYS_sigaltstack,
#endif
};

/* And what those with children call. */
static const u16 of_parents[] = {
	SYS_clone, SYS_wait4, SYS_kill, SYS_tkill, SYS_getpid, SYS_gettid, SYS_getppid,
	SYS_sched_yield, SYS_prctl, SYS_futex,
#ifdef SYS_fork
	SYS_fork,
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

enum { AT_MACHINE = 2, AT_LOW = 8 };
static const struct sock_filter head[] = {
	/* What this begins with keeps the kernel from trying it with each call there is
	 * beforehand, to remember the answers: 0.1 ms of 0.2 at the start. */
	BPF_STMT(BPF_LD | BPF_IMM, 0),
	LOAD(offsetof(struct seccomp_data, arch)),
	IF(JEQ, MACHINE, 0, 0),
	LOAD(offsetof(struct seccomp_data, nr)),
	/* Numbers below 32 are bits of a word. */
	IF(JGE, 32, 5, 0),
	BPF_STMT(BPF_MISC | BPF_TAX, 0),
	BPF_STMT(BPF_LD | BPF_IMM, 1),
	BPF_STMT(BPF_ALU | BPF_LSH | BPF_X, 0),
	IF(JSET, 0, 0, 0),
	BPF_STMT(BPF_MISC | BPF_TXA, 0),
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

static void filter_calls(bool children)
{
	enum { N_HEAD = N_ELEM(head), N_MAY = N_ELEM(may), N_PARENTS = N_ELEM(of_parents),
	       N_TAIL = N_ELEM(tail) };
	struct sock_filter all[N_HEAD + N_MAY + N_PARENTS + N_TAIL];
	struct sock_fprog program = { N_HEAD, all };
	u32 low = 0, yes, i, nr;

	memcpy(all, head, sizeof(head));
	for (i = 0; i < N_MAY + (children ? N_PARENTS : 0); i++) {
		nr = i < N_MAY ? may[i] : of_parents[i - N_MAY];
		if (nr < 32)
			low |= 1u << nr;
		else
			all[program.len++] = (struct sock_filter)IF(JEQ, nr, 0, 0);
	}
	memcpy(all + program.len, tail, sizeof(tail));
	/* All may go to the last of the tail, but another machine's to the one before. */
	yes = program.len + N_TAIL - 1;
	for (i = N_HEAD; i < program.len; i++)
		all[i].jt = yes - i - 1;
	program.len += N_TAIL;
	all[AT_LOW].jt = yes - AT_LOW - 1;
	all[AT_LOW].k = low;
	all[AT_MACHINE].jf = yes - 1 - AT_MACHINE - 1;
	/* Kernels before 5.16 also take away what speculation gains (SSBD, STIBP) if they are
	 * not told that no foreign code runs here; those before 4.17 cannot be told. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		    &program))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void filter_calls(bool children)
{
	(void)children;
}
#endif

/* Rights that are handled and given for no folder are gone. Reading is not handled. */
static void give_up_files(void)
{
	enum { CREATE_RULESET = 444, RESTRICT_SELF = 446,
	       EXECUTE = 1 << 0, WRITE = 1 << 1, REMOVE_AND_MAKE = 0x1ff0, TRUNCATE = 1 << 14 };
	u64 handled = EXECUTE | WRITE | REMOVE_AND_MAKE | TRUNCATE;
	long fd = syscall(CREATE_RULESET, &handled, sizeof(handled), 0);

	if (fd < 0) {	/* it may be older than TRUNCATE */
		handled &= ~(u64)TRUNCATE;
		fd = syscall(CREATE_RULESET, &handled, sizeof(handled), 0);
	}
	if (fd < 0)
		return;
	syscall(RESTRICT_SELF, fd, 0);
	close(fd);
}

void sandbox_enter(bool children)
{
	static const struct rlimit none = { 0, 0 };
	const char *off = getenv("PT_SANDBOX");

	if (off && !strcmp(off, "off"))
		return;
	prlimit(0, RLIMIT_CORE, &none, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	give_up_files();
	filter_calls(children);
}
