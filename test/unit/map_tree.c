/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/image/map_tree.h"
#include "test.h"

enum { N = 1000 };

static struct map maps[N];
static struct map_edit edit;

/* The height of a tree whose maps begin at or after '*from'; 0 if it is not in order, or a node has
 * a side that is two higher than the other. '*from' is then where the last one ends. */
static u32 checked(const struct map_node *n, u64 *from, bool *fine)
{
	u32 low, high;

	if (!n)
		return 0;
	low = checked(n->left, from, fine);
	*fine &= n->map->start >= *from;
	*from = n->map->end;
	high = checked(n->right, from, fine);
	*fine &= low <= high + 1 && high <= low + 1 && n->height == 1 + MAX(low, high);
	return n->height;
}

static bool is_balanced(const struct map_node *tree)
{
	bool fine = true;
	u64 from = 0;

	checked(tree, &from, &fine);
	return fine;
}

static struct map_node *add(struct map_node *tree, u32 i)
{
	struct map_node *low, *high;

	maps[i] = (struct map){ .start = 0x1000 * i, .end = 0x1000 * (i + 1) };
	map_tree_split_end(&edit, tree, maps[i].start, &low, &high);
	return map_tree_join(&edit, low, &maps[i], high);
}

/* All maps in the order that 'place' says; false if the tree was ever not balanced. */
static bool stays_balanced(u32 (*place)(u32 i))
{
	struct map_node *tree = NULL, *low, *high;
	bool fine = true;
	u32 i;

	edit = (struct map_edit){ .arena = &test_arena, .owner = 1 };
	for (i = 0; i < N; i++) {
		tree = add(tree, place(i));
		fine &= is_balanced(tree);
	}
	for (i = 0; i < N; i++)
		fine &= map_tree_find(tree, 0x1000 * i + 0xfff) == &maps[i];
	/* And without a part of them, from anywhere. */
	for (i = 7; i < N; i += 37) {
		map_tree_split_end(&edit, tree, 0x1000 * i, &low, &high);
		fine &= is_balanced(low) && is_balanced(high);
		tree = map_tree_join(&edit, low, NULL, high);
		fine &= is_balanced(tree);
	}
	return fine;
}

static u32 rising(u32 i)
{
	return i;
}

static u32 falling(u32 i)
{
	return N - 1 - i;
}

static u32 inwards(u32 i)
{
	return i & 1 ? N - 1 - i / 2 : i / 2;
}

static u32 mixed(u32 i)
{
	return i * 387 % N;	/* coprime to N: each once */
}

TEST(a_tree_is_balanced_whatever_the_order_of_its_maps)
{
	OK(stays_balanced(rising));
	OK(stays_balanced(falling));
	OK(stays_balanced(inwards));
	OK(stays_balanced(mixed));
}
