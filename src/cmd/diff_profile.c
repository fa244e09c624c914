/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt diff of two profiles: the share of each function (or file, or command) in A, and how much it
 * differs in B.
 *
 * Functions are the same if their names and those of their files are. As in perf, the biggest
 * difference comes first, and functions that only A has come last.
 */
#include <pt/hash.h>
#include <pt/num.h>
#include <pt/real.h>
#include <pt/sort.h>
#include "diff.h"

struct place {
	struct hashed in;	/* by the names */
	const char *names[DIFF_N_KEYS];	/* "" if it does not matter */
	bool kernel;
	u64 lowest[2];		/* without a symbol: the lowest address in A and in B, or 0 */
	u64 period[2];		/* in A and in B */
};

struct profile {
	struct profile *next;
	const char *event;
	u64 period[2];
	struct hash_table places;
};

struct reader {
	struct ask ask;
	struct listing list;
};

struct compared {
	const struct diff_method *how;
	struct arena *arena;
	struct out *out;
	struct profile *first, **last;
	bool unknown;		/* some sample has no symbol */
};

static struct profile *profile_of(struct compared *c, const char *event)
{
	struct profile *p;

	for (p = c->first; p; p = p->next)
		if (!strcmp(p->event, event))
			return p;
	p = NEW(c->arena, struct profile, 1);
	p->event = event;
	*c->last = p;
	c->last = &p->next;
	return p;
}

static bool has_names(const struct place *at, const char *const names[DIFF_N_KEYS])
{
	u32 i;

	for (i = 0; i < DIFF_N_KEYS && !strcmp(at->names[i], names[i]); i++)
		;
	return i == DIFF_N_KEYS;
}

static struct place *place_of(struct compared *c, struct profile *p,
			      const char *const names[DIFF_N_KEYS], bool kernel)
{
	struct hashed *in;
	struct place *at;
	u64 hash = kernel;
	u32 i;

	for (i = 0; i < DIFF_N_KEYS; i++)
		hash = hash_text(hash, names[i]);
	for (in = hash_first(&p->places, hash); in; in = in->next) {
		at = (struct place *)in;
		if (has_names(at, names) && at->kernel == kernel)
			return at;
	}
	at = NEW(c->arena, struct place, 1);
	*at = (struct place){ .in.hash = hash, .kernel = kernel };
	for (i = 0; i < DIFF_N_KEYS; i++)
		at->names[i] = arena_str(c->arena, names[i]);
	hash_put(c->arena, &p->places, &at->in);
	return at;
}

static bool matters(const struct diff_method *how, enum diff_key key)
{
	u32 i;

	for (i = 0; i < how->n_keys; i++)
		if (how->keys[i] == key)
			return true;
	return false;
}

static void add(struct compared *c, struct reader *r, const struct entry *e, u32 side)
{
	struct session *s = &r->list.session;
	u64 ip = e->recorded->ip, period = e->recorded->period;
	struct profile *p = profile_of(c, e->recorded->event->name);
	const struct map *map = session_map_at(s, e->thread, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);
	const char *names[DIFF_N_KEYS] = {
		[DIFF_COMM] = e->thread ? e->thread->comm : "",
		[DIFF_DSO] = map ? map->dso->short_name : "[unknown]",
	};
	u64 addr = map ? map_addr(&s->images, map, ip) : ip;
	struct place *at;
	u32 i;

	names[DIFF_SYMBOL] = sym ? sym->name : "";
	for (i = 0; i < DIFF_N_KEYS; i++)
		if (!matters(c->how, i))
			names[i] = "";
	p->period[side] += period;
	at = place_of(c, p, names, matters(c->how, DIFF_SYMBOL) && ip >> 63);
	at->period[side] += period;
	/* As in perf, the DSO's column then has room for an address. */
	c->unknown |= !sym;
	if (!sym && (!at->lowest[side] || addr < at->lowest[side]))
		at->lowest[side] = addr;
}

static bool is_dummy(const struct perf_event *e)
{
	enum { SOFTWARE = 1, DUMMY = 9 };

	return e->attr.type == SOFTWARE && e->attr.config == DUMMY;
}

static int read_side(struct compared *c, struct reader *r, u32 side)
{
	struct entry e;
	int status, err;
	u32 i;

	r->list.options.no_decode = true;
	if ((status = ask_open(&r->ask)) || (status = ask_start(&r->ask)))
		return status;
	/* Tables are in the order of A's events. */
	for (i = 0; i < r->list.session.file.n_events; i++)
		if (!is_dummy(r->list.session.file.events[i]))
			profile_of(c, r->list.session.file.events[i]->name);
	while ((err = listing_next(&r->list, &e)) > 0)
		if (e.kind == ENTRY_RECORDED && e.wanted)
			add(c, r, &e, side);
	return ask_read(&r->ask, err);
}

