/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt diff of two profiles: the share of each function in A, and how much it differs in B.
 *
 * Functions are the same if their names and those of their files are. As in perf, the biggest
 * difference comes first, and functions that only A has come last.
 */
#include <pt/hash.h>
#include <pt/real.h>
#include <pt/sort.h>
#include "diff.h"

struct place {
	struct hashed in;	/* by the names */
	const char *dso, *name;
	bool kernel;
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
	struct arena *arena;
	struct out *out;
	struct profile *first, **last;
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

static struct place *place_of(struct compared *c, struct profile *p, const char *dso,
			      const char *name, bool kernel)
{
	u64 hash = hash_text(hash_text(kernel, dso), name);
	struct hashed *in = hash_first(&p->places, hash);
	struct place *at;

	for (; in; in = in->next) {
		at = (struct place *)in;
		if (!strcmp(at->name, name) && !strcmp(at->dso, dso) && at->kernel == kernel)
			return at;
	}
	at = NEW(c->arena, struct place, 1);
	*at = (struct place){ .in.hash = hash, .dso = arena_str(c->arena, dso),
			      .name = arena_str(c->arena, name), .kernel = kernel };
	hash_put(c->arena, &p->places, &at->in);
	return at;
}

static void add(struct compared *c, struct reader *r, const struct entry *e, u32 side)
{
	struct session *s = &r->list.session;
	u64 ip = e->recorded->ip, period = e->recorded->period;
	struct profile *p = profile_of(c, e->recorded->event->name);
	const struct map *map = session_map_at(s, e->thread, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);
	char address[32];

	fmt_str(address, sizeof(address), "0x%016llx", map ? map_addr(&s->images, map, ip) : ip);
	p->period[side] += period;
	place_of(c, p, map ? map->dso->short_name : "[unknown]", sym ? sym->name : address,
		 ip >> 63)->period[side] += period;
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

/* Printing */

static double share(const struct profile *p, const struct place *at, u32 side)
{
	return p->period[side] ? 100.0 * at->period[side] / p->period[side] : 0;
}

/* The order: by the difference, in a hundredth of its last digit; without one, the last. */
static u64 key_of(const struct profile *p, const struct place *at)
{
	double delta = share(p, at, 1) - share(p, at, 0);

	if (!at->period[1])
		return ~0ull;
	return ~0ull - 1 - (u64)((delta < 0 ? -delta : delta) * 1e10);
}

static void put_dots(struct out *out, int n)
{
	while (n-- > 0)
		out_char(out, '.');
}

static void put_heading(struct out *out, const char *event, int dso, int name)
{
	out_str(out, "# Event '");
	out_name(out, event);
	out_fmt(out, "'\n#\n# %-8s  %-9s  %-*s  %-*s\n# ", "Baseline", "Delta Abs", dso,
		"Shared Object", name, "Symbol");
	put_dots(out, 8);
	out_str(out, "  ");
	put_dots(out, 9);
	out_str(out, "  ");
	put_dots(out, dso);
	out_str(out, "  ");
	put_dots(out, name);
	out_str(out, "\n#\n");
}

static void put_place(struct out *out, const struct profile *p, const struct place *at, int dso)
{
	double delta = share(p, at, 1) - share(p, at, 0);

	if (at->period[0]) {
		out_real(out, share(p, at, 0), 9, 2);
		out_char(out, '%');
	} else {
		out_fmt(out, "%10s", "");
	}
	if (at->period[1]) {
		char text[32], *end = put_real(text + 1, delta < 0 ? -delta : delta, 2, 0);

		*text = delta < 0 ? '-' : '+';
		*end = 0;
		out_fmt(out, "  %8s%%", text);
	} else {
		out_fmt(out, "%11s", "");
	}
	out_str(out, "  ");
	out_name(out, at->dso);
	out_fmt(out, "%*s  [%c] ", MAX(dso - (int)strlen(at->dso), 0), "", at->kernel ? 'k' : '.');
	out_name(out, at->name);
	out_newline(out);
}

/* Is 'a' before 'b', of equal differences? The bigger share, then by the names. */
static bool is_before(const struct place *a, const struct place *b)
{
	int order = strcmp(a->dso, b->dso);

	if (a->period[0] != b->period[0])
		return a->period[0] > b->period[0];
	return order ? order < 0 : strcmp(a->name, b->name) < 0;
}

/* Sort by the difference; there are few that are equal. */
static void sort(const struct profile *p, struct place **all, struct sort_item *items, u32 n)
{
	u32 i, k;

	for (i = 0; i < n; i++)
		items[i].key = key_of(p, all[items[i].index]);
	sort_items(items, n, items + n);
	for (i = 1; i < n; i++)
		for (k = i; k && items[k].key == items[k - 1].key &&
			    is_before(all[items[k].index], all[items[k - 1].index]); k--) {
			struct sort_item swap = items[k];

			items[k] = items[k - 1];
			items[k - 1] = swap;
		}
}

static void print(struct compared *c, const struct profile *p)
{
	enum { MARK = 4, DSO = 13, NAME = 6 };	/* "[.] ", the headings */
	struct place **all = NEW(c->arena, struct place *, p->places.n + 1), *at;
	struct sort_item *items = NEW(c->arena, struct sort_item, 2 * p->places.n + 1);
	int dso = DSO, name = NAME;
	struct hashed *in;
	u32 n = 0, i;

	for (i = 0; i < p->places.room; i++)
		for (in = p->places.at[i]; in; in = in->next) {
			at = (struct place *)in;
			dso = MAX(dso, (int)strlen(at->dso));
			name = MAX(name, (int)strlen(at->name) + MARK);
			items[n].index = n;
			all[n++] = at;
		}
	sort(p, all, items, n);
	put_heading(c->out, p->event, dso, name);
	for (i = 0; i < n; i++)
		put_place(c->out, p, all[items[i].index], dso);
}

int diff_profiles(const struct ask *ask, const char *const path[2], struct out *out)
{
	static struct reader readers[2];
	struct compared c = { .out = out, .arena = &ask->list->session.arena };
	const struct profile *p;
	int status;
	u32 i;

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
