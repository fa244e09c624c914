/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Callgrind's profile format, for callgrind_annotate and KCachegrind. A function has its own cost,
 * by source line if known, and for each function that it calls the number of calls and their cost.
 *
 * Readers compute the inclusive cost of a function from all calls of it. Therefore each function
 * needs a call: the outermost ones are called by their command. A recursive call costs nothing.
 *
 * Manual: Valgrind's, "Callgrind Format Specification".
 */
#include <pt/print_tree.h>

/* An object with a name. The name is written once, with a number that replaces it later. */
struct named { struct hashed in; const void *of; u32 nr; bool written; };

/* A line of a function, and its cost. */
struct line {
	struct hashed in;
	struct line *next;
	struct function *of;
	struct source_line at;
	u64 cost;
};

struct edge {
	struct hashed in;
	struct edge *next;
	struct function *from, *to;
	u64 calls, cost;
};

struct function {
	struct hashed in;
	struct function *next;
	const char *name;
	const struct dso *dso;
	struct line *lines;
	struct edge *edges;
	u64 self;		/* cost without a known line */
	u32 nr;
	bool is_command;
	bool written;
};

struct graph {
	struct arena *arena;
	struct out *out;
	u32 first_depth;	/* functions are nodes of this depth and more */
	struct hash_table functions, lines, edges, names;
	struct function *first, **last;
	u32 n, n_names;
};

/* Is it the node of the command, or its replacement in a bare trace? */
static bool is_command(const struct graph *g, const struct tree_node *node)
{
	return node->depth + 1 == g->first_depth;
}

static struct function *function_of(struct graph *g, const char *name, bool is_command)
{
	u64 hash = hash_mix(is_command, (uintptr_t)name);
	struct function *f;
	struct hashed *in;

	for (in = hash_first(&g->functions, hash); in; in = in->next) {
		f = (struct function *)in;
		if (f->name == name && f->is_command == is_command)
			return f;
	}
	f = NEW(g->arena, struct function, 1);
	f->is_command = is_command;
	f->in.hash = hash;
	f->name = name;
	f->nr = ++g->n;
	*g->last = f;
	g->last = &f->next;
	hash_put(g->arena, &g->functions, &f->in);
	return f;
}

static struct edge *edge_of(struct graph *g, const struct tree_node *node)
{
	struct function *from = function_of(g, node->up->name, is_command(g, node->up));
	struct function *to = function_of(g, node->name, false);
	u64 hash = hash_mix((uintptr_t)from, (uintptr_t)to);
	struct hashed *in;
	struct edge *edge;

	for (in = hash_first(&g->edges, hash); in; in = in->next) {
		edge = (struct edge *)in;
		if (edge->from == from && edge->to == to)
			return edge;
	}
	edge = NEW(g->arena, struct edge, 1);
	edge->in.hash = hash;
	edge->from = from;
	edge->to = to;
	edge->next = from->edges;
	from->edges = edge;
	hash_put(g->arena, &g->edges, &edge->in);
	return edge;
}

static struct line *line_of(struct graph *g, struct function *f, struct source_line at)
{
	u64 hash = hash_mix(hash_mix((uintptr_t)f, (uintptr_t)at.file), at.line);
	struct hashed *in;
	struct line *line;

	for (in = hash_first(&g->lines, hash); in; in = in->next) {
		line = (struct line *)in;
		if (line->of == f && line->at.file == at.file && line->at.line == at.line)
			return line;
	}
	line = NEW(g->arena, struct line, 1);
	line->in.hash = hash;
	line->of = f;
	line->at = at;
	line->next = f->lines;
	f->lines = line;
	hash_put(g->arena, &g->lines, &line->in);
	return line;
}

static void add_node(struct graph *g, const struct tree_node *node, enum tree_weight weight)
{
	const struct tree_node *up = node->up;
	struct edge *edge;

	function_of(g, node->name, is_command(g, node))->self += node->weight[weight];
	if (is_command(g, node))
		return;
	edge = edge_of(g, node);
	edge->calls += node->calls;
	while (!is_command(g, up) && up->name != node->name)
		up = up->up;
	if (is_command(g, up))
		edge->cost += node->all;
}

