/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An annotated function: lines of the source, and below each the instructions made of it.
 */
#include <pt/arch.h>
#include <pt/config/DISASM.h>
#include <pt/disasm.h>
#include <pt/out.h>
#include <pt/print_annotate.h>

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

static void print_source(struct annotate_page *page, const struct source_line *line)
{
	struct out *out = page->out;
	struct bytes text = source_line_text(&page->sources, line->path, line->line);
	char one[2] = "";
	size_t i;

	out_fill(out, ' ', COUNT + PERCENT + 2);
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
 * is that much greater than that of its symbols. */
static void put_code(struct annotate_page *page, struct dso *dso, u64 addr, u64 more,
		     struct bytes code, bool narrow)
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

static void put_numbers(struct annotate_page *page, const struct spots *s,
			const struct spot_function *f, const struct spot *spot)
{
	char text[24];

	fmt_str(text, sizeof(text), "%llu", page->periods ? spot->weight : spot->n);
	out_fill(page->out, ' ', MAX(COUNT - (int)strlen(text), 0));
	out_str(page->out, text);
	if (page->by_number)
		put_percent(page->out, spot->n, page->of_all ? s->n : f->n, PERCENT);
	else
		put_percent(page->out, spot->weight, page->of_all ? s->weight : f->weight,
			    PERCENT);
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
		put_code(page, dso, addr, more, code, narrow);
	out_newline(out);
}

/* The length of the instruction at 'addr': not more than up to the next one that has a number. */
static u32 length_at(struct bytes code, bool narrow, u64 most)
{
	struct insn insn;
	int n = insn_decode(&insn, narrow ? INSN_32 : INSN_64, code);

	return MIN(n > 0 ? (u64)n : 1, most);
}

void print_annotate(struct annotate_page *page, const struct spots *s,
		    const struct spot_function *f)
{
	struct spot *const *spots = &s->sorted[f->first];
	bool narrow = spots_narrow(page->images, f->dso);
	u64 addr = f->sym ? f->sym->start : spots[0]->addr, next;
	u64 more = f->dso ? dso_own_address(page->images, f->dso, addr) - addr : 0;
	struct source_line line, last = { 0 };
	const struct spot *spot;
	u32 i = 0, len;

	print_head(page, s, f);
	while (i < f->n_spots || (f->sym && addr < f->sym->end)) {
		struct bytes code = { 0 };

		/* Without a function only what has a number is printed. */
		if (!f->sym)
			addr = spots[i]->addr;
		spot = i < f->n_spots && spots[i]->addr == addr ? spots[i++] : NULL;
		next = i < f->n_spots ? spots[i]->addr : f->sym ? f->sym->end : addr + CODE_MAX;
		if (f->dso) {
			code = dso_bytes(page->images, f->dso,
					 spots[0]->off + (addr - spots[0]->addr));
			code.len = MIN(code.len, (size_t)CODE_MAX);
		}
		len = length_at(code, narrow, next > addr ? next - addr : 1);
		code.len = MIN(code.len, (size_t)len);
		if (!page->no_source && f->dso &&
		    dso_source_line(page->images, f->dso, addr, &line) &&
		    (line.line != last.line || line.file != last.file))
			print_source(page, &line), last = line;
		/* Code that cannot be read: only what has a number. */
		if (spot)
			put_numbers(page, s, f, spot);
		else if (code.len)
			out_fill(page->out, ' ', COUNT + PERCENT);
		if (spot || code.len)
			put_line(page, f->dso, addr, more, code, narrow);
		addr = code.len ? addr + len : next;
		if (page->out->err)
			return;
	}
	out_newline(page->out);
}
