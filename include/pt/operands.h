/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the time of an instruction depends on: the registers that it reads and writes, its memory
 * operand, and how long its result takes. An approximation, to compare the cost of code.
 */
#ifndef PT_OPERANDS_H
#define PT_OPERANDS_H

#include <pt/base.h>

/* Registers are bits: 16 general ones, 16 vectors, then: */
enum {
	OPERAND_VECTOR = 16,	/* the first vector */
	OPERAND_FLAGS = 32,
	OPERAND_X87,		/* the stack of the x87, as one */
	N_OPERANDS,
	OPERAND_SP = 4,
	OPERAND_NONE = 0xff,	/* as a base */
};

struct operands {
	u64 reads, writes;
	u64 place;		/* its memory: an offset from 'base', or an address */
	u8 base;		/* a general register; OPERAND_NONE: 'place' is an address */
	u8 latency;		/* cycles, without those of a load */
	bool load, store;
	bool placed;		/* 'base' and 'place' are set: it has no index */
};

/* Of the 64-bit instruction 'code' at 'ip', which insn_decode() accepts. */
void operands_read(struct operands *o, struct bytes code, u64 ip);

#endif
