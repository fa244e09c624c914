/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An annotated function: lines of the source, and below each the instructions made of it.
 */
#include <pt/arch.h>
#include <pt/config/DISASM.h>
#include <pt/disasm.h>
#include <pt/out.h>
#include <pt/print_annotate.h>
#include <pt/sort.h>

enum { COUNT = 12, PERCENT = 7, ADDRESS = 18, CODE_MAX = 15, BYTES = 24 };

static void put_percent(struct out *out, u64 part, u64 whole, int width)
{
	char text[32];
	u64 v = whole ? (u64)(10000.0 * part / whole + 0.5) : 0;

	fmt_str(text, sizeof(text), "%llu.%02llu", v / 100, v % 100);
	out_fill(out, ' ', MAX(width - (int)strlen(text), 0));
	out_str(out, text);
}

static void print_head(struct annotate_page *page, const struct spots *s,
		       const struct spot_function *f)
{
	struct out *out = page->out;

	out_name(out, f->sym ? f->sym->name : "[unknown]");
	out_str(out, " in ");
	out_name(out, f->dso ? f->dso->name : "[unknown]");
	if (page->event) {
		out_fmt(out, ": %llu sample%s of ", f->n, f->n == 1 ? "" : "s");
		out_name(out, page->event);
	} else {
		out_fmt(out, ": %llu instruction%s executed", f->n, f->n == 1 ? "" : "s");
	}
	out_str(out, ", ");
	put_percent(out, f->weight, s->weight, 0);
	out_fmt(out, " %% of all\n\n%*s", COUNT, !page->event ? "count" :
		page->periods ? "period" : "samples");
	out_fmt(out, "%*s  address\n", PERCENT, "%");
}

static void print_source(struct annotate_page *page, const struct source_line *line, int indent)
{
	struct out *out = page->out;
	struct bytes text = source_line_text(&page->sources, line->path, line->line);
	char one[2] = "";
	size_t i;

	out_fill(out, ' ', indent);
	out_name(out, line->file);
	out_fmt(out, ":%u", line->line);
	if (text.len)
		out_str(out, "  ");
	for (i = 0; i < text.len; i++) {
		one[0] = text.at[i];
		if (*one == '\t')
			out_fill(out, ' ', 8 - i % 8);
		else if (*one != '\r')
			out_name(out, one);
	}
	out_newline(out);
}

static void put_hex_of(struct out *out, struct bytes code)
{
	size_t i;

	for (i = 0; i < code.len; i++)
		out_fmt(out, i ? " %02x" : "%02x", code.at[i]);
}

/* The instruction 'code' as text; without a disassembler its bytes. 'more': its address in the file
 * is that much greater than that of its symbols. 'name_width': of the column of names. */
static void put_code(struct annotate_page *page, struct dso *dso, u64 addr, u64 more,
		     struct bytes code, bool narrow, int name_width)
{
	struct out *out = page->out;
	const struct symbol *sym;
	struct disasm d;

	if (CONFIG_DISASM && page->bytes) {
		put_hex_of(out, code);
		out_fill(out, ' ', MAX(BYTES - 3 * (int)code.len, 1) + !!code.len);
	}
	if (!CONFIG_DISASM || !disasm(&d, code, addr + more, narrow)) {
		out_str(out, CONFIG_DISASM ? ".byte " : " ");
		put_hex_of(out, code);
		return;
	}
	out_str(out, d.name);
	if (*d.operands)
		out_fill(out, ' ', MAX(name_width - (int)strlen(d.name), 0));
	sym = d.has_target ? dso_symbol(page->images, dso, d.target - more) : NULL;
	if (*d.operands)
		out_char(out, ' ');
	if (!sym) {
		out_str(out, d.operands);
		return;
	}
	out_name(out, sym->name);
	if (d.target - more != sym->start)
		out_fmt(out, "+%#llx", d.target - more - sym->start);
}

static void put_share(struct annotate_page *page, const struct spots *s,
		      const struct spot_function *f, const struct spot *spot, int width)
{
	if (page->by_number)
		put_percent(page->out, spot->n, page->of_all ? s->n : f->n, width);
	else
		put_percent(page->out, spot->weight, page->of_all ? s->weight : f->weight, width);
}

