/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of a listing to a tree with a node for each distinct call stack (by names). Each node has
 * the instructions that were executed there, and the time.
 *
 *	tree_setup(&tree, &listing);		before listing_setup()
 *	while (listing_next(&listing, &e) > 0)
 *		tree_add(&tree, &e);
 *	for (node = tree.first; node; node = node->next)
 *		...
 *
 * The outermost frame is the name of the command. A gap is a node of its own below the function in
 * which it is. Open calls end at a gap, except those to which the trace returns after it.
 */
#ifndef PT_TREE_H
#define PT_TREE_H

#include <pt/blocks.h>
#include <pt/hash.h>
#include <pt/listing.h>

enum tree_weight {
	TREE_INSNS,	/* instructions; for a gap: the number of gaps */
	TREE_NS,
	TREE_CYCLES,	/* if the listing's 'cycles' is set, as far as the trace has them */
	N_TREE_WEIGHTS
};

enum { TREE_DEPTH = 512 };	/* deeper stacks keep the outer frames and the innermost one */

struct tree_node {
	struct hashed in;
	struct tree_node *up;	/* the caller; NULL: the root, which has no name */
	struct tree_node *next;	/* in the order of allocation */
	const char *name;	/* equal names have equal pointers; "[DSO]" if unknown */
	u32 depth;		/* 0: the root */
	u64 weight[N_TREE_WEIGHTS];	/* without the nodes that it called */
	u64 calls;		/* number of entries: calls, and jumps from a sibling */
	u64 all, at, used;	/* tree_layout(): weight with its callees; position; scratch */
};

enum { TREE_CPU = (1 << 22) + 1 };	/* more than any PID */

/* A thread, or an idle thread on one CPU, or a CPU, whose calls are the threads that ran there. */
struct tree_track {
	i32 pid, tid;		/* pid -1: not known; 0: the idle thread of CPU 'tid';
				 * TREE_CPU: CPU 'tid' */
	const char *comm;
	bool renamed;		/* 'comm' is new; the consumer resets this */
	u64 ns, insns;		/* the time of the last move; instructions so far */
	void *shown;		/* the consumer's */
};

/* A track moves to another node: a leaf, a gap, "[not traced]" below a leaf, or the root, which
 * means nowhere. Gaps are directly below the frame of the command, since no call is known to be
 * open. */
struct tree_move {
	struct tree_track *track;
	struct tree_node *to;
	u64 ns, insns;		/* the time; instructions of the track up to here ... */
	u64 all_insns;		/* ... and of all tracks */
};

struct tree {
	struct listing *list;
	bool by_cpu;		/* set before the first tree_add(): the moves of CPUs, too */
	bool by_thread;		/* set before the first tree_add(): the outermost frame has a TID */
	struct blocks *blocks;	/* the same: counts the executed code; or NULL */
	struct timeline *timeline;	/* the same: keeps the longest calls; or NULL */
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
	struct tree_stack *stack, *newest_stack;	/* used last; allocated last */
	u32 moves_room, names_room;
	const char *away;
	struct tree_clock *clocks;	/* of each queue */
	u32 n_clocks;
};

/* Set the options of 'l' so that it returns only the entries that a tree needs. */
void tree_setup(struct tree *t, struct listing *l);

/* The smallest depth of functions. The node of the command, if it is known, is above them. */
static inline u32 tree_functions(const struct tree *t)
{
	return 1 + t->list->session.source->threads;
}

void tree_add(struct tree *t, const struct entry *e);

/* The index in tree.name_by_nr of a name of a node or block. */
u32 tree_name_nr(const char *name);

/* After the last entry: end open calls. This makes the last moves. */
void tree_finish(struct tree *t);

/* The same, and compute the layout: siblings side by side, each node above its caller. */
void tree_layout(struct tree *t, enum tree_weight weight);

#endif
