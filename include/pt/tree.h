/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of a listing to a tree: a node for each call stack that there was, by names, with the
 * instructions that were executed there and the time that passed.
 *
 *	tree_setup(&tree, &listing);		before listing_setup()
 *	while (listing_next(&listing, &e) > 0)
 *		tree_add(&tree, &e);
 *	for (node = tree.first; node; node = node->next)
 *		...
 *
 * The outermost frame is the command's name. A gap is a node of its own below the function where
 * it is, and open calls end there: those stay open to one of which the trace then returns.
 */
#ifndef PT_TREE_H
#define PT_TREE_H

#include <pt/hash.h>
#include <pt/listing.h>

enum tree_weight {
	TREE_INSNS,	/* instructions; of a gap: how many there were */
	TREE_NS,
	N_TREE_WEIGHTS
};

enum { TREE_DEPTH = 512 };	/* of deeper stacks the innermost but one frames are left out */

struct tree_node {
	struct hashed in;
	struct tree_node *up;	/* the caller; NULL: it is the root, which has no name */
	struct tree_node *next;	/* the one that was made after it */
	const char *name;	/* of equal text it is the same; "[DSO]" of unknown functions */
	u32 depth;		/* 0: the root */
	u64 weight[N_TREE_WEIGHTS];	/* without those of nodes below it */
	u64 all, at, used;	/* tree_layout(): with those below it; what is before it, of all */
};

struct tree {
	struct listing *list;
	struct tree_node root;
	struct tree_node *first, *newest;
	u64 total[N_TREE_WEIGHTS];
	/* Private. */
	struct hash_table nodes, names, stacks;
	struct tree_stack *stack;	/* the last one */
	struct tree_clock *clocks;	/* of each queue */
	u32 n_clocks;
};

/* Have 'l' give what a tree is made of, and nothing else. */
void tree_setup(struct tree *t, struct listing *l);

void tree_add(struct tree *t, const struct entry *e);

/* All entries were added: lay the nodes out side by side, each above its caller. */
void tree_layout(struct tree *t, enum tree_weight weight);

#endif
