/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arch/x86/insn: every row of the branch classes, and every instruction whose
 * length is easily got wrong.
 */
#include <test.h>
#include <pt/arch.h>

/* insn_pass() passes the instruction, reads it as a branch, or leaves it to insn_decode(). */
static void passes(enum insn_mode mode, u32 want_len, u32 want_kind, struct bytes more)
{
	struct bytes rest = more;
	struct insn branch;
	u8 last = 0;
	u32 n = insn_pass(&branch, mode, &rest, 1, &last);

	OK(!n || (mode == INSN_64 && want_kind < INSN_JUMP));
	EQ(last, n ? want_len : 0);
	OK(!branch.len || (!n && mode == INSN_64 && want_kind >= INSN_JUMP));
	if (branch.len) {
		EQ(branch.len, want_len);
		EQ(branch.kind, want_kind);
	}
	EQ(more.len - rest.len, n ? want_len : 0);
}

static void in_line(int line, int bad_before)
{
	if (test_bad > bad_before)
		printf("  in line %d\n", line);
}

static void decodes(int line, enum insn_mode mode, i32 want_len, u32 want_kind, struct bytes code)
{
	u8 more[40];
	struct insn insn = { .len = 99 };
	int bad = test_bad;

	EQ(insn_decode(&insn, mode, code), want_len);
	EQ(insn.len, want_len);
	EQ(insn.kind, want_kind);
	memset(more, 0xff, sizeof(more));
	memcpy(more, code.at, code.len);
	EQ(insn_decode(&insn, mode, (struct bytes){ more, sizeof(more) }), want_len);
	EQ(insn.kind, want_kind);
	passes(mode, want_len, want_kind, (struct bytes){ more, sizeof(more) });
	while (code.len--)
		EQ(insn_decode(&insn, mode, code), 0);
	in_line(line, bad);
}

/* The bytes are an instruction of this length and kind, also if more bytes follow. Cut short, they
 * are none. It is a call, not code in place: for that gcc with the sanitizers needs a minute. */
#define INSN(mode, want_len, want_kind, ...) \
	decodes(__LINE__, mode, want_len, want_kind, BYTES(__VA_ARGS__))

#define INSN_ALL(...) do { \
	INSN(INSN_64, __VA_ARGS__); \
	INSN(INSN_32, __VA_ARGS__); \
	INSN(INSN_16, __VA_ARGS__); \
} while (0)

static void is_bad(int line, enum insn_mode mode, struct bytes code)
{
	struct insn insn = { .len = 99 };
	int bad = test_bad;

	EQ(insn_decode(&insn, mode, code), -1);
	EQ(insn.len, 99);
	in_line(line, bad);
}

/* No instruction, and the bytes given are enough to see it. */
#define BAD(mode, ...) is_bad(__LINE__, mode, BYTES(__VA_ARGS__))

static void leads_to(int line, enum insn_mode mode, u64 ip, u64 want, struct bytes code)
{
	struct insn insn = { 0 };
	int bad = test_bad;

	OK(insn_decode(&insn, mode, code) > 0);
	EQ(insn_target(&insn, mode, ip), want);
	in_line(line, bad);
}

/* Where a direct branch at 'ip' goes. */
#define TARGET(mode, ip, want, ...) leads_to(__LINE__, mode, ip, want, BYTES(__VA_ARGS__))

TEST(conditional_branches_take_a_bit)
{
	INSN_ALL(2, INSN_COND, 0x70, 0x10);
	INSN_ALL(2, INSN_COND, 0x7f, 0x10);
	INSN_ALL(2, INSN_COND, 0xe0, 0x10);
	INSN_ALL(2, INSN_COND, 0xe1, 0x10);
	INSN_ALL(2, INSN_COND, 0xe2, 0x10);
	INSN_ALL(2, INSN_COND, 0xe3, 0x10);
	INSN(INSN_64, 6, INSN_COND, 0x0f, 0x80, 1, 2, 3, 4);
	INSN(INSN_32, 6, INSN_COND, 0x0f, 0x8f, 1, 2, 3, 4);
	INSN(INSN_16, 4, INSN_COND, 0x0f, 0x84, 1, 2);
	INSN_ALL(3, INSN_COND, 0x67, 0xe3, 0x10);
	INSN_ALL(3, INSN_COND, 0x2e, 0x74, 0x10);
}