/* What is compared */

static const char *const methods[] = {
	[DIFF_DELTA_ABS] = "delta-abs", [DIFF_DELTA] = "delta", [DIFF_RATIO] = "ratio",
	[DIFF_WEIGHTED] = "wdiff:",
};

static const char *take_weight(const char *s, i64 *weight)
{
	bool negative = *s == '-';
	u64 v;

	s = num_read(s + negative, 10, &v);
	if (s)
		*weight = negative ? -(i64)v : (i64)v;
	return s;
}

bool diff_take_method(struct diff_method *how, const char *text)
{
	u32 i;

	for (i = 0; i < DIFF_WEIGHTED; i++)
		if (!strcmp(text, methods[i])) {
			how->by = i;
			return true;
		}
	if (strncmp(text, methods[i], strlen(methods[i])))
		return false;
	how->by = DIFF_WEIGHTED;
	text = take_weight(text + strlen(methods[i]), &how->weight[0]);
	if (!text || *text != ',')
		return false;
	text = take_weight(text + 1, &how->weight[1]);
	return text && !*text;
}

bool diff_take_keys(struct diff_method *how, const char *text)
{
	static const struct { const char *name; u8 key; } names[] = {
		{ "comm", DIFF_COMM }, { "dso", DIFF_DSO }, { "symbol", DIFF_SYMBOL },
		{ "sym", DIFF_SYMBOL },
	};
	size_t len;
	u32 i, k;

	for (how->n_keys = 0; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		for (i = 0; i < N_ELEM(names); i++)
			if (strlen(names[i].name) == len && !strncmp(names[i].name, text, len))
				break;
		if (i == N_ELEM(names))
			return false;
		for (k = 0; k < how->n_keys && how->keys[k] != names[i].key; k++)
			;
		if (k == how->n_keys)
			how->keys[how->n_keys++] = names[i].key;
	}
	return how->n_keys;
}

static double share(const struct profile *p, const struct place *at, u32 side)
{
	return p->period[side] ? 100.0 * at->period[side] / p->period[side] : 0;
}

static i64 weighted(const struct diff_method *how, const struct place *at)
{
	return (i64)((u64)how->weight[1] * at->period[1] - (u64)how->weight[0] * at->period[0]);
}

static bool is_delta(const struct diff_method *how)
{
	return how->by == DIFF_DELTA || how->by == DIFF_DELTA_ABS;
}

/* The difference of a function that both profiles have, or that B has. */
static double difference(const struct diff_method *how, const struct profile *p,
			 const struct place *at)
{
	if (how->by == DIFF_RATIO)
		return (double)at->period[1] / at->period[0];
	if (how->by == DIFF_WEIGHTED)
		return weighted(how, at);
	return share(p, at, 1) - share(p, at, 0);
}

/* The same as a whole number: shares in units of 1e-10 %. */
static i64 rank(const struct diff_method *how, const struct profile *p, const struct place *at)
{
	const i64 limit = 1ll << 60;
	double d;

	if (how->by == DIFF_RATIO && !at->period[0])
		return MIN(at->period[1], (u64)limit);
	if (how->by == DIFF_WEIGHTED)
		return MAX(MIN(weighted(how, at), limit), -limit);
	d = difference(how, p, at);
	if (how->by == DIFF_DELTA_ABS && d < 0)
		d = -d;
	return (i64)(MIN(d, 1e8) * 1e10);
}

/* The order: the biggest difference first; functions that only B has are last if their difference
 * is not printed; after all others, those that only A has. */
static u64 key_of(const struct diff_method *how, const struct profile *p, const struct place *at)
{
	bool not_known = !is_delta(how) && !at->period[0];

	if (!at->period[1])
		return ~0ull;
	return ((not_known ? 3ull : 1ull) << 61) - rank(how, p, at);
}

/* Printing */

enum { MARK = 4, ADDRESS = 16 };	/* "[.] "; digits */
enum { N_COLUMNS = 5 + DIFF_N_KEYS };

struct column { const char *heading; int width; bool is_name; };

static const char *const headings[] = {
	[DIFF_COMM] = "Command", [DIFF_DSO] = "Shared Object", [DIFF_SYMBOL] = "Symbol",
};

