/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arch/x86/cost.c: how long instructions keep others waiting, in quarters of a cycle.
 */
#include <pt/arch.h>

#include "../test.h"

static const struct {
	const char *bytes;
	u8 len, mode;
	u32 cost;
} known[] = {
#define OF(bytes) bytes, sizeof(bytes) - 1
	{ OF("\x48\x01\xd8"), INSN_64, 1 },			/* add %rbx, %rax */
	{ OF("\x00\xf7"), INSN_64, 1 },				/* add %dh, %bh */
	{ OF("\x8b\x04\x25\xf6\xf6\xf6\x76"), INSN_64, 1 },	/* mov 0x76f6f6f6, %eax */
	{ OF("\x48\xf7\xf9"), INSN_64, 56 },			/* idiv %rcx */
	{ OF("\xf7\xf1"), INSN_32, 56 },			/* div %ecx */
	{ OF("\x66\x41\xf7\x34\x24"), INSN_64, 56 },		/* divw (%r12) */
	{ OF("\x48\xf7\xe1"), INSN_64, 2 },			/* mul %rcx */
	{ OF("\x48\xf7\xd9"), INSN_64, 1 },			/* neg %rcx */
	{ OF("\x48\x0f\xaf\xc3"), INSN_64, 2 },		/* imul %rbx, %rax */
	{ OF("\x6b\xc0\x03"), INSN_64, 2 },			/* imul $3, %eax, %eax */
	{ OF("\xf2\x0f\x59\xc8"), INSN_64, 8 },		/* mulsd %xmm0, %xmm1 */
	{ OF("\xf2\x0f\x5e\x08"), INSN_64, 52 },		/* divsd (%rax), %xmm1 */
	{ OF("\xc5\xf3\x5e\xd0"), INSN_64, 52 },		/* vdivsd %xmm0, %xmm1, %xmm2 */
	{ OF("\xc4\xc1\x73\x5e\xd0"), INSN_64, 52 },	/* vdivsd %xmm8, %xmm1, %xmm2 */
	{ OF("\x62\xf1\xf5\x48\x5e\xd0"), INSN_64, 52 },	/* vdivpd %zmm0, %zmm1, %zmm2 */
	{ OF("\xc4\xe2\xf1\x98\xd0"), INSN_64, 8 },		/* vfmadd132pd */
	{ OF("\x66\x0f\x38\xf0\x00"), INSN_64, 2 },		/* movbe: as crc32 */
	{ OF("\xf2\x48\x0f\x2a\xc1"), INSN_64, 20 },		/* cvtsi2sd %rcx, %xmm0 */
	{ OF("\xf2\x0f\x51\xc0"), INSN_64, 60 },		/* sqrtsd %xmm0, %xmm0 */
	{ OF("\xc5\xfd\xd7\xc2"), INSN_64, 40 },		/* vpmovmskb %ymm2, %eax */
	{ OF("\xf0\xff\x00"), INSN_64, 72 },			/* lock incl (%rax) */
	{ OF("\x87\x03"), INSN_64, 72 },			/* xchg %eax, (%rbx) */
	{ OF("\xf3\xa4"), INSN_64, 80 },			/* rep movsb */
	{ OF("\xa4"), INSN_64, 1 },				/* movsb */
	{ OF("\xf3\xc3"), INSN_64, 1 },				/* rep ret */
	{ OF("\xd8\xf1"), INSN_64, 52 },			/* fdiv %st(1), %st */
	{ OF("\xd8\xc1"), INSN_64, 8 },				/* fadd %st(1), %st */
	{ OF("\x0f\x31"), INSN_64, 120 },			/* rdtsc */
	{ OF("\x41\x90"), INSN_64, 1 },				/* xchg %r8d, %eax */
	{ OF("\x41"), INSN_32, 1 },				/* inc %ecx */
	{ OF("\x66"), INSN_64, 1 },				/* cut */
	{ OF("\xc5\xf3"), INSN_64, 1 },				/* cut */
};

TEST(costs_of_instructions)
{
	u32 i;

	for (i = 0; i < N_ELEM(known); i++) {
		if (insn_cost(known[i].mode, (struct bytes){ (const u8 *)known[i].bytes,
							     known[i].len }) == known[i].cost)
			continue;
		test_bad++;
		printf("  instruction %u\n", i);
	}
}

TEST(no_byte_after_the_code_is_read)
{
	static const u8 codes[] = { 0xf0, 0x48, 0x0f, 0x38, 0xc4, 0x62, 0xc5, 0xf7, 0xd8 };
	u8 *one;
	u32 i, k;

	for (i = 0; i < sizeof(codes); i++)
		for (k = 0; k < sizeof(codes); k++) {
			one = malloc(2);
			one[0] = codes[i];
			one[1] = codes[k];
			OK(insn_cost(INSN_64, (struct bytes){ one, 2 }));
			OK(insn_cost(INSN_64, (struct bytes){ one + 1, 1 }));
			free(one);
		}
}
