/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A red-black tree of numbered nodes.
 *
 * Which of several overlapping symbols is used depends on perf's tree alone: it is the one that is
 * met first on the way down. This is the textbook's tree, which the kernel and perf use, too: the
 * same insertions and deletions give the same shape.
 *
 * Source: Cormen, Leiserson, Rivest, Stein, "Red-Black Trees".
 */
#include <pt/rbtree.h>

static void replace_child(struct rb_tree *t, u32 up, u32 old, u32 new)
{
	if (!up)
		t->root = new;
	else if (t->node[up].left == old)
		t->node[up].left = new;
	else
		t->node[up].right = new;
	t->node[new].up = up;
}

/* Rotate 'n' down to the left (if not 'left', to the right): its other child moves up. */
static void rotate(struct rb_tree *t, u32 n, bool left)
{
	struct rb_node *node = t->node;
	u32 child = left ? node[n].right : node[n].left;
	u32 inner = left ? node[child].left : node[child].right;

	replace_child(t, node[n].up, n, child);
	if (left) {
		node[n].right = inner;
		node[child].left = n;
	} else {
		node[n].left = inner;
		node[child].right = n;
	}
	node[n].up = child;
	if (inner)
		node[inner].up = n;
}

void rb_insert(struct rb_tree *t, u32 n, u64 key)
{
	struct rb_node *node = t->node;
	u32 up = 0, at = t->root;
	bool left = false;

	while (at) {
		up = at;
		left = key < node[at].key;
		at = left ? node[at].left : node[at].right;
	}
	node[n].key = key;
	rb_link(t, n, up, left);
}

void rb_link(struct rb_tree *t, u32 n, u32 up, bool left)
{
	struct rb_node *node = t->node;
	u32 grand, uncle;

	node[n] = (struct rb_node){ .key = node[n].key, .up = up, .red = true };
	if (!up)
		t->root = n;
	else if (left)
		node[up].left = n;
	else
		node[up].right = n;

	while (node[node[n].up].red) {
		up = node[n].up;
		grand = node[up].up;
		left = node[grand].left == up;
		uncle = left ? node[grand].right : node[grand].left;
		if (node[uncle].red) {
			node[up].red = node[uncle].red = false;
			node[grand].red = true;
			n = grand;
			continue;
		}
		if (n == (left ? node[up].right : node[up].left)) {
			rotate(t, up, left);
			up = n;
		}
		node[up].red = false;
		node[grand].red = true;
		rotate(t, grand, !left);
		break;
	}
	node[t->root].red = false;
}

/* The paths through 'n' have one black node too few. */
static void balance(struct rb_tree *t, u32 n)
{
	struct rb_node *node = t->node;

	while (n != t->root && !node[n].red) {
		u32 up = node[n].up;
		bool left = node[up].left == n;
		u32 other = left ? node[up].right : node[up].left, near, far;

		if (node[other].red) {
			node[other].red = false;
			node[up].red = true;
			rotate(t, up, left);
			other = left ? node[up].right : node[up].left;
		}
		near = left ? node[other].left : node[other].right;
		far = left ? node[other].right : node[other].left;
		if (!node[near].red && !node[far].red) {
			node[other].red = true;
			n = up;
			continue;
		}
		if (!node[far].red) {
			node[near].red = false;
			node[other].red = true;
			rotate(t, other, !left);
			far = other;
			other = near;
		}
		node[other].red = node[up].red;
		node[up].red = node[far].red = false;
		rotate(t, up, left);
		n = t->root;
	}
	node[n].red = false;
}

void rb_erase(struct rb_tree *t, u32 n)
{
	struct rb_node *node = t->node;
	u32 next = n, child;
	bool red = node[n].red;

	if (!node[n].left || !node[n].right) {
		child = node[n].left ? node[n].left : node[n].right;
		replace_child(t, node[n].up, n, child);
	} else {
		for (next = node[n].right; node[next].left; )
			next = node[next].left;
		red = node[next].red;
		child = node[next].right;
		if (node[next].up == n) {
			node[child].up = next;
		} else {
			replace_child(t, node[next].up, next, child);
			node[next].right = node[n].right;
			node[node[next].right].up = next;
		}
		replace_child(t, node[n].up, n, next);
		node[next].left = node[n].left;
		node[node[next].left].up = next;
		node[next].red = node[n].red;
	}
	if (!red)
		balance(t, child);
	node[0] = (struct rb_node){ 0 };
}
