/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries and call chains in the order in which they are printed.
 */
#include <pt/config/REPORT_MORE.h>
#include <pt/hist.h>
#include <pt/rbtree.h>
#include <pt/sort.h>

/* Chains: the biggest first; of equal ones, the one at the higher address. */

static i64 order(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static i64 by_frame(const struct hist *h, const struct frame *a, const struct frame *b)
{
	u8 key = h->style->key;
	u64 in_a = a->map ? a->map->dso->index + 1 : 0;
	u64 in_b = b->map ? b->map->dso->index + 1 : 0;

	if (CONFIG_REPORT_MORE && key == CHAIN_BY_LINE && (a->line || b->line))
		return a->line && b->line ? strcmp(b->line, a->line) : !b->line - !a->line;
	if (in_a != in_b)
		return order(in_b, in_a);
	if (a->sym && b->sym && !(CONFIG_REPORT_MORE && key == CHAIN_BY_ADDRESS))
		return order(b->sym->start, a->sym->start);
	return order(b->ip, a->ip);
}

static i64 by_sum(const void *who, const void *a, const void *b)
{
	const struct hist_chain *x = a, *y = b;
	i64 less = order(chain_sum(y), chain_sum(x));

	return less ? less : by_frame(who, &x->frame, &y->frame);
}

static i64 by_place(const void *who, const void *a, const void *b)
{
	const struct hist_chain *x = a, *y = b;

	return by_frame(who, &x->frame, &y->frame);
}

static i64 by_hits(const void *who, const void *a, const void *b)
{
	const struct hist_chain *x = a, *y = b;

	return order(y->hits, x->hits);
}

/* Sort the children of 'c' and drop those whose sum is below 'least'. */
static void sort_children(struct hist *h, struct hist_chain *c, u64 least)
{
	const struct hist_style *style = h->style;
	struct hist_chain **at = NEW(h->arena, struct hist_chain *, 2 * c->n_children);
	struct hist_chain *x, **to = &c->first;
	u32 n = 0, i;

	if (style->mode == CHAIN_FRACTAL) {
		double share = c->below * (style->least / 100.0);

		least = share;
		least += least < share;
	}
	for (x = c->first; x; x = x->next)
		at[n++] = x;
	sort_pointers((const void **)at, n, (const void **)at + n,
	     style->mode < CHAIN_FLAT ? by_sum : by_place, h);
	for (i = 0; i < n; i++) {
		if (style->mode < CHAIN_FLAT && chain_sum(at[i]) < least)
			continue;
		*to = at[i];
		to = &at[i]->next;
		sort_children(h, at[i], least);
	}
	*to = NULL;
}

/* Append the chains that end below 'c' to h->flat, the deepest first. Returns their number. */
static u32 collect(struct hist *h, struct hist_chain *c, u64 least, u32 n)
{
	struct hist_chain *x;

	for (x = c->first; x; x = x->next)
		n = collect(h, x, least, n);
	if (c->hits && c->hits >= least)
		h->flat[n++] = c;
	return n;
}

static u64 least_hits(const struct hist *h)
{
	return h->period * (h->style->least / 100);
}

u32 hist_flat(struct hist *h, struct hist_entry *e)
{
	u32 n;

	if (!h->flat)
		h->flat = NEW(h->arena, struct hist_chain *, 2 * h->chains.n);
	n = collect(h, &e->chain, least_hits(h), 0);
	sort_pointers((const void **)h->flat, n, (const void **)h->flat + n, by_hits, NULL);
	return n;
}

/* Entries */

static i64 by_dso(const struct frame *a, const struct frame *b)
{
	if (!a->map || !b->map)
		return !a->map - !b->map;
	return strcmp(a->map->dso->short_name, b->map->dso->short_name);
}

/* The biggest first. Equal ones are compared by the other events of the group; if these are sorted
 * by another event than the first one, by all but the first one. */
static i64 by_number(const struct hist *h, u8 column, const struct hist_entry *a,
		     const struct hist_entry *b)
{
	bool by_other = CONFIG_REPORT_MORE && h->style->event && h->style->event < h->n_group;
	i64 less = 0;
	u32 k = 0;

	if (by_other && column != HIST_CHILDREN) {
		less = order(hist_number(b, h->style->event, column),
			     hist_number(a, h->style->event, column));
		k = 1;
	}
	if (less)
		return less;
	do
		less = order(hist_number(b, k, column), hist_number(a, k, column));
	while (!less && ++k < h->n_group && column != HIST_CHILDREN);	/* as in perf */
	return less;
}

/* Compare one column as it is printed, or, if 'exact', by the key that makes entries distinct. */
static i64 by_column(const struct hist *h, u8 column, const struct hist_entry *a,
		     const struct hist_entry *b, bool exact)
{
	const u8 *keys = h->style->keys;
	i64 less;
	u32 i;

	if (CONFIG_REPORT_MORE && column >= HIST_KEY) {
		i = (const u8 *)memchr(keys, column, h->style->n_keys) - keys;
		return hist_compare_values(&a->values[i], &b->values[i]);
	}
	if (CONFIG_REPORT_MORE && column == HIST_IPC && exact)
		column = HIST_SYMBOL;
	switch (column) {
	case HIST_PID: return (i64)a->thread->tid - b->thread->tid;
	case HIST_COMM: return strcmp(a->comm, b->comm);
	case HIST_DSO: return by_dso(&a->at, &b->at);
	case HIST_CPU: return (i64)a->cpu - b->cpu;
	case HIST_TRACE: return a->trace && b->trace ? strcmp(a->trace, b->trace) : 0;
	case HIST_SYMBOL:
		if (!a->at.sym != !b->at.sym)
			return !a->at.sym - !b->at.sym;
		if (!exact)
			return a->at.sym ? strcmp(a->at.sym->name, b->at.sym->name) : 0;
		if (!a->at.sym)
			return a->at.ip - b->at.ip;
		less = by_dso(&a->at, &b->at);
		if (!less)
			less = order(a->at.sym->start, b->at.sym->start);
		return less ? less : (i64)order(a->at.sym->end, b->at.sym->end);
	}
	if (exact)
		return 0;
	if (column < HIST_OVERHEAD)
		return 0;
	less = by_number(h, column, a, b);
	/* Of equal entries in one thread the caller comes first. */
	if (less || column != HIST_CHILDREN || a->thread != b->thread || !h->style->chains)
		return less;
	less = (i64)a->depth - b->depth;
	return h->style->caller ? -less : less;
}

static i64 by_columns(const struct hist *h, const struct hist_entry *a,
		      const struct hist_entry *b, bool exact)
{
	const struct hist_style *style = h->style;
	i64 less = 0;
	u32 i;

	for (i = 0; i < style->n_sorts && !less; i++)
		if (exact || !style->hidden[style->sorts[i]])
			less = by_column(h, style->sorts[i], a, b, exact);
	return less;
}

static i64 exactly(const void *who, const void *a, const void *b)
{
	return by_columns(who, a, b, true);
}

static u32 walk(const struct rb_tree *t, u32 at, struct hist_entry **from, struct hist_entry **to,
		u32 n)
{
	if (!at)
		return n;
	n = walk(t, t->node[at].left, from, to, n);
	to[n] = from[at - 1];
	return walk(t, t->node[at].right, from, to, n + 1);
}

/* The comparison is not transitive: callers come before callees only within one thread. The result
 * depends on which entries are compared, so this inserts them into the same tree as perf does. */
static void sort_entries(struct hist *h, struct hist_entry **from)
{
	u32 n = h->entries.n, i, at, up;
	struct rb_tree tree = { .node = NEW(h->arena, struct rb_node, n + 1) };
	bool left;

	sort_pointers((const void **)from, n, (const void **)h->sorted, exactly, h);
	for (i = 1; i <= n; i++) {
		left = false;
		for (up = 0, at = tree.root; at;
		     at = left ? tree.node[up].left : tree.node[up].right) {
			left = by_columns(h, from[i - 1], from[at - 1], false) < 0;
			up = at;
		}
		rb_link(&tree, i, up, left);
	}
	walk(&tree, tree.root, from, h->sorted, 0);
}

void hist_sort(struct hist *h)
{
	struct hist_entry **at = NEW(h->arena, struct hist_entry *, h->entries.n);
	struct hashed *in;
	u32 n = 0, i;

	h->sorted = NEW(h->arena, struct hist_entry *, h->entries.n);
	for (i = 0; i < h->entries.room; i++)
		for (in = h->entries.at[i]; in; in = in->next) {
			at[n] = (struct hist_entry *)in;
			if (h->style->chains)
				sort_children(h, &at[n]->chain, least_hits(h));
			n++;
		}
	sort_entries(h, at);
}

/* --hierarchy */

struct hierarchy {
	struct hist *h;
	const struct hist_levels *levels;
	u32 level;
	struct hist_row *rows;
	u32 n, room;
};

static i64 by_keys(const struct hierarchy *y, const void *a, const void *b, bool exact)
{
	const u8 *first = &y->levels->first[y->level];
	i64 less = 0;
	u32 i;

	for (i = first[0]; i < first[1] && !less; i++)
		less = by_column(y->h, y->levels->keys[i], a, b, exact);
	return less;
}

static i64 by_key(const void *who, const void *a, const void *b)
{
	return by_keys(who, a, b, true);
}

/* Siblings: by their numbers, then as they are printed. */
static i64 by_size(const void *who, const void *a, const void *b)
{
	const struct hierarchy *y = who;
	const struct hist_style *style = y->h->style;
	i64 less = 0;
	u32 i;

	for (i = 0; i < style->n_sorts && !less; i++)
		if (style->sorts[i] >= HIST_OVERHEAD && style->sorts[i] < HIST_KEY)
			less = by_number(y->h, style->sorts[i], a, b);
	return less ? less : by_keys(y, a, b, false);
}

static void add_row(struct hierarchy *y, struct hist_entry *e)
{
	if (y->n == y->room) {
		u32 room = 2 * y->room + 64;

		y->rows = arena_grow(y->h->arena, y->rows, sizeof(*y->rows), y->n, room);
		y->room = room;
	}
	y->rows[y->n++] = (struct hist_row){ e, y->level };
}

static void add_counts(struct hist_entry *to, const struct hist_entry *from)
{
	to->n += from->n;
	to->period += from->period;
	to->sys += from->sys;
	to->children += from->children;
}

/* The sums of each event of a group. */
static struct hist_entry **sum_group(const struct hist *h, struct hist_entry **at, u32 n)
{
	struct hist_entry **sums = NEW(h->arena, struct hist_entry *, h->n_group);
	u32 i, k;

	for (k = 0; k < h->n_group; k++) {
		sums[k] = NEW(h->arena, struct hist_entry, 1);
		sums[k]->thread = at[0]->thread;
		for (i = 0; i < n; i++)
			if (at[i]->group[k])
				add_counts(sums[k], at[i]->group[k]);
	}
	return sums;
}

/* The sum of 'n' entries with the same key; or the entry, if there is one, on the last level. */
static struct hist_entry *sum_of(struct hierarchy *y, struct hist_entry **at, u32 n)
{
	struct hist_entry *sum;
	u32 i;

	if (y->level + 1 == y->levels->n && n == 1)
		return at[0];
	sum = NEW(y->h->arena, struct hist_entry, 1);
	*sum = *at[0];
	sum->chain = (struct hist_chain){ 0 };
	for (i = 1; i < n; i++)
		add_counts(sum, at[i]);
	if (y->h->n_group)
		sum->group = sum_group(y->h, at, n);
	return sum;
}

/* Entries of a group stay together: 'first' and 'n' of them in 'at'. */
struct sibling { struct hist_entry *sum; u32 first, n; };

static void add_level(struct hierarchy *y, struct hist_entry **at, u32 n)
{
	struct arena *arena = y->h->arena;
	struct hist_entry **sums = NEW(arena, struct hist_entry *, 2 * n);
	struct sibling *siblings = NEW(arena, struct sibling, n);
	u32 level = y->level, n_sums = 0, i, k;

	sort_pointers((const void **)at, n, (const void **)sums, by_key, y);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && !by_key(y, at[i], at[k]); k++)
			;
		sums[n_sums] = sum_of(y, at + i, k - i);
		siblings[n_sums] = (struct sibling){ sums[n_sums], i, k - i };
		n_sums++;
	}
	sort_pointers((const void **)sums, n_sums, (const void **)sums + n, by_size, y);
	for (i = 0; i < n_sums; i++) {
		for (k = 0; siblings[k].sum != sums[i]; k++)
			;
		add_row(y, sums[i]);
		if (level + 1 == y->levels->n)
			continue;
		y->level = level + 1;
		add_level(y, at + siblings[k].first, siblings[k].n);
		y->level = level;
	}
}

u32 hist_rows(struct hist *h, const struct hist_levels *levels, struct hist_row **rows)
{
	struct hierarchy y = { .h = h, .levels = levels };
	struct hist_entry **at = NEW(h->arena, struct hist_entry *, h->entries.n);

	memcpy(at, h->sorted, h->entries.n * sizeof(*at));
	if (h->entries.n && levels->n)
		add_level(&y, at, h->entries.n);
	*rows = y.rows;
	return y.n;
}
