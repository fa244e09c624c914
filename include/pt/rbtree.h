/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A red-black tree of numbered nodes with keys.
 */
#ifndef PT_RBTREE_H
#define PT_RBTREE_H

#include <pt/base.h>

struct rb_node {
	u64 key;
	u32 up, left, right;	/* node 0 is none */
	bool red;
};

struct rb_tree {
	struct rb_node *node;	/* nodes are numbered from 1 */
	u32 root;
};

/* Put in node 'n' with its key, behind all that have the same one. */
void rb_insert(struct rb_tree *t, u32 n, u64 key);

/* Put in node 'n' as the left or right child of 'up', which has none there; 0: as the root. */
void rb_link(struct rb_tree *t, u32 n, u32 up, bool left);
void rb_erase(struct rb_tree *t, u32 n);

#endif