static void add_block(struct graph *g, const struct block *block)
{
	struct function *f = function_of(g, block->name, false);
	u64 cost = MIN(block->count * block->n, f->self);

	if (!f->dso)
		f->dso = block->dso;
	if (!block->line.file)
		return;
	line_of(g, f, block->line)->cost += cost;
	f->self -= cost;
}

static void put_name(struct out *out, const char *name)
{
	for (; *name; name++)
		out_char(out, (u8)*name < ' ' || *name == 0x7f ? '?' : *name);
}

/* "fl=(1) name", then "fl=(1)". */
static void put_named(struct graph *g, const char *what, const char *name)
{
	u64 hash = hash_mix(*what == 'o', (uintptr_t)name);
	struct named *named = NULL;
	struct hashed *in;

	for (in = hash_first(&g->names, hash); in && !named; in = in->next)
		if (in->hash == hash && ((struct named *)in)->of == name)
			named = (struct named *)in;
	if (!named) {
		named = NEW(g->arena, struct named, 1);
		named->in.hash = hash;
		named->of = name;
		named->nr = ++g->n_names;
		hash_put(g->arena, &g->names, &named->in);
	}
	out_fmt(g->out, "%s=(%u)", what, named->nr);
	if (!named->written) {
		out_char(g->out, ' ');
		put_name(g->out, name);
	}
	named->written = true;
	out_char(g->out, '\n');
}

static void put_function(struct graph *g, const char *what, struct function *f)
{
	out_fmt(g->out, "%s=(%u)", what, f->nr);
	if (!f->written) {
		out_str(g->out, f->is_command ? " (" : " ");
		put_name(g->out, f->name ? f->name : "all");
		out_str(g->out, f->is_command ? ")" : "");
	}
	f->written = true;
	out_char(g->out, '\n');
}

static const char *file_of(const struct function *f)
{
	return f->lines ? f->lines->at.file : "???";
}

static const char *object_of(const struct function *f)
{
	return f->dso ? f->dso->name : "???";
}

static void print_function(struct graph *g, struct function *f)
{
	const char *file = file_of(f);
	const struct edge *edge;
	const struct line *line;

	out_char(g->out, '\n');
	put_named(g, "ob", object_of(f));
	put_named(g, "fl", file);
	put_function(g, "fn", f);
	if (f->self)
		out_fmt(g->out, "0 %llu\n", f->self);
	for (line = f->lines; line; line = line->next) {
		if (line->at.file != file)
			put_named(g, "fi", line->at.file);
		file = line->at.file;
		out_fmt(g->out, "%u %llu\n", line->at.line, line->cost);
	}
	for (edge = f->edges; edge; edge = edge->next) {
		if (!edge->calls && !edge->cost)
			continue;
		put_named(g, "cob", object_of(edge->to));
		put_named(g, "cfi", file_of(edge->to));
		put_function(g, "cfn", edge->to);
		out_fmt(g->out, "calls=%llu 0\n0 %llu\n", edge->calls, edge->cost);
	}
}

void print_callgrind(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	static const char *const events[N_TREE_WEIGHTS] = { "Ir", "ns", "Cycle" };
	struct graph g = { .arena = &tree->list->session.arena, .out = out, .last = &g.first,
			   .first_depth = tree_functions(tree) };
	const struct tree_node *node;
	const struct block *block;
	struct function *f;

	for (node = tree->first; node; node = node->next)
		if (node->all)
			add_node(&g, node, weight);
	for (block = tree->blocks->first; block; block = block->next)
		if (weight == TREE_INSNS)
			add_block(&g, block);
	out_fmt(out, "# callgrind format\nversion: 1\ncreator: pt\npositions: line\n"
		"event: Ir : Instructions\nevent: ns : Nanoseconds\nevent: Cycle : Cycles\n"
		"events: %s\nsummary: %llu\n", events[weight], tree->root.all);
	for (f = g.first; f && !out->err; f = f->next)
		print_function(&g, f);
	out_fmt(out, "\ntotals: %llu\n", tree->root.all);
}