TEST(direct_jumps_and_calls_know_their_target)
{
	INSN_ALL(2, INSN_JUMP, 0xeb, 0xfe);
	INSN(INSN_64, 5, INSN_JUMP, 0xe9, 1, 2, 3, 4);
	INSN(INSN_64, 5, INSN_CALL, 0xe8, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_CALL, 0x67, 0xe8, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_CALL, 0xf2, 0xe8, 1, 2, 3, 4);
	TARGET(INSN_64, 0x401000, 0x401000, 0xeb, 0xfe);
	TARGET(INSN_64, 0x401000, 0x401084, 0x0f, 0x84, 0x7e, 0, 0, 0);
	TARGET(INSN_64, 0xffffffff81000000, 0xffffffff80fffffa, 0xe8, 0xf5, 0xff, 0xff, 0xff);
	TARGET(INSN_64, 0x401000, 0x400f82, 0x70, 0x80);
}

TEST(outside_64_bit_mode_targets_wrap)
{
	INSN(INSN_32, 5, INSN_JUMP, 0xe9, 1, 2, 3, 4);
	INSN(INSN_32, 4, INSN_JUMP, 0x66, 0xe9, 1, 2);
	INSN(INSN_16, 3, INSN_CALL, 0xe8, 1, 2);
	INSN(INSN_16, 6, INSN_CALL, 0x66, 0xe8, 1, 2, 3, 4);
	INSN(INSN_32, 5, INSN_COND, 0x66, 0x0f, 0x84, 1, 2);
	INSN(INSN_16, 7, INSN_COND, 0x66, 0x0f, 0x84, 1, 2, 3, 4);
	TARGET(INSN_32, 0xfffffff0, 0x5, 0xe9, 0x10, 0, 0, 0);
	TARGET(INSN_32, 0x8048000, 0x8014, 0x66, 0xe9, 0x10, 0);
	TARGET(INSN_32, 0x8048000, 0x8013, 0x66, 0xeb, 0x10);
	TARGET(INSN_32, 0x8048000, 0x8048012, 0xeb, 0x10);
	TARGET(INSN_16, 0xfff0, 0x3, 0xe9, 0x10, 0);
	TARGET(INSN_16, 0xffff0, 0xf0003, 0xe9, 0x10, 0);
	TARGET(INSN_16, 0xfff0, 0x10006, 0x66, 0xe9, 0x10, 0, 0, 0);
}

TEST(an_operand_size_prefix_changes_no_branch_in_64_bit_mode)
{
	INSN(INSN_64, 6, INSN_CALL, 0x66, 0xe8, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_JUMP, 0x66, 0xe9, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_COND, 0x66, 0x0f, 0x84, 1, 2, 3, 4);
	TARGET(INSN_64, 0x401000, 0x401016, 0x66, 0xe8, 0x10, 0, 0, 0);
	TARGET(INSN_64, 0x401000, 0x401013, 0x66, 0xeb, 0x10);
}

TEST(returns_are_near_or_far)
{
	INSN_ALL(1, INSN_RET, 0xc3);
	INSN_ALL(2, INSN_RET, 0xf3, 0xc3);
	INSN_ALL(3, INSN_RET, 0xc2, 8, 0);
	INSN_ALL(1, INSN_FAR_RET, 0xcb);
	INSN_ALL(3, INSN_FAR_RET, 0xca, 8, 0);
	INSN(INSN_64, 2, INSN_FAR_RET, 0x48, 0xcb);
	INSN_ALL(1, INSN_IRET, 0xcf);
	INSN(INSN_64, 2, INSN_IRET, 0x48, 0xcf);
}

