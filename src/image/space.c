/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Address spaces: maps without overlaps, in a tree.
 *
 * A map is never changed, so a fork shares its parent's tree; the first of the two processes that
 * changes its maps gets a tree of its own, which shares most of its nodes. A space keeps its id as
 * long as all code that was decoded in it stays valid: a map in a free range, or of the same file
 * at the same place (as by mprotect), invalidates nothing.
 */
#include <pt/config/GUESTS.h>

#include "image.h"
#include "map_tree.h"

struct map_list {
	u32 refs;		/* spaces that share it */
	u32 n;
	u32 owner;		/* of the nodes that no other list uses */
	struct map_node *tree;
};

enum { MAPS_MAX = 128 << 10 };	/* no process has more */

static __attribute__((noinline)) void renew_id(struct images *im, struct space *s)
{
	if (CONFIG_GUESTS && im->host)
		im = im->host;
	s->id = ++im->n_spaces;
	s->made_id = ++im->n_spaces;
}

/* Code in [start, end) has changed. JIT compilers change their code often, in small parts. These
 * parts are in one area, which has an id of its own, so that other code stays valid (a trace of
 * javac with 2,800 changes is decoded twice as fast). All code becomes invalid where the area
 * grows. It begins before the change, because an instruction that begins before the area may end
 * in it. */
static void change(struct images *im, struct space *s, u64 start, u64 end)
{
	enum { PAGE = 4096, GRAIN = 256 << 10, BEFORE = 64 };

	if (end - start <= PAGE && !s->is_kernel && !(CONFIG_GUESTS && s->guest)) {
		start = (start - MIN(start, (u64)BEFORE)) & -(u64)GRAIN;
		end = round_up(end, GRAIN);
		if (s->made.len) {
			start = MIN(start, s->made.at);
			end = MAX(end, s->made.at + s->made.len);
		}
		if (end - start == s->made.len) {
			s->made_id = ++im->n_spaces;
			return;
		}
		s->made = (struct area){ start, end - start };
	}
	renew_id(im, s);
}

struct space *space_new(struct images *im)
{
	struct space *s = NEW(im->arena, struct space, 1);

	renew_id(im, s);
	if (CONFIG_GUESTS && im->host)
		s->guest = im;
	return s;
}

struct space *images_kernel(struct images *im)
{
	if (!im->kernel) {
		im->kernel = space_new(im);
		im->kernel->is_kernel = true;
	}
	return im->kernel;
}

struct space *space_fork(struct images *im, struct space *parent)
{
	struct space *s = NEW(im->arena, struct space, 1);

	*s = *parent;
	if (s->list)
		s->list->refs++;
	else
		renew_id(im, s);
	return s;
}

void space_clear(struct images *im, struct space *s)
{
	if (!s->list || !s->list->n)
		return;
	s->list->refs--;
	s->list = NULL;
	renew_id(im, s);
	s->version++;
}

/* Give 's' a list of its own. Nodes of a list that was shared get no owner. */
static struct map_list *own(struct images *im, struct space *s)
{
	struct map_list *old = s->list;

	if (old && old->refs == 1)
		return old;
	s->list = NEW(im->arena, struct map_list, 1);
	if (old) {
		*s->list = *old;
		old->refs--;
		old->owner = ++im->n_lists;
		renew_id(im, s);
	}
	s->list->refs = 1;
	s->list->owner = ++im->n_lists;
	return s->list;
}

static struct map_edit edit(struct images *im, const struct map_list *l)
{
	return (struct map_edit){ .arena = im->arena, .spare = im->spare_maps, .owner = l->owner };
}

const struct map *space_find(const struct space *s, u64 addr)
{
	const struct map *m = space_next(s, addr);

	return m && m->start <= addr ? m : NULL;
}

const struct map *space_next(const struct space *s, u64 addr)
{
	return s->list ? map_tree_find(s->list->tree, addr) : NULL;
}

static struct map *part(struct images *im, const struct map *m, u64 start, u64 end)
{
	struct map *p = NEW(im->arena, struct map, 1);

	*p = *m;
	p->start = start;
	p->end = end;
	p->pgoff += start - m->start;
	return p;
}

/* The maps that a new map covers. */
struct covered {
	const struct map *by, *first, *last;
	bool lost;		/* code that is not the same afterwards */
};

static void cover(void *who, const struct map *m)
{
	struct covered *c = who;

	c->first = c->first ? c->first : m;
	c->last = m;
	c->lost |= m->dso != c->by->dso || m->start - m->pgoff != c->by->start - c->by->pgoff;
}

/* Put 'm' in place of the maps that it covers; of a map that it covers in part, the rest stays. */
static void put(struct images *im, struct space *s, const struct map *m)
{
	struct map_list *l = own(im, s);
	struct map_edit e = edit(im, l);
	struct covered c = { .by = m };
	struct map_node *low, *mid, *high;

	map_tree_split_end(&e, l->tree, m->start, &low, &mid);
	map_tree_split_start(&e, mid, m->end, &mid, &high);
	l->n += 1 - map_tree_drop(&e, mid, cover, &c);
	if (c.first && c.first->start < m->start) {
		low = map_tree_join(&e, low, part(im, c.first, c.first->start, m->start), NULL);
		l->n++;
	}
	if (c.last && c.last->end > m->end) {
		high = map_tree_join(&e, NULL, part(im, c.last, m->end, c.last->end), high);
		l->n++;
	}
	l->tree = map_tree_join(&e, low, m, high);
	im->spare_maps = e.spare;
	if (c.lost)
		change(im, s, m->start, m->end);
	s->version++;
}

const struct map *space_map(struct images *im, struct space *s, u64 start, u64 len, u64 pgoff,
			    struct dso *dso, u32 prot, u32 flags)
{
	struct map *m;

	if (!len || start + len < start || (s->list && s->list->n >= MAPS_MAX))
		return NULL;
	m = NEW(im->arena, struct map, 1);
	*m = (struct map){ start, start + len, pgoff, dso, prot, flags };
	put(im, s, m);
	return m;
}

void space_unmap(struct images *im, struct space *s, u64 addr)
{
	const struct map *m = space_find(s, addr);
	struct map_node *low, *mid, *high;
	struct map_list *l;
	struct map_edit e;

	if (!m)
		return;
	l = own(im, s);
	e = edit(im, l);
	map_tree_split_end(&e, l->tree, m->start, &low, &mid);
	map_tree_split_start(&e, mid, m->end, &mid, &high);
	l->n -= map_tree_drop(&e, mid, cover, &(struct covered){ .by = m });
	l->tree = map_tree_join(&e, low, NULL, high);
	im->spare_maps = e.spare;
	renew_id(im, s);
	s->version++;
}

void space_changed(struct images *im, struct space *s)
{
	renew_id(im, s);
	s->version++;
}
