/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Moves to calls. For a move between two nodes of a tree, the calls up to their common ancestor
 * end, and the calls from there to the new node begin.
 */
#include <pt/spans.h>

/* The open calls of a track. */
struct shown_track {
	struct shown_track *older;
	struct tree_track *track;
	u32 nr;
	const struct tree_node *at;	/* the innermost frame */
	const struct tree_node *back;	/* suspended: the frame to resume; else NULL */
	u64 last, insns;		/* at the last move */
	bool named;			/* resumed: SPAN_TRACK was returned */
	struct opened { u64 at, insns; } *opened;	/* by depth: when its frame was opened */
	u32 room;
};

static struct shown_track *shown_of(struct spans *s, struct tree_track *track)
{
	struct arena *arena = &s->tree->list->session.arena;
	struct shown_track *shown = track->shown;

	if (!shown) {
		track->shown = shown = NEW(arena, struct shown_track, 1);
		shown->at = &s->tree->root;
		shown->nr = s->n_tracks++;
		shown->track = track;
		shown->older = s->newest;
		s->newest = shown;
	}
	return shown;
}

/* The ancestor of 'node' at 'depth'. */
static const struct tree_node *above(const struct tree_node *node, u32 depth)
{
	while (node->depth > depth)
		node = node->up;
	return node;
}

/* The frame of the command is the name of the track, and is not shown as a call. */
static bool is_shown(const struct spans *s, const struct tree_node *node)
{
	return node->depth >= tree_functions(s->tree);
}

static bool is_new(struct spans *s, const char *name)
{
	u32 nr = tree_name_nr(name), room = s->tree->n_names * 2;
	bool seen;

	if (nr >= s->n_seen) {
		s->seen = arena_grow(&s->tree->list->session.arena, s->seen, sizeof(*s->seen),
				     s->n_seen, room);
		s->n_seen = room;
	}
	seen = s->seen[nr];
	s->seen[nr] = true;
	return !seen;
}

/* One step towards 'to'. False if there is none, or if it is not shown. */
static bool step(struct spans *s, struct shown_track *shown, const struct tree_node *to,
		 u64 insns, struct span *span)
{
	const struct tree_node *at = shown->at;
	bool closes = above(to, at->depth) != at;
	const struct tree_node *node = closes ? at : above(to, at->depth + 1);

	struct opened *opened;

	shown->at = closes ? at->up : node;
	if (node->depth >= shown->room) {
		u32 room = MAX(node->depth + 1, shown->room * 2);

		shown->opened = arena_grow(&s->tree->list->session.arena, shown->opened,
					   sizeof(*shown->opened), shown->room, room);
		shown->room = room;
	}
	opened = &shown->opened[node->depth];
	if (!closes)
		*opened = (struct opened){ span->at, insns };
	span->kind = closes ? SPAN_CLOSE : SPAN_OPEN;
	span->name = node->name;
	span->insns = insns - opened->insns;
	span->start = opened->at;
	span->depth = node->depth - tree_functions(s->tree);
	if (!is_shown(s, node))
		return false;
	span->is_new = !closes && is_new(s, node->name);
	return true;
}

bool spans_next(struct spans *s, struct span *span)
{
	struct tree *t = s->tree;

	for (; s->i < t->n_moves; s->i++) {
		const struct tree_move *m = &t->moves[s->i];
		struct shown_track *shown = shown_of(s, m->track);

		span->track = m->track;
		span->track_nr = shown->nr;
		span->at = s->by_insns ? m->all_insns : m->ns;
		shown->last = span->at;
		shown->insns = m->insns;
		if (m->track->renamed && m->to->depth) {
			m->track->renamed = false;
			span->kind = SPAN_TRACK;
			return true;
		}
		while (shown->at != m->to)
			if (step(s, shown, m->to, m->insns, span))
				return true;
	}
	t->n_moves = s->i = 0;
	return false;
}

static void of_track(const struct shown_track *shown, struct span *span)
{
	span->track = shown->track;
	span->track_nr = shown->nr;
	span->at = shown->last;
}

bool spans_suspend(struct spans *s, struct span *span)
{
	struct shown_track *shown;

	for (shown = s->newest; shown; shown = shown->older) {
		if (!shown->back)
			shown->back = shown->at;
		of_track(shown, span);
		while (shown->at->depth)
			if (step(s, shown, &s->tree->root, shown->insns, span))
				return true;
	}
	if (s->seen)
		memset(s->seen, 0, s->n_seen * sizeof(*s->seen));
	return false;
}

bool spans_resume(struct spans *s, struct span *span)
{
	struct shown_track *shown;

	for (shown = s->newest; shown; shown = shown->older) {
		if (!shown->back)
			continue;
		of_track(shown, span);
		if (!shown->named && is_shown(s, shown->back)) {
			shown->named = true;
			span->kind = SPAN_TRACK;
			return true;
		}
		while (shown->at != shown->back)
			if (step(s, shown, shown->back, shown->insns, span))
				return true;
		/* A track without open calls gets its name with its next call. */
		shown->track->renamed |= !shown->named;
		shown->named = false;
		shown->back = NULL;
	}
	return false;
}