TEST(group_5_holds_the_indirect_branches)
{
	INSN_ALL(2, INSN_OTHER, 0xff, 0xc0);
	INSN_ALL(2, INSN_CALL_INDIRECT, 0xff, 0xd0);
	INSN_ALL(2, INSN_FAR_CALL, 0xff, 0x18);
	INSN_ALL(2, INSN_JUMP_INDIRECT, 0xff, 0xe0);
	INSN_ALL(2, INSN_FAR_JUMP, 0xff, 0x28);
	INSN_ALL(2, INSN_OTHER, 0xff, 0xf0);
	INSN(INSN_64, 6, INSN_CALL_INDIRECT, 0xff, 0x15, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_JUMP_INDIRECT, 0xff, 0x24, 0xc5, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_JUMP_INDIRECT, 0xf2, 0xff, 0x25, 1, 2, 3, 4);
	INSN(INSN_64, 3, INSN_JUMP_INDIRECT, 0x3e, 0xff, 0xe0);
	INSN(INSN_64, 3, INSN_CALL_INDIRECT, 0x41, 0xff, 0xd7);
	INSN(INSN_64, 3, INSN_FAR_JUMP, 0x48, 0xff, 0x28);
	BAD(INSN_64, 0xff, 0xd8);
	BAD(INSN_64, 0xff, 0xe8);
	BAD(INSN_64, 0xff, 0x38);
}

TEST(far_pointers_are_not_for_64_bit_mode)
{
	INSN(INSN_32, 7, INSN_FAR_CALL, 0x9a, 1, 2, 3, 4, 5, 6);
	INSN(INSN_32, 6, INSN_FAR_JUMP, 0x66, 0xea, 1, 2, 3, 4);
	INSN(INSN_16, 5, INSN_FAR_JUMP, 0xea, 1, 2, 3, 4);
	INSN(INSN_16, 8, INSN_FAR_CALL, 0x66, 0x9a, 1, 2, 3, 4, 5, 6);
	BAD(INSN_64, 0x9a);
	BAD(INSN_64, 0xea);
}

TEST(interrupts_and_system_calls_are_far)
{
	INSN_ALL(1, INSN_INT, 0xcc);
	INSN_ALL(2, INSN_INT, 0xcd, 0x80);
	INSN(INSN_32, 1, INSN_INT, 0xce);
	BAD(INSN_64, 0xce);
	INSN_ALL(1, INSN_INT, 0xf1);
	INSN_ALL(2, INSN_SYSCALL, 0x0f, 0x05);
	INSN_ALL(2, INSN_SYSCALL, 0x0f, 0x34);
	INSN_ALL(2, INSN_SYSRET, 0x0f, 0x07);
	INSN_ALL(2, INSN_SYSRET, 0x0f, 0x35);
	INSN(INSN_64, 3, INSN_SYSRET, 0x48, 0x0f, 0x07);
	INSN_ALL(2, INSN_OTHER, 0x0f, 0xaa);
	INSN_ALL(2, INSN_OTHER, 0x0f, 0x0b);
	INSN_ALL(1, INSN_OTHER, 0xf4);
}

TEST(group_7_is_told_by_modrm_and_prefix)
{
	INSN_ALL(3, INSN_VMCALL, 0x0f, 0x01, 0xc1);
	INSN_ALL(3, INSN_VMENTRY, 0x0f, 0x01, 0xc2);
	INSN_ALL(3, INSN_VMENTRY, 0x0f, 0x01, 0xc3);
	INSN_ALL(4, INSN_OTHER, 0xf3, 0x0f, 0x01, 0xc2);
	INSN_ALL(3, INSN_WRMSR, 0x0f, 0x01, 0xc6);
	INSN(INSN_64, 4, INSN_IRET, 0xf3, 0x0f, 0x01, 0xec);
	INSN(INSN_64, 4, INSN_IRET, 0xf3, 0x0f, 0x01, 0xca);
	INSN(INSN_64, 4, INSN_IRET, 0xf2, 0x0f, 0x01, 0xca);
	INSN(INSN_32, 4, INSN_OTHER, 0xf3, 0x0f, 0x01, 0xec);
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x01, 0xca);		/* clac */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x01, 0xc9);		/* mwait */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x01, 0xd5);		/* xend */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x01, 0xd7);		/* enclu */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x01, 0xf9);		/* rdtscp */
	INSN_ALL(4, INSN_OTHER, 0xf3, 0x0f, 0x01, 0xee);	/* clui */
	INSN(INSN_64, 7, INSN_OTHER, 0x0f, 0x01, 0x15, 1, 2, 3, 4);
}

