/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbols, in the order in which they are found, to a table in which each address has one name.
 *
 * The chosen name is part of every line of output, so all choices are perf's: what a symbol
 * without a size covers, which of several symbols at one address is kept, and which one is found
 * where they overlap. The last depends on the history of perf's tree, so where symbols overlap
 * (and only there) that history is replayed, and its answers are kept as a list of pieces.
 */
#include <pt/rbtree.h>
#include <pt/sort.h>

#include "symtab.h"

enum { PAGE = 4096, MAX_SYMBOLS = 1 << 28 };

/* From 'start' to the next piece: symbol 'index', or none. */
struct piece {
	u64 start;
	u32 index;
};

static const u32 NONE = ~0u;

void symtab_reserve(struct symtab *t, u32 n)
{
	if (n <= t->room)
		return;
	t->at = arena_grow(&t->scratch, t->at, sizeof(*t->at), t->n, n);
	t->room = n;
}

void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, size_t len,
		enum symbol_bind bind)
{
	if (t->n == MAX_SYMBOLS)
		return;
	if (t->n == t->room)
		symtab_reserve(t, MAX(2 * t->room, 256u));
	t->at[t->n++] = (struct found){ start, start + size, name, len, 0, bind };
}

/* Sort in the symbols that were added since the last time. */
static void put_in_order(struct symtab *t)
{
	u32 i;

	if (t->n_order + t->n - t->n_known > t->order_room) {
		t->order_room = t->n;
		t->order = arena_grow(&t->scratch, t->order, sizeof(*t->order), t->n_order, t->n);
		t->spare = NEW(&t->scratch, struct sort_item, t->n);
	}
	for (i = t->n_known; i < t->n; i++)
		t->order[t->n_order++] = (struct sort_item){ t->at[i].start, i };
	t->n_known = t->n;
	sort_items(t->order, t->n_order, t->spare);
}

static struct found *nth(const struct symtab *t, u32 i)
{
	return &t->at[t->order[i].index];
}

static void fix_ends(struct symtab *t, bool kernel)
{
	u32 i;

	for (i = 0; i < t->n_order; i++) {
		struct found *f = nth(t, i), *next = i + 1 < t->n_order ? nth(t, i + 1) : NULL;

		if (f->end != f->start)
			continue;
		if (!next)
			f->end = round_up(f->start, PAGE) + PAGE;
		else if (kernel && f->in_module != next->in_module)
			f->end = round_up(f->start + PAGE, PAGE);
		else
			f->end = next->start;
	}
}

static unsigned int underscores(const struct found *f)
{
	unsigned int n = 0;

	while (n < f->len && f->name[n] == '_')
		n++;
	return n;
}

static bool begins(const struct found *f, const char *start)
{
	size_t len = strlen(start);

	return f->len >= len && !memcmp(f->name, start, len);
}

/* Is the first of two symbols at one address, 'a', kept? It is kept if it has a size, is not
 * weak, is global, has fewer leading underscores or a longer name; the first difference decides. */
static bool first_is_better(const struct found *a, const struct found *b)
{
	bool a_sized = (i64)(a->end - a->start) > 0, b_sized = (i64)(b->end - b->start) > 0;

	if (a_sized != b_sized)
		return a_sized;
	if ((a->bind == BIND_WEAK) != (b->bind == BIND_WEAK))
		return b->bind == BIND_WEAK;
	if ((a->bind == BIND_GLOBAL) != (b->bind == BIND_GLOBAL))
		return a->bind == BIND_GLOBAL;
	if (underscores(a) != underscores(b))
		return underscores(a) < underscores(b);
	if (a->len != b->len)
		return a->len > b->len;
	return !begins(a, "SyS") && !begins(a, "compat_SyS");
}

static void erase(struct symtab *t, u32 index)
{
	if (t->n_erased == t->erased_room) {
		t->erased_room = MAX(2 * t->erased_room, 256u);
		t->erased = arena_grow(&t->scratch, t->erased, sizeof(*t->erased), t->n_erased,
				       t->erased_room);
	}
	t->erased[t->n_erased++] = (struct erased){ index, t->n };
}

/* The second of two at one address was never chosen before: it has no others yet. */
static void choose(struct symtab *t)
{
	struct found *a, *b;
	u32 i, n = 0;

	for (i = 0; i < t->n_order; i++) {
		struct sort_item item = t->order[i], *last = n ? &t->order[n - 1] : NULL;

		if (!last || last->key != item.key) {
			t->order[n++] = item;
			continue;
		}
		a = &t->at[last->index];
		b = &t->at[item.index];
		if (first_is_better(a, b)) {
			b->other = a->other;
			a->other = item.index + 1;
			erase(t, item.index);
		} else {
			b->other = last->index + 1;
			erase(t, last->index);
			*last = item;
		}
	}
	t->n_order = n;
}

void symtab_fix(struct symtab *t, bool kernel)
{
	put_in_order(t);
	fix_ends(t, kernel);
	choose(t);
}

static bool overlap(const struct symtab *t)
{
	u32 i;

	for (i = 1; i < t->n_order; i++) {
		const struct found *f = nth(t, i - 1), *next = nth(t, i);

		if (f->end > next->start || f->start == next->start)
			return true;
	}
	return false;
}

