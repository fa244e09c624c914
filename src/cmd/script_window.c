/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script --head, --tail and --last: by lines, calls or instructions.
 */
#include <pt/fail.h>
#include "script.h"
#include "tail.h"

bool script_window(struct script *s, const struct opt *o, const char *name)
{
	bool last = !strcmp(name, "last");

	if (!o->arg || o->no)
		return false;
	if (!strcmp(name, "head"))
		return ask_window_number(o->arg, "", &s->max_samples);
	if (!strcmp(name, "tail") && ask_window_number(o->arg, "", &s->tail_n))
		s->tail_unit = TAIL_LINES;
	else if (last && ask_window_number(o->arg, "calls", &s->tail_n))
		s->tail_unit = TAIL_CALLS;
	else if (last && ask_window_number(o->arg, "insns", &s->tail_n))
		s->tail_unit = TAIL_INSNS;
	else
		return false;
	return true;
}

void script_window_start(struct script *s)
{
	struct tail *t = NEW(&s->list.session.arena, struct tail, 1);

	t->arena = &s->list.session.arena;
	t->most = s->tail_n;
	t->unit = s->tail_unit;
	tail_start(t);
	s->tail = t;
	s->tail_out = s->out;
	s->out = s->printer.out = &t->lines;
}

/* The instructions that the queue of 'item' has executed since the last call. */
static u64 count_insns(struct script *s, const struct item *item)
{
	const struct queue *q = item->queue;
	u32 room = MAX(q->index + 1, s->list.session.n_queues);
	u64 now = session_insns(q), n;

	if (q->index >= s->n_insns) {
		s->insns = arena_grow(&s->list.session.arena, s->insns, sizeof(*s->insns),
				      s->n_insns, room);
		s->n_insns = room;
	}
	n = now - s->insns[q->index];
	s->insns[q->index] = now;
	return n;
}

void script_window_entry(struct script *s, const struct entry *e)
{
	const struct sample *sample = e->kind == ENTRY_SAMPLE ? e->sample : NULL;

	/* A line of an instruction is one, where each of them has one. */
	if (s->tail_unit == TAIL_INSNS && sample && s->list.options.each_insn)
		s->tail_units += sample->kind == SAMPLE_INSN;
	else if (s->tail_unit == TAIL_INSNS && sample && e->item->queue)
		s->tail_units += count_insns(s, e->item);
	else if (s->tail_unit == TAIL_CALLS && sample && sample->kind == SAMPLE_BRANCH)
		s->tail_units += !!(sample->flags & FLAG_CALL);
	tail_end_piece(s->tail, s->tail_units);
}

void script_window_end(struct script *s)
{
	s->out = s->printer.out = s->tail_out;
	tail_write(s->tail, s->out);
	if (s->tail->full)
		warn(0, "fewer lines than requested: memory was full");
}
