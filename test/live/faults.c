/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults, and code that is made and modified: handlers must see what really happened.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf back;
static volatile unsigned long ip, addr;

static void handler(int sig, siginfo_t *info, void *context)
{
	ip = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	addr = (unsigned long)info->si_addr;
	siglongjmp(back, sig);
}

static int in_main(int (*main_)(void))
{
	return ip - (unsigned long)main_ < 4096;
}

static int run(unsigned char *at, int value)
{
	unsigned char code[] = { 0xb8, value, 0, 0, 0, 0xc3 };

	memcpy(at, code, sizeof(code));
	return value;
}

#define TRY(what) if (!(sig = sigsetjmp(back, 1))) what

int main(void)
{
	static const int signals[] = { SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGBUS };
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	int (*self)(void) = (int (*)(void))main, sig, i, sum = 0;
	volatile int zero = 0;
	unsigned char *code;
	volatile long pid = 0;

	for (i = 0; i < 5; i++)
		sigaction(signals[i], &action, NULL);
	TRY(((void (*)(void))0x1234)());
	printf("jump %d %lx %lx\n", sig, ip, addr);
	TRY(*(volatile int *)0x10 = 1);
	printf("store %d %d %lx\n", sig, in_main(self), addr);
	TRY(__asm__ volatile("ud2"));
	printf("ud2 %d %d %d\n", sig, in_main(self), ip == addr);
	TRY(__asm__ volatile("int3"));
	printf("int3 %d %d\n", sig, in_main(self));
	TRY(zero = 5 / zero);
	printf("divide %d %d %d\n", sig, in_main(self), ip == addr);
	TRY(__asm__ volatile("hlt"));
	printf("hlt %d %d\n", sig, in_main(self));
	TRY(__asm__ volatile("jmp 1f; .skip 8, 0x90; 1: movl (%0), %%eax" : : "c"(0L) : "eax"));
	printf("after a jump %d, at %x\n", sig, *(unsigned char *)ip);

	code = mmap(NULL, 8192, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < 50; i++) {
		run(code, i);
		sum += ((int (*)(void))code)();
	}
	for (i = 0; i < 50; i++) {
		mprotect(code + 4096, 4096, PROT_READ | PROT_WRITE);
		run(code + 4096, i);
		mprotect(code + 4096, 4096, PROT_READ | PROT_EXEC);
		sum += ((int (*)(void))(code + 4096))();
	}
	printf("made %d\n", sum);
	TRY(__asm__ volatile("int $0x80" : "=a"(pid) : "a"(20)));	/* not with every kernel */
	printf("int80 %d %d\n", sig, pid > 0);
	return 5;
}