static void put_numbers(struct annotate_page *page, const struct spots *s,
			const struct spot_function *f, const struct spot *spot)
{
	char text[24];

	fmt_str(text, sizeof(text), "%llu", page->periods ? spot->weight : spot->n);
	out_fill(page->out, ' ', MAX(COUNT - (int)strlen(text), 0));
	out_str(page->out, text);
	put_share(page, s, f, spot, PERCENT);
}

/* The address and the code in it. */
static void put_line(struct annotate_page *page, struct dso *dso, u64 addr, u64 more,
		     struct bytes code, bool narrow)
{
	struct out *out = page->out;
	char text[24];

	fmt_str(text, sizeof(text), "%llx", addr + more);
	out_fmt(out, "  %s", text);
	out_fill(out, ' ', MAX(ADDRESS - (int)strlen(text), 1));
	if (code.len)
		put_code(page, dso, addr, more, code, narrow, 0);
	out_newline(out);
}

/* The length of the instruction at 'addr': not more than up to the next one that has a number. */
static u32 length_at(struct bytes code, bool narrow, u64 most)
{
	struct insn insn;
	int n = insn_decode(&insn, narrow ? INSN_32 : INSN_64, code);

	return MIN(n > 0 ? (u64)n : 1, most);
}

/* The instructions of a function, one after the other. Without a function, and where code cannot
 * be read, only those that have a number. */
struct walk {
	struct annotate_page *page;
	const struct spot_function *f;
	struct spot *const *spots;
	bool narrow;
	u32 i;			/* the next spot */
	u64 next;
	/* The current one. */
	u64 addr;
	const struct spot *spot;	/* NULL: it has no number */
	struct bytes code;
};

static struct walk walk_begin(struct annotate_page *page, const struct spots *s,
			      const struct spot_function *f)
{
	struct spot *const *spots = &s->sorted[f->first];

	return (struct walk){ page, f, spots, spots_narrow(page->images, f->dso),
			      .next = f->sym ? f->sym->start : spots[0]->addr };
}

static bool walk_next(struct walk *w)
{
	const struct spot_function *f = w->f;
	u64 next;

	if (w->i >= f->n_spots && !(f->sym && w->next < f->sym->end))
		return false;
	w->addr = f->sym ? w->next : w->spots[w->i]->addr;
	w->spot = w->i < f->n_spots && w->spots[w->i]->addr == w->addr ? w->spots[w->i++] : NULL;
	next = w->i < f->n_spots ? w->spots[w->i]->addr :
	       f->sym ? f->sym->end : w->addr + CODE_MAX;
	w->code = (struct bytes){ 0 };
	if (f->dso) {
		w->code = dso_bytes(w->page->images, f->dso,
				    w->spots[0]->off + (w->addr - w->spots[0]->addr));
		w->code.len = MIN(w->code.len, (size_t)CODE_MAX);
	}
	w->next = next;
	if (w->code.len) {
		w->code.len = MIN(w->code.len, (size_t)length_at(w->code, w->narrow,
						next > w->addr ? next - w->addr : 1));
		w->next = w->addr + w->code.len;
	}
	return true;
}

/* --stdio2: labels for addresses, as in perf. */

struct labels {
	struct sort_item *targets;	/* of jumps in the function, in order */
	u32 n;
	int width, name_width;
};

/* The instruction, and where it jumps to. */
static u64 branch_at(const struct walk *w, struct insn *insn)
{
	if (insn_decode(insn, w->narrow ? INSN_32 : INSN_64, w->code) <= 0)
		insn->kind = INSN_OTHER;
	return w->addr + insn->len + (i64)insn->rel;
}

static bool jumps_inside(const struct walk *w, const struct insn *insn, u64 target)
{
	const struct symbol *sym = w->f->sym;

	return (insn->kind == INSN_JUMP || insn->kind == INSN_COND) && sym &&
	       target >= sym->start && target < sym->end;
}

