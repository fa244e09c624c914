/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/blocks.h>

#include "test.h"

static struct session session;
static struct blocks blocks;
static struct thread thread;

/* Two maps of one file, one after the other in memory, but not in the file. */
static void start(void)
{
	struct images *im = &session.images;

	*im = (struct images){ .arena = &test_arena };
	blocks = (struct blocks){ .session = &session };
	thread = (struct thread){ .space = space_new(im) };
	space_map(im, thread.space, 0x1000, 0x1000, 0x5000, dso_get(im, "/a", NULL, 0), 5, 2);
	space_map(im, thread.space, 0x2000, 0x1000, 0x9000, dso_get(im, "/a", NULL, 0), 5, 2);
}

TEST(instructions_of_one_function_are_one_block)
{
	static const char f[] = "f", g[] = "g";
	struct block_place place = { 0 };

	start();
	OK(!blocks_extend(&blocks, &place, &thread, f, 0x1100, 2));
	OK(blocks_extend(&blocks, &place, &thread, f, 0x1102, 3));
	EQ(place.len, 5);
	EQ(place.n, 2);
	OK(!blocks_extend(&blocks, &place, &thread, g, 0x1105, 1));
	OK(!blocks_extend(&blocks, &place, &thread, g, 0x1107, 1));
}

TEST(a_block_ends_with_its_map)
{
	static const char f[] = "f";
	struct block_place place = { 0 };

	start();
	OK(!blocks_extend(&blocks, &place, &thread, f, 0x1ffc, 4));
	OK(!blocks_extend(&blocks, &place, &thread, f, 0x2000, 4));
	EQ(place.map->start, 0x2000);
	EQ(place.len, 4);
}

TEST(a_block_has_its_offset_in_the_file)
{
	static const char f[] = "f";
	struct block_place place = { 0 };
	struct block *block;

	start();
	blocks_extend(&blocks, &place, &thread, f, 0x2010, 4);
	block = blocks_get(&blocks, &place);
	EQ(block->off, 0x9010);
	EQ(block->len, 4);
	OK(block == blocks_get(&blocks, &place));
	/* Without a map it is the address. */
	place = (struct block_place){ 0 };
	blocks_extend(&blocks, &place, &thread, f, 0x7010, 4);
	EQ(blocks_get(&blocks, &place)->off, 0x7010);
}
