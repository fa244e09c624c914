/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keep the longest calls. If there are too many, the shorter ones are dropped, and from then on
 * calls of that length are not added.
 */
#include <pt/timeline.h>

static void add_track(struct timeline *t, const struct span *span)
{
	if (span->track_nr >= t->tracks_room) {
		u32 room = MAX(span->track_nr + 1, t->tracks_room * 2);

		t->tracks = arena_grow(t->arena, t->tracks, sizeof(*t->tracks), t->tracks_room,
				       room);
		t->tracks_room = room;
	}
	t->tracks[span->track_nr] = span->track;
	t->n_tracks = MAX(t->n_tracks, span->track_nr + 1);
}

static COLD void drop_short(struct timeline *t)
{
	u32 i, n;

	while (t->n > TIMELINE_MAX / 2) {
		t->least = t->least ? t->least * 2 : 1;
		for (i = n = 0; i < t->n; i++)
			if (t->calls[i].len >= t->least)
				t->calls[n++] = t->calls[i];
		t->n_less += t->n - n;
		t->n = n;
	}
}

void timeline_add(struct timeline *t, const struct span *span)
{
	u64 len = span->at - span->start;

	if (span->kind == SPAN_TRACK)
		add_track(t, span);
	if (span->kind != SPAN_CLOSE)
		return;
	if (!t->calls) {
		t->calls = NEW(t->arena, struct timeline_call, TIMELINE_MAX);
		t->first = ~0ULL;
	}
	t->first = MIN(t->first, span->start);
	t->last = MAX(t->last, span->at);
	if (len < t->least) {
		t->n_less++;
		return;
	}
	t->calls[t->n++] = (struct timeline_call){ span->track_nr, span->depth, span->name,
						   span->start, len, span->insns };
	if (t->n == TIMELINE_MAX)
		drop_short(t);
}
