/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file format of speedscope, JSON, with a profile for each thread. Each stack is one sample
 * with the weight of all that was executed in it.
 *
 * Manual: https://www.speedscope.app/file-format-schema.json
 */
#include <pt/json.h>
#include <pt/print_tree.h>
#include <pt/sort.h>

static void put_frames(struct out *out, const struct tree *tree)
{
	u32 i;

	out_str(out, "\"shared\":{\"frames\":[");
	for (i = 0; i < tree->n_names; i++) {
		out_str(out, i ? ",\n{\"name\":" : "\n{\"name\":");
		json_text(out, tree->name_by_nr[i]);
		out_char(out, '}');
	}
	out_str(out, "]}");
}

static void put_stack(struct out *out, const struct tree_node *node)
{
	const struct tree_node *stack[TREE_DEPTH];
	u32 n = node->depth, i;

	for (; node->depth; node = node->up)
		stack[node->depth - 1] = node;
	/* The first is the name of the profile. */
	for (i = n > 1; i < n; i++)
		out_fmt(out, "%s%u", i > (n > 1) ? "," : "", tree_name_nr(stack[i]->name));
}

static const struct tree_node *outermost(const struct tree_node *node)
{
	while (node->depth > 1)
		node = node->up;
	return node;
}

/* Write the nodes of one thread, from 'first' on. Returns the index of the next thread's first
 * node. */
static u32 put_profile(struct out *out, const struct tree_node *const *nodes, u32 first, u32 n,
		       enum tree_weight weight)
{
	const struct tree_node *top = outermost(nodes[first]);
	u32 i, end;

	out_str(out, "{\"type\":\"sampled\",\"name\":");
	json_text(out, top->name);
	out_fmt(out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%llu,\"samples\":[",
		weight == TREE_NS ? "nanoseconds" : "none", top->all);
	for (end = first; end < n && outermost(nodes[end]) == top; end++) {
		out_str(out, end > first ? ",\n[" : "\n[");
		put_stack(out, nodes[end]);
		out_char(out, ']');
	}
	out_str(out, "],\"weights\":[");
	for (i = first; i < end; i++)
		out_fmt(out, "%s%llu", i > first ? "," : "", nodes[i]->weight[weight]);
	out_str(out, "]}");
	return end;
}

/* The nodes with a weight, in the order of the layout. */
static u32 sorted(const struct tree *tree, enum tree_weight weight,
		  const struct tree_node ***sorted_nodes)
{
	struct arena *arena = &tree->list->session.arena;
	const struct tree_node *node, **nodes, **to;
	struct sort_item *items;
	u32 n = 0, i = 0;

	for (node = tree->first; node; node = node->next)
		n += node->weight[weight] > 0;
	nodes = NEW(arena, const struct tree_node *, 2 * n);
	items = NEW(arena, struct sort_item, 2 * n);
	for (node = tree->first; node; node = node->next)
		if (node->weight[weight]) {
			items[i] = (struct sort_item){ node->at, i };
			nodes[i++] = node;
		}
	sort_items(items, n, items + n);
	for (i = 0, to = nodes + n; i < n; i++)
		to[i] = nodes[items[i].index];
	*sorted_nodes = to;
	return n;
}

void print_speedscope(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	const struct tree_node **nodes;
	u32 n = sorted(tree, weight, &nodes), i = 0;

	out_str(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"pt\",\"name\":");
	json_text(out, tree->list->path);
	out_str(out, ",\"activeProfileIndex\":0,\n");
	put_frames(out, tree);
	out_str(out, ",\n\"profiles\":[");
	while (i < n && !out->err) {
		out_str(out, i ? ",\n" : "\n");
		i = put_profile(out, nodes, i, n, weight);
	}
	out_str(out, "]}\n");
}
