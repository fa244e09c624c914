/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables of counts, in the columns of perf stat.
 *
 * A line has the name of the row, the value, its unit, the event, a ratio, the noise, and the share
 * of the time in which the event counted. All three forms have these parts in this order.
 */
#include <pt/config/CONSOLE.h>
#include <pt/config/STAT_MORE.h>
#include <pt/print_stat.h>
#include <pt/real.h>
#include <pt/term.h>
#include <pt/text.h>

enum { METRIC_COLUMN = 35, METRIC_ONLY = 20, UNIT_COLUMN = 4 };

/* Widths of columns for values and names; the NARROW ones are for a terminal. */
enum { VALUE = 18, NARROW_VALUE = 15, NAME = 32, NO_VALUE_NAME = 25, NARROW_NAME = 20 };

static int value_width(const struct stat_style *style)
{
	return style->form == STAT_CSV ? 0 : style->narrow ? NARROW_VALUE : VALUE;
}

static int name_width(const struct stat_style *style, bool counted)
{
	if (style->form == STAT_CSV)
		return 0;
	return style->narrow ? NARROW_NAME : counted ? NAME : NO_VALUE_NAME;
}

/* Copy 's' and escape control bytes. */
static void escape(char *to, size_t size, const char *s)
{
	char *p = to;

	for (; *s && p < to + size - 5; s++) {
		if (*s >= ' ' && *s < 0x7f)
			*p++ = *s;
		else
			p = put_byte(put_bytes(p, "\\x", 2), *s);
	}
	*p = 0;
}

/* Print the same, padded to 'width' (negative: aligned to the left). */
static void put_text(struct out *o, const char *s, int width)
{
	char text[512];

	escape(text, sizeof(text), s);
	out_fmt(o, "%*s", width, text);
}

void print_stat_json(struct out *o, const char *s)
{
	out_char(o, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			out_fmt(o, "\\%c", *s);
		else if ((u8)*s < ' ' || (u8)*s >= 0x7f)
			out_fmt(o, "\\u%04x", (u8)*s);
		else
			out_char(o, *s);
	}
	out_char(o, '"');
}

static void put_key(struct out *o, const char *key, const char *value)
{
	out_fmt(o, "\"%s\" : ", key);
	print_stat_json(o, value);
	out_str(o, ", ");
}

static void put_number(struct out *o, double v, int width, int decimals, char comma)
{
	out_done(o, put_real_w(out_room(o, 256), v, width, decimals, comma));
}

/* The name of a row. */

static void id_text(char *to, size_t size, enum count_by by, const struct count_row *r, bool pad,
		    int wide)
{
	const struct cpu_place *p = &r->place;
	char comm[72];

	*to = 0;
	switch (by) {
	case BY_CORE:
		fmt_str(to, size, "S%d-D%d-C%-*d", p->socket, p->die, pad ? wide : 0, p->core);
		break;
	case BY_DIE:
		fmt_str(to, size, "S%d-D%-*d", p->socket, pad ? wide : 0, p->die);
		break;
	case BY_SOCKET:
		fmt_str(to, size, "S%-*d", pad ? 5 : 0, p->socket);
		break;
	case BY_NODE:
		fmt_str(to, size, "N%-*d", pad ? 5 : 0, p->node);
		break;
	case BY_CPU:
		fmt_str(to, size, "CPU%-*d", pad ? 7 : 0, r->cpu);
		break;
	case BY_THREAD:
		escape(comm, sizeof(comm), r->comm);
		fmt_str(to, size, "%*s-%-*d", pad ? 16 : 0, comm, pad ? 8 : 0, r->tid);
		break;
	default:
		break;
	}
}

static bool has_cpus(enum count_by by)
{
	return by == BY_CORE || by == BY_DIE || by == BY_SOCKET || by == BY_NODE;
}

static void put_id(struct out *o, const struct stat_table *t, u32 row, u32 n)
{
	static const char *const keys[] = {
		[BY_CPU] = "cpu", [BY_CORE] = "core", [BY_DIE] = "die", [BY_SOCKET] = "socket",
		[BY_NODE] = "node", [BY_THREAD] = "thread",
	};
	enum count_by by = t->rows->by;
	enum stat_form form = t->style->form;
	char id[112];

	if (by == BY_NOTHING)
		return;
	id_text(id, sizeof(id), by, &t->rows->at[row], form == STAT_TEXT,
		t->style->narrow ? 2 : 8);
	if (form == STAT_JSON) {
		put_key(o, keys[by], by == BY_CPU ? id + 3 : id);
		if (has_cpus(by))
			out_fmt(o, "\"aggregate-number\" : %u, ", n);
		return;
	}
	out_fmt(o, "%s%s", id, t->style->sep);
	if (has_cpus(by))
		out_fmt(o, "%*u%s", form == STAT_CSV ? 0 : t->style->narrow ? 2 : 4, n,
			t->style->sep);
}

