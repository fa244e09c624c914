/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Address spaces: sorted lists of maps without overlaps.
 *
 * A map is never changed, so a fork shares its parent's list, and whoever of
 * the two changes first takes a copy. A space keeps its id as long as all that
 * was decoded in it stays right: a map put into a hole, or over the same file
 * at the same place (mprotect does that), voids nothing.
 */
#include "image.h"

struct map_list {
	u32 refs;		/* spaces that share it */
	u32 n, room;
	struct map **at;
};

/* More maps than that are in no process; and all that forks may cost. */
enum { ROOM_MIN = 16, MAPS_MAX = 128 << 10, COPIED_MAX = 32 << 20 };

static struct map_list *list_new(struct images *im, u32 room)
{
	struct map_list *l = NEW(im->arena, struct map_list, 1);

	l->refs = 1;
	l->room = MAX(room, (u32)ROOM_MIN);
	l->at = NEW(im->arena, struct map *, l->room);
	return l;
}

static void renew_id(struct images *im, struct space *s)
{
	s->id = ++im->n_spaces;
}

struct space *space_new(struct images *im)
{
	struct space *s = NEW(im->arena, struct space, 1);

	renew_id(im, s);
	return s;
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
	if (s->list->refs > 1) {
		s->list->refs--;
		s->list = NULL;
	} else {
		s->list->n = 0;
	}
	renew_id(im, s);
	s->version++;
}

/* Make the list of 's' its own, with room for 'more' maps. */
static void own(struct images *im, struct space *s, u32 more)
{
	struct map_list *old = s->list, *l;
	u32 copied;

	if (!old) {
		s->list = list_new(im, more);
		return;
	}
	if (old->refs == 1) {
		if (old->n + more <= old->room)
			return;
		old->at = arena_grow(im->arena, old->at, sizeof(*old->at), old->n, old->room * 2);
		old->room *= 2;
		return;
	}
	copied = im->n_copied + old->n <= COPIED_MAX ? old->n : 0;
	l = list_new(im, copied + more);
	memcpy(l->at, old->at, copied * sizeof(*l->at));
	l->n = copied;
	im->n_copied += copied;
	old->refs--;
	s->list = l;
	renew_id(im, s);
}

/* The place of the first map that ends behind 'addr'. */
static u32 find(const struct map_list *l, u64 addr)
{
	u32 low = 0, high = l->n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (l->at[mid]->end > addr)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

const struct map *space_find(const struct space *s, u64 addr)
{
	u32 i;

	if (!s->list)
		return NULL;
	i = find(s->list, addr);
	return i < s->list->n && s->list->at[i]->start <= addr ? s->list->at[i] : NULL;
}

const struct map *space_next(const struct space *s, u64 addr)
{
	u32 i;

	if (!s->list)
		return NULL;
	i = find(s->list, addr);
	return i < s->list->n ? s->list->at[i] : NULL;
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

static bool same_code(const struct map *a, const struct map *b)
{
	return a->dso == b->dso && a->start - a->pgoff == b->start - b->pgoff;
}

/* Put 'm' in place of what it covers; of maps covered in part a piece stays. */
static void put(struct images *im, struct space *s, struct map *m)
{
	struct map_list *l = s->list;
	u32 from = find(l, m->start), to = from, n = 0;
	struct map *now[3];
	bool lost = false;

	while (to < l->n && l->at[to]->start < m->end)
		lost |= !same_code(l->at[to++], m);
	if (from < to && l->at[from]->start < m->start)
		now[n++] = part(im, l->at[from], l->at[from]->start, m->start);
	now[n++] = m;
	if (from < to && l->at[to - 1]->end > m->end)
		now[n++] = part(im, l->at[to - 1], m->end, l->at[to - 1]->end);
	memmove(l->at + from + n, l->at + to, (l->n - to) * sizeof(*l->at));
	memcpy(l->at + from, now, n * sizeof(*now));
	l->n = l->n - (to - from) + n;
	if (lost)
		renew_id(im, s);
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
	own(im, s, 2);
	put(im, s, m);
	return m;
}

void space_unmap(struct images *im, struct space *s, u64 addr)
{
	u32 i;

	if (!space_find(s, addr))
		return;
	own(im, s, 0);
	i = find(s->list, addr);
	s->list->n--;
	memmove(s->list->at + i, s->list->at + i + 1, (s->list->n - i) * sizeof(*s->list->at));
	renew_id(im, s);
	s->version++;
}

void space_changed(struct images *im, struct space *s)
{
	renew_id(im, s);
	s->version++;
}
