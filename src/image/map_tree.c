/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Maps in order of their addresses: a balanced tree that forks share.
 *
 * It is an AVL tree, built by joining and splitting. A node is changed in place if its owner is
 * the owner of the tree; otherwise it is copied. The number of steps and copies of a change grows
 * with the logarithm of the number of maps, whether the tree is shared or not.
 *
 * Source: Blelloch, Ferizovic, Sun, "Just Join for Parallel Ordered Sets".
 */
#include "map_tree.h"

const struct map *map_tree_find(const struct map_node *n, u64 addr)
{
	const struct map *found = NULL;

	while (n) {
		if (n->map->end > addr) {
			found = n->map;
			n = n->left;
		} else {
			n = n->right;
		}
	}
	return found;
}

static u32 height(const struct map_node *n)
{
	return n ? n->height : 0;
}

static struct map_node *new_node(struct map_edit *e)
{
	struct map_node *n = e->spare;

	if (n)
		e->spare = n->left;
	else
		n = NEW(e->arena, struct map_node, 1);
	n->owner = e->owner;
	return n;
}

/* 'n', or a copy of it, that may be changed. */
static struct map_node *own(struct map_edit *e, struct map_node *n)
{
	struct map_node *copy;

	if (n->owner == e->owner)
		return n;
	copy = new_node(e);
	copy->map = n->map;
	copy->left = n->left;
	copy->right = n->right;
	copy->height = n->height;
	return copy;
}

static void measure(struct map_node *n)
{
	n->height = 1 + MAX(height(n->left), height(n->right));
}

/* Rotate 'n' down to the left, or, if not 'left', to the right: its other child moves up. */
static struct map_node *rotate(struct map_edit *e, struct map_node *n, bool left)
{
	struct map_node *up = own(e, left ? n->right : n->left);

	if (left) {
		n->right = up->left;
		up->left = n;
	} else {
		n->left = up->right;
		up->right = n;
	}
	measure(n);
	measure(up);
	return up;
}

/* 'n' may be changed, and one side of it may be two higher than the other. */
static struct map_node *balance(struct map_edit *e, struct map_node *n)
{
	struct map_node *l = n->left, *r = n->right;

	if (height(l) > height(r) + 1) {
		if (height(l->right) > height(l->left))
			n->left = rotate(e, own(e, l), true);
		return rotate(e, n, false);
	}
	if (height(r) > height(l) + 1) {
		if (height(r->left) > height(r->right))
			n->right = rotate(e, own(e, r), false);
		return rotate(e, n, true);
	}
	measure(n);
	return n;
}

/* Join two trees of any height, with 'mid', which may be changed, between them. */
static struct map_node *join(struct map_edit *e, struct map_node *low, struct map_node *mid,
			     struct map_node *high)
{
	if (height(low) > height(high) + 1) {
		low = own(e, low);
		low->right = join(e, low->right, mid, high);
		return balance(e, low);
	}
	if (height(high) > height(low) + 1) {
		high = own(e, high);
		high->left = join(e, low, mid, high->left);
		return balance(e, high);
	}
	mid->left = low;
	mid->right = high;
	measure(mid);
	return mid;
}

static void split(struct map_edit *e, struct map_node *n, u64 addr, bool by_start,
		  struct map_node **low, struct map_node **high)
{
	struct map_node *left, *right;

	if (!n) {
		*low = *high = NULL;
		return;
	}
	n = own(e, n);
	left = n->left;
	right = n->right;
	if (by_start ? n->map->start < addr : n->map->end <= addr) {
		split(e, right, addr, by_start, &right, high);
		*low = join(e, left, n, right);
	} else {
		split(e, left, addr, by_start, low, &left);
		*high = join(e, left, n, right);
	}
}

void map_tree_split_end(struct map_edit *e, struct map_node *tree, u64 addr,
			struct map_node **low, struct map_node **high)
{
	split(e, tree, addr, false, low, high);
}

void map_tree_split_start(struct map_edit *e, struct map_node *tree, u64 addr,
			  struct map_node **low, struct map_node **high)
{
	split(e, tree, addr, true, low, high);
}

/* Remove the first node from 'n'. */
static struct map_node *take_first(struct map_edit *e, struct map_node *n,
				   struct map_node **first)
{
	struct map_node *left;

	n = own(e, n);
	if (!n->left) {
		*first = n;
		return n->right;
	}
	left = take_first(e, n->left, first);
	return join(e, left, n, n->right);
}

struct map_node *map_tree_join(struct map_edit *e, struct map_node *low, const struct map *map,
			       struct map_node *high)
{
	struct map_node *mid;

	if (map) {
		mid = new_node(e);
		mid->map = map;
	} else if (!high) {
		return low;
	} else {
		high = take_first(e, high, &mid);
	}
	return join(e, low, mid, high);
}

u32 map_tree_drop(struct map_edit *e, struct map_node *n,
		  void (*each)(void *who, const struct map *map), void *who)
{
	struct map_node *right;
	u32 count;

	if (!n)
		return 0;
	count = map_tree_drop(e, n->left, each, who) + 1;
	each(who, n->map);
	right = n->right;
	if (n->owner == e->owner) {
		n->left = e->spare;
		e->spare = n;
	}
	return count + map_tree_drop(e, right, each, who);
}
