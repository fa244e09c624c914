/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A flight recorder: the last packets of all threads are kept in memory, and written on request.
 *
 * They are in one ring of chunks, in the order in which they were made, so the memory does not
 * depend on the number of threads or on the time. A new chunk replaces the oldest ones. The first
 * chunk of a thread in the file begins with a PSB, where a decoder can start; chunks that continue
 * what was written before are written whole.
 *
 * The side-band is in the file at once. Whenever it has grown by the size of the ring, the names
 * and maps of all living threads are written again (the key). When all packets from before the key
 * have been replaced, the side-band between the last snapshot and the key is removed from the file:
 *
 *	file	... snapshot |base  side-band  |key  side-band  |
 *	ring		      (replaced)	tail ....... head
 */
#define _GNU_SOURCE
#include <pt/num.h>
#include <pt/packet.h>

#include "soft.h"

enum { USUAL_SIZE = 4 << 20, LEAST_SIZE = 4 * PACK_BUFFER, N_ENDS = 1 << 12, FILLER = ~0u };

struct chunk {
	u64 off;		/* in the stream */
	u64 from, tsc;		/* of its begin and end */
	i32 pid, tid;
	u32 idx;		/* of the thread */
	u32 len;		/* of the packets that follow; FILLER: the ring's end follows */
};

struct soft_kept {
	u8 *ring;
	u64 size, head, tail;	/* positions; the chunks between them are kept */
	u64 base;		/* in the file: what may be removed begins here; 0: not known yet */
	u64 key;		/* ... a key begins here; or 0 */
	u64 since;		/* ... the end of the key; or the base */
	u64 key_head;		/* in the ring: the packets from then on */
	/* By hash of the thread: the end of its packets in the file. */
	struct { u32 idx; u64 off; } ends[N_ENDS];
};

struct soft_kept *soft_snapshot_open(struct record *r)
{
	struct soft_kept *k = NEW(r->arena, struct soft_kept, 1);

	k->size = round_up(MAX(r->snapshot_size ? r->snapshot_size : USUAL_SIZE, LEAST_SIZE), 8);
	k->ring = arena_alloc(r->arena, k->size);
	return k;
}

static struct chunk *chunk_at(const struct soft_kept *k, u64 pos)
{
	return (struct chunk *)(k->ring + pos % k->size);
}

/* The position after the chunk at 'pos', which may be the end of the ring. */
static u64 next_of(const struct soft_kept *k, u64 pos)
{
	u64 left = k->size - pos % k->size;
	const struct chunk *c = chunk_at(k, pos);

	if (left < sizeof(*c) || c->len == FILLER)
		return pos + left;
	return pos + sizeof(*c) + round_up(c->len, 8);
}

static void make_room(struct soft_kept *k, u64 n)
{
	while (k->head + n - k->tail > k->size)
		k->tail = next_of(k, k->tail);
}

void soft_snapshot_keep(struct soft_kept *k, const struct tracee *t)
{
	const struct trans_pack *p = &t->pack;
	u32 len = p->at - p->buf;
	u64 need = sizeof(struct chunk) + round_up(len, 8), left = k->size - k->head % k->size;

	if (left < need) {
		make_room(k, left);
		if (left >= sizeof(struct chunk))
			chunk_at(k, k->head)->len = FILLER;
		k->head += left;
	}
	make_room(k, need);
	*chunk_at(k, k->head) = (struct chunk){ p->off, p->from, p->tsc, t->pid, t->tid,
						    t->idx, len };
	memcpy(chunk_at(k, k->head) + 1, p->buf, len);
	k->head += need;
}

static void put_chunk(struct soft *s, struct chunk *c)
{
	u64 *end = &s->kept->ends[c->idx % N_ENDS].off;
	u32 *idx = &s->kept->ends[c->idx % N_ENDS].idx;
	struct bytes packets = { (const u8 *)(c + 1), c->len };
	size_t from = 0;

	if (*idx != c->idx + 1 || *end != c->off)
		from = sync_find(packets);
	if (from == packets.len)
		return;
	perf_write_saw(&s->r->w, soft_time(s, c->from));
	soft_put_trace(s, c->pid, c->tid, c->idx, c->tsc, c->off + from,
		       bytes_skip(packets, from));
	*idx = c->idx + 1;
	*end = c->off + c->len;
}

void soft_snapshot_write(struct soft *s, u64 tsc)
{
	struct soft_kept *k = s->kept;
	u64 last = num_scale(s->r->last_ns, s->info.max_nonturbo, 10), at;

	for (at = k->tail; at != k->head; at = next_of(k, at)) {
		struct chunk *c = chunk_at(k, at);

		if (k->size - at % k->size < sizeof(*c) || c->len == FILLER)
			continue;
		if (!last || tsc - c->tsc <= last)
			put_chunk(s, c);
	}
	k->tail = k->head;
	k->base = k->since = s->r->w.at;
	k->key = 0;
}

void soft_snapshot_trim(struct soft *s, u64 tsc)
{
	struct perf_writer *w = &s->r->w;
	struct soft_kept *k = s->kept;

	if (!k->base)
		k->base = k->since = w->at;
	if (w->pipe || w->at - k->since < k->size || (k->key && k->tail < k->key_head))
		return;
	soft_flush(s);
	if (k->key)
		perf_write_drop(w, k->base, k->key);
	k->key = w->at;
	k->key_head = k->head;
	vm_tell_all(s, tsc);
	k->since = w->at;
}
