/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading hostile files: the process gives up what it will not need.
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

/* All that readers call, and what libc or a sanitizer calls for them. Each that is not below
 * 32 costs a start 0.2 us. */
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

/* And what those with children call. */
static const u16 of_parents[] = {
	SYS_wait4, SYS_getpid, SYS_gettid, SYS_getppid, SYS_sched_yield, SYS_futex,
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

/* What is let through by one of its arguments. */
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
	/* Bits of clone() that fork() may have: the signal at its end, and where its PID goes. */
	FORK = 0xff | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
};

/* A child asks to die with its parent, and raise() is for oneself: only with children. Files
 * are opened for reading, and a terminal is asked its size. fcntl() could otherwise have a
 * signal sent to any process. */
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

enum { RULE = 3, TAIL_MAX = RULE * N_ELEM(rules) + 2 };

/* The rules, and what they lead to: EPERM, or the call. Returns how long that is. */
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
	/* All may go to the last of the tail, but another machine's to the one before. */
	n = put_tail(all + program.len, children);
	yes = program.len + n - 1;
	for (i = N_HEAD; i < program.len; i++)
		all[i].jt = yes - i - 1;
	program.len += n;
	all[AT_LOW].jt = yes - AT_LOW - 1;
	all[AT_LOW].k = low;
	all[AT_MACHINE].jf = yes - 1 - AT_MACHINE - 1;
	/* Kernels before 5.16 also take away what speculation gains (SSBD, STIBP) if they are
	 * not told that no foreign code runs here; those before 4.17 cannot be told. */
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

/* Rights that are handled and given for no folder are gone. Reading is not handled. An older
 * kernel knows less: signals to those outside (6.12), then truncating (6.2) are left out. */
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
