/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs code, as it is or translated, with all registers set before it, and keeps what it leaves in
 * them.
 */
#ifndef PT_TEST_NATIVE_H
#define PT_TEST_NATIVE_H

#include <pt/base.h>

/* What %gs points to. The assembly below has these offsets. */
struct block {
	u64 self, ring, limit, below, r11, spill[4], calls[64];
	u64 in[18], out[18];	/* at 584 and 728: registers by number, flags (16) */
	u64 stack, entry;	/* 872, 880 */
	u64 xmask, xin, xout;	/* 888, 896, 904 */
	u64 top;
	u64 system;		/* 920: the base of %fs, for the libc; in 64-bit code, the program's
				 * base of %gs */
	u64 far;		/* 928: 'entry' in 32-bit code */
};

_Static_assert(offsetof(struct block, in) == 584, "in");
_Static_assert(offsetof(struct block, stack) == 872, "stack");
_Static_assert(offsetof(struct block, system) == 920, "system");

/* The table of indirect branches. */
enum { TABLE = 0x10000000, TABLE_SIZE = 8 << 16 };

/* Run 'entry' from block->in; r11 is given, since it may be the ring's pointer. The code ends by a
 * jump to test_back, or to test_back_native if r11 is the program's. */
void test_run(u64 entry, u64 r11);
extern const u8 test_back[], test_back_native[], test_native[];

#if TRANSLATE_NARROW
#define TEST_SLOT "%fs"
#else
#define TEST_SLOT "%gs"
#endif

#if TRANSLATE_NARROW
/* The same for 32-bit code, in which %fs has the place of %gs. Native code begins as 32-bit code,
 * and ends by a far jump. */
#define TEST_RUN(before, after) \
asm(".text\n.globl test_run, test_back, test_back_native\n" \
    "test_run: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n" \
    "push %rdi; push %rsi; mov $0x1002, %edi; mov gs(%rip), %rsi; mov $158, %eax; syscall\n" \
    "pop %rsi; pop %rdi\n" before "\n" \
    "mov %rsp, %fs:872; mov %rdi, %fs:880; mov %rsi, %r11; push %fs:712; popf\n" \
    "mov %fs:584, %rax; mov %fs:592, %rcx; mov %fs:600, %rdx; mov %fs:608, %rbx\n" \
    "mov %fs:616, %rsp; mov %fs:624, %rbp; mov %fs:632, %rsi; mov %fs:640, %rdi\n" \
    "jmp *%fs:880\n" \
    "test_native: ljmp *%fs:928\n" \
    "test_back_native: test_back: mov %rax, %fs:728; mov %rcx, %fs:736; mov %rdx, %fs:744\n" \
    "mov %rbx, %fs:752; mov %rsp, %fs:760; mov %rbp, %fs:768; mov %rsi, %fs:776\n" \
    "mov %rdi, %fs:784; mov %fs:872, %rsp; pushf; pop %fs:856; cld\n" \
    after "\n" \
    "mov $0x1002, %edi; mov %fs:920, %rsi; mov $158, %eax; syscall\n" \
    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n")
#else
/* Define test_run(). 'before' and 'after' are instructions that set and keep vector registers. */
#define TEST_RUN(before, after) \
asm(".text\n.globl test_run, test_back, test_back_native\n" \
    "test_run: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n" \
    before "\n" \
    "mov %rsp, %gs:872; mov %rdi, %gs:880; mov %rsi, %r11; push %gs:712; popf\n" \
    "mov %gs:584, %rax; mov %gs:592, %rcx; mov %gs:600, %rdx; mov %gs:608, %rbx\n" \
    "mov %gs:616, %rsp; mov %gs:624, %rbp; mov %gs:632, %rsi; mov %gs:640, %rdi\n" \
    "mov %gs:648, %r8; mov %gs:656, %r9; mov %gs:664, %r10; mov %gs:680, %r12\n" \
    "mov %gs:688, %r13; mov %gs:696, %r14; mov %gs:704, %r15; jmp *%gs:880\n" \
    "test_back_native: mov %r11, %gs:32\n" \
    "test_back: mov %rax, %gs:728; mov %rcx, %gs:736; mov %rdx, %gs:744; mov %rbx, %gs:752\n" \
    "mov %rsp, %gs:760; mov %rbp, %gs:768; mov %rsi, %gs:776; mov %rdi, %gs:784\n" \
    "mov %r8, %gs:792; mov %r9, %gs:800; mov %r10, %gs:808; mov %r12, %gs:824\n" \
    "mov %r13, %gs:832; mov %r14, %gs:840; mov %r15, %gs:848\n" \
    "mov %gs:32, %rax; mov %rax, %gs:816; mov %gs:872, %rsp; pushf; pop %gs:856; cld\n" \
    after "\n" \
    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n")
#endif

static u64 rnd(void)
{
	static u64 seed = 88172645463325252ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

#endif
