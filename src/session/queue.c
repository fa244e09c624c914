/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace buffers of one CPU or thread: found in the file, and read through a window when they are
 * decoded.
 *
 * A packet never crosses the boundary of two AUXTRACE records, so a window holds bytes of one
 * buffer only.
 */
#include <pt/config/DECODE_LOG.h>
#include <pt/flow_state.h>

#include "session.h"

enum { WINDOW = 256 << 10, MAX_QUEUES = 1 << 16 };

static bool wants_cpu(const struct session *s, i32 cpu)
{
	const struct session_options *o = &s->options;

	if (!o->cpus || cpu < 0)
		return true;
	return (u32)cpu < o->n_cpus && o->cpus[cpu / 64] >> cpu % 64 & 1;
}

static struct queue *get_queue(struct session *s, u32 index)
{
	struct queue *q;

	if (index >= MAX_QUEUES)
		return NULL;
	if (index >= s->queue_room) {
		u32 room = MAX(s->queue_room, 8u);

		while (room <= index)
			room *= 2;
		s->queues = arena_grow(&s->arena, s->queues, sizeof(*s->queues), s->n_queues, room);
		s->heap = arena_grow(&s->arena, s->heap, sizeof(*s->heap), s->n_heap, room);
		s->heap_tsc = arena_grow(&s->arena, s->heap_tsc, sizeof(*s->heap_tsc), s->n_heap,
					 room);
		s->queue_room = room;
	}
	for (; s->n_queues <= index; s->n_queues++) {
		q = NEW(&s->arena, struct queue, 1);
		q->session = s;
		q->index = s->n_queues;
		q->last = &q->first;
		q->now_cpu = q->pid = q->tid = -1;
		s->queues[s->n_queues] = q;
	}
	return s->queues[index];
}

/* The first queue of a CPU is the queue of that CPU. */
static void know_cpu(struct session *s, const struct queue *q)
{
	u32 cpu = q->cpu, room = MAX(s->n_cpu_queues, 8u);

	if (cpu >= MAX_QUEUES)
		return;
	while (room <= cpu)
		room *= 2;
	if (room > s->n_cpu_queues)
		s->cpu_queues = arena_grow(&s->arena, s->cpu_queues, sizeof(*s->cpu_queues),
					   s->n_cpu_queues, room);
	s->n_cpu_queues = room;
	if (!s->cpu_queues[cpu])
		s->cpu_queues[cpu] = q->index + 1;
}

struct buffer *queue_add(struct session *s, u32 index, i32 cpu, i32 tid)
{
	struct buffer *b;
	struct queue *q;

	if (!wants_cpu(s, cpu))
		return NULL;
	q = get_queue(s, index);
	if (!q)
		return NULL;
	if (!q->set) {
		q->set = true;
		q->cpu = cpu;
		q->queue_tid = tid;
		q->switching.next_tid = -1;
		know_cpu(s, q);
	}
	b = s->spare;
	if (b)
		s->spare = b->next;
	else
		b = NEW(&s->arena, struct buffer, 1);
	*b = (struct buffer){ .nr = ++s->n_buffers };
	*q->last = b;
	q->last = &b->next;
	s->new_buffers = true;
	return b;
}

u64 session_undecoded(const struct session *s)
{
	const struct buffer *b;
	u64 n = 0;
	u32 i;

	for (i = 0; i < s->n_queues; i++) {
		const struct queue *q = s->queues[i];

		if (!q)
			continue;
		if (q->now)
			n += q->flow->in.rest.len + q->now->size - q->at;
		for (b = q->first; b; b = b->next)
			n += b == q->now ? 0 : b->size;
	}
	return n >> 60 ? 0 : n;		/* the length of a pipe is not known */
}