TEST(what_packets_bind_to_is_known)
{
	INSN(INSN_64, 4, INSN_PTWRITE, 0xf3, 0x0f, 0xae, 0xe0);
	INSN(INSN_64, 5, INSN_PTWRITE, 0xf3, 0x48, 0x0f, 0xae, 0xe0);
	INSN(INSN_64, 5, INSN_PTWRITE, 0xf3, 0x0f, 0xae, 0x60, 8);
	INSN_ALL(4, INSN_OTHER, 0x66, 0x0f, 0xae, 0xe0);
	INSN_ALL(5, INSN_OTHER, 0x66, 0xf3, 0x0f, 0xae, 0xe0);
	INSN_ALL(3, INSN_OTHER, 0x0f, 0xae, 0xe8);		/* lfence */
	INSN_ALL(3, INSN_MOV_CR3, 0x0f, 0x22, 0xd8);
	INSN(INSN_64, 4, INSN_MOV_CR3, 0x41, 0x0f, 0x22, 0xdb);
	INSN(INSN_64, 4, INSN_OTHER, 0x44, 0x0f, 0x22, 0xd8);	/* cr11 */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x20, 0xd8);
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x22, 0xe0);
	INSN_ALL(2, INSN_WRMSR, 0x0f, 0x30);
	INSN_ALL(3, INSN_VMPTRLD, 0x0f, 0xc7, 0x37);
	INSN_ALL(4, INSN_OTHER, 0x66, 0x0f, 0xc7, 0x37);	/* vmclear */
	INSN_ALL(4, INSN_OTHER, 0xf3, 0x0f, 0xc7, 0x37);	/* vmxon */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0xc7, 0xf0);		/* rdrand */
}

TEST(transactions_are_no_branches)
{
	INSN(INSN_64, 6, INSN_OTHER, 0xc7, 0xf8, 1, 2, 3, 4);
	INSN(INSN_64, 5, INSN_OTHER, 0x66, 0xc7, 0xf8, 1, 2);
	INSN(INSN_16, 4, INSN_OTHER, 0xc7, 0xf8, 1, 2);
	INSN_ALL(3, INSN_OTHER, 0xc6, 0xf8, 1);
}

TEST(immediates_follow_the_operand_size)
{
	INSN(INSN_64, 5, INSN_OTHER, 0xb8, 1, 2, 3, 4);
	INSN(INSN_64, 10, INSN_OTHER, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 11, INSN_OTHER, 0x66, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 4, INSN_OTHER, 0x66, 0xb8, 1, 2);
	INSN(INSN_16, 3, INSN_OTHER, 0xb8, 1, 2);
	INSN(INSN_16, 6, INSN_OTHER, 0x66, 0xb8, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_OTHER, 0x48, 0xc7, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 5, INSN_OTHER, 0x66, 0xc7, 0xc0, 1, 2);
	INSN(INSN_64, 8, INSN_OTHER, 0x66, 0x48, 0xc7, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_OTHER, 0x48, 0x05, 1, 2, 3, 4);
	INSN_ALL(4, INSN_OTHER, 0xc8, 1, 2, 3);
	INSN(INSN_64, 5, INSN_OTHER, 0x68, 1, 2, 3, 4);
	INSN_ALL(2, INSN_OTHER, 0x6a, 1);
}

TEST(a_moffs_follows_the_address_size)
{
	INSN(INSN_64, 9, INSN_OTHER, 0xa1, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 6, INSN_OTHER, 0x67, 0xa1, 1, 2, 3, 4);
	INSN(INSN_64, 10, INSN_OTHER, 0x48, 0xa1, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_32, 5, INSN_OTHER, 0xa3, 1, 2, 3, 4);
	INSN(INSN_32, 4, INSN_OTHER, 0x67, 0xa0, 1, 2);
	INSN(INSN_16, 3, INSN_OTHER, 0xa2, 1, 2);
	INSN(INSN_16, 6, INSN_OTHER, 0x67, 0xa2, 1, 2, 3, 4);
}

