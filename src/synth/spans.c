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
	const struct tree_node *at;	/* the innermost frame */
	u64 *insns;			/* of the track when the frame at a depth was opened */
	u32 room;
};

static struct shown_track *shown_of(struct spans *s, struct tree_track *track)
{
	struct arena *arena = &s->tree->list->session.arena;
	struct shown_track *shown = track->shown;

	if (!shown) {
		track->shown = shown = NEW(arena, struct shown_track, 1);
		shown->track = track;
		shown->at = &s->tree->root;
		shown->older = s->tracks;
		s->tracks = shown;
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
	return node->depth > s->tree->list->session.source->threads;
}

/* One step towards 'to'. False if there is none, or if it is not shown. */
static bool step(struct spans *s, struct shown_track *shown, const struct tree_node *to,
		 u64 insns, struct span *span)
{
	const struct tree_node *at = shown->at;
	bool closes = above(to, at->depth) != at;
	const struct tree_node *node = closes ? at : above(to, at->depth + 1);

	if (at == to)
		return false;
	shown->at = closes ? at->up : node;
	if (node->depth >= shown->room) {
		u32 room = MAX(node->depth + 1, shown->room * 2);

		shown->insns = arena_grow(&s->tree->list->session.arena, shown->insns, sizeof(u64),
					  shown->room, room);
		shown->room = room;
	}
	if (!closes)
		shown->insns[node->depth] = insns;
	span->kind = closes ? SPAN_CLOSE : SPAN_OPEN;
	span->name = node->name;
	span->insns = insns - shown->insns[node->depth];
	return is_shown(s, node);
}

bool spans_next(struct spans *s, struct span *span)
{
	struct tree *t = s->tree;

	for (; s->i < t->n_moves; s->i++) {
		const struct tree_move *m = &t->moves[s->i];
		struct shown_track *shown = shown_of(s, m->track);

		span->track = m->track;
		span->at = s->by_insns ? m->all_insns : m->ns;
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