/* The columns that are printed, up to the one without a width, in perf's order. */
static void columns_of(const struct diff_method *how, const int *widths, struct column *c)
{
	u32 i;

	static const struct column differences[] = {
		[DIFF_DELTA_ABS] = { "Delta Abs", 9 }, [DIFF_DELTA] = { "Delta", 7 },
		[DIFF_RATIO] = { "Ratio", 14 }, [DIFF_WEIGHTED] = { "Weighted diff", 14 },
	};

	*c++ = (struct column){ "Baseline", 8 };
	if (how->periods)
		*c++ = (struct column){ "Base period", 14 };
	*c++ = differences[how->by];
	if (how->formula)
		*c++ = (struct column){ "Formula", 70 };
	if (how->periods)
		*c++ = (struct column){ "Period", 14 };
	for (i = 0; i < how->n_keys; i++)
		*c++ = (struct column){ headings[how->keys[i]], widths[how->keys[i]], true };
}

static void put_heading(struct out *out, const struct diff_method *how, const char *event,
			const int *widths)
{
	struct column columns[N_COLUMNS + 1] = { { 0 } }, *c;

	columns_of(how, widths, columns);
	out_str(out, "# Event '");
	out_name(out, event);
	out_str(out, "'\n#\n#");
	for (c = columns; c->width; c++) {
		out_str(out, c == columns ? " " : "  ");
		/* perf aligns the headings of numbers to the right, those of names to the left. */
		out_fmt(out, c == columns || c->is_name ? "%-*s" : "%*s", c->width, c->heading);
	}
	out_str(out, "\n#");
	for (c = columns; c->width; c++) {
		out_str(out, c == columns ? " " : "  ");
		out_fill(out, '.', c->width);
	}
	out_str(out, "\n#\n");
}

/* The difference, or blanks if B does not have the function. */
static void put_difference(struct out *out, const struct diff_method *how, const struct profile *p,
			   const struct place *at)
{
	static const u8 widths[] = { 8, 6, 14, 14 };	/* without '%' */
	double d;

	if (!at->period[1]) {
		out_fmt(out, "%*s", widths[how->by] + 2 + is_delta(how), "");
	} else if (is_delta(how)) {
		char text[32], *end;

		d = difference(how, p, at);
		*text = d < 0 ? '-' : '+';
		end = put_real(text + 1, d < 0 ? -d : d, 2, 0);
		*end = 0;
		out_fmt(out, "  %*s%%", widths[how->by], text);
	} else if (!at->period[0]) {
		out_fmt(out, "  %*s", widths[how->by], "N/A");
	} else if (how->by == DIFF_RATIO) {
		out_str(out, "  ");
		out_real(out, difference(how, p, at), widths[how->by], 6);
	} else {
		out_fmt(out, "  %*lld", widths[how->by], weighted(how, at));
	}
}

static void put_formula(struct out *out, const struct diff_method *how, const struct profile *p,
			const struct place *at)
{
	enum { ROOM = 160 };
	char text[ROOM] = "";
	u64 a = at->period[0], b = at->period[1];

	if (b && how->by == DIFF_RATIO)
		fmt_str(text, sizeof(text), "%llu / %llu", b, a);
	else if (b && how->by == DIFF_WEIGHTED)
		fmt_str(text, sizeof(text), "(%llu * %lld) - (%llu * %lld)", b, how->weight[1], a,
			how->weight[0]);
	else if (b)
		fmt_str(text, sizeof(text), "(%llu * 100 / %llu) - (%llu * 100 / %llu)", b,
			p->period[1], a, p->period[0]);
	out_fmt(out, "  %70s", text);
}

/* All columns but the symbol at the end are filled up. */
static void put_names(struct out *out, const struct diff_method *how, const struct place *at,
		      const int *widths)
{
	u32 i;

	for (i = 0; i < how->n_keys; i++) {
		enum diff_key key = how->keys[i];
		int n = strlen(at->names[key]);

		out_str(out, "  ");
		if (key == DIFF_SYMBOL) {
			out_fmt(out, "[%c] ", at->kernel ? 'k' : '.');
			n += MARK;
		}
		out_name(out, at->names[key]);
		if (key != DIFF_SYMBOL || i + 1 < how->n_keys)
			out_fmt(out, "%*s", MAX(widths[key] - n, 0), "");
	}
	out_newline(out);
}