TEST(a_rex_counts_only_straight_before_the_opcode)
{
	INSN(INSN_64, 3, INSN_OTHER, 0x48, 0x66, 0x90);
	INSN(INSN_64, 5, INSN_OTHER, 0x48, 0x66, 0xb8, 1, 2);
	INSN(INSN_64, 7, INSN_OTHER, 0x48, 0x40, 0x05, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_OTHER, 0x48, 0x40, 0xb8, 1, 2, 3, 4);
	INSN(INSN_64, 11, INSN_OTHER, 0x40, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 8, INSN_OTHER, 0x65, 0x48, 0x2e, 0x05, 1, 2, 3, 4);
	INSN(INSN_32, 1, INSN_OTHER, 0x48);
}

TEST(only_test_of_group_3_has_an_immediate)
{
	INSN_ALL(3, INSN_OTHER, 0xf6, 0xc0, 1);
	INSN_ALL(3, INSN_OTHER, 0xf6, 0xc8, 1);
	INSN_ALL(2, INSN_OTHER, 0xf6, 0xd0);
	INSN(INSN_64, 6, INSN_OTHER, 0xf7, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 5, INSN_OTHER, 0x66, 0xf7, 0xc0, 1, 2);
	INSN_ALL(2, INSN_OTHER, 0xf7, 0xd0);
}

TEST(a_memory_operand_has_sib_and_displacement)
{
	INSN(INSN_64, 2, INSN_OTHER, 0x8b, 0x00);
	INSN(INSN_64, 3, INSN_OTHER, 0x8b, 0x04, 0x24);
	INSN(INSN_64, 7, INSN_OTHER, 0x8b, 0x04, 0x25, 1, 2, 3, 4);
	INSN(INSN_64, 8, INSN_OTHER, 0x49, 0x8b, 0x04, 0x25, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_OTHER, 0x8b, 0x05, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_OTHER, 0x41, 0x8b, 0x05, 1, 2, 3, 4);
	INSN(INSN_64, 3, INSN_OTHER, 0x8b, 0x45, 8);
	INSN(INSN_64, 4, INSN_OTHER, 0x8b, 0x44, 0x25, 8);
	INSN(INSN_64, 6, INSN_OTHER, 0x8b, 0x85, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_OTHER, 0x8b, 0x84, 0x25, 1, 2, 3, 4);
	INSN(INSN_64, 7, INSN_OTHER, 0x67, 0x8b, 0x05, 1, 2, 3, 4);
	INSN(INSN_32, 5, INSN_OTHER, 0x67, 0x8b, 0x06, 1, 2);
	INSN(INSN_32, 3, INSN_OTHER, 0x67, 0x8b, 0x04);
	INSN(INSN_16, 2, INSN_OTHER, 0x8b, 0x05);
	INSN(INSN_16, 3, INSN_OTHER, 0x8b, 0x44, 8);
	INSN(INSN_16, 4, INSN_OTHER, 0x8b, 0x84, 1, 2);
	INSN(INSN_16, 4, INSN_OTHER, 0x67, 0x8b, 0x04, 0x24);
}

TEST(control_registers_are_never_memory)
{
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x20, 0x3f);
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x21, 0x04);
	INSN_ALL(3, INSN_MOV_CR3, 0x0f, 0x22, 0x1d);
}