static bool has_label(const struct labels *l, u64 addr)
{
	u32 lo = 0, hi = l->n;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (l->targets[mid].key < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->n && l->targets[lo].key == addr;
}

static struct labels find_labels(struct walk w)
{
	struct arena *arena = w.page->images->arena;
	struct labels l = { .width = 2 };
	u32 room = 0;
	struct disasm d;
	struct insn insn;
	char text[24];
	u64 target;

	while (walk_next(&w)) {
		if (CONFIG_DISASM && disasm(&d, w.code, w.addr, w.narrow))
			l.name_width = MAX(l.name_width, (int)strlen(d.name));
		target = branch_at(&w, &insn);
		if (!jumps_inside(&w, &insn, target))
			continue;
		if (l.n == room) {
			room = MAX(2 * room, 64u);
			l.targets = arena_grow(arena, l.targets, sizeof(*l.targets), l.n, room);
		}
		l.targets[l.n++].key = target;
		fmt_str(text, sizeof(text), "%llx", target - w.f->sym->start);
		l.width = MAX(l.width, (int)strlen(text));
	}
	sort_items(l.targets, l.n, NEW(arena, struct sort_item, l.n));
	return l;
}

/* As perf prints it; on a terminal in ASCII. */
static const char *arrow(const struct walk *w, const struct insn *insn, u64 target)
{
	static const char *const arrows[][2] = {
		{ "\u2193 ", "v " }, { "\u2191 ", "^ " }, { "\u2190 ", "< " }, { "\u2192 ", "> " },
	};
	bool ascii = w->page->out->lines;

	if (jumps_inside(w, insn, target))
		return arrows[target <= w->addr][ascii];
	if (insn->kind == INSN_RET)
		return arrows[2][ascii];
	return insn->kind >= INSN_JUMP && insn->kind <= INSN_CALL_INDIRECT ? arrows[3][ascii] :
	       "  ";
}

static void put_labelled(const struct walk *w, const struct labels *l, u64 more)
{
	struct out *out = w->page->out;
	char label[24] = "";
	struct insn insn;
	struct disasm d;
	u64 target = branch_at(w, &insn);

	if (w->f->sym && has_label(l, w->addr))
		fmt_str(label, sizeof(label), "%llx:", w->addr - w->f->sym->start);
	else if (!w->f->sym)
		fmt_str(label, sizeof(label), "%llx:", w->addr + more);
	out_fmt(out, "  %*s ", l->width + 1, label);
	if (!w->code.len) {
		out_newline(out);
		return;
	}
	out_str(out, arrow(w, &insn, target));
	if (CONFIG_DISASM && jumps_inside(w, &insn, target) &&
	    disasm(&d, w->code, w->addr, w->narrow))
		out_fmt(out, "%-*s %llx", l->name_width, d.name, target - w->f->sym->start);
	else
		put_code(w->page, w->f->dso, w->addr, more, w->code, w->narrow, l->name_width);
	out_newline(out);
}

static void print_head_2(struct annotate_page *page, const struct spot_function *f)
{
	struct out *out = page->out;

	out_fmt(out, "Samples: %llu  of event '", f->n);
	out_name(out, page->event ? page->event : "executed instructions");
	out_fmt(out, "', Event count (approx.): %llu, [percent: %s %s]\n", f->weight,
		page->of_all ? "global" : "local", page->by_number ? "hits" : "period");
	out_name(out, f->sym ? f->sym->name : "[unknown]");
	out_str(out, "() ");
	out_name(out, f->dso ? f->dso->name : "[unknown]");
	out_str(out, "\nPercent\n");
}

void print_annotate(struct annotate_page *page, const struct spots *s,
		    const struct spot_function *f)
{
	enum { SHARE = 6 };
	struct walk w = walk_begin(page, s, f);
	u64 more = f->dso ? dso_own_address(page->images, f->dso, w.next) - w.next : 0;
	struct source_line line, last = { 0 };
	struct labels labels = { 0 };

	if (page->labels) {
		labels = find_labels(w);
		print_head_2(page, f);
	} else {
		print_head(page, s, f);
	}
	while (!page->out->err && walk_next(&w)) {
		if (!page->no_source && f->dso &&
		    dso_source_line(page->images, f->dso, w.addr, &line) &&
		    (line.line != last.line || line.file != last.file)) {
			print_source(page, &line,
				     page->labels ? SHARE + 4 + labels.width : COUNT + PERCENT + 2);
			last = line;
		}
		if (!w.spot && !w.code.len)
			continue;
		if (page->labels && w.spot)
			put_share(page, s, f, w.spot, SHARE);
		else if (w.spot)
			put_numbers(page, s, f, w.spot);
		else
			out_fill(page->out, ' ', page->labels ? SHARE : COUNT + PERCENT);
		if (page->labels)
			put_labelled(&w, &labels, more);
		else
			put_line(page, f->dso, w.addr, more, w.code, w.narrow);
	}
	out_newline(page->out);
}
