/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that may be executed, but not read: pages with PROT_EXEC alone, and, where the processor and
 * the kernel have protection keys, pages with a key.
 * usage: keys [ROUNDS [FILE]]: until FILE exists, it goes on, and prints nothing
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { CALLS = 100, PAGE = 4096, RW = PROT_READ | PROT_WRITE, RWX = RW | PROT_EXEC };
enum { DISABLE_ACCESS = 1, DISABLE_WRITE = 2, PKUERR = 4, XSAVE_LEAF = 13, PKRU = 9 };

static unsigned char *page;
static int key;			/* 0: there are none */
static volatile int traps, faults, code_of_fault;
static volatile unsigned int pkru_in_handler;

static unsigned int get_pkru(void)
{
	unsigned int v, zero;

	__asm__ volatile(".byte 0x0f, 0x01, 0xee" : "=a"(v), "=d"(zero) : "c"(0));
	return v;
}

static void set_pkru(unsigned int v)
{
	__asm__ volatile(".byte 0x0f, 0x01, 0xef" : : "a"(v), "c"(0), "d"(0) : "memory");
}

static void set_rights(unsigned int rights)
{
	set_pkru((get_pkru() & ~(3u << 2 * key)) | rights << 2 * key);
}

/* lea N(%rdi), %eax; int3, or a NOP; mov %eax, %ecx; ret */
static void put(int n, int trap)
{
	const unsigned char code[] = { 0x8d, 0x47, n, trap ? 0xcc : 0x90, 0x89, 0xc1, 0xc3 };

	memcpy(page, code, sizeof(code));
}

static long calls(int from)
{
	int (*f)(int) = (int (*)(int))page;
	long sum = 0;
	int i;

	for (i = 0; i < CALLS; i++)
		sum += f(i + from);
	return sum;
}

static void *calls_too(void *arg)
{
	return (void *)calls(1);
}

static long in_thread(void)
{
	pthread_t thread;
	void *sum = NULL;

	pthread_create(&thread, NULL, calls_too, NULL);
	pthread_join(thread, &sum);
	return (long)sum;
}

static int in_child(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(calls(2) & 63);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void on_trap(int sig)
{
	traps++;
	if (key)
		pkru_in_handler = get_pkru();
}

/* Allow the access in the registers to which the handler returns. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	unsigned char *xsave = (void *)((ucontext_t *)context)->uc_mcontext.fpregs;
	unsigned int a, at, c, d;

	faults++;
	code_of_fault = info->si_code;
	__cpuid_count(XSAVE_LEAF, PKRU, a, at, c, d);
	*(unsigned int *)(xsave + at) &= ~(3u << 2 * key);
}

static void with_keys(int round)
{
	int i;

	syscall(SYS_pkey_mprotect, page, PAGE, RWX, key);
	for (i = 0; i < 20; i++) {
		set_rights(0);
		put(round + i, 0);
		set_rights(i & 1 ? DISABLE_ACCESS : DISABLE_WRITE);
		printf("%ld ", calls(i));
	}
	printf("%ld %d ", in_thread(), in_child());
	faults = 0;
	set_rights(DISABLE_WRITE);
	put(round, 1);
	printf("%d faults, code %d, %ld ", faults, code_of_fault, calls(0));
	set_rights(DISABLE_ACCESS);
	calls(0);
	printf("%x in a handler, %x after it\n", pkru_in_handler, get_pkru());
	set_rights(0);
	syscall(SYS_pkey_mprotect, page, PAGE, RWX, 0);
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	int n = argc > 1 ? atoi(argv[1]) : 1, i;

	page = mmap(NULL, PAGE, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGTRAP, on_trap);
	sigaction(SIGSEGV, &act, NULL);
	for (i = 0; i < n; i++) {
		mprotect(page, PAGE, RW);
		put(i, 1);
		mprotect(page, PAGE, PROT_EXEC);
		printf("%ld %ld %d, %d traps\n", calls(i), in_thread(), in_child(), traps);
		/* After the first pages that may only be executed: the kernel takes a key, too. */
		if (!i) {
			key = syscall(SYS_pkey_alloc, 0, 0);
			key = key > 0 ? key : 0;
		}
		if (key)
			with_keys(i);
		fflush(stdout);
	}
	mprotect(page, PAGE, PROT_EXEC);
	while (argc > 2 && access(argv[2], F_OK))
		calls(0);
	return 4;
}
