/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt diff of profiles: the share of each function (or file, or command) in the first one, the
 * baseline, and how much it differs in each of the others.
 *
 * Functions are the same if their names and those of their files are. As in perf, the biggest
 * difference comes first, and functions that only the baseline has come last.
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
	u64 lowest[DIFF_FILES];	/* without a symbol: the lowest address in each file, or 0 */
	u64 period[DIFF_FILES];
};

struct profile {
	struct profile *next;
	const char *event;
	u64 period[DIFF_FILES];
	bool unknown;		/* some sample has no symbol */
	struct hash_table places;
};

struct reader {
	struct ask ask;
	struct listing list;
};

struct compared {
	const struct diff_method *how;
	const char *const *paths;
	u32 n_files;
	struct arena *arena;
	struct out *out;
	struct profile *first, **last;
};

/* As in perf, events that the baseline does not have are not compared: NULL. */
static struct profile *profile_of(struct compared *c, const char *event, u32 side)
{
	struct profile *p;

	for (p = c->first; p; p = p->next)
		if (!strcmp(p->event, event))
			return p;
	if (side)
		return NULL;
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
	struct profile *p = profile_of(c, e->recorded->event->name, side);
	const struct map *map = session_map_at(s, e->thread, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);
	const char *names[DIFF_N_KEYS] = {
		[DIFF_COMM] = e->thread ? e->thread->comm : "",
		[DIFF_DSO] = map ? map->dso->short_name : "[unknown]",
	};
	u64 addr = map ? map_addr(&s->images, map, ip) : ip;
	struct place *at;
	u32 i;

