/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that write to a page with code that ran. Prints the results, and what was written.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, SIZE = 3 * PAGE };

static char bytes[SIZE];
static int pair[2];

/* The second of three new pages has code, which runs. */
static char *fresh(void)
{
	static const char code[] = { 0xb8, 42, 0, 0, 0, 0xc3 };
	char *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(at + PAGE, code, sizeof(code));
	if (((int (*)(void))(at + PAGE))() != 42)
		puts("wrong");
	return at;
}

/* A place beside the code, which is there no matter what is written. */
static void *beside(void)
{
	return fresh() + PAGE + 256;
}

static void say(const char *name, long result, const void *at)
{
	printf("%s %ld %d\n", name, result, *(const unsigned char *)at);
}

static void send_it(void)
{
	send(pair[1], bytes, sizeof(bytes), 0);
}

static void reads(void)
{
	struct iovec parts[2], from = { bytes, SIZE };
	struct msghdr m = { .msg_iov = parts, .msg_iovlen = 2 };
	struct mmsghdr mm = { .msg_hdr = m };
	int fd = memfd_create("bytes", 0), i;
	long n = 0;
	char *at;

	memset(bytes, 7, sizeof(bytes));
	write(fd, bytes, sizeof(bytes));
	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	for (i = 0; i < 7; i++) {
		at = fresh();
		parts[0] = (struct iovec){ at, 100 };
		parts[1] = (struct iovec){ at + 100, SIZE - 100 };
		lseek(fd, 0, SEEK_SET);
		if (i > 3)
			send_it();
		n = i == 0 ? pread(fd, at, SIZE, 0) :
		    i == 1 ? preadv(fd, parts, 2, 0) :
		    i == 2 ? readv(fd, parts, 2) :
		    i == 3 ? process_vm_readv(getpid(), parts, 2, &from, 1, 0) :
		    i == 4 ? recv(pair[0], at, SIZE, 0) :
		    i == 5 ? recvmsg(pair[0], &m, 0) : recvmmsg(pair[0], &mm, 1, 0, NULL);
		say("read", n, at + PAGE);
	}
}

static void others(void)
{
	struct stat *st = beside();
	struct timespec *time = beside();
	struct epoll_event *event = beside(), add = { EPOLLIN, { .u32 = 5 } };
	struct pollfd *fds = beside();
	siginfo_t *info = beside();
	sigset_t set, *old = beside();
	struct sigaction *was = beside();
	struct sockaddr *address = beside();
	socklen_t *len = beside();
	int *n = beside(), *ends = beside(), fd = epoll_create1(0), i;
	char *names = beside();

	say("stat", stat("/", st), "");
	printf("%d\n", S_ISDIR(st->st_mode));
	say("clock_gettime", syscall(SYS_clock_gettime, CLOCK_REALTIME, time), "");
	printf("%d\n", time->tv_sec > 0);
	say("pipe", pipe(ends), "");
	epoll_ctl(fd, EPOLL_CTL_ADD, pair[0], &add);
	send_it();
	say("epoll_wait", epoll_wait(fd, event, 1, -1), "");
	printf("%d\n", event->data.u32);
	fds->fd = pair[0];
	fds->events = POLLIN;
	say("poll", poll(fds, 1, -1), &fds->revents);
	say("ioctl", ioctl(pair[0], FIONREAD, n), n);
	*len = sizeof(*address);
	say("getsockname", getsockname(pair[0], address, len), address);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	say("sigwaitinfo", sigwaitinfo(&set, info), &info->si_signo);
	say("sigprocmask", sigprocmask(SIG_BLOCK, NULL, old), old);
	say("sigaction", sigaction(SIGUSR1, NULL, was), was);
	for (i = 0; i < 12; i++) {		/* often in one page */
		if (!fork())
			_exit(i);
		say("wait", wait(n) > 0, (char *)n + 1);
	}
	fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
	say("getdents", syscall(SYS_getdents64, fd, names, PAGE) > 0, "");
	puts(((struct dirent *)names)->d_name);
	say("readlink", readlink("/proc/self/fd/0", names, 1), names);
	say("getrandom", syscall(SYS_getrandom, fresh(), SIZE, 0), "");
}

int main(void)
{
	alarm(20);
	setvbuf(stdout, NULL, _IOLBF, 0);
	reads();
	others();
	return 0;
}
