/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A flame graph: one SVG file for any browser, without a network. Each frame is a rectangle above
 * its caller, and its width is the weight of the frame and of all frames above it. Siblings are in
 * the order in which they first ran. The picture is complete without the script; the script adds
 * zoom, search and keys.
 */
#include <pt/print_tree.h>
#include <pt/text.h>

enum {
	WIDTH = 1200, MARGIN = 10, ROW = 17, TOP = 54, BOTTOM = 40,
	PARTS = 200000,		/* frames below 1 / PARTS of the whole are left out */
};

static const char style[] =
	"<style>\n"
	"svg { background: #fff; font: 12px monospace }\n"
	"text { fill: #222 } .f text { fill: #111; pointer-events: none }\n"
	".f rect { stroke: #fff; stroke-width: 0.5 }\n"
	".f:hover rect, .f:focus rect { stroke: #000; stroke-width: 1.5 }\n"
	".f:focus { outline: none }\n"
	".f.up { opacity: 0.5 } .f.hit rect { fill: #d0f !important }\n"
	".b { cursor: pointer; text-decoration: underline }\n"
	"@media (prefers-color-scheme: dark) { svg { background: #1b1b1f } text { fill: #ddd }\n"
	"  .f rect { stroke: #1b1b1f } .f:hover rect, .f:focus rect { stroke: #fff } }\n"
	"</style>\n";

/* x, w: start and width of a frame, in units of the weight; d: its depth. */
static const char script[] =
	"<script><![CDATA[\n"
	"var svg = document.documentElement, W = 1180, M = 10, C = 7.3;\n"
	"var fs = [].slice.call(document.querySelectorAll('.f')).map(function (g, i) {\n"
	"  var d = g.getAttribute('data-f').split(' ');\n"
	"  g.setAttribute('tabindex', i ? -1 : 0);\n"
	"  return { g: g, x: +d[0], w: +d[1], d: +d[2], r: g.querySelector('rect'),\n"
	"    t: g.querySelector('text'), s: g.querySelector('title').textContent,\n"
	"    n: g.querySelector('title').textContent.replace(/ \\([^(]*$/, '') };\n"
	"});\n"
	"var details = document.getElementById('details');\n"
	"var found = document.getElementById('found');\n"
	"var at = fs[0];\n"
	"function fit(f, w) {\n"
	"  var n = Math.floor((w - 6) / C);\n"
	"  f.t.textContent = n < 3 ? '' : f.n.length <= n ? f.n : f.n.slice(0, n - 2) + '..';\n"
	"}\n"
	"function zoom(to) {\n"
	"  var k = W / to.w;\n"
	"  fs.forEach(function (f) {\n"
	"    var above = f.d < to.d && f.x <= to.x && f.x + f.w >= to.x + to.w;\n"
	"    var inside = f.d >= to.d && f.x >= to.x && f.x + f.w <= to.x + to.w;\n"
	"    var w = above ? W : f.w * k, x = above ? M : M + (f.x - to.x) * k;\n"
	"    var shown = above || inside && w > 0.1;\n"
	"    f.g.style.display = shown ? '' : 'none';\n"
	"    f.g.classList.toggle('up', above);\n"
	"    if (!shown) return;\n"
	"    f.r.setAttribute('x', x); f.r.setAttribute('width', w);\n"
	"    f.t.setAttribute('x', x + 3); fit(f, w);\n"
	"  });\n"
	"  document.getElementById('reset').style.display = to == fs[0] ? 'none' : '';\n"
	"}\n"
	"function search(what) {\n"
	"  var re = null, sum = 0, end = -1;\n"
	"  try { re = what && new RegExp(what); }\n"
	"  catch (e) { found.textContent = 'no such pattern'; return; }\n"
	"  fs.forEach(function (f) {\n"
	"    f.hit = !!re && re.test(f.n); f.g.classList.toggle('hit', f.hit);\n"
	"  });\n"
	"  fs.filter(function (f) { return f.hit; })\n"
	"    .sort(function (a, b) { return a.x - b.x || b.w - a.w; })\n"
	"    .forEach(function (f) { if (f.x >= end) { sum += f.w; end = f.x + f.w; } });\n"
	"  found.textContent = re ? 'found: ' + (100 * sum / fs[0].w).toFixed(2) + '%' : '';\n"
	"}\n"
	"function ask() {\n"
	"  var w = prompt('Which functions? A regular expression; nothing: none');\n"
	"  if (w !== null) search(w);\n"
	"}\n"
	"function go(f) { if (!f) return; at = f; f.g.focus(); details.textContent = f.s; }\n"
	"function near(ok) {\n"
	"  var best = null, far = function (f) { return Math.abs(f.x - at.x); };\n"
	"  fs.forEach(function (f) {\n"
	"    if (f.g.style.display != 'none' && ok(f) && (!best || far(f) < far(best))) best = f;\n"
	"  });\n"
	"  return best;\n"
	"}\n"
	"fs.forEach(function (f) {\n"
	"  f.g.onclick = function () { at = f; zoom(f); };\n"
	"  f.g.onmouseover = f.g.onfocus = function () { details.textContent = f.s; };\n"
	"});\n"
	"document.getElementById('reset').onclick = function () { zoom(fs[0]); };\n"
	"document.getElementById('search').onclick = ask;\n"
	"window.onkeydown = function (e) {\n"
	"  var k = e.key;\n"
	"  var above = function (f) {\n"
	"    return f.d == at.d + 1 && f.x >= at.x && f.x < at.x + at.w;\n"
	"  };\n"
	"  var beside = function (way) {\n"
	"    return function (f) { return f.d == at.d && way * (f.x - at.x) > 0; };\n"
	"  };\n"
	"  var below = function (f) {\n"
	"    return f.d == at.d - 1 && f.x <= at.x && f.x + f.w >= at.x + at.w;\n"
	"  };\n"
	"  if (k == '/' || (e.ctrlKey && k == 'f')) ask();\n"
	"  else if (k == 'Escape') { search(''); zoom(fs[0]); }\n"
	"  else if (k == 'Enter') zoom(at);\n"
	"  else if (k == 'ArrowUp') go(near(above));\n"
	"  else if (k == 'ArrowDown') go(near(below));\n"
	"  else if (k == 'ArrowLeft') go(near(beside(-1)));\n"
	"  else if (k == 'ArrowRight') go(near(beside(1)));\n"
	"  else return;\n"
	"  e.preventDefault();\n"
	"};\n"
	"zoom(fs[0]);\n"
	"]]></script>\n";

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