	if (!p)
		return;
	names[DIFF_SYMBOL] = sym ? sym->name : "";
	for (i = 0; i < DIFF_N_KEYS; i++)
		if (!matters(c->how, i))
			names[i] = "";
	p->period[side] += period;
	at = place_of(c, p, names, matters(c->how, DIFF_SYMBOL) && ip >> 63);
	at->period[side] += period;
	/* As in perf, the DSO's column then has room for an address. */
	p->unknown |= !sym && !c->how->separator && !r->list.dsos;
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
	/* Tables are in the order of the baseline's events. */
	for (i = 0; i < r->list.session.file.n_events; i++)
		if (!is_dummy(r->list.session.file.events[i]))
			profile_of(c, r->list.session.file.events[i]->name, side);
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

static i64 weighted(const struct diff_method *how, const struct place *at, u32 side)
{
	return (i64)((u64)how->weight[1] * at->period[side] -
		     (u64)how->weight[0] * at->period[0]);
}

static bool is_delta(const struct diff_method *how)
{
	return how->by == DIFF_DELTA || how->by == DIFF_DELTA_ABS;
}

/* The difference of a function that both profiles have, or that the second has. */
static double difference(const struct diff_method *how, const struct profile *p,
			 const struct place *at, u32 side)
{
	if (how->by == DIFF_RATIO)
		return (double)at->period[side] / at->period[0];
	if (how->by == DIFF_WEIGHTED)
		return weighted(how, at, side);
	return share(p, at, side) - share(p, at, 0);
}

/* The same as a whole number: shares in units of 1e-10 %. */
static i64 rank(const struct diff_method *how, const struct profile *p, const struct place *at,
		u32 side)
{
	const i64 limit = 1ll << 60;
	double d;

	if (how->by == DIFF_RATIO && !at->period[0])
		return MIN(at->period[side], (u64)limit);
	if (how->by == DIFF_WEIGHTED)
		return MAX(MIN(weighted(how, at, side), limit), -limit);
	d = difference(how, p, at, side);
	if (how->by == DIFF_DELTA_ABS && d < 0)
		d = -d;
	return (i64)(MIN(d, 1e8) * 1e10);
}

/* The order: the biggest difference first; functions that the baseline does not have are last if
 * their difference is not printed; after all others, those that the file does not have. Side 0: the
 * biggest share first. */
static u64 key_of(const struct diff_method *how, const struct profile *p, const struct place *at,
		  u32 side)
{
	bool not_known = !is_delta(how) && !at->period[0];

	if (!side)
		return ~at->period[0];
	if (!at->period[side])
		return ~0ull;
	return ((not_known ? 3ull : 1ull) << 61) - rank(how, p, at, side);
}

/* Printing */

enum { MARK = 4, ADDRESS = 16 };	/* "[.] "; digits */
enum { N_COLUMNS = 2 + 3 * DIFF_FILES + DIFF_N_KEYS, CELL = 2100, FORMULA = 70 };

static const char *const headings[] = {
	[DIFF_COMM] = "Command", [DIFF_DSO] = "Shared Object", [DIFF_SYMBOL] = "Symbol",
};

struct column {
	enum { BASELINE, BASE_PERIOD, DIFFERENCE, FORMULAS, PERIOD, NAME } kind;
	u32 side;		/* of a number: its file */
	enum diff_key key;	/* of a name */
	char heading[24];
	int width;
};

struct table {
	const struct compared *c;
	const struct profile *p;
	struct column columns[N_COLUMNS];
	u32 n;
	u64 total;		/* period of the functions in the baseline */
};

static void add_number(struct table *t, int kind, u32 side, const char *heading, int width)
{
	struct column *c = &t->columns[t->n++];

	*c = (struct column){ .kind = kind, .side = side };
	/* Several files are told apart by their numbers. */
	fmt_str(c->heading, sizeof(c->heading), t->c->n_files > 2 ? "%s/%u" : "%s", heading, side);
	c->width = MAX(width, (int)strlen(c->heading));
}

/* The columns, in perf's order. */
static void set_columns(struct table *t, const int *widths)
{
	static const struct { const char *heading; int width; } differences[] = {
		[DIFF_DELTA_ABS] = { "Delta Abs", 9 }, [DIFF_DELTA] = { "Delta", 7 },
		[DIFF_RATIO] = { "Ratio", 14 }, [DIFF_WEIGHTED] = { "Weighted diff", 14 },
	};
	const struct diff_method *how = t->c->how;
	u32 i;

	add_number(t, BASELINE, 0, "Baseline", 8);
	if (how->periods)
		add_number(t, BASE_PERIOD, 0, "Base period", 14);
	for (i = 1; i < t->c->n_files; i++) {
		add_number(t, DIFFERENCE, i, differences[how->by].heading,
			   differences[how->by].width);
		if (how->formula)
			add_number(t, FORMULAS, i, "Formula", FORMULA);
		if (how->periods)
			add_number(t, PERIOD, i, "Period", 14);
	}
	for (i = 0; i < how->n_keys; i++) {
		struct column *c = &t->columns[t->n++];

		*c = (struct column){ NAME, .key = how->keys[i], .width = widths[how->keys[i]] };
		fmt_str(c->heading, sizeof(c->heading), "%s", headings[c->key]);
	}
}

/* Print what is between columns. */
static void put_gap(struct out *out, const struct diff_method *how, bool first, bool heading)
{
	if (how->separator)
		out_str(out, first ? heading ? " " : "" : how->separator);
	else
		out_str(out, first && heading ? " " : "  ");
}

static void put_head(struct out *out, const struct table *t)
{
	const struct diff_method *how = t->c->how;
	u32 i;

	out_str(out, "# Event '");
	out_name(out, t->p->event);
	out_str(out, "'\n#\n");
	if (t->c->n_files > 2) {
		out_str(out, "# Data files:\n");
		for (i = 0; i < t->c->n_files; i++) {
			out_fmt(out, "#  [%u] ", i);
			out_name(out, t->c->paths[i]);
			out_str(out, i ? " \n" : " (Baseline)\n");
		}
		out_str(out, "#\n");
	}
	out_char(out, '#');
	for (i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		put_gap(out, how, !i, true);
		/* perf aligns the headings of numbers to the right, those of names to the left. */
		out_fmt(out, !i || c->kind == NAME ? "%-*s" : "%*s", c->width, c->heading);
	}
	out_newline(out);
	if (how->separator)
		return;
	out_char(out, '#');
	for (i = 0; i < t->n; i++) {
		put_gap(out, how, !i, true);
		out_fill(out, '.', t->columns[i].width);
	}
	out_str(out, "\n#\n");
}

/* Of a function that the file has. */
static void difference_text(char *to, size_t size, const struct table *t, const struct place *at,
			    u32 side)
{
	const struct diff_method *how = t->c->how;
	double d;
	char *end;

	if (!is_delta(how) && !at->period[0]) {
		fmt_str(to, size, "N/A");
	} else if (how->by == DIFF_WEIGHTED) {
		fmt_str(to, size, how->separator ? "%lld" : "%14lld", weighted(how, at, side));
	} else {
		d = difference(how, t->p, at, side);
		if (is_delta(how))
			*to++ = d < 0 ? '-' : '+';
		end = put_real(to, is_delta(how) && d < 0 ? -d : d, is_delta(how) ? 2 : 6, 0);
		if (is_delta(how))
			*end++ = '%';
		*end = 0;
	}
}

static void formula_text(char *to, size_t size, const struct table *t, const struct place *at,
			 u32 side)
{
	const struct diff_method *how = t->c->how;
	u64 a = at->period[0], b = at->period[side];

	if (how->by == DIFF_RATIO)
		fmt_str(to, size, "%llu / %llu", b, a);
	else if (how->by == DIFF_WEIGHTED)
		fmt_str(to, size, "(%llu * %lld) - (%llu * %lld)", b, how->weight[1], a,
			how->weight[0]);
	else
		fmt_str(to, size, "(%llu * 100 / %llu) - (%llu * 100 / %llu)", b,
			t->p->period[side], a, t->p->period[0]);
}

/* The text of a number; empty if there is none. */
static void number_text(char *to, size_t size, const struct table *t, const struct column *c,
			const struct place *at)
{
	bool known = at->period[c->side];

	*to = 0;
	if (c->kind == BASE_PERIOD || (c->kind == PERIOD && known))
		fmt_str(to, size, "%llu", at->period[c->side]);
	else if (c->kind == BASELINE && known)
		strcpy(put_real(to, 100.0 * at->period[0] / t->total, 2, 0),
		       t->c->how->separator ? "" : "%");
	else if (c->kind == DIFFERENCE && known)
		difference_text(to, size, t, at, c->side);
	else if (c->kind == FORMULAS && known)
		formula_text(to, size, t, at, c->side);
}

/* All names are padded, except a symbol in the last column. */
static void put_name(struct out *out, const struct column *c, const struct place *at, bool last)
{
	int n = strlen(at->names[c->key]);

	if (c->key == DIFF_SYMBOL) {
		out_fmt(out, "[%c] ", at->kernel ? 'k' : '.');
		n += MARK;
	}
	out_name(out, at->names[c->key]);
	if (c->key != DIFF_SYMBOL || !last)
		out_fill(out, ' ', MAX(c->width - n, 0));
}

/* Weighted differences have 14 columns, of whatever width the heading is. */
static bool to_left(const struct table *t, const struct column *c, const char *text)
{
	return t->c->how->separator || (c->kind == DIFFERENCE && *text == ' ');
}

static void put_place(struct out *out, const struct table *t, const struct place *at)
{
	char text[160];
	u32 i;

	for (i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		put_gap(out, t->c->how, !i, false);
		if (c->kind == NAME) {
			put_name(out, c, at, i + 1 == t->n);
			continue;
		}
		number_text(text, sizeof(text), t, c, at);
		out_fmt(out, to_left(t, c, text) ? "%-*s" : "%*s", c->width, text);
	}
	out_newline(out);
}

/* Of equal differences: the bigger share, the bigger difference in another file, then the names.
 * Below 0: 'a' is before 'b'. */
static int by_rest(const struct compared *c, const struct profile *p, const struct place *a,
		   const struct place *b)
{
	const struct diff_method *how = c->how;
	int less = 0;
	u32 i;

	for (i = 0; i < c->n_files; i++) {
		u64 x = key_of(how, p, a, i), y = key_of(how, p, b, i);

		if (x != y)
			return x < y ? -1 : 1;
	}
	for (i = 0; i < how->n_keys && !less; i++) {
		const char *x = a->names[how->keys[i]], *y = b->names[how->keys[i]];

		less = *x && *y ? strcmp(x, y) : !*x - !*y;	/* code without a symbol is last */
	}
	return less;
}

/* As in perf, a row whose difference is not printed comes after those with one. */
static u64 main_key(const struct compared *c, const struct profile *p, const struct place *at)
{
	u32 side = c->how->order;
	bool not_known = side && !is_delta(c->how) && !at->period[0] && at->period[side];

	return not_known ? 3ull << 61 : key_of(c->how, p, at, side);
}

/* Sort by the difference; there are few that are equal. */
static i64 by_difference(const void *who, const void *a, const void *b)
{
	const struct table *t = who;
	u64 x = main_key(t->c, t->p, a), y = main_key(t->c, t->p, b);

	return x != y ? (x < y ? -1 : 1) : by_rest(t->c, t->p, a, b);
}

/* As in perf, all code of a file without symbols is one place. It has the name of an address. */
static void name_unknown(struct compared *c, struct place *at)
{
	char address[32];
	u32 i = 0;

	if (!matters(c->how, DIFF_SYMBOL) || *at->names[DIFF_SYMBOL])
		return;
	while (!at->period[i])
		i++;
	fmt_str(address, sizeof(address), "0x%016llx", at->lowest[i]);
	at->names[DIFF_SYMBOL] = arena_str(c->arena, address);
}

/* With -b, only functions of the baseline that some other file has, too. */
static bool is_shown(const struct compared *c, const struct place *at)
{
	u32 i = 1;

	while (i < c->n_files && !at->period[i])
		i++;
	return !c->how->both || (at->period[0] && i < c->n_files);
}

static void print(struct compared *c, const struct profile *p)
{
	struct place **all = NEW(c->arena, struct place *, 2 * p->places.n + 1), *at;
	struct table table = { .c = c, .p = p };
	int widths[DIFF_N_KEYS];
	struct hashed *in;
	u32 n = 0, i, k;

	for (k = 0; k < DIFF_N_KEYS; k++)
		widths[k] = k == DIFF_DSO && p->unknown ? ADDRESS : strlen(headings[k]);
	for (i = 0; i < p->places.room; i++)
		for (in = p->places.at[i]; in; in = in->next) {
			at = (struct place *)in;
			if (!is_shown(c, at))
				continue;
			table.total += at->period[0];
			all[n++] = at;
		}
	sort_pointers((const void **)all, n, (const void **)all + n, by_difference, &table);
	for (i = 0; i < n; i++) {
		name_unknown(c, all[i]);
		for (k = 0; k < DIFF_N_KEYS; k++)
			widths[k] = MAX(widths[k], (int)strlen(all[i]->names[k]) +
					(k == DIFF_SYMBOL ? MARK : 0));
	}
	set_columns(&table, widths);
	if (!c->how->no_heads)
		put_head(c->out, &table);
	for (i = 0; i < n; i++)
		put_place(c->out, &table, all[i]);
}

int diff_profiles(const struct ask *ask, const struct diff_method *how, const char *const *paths,
		  u32 n_files, struct out *out)
{
	static struct reader readers[DIFF_FILES];
	struct diff_method usual = *how;
	struct compared c = { .how = &usual, .paths = paths, .n_files = n_files, .out = out,
			      .arena = &ask->list->session.arena };
	const struct profile *p;
	int status;
	u32 i;

	if (!usual.n_keys)
		diff_take_keys(&usual, "dso,symbol");
	c.last = &c.first;
	for (i = 0; i < n_files; i++) {
		struct reader *r = &readers[i];

		r->list = *ask->list;
		r->list.session.arena = (struct arena){ 0 };
		r->list.path = paths[i];
		r->ask = *ask;
		r->ask.list = &r->list;
		status = read_side(&c, r, i);
		if (status)
			return status;
	}
	for (p = c.first; p; p = p->next) {
		if (p != c.first && !usual.no_heads)
			out_newline(out);
		print(&c, p);
	}
	return STATUS_DONE;
}
