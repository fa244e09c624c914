/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A trace or perf.data of which parts are missing: mark the holes, so that a reader finds all that
 * is left, and takes nothing else for data.
 *
 *	In trace a hole begins with invalid packets, where the packet begins that is not complete.
 *	What follows it is deleted up to a PSB: nobody can tell where a packet begins there.
 *
 *	Among records a hole becomes a record of a type that all readers skip. It ends where a
 *	record is known to begin.
 */
#include <pt/num.h>
#include <pt/packet.h>
#include <pt/perf.h>
#include <pt/sort.h>
#include "holes.h"

enum {
	MARK = 16, NO_PACKET = 0x05,	/* bytes at the start of a hole in trace */
	SKIPPED = 63,			/* the type of a record that readers ignore */
	RECORD_MOST = 65528,
	HOLE_MOST = 1 << 30,		/* of records: it takes memory */
	HEADER = 104, PIPE_HEADER = 16,	/* of perf.data and of its pipe form */
	BUFFERS = 1024,			/* their states are kept; of others holes are only marked */
	LOST = ~0u,
};

/* The same spans, by their offsets. 'run': the end of this one, and of those that continue it. */
struct ordered { u64 off, end, run; bool record; };

struct holes {
	u8 *at;
	u64 size;
	const struct ordered *s;
	u32 n, i;		/* 'i': the first one that ends after the offset asked for last */
	/* Of each buffer of trace: 'epoch' if it is known where a packet begins. */
	u32 state[BUFFERS + 1];
	u32 epoch;		/* the number of holes in which trace of any buffer may have been */
};

/* The number of bytes at 'off' that arrived. Offsets do not decrease. */
static u64 known(struct holes *h, u64 off)
{
	while (h->i < h->n && h->s[h->i].end <= off)
		h->i++;
	return h->i < h->n && h->s[h->i].off <= off ? h->s[h->i].run - off : 0;
}

/* Delete a packet that does not end before 'end'. The first one begins at 'at'. */
static void cut_packet(struct holes *h, u64 at, u64 end)
{
	struct bytes all = { h->at + at, end - at };
	size_t psb = sync_find_last(all);
	struct packets p = { .rest = psb < all.len ? bytes_skip(all, psb) : all };
	struct packet pkt;

	while (packet_next(&p, &pkt))
		;
	memset(h->at + end - p.rest.len, NO_PACKET, p.rest.len);
}

/* Delete trace up to a PSB. Returns its length. */
static u64 delete_to_psb(struct holes *h, u64 at, u64 len, u32 *state)
{
	size_t psb = sync_find((struct bytes){ h->at + at, len });

	memset(h->at + at, 0, psb);
	*state = psb < len ? h->epoch : LOST;
	return psb;
}

/* The trace of a buffer in [at, end). */
static void mend_trace(struct holes *h, u64 at, u64 end, u32 *state)
{
	u64 n, from;

	while (at < end) {
		n = MIN(known(h, at), end - at);
		if (!n) {
			from = MIN(h->i < h->n ? h->s[h->i].off : end, end);
			memset(h->at + at, NO_PACKET, MIN(from - at, (u64)MARK));
			*state = LOST;
			at = from;
			continue;
		}
		from = at + (*state == h->epoch ? 0 : delete_to_psb(h, at, n, state));
		at += n;
		if (at < end)
			cut_packet(h, from, at);
	}
}

/* A record in place of what is missing at 'at'. Returns where the next record begins, or 'end'. */
static u64 skip_hole(struct holes *h, u64 at, u64 end)
{
	u64 from = end, n;
	u32 i;

	for (i = h->i; i < h->n && from == end; i++)
		if (h->s[i].record && h->s[i].off >= at)
			from = MIN(h->s[i].off, end);
	h->epoch++;
	if ((from - at) % 8 || from - at > HOLE_MOST)
		return end;
	for (; at < from; at += n) {
		n = MIN(from - at, (u64)RECORD_MOST);
		set32(h->at + at, SKIPPED);
		set32(h->at + at + 4, n << 16);
	}
	return from;
}

static void mend_records(struct holes *h, u64 at, u64 end)
{
	u64 size, aux;
	u32 buffer = 0;

	while (end - at >= 8 && at < end) {
		if (known(h, at) < 8) {
			at = skip_hole(h, at, end);
			continue;
		}
		size = get32(h->at + at + 4) >> 16;
		if (size < 8 || size > end - at)
			return;
		aux = 0;
		if (get32(h->at + at) == PERF_AUXTRACE && known(h, at) >= 36) {
			aux = get64(h->at + at + 8);
			buffer = get32(h->at + at + 32);
		}
		at += size;
		aux = MIN(aux, end - at);
		if (aux)
			mend_trace(h, at, at + aux, &h->state[MIN(buffer, (u32)BUFFERS)]);
		at += aux;
	}
}

static struct ordered *order(const struct span *spans, u32 n, struct arena *arena)
{
	struct sort_item *items = NEW(arena, struct sort_item, 2 * (size_t)n);
	struct ordered *s = NEW(arena, struct ordered, n);
	u32 i;

	for (i = 0; i < n; i++)
		items[i] = (struct sort_item){ spans[i].off, i };
	sort_items(items, n, items + n);
	for (i = n; i--; ) {
		const struct span *from = &spans[items[i].index];

		s[i] = (struct ordered){ from->off, from->end, from->end, from->record };
		if (i + 1 < n && s[i + 1].off <= s[i].end)
			s[i].run = MAX(s[i].run, s[i + 1].run);
	}
	return s;
}

void holes_mend(struct bytes file, const struct span *spans, u32 n, struct arena *arena)
{
	struct holes h = { .at = (u8 *)file.at, .size = file.len, .n = n };
	u64 at, size;

	if (!n)
		return;
	h.s = order(spans, n, arena);
	if (!perf_magic(file) || known(&h, 0) < PIPE_HEADER) {
		mend_trace(&h, 0, h.size, &h.state[0]);
		return;
	}
	if (get64(h.at + 8) == PIPE_HEADER) {
		mend_records(&h, PIPE_HEADER, h.size);
		return;
	}
	if (known(&h, 0) < HEADER)
		return;
	at = get64(h.at + 40);
	size = get64(h.at + 48);
	if (at >= HEADER && at < h.size)
		mend_records(&h, at, size && size < h.size - at ? at + size : h.size);
}