TEST(map_1_has_its_odd_ones)
{
	INSN_ALL(4, INSN_OTHER, 0x0f, 0x0f, 0xc1, 0x9e);	/* 3DNow! */
	INSN_ALL(2, INSN_OTHER, 0x0f, 0x77);
	INSN_ALL(3, INSN_OTHER, 0x0f, 0xff, 0xc0);		/* ud0 */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0xb9, 0xc0);		/* ud1 */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x0d, 0x0f);		/* prefetchw */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0xa7, 0xc0);		/* padlock */
	INSN_ALL(4, INSN_OTHER, 0xf3, 0x0f, 0x1e, 0xfa);	/* endbr64 */
	INSN_ALL(3, INSN_OTHER, 0x0f, 0x78, 0xc1);		/* vmread */
	INSN_ALL(6, INSN_OTHER, 0xf2, 0x0f, 0x78, 0xc1, 1, 2);	/* insertq */
	INSN_ALL(6, INSN_OTHER, 0x66, 0x0f, 0x78, 0xc1, 1, 2);	/* extrq */
	INSN_ALL(2, INSN_OTHER, 0x0f, 0xc9);			/* bswap */
	INSN_ALL(4, INSN_OTHER, 0x0f, 0xba, 0xe0, 1);
}

TEST(maps_2_and_3_are_regular)
{
	INSN_ALL(5, INSN_OTHER, 0xf2, 0x0f, 0x38, 0xf1, 0xc1);	/* crc32 */
	INSN_ALL(4, INSN_OTHER, 0x0f, 0x38, 0xf0, 0x07);	/* movbe */
	INSN_ALL(5, INSN_OTHER, 0x0f, 0x3a, 0xcc, 0xc1, 1);	/* sha1rnds4 */
	INSN_ALL(6, INSN_OTHER, 0xf3, 0x0f, 0x3a, 0xf0, 0xc0, 1); /* hreset */
	INSN(INSN_64, 10, INSN_OTHER, 0x66, 0x0f, 0x3a, 0x0f, 0x05, 1, 2, 3, 4, 5);
}

TEST(vex_has_its_own_maps)
{
	INSN_ALL(3, INSN_OTHER, 0xc5, 0xf8, 0x77);		/* vzeroupper */
	INSN_ALL(4, INSN_OTHER, 0xc4, 0xe1, 0x78, 0x77);
	INSN_ALL(5, INSN_OTHER, 0xc4, 0xe2, 0x79, 0x18, 0xc0);	/* vbroadcastss */
	INSN_ALL(6, INSN_OTHER, 0xc4, 0xe3, 0x79, 0x14, 0xc0, 1);
	INSN_ALL(5, INSN_OTHER, 0xc5, 0xf9, 0x70, 0xc0, 1);	/* vpshufd */
	INSN(INSN_64, 9, INSN_OTHER, 0xc4, 0xe7, 0x7b, 0xf8, 0xc0, 1, 2, 3, 4);	/* urdmsr */
	INSN(INSN_64, 8, INSN_OTHER, 0xc5, 0xf8, 0x28, 0x05, 1, 2, 3, 4);
	INSN_ALL(4, INSN_OTHER, 0xc5, 0xf8, 0x84, 0xc0);	/* no jcc */
	BAD(INSN_64, 0xc4, 0xe0, 0x78, 0x00);
	BAD(INSN_64, 0xc4, 0xe4, 0x78, 0x00);
}

TEST(les_lds_and_bound_are_vex_and_evex_where_they_would_name_a_register)
{
	INSN(INSN_32, 3, INSN_OTHER, 0xc5, 0x45, 8);
	INSN(INSN_32, 3, INSN_OTHER, 0xc4, 0x45, 8);
	INSN(INSN_32, 3, INSN_OTHER, 0x62, 0x45, 8);
	INSN(INSN_16, 4, INSN_OTHER, 0xc5, 0x06, 1, 2);
	INSN(INSN_64, 4, INSN_OTHER, 0xc5, 0x45, 0x58, 0xc0);
}

