/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An HTML page: page.html, followed by its data as JSON. It is one file, and a browser needs no
 * network for it.
 */
#include <pt/json.h>
#include <pt/print_tree.h>
#include <pt/sort.h>
#include <pt/timeline.h>
#include "page.h"

enum {
	FRAMES = 50000,		/* if there are more frames than this ... */
	PARTS = 100000,		/* ... those below 1 / PARTS of the whole are left out */
	LINES = 200,		/* source lines in the table */
};

PAGE(html, "page.html");

/* A source line. */
struct line {
	struct hashed in;
	struct line *next;		/* in the order in which they first ran */
	const struct block *block;
	u64 n;
};

static void put_names(struct out *out, const struct tree *tree)
{
	u32 i;

	out_str(out, "\"names\":[");
	for (i = 0; i < tree->n_names; i++) {
		out_str(out, i ? ",\n" : "\n");
		json_text(out, tree->name_by_nr[i]);
	}
	out_char(out, ']');
}

/* Number the frames that are wide enough by at least one weight, in 'at'; 0: left out. The weight
 * of a frame that is left out is added to its caller. */
static void choose(const struct tree *tree)
{
	u64 least[2] = { tree->total[TREE_INSNS] / PARTS, tree->total[TREE_NS] / PARTS };
	struct tree_node *node, *up;
	u32 n = 0;

	for (node = tree->first; node; node = node->next) {
		node->all = node->used = 0;
		n++;
	}
	if (n <= FRAMES)
		least[0] = least[1] = 0;
	n = 0;
	for (node = tree->first; node; node = node->next)
		for (up = node; up->depth; up = up->up) {
			up->all += node->weight[TREE_INSNS];
			up->used += node->weight[TREE_NS];
		}
	for (node = tree->first; node; node = node->next) {
		node->at = node->all > least[0] || node->used > least[1] ? ++n : 0;
		for (up = node; up->depth && !up->at; up = up->up)
			;
		if (up == node)
			continue;
		up->weight[TREE_INSNS] += node->weight[TREE_INSNS];
		up->weight[TREE_NS] += node->weight[TREE_NS];
	}
}

/* Write each frame: the number of its caller in this list (0: none), its name, its own
 * instructions and ns (without its callees), its calls. */
static void put_frames(struct out *out, const struct tree *tree)
{
	const struct tree_node *node;

	choose(tree);
	out_str(out, ",\n\"frames\":[");
	for (node = tree->first; node && !out->err; node = node->next)
		if (node->at)
			out_fmt(out, "%s%llu,%u,%llu,%llu,%llu", node->at > 1 ? ",\n" : "\n",
				node->up->depth ? node->up->at : 0ULL, tree_name_nr(node->name),
				node->weight[TREE_INSNS], node->weight[TREE_NS], node->calls);
	out_char(out, ']');
}

static void put_calls(struct out *out, const struct timeline *t)
{
	const char *last = NULL;
	u32 i;

	out_fmt(out, ",\n\"from\":%llu,\"length\":%llu,\"shorter\":[%llu,%llu],\n\"tracks\":[",
		t->n ? t->first : 0, t->n ? t->last - t->first : 0, t->n_less, t->least);
	for (i = 0; i < t->n_tracks; i++) {
		out_fmt(out, "%s[%d,%d,", i ? "," : "", t->tracks[i]->pid, t->tracks[i]->tid);
		json_text(out, t->tracks[i]->comm);
		out_char(out, ']');
	}
	out_str(out, "],\n\"calls\":[");
	for (i = 0; i < t->n && !out->err; i++) {
		const struct timeline_call *c = &t->calls[i];

		out_fmt(out, "%s%u,%u,%u,%llu,%llu,%llu", last ? ",\n" : "\n", c->track, c->depth,
			tree_name_nr(c->name), c->start - t->first, c->len, c->insns);
		last = c->name;
	}
	out_char(out, ']');
}

/* The line of 'block'; a new one goes to '**end'. */
static struct line *line_of(struct arena *arena, struct hash_table *table, struct line ***end,
			    const struct block *block)
{
	u64 hash = hash_mix(hash_mix((uintptr_t)block->name, (uintptr_t)block->line.file),
			    block->line.line);
	struct hashed *in;
	struct line *line;

	for (in = hash_first(table, hash); in; in = in->next) {
		line = (struct line *)in;
		if (line->block->name == block->name &&
		    line->block->line.file == block->line.file &&
		    line->block->line.line == block->line.line)
			return line;
	}
	line = NEW(arena, struct line, 1);
	line->in.hash = hash;
	line->block = block;
	hash_put(arena, table, &line->in);
	**end = line;
	*end = &line->next;
	return line;
}

/* Write the lines with the most executed instructions: file, line, function, instructions. */
static void put_lines(struct out *out, const struct tree *tree)
{
	struct arena *arena = &tree->list->session.arena;
	struct hash_table table = { 0 };
	struct sort_item *items;
	const struct block *block;
	struct line *first = NULL, **end = &first, *line, **lines;
	u32 n = 0, i;

	for (block = tree->blocks->first; block; block = block->next)
		if (block->line.file)
			line_of(arena, &table, &end, block)->n += block->count * block->n;
	lines = NEW(arena, struct line *, table.n + 1);
	items = NEW(arena, struct sort_item, 2 * table.n + 1);
	for (line = first; line; line = line->next, n++) {
		lines[n] = line;
		items[n] = (struct sort_item){ ~line->n, n };
	}
	sort_items(items, n, items + n);
	out_str(out, ",\n\"lines\":[");
	for (i = 0; i < MIN(n, (u32)LINES); i++) {
		line = lines[items[i].index];
		out_str(out, i ? ",\n[" : "\n[");
		json_text(out, line->block->line.file);
		out_fmt(out, ",%u,%u,%llu]", line->block->line.line,
			tree_name_nr(line->block->name), line->n);
	}
	out_char(out, ']');
}

void print_html(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	print_page(out, page_html, page_html_end);
	out_str(out, "<script type=\"application/json\" id=\"data\">\n{\"file\":");
	json_text(out, tree->list->path);
	out_fmt(out, ",\"instructions\":%llu,\"ns\":%llu,\"gaps\":%llu,\"weight\":%d,"
		"\"timed\":%d,\"commands\":%d,\n", tree->total[TREE_INSNS] - tree->gaps,
		tree->total[TREE_NS], tree->gaps, weight, !tree->timeline->by_insns,
		tree->list->session.source->threads);
	put_names(out, tree);
	put_frames(out, tree);
	put_lines(out, tree);
	put_calls(out, tree->timeline);
	out_str(out, "}\n</script>\n<script>show()</script>\n</body>\n</html>\n");
}