/* The name of an event; with the name of its PMU if several instances are shown. */
static void event_text(char *to, size_t size, const struct stat_table *t,
		       const struct event_spec *spec)
{
	const char *slash = strchr(spec->name, '/');

	if (t->style->merge || !spec->merge || spec->has_name || !spec->pmu ||
	    !strncmp(spec->name, spec->pmu, strlen(spec->pmu)))
		fmt_str(to, size, "%s", spec->name);
	else if (slash)
		fmt_str(to, size, "%s%s", spec->pmu, slash);
	else
		fmt_str(to, size, "%s [%s]", spec->name, spec->pmu);
}

static void put_cgroup(struct out *o, const struct stat_table *t, const struct event_spec *spec)
{
	const char *name = spec->cgroup ? spec->cgroup : "";

	if (!t->style->cgroups)
		return;
	if (t->style->form == STAT_JSON) {
		put_key(o, "cgroup", name);
	} else {
		out_str(o, t->style->sep);
		put_text(o, name, 0);
	}
}

/* The parts of a line. */

static void put_noise(struct out *o, const struct stat_table *t, const struct cell *cell)
{
	double percent = cell->value ? 100 * cell->noise / cell->value : 0;

	if (t->style->runs <= 1)
		return;
	if (t->style->form == STAT_JSON) {
		out_str(o, "\"variance\" : ");
		put_number(o, percent, 0, 2, 0);
		out_str(o, ", ");
	} else if (t->style->form == STAT_CSV) {
		out_str(o, t->style->sep);
		put_number(o, percent, 0, 2, 0);
		out_char(o, '%');
	} else if (percent) {
		out_str(o, t->style->narrow ? " ( +-" : "  ( +-");
		put_number(o, percent, t->style->narrow ? 0 : 6, 2, 0);
		out_str(o, "% )");
	}
}

static void put_share(struct out *o, const struct stat_table *t, const struct cell *cell)
{
	double percent = cell->running != cell->enabled ?
		100.0 * cell->running / cell->enabled : 100;

	if (t->style->form == STAT_JSON) {
		out_fmt(o, "\"event-runtime\" : %llu, \"pcnt-running\" : ", cell->running);
		put_number(o, percent, 0, 2, 0);
	} else if (t->style->form == STAT_CSV) {
		out_fmt(o, "%s%llu%s", t->style->sep, cell->running, t->style->sep);
		put_number(o, percent, 0, 2, 0);
	} else if (cell->running != cell->enabled) {
		out_str(o, "  (");
		put_number(o, percent, 0, 2, 0);
		out_str(o, "%)");
	}
}

static void put_json_metric(struct out *o, const struct stat_metric *m)
{
	out_str(o, "\"metric-value\" : ");
	put_number(o, m->value, 0, 6, 0);
	out_fmt(o, ", \"metric-unit\" : \"%s\"", m->unit);
}

static void put_metric(struct out *o, const struct stat_table *t, const struct stat_metric *m)
{
	bool known = m && m->known;
	char text[REAL_MAX + 8], *end;

	switch (t->style->form) {
	case STAT_TEXT:
		if (!known) {
			out_fill(o, ' ', t->style->narrow ? 0 : METRIC_COLUMN);
			break;
		}
		end = put_real_w(text, m->value, m->width, m->decimals, 0);
		*put_str(end, m->tail) = 0;
		out_fmt(o, " # %s %-*s", text, t->style->narrow ? 0 :
			METRIC_COLUMN - 4 - (int)strlen(text), m->unit);
		break;
	case STAT_CSV:
		out_str(o, t->style->sep);
		if (known)
			put_number(o, m->value, 0, m->decimals, 0);
		out_fmt(o, "%s%s", t->style->sep, known ? m->unit : "");
		break;
	case STAT_JSON:
		if (!known)
			break;
		out_str(o, ", ");
		put_json_metric(o, m);
		break;
	}
}

