/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A flame graph: one SVG file for any browser, without a network. Each frame is a rectangle below
 * its caller, and its width is the weight of the frame and of all frames below it. Siblings are in
 * the order in which they first ran.
 *
 * The file has a picture of the frames that are wide enough to be seen, for viewers without
 * scripts, and a list of all frames, which flame.js draws: browsers take minutes for 50,000
 * elements, but not for 50,000 lines of text.
 */
#include <pt/print_tree.h>
#include <pt/text.h>
#include "page.h"

enum {
	WIDTH = 1200, MARGIN = 10, ROW = 17, TOP = 58, BOTTOM = 12,	/* see flame.js, too */
	FRAMES = 50000,		/* if there are more frames than this ... */
	PARTS = 200000,		/* ... those below 1 / PARTS of the whole are left out */
	SEEN = 2000,		/* the picture has those above 1 / SEEN of the whole */
};

PAGE(flame, "flame.js");

static const char style[] =
	"<style>\n"
	"svg { background: #fff; font: 12px monospace }\n"
	"text { fill: #222 } .f text { fill: #111; pointer-events: none }\n"
	"#bar { fill: #fff } #title { font-size: 16px }\n"
	".f { cursor: pointer } .f:hover rect, .at rect { stroke: #000; stroke-width: 1.5 }\n"
	".up rect { opacity: 0.5 } .hit rect { fill: #c0f } .hit text { fill: #fff }\n"
	".b { cursor: pointer; text-decoration: underline }\n"
	"@media (prefers-color-scheme: dark) { svg { background: #1b1b1f } text { fill: #ddd }\n"
	"  #bar { fill: #1b1b1f } .f.up text { fill: #eee }\n"
	"  .f:hover rect, .at rect { stroke: #fff } }\n"
	"</style>\n";

/* Print text for XML: without control bytes and invalid UTF-8. */
static void put_text(struct out *out, const char *s, size_t most)
{
	u32 n;

	for (; *s && most; s += n, most--) {
		u8 c = *s;

		n = MAX(text_utf8(s), 1u);
		if (c < ' ' || c == 0x7f || (c >= 0x80 && n == 1))
			out_char(out, '?');
		else if (c == '<' || c == '>' || c == '&' || c == '"')
			out_fmt(out, "&#%u;", c);
		else
			out_bytes(out, s, n);
	}
}

/* The colour of a frame depends on its name only: warm colours for user code, blue for the kernel,
 * grey for unknown code. */
static void put_colour(struct out *out, const char *name)
{
	size_t len = strlen(name);
	u32 hash = 0, i;

	for (i = 0; i < len; i++)
		hash = hash * 31 + (u8)name[i];
	hash ^= hash >> 15;
	if (*name == '[' && (!strcmp(name, "[gap]") || !strcmp(name, "[unknown]")))
		out_fmt(out, "#aaa");
	else if (len > 4 && !strcmp(name + len - 4, "_[k]"))
		out_fmt(out, "hsl(%u,60%%,70%%)", 200 + hash % 30);
	else
		out_fmt(out, "hsl(%u,85%%,%u%%)", 10 + hash % 45, 62 + (hash >> 8) % 14);
}

/* Print 'n' of 'all' as a percentage with two decimals. */
static void put_percent(struct out *out, u64 n, u64 all)
{
	u64 part = all > ~0ULL / 10000 ? n / (all / 10000) : n * 10000 / all;

	out_fmt(out, "%llu.%02llu%%", part / 100, part % 100);
}

/* Print 'n' of 'all' as a horizontal position with two decimals. */
static void put_x(struct out *out, u64 n, u64 all, u32 more)
{
	u64 scale = (u64)(WIDTH - 2 * MARGIN) * 100;
	u64 x = (all > ~0ULL / scale ? n / (all / scale) : n * scale / all) + more * 100;

	out_fmt(out, "%llu.%02llu", x / 100, x % 100);
}

