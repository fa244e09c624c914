/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The columns and sort keys of pt report.
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/REPORT_MORE.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/fail.h>
#include <pt/text.h>
#include "report.h"

static void add(u8 *list, u8 *n, u8 column)
{
	if (!memchr(list, column, *n))
		list[(*n)++] = column;
}

/* A name of a list, without the rest of the list. */
static int unknown(const char *name)
{
	static const char memory[] = "mem snoop tlb locked blocked dcacheline symbol_daddr "
		"dso_daddr symbol_iaddr phys_daddr data_page_size";
	size_t len = strcspn(name, CONFIG_REPORT_MORE ? "{}, " : ", ");
	const char *s = memory;

	for (; CONFIG_REPORT_MORE && s; s = text_after(s, " "))
		if (!strncasecmp(s, name, len))
			return fail(0, "-s %.*s: pt script -F addr,data_src prints memory accesses",
				    (int)len, name);
	return fail(0, "unknown column: %.*s (pt report --help=columns)", (int)len, name);
}

static void drop(u8 *list, u8 *n, u8 column)
{
	u8 *at = memchr(list, column, *n);

	if (at)
		memmove(at, at + 1, list + --*n - at);
}

/* The keys that a name added, from the 'from'-th on, are one level of --hierarchy. */
static void set_level(struct report *r, const u8 *list, u32 from, u32 n, u8 level)
{
	for (; from < n; from++)
		r->style.level[list[from]] = level;
}

/* Add columns by their names; those in braces are one level of --hierarchy. As in perf, only sort
 * keys may be fields of tracepoints. Returns NULL, or the first unknown name. */
static const char *add_names(struct report *r, u8 *list, u8 *n, const char *names)
{
	const char *ends = CONFIG_REPORT_MORE ? "{}, " : ", ";
	bool fields = CONFIG_REPORT_MORE && CONFIG_TRACEPOINT_TEXT && list == r->style.hist.sorts;
	bool joins = false;
	enum hist_column column;
	size_t len;
	u8 level = 0;

	for (; *names; names += len + !!names[len]) {
		u32 from = *n;

		len = strcspn(names, ends);
		if (len) {
			column = report_column(names, len);
			if (column < N_HIST_COLUMNS)
				add(list, n, column);
			else if (!fields || !report_fields_add(r, names, len))
				return names;
		}
		if (CONFIG_REPORT_MORE) {
			set_level(r, list, from, *n, level);
			level += !joins;
			joins = names[len] == '{' || (joins && names[len] != '}');
		}
	}
	return NULL;
}

static bool only_tracepoints(const struct report *r)
{
	enum { TRACEPOINT = 2 };
	const struct perf_file *f = &r->list.session.file;
	u32 i;

	for (i = 0; i < f->n_events && f->events[i]->attr.type == TRACEPOINT; i++)
		;
	return CONFIG_TRACEPOINT_TEXT && i && i == f->n_events;
}

static bool has_branch_column(const struct report_style *style)
{
	u32 i;

	for (i = 0; i < style->n_fields; i++)
		if (style->fields[i] >= HIST_KEY + KEY_DSO_FROM && style->fields[i] < HIST_FIELD)
			return true;
	return false;
}

/* Set the columns and the sort keys. Each sort key is also a column, and each column a key. */
int report_columns(struct report *r)
{
	const char *usual = !only_tracepoints(r) ? "comm,dso,symbol" :
			    CONFIG_REPORT_MORE && r->more.raw_trace ? "trace_fields" : "trace";
	const char *of_branches = "comm,dso_from,symbol_from,symbol_to,cycles";
	struct report_style *style = &r->style;
	struct hist_style *hist = &style->hist;
	const char *wrong = NULL, *more = r->fields, *sort = r->sort;
	bool strict = more && *more != '+', again = sort && *sort == '+';
	u32 i;

	if (CONFIG_BRANCH_STACKS && style->branches)
		usual = of_branches;
	if (!strict) {
		const struct { u8 column; bool on; } usual_fields[] = {
			{ HIST_CHILDREN, hist->children }, { HIST_OVERHEAD, true },
			{ HIST_SYS, r->shares }, { HIST_USER, r->shares },
			{ HIST_SAMPLES, r->samples }, { HIST_PERIOD, r->periods },
		};

		for (i = 0; i < N_ELEM(usual_fields); i++)
			if (usual_fields[i].on)
				add(style->fields, &style->n_fields, usual_fields[i].column);
		style->self = hist->children;
		if (hist->children && !(sort && text_after(sort, "overhead_children")))
			add(hist->sorts, &hist->n_sorts, HIST_CHILDREN);
		if (!(sort && text_after(sort, "overhead")))
			add(hist->sorts, &hist->n_sorts, HIST_OVERHEAD);
	}
	if (again || (!sort && !strict))
		add_names(r, hist->sorts, &hist->n_sorts, usual);
	if (sort)
		wrong = add_names(r, hist->sorts, &hist->n_sorts, sort + again);
	if (sort && text_after(sort, "symbol"))
		add(hist->sorts, &hist->n_sorts, HIST_IPC);
	if (more && !wrong)
		wrong = add_names(r, style->fields, &style->n_fields, more + !strict);
	if (wrong)
		return unknown(wrong);
	if (CONFIG_REPORT_MORE && r->more.asked_parent)
		add(hist->sorts, &hist->n_sorts, HIST_KEY + KEY_PARENT);
	for (i = 0; i < hist->n_sorts; i++)
		add(style->fields, &style->n_fields, hist->sorts[i]);
	for (i = 0; i < style->n_fields; i++)
		add(hist->sorts, &hist->n_sorts, style->fields[i]);
	if (CONFIG_BRANCH_STACKS && !style->branches && has_branch_column(style))
		return fail(0, "there is a column of branches, but no branch stacks; use "
			    "--itrace=il, or record with -b");
	if (CONFIG_REPORT_MORE)
		report_more_start(r);
	if (CONFIG_REPORT_MORE && r->more.exclude_other && !r->more.parents)
		return fail(0, "-x leaves out what -p REGEX does not select; give -p or -s parent");
	style->skip_first = sort && !more && !strncmp(sort, "sym", 3);
	return 0;
}

void report_hide(struct report *r)
{
	const struct { const char *list, *name; u8 column; } lists[] = {
		{ r->list.comms, "comm", HIST_COMM }, { r->list.dsos, "dso", HIST_DSO },
		{ r->list.symbols, "symbol", HIST_SYMBOL },
	};
	struct report_style *style = &r->style;
	u32 left = 0, i, k;

	for (i = 0; i < style->n_fields; i++) {
		if (style->fields[i] <= HIST_IPC || style->fields[i] >= HIST_KEY)
			left++;
		for (k = 0; k < N_ELEM(lists); k++) {
			if (style->fields[i] != lists[k].column || !lists[k].list ||
			    strchr(lists[k].list, ','))
				continue;
			left--;
			style->hist.hidden[lists[k].column] = true;
			out_fmt(r->out, "# %s: ", lists[k].name);
			out_name(r->out, lists[k].list);
			out_newline(r->out);
		}
	}
	if (!left)
		memset(style->hist.hidden, 0, sizeof(style->hist.hidden));
}

void report_no_children(struct report *r)
{
	if (r->fields && *r->fields != '+')
		return;
	drop(r->style.fields, &r->style.n_fields, HIST_CHILDREN);
	drop(r->style.hist.sorts, &r->style.hist.n_sorts, HIST_CHILDREN);
}
