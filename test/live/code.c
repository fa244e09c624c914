/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that is also read as data, written out, modified, made again, and mapped twice; and shared
 * memory. Prints the results.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static unsigned int sum(const unsigned char *p, int n)
{
	unsigned int s = 0;

	while (n--)
		s = s * 31 + *p++;
	return s;
}

static int call(void *code)
{
	return ((int (*)(int))code)(1);
}

static int made(unsigned char *to, unsigned char *from)
{
	static const unsigned char add[] = { 0xb8, 0, 0, 0, 0, 0x66, 0x0f, 0xef, 0xc0, 0x01, 0xf8,
					     0xc3 };
	int i, s = 0;

	for (i = 0; i < 50; i++) {
		memcpy(to, add, sizeof(add));
		to[1] = i;
		s += call(from);
	}
	return s;
}

/* Each changes the instruction behind the one that stores. */
static int changed(unsigned char *p)
{
	static const unsigned char next[] = { 0xc6, 0x05, 1, 0, 0, 0, 7, 0xb8, 0, 0, 0, 0, 0xc3 };
	static const unsigned char vector[] = { 0x66, 0x0f, 0xef, 0xc0, 0xc6, 0x05, 1, 0, 0, 0, 9,
		0xb8, 0, 0, 0, 0, 0x66, 0x0f, 0x6f, 0xc1, 0xc3 };
	int s;

	memcpy(p, next, sizeof(next));
	s = call(p);
	memcpy(p + 64, vector, sizeof(vector));
	return s * 100 + call(p + 64);
}

static void step_over(int sig, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

/* A fault behind a POPF (that changes ID), where a debugger's trap flag must not stay. */
static int faulted(unsigned char *p)
{
	static const unsigned char code[] = { 0x9c, 0x81, 0x34, 0x24, 0, 0, 0x20, 0, 0x9d,
					      0x31, 0xf6, 0x8b, 0x06, 0xb8, 7, 0, 0, 0, 0xc3 };
	struct sigaction sa = { .sa_sigaction = step_over, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &sa, NULL);
	memcpy(p, code, sizeof(code));
	return call(p);
}

static int mapped_twice(void)
{
	int fd = memfd_create("code", 0);
	unsigned char *w, *x;

	if (fd < 0 || ftruncate(fd, 4096))
		return 0;
	w = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	x = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	return made(w, x);
}

static int shared(void)
{
	volatile int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();
	int i;

	for (i = 0; i < 300; i++)
		__sync_fetch_and_add(p, 1);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return *p;
}

/* Our own text, by a system call, and with vector instructions. */
static int read_as_data(void)
{
	static unsigned char copy[512], through[512];
	int ends[2], i;

	for (i = 0; i < 20; i++) {
		asm volatile("movups (%0), %%xmm0\n movups %%xmm0, (%1)"
			     :: "r"((unsigned char *)sum + 16 * i), "r"(copy + 16 * i)
			     : "memory", "xmm0");
	}
	if (pipe(ends) || write(ends[1], (void *)sum, 320) != 320 || read(ends[0], through, 320) != 320)
		return 0;
	return !memcmp(copy, through, 320) && sum(copy, 320) == sum((void *)sum, 320) &&
	       !memchr(copy, 0xcc, 64);
}

int main(int argc, char **argv)
{
	unsigned char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cpu_set_t cpus;
	pid_t pid;
	int status;

	if (argc > 1) {
		puts(argv[1]);
		return 5;
	}
	printf("made %d\n", made(p, p));
	printf("changed %d\n", changed(p));
	printf("faulted %d\n", faulted(p));
	printf("twice %d\n", mapped_twice());
	printf("shared %d\n", shared());
	printf("data %d\n", read_as_data());
	sched_getaffinity(0, sizeof(cpus), &cpus);
	printf("cpus %d\n", CPU_COUNT(&cpus));
	fflush(stdout);
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", "code", "vfork", (char *)0);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}
