/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/image/cfi.h"
#include "test.h"

static bool no_memory(void *who, u64 addr, u32 size, u64 *to)
{
	*to = addr;
	return addr == 0x7000;
}

/* The result of an expression that starts with 5 on its stack, or ~0 if it has none. RSP is 0x7000;
 * no other register is known. */
static u64 result(const char *text, size_t len)
{
	struct cfi_frame f = { .known = 1u << CFI_SP, .read = no_memory };
	u64 v;

	f.reg[CFI_SP] = 0x7000;
	return cfi_result((struct bytes){ (const u8 *)text, len }, &f, 5, &v) ? v : ~0ULL;
}

#define RESULT(text) result(text, sizeof(text) - 1)

TEST(expressions_calculate)
{
	EQ(RESULT(""), 5);
	EQ(RESULT("\x77\x08"), 0x7008);				/* breg7 8 */
	EQ(RESULT("\x77\x7f"), 0x6fff);				/* breg7 -1 */
	EQ(RESULT("\x77\x00\x06"), 0x7000);			/* deref */
	EQ(RESULT("\x33\x32\x1c"), 1);			/* 3 - 2 */
	EQ(RESULT("\x3a\x33\x1b"), 3);				/* 10 / 3 */
	EQ(RESULT("\x3a\x33\x1d"), 1);				/* 10 % 3 */
	EQ(RESULT("\x09\xfe\x1f"), 2);				/* const1s -2, neg */
	EQ(RESULT("\x0b\xfe\xff\x1f"), 2);			/* const2s -2, neg */
	EQ(RESULT("\x0d\xfe\xff\xff\xff\x1f"), 2);		/* const4s -2, neg */
	EQ(RESULT("\x0c\xfe\xff\xff\xff"), 0xfffffffe);	/* const4u */
	EQ(RESULT("\x38\x1f\x31\x26\x1f"), 4);			/* -8 >> 1, with its sign, neg */
	EQ(RESULT("\x38\x1f\x31\x25"), ~0ULL / 2 - 3);		/* without it */
	EQ(RESULT("\x33\x34\x16\x1c"), 1);			/* 3 4 swap - */
	EQ(RESULT("\x31\x32\x33\x17\x13\x13"), 3);		/* rot: 3 1 2 */
	EQ(RESULT("\x10\x80\x01\x23\x02"), 130);		/* constu 128 + 2 */
	/* That of a procedure linkage table: 8 more if RIP & 15 >= 11. */
	EQ(RESULT("\x77\x08\x3e\x3f\x1a\x3b\x2a\x33\x24\x22"), 0x7010);
}

TEST(expressions_branch)
{
	EQ(RESULT("\x31\x28\x01\x00\x37\x38"), 8);		/* 1 bra 1; 7 is skipped */
	EQ(RESULT("\x30\x28\x01\x00\x37"), 7);
	EQ(RESULT("\x2f\x01\x00\x37"), 5);			/* skip 1 */
	EQ(RESULT("\x2f\xfd\xff"), ~0ULL);			/* for ever */
	EQ(RESULT("\x2f\x02\x00\x37"), ~0ULL);			/* after the end */
}

TEST(expressions_without_a_result)
{
	EQ(RESULT("\x76\x00"), ~0ULL);				/* breg6 is not known */
	EQ(RESULT("\x13\x13"), ~0ULL);				/* drop drop */
	EQ(RESULT("\x38\x06"), ~0ULL);				/* deref 8 */
	EQ(RESULT("\x31\x30\x1b"), ~0ULL);			/* 1 / 0 */
	EQ(RESULT("\xff"), ~0ULL);
	EQ(RESULT("\x08"), ~0ULL);				/* const1u, and no number */
}

/* A function at 0x1000 of 16 bytes, as in .debug_frame: from 1 on RBX is saved, 4 on the frame is
 * described by RBP, and 8 on all is as at first. */
static const u8 section[] = {
	20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 1, 0x78, 16,
	0x0c, 7, 8, 0x90, 1,			/* CFA: RSP + 8; RIP at CFA - 8 */
	0, 0, 0, 0, 0, 0,
	36, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0,
	0x0a, 0x41, 0x0e, 16, 0x83, 2, 0x43, 0x0d, 6, 0x44, 0x0b, 0, 0, 0, 0, 0,
};

TEST(rows_are_those_of_the_address)
{
	struct arena arena = { 0 };
	struct cfi c = { .bytes = { section, sizeof(section) } };
	struct cfi_row row;

	cfi_read(&c, &arena);
	EQ(c.n, 1);
	EQ(c.functions[0].start, 0x1000);
	EQ(c.functions[0].end, 0x1010);
	OK(!cfi_row(&c, 0xfff, &row));
	OK(!cfi_row(&c, 0x1010, &row));
	OK(cfi_row(&c, 0x1000, &row));
	EQ(row.cfa.reg, CFI_SP);
	EQ(row.cfa.value, 8);
	EQ(row.reg[CFI_BX].how, CFI_SAME);
	EQ(row.reg[CFI_IP].how, CFI_AT);
	EQ(row.reg[CFI_IP].value, -8);
	OK(cfi_row(&c, 0x1003, &row));
	EQ(row.cfa.value, 16);
	EQ(row.reg[CFI_BX].how, CFI_AT);
	EQ(row.reg[CFI_BX].value, -16);
	OK(cfi_row(&c, 0x1004, &row));
	EQ(row.cfa.reg, CFI_BP);
	OK(cfi_row(&c, 0x100f, &row));
	EQ(row.cfa.reg, CFI_SP);
	EQ(row.reg[CFI_BX].how, CFI_SAME);
	arena_free(&arena);
}

/* The start of the only function of an .eh_frame at 0x1000, whose pointer to it is 'distance'. */
static u64 start_at(i32 distance)
{
	static u8 frame[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
		0x0c, 7, 8, 0x90, 1, 0, 0,
		16, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0,
	};
	struct cfi c = { .bytes = { frame, sizeof(frame) }, .addr = 0x1000, .is_eh = true };
	enum { AT = 32 };

	set32(frame + AT, distance);
	cfi_read(&c, &test_arena);
	return c.n == 1 ? c.functions[0].start - 0x1000 - AT : 0;
}

TEST(a_function_may_be_far_before_or_after_its_entry)
{
	EQ(start_at(0x100), 0x100);
	EQ(start_at(0x7fffff00), 0x7fffff00);
	EQ(start_at(0x40000000), 0x40000000);
	EQ(start_at(-0x100), -0x100);
}
