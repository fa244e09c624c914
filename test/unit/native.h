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
	u64 self, ring, limit, below, r11, spill[4], fill[23];
	u64 in[18], out[18];	/* at 256 and 400: registers by number, flags (16) */
	u64 stack, entry;	/* 544, 552 */
	u64 xmask, xin, xout;	/* 560, 568, 576 */
	u64 calls[64], top;
	u64 system;		/* 1104: the base of %fs, for the libc */
	u64 far;		/* 1112: 'entry' in 32-bit code */
};

_Static_assert(offsetof(struct block, in) == 256, "in");
_Static_assert(offsetof(struct block, stack) == 544, "stack");
_Static_assert(offsetof(struct block, system) == 1104, "system");

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
    "mov %rsp, %fs:544; mov %rdi, %fs:552; mov %rsi, %r11; push %fs:384; popf\n" \
    "mov %fs:256, %rax; mov %fs:264, %rcx; mov %fs:272, %rdx; mov %fs:280, %rbx\n" \
    "mov %fs:288, %rsp; mov %fs:296, %rbp; mov %fs:304, %rsi; mov %fs:312, %rdi\n" \
    "jmp *%fs:552\n" \
    "test_native: ljmp *%fs:1112\n" \
    "test_back_native: test_back: mov %rax, %fs:400; mov %rcx, %fs:408; mov %rdx, %fs:416\n" \
    "mov %rbx, %fs:424; mov %rsp, %fs:432; mov %rbp, %fs:440; mov %rsi, %fs:448\n" \
    "mov %rdi, %fs:456; mov %fs:544, %rsp; pushf; pop %fs:528; cld\n" \
    after "\n" \
    "mov $0x1002, %edi; mov %fs:1104, %rsi; mov $158, %eax; syscall\n" \
    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n")
#else
/* Define test_run(). 'before' and 'after' are instructions that set and keep vector registers. */
#define TEST_RUN(before, after) \
asm(".text\n.globl test_run, test_back, test_back_native\n" \
    "test_run: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n" \
    before "\n" \
    "mov %rsp, %gs:544; mov %rdi, %gs:552; mov %rsi, %r11; push %gs:384; popf\n" \
    "mov %gs:256, %rax; mov %gs:264, %rcx; mov %gs:272, %rdx; mov %gs:280, %rbx\n" \
    "mov %gs:288, %rsp; mov %gs:296, %rbp; mov %gs:304, %rsi; mov %gs:312, %rdi\n" \
    "mov %gs:320, %r8; mov %gs:328, %r9; mov %gs:336, %r10; mov %gs:352, %r12\n" \
    "mov %gs:360, %r13; mov %gs:368, %r14; mov %gs:376, %r15; jmp *%gs:552\n" \
    "test_back_native: mov %r11, %gs:32\n" \
    "test_back: mov %rax, %gs:400; mov %rcx, %gs:408; mov %rdx, %gs:416; mov %rbx, %gs:424\n" \
    "mov %rsp, %gs:432; mov %rbp, %gs:440; mov %rsi, %gs:448; mov %rdi, %gs:456\n" \
    "mov %r8, %gs:464; mov %r9, %gs:472; mov %r10, %gs:480; mov %r12, %gs:496\n" \
    "mov %r13, %gs:504; mov %r14, %gs:512; mov %r15, %gs:520\n" \
    "mov %gs:32, %rax; mov %rax, %gs:488; mov %gs:544, %rsp; pushf; pop %gs:528; cld\n" \
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
