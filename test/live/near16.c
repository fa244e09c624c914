/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Near branches with a 66h prefix: in 64-bit mode Intel's processors ignore the prefix; on AMD's
 * the target and the displacement have 16 bits. And an instruction that shares its step with the
 * next one. Prints the target of each, and how many of them differ from Intel's manual.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

/* Behind each are zeros, which fault here, and where it goes on Intel a RET. */
#define WAY(n, bytes) \
	asm(".text\n.p2align 6\nway_" #n ": .byte " bytes "\n.org way_" #n " + 0x26\nret\n"); \
	extern const char way_##n[]
WAY(call, "0x66, 0xe8, 0x20, 0, 0, 0, 0xc3");
WAY(jump, "0x66, 0xe9, 0x20, 0, 0, 0");
WAY(jump_short, "0x66, 0xeb, 0x23");
WAY(taken, "0x66, 0x0f, 0x84, 0x1f, 0, 0, 0");
WAY(not_taken, "0x66, 0x0f, 0x85, 0x1f, 0, 0, 0, 0xc3");
WAY(taken_short, "0x66, 0x74, 0x23");
WAY(rex, "0x66, 0x48, 0xeb, 0x22");
WAY(indirect, "0x66, 0xff, 0xe7");
WAY(ret, "0x66, 0xc3");
WAY(mov_ss, "0x8e, 0xd6, 0x90, 0xc3");

static const struct { const char *name, *code; int direct; } ways[] = {
	{ "call", way_call, 1 }, { "jump", way_jump, 1 }, { "short jump", way_jump_short, 1 },
	{ "taken", way_taken, 1 }, { "not taken", way_not_taken, 1 },
	{ "short, taken", way_taken_short, 1 }, { "with REX.W", way_rex, 1 },
	{ "indirect", way_indirect, 0 }, { "return", way_ret, 0 }, { "mov ss", way_mov_ss, 0 },
};

static sigjmp_buf back;
static void *volatile fault;

static void out_of_it(int sig, siginfo_t *info, void *context)
{
	fault = info->si_addr;
	siglongjmp(back, 1);
}

static int ss(void)
{
	int s;

	asm("mov %%ss, %0" : "=r"(s));
	return s;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = out_of_it, .sa_flags = SA_SIGINFO };
	volatile int unknown = 0;
	volatile unsigned int i;

	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		fault = NULL;
		if (!sigsetjmp(back, 1))
			asm volatile("lea -128(%%rsp), %%rsp\n mov $8, %%eax\n cmp %%eax, %%eax\n"
				     "call *%2\n lea 128(%%rsp), %%rsp"
				     :: "S"(ss()), "D"(ways[i].code + 0x26), "r"(ways[i].code)
				     : "rax", "memory", "cc");
		printf("%s: %p\n", ways[i].name, fault);
		unknown += ways[i].direct && fault;
	}
	printf("unknown %d\n", unknown);
	return 0;
}
