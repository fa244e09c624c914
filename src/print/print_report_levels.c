/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report --hierarchy: the table as a tree, whose levels are the sort keys. Keys in braces are
 * one level.
 */
#include <pt/hist_keys.h>
#include <pt/out.h>
#include <pt/real.h>

#include "report_printer.h"

static bool is_number(u8 column)
{
	return column >= HIST_OVERHEAD && column < HIST_KEY;
}

/* Are there keys, which are fields of other events? */
static bool hides_keys(const struct report_style *style)
{
	return style->n_fields && memchr(style->hist.hidden, true, sizeof(style->hist.hidden));
}

bool report_levels(struct printer *p, struct report_levels *l)
{
	const u8 *level = p->style->level;
	u32 n = 0, i;

	*l = (struct report_levels){ .n_numbers = 0 };

	for (i = 0; i < p->style->n_fields; i++) {
		u8 column = p->style->fields[i];

		if (p->style->hist.hidden[column] || column == HIST_IPC)
			continue;
		if (is_number(column)) {
			l->numbers[l->n_numbers++] = column;
			continue;
		}
		if (!n || level[column] != level[l->of.keys[n - 1]])
			l->of.first[l->of.n++] = n;
		l->of.keys[n++] = column;
	}
	l->of.first[l->of.n] = n;
	if (l->of.n || !hides_keys(p->style))
		return l->of.n;
	p->h->period = 0;	/* no entry belongs to this event */
	return true;
}

static u32 numbers_width(const struct printer *p, const struct report_levels *l)
{
	u32 width = 0, i;

	for (i = 0; i < l->n_numbers; i++)
		width += p->width[l->numbers[i]] + 2 * !!i;
	return width;
}

void report_levels_head(struct printer *p, const struct report_levels *l)
{
	const char *between = p->style->separator ? p->style->separators : "  ";
	const struct hist_levels *of = &l->of;
	u32 indent = of->n ? (of->n - 1) * REPORT_INDENT : 0, text = 0, most = 0, width, i, k;

	out_str(p->out, "# ");
	out_fill(p->out, ' ', p->style->separator ? 0 : indent);
	for (i = 0; i < l->n_numbers; i++) {
		u8 column = l->numbers[i];
		const char *head = report_head(p->style, column);

		out_fill(p->out, ' ', p->width[column] - (int)strlen(head));
		out_fmt(p->out, "%s%s", head, between);
	}
	for (i = 0; i < of->n; i++) {
		width = i * REPORT_INDENT;
		for (k = of->first[i]; k < of->first[i + 1]; k++) {
			const char *head = report_head(p->style, of->keys[k]);
			const char *joint = k > of->first[i] ? "+" : i ? " / " : "";

			head += strspn(head, " ");
			out_fmt(p->out, "%s%s", joint, head);
			text += strlen(joint) + strlen(head);
			width += p->width[of->keys[k]] + (k > of->first[i]);
		}
		most = MAX(most, width);
	}
	out_str(p->out, "\n# ");
	out_fill(p->out, '.', numbers_width(p, l) + (p->style->separator ? 0 : indent));
	out_str(p->out, between);
	out_fill(p->out, '.', MAX(text, most));
	out_str(p->out, "\n#\n");
}

/* A column without blanks before it. */
static void put_trimmed(struct printer *p, u8 column, const struct hist_entry *e)
{
	struct out *to = p->out, text;
	char room[KEY_TEXT * 4], *at = room;

	out_open(&text, -1, room, sizeof(room));
	p->out = &text;
	report_put_column(p, column, e);
	p->out = to;
	*text.at = 0;
	while (*at == ' ')
		at++;
	out_str(to, at);
}

static void print_row(struct printer *p, const struct report_levels *l, const struct hist_row *row)
{
	const struct report_style *style = p->style;
	const char *between = style->separator ? style->separators : "  ";
	u32 i;

	out_fill(p->out, ' ', row->depth * REPORT_INDENT);
	for (i = 0; i < l->n_numbers; i++) {
		if (i || !style->separator)
			out_str(p->out, between);
		out_fill(p->out, ' ', p->width[l->numbers[i]] -
			 report_put_column(p, l->numbers[i], row->entry));
	}
	out_fill(p->out, ' ', style->separator ? 0 : (l->of.n - 1) * REPORT_INDENT);
	for (i = l->of.first[row->depth]; i < l->of.first[row->depth + 1]; i++) {
		out_str(p->out, between);
		put_trimmed(p, l->of.keys[i], row->entry);
	}
	out_newline(p->out);
}

/* Is all below row 'i' too small to be printed? */
static bool is_empty(const struct printer *p, const struct hist_row *rows, u32 n, u32 i)
{
	u32 depth = rows[i].depth;

	while (++i < n && rows[i].depth > depth)
		if (rows[i].depth == depth + 1 && !report_is_small(p, rows[i].entry))
			return false;
	return true;
}

void report_levels_rows(struct printer *p, const struct report_levels *l)
{
	struct hist_row *rows;
	u32 n = hist_rows(p->h, &l->of, &rows), i, skip = ~0U;

	for (i = 0; i < n; i++) {
		struct hist_entry *e = rows[i].entry;

		/* Nothing below a small entry. */
		if (rows[i].depth > skip)
			continue;
		skip = report_is_small(p, e) ? rows[i].depth : ~0U;
		if (skip != ~0U)
			continue;
		print_row(p, l, &rows[i]);
		if (rows[i].depth + 1 < l->of.n) {
			if (!is_empty(p, rows, n, i))
				continue;
			out_fill(p->out, ' ', p->style->separator ? 0 :
				 (l->of.n + rows[i].depth) * REPORT_INDENT);
			out_fill(p->out, ' ', numbers_width(p, l) + 4);
			out_str(p->out, "no entry >= ");
			out_real(p->out, p->style->least, 0, 2);
			out_str(p->out, "%\n");
		} else if (p->style->hist.chains) {
			report_put_chains(p, e);
		}
	}
}
