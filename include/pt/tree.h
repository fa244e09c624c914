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

#include <pt/blocks.h>
#include <pt/hash.h>
#include <pt/listing.h>

enum tree_weight {
	TREE_INSNS,	/* instructions; of a gap: how many there were */
	TREE_NS,
	TREE_CYCLES,	/* if the listing's 'cycles' is set, and as far as the trace tells */
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
	u64 calls;		/* how often it was entered: calls, and jumps from one beside it */
	u64 all, at, used;	/* tree_layout(): with those below it; what is before it, of all */
};

/* A thread, or an idle thread on one CPU. */
struct tree_track {
	i32 pid, tid;		/* pid -1: not known; 0: the idle thread of CPU 'tid' */
	const char *comm;
	bool renamed;		/* 'comm' is new; whoever writes it down resets this */
	u64 ns, insns;		/* the time of the last move; instructions up to now */
	void *shown;		/* the consumer's */
};

/* A track is at another node from now on: at a leaf, a gap, "[not traced]" below a leaf, or at the
 * root: nowhere. Gaps are below the frame of the command alone, as no call is known to be open. */
struct tree_move {
	struct tree_track *track;
	struct tree_node *to;
	u64 ns, insns;		/* when; instructions of the track up to here ... */
	u64 all_insns;		/* ... and of all tracks */
};

struct tree {
	struct listing *list;
	bool by_thread;		/* set before the first tree_add(): the outermost frame has a TID */
	struct blocks *blocks;	/* the same: what is executed is counted there; or NULL */
	struct timeline *timeline;	/* the longest calls, where they are kept; or NULL */
	bool use_moves;		/* the same: moves[0] to [n_moves - 1] are those since the consumer
				 * set n_moves to 0 */
	struct tree_move *moves;
	u32 n_moves;
	struct tree_node root;
	struct tree_node *first, *newest;
	u64 total[N_TREE_WEIGHTS];
	u64 gaps;		/* total[TREE_INSNS] has them, too */
	const char **name_by_nr;	/* all names, n_names of them */
	u32 n_names;
	/* Private. */
	struct hash_table nodes, names, stacks;
	struct tree_stack *stack, *newest_stack;	/* the last one used, and made */
	u32 moves_room, names_room;
	const char *away;
	struct tree_clock *clocks;	/* of each queue */
	u32 n_clocks;
};

/* Have 'l' give what a tree is made of, and nothing else. */
void tree_setup(struct tree *t, struct listing *l);

/* Nodes of this depth and more are functions. Above them is the command, if records tell it. */
static inline u32 tree_functions(const struct tree *t)
{
	return 1 + t->list->session.source->threads;
}

void tree_add(struct tree *t, const struct entry *e);

/* Its number among tree.name_by_nr, of a name of a node or of a block. */
u32 tree_name_nr(const char *name);

/* All entries were added: what is open ends. The last moves. */
void tree_finish(struct tree *t);

/* The same: lay the nodes out side by side, each above its caller. */
void tree_layout(struct tree *t, enum tree_weight weight);

#endif