/* An AUXTRACE record: its payload is a buffer. In a pipe the payload is read now. */
int queue_add_record(struct session *s, const struct perf_record *rec)
{
	struct perf_auxtrace aux;
	struct buffer *b;
	long n = 0;
	u64 at;

	if (!rec->aux_size || !perf_get_auxtrace(rec, &aux))
		return 0;
	b = queue_add(s, aux.idx, aux.cpu, aux.tid);
	if (!b)
		return 0;
	*b = (struct buffer){ .off = rec->aux_off, .size = rec->aux_size, .nr = b->nr,
			      .reference = aux.reference, .trace_off = aux.off };
	s->round = MAX(s->round, aux.reference);
	if (s->file.seekable)
		return 0;
	b->bytes = NEW(&b->own, u8, b->size);
	for (at = 0; at < b->size; at += n) {
		n = perf_aux_read(&s->file, rec, at, (u8 *)b->bytes + at, b->size - at);
		if (n <= 0)
			break;
	}
	b->size = at;
	return n < 0 ? n : 0;
}

static bool in_samples(const struct session *s)
{
	u32 i;

	for (i = 0; i < s->file.n_events; i++)
		if (s->file.events[i]->attr.aux_sample_size)
			return true;
	return false;
}

/* Which queue an id belongs to is in records that come first. This collects them. */
struct ids { struct arena arena; struct bytes *at; u32 n; };

static void learn_ids(struct ids *ids, const struct perf_record *rec)
{
	size_t len = rec->raw.len - 8;

	if (!(ids->n & (ids->n - 1)))
		ids->at = arena_grow(&ids->arena, ids->at, sizeof(*ids->at), ids->n,
				     MAX(ids->n * 2, 1));
	ids->at[ids->n++] = (struct bytes){
		memcpy(NEW(&ids->arena, u8, len), rec->raw.at + 8, len), len };
}

static const u8 *find_id(const struct ids *ids, u64 id)
{
	u64 at;
	u32 i;

	for (i = 0; i < ids->n; i++)
		for (at = 8; at + 32 <= ids->at[i].len; at += 32)
			if (get64(ids->at[i].at + at) == id)
				return ids->at[i].at + at;
	return NULL;
}

/* A SAMPLE record that contains trace. */
static void add_sample(struct session *s, const struct ids *ids, const struct perf_record *rec)
{
	struct perf_sample sample;
	struct buffer *b;
	const u8 *id;

	if (!perf_sample(&s->file, rec, &sample) || !sample.aux.len)
		return;
	id = find_id(ids, sample.id);
	b = id ? queue_add(s, get64(id + 8), get64(id + 16), get64(id + 24)) : NULL;
	if (!b)
		return;
	b->off = rec->off + (sample.aux.at - rec->raw.at);
	b->size = sample.aux.len;
	b->reference = clock_to_tsc(&s->scale, sample.time);
}

/* Find all trace of a file, by its index or, without one, by a walk over all records. */
static int add_all(struct session *s)
{
	struct ids ids = { .n = 0 };
	struct perf_record rec;
	int err;

	while ((err = perf_next(&s->file, &rec, &s->why)) > 0) {
		if (rec.type == PERF_AUXTRACE)
			queue_add_record(s, &rec);
		else if (s->in_samples && rec.type == PERF_AUXTRACE_INFO)
			setup_take(s, &rec);
		else if (s->in_samples && rec.type == PERF_ID_INDEX)
			learn_ids(&ids, &rec);
		else if (s->in_samples && rec.type == PERF_SAMPLE)
			add_sample(s, &ids, &rec);
	}
	arena_free(&ids.arena);
	/* Damage will be met again, and reported, at its place. */
	return perf_rewind(&s->file);
}

static bool add_indexed(struct session *s)
{
	enum { FEATURE_AUXTRACE = 18 };
	struct bytes index = perf_feature(&s->file, FEATURE_AUXTRACE);
	struct perf_record rec;
	u64 n, i;

	if (index.len < 8)
		return false;
	n = get64(index.at);
	if (!n || n > (index.len - 8) / 16)
		return false;
	for (i = 0; i < n; i++) {
		u64 off = get64(index.at + 8 + 16 * i);

		if (perf_record_at(&s->file, 0, off, &rec, &s->why) > 0 &&
		    rec.type == PERF_AUXTRACE)
			queue_add_record(s, &rec);
	}
	return perf_rewind(&s->file) == 0;
}

int queue_add_all(struct session *s)
{
	if (!s->file.seekable)
		return 0;
	s->all_buffers = true;
	s->in_samples = in_samples(s);
	return !s->in_samples && add_indexed(s) ? 0 : add_all(s);
}