static void put_frame(struct out *out, const struct tree_node *node, u64 all, u32 height,
		      const char *unit)
{
	u32 y = height - BOTTOM - (node->depth + 1) * ROW;
	const char *name = node->depth ? node->name : "all";
	u64 room = node->all * (WIDTH - 2 * MARGIN) / all / 8;

	out_fmt(out, "<g class=\"f\" data-f=\"%llu %llu %u\"><title>", node->at, node->all,
		node->depth);
	put_text(out, name, ~0u);
	out_fmt(out, " (%llu %s, ", node->all, unit);
	put_percent(out, node->all, all);
	out_fmt(out, ")</title><rect x=\"");
	put_x(out, node->at, all, MARGIN);
	out_fmt(out, "\" y=\"%u\" width=\"", y);
	put_x(out, node->all, all, 0);
	out_fmt(out, "\" height=\"%d\" rx=\"1\" fill=\"", ROW - 1);
	put_colour(out, name);
	out_fmt(out, "\"/><text x=\"");
	put_x(out, node->at, all, MARGIN + 3);
	out_fmt(out, "\" y=\"%u\">", y + ROW - 5);
	if (room > 3)
		put_text(out, name, room - 2);
	out_fmt(out, "</text></g>\n");
}

void print_svg(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	static const char *const units[N_TREE_WEIGHTS] = { "instructions", "ns" };
	const struct tree_node *node;
	u64 all = tree->root.all, least = all / PARTS;
	u32 deepest = 0, height;

	for (node = tree->first; node; node = node->next)
		if (node->all > least)
			deepest = MAX(deepest, node->depth);
	height = TOP + BOTTOM + (deepest + 1) * ROW;
	out_fmt(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" "
		"height=\"%u\">\n", WIDTH, height, WIDTH, height);
	out_str(out, style);
	out_fmt(out, "<text x=\"%d\" y=\"24\" text-anchor=\"middle\" font-size=\"16\">"
		"Where it went: %s</text>\n", WIDTH / 2, units[weight]);
	out_fmt(out, "<text id=\"reset\" class=\"b\" x=\"%d\" y=\"24\" style=\"display:none\">"
		"all of it (Esc)</text>\n", MARGIN);
	out_fmt(out, "<text id=\"search\" class=\"b\" x=\"%d\" y=\"24\" text-anchor=\"end\">"
		"search (/)</text>\n", WIDTH - MARGIN);
	out_fmt(out, "<text id=\"details\" x=\"%d\" y=\"%u\"></text>\n"
		"<text id=\"found\" x=\"%d\" y=\"%u\" text-anchor=\"end\"></text>\n",
		MARGIN, height - 14, WIDTH - MARGIN, height - 14);
	put_frame(out, &tree->root, all, height, units[weight]);
	for (node = tree->first; node && !out->err; node = node->next)
		if (node->all > least)
			put_frame(out, node, all, height, units[weight]);
	out_str(out, script);
	out_str(out, "</svg>\n");
}
