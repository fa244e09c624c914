/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The last lines of an output. Pieces lie one after the other; those that are too old are skipped,
 * and when there is no room the others move to the front.
 */
#include "tail.h"

enum { ROOM = 1 << 20 };
static const size_t room_max = 256 << 20;

struct piece { u64 units; u32 len, lines; };

static void make_room(struct tail *t, size_t n)
{
	size_t room = t->room ? t->room : ROOM;

	if (t->used + n <= t->room)
		return;
	if (t->first && t->first >= t->used / 2) {
		memmove(t->text, t->text + t->first, t->used - t->first);
		t->used -= t->first;
		t->open -= t->first;
		t->first = 0;
	}
	while (t->used + n > room)
		room *= 2;
	if (room == t->room)
		return;
	t->text = arena_grow(t->arena, t->text, 1, t->room, room);
	t->room = room;
}

static struct piece read_piece(const struct tail *t, size_t at)
{
	struct piece p;

	memcpy(&p, t->text + at, sizeof(p));
	return p;
}

static void add(struct out *o)
{
	struct tail *t = o->who;
	size_t n = o->at - o->buf;

	make_room(t, n);
	memcpy(t->text + t->used, o->buf, n);
	t->used += n;
}

static void begin_piece(struct tail *t)
{
	make_room(t, sizeof(struct piece));
	t->open = t->used;
	t->used += sizeof(struct piece);
}

void tail_start(struct tail *t)
{
	t->lines = (struct out){ .at = t->buf, .buf = t->buf, .end = t->buf + sizeof(t->buf),
				 .fd = -1, .drop = true, .keep = add, .who = t };
	begin_piece(t);
}

static bool is_old(const struct tail *t, const struct piece *p)
{
	if (t->unit == TAIL_LINES)
		return t->n_lines - p->lines >= t->most;
	return t->units - p->units >= t->most;
}

static u32 count_lines(const char *text, size_t n)
{
	const char *end = text + n;
	u32 lines = 0;

	while ((text = memchr(text, '\n', end - text))) {
		text++;
		lines++;
	}
	return lines;
}

void tail_end_piece(struct tail *t, u64 units)
{
	struct piece p = { .units = units };
	const char *text;

	t->units = units;
	out_flush(&t->lines);
	p.len = t->used - t->open - sizeof(p);
	if (!p.len)
		return;
	text = t->text + t->open + sizeof(p);
	p.lines = count_lines(text, p.len);
	memcpy(t->text + t->open, &p, sizeof(p));
	t->n_lines += p.lines;
	for (;;) {
		bool full = t->used - t->first > room_max;

		p = read_piece(t, t->first);
		if (t->first == t->open || !(is_old(t, &p) || full))
			break;
		t->full |= full;
		t->n_lines -= p.lines;
		t->first += sizeof(p) + p.len;
	}
	begin_piece(t);
}

void tail_write(struct tail *t, struct out *out)
{
	struct piece p;
	size_t at;

	for (at = t->first; at < t->open; at += sizeof(p) + p.len) {
		p = read_piece(t, at);
		out_bytes(out, t->text + at + sizeof(p), p.len);
	}
}