static size_t read_buffer(struct queue *q, u8 *to, size_t n)
{
	const struct session_options *o = &q->session->options;
	struct buffer *b = q->now;
	long got;

	n = MIN(n, b->size - q->at);
	if (b->bytes) {
		memcpy(to, b->bytes + q->at, n);
		got = n;
	} else {
		got = n ? q->session->source->read_at(q->session, b->off + q->at, to, n) : 0;
	}
	if (got <= 0) {
		q->at = b->size;
		return 0;
	}
	if (CONFIG_DECODE_LOG && o->note_bytes)
		o->note_bytes(o->who, q, q->base + q->at, (struct bytes){ to, got });
	q->at += got;
	return got;
}

/* In a short trace, touching more pages takes longer than moving the rest of a small window. */
static size_t window(const struct queue *q)
{
	return q->now->size >> 20 ? WINDOW : WINDOW / 2;
}

static bool more(void *who, struct packets *in)
{
	struct queue *q = who;
	size_t have = in->rest.len;

	if (!q->now || q->at >= q->now->size || have >= window(q))
		return false;
	memmove(q->window, in->rest.at, have);
	have += read_buffer(q, q->window + have, window(q) - have);
	in->rest = (struct bytes){ q->window, have };
	return q->at < q->now->size;
}

/* A buffer was read to its end: free it, because a pipe may deliver any number of buffers. */
static void give_back(struct session *s, struct buffer *b)
{
	arena_free(&b->own);
	b->next = s->spare;
	s->spare = b;
}

/* Read all of a snapshot, to compare it with the one before. Snapshots are as large as the
 * recorder's buffer. */
static void load(struct session *s, struct buffer *b)
{
	u8 *bytes;
	u64 at;
	long n;

	if (b->bytes || b->size >> 32)
		return;
	bytes = NEW(&b->own, u8, b->size);
	for (at = 0; at < b->size; at += n) {
		n = s->source->read_at(s, b->off + at, bytes + at, b->size - at);
		if (n <= 0)
			break;
	}
	b->size = at;
	b->bytes = bytes;
}

/* Does 'b' begin where 'older' ended, except for up to 7 bytes of padding? The offsets of a
 * recorder continue from snapshot to snapshot as long as nothing was overwritten. */
static bool goes_on(const struct buffer *older, const struct buffer *b)
{
	return b->trace_off && older->trace_off + older->size - b->trace_off < 8;
}

/* Where decoding of the current buffer begins, if 'older' was the one before. */
static u64 begin_of(struct queue *q, const struct buffer *older, bool *joined)
{
	struct session *s = q->session;
	struct buffer *b = q->now;

	*joined = older;
	if (!s->pt.snapshot && !s->in_samples)
		return older ? 0 : q->begin;
	load(s, b);
	if (older && goes_on(older, b))
		return 0;
	if (!older || !older->bytes || !b->bytes)
		return 0;
	return overlap_skip((struct bytes){ older->bytes, older->size },
			    (struct bytes){ b->bytes, b->size }, joined);
}

/* In a trace without times, the trace of a sample is decoded when the sample is read. */
static bool is_early(const struct session *s, const struct buffer *b)
{
	return s->in_samples && s->timeless && b->off > s->record.off + s->record.raw.len;
}

/* Make the next buffer the current one. The caller frees the one before. */
static struct buffer *take_next(struct queue *q)
{
	struct buffer *older = q->now;

	q->now = q->first;
	q->first = q->now->next;
	if (!q->first)
		q->last = &q->first;
	return older;
}

/* The window of a short trace lies next to other memory that a start writes to, which saves a
 * page fault. If no more buffers follow, the window is as large as this buffer: a file may have
 * many queues. */
static void make_window(struct queue *q)
{
	enum { SHORT = 4 << 10 };
	size_t need = MIN(q->now->size, (u64)WINDOW);
	bool is_last = q->session->all_buffers && !q->first;

	if (q->window_room >= need)
		return;
	q->window_room = !is_last && (q->window || need > SHORT) ? WINDOW : need;
	q->window = NEW(&q->session->arena, u8, q->window_room);
}