static void put_place(struct out *out, const struct diff_method *how, const struct profile *p,
		      const struct place *at, u64 total, const int *widths)
{
	if (at->period[0]) {
		out_real(out, 100.0 * at->period[0] / total, 9, 2);
		out_char(out, '%');
	} else {
		out_fmt(out, "%10s", "");
	}
	if (how->periods)
		out_fmt(out, "  %14llu", at->period[0]);
	put_difference(out, how, p, at);
	if (how->formula)
		put_formula(out, how, p, at);
	if (how->periods && at->period[1])
		out_fmt(out, "  %14llu", at->period[1]);
	else if (how->periods)
		out_fmt(out, "  %14s", "");
	put_names(out, how, at, widths);
}

/* Is 'a' before 'b', of equal differences? The bigger share, then by the names. */
static bool is_before(const struct diff_method *how, const struct place *a, const struct place *b)
{
	u32 i;

	if (a->period[0] != b->period[0])
		return a->period[0] > b->period[0];
	for (i = 0; i < how->n_keys; i++) {
		const char *x = a->names[how->keys[i]], *y = b->names[how->keys[i]];

		if (strcmp(x, y))	/* code without a symbol is last */
			return !*x != !*y ? !*y : strcmp(x, y) < 0;
	}
	return false;
}

/* Sort by the difference; there are few that are equal. */
static void sort(const struct diff_method *how, const struct profile *p, struct place **all,
		 struct sort_item *items, u32 n)
{
	u32 i, k;

	for (i = 0; i < n; i++)
		items[i].key = key_of(how, p, all[items[i].index]);
	sort_items(items, n, items + n);
	for (i = 1; i < n; i++)
		for (k = i; k && items[k].key == items[k - 1].key &&
			    is_before(how, all[items[k].index], all[items[k - 1].index]); k--) {
			struct sort_item swap = items[k];

			items[k] = items[k - 1];
			items[k - 1] = swap;
		}
}

/* As in perf, all code of a file without symbols is one place. It has the name of an address. */
static void name_unknown(struct compared *c, struct place *at)
{
	char address[32];

	if (!matters(c->how, DIFF_SYMBOL) || *at->names[DIFF_SYMBOL])
		return;
	fmt_str(address, sizeof(address), "0x%016llx", at->lowest[!at->period[0]]);
	at->names[DIFF_SYMBOL] = arena_str(c->arena, address);
}

static void print(struct compared *c, const struct profile *p)
{
	struct place **all = NEW(c->arena, struct place *, p->places.n + 1), *at;
	struct sort_item *items = NEW(c->arena, struct sort_item, 2 * p->places.n + 1);
	int widths[DIFF_N_KEYS];
	struct hashed *in;
	u64 total = 0;
	u32 n = 0, i, k;

	for (k = 0; k < DIFF_N_KEYS; k++)
		widths[k] = k == DIFF_DSO && c->unknown ? ADDRESS : strlen(headings[k]);
	for (i = 0; i < p->places.room; i++)
		for (in = p->places.at[i]; in; in = in->next) {
			at = (struct place *)in;
			if (c->how->both && (!at->period[0] || !at->period[1]))
				continue;
			total += at->period[0];
			items[n].index = n;
			all[n++] = at;
		}
	sort(c->how, p, all, items, n);
	for (i = 0; i < n; i++) {
		name_unknown(c, all[i]);
		for (k = 0; k < DIFF_N_KEYS; k++)
			widths[k] = MAX(widths[k], (int)strlen(all[i]->names[k]) +
					(k == DIFF_SYMBOL ? MARK : 0));
	}
	put_heading(c->out, c->how, p->event, widths);
	for (i = 0; i < n; i++)
		put_place(c->out, c->how, p, all[items[i].index], total, widths);
}

int diff_profiles(const struct ask *ask, const struct diff_method *how, const char *const path[2],
		  struct out *out)
{
	static struct reader readers[2];
	struct diff_method usual = *how;
	struct compared c = { .how = &usual, .out = out, .arena = &ask->list->session.arena };
	const struct profile *p;
	int status;
	u32 i;

	if (!usual.n_keys)
		diff_take_keys(&usual, "dso,symbol");
	c.last = &c.first;
	for (i = 0; i < 2; i++) {
		struct reader *r = &readers[i];

		r->list = *ask->list;
		r->list.session.arena = (struct arena){ 0 };
		r->list.path = path[i];
		r->ask = *ask;
		r->ask.list = &r->list;
		status = read_side(&c, r, i);
		if (status)
			return status;
	}
	for (p = c.first; p; p = p->next) {
		if (p != c.first)
			out_newline(out);
		print(&c, p);
	}
	return STATUS_DONE;
}
