/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Branches to addresses that do not exist. The processor faults at the branch ("b"), not at its
 * target ("t").
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

unsigned long sp;		/* before the branch */
static sigjmp_buf back;
static volatile unsigned long ip, after;
static volatile int code;

extern char at_call[], at_memory[], at_jump[], at_ret[], at_ret8[];
void by_call(unsigned long to), by_memory(unsigned long to), by_jump(unsigned long to),
	by_ret(unsigned long to), by_ret8(unsigned long to);
__asm__(".text\n"
	"by_call:	mov %rsp, sp(%rip)\n"
	"at_call:	call *%rdi\n"
	"		ret\n"
	"by_memory:	push %rdi\n"
	"		mov %rsp, sp(%rip)\n"
	"at_memory:	call *(%rsp)\n"
	"by_jump:	mov %rsp, sp(%rip)\n"
	"at_jump:	jmp *%rdi\n"
	"by_ret:	push %rdi\n"
	"		mov %rsp, sp(%rip)\n"
	"at_ret:	ret\n"
	"by_ret8:	call 1f\n"
	"1:		mov %rdi, (%rsp)\n"
	"		mov %rsp, sp(%rip)\n"
	"at_ret8:	ret $8\n");

static const struct {
	void (*go)(unsigned long to);
	char *at;
} ways[] = {
	{ by_call, at_call }, { by_memory, at_memory }, { by_jump, at_jump }, { by_ret, at_ret },
	{ by_ret8, at_ret8 },
};

static void handler(int sig, siginfo_t *info, void *context)
{
	const greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	ip = r[REG_RIP];
	after = r[REG_RSP];
	code = info->si_code;
	siglongjmp(back, 1);
}

/* So that the branch is not soon after the last stamp in the trace. */
static __attribute__((noinline)) int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Each after a fault elsewhere, and after a return to a call that is far back in the trace. How many
 * are as they should be? */
static int after_faults(void)
{
	int i, n = 0, sum = 0;

	for (i = 0; i < 300; i++) {
		if (!sigsetjmp(back, 1))
			*(volatile int *)8 = 1;
		sum += fib(15);
		if (!sigsetjmp(back, 1))
			by_jump(0x4141414141414141 + sum % 2);
		n += ip == (unsigned long)at_jump;
	}
	return n;
}

int main(void)
{
	static const unsigned long targets[] = {
		0x4141414141414141, 0x800000000000, 0xffff7fffffffffff, 0xdead000000401000,
		0xffffffff81000000, 0x1234,
	};
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	unsigned int i, k;
	int sum = 0;

	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		printf("%lx", targets[i]);
		for (k = 0; k < sizeof(ways) / sizeof(*ways); k++) {
			sum += fib(2 * (i + k));
			if (!sigsetjmp(back, 1))
				ways[k].go(targets[i]);
			printf(" %c%ld,%x", ip == (unsigned long)ways[k].at ? 'b' :
			       ip == targets[i] ? 't' : '?', (long)(after - sp), code);
		}
		printf("\n");
	}
	printf("%d\n", after_faults());
	return sum & 63;
}
