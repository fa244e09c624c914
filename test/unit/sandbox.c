/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/sandbox.h>

#include "test.h"

static bool children;

/* What 'what' returns in a child that enters the sandbox; -2 if a signal ends the child. */
static int inside(int (*what)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		sandbox_enter(children);
		_exit(what());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

/* prctl(PR_GET_SECCOMP) tells of a filter, or is itself refused by it. */
static int filtered(void)
{
	errno = 0;
	return prctl(PR_GET_SECCOMP) == 2 || errno == EPERM;
}

static int ends[2];	/* of a pipe that is opened before the child enters */

static int reads(void)
{
	char c;
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	return fd >= 0 && read(fd, &c, 1) == 1 && write(ends[1], &c, 1) == 1 &&
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static int has_children(void)
{
	int status, word = 0;
	pid_t parent = getpid(), pid = fork();

	/* The children of -j end when their parent has ended, and wait for each other by futex. */
	if (!pid)
		_exit(open("/dev/null", O_WRONLY) < 0 && getppid() == parent &&
		      !syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) ? 7 : 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 7;
}

static int writes(void)
{
	return open("/dev/null", O_WRONLY) >= 0 || openat(AT_FDCWD, "/dev/null", O_RDWR) >= 0 ||
		creat("/tmp/pt-sandbox", 0600) >= 0 || !unlink("/tmp/pt-sandbox") ||
		!mkdir("/tmp/pt-sandbox", 0700) || !chmod("/tmp", 0777) || !rename("/tmp", "/tmp");
}

/* By the filter: the kernel's own error for a call that it does not have is ENOSYS. */
static int refused(long got)
{
	return got == -1 && errno == EPERM;
}

/* Calls with numbers near those that are let through, and with numbers that no call has. */
static int strange_calls(void)
{
	return refused(syscall(SYS_gettimeofday, NULL, NULL)) && refused(syscall(SYS_sync)) &&
		refused(syscall(SYS_sendto, 1, "", 0, 0, NULL, 0)) &&
		refused(syscall(SYS_dup, 0)) && refused(syscall(0x40000000, 0, NULL, 0)) &&
		refused(syscall(-1));
}

static int reaches_out(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || !ptrace(PTRACE_ATTACH, getppid(), 0, 0) ||
		!execl("/bin/true", "true", NULL) || !ioctl(0, TIOCSTI, "x");
}

static int reaches_processes(void)
{
	return !kill(getppid(), 0) || !kill(1, 0) || !syscall(SYS_tkill, 1, 0) || fork() >= 0;
}

/* fcntl() can have a signal sent to any process when a folder is read or a pipe written to. */
static int has_signals_sent(void)
{
	int dir = open("/", O_RDONLY | O_DIRECTORY);

	return fcntl(dir, F_SETOWN, getppid()) >= 0 || fcntl(dir, F_SETSIG, SIGKILL) >= 0 ||
		fcntl(dir, F_NOTIFY, DN_ACCESS) >= 0 || fcntl(ends[0], F_SETFL, O_ASYNC) >= 0;
}

static int keeps_descriptors(void)
{
	return !fcntl(ends[0], F_SETFD, FD_CLOEXEC) && fcntl(ends[0], F_GETFD) == FD_CLOEXEC &&
		fcntl(ends[0], F_GETFL) >= 0;
}

/* With children allowed: no other process is reached, and clone() makes only plain children. */
static int reaches_others(void)
{
	return !kill(getppid(), 0) || !kill(0, 0) || !syscall(SYS_tkill, getppid(), 0) ||
		!syscall(SYS_tgkill, getppid(), getppid(), 0) ||
		syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0) >= 0 ||
		syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) >= 0 ||
		!unshare(CLONE_NEWUSER) || !prctl(PR_SET_DUMPABLE, 1) ||
		!prctl(PR_SET_NAME, "other") || prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int ends_itself(void)
{
	signal(SIGPIPE, SIG_DFL);
	syscall(SYS_tkill, getpid(), SIGPIPE);	/* as musl's raise() does; glibc's has tgkill() */
	return 0;
}

TEST(a_reader_of_files_reads_and_writes_to_what_is_open)
{
	if (inside(filtered) != 1)
		SKIP("this kernel has no seccomp, or PT_SANDBOX is off");
	OK(!pipe(ends));
	EQ(inside(reads), 1);
	children = true;
	EQ(inside(reads), 1);
	EQ(inside(has_children), 1);
	children = false;
}

TEST(who_is_to_have_no_children_reaches_no_process)
{
	if (inside(filtered) != 1)
		SKIP("this kernel has no seccomp, or PT_SANDBOX is off");
	EQ(inside(reaches_processes), 0);
}

TEST(no_signal_goes_to_another_process)
{
	if (inside(filtered) != 1)
		SKIP("this kernel has no seccomp, or PT_SANDBOX is off");
	OK(!pipe(ends));
	EQ(inside(has_signals_sent), 0);
	EQ(inside(keeps_descriptors), 1);
	children = true;
	EQ(inside(has_signals_sent), 0);
	EQ(inside(keeps_descriptors), 1);
	EQ(inside(reaches_others), 0);
	EQ(inside(ends_itself), -2);
	children = false;
}

TEST(it_can_do_nothing_else)
{
	if (inside(filtered) != 1)
		SKIP("this kernel has no seccomp, or PT_SANDBOX is off");
	do {
		EQ(inside(writes), 0);
		EQ(inside(reaches_out), 0);
		EQ(inside(strange_calls), 1);
		children = !children;
	} while (children);
}
