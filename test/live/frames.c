/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What handlers of 32-bit programs find in their frames, and what the program has after they have
 * changed it. Prints it all; one argument: puts memory where a recorder may have its own.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { ALT_SIZE = 1 << 16, ROUND_TO_ZERO = 0xc00, X87_SIZE = 112,
       XMM1_AT = X87_SIZE + 160 + 16 };

struct x87 {
	uint32_t control, status, tags, ip, cs, data, ds;
	uint8_t st[8][10];
	uint16_t status_again, magic;
};

static stack_t alt;
static volatile int handled;

static void show(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	struct x87 *x = (void *)uc->uc_mcontext.fpregs;
	greg_t *g = uc->uc_mcontext.gregs;
	unsigned long *mask = (void *)&uc->uc_sigmask;

	printf("%d: %d %d %d; flags %lx, stack %d %d %d, mask %lx %lx\n", sig, info->si_signo,
	       info->si_errno, info->si_code, uc->uc_flags, uc->uc_stack.ss_sp == alt.ss_sp,
	       (int)uc->uc_stack.ss_size, uc->uc_stack.ss_flags, mask[0], mask[1]);
	printf("  segments %x %x %x %x %x %x, esp %d, on the other stack %d\n", g[REG_GS],
	       g[REG_FS], g[REG_ES], g[REG_DS], g[REG_CS], g[REG_SS], g[REG_ESP] == g[REG_UESP],
	       (unsigned long)context - (unsigned long)alt.ss_sp < ALT_SIZE);
	printf("  x87 %x %x %x %x %x, st %02x%02x %02x%02x, aligned %d\n", x->control, x->status,
	       x->tags, x->cs & 0xffff, x->ds, x->st[0][9], x->st[0][8], x->st[1][9], x->st[1][8],
	       ((unsigned long)x + X87_SIZE) % 64 == 0);
	if (sig == SIGSEGV)
		printf("  address %p, trap %x %x %lx\n", info->si_addr, g[REG_TRAPNO],
		       g[REG_ERR], uc->uc_mcontext.cr2);
	if (sig == SIGCHLD)
		printf("  child %d %d\n", info->si_status, info->si_pid > 0);
	if (sig == SIGRTMIN)
		printf("  value %d of %d\n", info->si_value.sival_int, info->si_pid == getpid());
	handled++;
	if (sig == SIGUSR1) {
		x->control |= ROUND_TO_ZERO;
		memset((char *)x + XMM1_AT, 0x5a, 16);
		sigaddset(&uc->uc_sigmask, SIGUSR2);
	}
	if (sig == SIGSEGV || sig == SIGILL)
		g[REG_EIP] += 2;
	if (sig == SIGFPE)
		g[REG_ECX] = 1;
}

static void simple(int sig)
{
	printf("%d\n", sig);
	handled++;
	asm volatile("fninit; pxor %xmm1, %xmm1");
}

static void read_back(int sig)
{
	struct sigaction act;

	sigaction(sig, NULL, &act);
	printf("action %x %d %d %d\n", act.sa_flags, act.sa_sigaction == show,
	       act.sa_handler == simple, sigismember(&act.sa_mask, SIGHUP));
}

static void set_actions(void)
{
	static const int signals[] = { SIGUSR1, SIGSEGV, SIGFPE, SIGILL, SIGCHLD };
	struct sigaction act = { .sa_sigaction = show, .sa_flags = SA_SIGINFO };
	unsigned i;

	alt.ss_size = ALT_SIZE;
	alt.ss_sp = mmap(NULL, ALT_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&alt, NULL);
	sigaddset(&act.sa_mask, SIGHUP);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &act, NULL);
	sigaction(SIGRTMIN, &act, NULL);
	act.sa_flags |= SA_ONSTACK | SA_RESTART | SA_NODEFER;
	sigaction(SIGUSR2, &act, NULL);
	signal(SIGTERM, simple);
	read_back(SIGUSR2);
	read_back(SIGTERM);
}

/* Vectors and x87 as they are after a signal. */
static void send(int sig)
{
	unsigned short control;
	unsigned v[4];

	asm volatile("fldpi; fld1; pcmpeqd %%xmm1, %%xmm1" ::: "memory");
	kill(getpid(), sig);
	asm volatile("fnstcw %0; movdqu %%xmm1, %1; fninit" : "=m"(control), "=m"(v));
	printf("then %x, %x %x\n", control, v[0], v[3]);
}

static void fixed(unsigned long at)
{
	char *p = mmap((void *)at, 1 << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (p != MAP_FAILED)
		memset(p, 1, 1 << 20);
	printf("%p\n", p);
}

int main(int argc, char **argv)
{
	union sigval value = { 42 };
	struct sigaction once = { .sa_handler = simple, .sa_flags = SA_RESETHAND };
	sigset_t set;
	int divided;

	if (argc > 1) {
		fixed(0x6b000000);
		fixed(0x6c000000);
		fixed(0x74000000);
		fixed(0x7e000000);
		return 0;
	}
	set_actions();
	send(SIGUSR1);
	sigprocmask(SIG_BLOCK, NULL, &set);
	printf("blocked %d\n", sigismember(&set, SIGUSR2));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	send(SIGUSR2);
	send(SIGTERM);
	asm volatile("xor %%ecx, %%ecx; mov (%%ecx), %%eax" ::: "eax", "ecx");
	asm volatile("xor %%ecx, %%ecx; mov $8, %%eax; cltd; idiv %%ecx" : "=a"(divided) ::
		     "ecx", "edx");
	asm volatile("ud2");
	printf("divided %d\n", divided);
	sigqueue(getpid(), SIGRTMIN, value);
	if (!fork())
		_exit(9);
	while (wait(NULL) > 0 || handled < 8)	/* SIGCHLD comes before it returns */
		;
	sigaction(SIGTERM, &once, NULL);
	raise(SIGTERM);
	read_back(SIGTERM);
	return 0;
}
