/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Folded stacks, in the format of stackcollapse-perf.pl, for flamegraph.pl, inferno, speedscope and
 * grep.
 */
#include <pt/print_tree.h>

/* The format reserves ';' and line ends. */
static void put_name(struct out *out, const char *name)
{
	for (; *name; name++)
		out_char(out, *name == ';' ? ':' : (u8)*name < ' ' ? '?' : *name);
}

void print_folded(struct out *out, const struct tree_node *node, u64 weight)
{
	const struct tree_node *stack[TREE_DEPTH];
	u32 n = node->depth, i;

	for (; node->depth; node = node->up)
		stack[node->depth - 1] = node;
	for (i = 0; i < n; i++) {
		if (i)
			out_char(out, ';');
		put_name(out, stack[i]->name);
	}
	out_fmt(out, " %llu\n", weight);
}
