/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code bytes for the flow decoder: from the address space of the thread whose trace a queue has,
 * or from the kernel's.
 *
 * A trace may go through a missing file many times. perf reports that twice (once if it tried to
 * read the file before), and then treats the file as known; so does this.
 */
#include <pt/config/GUESTS.h>
#include <pt/config/KERNEL.h>
#include <pt/config/SAMPLE_COLUMNS.h>

#include "session.h"

enum { TRIED = 1, KNOWN = 2 };	/* dso_state */

/* Guest code is not in the host's maps. In a bare trace it is the code that the command line
 * maps. */
static struct space *space_at(struct queue *q, u64 ip)
{
	bool nr = q->given ? q->given - 1 : q->flow->arch.nr;

	if (nr && q->session->source->threads)
		return CONFIG_GUESTS ? guest_space(q, ip) : NULL;
	if (ip >> 63)
		return images_kernel(&q->session->images);
	return q->thread ? q->thread->space : NULL;
}

struct bytes code_fetch(void *who, u64 ip)
{
	struct session *s = who;
	struct space *space = space_at(s->fetching, ip);

	return space ? space_bytes(&s->images, space, ip) : (struct bytes){ 0 };
}

static u8 *state_of(struct session *s, const struct dso *dso)
{
	if (dso->index >= s->n_dso_state) {
		u32 room = MAX(s->n_dso_state, 64u);

		while (room <= dso->index)
			room *= 2;
		s->dso_state = arena_grow(&s->arena, s->dso_state, 1, s->n_dso_state, room);
		s->n_dso_state = room;
	}
	return &s->dso_state[dso->index];
}

/* Count the trace that was lost since the last gap as lost in that gap. */
void code_settle(struct queue *q)
{
	const struct flow *f = q->flow;

	if (q->gap_dso) {
		q->gap_dso->lost.branches += f->unread - q->unread;
		q->gap_dso->lost.ticks += f->unread_ticks - q->unread_ticks;
	}
	q->unread = f->unread;
	q->unread_ticks = f->unread_ticks;
}

bool code_known_gap(void *who, u64 ip)
{
	struct session *s = who;
	struct space *space = space_at(s->fetching, ip);
	const struct map *map = space ? space_find(space, ip) : NULL;
	u8 *state;

	if (!map || !map->dso->missing)
		return false;
	dso_say_missing(map->dso->guest ? map->dso->guest : &s->images, map->dso);
	code_settle(s->fetching);
	s->fetching->gap_dso = map->dso;
	map->dso->lost.gaps++;
	state = state_of(s, map->dso);
	if (*state == KNOWN)
		return true;
	++*state;
	return false;
}

/* The bytes of 'dso' were needed and are not available. */
void code_missing(struct session *s, struct dso *dso)
{
	u8 *state = state_of(s, dso);

	if (!*state)
		*state = TRIED;
}

/* Look at the files mapped in a space until one can be read. Returns whether there is one. */
static bool look_at_files(struct session *s, const struct space *space)
{
	const struct map *map;
	u64 at = 0;

	for (; (map = space_next(space, at)); at = map->end) {
		if (map->dso->kind != DSO_FILE)
			continue;
		if (dso_bytes(&s->images, map->dso, 0).len)
			return true;
		code_missing(s, map->dso);
	}
	return false;
}

/* To find out which vDSO this is, perf looks at the other maps. */
void code_vdso_mapped(struct session *s, struct thread *t)
{
	if (!s->options.no_decode)
		look_at_files(s, t->space);
}

void code_space(struct queue *q)
{
	struct session *s = q->session;
	const struct space *space = q->thread ? q->thread->space : NULL;
	u64 key[3] = { 0, 0, images_kernel(&s->images)->id };

	if (space) {
		key[0] = space->id;
		key[1] = space->made_id;
		s->runs.made = space->made;
	}
	if (CONFIG_GUESTS) {
		key[0] = guest_key(q, key[0]);
		key[1] = guest_key(q, key[1]);
	}
	/* Guests have address spaces of their own: see space_at(). */
	flow_space(q->flow, key);
	s->fetching = q;
}

const struct space *session_space_at(struct session *s, const struct thread *t, u64 ip)
{
	if (CONFIG_GUESTS && ip >> 63 && t && t->guest)
		return images_kernel(&t->guest->images);
	if (ip >> 63)
		return images_kernel(&s->images);
	return t ? t->space : NULL;
}

const struct map *session_map_at(struct session *s, const struct thread *t, u64 ip)
{
	const struct space *space = session_space_at(s, t, ip);
	const struct map *map = space ? space_find(space, ip) : NULL;

	if (CONFIG_KERNEL && CONFIG_SAMPLE_COLUMNS && !map && space &&
	    space == images_kernel(&s->images))
		map = images_kernel_rest(&s->images, ip);
	return map;
}

const struct symbol *session_symbol_at(struct session *s, const struct map *map, u64 ip)
{
	return map ? dso_symbol(&s->images, map->dso, map_addr(&s->images, map, ip)) : NULL;
}

void session_looked_at(struct session *s, const struct thread *t, u64 ip)
{
	const struct map *map = session_map_at(s, t, ip);

	if (map && !dso_bytes(&s->images, map->dso, ip - map->start + map->pgoff).len)
		code_missing(s, map->dso);
}
