/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions that are rare in programs, and that a translator has to know, beside a thread that
 * does something else: odd [NUMBER]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int stop;

static void *nap(void *none)
{
	while (!stop)
		usleep(1000);
	return none;
}

/* A call with a prefix that REX.W makes void, as linkers write before __tls_get_addr(). */
static int padded_call(void)
{
	int r;

	__asm__ volatile("jmp 2f\n1: mov $7, %0\n ret\n"
			 "2: .byte 0x66, 0x66, 0x48\n call 1b" : "=&r"(r));
	return r;
}

static int iret(void)
{
	int r;

	__asm__ volatile("mov %%rsp, %%rcx\n mov %%ss, %%eax\n push %%rax\n push %%rcx\n"
			 "pushfq\n mov %%cs, %%eax\n push %%rax\n lea 1f(%%rip), %%rax\n"
			 "push %%rax\n iretq\n1: mov $5, %0" : "=r"(r) : : "rax", "rcx", "memory");
	return r;
}

/* The system call of 32-bit programs: getpid(). */
static int call_32(void)
{
	long r = 20;

	__asm__ volatile("int $0x80" : "+a"(r) : : "r8", "r9", "r10", "r11", "memory");
	return r == getpid();
}

/* For a moment, accesses that are not aligned fault, as Java does it to look at its processor. After
 * three branches, pt's records are not aligned; then a branch leads to code that was not executed
 * before. */
static int aligned(void)
{
	int r;

	__asm__ volatile("mov %%rsp, %%rcx\n lea -128(%%rsp), %%rsp\n"
			 "and $-16, %%rsp\n mov $3, %0\n2: dec %0\n jnz 2b\n pushfq\n pushfq\n"
			 "orl $0x40000, (%%rsp)\n popfq\n jmp 1f\n .skip 4096, 0xcc\n"
			 "1: popfq\n mov %%rcx, %%rsp\n mov $6, %0"
			 : "=&r"(r) : : "rcx", "memory", "cc");
	return r;
}

static int own_gs(void)
{
	unsigned long base = 0;

	syscall(SYS_arch_prctl, 0x1001, 0x1234567000);	/* ARCH_SET_GS, ARCH_GET_GS */
	syscall(SYS_arch_prctl, 0x1004, &base);
	return base == 0x1234567000;
}

static volatile int steps;

static void step(int sig)
{
	steps++;
}

/* The trap flag, for three NOPs. */
static int trap_flag(void)
{
	signal(SIGTRAP, step);
	__asm__ volatile("pushfq\n orl $0x100, (%%rsp)\n popfq\n nop\n nop\n nop\n"
			 "pushfq\n andl $~0x100, (%%rsp)\n popfq" : : : "memory", "cc");
	return steps;
}

/* The page that the kernel has for programs of 2003: time(), where there is one. */
static int old_time(void)
{
	long (*call)(void *) = (void *)0xffffffffff600400;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	long off = 0;

	while (fgets(line, sizeof(line), maps))
		if (!strncmp(line, "ffffffffff600000", 16))
			off = call(NULL) - time(NULL);
	fclose(maps);
	return off > -5 && off < 5;
}

/* System calls that the translator makes itself, with pointers to nothing. */
static int bad_pointers(void)
{
	long a = syscall(SYS_rt_sigaction, 10, 8L, NULL, 8), b = errno;
	long c = syscall(SYS_rt_sigaction, 10, NULL, 8L, 8), d = errno;
	long e = syscall(SYS_arch_prctl, 0x1004, 8L), f = errno;
	long g = syscall(SYS_clone3, 8L, 88), h = errno;

	return a == -1 && b == EFAULT && c == -1 && d == EFAULT && e == -1 && f == EFAULT &&
	       g == -1 && h == EFAULT;
}

static sigjmp_buf back;

static void jump_back(int sig)
{
	siglongjmp(back, sig);
}

/* RDTSC is forbidden for a moment. */
static int no_tsc(void)
{
	int sig;

	signal(SIGSEGV, jump_back);
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	sig = sigsetjmp(back, 1);
	if (!sig)
		__asm__ volatile("rdtsc" : : : "rax", "rdx");
	prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
	__asm__ volatile("rdtsc" : : : "rax", "rdx");
	return sig;
}

/* System calls become signals, except from one place, where the translator must make them. */
static volatile char block;

static void called(int sig)
{
	block = 0;
}

static int dispatch(void)
{
	extern char first[], last[];
	long r = 39;

	__asm__ volatile("first:");
	if (prctl(59, 1, first, last + 1 - first, &block))	/* PR_SET_SYSCALL_USER_DISPATCH */
		return 1;
	block = 1;
	__asm__ volatile("syscall\nlast:" : "+a"(r) : : "rcx", "r11", "memory");
	block = 0;
	signal(SIGSYS, called);
	block = 1;
	return syscall(SYS_getppid) == SYS_getppid && r == getpid();
}

/* A handler returns to 32-bit code, INC EAX twice, and that of the INT3 there back to this. */
static greg_t was[NGREG], eax;

static void to_32(int sig, siginfo_t *info, void *context)
{
	extern char code_32[];
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	memcpy(was, g, sizeof(was));
	g[REG_RIP] = (greg_t)code_32;
	g[REG_RAX] = 40;
	*(unsigned short *)&g[REG_CSGSFS] = 0x23;
}

static void to_64(int sig, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	eax = g[REG_RAX];
	memcpy(g, was, sizeof(was));
}

__asm__(".text\ncode_32: .byte 0x40, 0x40, 0xcc");

static int other_code(void)
{
	static char stack[1 << 16];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction act = { .sa_sigaction = to_32, .sa_flags = SA_SIGINFO };

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &act, NULL);
	act.sa_sigaction = to_64;
	act.sa_flags |= SA_ONSTACK;
	sigaction(SIGTRAP, &act, NULL);
	raise(SIGUSR1);
	return eax;
}

/* To 32-bit code and back by far branches, in a function that others have called. */
static long sp;

static __attribute__((noinline)) int far(int n)
{
	int r = n;

	if (n)
		return far(n - 1) + 1;
	__asm__ volatile("	mov	%%rsp, %1\n"
			 "	push	$0x23\n"
			 "	lea	1f(%%rip), %%rax\n"
			 "	push	%%rax\n"
			 "	mov	$7, %0\n"
			 "	lretq\n"
			 "	.code32\n"
			 "1:	inc	%0\n"
			 "	ljmp	$0x33, $2f\n"
			 "	.code64\n"
			 "2:	mov	%1, %%rsp" : "=&r"(r), "+m"(sp) : : "rax", "memory");
	return r;
}

static int far_branches(void)
{
	return far(5) + far(3);
}

/* Memory that the program does not use, but pt does. */
static int unmap(void)
{
	char *from = (char *)0x6e0000000000, *to = (char *)0x7ea000000000;

	return munmap(from, to - from) == 0;
}

int main(int argc, char **argv)
{
	static int (*const all[])(void) = { padded_call, iret, call_32, own_gs, trap_flag, old_time,
					    bad_pointers, no_tsc, dispatch, aligned, other_code,
					    far_branches, unmap };
	int i = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t t;

	pthread_create(&t, NULL, nap, NULL);
	printf("%d: %d\n", i, all[i]());
	stop = 1;
	pthread_join(t, NULL);
	return 3;
}