/* Print the start of a line of an interval, or of a JSON object. */
static void put_prefix(struct out *o, const struct stat_table *t)
{
	out_str(o, t->prefix);
	if (t->style->form == STAT_JSON && !*t->prefix)
		out_char(o, '{');
}

/* Print a further ratio on a line of its own, with the name of the row and nothing else. */
static void put_more(struct out *o, const struct stat_table *t, const struct stat_metric *m,
		     u32 row, u32 n)
{
	int fields = 4 + t->style->cgroups + (t->style->runs > 1);

	out_str(o, t->style->form == STAT_JSON ? "}\n" : "\n");
	put_prefix(o, t);
	put_id(o, t, row, n);
	if (t->style->form == STAT_JSON) {
		put_json_metric(o, m);
		return;
	}
	if (t->style->form == STAT_CSV)
		while (fields--)
			out_str(o, t->style->sep);
	else
		out_fill(o, ' ', (t->style->narrow ? NARROW_VALUE + NARROW_NAME + 6 : 49) +
			 (t->rows->by == BY_CPU ? 8 : 0));
	put_metric(o, t, m);
}

static const char *word_for(enum cell_state state)
{
	return state == CELL_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static void put_json_value(struct out *o, const struct event_spec *spec, const struct cell *cell,
			   const char *name)
{
	out_str(o, "\"counter-value\" : \"");
	if (cell->state == CELL_COUNTED)
		put_number(o, cell->value * spec->scale, 0, 6, 0);
	else
		out_str(o, word_for(cell->state));
	out_str(o, "\", ");
	put_key(o, "unit", spec->unit);
	put_key(o, "event", name);
}

/* Value, unit and event. */
static void put_value(struct out *o, const struct stat_table *t, const struct event_spec *spec,
		      const struct cell *cell, int unit_width)
{
	bool counted = cell->state == CELL_COUNTED, csv = t->style->form == STAT_CSV;
	bool whole = spec->scale == (double)(i64)spec->scale;
	const char *sep = t->style->sep;
	char name[256];

	event_text(name, sizeof(name), t, spec);
	if (t->style->form == STAT_JSON) {
		put_json_value(o, spec, cell, name);
		return;
	}
	if (counted)
		put_number(o, cell->value * spec->scale, value_width(t->style), whole ? 0 : 2,
			   t->style->comma);
	else
		out_fmt(o, "%*s", value_width(t->style), word_for(cell->state));
	out_fmt(o, "%s%-*s%s", sep, csv ? 0 : unit_width, spec->unit, sep);
	put_text(o, name, -name_width(t->style, counted));
}

static int unit_width(const struct stat_table *t)
{
	int width = UNIT_COLUMN;
	u32 i;

	for (i = 0; i < t->events->n; i++)
		if (t->cells[i * t->rows->n].state != CELL_NOT_SUPPORTED)
			width = MAX(width, (int)strlen(t->events->at[i].unit));
	return width;
}

static void put_reason(struct out *o, const struct stat_table *t, u32 event)
{
	out_str(o, ", \"reason\" : ");
	print_stat_json(o, t->why(t, event));
}

/* On a terminal, the part that does not fit goes to the next line. */
static void end_line(struct out *o, const struct stat_table *t, char *start)
{
	if (CONFIG_CONSOLE && t->style->narrow)
		term_break(o, start);
}

static void put_line(struct out *o, const struct stat_table *t, u32 event, u32 row, int width)
{
	const struct event_spec *spec = &t->events->at[event];
	const struct cell *cell = &t->cells[event * t->rows->n + row];
	struct stat_metric metrics[STAT_METRICS];
	bool counted = cell->state == CELL_COUNTED, text = t->style->form == STAT_TEXT;
	int n = counted ? stat_metric(metrics, t, event, row) : 0, i;
	char *start = out_room(o, 4096);

	put_prefix(o, t);
	put_id(o, t, row, cell->n);
	put_value(o, t, spec, cell, width);
	put_cgroup(o, t, spec);
	if (!text) {
		put_noise(o, t, cell);
		put_share(o, t, cell);
	}
	put_metric(o, t, n ? metrics : NULL);
	for (i = 1; i < n; i++) {
		end_line(o, t, start);
		start = o->at + 1;
		put_more(o, t, &metrics[i], row, cell->n);
	}
	if (text) {
		put_noise(o, t, cell);
		put_share(o, t, cell);
	} else if (t->style->form == STAT_JSON) {
		if (!counted && t->why)
			put_reason(o, t, event);
		out_char(o, '}');
	}
	end_line(o, t, start);
	out_newline(o);
}

/* --metric-only: one line for each row, one column for each ratio. */

/* Rates and utilization have no column. */
static bool has_column(const struct stat_metric *m)
{
	return !text_after(m->unit, "/sec") && strcmp(m->unit, "CPUs utilized");
}

static void column_name(char *to, size_t size, const struct event_spec *spec,
			const struct stat_metric *m)
{
	if (!strncmp(m->unit, "of all", 6))
		fmt_str(to, size, "%s %s", spec->name, m->unit);
	else
		fmt_str(to, size, "%s", m->unit);
}

static void put_column(struct out *o, const struct stat_table *t, const struct event_spec *spec,
		       const struct stat_metric *m, bool head, bool first)
{
	bool text = t->style->form == STAT_TEXT;
	char name[256], value[REAL_MAX + 8], *end = value;

	column_name(name, sizeof(name), spec, m);
	if (m->known)
		end = put_real_w(value, m->value, text ? m->width : 0, m->decimals, 0);
	if (m->known && text)
		end = put_str(end, m->tail);
	*end = 0;
	if (text)
		out_fmt(o, "%*s ", MAX(METRIC_ONLY, (int)strlen(name)), head ? name : value);
	else if (t->style->form == STAT_CSV)
		out_fmt(o, "%s%s", head ? name : value, t->style->sep);
	else
		out_fmt(o, "%s\"%s\" : \"%s\"", first ? "" : ", ", name, value);
}

/* Print the columns of a row, or their heads. */
static void put_columns(struct out *o, const struct stat_table *t, u32 row, bool head)
{
	struct stat_metric metrics[STAT_METRICS];
	const struct cell *cell;
	bool first = true;
	u32 i;

	for (i = 0; i < t->events->n; i++) {
		cell = &t->cells[i * t->rows->n + row];
		if (cell->state == CELL_MERGED || !stat_metric(metrics, t, i, row) ||
		    !has_column(metrics))
			continue;
		metrics[0].known &= cell->state == CELL_COUNTED;
		put_column(o, t, &t->events->at[i], metrics, head, first);
		first = false;
	}
}

static u32 most_counters(const struct stat_table *t, u32 row)
{
	u32 i, n = 0;

	for (i = 0; i < t->events->n; i++)
		n = MAX(n, t->cells[i * t->rows->n + row].n);
	return n;
}

/* On a terminal each ratio has a line, and its name follows. */
static void put_metric_lines(struct out *o, const struct stat_table *t, u32 row)
{
	struct stat_metric metrics[STAT_METRICS];
	char name[256], value[REAL_MAX + 8];
	const struct cell *cell;
	u32 i;

	for (i = 0; i < t->events->n; i++) {
		cell = &t->cells[i * t->rows->n + row];
		if (cell->state != CELL_COUNTED || !stat_metric(metrics, t, i, row) ||
		    !metrics[0].known || !has_column(metrics))
			continue;
		column_name(name, sizeof(name), &t->events->at[i], metrics);
		*put_str(put_real_w(value, metrics[0].value, metrics[0].width,
				    metrics[0].decimals, 0), metrics[0].tail) = 0;
		put_prefix(o, t);
		put_id(o, t, row, most_counters(t, row));
		out_fmt(o, "%12s  %s\n", value, name);
	}
}

static void put_metric_rows(struct out *o, const struct stat_table *t)
{
	u32 row;

	for (row = 0; row < t->rows->n; row++) {
		if (t->style->narrow) {
			put_metric_lines(o, t, row);
			continue;
		}
		put_prefix(o, t);
		put_id(o, t, row, most_counters(t, row));
		put_columns(o, t, row, false);
		out_str(o, t->style->form == STAT_JSON ? "}\n" : "\n");
	}
}

void print_stat_columns(struct out *o, const struct stat_table *t, bool interval)
{
	static const struct { const char *text, *counts, *csv; u8 width; } heads[] = {
		[BY_NOTHING] = { "", "             counts", "", 0 },
		[BY_CPU] = { " CPU    ", "                counts", "cpu,", 11 },
		[BY_CORE] = { " core            cpus", "             counts", "core,cpus,", 21 },
		[BY_DIE] = { " die          cpus", "             counts", "die,cpus,", 18 },
		[BY_SOCKET] = { " socket cpus", "             counts", "socket,cpus,", 12 },
		[BY_NODE] = { " node   cpus", "             counts", "node,cpus,", 12 },
		[BY_THREAD] = { "             comm-pid", "                  counts", "comm-pid,",
				24 },
	};
	static const u8 narrow_ids[] = {
		[BY_CPU] = 11, [BY_CORE] = 12, [BY_DIE] = 9, [BY_SOCKET] = 10, [BY_NODE] = 10,
		[BY_THREAD] = 26,
	};
	const struct stat_style *style = t->style;
	enum count_by by = t->rows->by;

	if (style->form == STAT_JSON || (style->form == STAT_CSV && !style->metric_only) ||
	    (style->narrow && style->metric_only))
		return;
	if (style->narrow) {
		out_fmt(o, "#     time%*s%*s %*s events\n", narrow_ids[by], "", NARROW_VALUE + 1,
			"counts", unit_width(t), "unit");
		return;
	}
	if (style->form == STAT_CSV)
		out_fmt(o, "%s%s", interval ? "time," : "", heads[by].csv);
	else if (interval)
		out_fmt(o, "#           time%s", heads[by].text);
	else if (style->metric_only)
		out_fill(o, ' ', heads[by].width);
	if (style->metric_only) {
		out_str(o, style->form == STAT_TEXT && interval ? " " : "");
		put_columns(o, t, 0, true);
		out_newline(o);
	} else if (interval) {
		out_fmt(o, "%s %*s events\n", heads[by].counts, unit_width(t), "unit");
	}
}

/* Rows. Rows of CPUs and threads are listed for each event; for other rows, events are listed. */

static double value_of(const struct stat_table *t, u32 event, u32 row)
{
	return t->cells[event * t->rows->n + row].value;
}

/* Sort threads by their values of an event, the largest first, with a shell sort. */
static void sort_rows(const struct stat_table *t, u32 event)
{
	u32 gap, i, k, row, *order = t->order;

	for (i = 0; i < t->rows->n; i++)
		order[i] = i;
	for (gap = t->rows->n / 2; gap; gap /= 2)
		for (i = gap; i < t->rows->n; i++) {
			row = order[i];
			for (k = i; k >= gap && value_of(t, event, order[k - gap]) <
					        value_of(t, event, row); k -= gap)
				order[k] = order[k - gap];
			order[k] = row;
		}
}

static void put_cell(struct out *o, const struct stat_table *t, u32 event, u32 row, int width)
{
	enum cell_state state = t->cells[event * t->rows->n + row].state;

	if (state == CELL_MERGED || state == CELL_EMPTY)
		return;
	if (t->skip_zero && !value_of(t, event, row))
		return;
	put_line(o, t, event, row, width);
}

static void put_rows(struct out *o, const struct stat_table *t, u32 event, int width)
{
	bool sorted = t->rows->by == BY_THREAD && t->order;
	u32 i;

	if (sorted)
		sort_rows(t, event);
	for (i = 0; i < t->rows->n; i++)
		put_cell(o, t, event, sorted ? t->order[i] : i, width);
}

void print_stat_table(struct out *o, const struct stat_table *t)
{
	int width = unit_width(t);
	u32 i, row;

	if (t->style->metric_only)
		put_metric_rows(o, t);
	else if (t->rows->by == BY_CPU || t->rows->by == BY_THREAD)
		for (i = 0; i < t->events->n; i++)
			put_rows(o, t, i, width);
	else
		for (row = 0; row < t->rows->n; row++)
			for (i = 0; i < t->events->n; i++)
				put_cell(o, t, i, row, width);
}

void print_stat_title(struct out *o, const struct stat_style *style, const char *kind,
		      const char *what)
{
	if (style->form != STAT_TEXT)
		return;
	out_fmt(o, "\n Performance counter stats for %s'", kind);
	out_name(o, what);
	out_char(o, '\'');
	if (style->runs > 1)
		out_fmt(o, " (%u runs)", style->runs);
	out_str(o, ":\n\n");
}

/* Print two digits more than the error has. */
static int digits_for(double noise)
{
	int n = 0;

	if (!noise)
		return 9;
	for (; noise < 1 && n < 7; noise *= 10)
		n++;
	return n + 2;
}

static void put_elapsed(struct out *o, const struct stat_style *style, const struct stat_end *end)
{
	int digits = style->runs > 1 ? digits_for(end->noise) : 9;

	put_number(o, end->seconds, 18, digits, 0);
	if (style->runs > 1) {
		out_str(o, " +- ");
		put_number(o, end->noise, 0, digits, 0);
	}
	out_str(o, " seconds time elapsed");
	if (style->runs > 1 && end->noise && end->seconds) {
		out_str(o, "  ( +-");
		put_number(o, 100 * end->noise / end->seconds, 6, 2, 0);
		out_str(o, "% )");
	}
}

/* A line for each run, with bars of its difference from the mean. */
static void put_runs(struct out *o, const struct stat_style *style, const struct stat_end *end)
{
	enum { BARS = 60 };
	int digits = style->runs > 1 ? digits_for(end->noise) : 9, indent, bars;
	char text[64];
	u32 i;

	*put_real_w(text, end->seconds, 18, digits, 0) = 0;
	indent = strspn(text, " ");
	out_fmt(o, "%*s# Table of individual measurements:\n", indent, "");
	for (i = 0; i < end->n_runs; i++) {
		double run = end->run_ns[i] / 1e9, off = run - end->seconds;

		put_number(o, run, 18, digits, 0);
		out_str(o, off < 0 ? " (" : " (+");
		put_number(o, off, 0, digits, 0);
		out_str(o, ") ");
		bars = run ? 1 + (int)((off < 0 ? -off : off) / run * 20) : 1;
		for (bars = MIN(bars, (int)BARS); bars > 0; bars--)
			out_char(o, '#');
		out_newline(o);
	}
	out_fmt(o, "\n%*s# Final result:\n", indent, "");
}

void print_stat_end(struct out *o, const struct stat_style *style, const struct stat_end *end,
		    bool any_event)
{
	if (style->form != STAT_TEXT)
		return;
	if (any_event)
		out_newline(o);
	if (CONFIG_STAT_MORE && end->n_runs)
		put_runs(o, style, end);
	put_elapsed(o, style, end);
	if (style->runs <= 1 && end->has_times) {
		out_str(o, "\n\n");
		put_number(o, end->user, 18, 9, 0);
		out_str(o, " seconds user\n");
		put_number(o, end->sys, 18, 9, 0);
		out_str(o, " seconds sys\n");
	}
	out_str(o, "\n\n");
}

/* Reasons. */

/* Has the event no value in any row? If rows without a value are hidden, one value is enough. */
static bool missing(const struct stat_table *t, u32 event)
{
	bool some = false;
	u32 row;

	for (row = 0; t->why && row < t->rows->n; row++) {
		enum cell_state state = t->cells[event * t->rows->n + row].state;

		some |= state == CELL_NOT_COUNTED || state == CELL_NOT_SUPPORTED;
		if (t->skip_zero && value_of(t, event, row))
			return false;
	}
	return some;
}

/* Print the names of all events from 'first' on that have the reason 'why'. */
static void put_names(struct out *o, const struct stat_table *t, u32 first, const char *why)
{
	char name[256];
	int column = 0, len;
	u32 i;

	for (i = first; i < t->events->n; i++) {
		if (!missing(t, i) || strcmp(t->why(t, i), why))
			continue;
		event_text(name, sizeof(name), t, &t->events->at[i]);
		len = strlen(name) + 2;
		if (!column || column + len > 79) {
			out_str(o, column ? ",\n    " : "    ");
			column = 4;
		} else {
			out_str(o, ", ");
		}
		put_text(o, name, 0);
		column += len;
	}
	out_newline(o);
}

static void put_why(struct out *o, const char *why)
{
	if (CONFIG_CONSOLE)
		term_words(o, why, 2);
	else
		out_str(o, why);
	out_str(o, ":\n");
}

void print_stat_reasons(struct out *o, const struct stat_table *t, bool gap)
{
	char why[256];
	u32 i, k;

	for (i = 0; i < t->events->n; i++) {
		if (!missing(t, i))
			continue;
		fmt_str(why, sizeof(why), "%s", t->why(t, i));
		for (k = 0; k < i && !(missing(t, k) && !strcmp(t->why(t, k), why)); k++)
			;
		if (k < i)
			continue;
		out_str(o, gap ? "\n  " : "  ");
		put_why(o, why);
		gap = false;
		put_names(o, t, i, why);
	}
}