TEST(evex_has_map_4_and_no_vzeroupper)
{
	INSN_ALL(6, INSN_OTHER, 0x62, 0xf1, 0x7c, 0x48, 0x77, 0xc0);
	INSN_ALL(6, INSN_OTHER, 0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc0);	/* vmovaps */
	INSN_ALL(7, INSN_OTHER, 0x62, 0xf1, 0x7c, 0x48, 0xc6, 0xc0, 1);	/* vshufps */
	INSN_ALL(7, INSN_OTHER, 0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 1);	/* vpternlog */
	INSN(INSN_64, 7, INSN_OTHER, 0x62, 0xf2, 0x7d, 0x48, 0x18, 0x40, 1);
	INSN_ALL(6, INSN_OTHER, 0x62, 0xf5, 0x7c, 0x48, 0x58, 0xc0);	/* vaddph */
	INSN_ALL(6, INSN_OTHER, 0x62, 0xf6, 0x7d, 0x48, 0x98, 0xc0);
	INSN_ALL(10, INSN_OTHER, 0x62, 0xf7, 0x7f, 0x08, 0xf8, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0x01, 0xc0);	/* add */
	INSN(INSN_64, 7, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0x83, 0xc0, 1);
	INSN(INSN_64, 7, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0xc1, 0xc0, 1);
	INSN(INSN_64, 10, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0x81, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 8, INSN_OTHER, 0x62, 0xf4, 0x7d, 0x18, 0x81, 0xc0, 1, 2);
	INSN(INSN_64, 10, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0xf7, 0xc0, 1, 2, 3, 4);
	INSN(INSN_64, 6, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0xf7, 0xd0);
	INSN(INSN_64, 7, INSN_OTHER, 0x62, 0xf4, 0x7c, 0x18, 0x24, 0xc0, 1);	/* shld */
	BAD(INSN_64, 0x62, 0xf0, 0x7c, 0x48, 0x28);
}

TEST(xop_is_told_from_pop_by_its_map)
{
	INSN_ALL(2, INSN_OTHER, 0x8f, 0xc0);
	INSN(INSN_64, 3, INSN_OTHER, 0x8f, 0x40, 8);
	INSN_ALL(6, INSN_OTHER, 0x8f, 0xe8, 0x78, 0xc0, 0xc0, 1);
	INSN_ALL(5, INSN_OTHER, 0x8f, 0xe9, 0x78, 0x01, 0xc8);
	INSN_ALL(9, INSN_OTHER, 0x8f, 0xea, 0x78, 0x10, 0xc0, 1, 2, 3, 4);
	BAD(INSN_64, 0x8f, 0xeb, 0x78, 0x10);
}

TEST(rex2_is_rex_with_a_map)
{
	INSN(INSN_64, 4, INSN_OTHER, 0xd5, 0x18, 0x01, 0xc0);
	INSN(INSN_64, 11, INSN_OTHER, 0xd5, 0x18, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 5, INSN_OTHER, 0x66, 0xd5, 0x10, 0x01, 0xc0);
	INSN(INSN_64, 4, INSN_OTHER, 0xd5, 0x90, 0xaf, 0xc0);	/* imul */
	INSN(INSN_64, 3, INSN_SYSCALL, 0xd5, 0x80, 0x05);
	INSN(INSN_64, 4, INSN_CALL_INDIRECT, 0xd5, 0x10, 0xff, 0xd0);
	INSN(INSN_64, 11, INSN_JUMP_INDIRECT, 0xd5, 0x00, 0xa1, 1, 2, 3, 4, 5, 6, 7, 8);
	INSN(INSN_64, 4, INSN_MOV_CR3, 0xd5, 0x90, 0x22, 0xd8);
	INSN(INSN_64, 4, INSN_OTHER, 0xd5, 0xc0, 0x22, 0xd8);	/* cr19 */
	BAD(INSN_64, 0xd5, 0x00, 0xe8);
	BAD(INSN_64, 0xd5, 0x00, 0x74);
	BAD(INSN_64, 0xd5, 0x80, 0x84);
	BAD(INSN_64, 0xd5, 0x80, 0x34);
	BAD(INSN_64, 0xd5, 0x08, 0xa1);
	BAD(INSN_64, 0xd5, 0x00, 0x0f);
	BAD(INSN_64, 0xd5, 0x00, 0x66);
	BAD(INSN_64, 0xd5, 0x00, 0x62);
	BAD(INSN_64, 0x48, 0xd5, 0x00, 0xff);
	INSN(INSN_32, 2, INSN_OTHER, 0xd5, 0x0a);	/* aad */
	INSN(INSN_32, 2, INSN_OTHER, 0xd4, 0x0a);	/* aam */
}