static void put_frame(struct out *out, const struct tree_node *node, u64 all, const char *unit)
{
	u32 y = TOP + node->depth * ROW;
	const char *name = node->depth ? node->name : "all";
	u64 room = node->all * (WIDTH - 2 * MARGIN) / all / 8;

	out_str(out, "<g class=\"f\"><title>");
	put_text(out, name, ~0u);
	out_fmt(out, " (%llu %s, ", node->all, unit);
	put_percent(out, node->all, all);
	out_str(out, ")</title><rect x=\"");
	put_x(out, node->at, all, MARGIN);
	out_fmt(out, "\" y=\"%u\" width=\"", y);
	put_x(out, node->all, all, 0);
	out_fmt(out, "\" height=\"%d\" fill=\"", ROW - 1);
	put_colour(out, name);
	out_str(out, "\"/>");
	if (room > 3) {
		out_str(out, "<text x=\"");
		put_x(out, node->at, all, MARGIN + 3);
		out_fmt(out, "\" y=\"%u\">", y + ROW - 5);
		put_text(out, name, room - 2);
		out_str(out, "</text>");
	}
	out_str(out, "</g>\n");
}

/* For the script: the unit and the number of names; the names; depth, position, weight and name of
 * each frame. */
static void put_data(struct out *out, const struct tree *tree, const char *unit, u64 least)
{
	const struct tree_node *node;
	u32 i;

	out_fmt(out, "<script type=\"text/plain\" id=\"data\">\n%s %u\nall\n", unit,
		tree->n_names + 1);
	for (i = 0; i < tree->n_names; i++) {
		put_text(out, *tree->name_by_nr[i] ? tree->name_by_nr[i] : "?", ~0u);
		out_char(out, '\n');
	}
	out_fmt(out, "0 0 %llu 0\n", tree->root.all);
	for (node = tree->first; node && !out->err; node = node->next)
		if (node->all > least)
			out_fmt(out, "%u %llu %llu %u\n", node->depth, node->at, node->all,
				tree_name_nr(node->name) + 1);
	out_str(out, "</script>\n");
}

void print_svg(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	static const char *const units[N_TREE_WEIGHTS] = { "instructions", "ns", "cycles" };
	const struct tree_node *node;
	u64 all = tree->root.all;
	u32 deepest = 0, height, n = 0;

	for (node = tree->first; node; node = node->next) {
		n++;
		if (node->all > all / SEEN)
			deepest = MAX(deepest, node->depth);
	}
	height = TOP + BOTTOM + (deepest + 1) * ROW;
	out_fmt(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" "
		"height=\"%u\">\n", WIDTH, height, WIDTH, height);
	out_str(out, style);
	out_str(out, "<g id=\"frames\">\n");
	put_frame(out, &tree->root, all, units[weight]);
	for (node = tree->first; node && !out->err; node = node->next)
		if (node->all > all / SEEN)
			put_frame(out, node, all, units[weight]);
	out_fmt(out, "</g>\n<g id=\"head\"><rect id=\"bar\" width=\"%d\" height=\"%d\"/>\n"
		"<text id=\"title\" x=\"%d\" y=\"24\">", WIDTH, TOP - 4, MARGIN);
	put_text(out, tree->list->path, ~0u);
	out_fmt(out, ": %s</text>\n<text id=\"reset\" class=\"b\" x=\"%d\" y=\"24\" "
		"text-anchor=\"end\" style=\"display:none\">all (Esc)</text>\n",
		units[weight], WIDTH - 120);
	out_fmt(out, "<text id=\"search\" class=\"b\" x=\"%d\" y=\"24\" text-anchor=\"end\">"
		"search (/)</text>\n", WIDTH - MARGIN);
	out_fmt(out, "<text id=\"details\" x=\"%d\" y=\"46\"></text>\n"
		"<text id=\"found\" x=\"%d\" y=\"46\" text-anchor=\"end\"></text></g>\n",
		MARGIN, WIDTH - MARGIN);
	put_data(out, tree, units[weight], n > FRAMES ? all / PARTS : 0);
	out_str(out, "<script><![CDATA[\n");
	print_page(out, page_flame, page_flame_end);
	out_str(out, "]]></script>\n</svg>\n");
}
