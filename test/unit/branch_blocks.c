/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/branch_blocks.h>

#include "test.h"

static const struct symbol function = { .start = 0x1000, .end = 0x2000, .name = "function" };
static const struct frame frame = { .sym = &function };

static struct branch_blocks blocks;

static void add(u64 start, u64 end, u64 cycles)
{
	branch_blocks_add(&blocks, &frame, 0x1000 + end, &frame, 0x1000 + start, cycles);
	blocks.cycles += cycles;
}

static void sort(void)
{
	struct hist_entry entry = { .at = frame }, *list = &entry;

	branch_blocks_sort(&blocks, &(struct hist){ .entries.n = 1, .sorted = &list });
}

TEST(blocks_of_equal_shares_are_sorted_by_their_ends)
{
	u32 i;

	blocks = (struct branch_blocks){ .arena = &test_arena };
	add(0, 0x30, 100);
	add(0, 0x10, 100);
	add(0, 0x40, 100);
	add(0, 0x20, 100);
	sort();
	EQ(blocks.n, 4);
	for (i = 0; i < blocks.n; i++)
		EQ(blocks.sorted[i]->end, 0x10 * (i + 1));
}

TEST(a_block_begins_where_the_longest_one_did)
{
	blocks = (struct branch_blocks){ .arena = &test_arena };
	add(8, 0x30, 10);
	add(4, 0x30, 20);
	add(6, 0x30, 30);
	sort();
	EQ(blocks.n, 1);
	EQ(blocks.sorted[0]->start, 4);
	EQ(blocks.sorted[0]->cycles, 60);
	EQ(blocks.sorted[0]->n, 3);
	EQ(blocks.average, 20);
}