TEST(some_opcodes_are_not_for_64_bit_mode)
{
	static const u8 not64[] = { 0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37,
		0x3f, 0x60, 0x61, 0x82, 0x9a, 0xce, 0xd4, 0xd6, 0xea };
	struct insn insn;
	size_t i;

	for (i = 0; i < N_ELEM(not64); i++)
		EQ(insn_decode(&insn, INSN_64, (struct bytes){ not64 + i, 1 }), -1);
	INSN(INSN_32, 3, INSN_OTHER, 0x82, 0xc0, 1);
	INSN(INSN_32, 1, INSN_OTHER, 0x60);
	INSN(INSN_32, 1, INSN_OTHER, 0xd6);
}

TEST(a_locked_branch_is_none)
{
	BAD(INSN_64, 0xf0, 0xe8);
	BAD(INSN_64, 0xf0, 0x74);
	BAD(INSN_64, 0xf0, 0xc3);
	BAD(INSN_32, 0xf0, 0xff, 0xd0);
	INSN_ALL(3, INSN_OTHER, 0xf0, 0xff, 0x00);
}

TEST(waits_and_nops_stand_alone)
{
	INSN_ALL(1, INSN_OTHER, 0x9b);
	INSN_ALL(1, INSN_OTHER, 0x90);
	INSN_ALL(2, INSN_OTHER, 0xf3, 0x90);
	INSN(INSN_64, 11, INSN_OTHER, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0);
	INSN(INSN_64, 15, INSN_OTHER, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84,
		0, 0, 0, 0, 0);
}

TEST(fifteen_bytes_are_the_most)
{
	u8 code[40];
	struct insn insn;
	size_t i;

	memset(code, 0x66, sizeof(code));
	for (i = 0; i < 15; i++)
		EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, i }), 0);
	for (; i < sizeof(code); i++)
		EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, i }), -1);
	code[14] = 0x90;
	EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, 14 }), 0);
	for (i = 15; i < sizeof(code); i++)
		EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, i }), 15);
	code[14] = 0x01;
	EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, 14 }), 0);
	for (i = 15; i < sizeof(code); i++)
		EQ(insn_decode(&insn, INSN_64, (struct bytes){ code, i }), -1);
}

TEST(nothing_is_read_from_no_bytes)
{
	struct insn insn;

	EQ(insn_decode(&insn, INSN_64, (struct bytes){ NULL, 0 }), 0);
}

TEST(plain_code_is_gone_over_up_to_a_branch)
{
	static const u8 code[40] = {
		0x55, 0x48, 0x89, 0xe5,				/* push rbp; mov rbp, rsp */
		0x48, 0x8b, 0x84, 0x25, 1, 2, 3, 4,		/* with a SIB */
		0xc7, 0x05, 1, 2, 3, 4, 5, 6, 7, 8,		/* and a long immediate */
		0x74, 0x10,
	};
	struct bytes rest = { code, sizeof(code) };
	struct insn insn;
	u8 last = 0;

	/* What lies near the end is left to insn_decode(). */
	EQ(insn_pass(&insn, INSN_64, &rest, 100, &last), 4);
	EQ(last, 10);
	EQ(insn.len, 0);
	EQ(rest.len, sizeof(code) - 22);
	OK(rest.at == code + 22);
	rest = (struct bytes){ code, sizeof(code) };
	EQ(insn_pass(&insn, INSN_64, &rest, 2, &last), 2);
	EQ(last, 3);
	EQ(insn.len, 0);
	EQ(rest.len, sizeof(code) - 4);
}

TEST(the_branch_after_plain_code_is_read)
{
	static const u8 code[40] = { 0x55, 0x0f, 0x85, 0xf0, 0xff, 0xff, 0xff };
	struct bytes rest = { code, sizeof(code) };
	struct insn insn;
	u8 last = 0;

	EQ(insn_pass(&insn, INSN_64, &rest, 100, &last), 1);
	EQ(last, 1);
	OK(rest.at == code + 1);
	EQ(insn.len, 6);
	EQ(insn.kind, INSN_COND);
	EQ(insn.rel, -16);
}
