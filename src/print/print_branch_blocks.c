/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of code, and the cycles that they took, as a table.
 */
#include <pt/branch_blocks.h>
#include <pt/hist_keys.h>
#include <pt/out.h>
#include <pt/print_report.h>
#include <pt/real.h>

enum { SHARE = 15, SUM = 14, PART = 11, AVERAGE = 10, RANGE = 70, DSO = 20, RANGE_TEXT = 128 };

static const struct { const char *head; int width; } columns[] = {
	{ "Sampled Cycles%", SHARE }, { "Sampled Cycles", SUM }, { "Avg Cycles%", PART },
	{ "Avg Cycles", AVERAGE }, { "[Program Block Range]", RANGE }, { "Shared Object", DSO },
};

struct printer { struct out *out; const struct report_style *style; u32 n; };

/* A column: the text, aligned to the right. */
static void put(struct printer *p, const char *text, int width)
{
	if (p->n++ || !p->style->separator)
		out_str(p->out, p->style->separator ? p->style->separators : "  ");
	out_fill(p->out, ' ', p->style->separator ? 0 : width - (int)strlen(text));
	out_name(p->out, text);
}

static void put_share(struct printer *p, double part, double whole, int width)
{
	char text[REAL_MAX + 2], *end = put_real(text, whole ? 100 * part / whole : 0, 2, 0);

	*end++ = '%';
	*end = 0;
	put(p, text, width);
}

static void put_cycles(struct printer *p, u64 cycles, int width)
{
	char text[REAL_MAX + 2], *end = text;

	if (cycles >= 1000000)
		end = put_char(put_real(text, cycles / 1000000.0, 1, 0), 'M');
	else if (cycles >= 1000)
		end = put_char(put_real(text, cycles / 1000.0, 1, 0), 'K');
	else
		end += fmt_str(text, sizeof(text), "%llu", cycles);
	*end = 0;
	put(p, text, width);
}

static void put_range(struct printer *p, struct hist_keys *keys, const struct branch_block *b)
{
	char text[RANGE_TEXT];
	const struct frame at = { .map = b->map, .sym = b->sym };
	size_t n = 0;

	n += fmt_str(text, sizeof(text), "[%s",
		     hist_keys_line_at(keys, &at, b->sym->start + b->start));
	n += fmt_str(text + n, sizeof(text) - n, " -> %s]",
		     hist_keys_line_at(keys, &at, b->sym->start + b->end));
	put(p, text, RANGE);
}

static void print_heads(struct printer *p)
{
	const char *between = p->style->separator ? p->style->separators : "  ";
	u32 i;

	for (i = 0; i < N_ELEM(columns); i++) {
		const char *head = columns[i].head;

		out_str(p->out, i ? between : "# ");
		out_fill(p->out, ' ', p->style->separator ? 0 :
			 columns[i].width - (int)strlen(head));
		out_str(p->out, head);
	}
	out_newline(p->out);
	if (p->style->separator)
		return;
	for (i = 0; i < N_ELEM(columns); i++) {
		out_str(p->out, i ? between : "# ");
		out_fill(p->out, '.', columns[i].width);
	}
	out_str(p->out, "\n#\n");
}

void print_branch_blocks(struct out *out, const struct branch_blocks *b, struct hist_keys *keys,
			 const struct report_style *style)
{
	struct printer p = { .out = out, .style = style };
	u32 i;

	if (!style->no_heads)
		print_heads(&p);
	for (i = 0; i < b->n; i++) {
		const struct branch_block *block = b->sorted[i];

		if (100.0 * block->cycles / b->cycles < style->least)
			continue;
		p.n = 0;
		put_share(&p, block->cycles, b->cycles, SHARE);
		put_cycles(&p, block->cycles, SUM);
		put_share(&p, block->cycles / block->n, b->average, PART);
		put_cycles(&p, block->cycles / block->n, AVERAGE);
		put_range(&p, keys, block);
		put(&p, block->map->dso->short_name, DSO);
		out_newline(out);
	}
}