static bool next_buffer(void *who, struct packets *in, bool *joined, u64 *reference)
{
	struct queue *q = who;
	struct buffer *older;

	do {
		if (!q->first || is_early(q->session, q->first))
			return false;
		older = take_next(q);
		q->at = begin_of(q, older, joined);
		q->base = in->off - q->at;
		if (older)
			give_back(q->session, older);
	} while (q->at >= q->now->size);
	*reference = q->now->reference;
	make_window(q);
	in->rest = (struct bytes){ q->window, read_buffer(q, q->window, window(q)) };
	return true;
}

/* If the bytes that were read reach up to 'off', continue at the last PSB before it, if there is
 * one. */
static bool seek_in_window(struct queue *q, u64 off)
{
	struct bytes rest = q->flow->in.rest, before;
	u64 here = q->flow->in.off;
	size_t psb;

	if (off - here > rest.len)
		return false;
	before = bytes_first(rest, off - here);
	psb = sync_find_last(before);
	if (psb < before.len) {
		q->stage = 0;
		flow_state_jump(q->flow, bytes_skip(rest, psb), here + psb, q->now->reference);
	}
	return true;
}

void queue_seek(struct queue *q, u64 off)
{
	enum { WORTH = 256, LOOK = 16 << 10 };	/* a shorter distance is decoded quickly */
	struct buffer *b = q->now;
	u64 base = q->base, here, from, psb, back;
	struct bytes in, before;
	bool same;

	here = b ? q->flow->in.off + WORTH : ~0ULL;
	for (; off > here && off - base > b->size; b = b->next) {
		base += b->size;
		if (!b->next)
			return;
	}
	if (off <= here || (b == q->now && seek_in_window(q, off)))
		return;
	same = b == q->now;
	while (q->now != b)
		give_back(q->session, take_next(q));
	q->base = base;
	here = MAX(base, q->flow->in.off);
	make_window(q);
	in.at = q->window;
	for (back = LOOK;; back = WINDOW) {
		from = MAX(off, here + back) - back;
		q->at = from - base;
		in.len = read_buffer(q, q->window, MIN(q->window_room, off - from + LOOK));
		before = bytes_first(in, off - from);
		psb = sync_find_last(before);
		if (psb < before.len || back == WINDOW)
			break;
	}
	/* At its present place the decoder knows more than at a PSB. */
	if (same && psb == before.len && from == q->flow->in.off) {
		flow_state_move(q->flow, in, from);
		return;
	}
	in = bytes_skip(in, psb < before.len ? psb : 0);
	from += in.at - q->window;
	q->stage = 0;
	flow_state_jump(q->flow, in, from, b->reference);
}

/* The time in a PSB+ at the front of 'in'; 0 if it has none. */
static u64 psb_tsc(struct bytes in)
{
	struct packets p = { .rest = in };
	struct packet pkt;

	if (!packet_next(&p, &pkt) || pkt.kind != PACKET_PSB)
		return 0;
	while (packet_next(&p, &pkt) && pkt.kind != PACKET_PSBEND)
		if (pkt.kind == PACKET_TSC)
			return pkt.payload;
	return 0;
}

/* The place of the first PSB from '*off' on, and its time; 0 if there is none. */
static u64 tsc_from(const struct queue *q, u64 *off)
{
	enum { PSB_PLUS = 256 };
	const struct buffer *b = q->now ? q->now : q->first;
	u64 at = *off - q->base;
	u8 look[8 << 10];
	struct bytes in;
	size_t psb;
	bool all;

	for (;; at += psb, *off += psb) {
		for (; b && at >= b->size; b = b->next)
			at -= b->size;
		if (!b)
			return 0;
		in = (struct bytes){ look, MIN(b->size - at, sizeof(look)) };
		if (q->session->source->read_at(q->session, b->off + at, look, in.len) !=
		    (long)in.len)
			return 0;
		all = at + in.len == b->size;
		psb = sync_find(in);
		if (psb == in.len && !all)
			psb -= PSB_BYTES - 1;
		else if (psb < in.len && (all || !psb || psb + PSB_PLUS < in.len))
			break;
	}
	*off += psb;
	return psb_tsc(bytes_skip(in, psb));
}

