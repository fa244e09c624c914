/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A profile to text: a table of entries, each with the tree of its call chains.
 */
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/GUESTS.h>
#include <pt/config/REPORT_MORE.h>
#include <pt/hist_keys.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/print_report.h>
#include <pt/real.h>
#include <pt/term.h>
#include "report_keys.h"
#include "report_printer.h"

enum { UNKNOWN_WIDTH = 16, MARGIN = 12, STEP = 11 };

/* Rows of an option. */
#define ROWS_IF(on, ...) ROWS_IF_(on, __VA_ARGS__)
#define ROWS_IF_(on, ...) ROWS_IF_##on(__VA_ARGS__)
#define ROWS_IF_1(...) __VA_ARGS__
#define ROWS_IF_0(...)

/* The columns, in the order in which abbreviated names are looked up. */
static const struct {
	const char *name, *head;
	u8 column, width;	/* width 0: that of the contents, which are aligned to the left */
} columns[] = {
	{ "pid", "    Pid:Command", HIST_PID, 0 },
	{ "comm", "Command", HIST_COMM, 0 },
	{ "dso", "Shared Object", HIST_DSO, 0 },
	{ "symbol", "Symbol", HIST_SYMBOL, 0 },
	{ "cpu", "CPU", HIST_CPU, 0 },
	{ "trace", "Trace output", HIST_TRACE, 0 },
	{ "", "IPC   [IPC Coverage]", HIST_IPC, 0 },
	{ "overhead", "Overhead", HIST_OVERHEAD, 8 },
	{ "overhead_sys", "sys", HIST_SYS, 8 },
	{ "overhead_us", "usr", HIST_USER, 8 },
	{ "overhead_children", "Children", HIST_CHILDREN, 8 },
	{ "sample", "Samples", HIST_SAMPLES, 12 },
	{ "period", "Period", HIST_PERIOD, 12 },
	ROWS_IF(CONFIG_GUESTS,
		{ "overhead_guest_sys", "guest sys", HIST_GUEST_SYS, 9 },
		{ "overhead_guest_us", "guest usr", HIST_GUEST_USER, 9 })
};

enum hist_column report_column(const char *name, size_t len)
{
	u8 key = CONFIG_REPORT_MORE ? report_key(name, len, false) : N_HIST_COLUMNS;
	size_t i, k;

	for (i = 0; i < N_ELEM(columns); i++) {
		if (CONFIG_REPORT_MORE && i == HIST_OVERHEAD && key < N_HIST_COLUMNS)
			break;
		for (k = 0; k < len && (name[k] | ' ') == (columns[i].name[k] | ' '); k++)
			;
		if (k == len)
			return i;
	}
	if (CONFIG_BRANCH_STACKS && key == N_HIST_COLUMNS)
		return report_key(name, len, true);
	return key;
}

static bool is_key(u8 column)
{
	return CONFIG_REPORT_MORE && column >= HIST_KEY;
}

const char *report_head(const struct report_style *style, u8 column)
{
	if (is_key(column))
		return report_key_head(style, column);
	return column == HIST_OVERHEAD && style->self ? "Self" : columns[column].head;
}

/* Its width, or 0: that of its contents, which are aligned to the left. */
static u32 width_of(u8 column)
{
	return is_key(column) ? report_key_right(column) : columns[column].width;
}

