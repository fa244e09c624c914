/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Branch stacks with cycles to blocks: code that ran from a branch's target to the next branch, and
 * the cycles that this took.
 */
#ifndef PT_BRANCH_BLOCKS_H
#define PT_BRANCH_BLOCKS_H

#include <pt/hist.h>

/* A block of a function: all that end at the same branch. */
struct branch_block {
	struct hashed in;
	struct branch_block *next;	/* of the function */
	const struct map *map;
	const struct symbol *sym;
	u64 start, end;		/* offsets in the function. 'start': of the longest one; 0 if none
				 * is known */
	u64 cycles, n;		/* the sum; how often it ran */
	bool started;		/* 'start' is known */
};

struct branch_blocks {
	struct arena *arena;	/* set by the consumer */
	u64 cycles;		/* of all branches: the consumer adds them */
	struct branch_block **sorted;	/* branch_blocks_sort() */
	u32 n;
	u64 average;		/* the sum of their average cycles */
	/* Private. */
	struct hash_table blocks, functions;
};

/* A block of 'cycles' ended by the branch at 'from', at 'addr' of its DSO. 'start': the place that
 * it began at, and its address; NULL: not known. */
void branch_blocks_add(struct branch_blocks *b, const struct frame *from, u64 addr,
		       const struct frame *start, u64 start_addr, u64 cycles);

/* Sort the blocks of the functions that have entries in 'h', those with the most cycles first. */
void branch_blocks_sort(struct branch_blocks *b, const struct hist *h);

#endif