/* The place of the last PSB not later than 'tsc'; 0 if there is none, or nothing before it. */
static u64 last_psb(const struct queue *q, u64 tsc)
{
	enum { NEAR = 4 << 10, TSC_BITS = 56 };
	u64 low = q->flow->in.off, high = q->base, found = 0, mid, at, here;
	const struct buffer *b;

	for (b = q->now ? q->now : q->first; b; b = b->next)
		high += b->size;
	for (;;) {
		at = mid = low + NEAR < high ? low + (high - low) / 2 : low;
		here = tsc_from(q, &at);
		if (here && (i64)((here - tsc) << (64 - TSC_BITS)) <= 0) {
			found = at;
			low = at + PSB_BYTES;
		} else if (mid == low) {
			return found;
		} else {
			high = mid;
		}
	}
}

void queue_seek_time(struct queue *q, u64 tsc)
{
	u64 psb = last_psb(q, tsc);

	if (psb)
		queue_seek(q, psb + PSB_BYTES);
}

/* Is the time of all trace known to increase from buffer to buffer? */
static bool in_order(const struct session *s)
{
	return s->all_buffers && !s->pt.snapshot && !s->in_samples;
}

void queue_begin(struct queue *q, u64 tsc)
{
	u64 psb = tsc && in_order(q->session) ? last_psb(q, tsc - 1) : 0;
	struct buffer *b;

	if (!psb)
		return;
	flow_state_move(q->flow, q->flow->in.rest, psb);
	for (; psb >= q->first->size; q->first = b->next, give_back(q->session, b)) {
		b = q->first;
		psb -= b->size;
	}
	q->begin = psb;
}

COLD void queue_limits(struct session *s)
{
	const struct session_options *o = &s->options;

	s->to = ~0ULL;
	if (o->from && !s->timeless)
		s->from = clock_first_tsc(&s->scale, o->from);
	if (o->to && !s->timeless && in_order(s))
		s->to = clock_first_tsc(&s->scale, o->to + 1);
}

/* If cycles are counted, the clock may be ahead, and go back to the time of the next TSC. */
COLD bool queue_all_past(const struct session *s)
{
	const struct queue *q;
	u32 i;

	for (i = 0; i < s->n_queues; i++) {
		q = s->queues[i];
		if (q->on_heap && MIN(MIN(q->step.tsc_in, q->flow->arch.step_tsc),
				      q->flow->clock.tsc_packet) < s->to)
			return false;
	}
	return true;
}

u64 queue_psb_tsc(const struct queue *q)
{
	return q->flow ? psb_tsc(q->flow->in.rest) : 0;
}

void queue_stop(struct queue *q)
{
	struct session *s = q->session;

	if (!s->all_buffers || q->first)
		return;
	s->no_psb |= q->flow->in.off && !q->flow->last_ip.known;
	s->spare_flow = q->flow;
	*q->flow = (struct flow){ 0 };
	q->flow = NULL;
	q->now = NULL;
}

void queue_start(struct queue *q)
{
	struct session *s = q->session;
	struct flow_source source = { .more = more, .next = next_buffer, .who = q };

	q->flow = s->spare_flow;
	s->spare_flow = NULL;
	if (!q->flow)
		q->flow = NEW(&s->arena, struct flow, 1);
	flow_start(q->flow, &s->setup, &source, &s->runs);
	q->values = &q->flow->values;
	q->unread = q->unread_ticks = 0;
	if (q->cpu != -1)
		q->now_cpu = q->cpu;
	q->tid = q->queue_tid;
}

void queue_find_thread(struct queue *q)
{
	struct session *s = q->session;

	if (!s->source->threads) {
		code_space(q);
		return;
	}
	if (q->queue_tid == -1 || s->pt.have_sched_switch) {
		q->tid = process_on_cpu(&s->processes, q->now_cpu);
		if (q->tid == -1)
			q->pid = -1;
		q->thread = NULL;
	}
	if (!q->thread && q->tid != -1)
		q->thread = process_find(&s->processes, q->tid);
	if (q->thread) {
		q->pid = q->thread->pid;
		if (q->cpu == -1)
			q->now_cpu = q->thread->cpu;
	}
	code_space(q);
}
