/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of system calls runs here, as it runs in a process whose tracer has died.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/inject.h>

#include "test.h"

enum { N_REGS = 16, RSP = 4 };

/* The registers at inject_landed, by number. */
u64 inject_seen[N_REGS];
void inject_run(u64 code);
extern const u8 inject_landed[];

asm(".pushsection .text\n"
    ".globl inject_run, inject_landed\n"
    "inject_run:\n"
    "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "call *%rdi\n"
    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
    "ret\n"
    "inject_landed:\n"
    "mov %rax, inject_seen(%rip)\n"
    "lea inject_seen(%rip), %rax\n"
    "mov %rcx, 8(%rax); mov %rdx, 16(%rax); mov %rbx, 24(%rax); mov %rbp, 40(%rax)\n"
    "mov %rsi, 48(%rax); mov %rdi, 56(%rax); mov %r8, 64(%rax); mov %r9, 72(%rax)\n"
    "mov %r10, 80(%rax); mov %r11, 88(%rax); mov %r12, 96(%rax); mov %r13, 104(%rax)\n"
    "mov %r14, 112(%rax); mov %r15, 120(%rax)\n"
    "ret\n"
    ".popsection\n");

static u64 mask_now(void)
{
	sigset_t set;
	u64 mask = 0;

	sigprocmask(SIG_SETMASK, NULL, &set);
	memcpy(&mask, &set, sizeof(mask));
	return mask;
}

static u64 bit(int sig)
{
	return 1ULL << (sig - 1);
}

/* Run the code of these calls; afterwards the mask is 'mask'. False if there is no memory. */
static bool run(const struct inject_call *calls, u32 n, u64 mask, bool close)
{
	int prot = PROT_READ | PROT_WRITE | PROT_EXEC;
	u8 *code = mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct tracee_regs back;
	u64 r[N_REGS];
	u32 i;

	if (code == MAP_FAILED)
		return false;
	for (i = 0; i < N_REGS; i++)
		r[i] = 0x1111111111111111ULL * i;
	back.raw = (struct user_regs_struct){
		.rax = r[0], .rcx = r[1], .rdx = r[2], .rbx = r[3], .rbp = r[5], .rsi = r[6],
		.rdi = r[7], .r8 = r[8], .r9 = r[9], .r10 = r[10], .r11 = r[11], .r12 = r[12],
		.r13 = r[13], .r14 = r[14], .r15 = r[15], .rip = (u64)inject_landed,
		.cs = TRACEE_CODE_64,
	};
	inject_code(code, (u64)code, calls, n, &back, mask, close);
	inject_run((u64)code);
	munmap(code, 4096);
	for (i = 0; i < N_REGS; i++)
		if (i != RSP)
			EQ(inject_seen[i], r[i]);
	return true;
}

TEST(without_a_tracer_the_program_goes_on_with_its_registers_and_its_mask)
{
	const struct inject_call getpid = { .nr = SYS_getpid };
	u64 was = mask_now(), mask = was | bit(SIGUSR1) | bit(SIGWINCH);

	if (!run(&getpid, 1, mask, false))
		SKIP("no memory for code");
	EQ(mask_now(), mask);
	run(&getpid, 1, was, false);
	EQ(mask_now(), was);
}

TEST(the_result_of_a_call_is_an_argument_of_a_later_one_and_the_first_is_closed)
{
	static char text[] = "through a pipe";
	int fds[2];
	char got[sizeof(text)] = "";

	if (pipe2(fds, O_NONBLOCK)) {
		TEST_FAIL("no pipe");
		return;
	}
	const struct inject_call calls[] = {
		{ SYS_dup, .args = { fds[1] } },
		{ SYS_write, .arg = 1, .of = 0, .args = { 0, (u64)text, sizeof(text) } },
		{ SYS_write, .arg = 3, .of = 1, .args = { fds[1], (u64)text } },
	};
	int next = dup(0);		/* the number that dup() returns */

	close(next);
	if (!run(calls, N_ELEM(calls), mask_now(), true))
		SKIP("no memory for code");
	EQ(read(fds[0], got, sizeof(got)), sizeof(text));
	OK(!memcmp(got, text, sizeof(text)));
	EQ(read(fds[0], got, sizeof(got)), sizeof(text));
	EQ(dup(0), next);		/* it is free again */
	close(next);
	close(fds[0]);
	close(fds[1]);
}
