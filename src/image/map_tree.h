/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Maps in order of their addresses: a balanced tree that forks share.
 */
#ifndef MAP_TREE_H
#define MAP_TREE_H

#include <pt/image.h>

/* A node whose owner is not that of the tree is shared: it is copied before it is changed. */
struct map_node {
	struct map_node *left, *right;
	const struct map *map;
	u32 owner;
	u32 height;
};

/* The context of a change. */
struct map_edit {
	struct arena *arena;
	struct map_node *spare;	/* free nodes, linked by 'left' */
	u32 owner;
};

/* The first map that ends after 'addr', or NULL. */
const struct map *map_tree_find(const struct map_node *tree, u64 addr);

/* Split a tree into the maps that end at or before 'addr' (for map_tree_split_start(): that start
 * before it) and the others. */
void map_tree_split_end(struct map_edit *e, struct map_node *tree, u64 addr,
			struct map_node **low, struct map_node **high);
void map_tree_split_start(struct map_edit *e, struct map_node *tree, u64 addr,
			  struct map_node **low, struct map_node **high);

/* Join two trees, with all maps of 'low' before those of 'high', and 'map' (or NULL) between. */
struct map_node *map_tree_join(struct map_edit *e, struct map_node *low, const struct map *map,
			       struct map_node *high);

/* Call 'each' for all maps in order; the nodes become spare. Returns how many there were. */
u32 map_tree_drop(struct map_edit *e, struct map_node *tree,
		  void (*each)(void *who, const struct map *map), void *who);

#endif