static double percent(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Columns */

static void widen(struct printer *p, u8 column, int width)
{
	p->width[column] = MAX(p->width[column], width);
}

/* As in perf, a number has the width that is given, and its column the width of its head if that is
 * more. A negative width aligns the number to the left. */
static void ask_width(struct printer *p, u8 column, int width)
{
	const int each = columns[column].width;

	if (is_key(column) || !each) {
		if (width > 0)
			p->width[column] = width;
		return;
	}
	p->asked[column] = width;
	p->width[column] = MAX(width, (int)strlen(report_head(p->style, column)));
	if (p->h->n_group)
		widen(p, column, p->h->n_group * each);
}

/* Apply --column-widths. */
static void ask_widths(struct printer *p)
{
	const char *at = p->style->widths;
	u64 width;
	u32 i;

	for (i = 0; i < p->style->n_fields && at; i++) {
		bool left = *at == '-';

		at = num_read(at + left, 10, &width);
		if (at && width && width < KEY_TEXT)
			ask_width(p, p->style->fields[i], left ? -(int)width : (int)width);
		at = at && *at == ',' ? at + 1 : NULL;
	}
}

static void widen_keys(struct printer *p)
{
	const struct hist_style *hist = &p->style->hist;
	u32 i, k;

	for (k = 0; k < hist->n_keys; k++) {
		u8 column = hist->keys[k];

		widen(p, column, report_key_width(p->style, column));
		for (i = 0; i < p->h->entries.n; i++)
			widen(p, column, report_key_need(p->style, column, p->h->sorted[i]));
	}
}

static void set_widths(struct printer *p)
{
	u32 i;

	for (i = 0; i < N_ELEM(columns); i++)
		widen(p, i, columns[i].width ? columns[i].width * MAX(p->h->n_group, 1U) :
			    strlen(columns[i].head));
	if (CONFIG_REPORT_MORE)
		widen_keys(p);
	for (i = 0; i < p->h->entries.n; i++) {
		const struct hist_entry *e = p->h->sorted[i];
		/* Like perf, use the length of the last name of the thread. */
		int comm = strlen(e->thread->comm);

		widen(p, HIST_COMM, comm);
		widen(p, HIST_PID, comm + 8);
		if (e->at.map)
			widen(p, HIST_DSO, strlen(e->at.map->dso->short_name));
		widen(p, HIST_SYMBOL, e->at.sym ? (int)e->at.sym->len + 4 : UNKNOWN_WIDTH + 6);
		if (e->trace)
			widen(p, HIST_TRACE, strlen(e->trace));
		if (!e->at.sym && !p->style->narrow_dso)
			widen(p, HIST_DSO, UNKNOWN_WIDTH);
	}
	if (CONFIG_REPORT_MORE && p->style->widths && !p->style->hierarchy)
		ask_widths(p);
	/* Names of functions, to the right of it, need the space. */
	if (term_fits(p->out))
		p->width[HIST_DSO] = MIN(p->width[HIST_DSO], (int)(p->out->width / 4));
}

/* Print 'text', padded or cut to 'width'; separators in it become '.'. */
static int put_text(struct printer *p, const char *text, int width, bool fill)
{
	char name[2] = "";
	int n;

	for (n = 0; n < width && text[n]; n++) {
		name[0] = text[n] == p->style->separator ? '.' : text[n];
		out_name(p->out, name);
	}
	if (fill)
		out_fill(p->out, ' ', width - n);
	return fill ? width : n;
}

/* Kernel or user, of the host or of a guest. */
static const char *level(const struct hist_entry *e)
{
	if (CONFIG_GUESTS && e->thread && e->thread->guest)
		return e->kernel ? "[g] " : "[u] ";
	return e->kernel ? "[k] " : "[.] ";
}

/* Print an address with 16 digits; zero has no 0x. */
static int put_symbol(struct printer *p, const struct hist_entry *e, int width)
{
	out_str(p->out, level(e));
	if (e->at.sym)
		return 4 + put_text(p, e->at.sym->name, width - 4, false);
	out_str(p->out, e->at.ip ? "0x" : "");
	out_fmt(p->out, "%016llx", e->at.ip);
	return e->at.ip ? 22 : 20;
}

static int put_number(struct printer *p, u64 v, int width)
{
	char text[24];
	int n = fmt_str(text, sizeof(text), " %*llu", p->style->separator ? 1 : width - 1, v);

	out_str(p->out, text);
	return n;
}

static int put_percent(struct printer *p, u64 v, u64 whole, int width)
{
	char text[REAL_MAX + 2], *end;

	text[0] = ' ';
	end = put_real_w(text + 1, percent(v, whole),
			 p->style->separator ? 1 : width - 2, 2, 0);
	*end++ = '%';
	out_bytes(p->out, text, end - text);
	return end - text;
}

/* A number, or a share of 'whole' if that is not 0, with the width that was asked for. */
static int put_asked(struct printer *p, u64 v, u64 whole, int width)
{
	bool left = width < 0;
	char text[REAL_MAX];
	int n, more;

	if (whole)
		*put_real_w(text, percent(v, whole), 1, 2, 0) = 0;
	else
		fmt_str(text, sizeof(text), "%llu", v);
	n = strlen(text);
	width -= whole ? 2 : 1;
	more = p->style->separator ? 0 : MAX((left ? -width : width) - n, 0);
	out_char(p->out, ' ');
	out_fill(p->out, ' ', left ? 0 : more);
	out_str(p->out, text);
	out_fill(p->out, ' ', left ? more : 0);
	out_str(p->out, whole ? "%" : "");
	return 1 + n + more + !!whole;
}

/* Print a number for each event of the group. */
static int put_numbers(struct printer *p, u8 column, const struct hist_entry *e)
{
	const struct hist *h = p->h;
	int n = 0;
	u32 k = 0;

	do {
		u64 whole = h->group ? h->group[k]->period : h->period;
		u64 v = hist_number(e, k, column);
		int width = h->n_group ? columns[column].width : p->width[column];
		bool counts = column == HIST_SAMPLES || column == HIST_PERIOD;

		if (CONFIG_REPORT_MORE && p->asked[column])
			n += put_asked(p, v, counts ? 0 : MAX(whole, 1ull), p->asked[column]);
		else
			n += counts ? put_number(p, v, width) : put_percent(p, v, whole, width);
	} while (++k < h->n_group);
	return n;
}

/* Fields of tracepoints keep separators that are in them. */
static void put_escaped(struct out *out, const char *text, int width)
{
	char part[KEY_TEXT];

	fmt_str(part, sizeof(part), "%.*s", width, text);
	out_name(out, part);
}

static int put_key(struct printer *p, u8 column, const struct hist_entry *e, int width)
{
	char room[REPORT_KEY_SIZE];
	const char *text = report_key_text(p->style, column, e, room, sizeof(room)), *offset;

	if (column >= HIST_FIELD) {
		out_fill(p->out, ' ', MAX(width - (int)strlen(text), 0));
		put_escaped(p->out, text, width);
		return width;
	}
	if (report_key_right(column)) {
		out_fill(p->out, ' ', MAX(width - (int)strlen(text), 0));
		put_text(p, text, width, false);
		return width;
	}
	/* As in perf, only the name is cut. */
	offset = report_key_offset(column, text);
	if (offset) {
		width = put_text(p, text, MIN(width, (int)(offset - text)), false);
		out_str(p->out, offset);
		return width + strlen(offset);
	}
	return put_text(p, text, width, !report_key_plain(column));
}

int report_put_column(struct printer *p, u8 column, const struct hist_entry *e)
{
	int width = p->width[column];
	char text[16];

	if (is_key(column))
		return put_key(p, column, e, width);
	switch (column) {
	case HIST_PID:
		fmt_str(text, sizeof(text), "%7d:", e->thread->tid);
		return put_text(p, text, 8, false) +
		       put_text(p, e->thread->comm, width - 8, true);
	case HIST_COMM: return put_text(p, e->comm, width, true);
	case HIST_DSO:
		return put_text(p, e->at.map ? e->at.map->dso->short_name : "[unknown]", width,
				true);
	case HIST_SYMBOL: return put_symbol(p, e, width);
	case HIST_CPU:
		fmt_str(text, sizeof(text), e->cpu < 0 ? "%04d" : "%03d", e->cpu);
		return put_text(p, text, sizeof(text), false);
	case HIST_TRACE: return put_text(p, e->trace ? e->trace : "N/A", width, false);
	case HIST_IPC:
		return put_text(p, !CONFIG_BRANCH_STACKS || !p->style->branches ? "-      -" :
				e->at.sym ? "0.00  [  0.0%]" : "-", width, true);
	case HIST_CHILDREN:
		if (p->style->hist.children)
			break;
		out_str(p->out, "     N/A");
		return width;
	}
	return put_numbers(p, column, e);
}

/* Print a line of columns: the heads, the dots below them, or an entry. */
enum { LINE_HEADS, LINE_DOTS, LINE_ENTRY };

static void print_line(struct printer *p, int kind, const struct hist_entry *e)
{
	const struct report_style *style = p->style;
	const char *between = style->separator ? style->separators : "  ", *head;
	bool first = true;
	u32 i;

	if (kind != LINE_ENTRY)
		out_str(p->out, "# ");
	for (i = 0; i < style->n_fields; i++) {
		u8 column = style->fields[i];
		int width = p->width[column], n;

		if (style->hist.hidden[column])
			continue;
		if (!first || (kind == LINE_ENTRY && !style->separator))
			out_str(p->out, between);
		first = false;
		head = report_head(style, column);
		n = strlen(head);
		if (kind == LINE_DOTS) {
			out_fill(p->out, '.', width);
		} else if (kind == LINE_HEADS) {
			out_fill(p->out, ' ', width_of(column) ? width - n : 0);
			out_bytes(p->out, head, MIN(n, width));
			out_fill(p->out, ' ', width_of(column) ? 0 : width - n);
		} else {
			n = report_put_column(p, column, e);
			if (i + 1 < style->n_fields)
				out_fill(p->out, ' ', width - n);
		}
	}
	out_newline(p->out);
}

/* Call chains */

static void put_frame(struct printer *p, const struct hist_chain *c)
{
	if (!c->frame.sym) {
		out_fmt(p->out, "%#llx", c->frame.ip);
		return;
	}
	out_name(p->out, c->frame.sym->name);
	if (CONFIG_REPORT_MORE && c->frame.line) {
		out_char(p->out, ' ');
		out_name(p->out, c->frame.line);
	}
}

/* A line with a frame. */
static void put_frame_line(struct printer *p, const struct hist_chain *c)
{
	put_frame(p, c);
	if (CONFIG_BRANCH_HISTORY && p->style->counts)
		report_counts(p->out, c->counts);
	out_newline(p->out);
}

static void put_value(struct printer *p, u64 sum, u32 count, u64 whole)
{
	if (p->style->value == CHAIN_PERIOD) {
		out_fmt(p->out, "%llu", sum);
	} else if (p->style->value == CHAIN_COUNT) {
		out_fmt(p->out, "%u", count);
	} else {
		out_real(p->out, percent(sum, whole), 0, 2);
		out_char(p->out, '%');
	}
}

/* Follow 'c' while no chain ends at a frame and it has one child; returns the last frame. */
static const struct hist_chain *row_end(const struct hist_chain *c)
{
	while (!c->n_hits && c->n_children == 1 && c->first)
		c = c->first;
	return c;
}

/* Print the bars before a branch: one for each level in 'bars'. */
static void put_bars(struct printer *p, u32 depth, u32 bars, int margin)
{
	u32 i;

	out_fill(p->out, ' ', MARGIN + margin);
	for (i = 0; i < depth; i++) {
		out_char(p->out, bars >> i % 32 & 1 ? '|' : ' ');
		out_fill(p->out, ' ', STEP - 1);
	}
}

static void put_branch(struct printer *p, u32 depth, u32 bars, int margin, u64 sum, u32 count,
		       u64 whole)
{
	put_bars(p, depth - 1, bars, margin);
	out_str(p->out, bars >> (depth - 1) % 32 & 1 ? "|--" : " --");
	put_value(p, sum, count, whole);
	out_str(p->out, "--");
}

/* Print all branches below 'up'; their shares are relative to 'whole'. */
static bool print_branches(struct printer *p, const struct hist_chain *up, u64 whole, u32 depth,
			   u32 bars, int margin)
{
	bool parts = p->style->hist.mode == CHAIN_FRACTAL;
	u32 now = bars, last = 1U << (depth - 1) % 32, n = 0, count = up->n_below;
	const struct hist_chain *c, *at, *end;
	u64 rest = whole;

	for (c = up->first; c; c = c->next) {
		rest -= chain_sum(c);
		count -= c->n_hits + c->n_below;
		if (!c->next && !(parts && rest))
			now &= ~last;
		put_bars(p, depth, bars, margin);
		out_newline(p->out);
		put_branch(p, depth, now, margin, chain_sum(c), c->n_hits + c->n_below, whole);
		end = row_end(c);
		for (at = c;; at = at->first) {
			put_frame_line(p, at);
			if (at == end)
				break;
			put_bars(p, depth, now, margin);
		}
		print_branches(p, end, parts ? end->below : whole, depth + 1,
			       now | 1U << depth % 32, margin);
		if (++n == p->style->max_chains)
			break;
	}
	if (!parts || !rest || rest == whole || (p->style->value == CHAIN_COUNT && !count))
		return n;
	put_branch(p, depth, now & ~last, margin, rest, count, whole);
	out_str(p->out, "[...]");
	if (CONFIG_BRANCH_HISTORY && p->style->counts)
		report_counts(p->out, NULL);
	out_newline(p->out);
	return true;
}

static void print_graph(struct printer *p, const struct hist_entry *e)
{
	u64 own = p->style->hist.children ? e->children : e->period;
	const struct hist_chain *up = &e->chain, *c = up->first, *end;
	int margin = 0;
	u32 n = 0;

	/* A single root needs no share. */
	if (c && !c->next && chain_sum(c) == own) {
		end = row_end(c);
		for (up = end;; c = c->first) {
			if (c->up->up || !p->style->skip_first) {
				out_fill(p->out, ' ', MARGIN);
				if (!n++) {
					out_str(p->out, "|\n");
					out_fill(p->out, ' ', MARGIN);
				}
				out_str(p->out, n > 1 ? "   " : "---");
				put_frame_line(p, c);
				margin = 3;
			}
			if (c == end || (n && n == p->style->max_chains))
				break;
		}
	}
	if (print_branches(p, up, p->style->hist.mode == CHAIN_FRACTAL ? own : p->h->period, 1, 1,
			   margin) || n)
		out_newline(p->out);
}

/* Print the frames down to 'c', one on a line, or all on one line if 'folded'. */
static void put_path(struct printer *p, const struct hist_chain *c, bool folded)
{
	if (c->up->up) {
		put_path(p, c->up, folded);
		if (folded)
			out_str(p->out, p->style->separator ? p->style->separators : ";");
	}
	if (!folded)
		out_fill(p->out, ' ', MARGIN + 4);
	put_frame(p, c);
	if (!folded)
		out_newline(p->out);
}

static void print_list(struct printer *p, struct hist_entry *e)
{
	bool folded = p->style->hist.mode == CHAIN_FOLDED;
	u32 n = hist_flat(p->h, e), i;

	for (i = 0; i < n; i++) {
		const struct hist_chain *c = p->h->flat[i];

		out_fill(p->out, ' ', folded ? 0 : MARGIN - 1);
		put_value(p, folded ? c->hits : chain_sum(c),
			  folded ? c->n_hits : c->n_hits + c->n_below, p->h->period);
		out_char(p->out, folded ? ' ' : '\n');
		put_path(p, c, folded);
		out_newline(p->out);
		if (i + 1 == p->style->max_chains)
			break;
	}
}

/* The block */

void print_report_title(struct out *out, const struct hist *h, const struct report_style *style,
			const char *event)
{
	static const char units[] = " KMG";
	u64 n = h->n_samples, period = h->period;
	u32 unit = 0, k;

	for (k = 1; k < h->n_group; k++) {
		n += h->group[k]->n_samples;
		period += h->group[k]->period;
	}
	while (n > 1000 && unit < 3) {
		n /= 1000;
		unit++;
	}
	out_fmt(out, "# Samples: %llu%c of event%s '", n, units[unit],
		h->group || h->leads ? "s" : "");
	out_name(out, event);
	out_char(out, '\'');
	if (style->time)
		out_fmt(out, " (time slices: %s)", style->time);
	out_fmt(out, "\n# Event count (approx.): %llu\n", period);
	if (CONFIG_REPORT_MORE && style->socket)
		out_fmt(out, "# Processor Socket: %d\n", *style->socket);
	out_str(out, "#\n");
}

static void print_head(struct printer *p, const char *event)
{
	print_report_title(p->out, p->h, p->style, event);
	if (CONFIG_REPORT_MORE && p->tree) {
		report_levels_head(p, p->tree);
		return;
	}
	print_line(p, LINE_HEADS, NULL);
	if (p->style->separator)
		return;
	print_line(p, LINE_DOTS, NULL);
	out_str(p->out, "#\n");
}

void report_put_chains(struct printer *p, struct hist_entry *e)
{
	if (p->style->hist.mode < CHAIN_FLAT)
		print_graph(p, e);
	else
		print_list(p, e);
}

bool report_is_small(const struct printer *p, const struct hist_entry *e)
{
	return percent(p->style->hist.children ? e->children : e->period, p->h->period) <
	       p->style->least;
}

void print_report(struct out *out, struct hist *h, const struct report_style *style,
		  const char *event)
{
	struct printer p = { out, h, style };
	struct report_levels l;
	u32 i;

	set_widths(&p);
	if (CONFIG_REPORT_MORE && style->hierarchy && report_levels(&p, &l))
		p.tree = &l;
	if (!style->no_heads)
		print_head(&p, event);
	if (CONFIG_REPORT_MORE && p.tree)
		report_levels_rows(&p, &l);
	for (i = 0; i < h->entries.n && !(CONFIG_REPORT_MORE && p.tree); i++) {
		struct hist_entry *e = h->sorted[i];

		if (report_is_small(&p, e))
			continue;
		print_line(&p, LINE_ENTRY, e);
		if (style->hist.chains)
			report_put_chains(&p, e);
	}
	out_str(out, "\n\n");
}
