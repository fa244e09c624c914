/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Before it reads hostile files, the process gives up all rights that it will not need.
 */
#define _GNU_SOURCE	/* prlimit() */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
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

enum { CREATE_RULESET = 444, RESTRICT_SELF = 446 };	/* Landlock's system calls */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE

/* System calls that readers make, and those that libc or a sanitizer makes for them. Each one
 * with a number of 32 or more adds 0.2 us to the start. */
static const u16 may[] = {
	SYS_write, SYS_writev, SYS_pread64, SYS_read, SYS_mmap, SYS_munmap, SYS_close, SYS_lseek,
	SYS_fstat, SYS_brk, SYS_mremap, SYS_madvise, SYS_mprotect, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pwrite64, SYS_newfstatat, SYS_readlinkat,
	SYS_getcwd, SYS_uname, SYS_memfd_create, SYS_ftruncate, SYS_exit_group,
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

/* System calls that a process with children also makes. */
static const u16 of_parents[] = {
	SYS_wait4, SYS_getpid, SYS_gettid, SYS_getppid, SYS_sched_yield, SYS_futex,
#ifdef SYS_fork
	SYS_fork,
#endif
};

#ifdef SYS_open
#define OPEN SYS_open
#else
#define OPEN (~0u)	/* no system call has this number */
#endif

/* The lower half of an argument, which is 64 bits wide. */
#define ARG(i) (offsetof(struct seccomp_data, args) + 8 * (i))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IF(how, value, yes, no) BPF_JUMP(BPF_JMP | BPF_##how | BPF_K, value, yes, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

/* Which values of one argument are allowed. */
enum test { HAS_NONE_OF, IS, IS_ME };
struct rule {
	u32 nr;
	u8 arg;
	u8 test;
	u32 value;
};

enum {
	CHANGES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC,
	DESCRIPTOR_FLAGS = F_DUPFD | F_GETFD | F_SETFD | F_GETFL,
	/* Bits of clone() that fork() may set: the signal at the end of the child, and where its
	 * PID is stored. */
	FORK = 0xff | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
};

/* The first rows are only for a process with children: a child requests to be killed with its
 * parent, and raise() signals the caller itself. The other rows: files are opened for reading, and
 * the size of a terminal is read. Other commands of fcntl() could send a signal to any process. */
enum { N_OF_PARENTS = 3 };
static const struct rule rules[] = {
	{ SYS_clone, 0, HAS_NONE_OF, ~(u32)FORK },
	{ SYS_prctl, 0, IS, PR_SET_PDEATHSIG },
	{ SYS_tkill, 0, IS_ME },
	{ SYS_openat, 2, HAS_NONE_OF, CHANGES },
	{ OPEN, 1, HAS_NONE_OF, CHANGES },
	{ SYS_fcntl, 1, HAS_NONE_OF, ~(u32)DESCRIPTOR_FLAGS },
	{ SYS_ioctl, 1, IS, TIOCGWINSZ },
};

enum { AT_MACHINE = 2, AT_LOW = 8 };
static const struct sock_filter head[] = {
	/* With this first instruction the kernel does not try the filter for each system call in
	 * advance in order to cache the answers, which took 0.1 of the 0.2 ms of the start. */
	BPF_STMT(BPF_LD | BPF_IMM, 0),
	LOAD(offsetof(struct seccomp_data, arch)),
	IF(JEQ, MACHINE, 0, 0),
	LOAD(offsetof(struct seccomp_data, nr)),
	/* System calls with numbers below 32 are bits of a word. */
	IF(JGE, 32, 5, 0),
	BPF_STMT(BPF_MISC | BPF_TAX, 0),
	BPF_STMT(BPF_LD | BPF_IMM, 1),
	BPF_STMT(BPF_ALU | BPF_LSH | BPF_X, 0),
	IF(JSET, 0, 0, 0),
	BPF_STMT(BPF_MISC | BPF_TXA, 0),
};

enum { RULE = 3, TAIL_MAX = RULE * N_ELEM(rules) + 2 };

/* Write the rules and the two ends that they jump to: EPERM, or the call. Returns the length. */
static u32 put_tail(struct sock_filter *at, bool children)
{
	const struct rule *r = rules + (children ? 0 : N_OF_PARENTS), *end = rules + N_ELEM(rules);
	struct sock_filter *start = at;
	u32 value;
	u8 no;

	for (; r < end; r++) {
		no = RULE * (end - 1 - r);
		value = r->test == IS_ME ? (u32)getpid() : r->value;
		*at++ = (struct sock_filter)IF(JEQ, r->nr, 0, RULE - 1);
		*at++ = (struct sock_filter)LOAD(ARG(r->arg));
		if (r->test == HAS_NONE_OF)
			*at++ = (struct sock_filter)IF(JSET, value, no, no + 1);
		else
			*at++ = (struct sock_filter)IF(JEQ, value, no + 1, no);
	}
	*at++ = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
	*at++ = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	return at - start;
}

static bool filter_calls(bool children)
{
	enum { N_HEAD = N_ELEM(head), N_MAY = N_ELEM(may), N_PARENTS = N_ELEM(of_parents) };
	struct sock_filter all[N_HEAD + N_MAY + N_PARENTS + TAIL_MAX];
	struct sock_fprog program = { N_HEAD, all };
	u32 low = 0, n, yes, i, nr;

	memcpy(all, head, sizeof(head));
	for (i = 0; i < N_MAY + (children ? N_PARENTS : 0); i++) {
		nr = i < N_MAY ? may[i] : of_parents[i - N_MAY];
		if (nr < 32)
			low |= 1u << nr;
		else
			all[program.len++] = (struct sock_filter)IF(JEQ, nr, 0, 0);
	}
	/* All allowed calls jump to the last instruction of the tail, those of another
	 * architecture to the one before. */
	n = put_tail(all + program.len, children);
	yes = program.len + n - 1;
	for (i = N_HEAD; i < program.len; i++)
		all[i].jt = yes - i - 1;
	program.len += n;
	all[AT_LOW].jt = yes - AT_LOW - 1;
	all[AT_LOW].k = low;
	all[AT_MACHINE].jf = yes - 1 - AT_MACHINE - 1;
	/* Kernels before 5.16 also disable speculation (SSBD, STIBP) unless this flag says that no
	 * foreign code runs here; kernels before 4.17 do not have the flag. */
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			&program) || !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static bool filter_calls(bool children)
{
	(void)children;
	return false;
}
#endif

/* Rights that the ruleset handles and that no rule grants are lost. Reading is not handled. For
 * older kernels, signals to processes outside (6.12), then truncation (6.2) are left out. */
static u32 give_up_files(void)
{
	enum { EXECUTE = 1 << 0, WRITE = 1 << 1, REMOVE_AND_MAKE = 0x1ff0, TRUNCATE = 1 << 14,
	       SIGNAL = 1 << 1 };
	struct { u64 fs, net, scoped; } handled = { EXECUTE | WRITE | REMOVE_AND_MAKE | TRUNCATE,
						    0, SIGNAL };
	u32 means = SANDBOX_LANDLOCK | SANDBOX_SIGNALS;
	long fd = syscall(CREATE_RULESET, &handled, sizeof(handled), 0);

	if (fd < 0) {
		means = SANDBOX_LANDLOCK;
		fd = syscall(CREATE_RULESET, &handled, sizeof(handled.fs), 0);
	}
	if (fd < 0) {
		handled.fs &= ~(u64)TRUNCATE;
		fd = syscall(CREATE_RULESET, &handled, sizeof(handled.fs), 0);
	}
	if (fd < 0)
		return 0;
	if (syscall(RESTRICT_SELF, fd, 0))
		means = 0;
	close(fd);
	return means;
}

bool sandbox_off(void)
{
	const char *off = getenv("PT_SANDBOX");

	return off && !strcmp(off, "off");
}

const char *sandbox_name(u32 means)
{
	static const char *const names[8] = {
		"none", "Landlock", "none", "Landlock and its scope of signals", "seccomp",
		"Landlock, seccomp", "seccomp", "Landlock and its scope of signals, seccomp",
	};

	return names[means & 7];
}

u32 sandbox_enter(bool children)
{
	static const struct rlimit none = { 0, 0 };
	u32 means;

	if (sandbox_off())
		return 0;
	prlimit(0, RLIMIT_CORE, &none, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	means = give_up_files();
	return means | (filter_calls(children) ? SANDBOX_SECCOMP : 0);
}