/* perf's tree, with the history of 't'. Node n+1 is symbol n. */
static struct rb_tree replay(struct symtab *t)
{
	struct rb_tree tree = { NEW(&t->scratch, struct rb_node, (size_t)t->n + 1), 0 };
	u32 i, e = 0;

	for (i = 0; i < t->n; i++) {
		for (; e < t->n_erased && t->erased[e].n == i; e++)
			rb_erase(&tree, t->erased[e].index + 1);
		rb_insert(&tree, i + 1, t->at[i].start);
	}
	for (; e < t->n_erased; e++)
		rb_erase(&tree, t->erased[e].index + 1);
	return tree;
}

/* The symbol that a walk down the tree meets first, as its place in 'rank'. */
static u32 walk(const struct symtab *t, const struct rb_tree *tree, const u32 *rank, u64 addr)
{
	u32 at = tree->root;

	while (at) {
		const struct found *f = &t->at[at - 1];

		if (addr < f->start)
			at = tree->node[at].left;
		else if (addr > f->end || (addr == f->end && addr != f->start))
			at = tree->node[at].right;
		else
			return rank[at - 1];
	}
	return NONE;
}

/* Every address where the answer may change: starts, ends, and the address after a symbol of size
 * 0, which is found at its own address only. */
static struct sort_item *changes(struct symtab *t, u32 *n)
{
	struct sort_item *at = NEW(&t->scratch, struct sort_item, (size_t)t->n_order * 2);
	u32 i;

	for (i = 0; i < t->n_order; i++) {
		const struct found *f = nth(t, i);

		at[2 * i].key = f->start;
		at[2 * i + 1].key = f->end + (f->start == f->end);
	}
	*n = 2 * t->n_order;
	sort_items(at, *n, NEW(&t->scratch, struct sort_item, *n));
	return at;
}

static void cut_to_pieces(struct symtab *t, struct symbols *s, struct arena *a)
{
	struct rb_tree tree = replay(t);
	u32 *rank = NEW(&t->scratch, u32, t->n), n, i;
	struct sort_item *at = changes(t, &n);
	struct piece *pieces = NEW(&t->scratch, struct piece, n);

	for (i = 0; i < t->n_order; i++)
		rank[t->order[i].index] = i;
	for (i = 0; i < n; i++) {
		u32 index = walk(t, &tree, rank, at[i].key);

		if (s->n_pieces && pieces[s->n_pieces - 1].index == index)
			continue;
		pieces[s->n_pieces++] = (struct piece){ at[i].key, index };
	}
	s->pieces = NEW(a, struct piece, s->n_pieces);
	memcpy(s->pieces, pieces, s->n_pieces * sizeof(*pieces));
}

static void copy(const struct symtab *t, struct symbols *s, struct arena *a)
{
	size_t len = 0;
	char *names;
	u32 i, other;

	/* Each name and each list ends with a 0. */
	for (i = 0; i < t->n; i++)
		len += t->at[i].len + 2;
	names = NEW(a, char, len);
	s->n = t->n_order;
	s->at = NEW(a, struct symbol, s->n);
	for (i = 0; i < s->n; i++) {
		const struct found *f = nth(t, i);

		s->at[i] = (struct symbol){ f->start, f->end, names, f->len };
		for (;; f = &t->at[other - 1]) {
			memcpy(names, f->name, f->len);
			names += f->len + 1;
			other = f->other;
			if (!other)
				break;
		}
		names++;
	}
}

struct symbols *symtab_finish(struct symtab *t, struct arena *a)
{
	struct symbols *s = NULL;

	put_in_order(t);
	if (t->n_order) {
		s = NEW(a, struct symbols, 1);
		copy(t, s, a);
		if (overlap(t))
			cut_to_pieces(t, s, a);
	}
	arena_free(&t->scratch);
	return s;
}

/* The last of 'n' symbols, or pieces, that starts at or before 'addr'; -1 if there is none. 'start'
 * is the first one's, and 'step' how many u64 each has. */
static i64 find_last(const u64 *start, unsigned int step, u32 n, u64 addr)
{
	i64 low = -1, high = n;

	while (high - low > 1) {
		i64 mid = low + (high - low) / 2;

		if (start[mid * step] <= addr)
			low = mid;
		else
			high = mid;
	}
	return low;
}

#define FIND_LAST(array, n, addr) \
	find_last(&(array)->start, sizeof(*(array)) / sizeof(u64), n, addr)

const struct symbol *symtab_find(const struct symbols *s, u64 addr)
{
	i64 i;

	if (!s)
		return NULL;
	if (s->n_pieces) {
		i = FIND_LAST(s->pieces, s->n_pieces, addr);
		return i < 0 || s->pieces[i].index == NONE ? NULL : &s->at[s->pieces[i].index];
	}
	i = FIND_LAST(s->at, s->n, addr);
	if (i < 0 || addr > s->at[i].end || (addr == s->at[i].end && addr != s->at[i].start))
		return NULL;
	return &s->at[i];
}

bool symtab_starts_in(const struct symbols *s, u64 start, u64 end)
{
	i64 i = FIND_LAST(s->at, s->n, end - 1);

	return i >= 0 && s->at[i].start >= start;
}
