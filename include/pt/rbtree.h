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

/* Insert node 'n' with 'key', after all nodes with the same key. */
void rb_insert(struct rb_tree *t, u32 n, u64 key);

/* Insert node 'n' as the left or right child of 'up', where it has none; up 0: as the root. */
void rb_link(struct rb_tree *t, u32 n, u32 up, bool left);
void rb_erase(struct rb_tree *t, u32 n);

#endif
