/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records in time order.
 *
 * perf record empties the rings of the CPUs one after the other, so a file consists of series of
 * records in which time does not go back. Only the series are stored, each with its current and its
 * end offset. A heap finds the series whose next record is the oldest, and that record is read
 * again when its turn comes. Records of a pipe cannot be read again; they are kept in a log.
 *
 * A record may be handed out when no older one can follow. FINISHED_ROUND says that every ring was
 * read: all records up to the newest time known at the round before are then complete.
 */
#include <errno.h>

#include "perf_input.h"

enum {
	SERIES = 32,		/* at first */
	MAX_SERIES = 32 << 10,
	LOG_START = 64 << 10,
	LOG_MAX = 256 << 20,
	LOG_HEAD = 16,		/* offset, length */
};

struct series {
	u64 time;		/* of its next record */
	u64 off, end;		/* in its file, or in the log */
	u32 part, order;	/* order: of two records with the same time, the one with the
				 * lower number is first */
};

struct perf_order {
	struct perf_file *f;
	bool ordered;
	struct series *all, *last;	/* last: may still grow */
	u64 last_time;
	u32 *heap, n;		/* heap[1] to heap[n]; unused series are after it */
	u32 n_runs, room, order;
	bool flush, round, end, handed;	/* handed: heap[1] has to advance */
	u64 newest, next_limit, limit;
	int err;		/* the error that ended the input, returned after all records
				 * before it */
	const char *why;
	u8 *log;
	u64 log_len, log_room;
};

/* Before Linux 2.6.38 only samples had a time. */
bool perf_ordered(const struct perf_file *f)
{
	return f->pipe ||
		(f->n_events && perf_attr_flag(&f->events[0]->attr, PERF_F_SAMPLE_ID_ALL));
}

struct perf_order *perf_order_start(struct perf_file *f)
{
	struct perf_order *o = NEW(f->arena, struct perf_order, 1);

	o->f = f;
	o->ordered = perf_ordered(f);
	return o;
}

/* An unused series. */
static u32 new_run(struct perf_order *o)
{
	if (o->n < o->n_runs)
		return o->heap[o->n + 1];
	if (o->n_runs == o->room) {
		u32 room = o->room ? o->room * 2 : SERIES;

		o->all = arena_grow(o->f->arena, o->all, sizeof(*o->all), o->room, room);
		o->heap = arena_grow(o->f->arena, o->heap, sizeof(*o->heap), o->room + !!o->room,
				     room + 1);
		o->room = room;
	}
	return o->n_runs++;
}

static bool older(const struct perf_order *o, u32 a, u32 b)
{
	const struct series *ra = &o->all[a], *rb = &o->all[b];

	return ra->time != rb->time ? ra->time < rb->time : ra->order < rb->order;
}

/* heap[1] is the oldest; the children of i are 2i and 2i + 1. */
static void sift_up(struct perf_order *o, u32 i)
{
	u32 moved = o->heap[i];

	for (; i > 1 && older(o, moved, o->heap[i / 2]); i /= 2)
		o->heap[i] = o->heap[i / 2];
	o->heap[i] = moved;
}

static void sift_down(struct perf_order *o)
{
	u32 moved = o->heap[1], i = 1, child;

	for (; (child = 2 * i) <= o->n; i = child) {
		if (child < o->n && older(o, o->heap[child + 1], o->heap[child]))
			child++;
		if (!older(o, o->heap[child], moved))
			break;
		o->heap[i] = o->heap[child];
	}
	o->heap[i] = moved;
}

/* Remove everything before the oldest record that is still needed. */
static void compact_log(struct perf_order *o)
{
	u64 done = o->log_len;
	u32 i;

	for (i = 1; i <= o->n; i++)
		done = MIN(done, o->all[o->heap[i]].off);
	if (!done)
		return;
	memmove(o->log, o->log + done, o->log_len - done);
	o->log_len -= done;
	for (i = 1; i <= o->n; i++) {
		o->all[o->heap[i]].off -= done;
		o->all[o->heap[i]].end -= done;
	}
}

/* Copy the record to the log; returns its place. There is room: see full(). */
static u64 log_record(struct perf_order *o, const struct perf_record *rec)
{
	u64 need = LOG_HEAD + round_up(rec->raw.len, 8), at, room = MAX(o->log_room, LOG_START);

	if (o->log_len + need > o->log_room) {
		compact_log(o);
		while (o->log_len + need > room / 2)
			room *= 2;
		if (room != o->log_room)
			o->log = arena_grow(o->f->arena, o->log, 1, o->log_len, room);
		o->log_room = room;
	}
	at = o->log_len;
	set64(o->log + at, rec->off);
	set64(o->log + at + 8, rec->raw.len);
	memcpy(o->log + at + LOG_HEAD, rec->raw.at, rec->raw.len);
	o->log_len += need;
	return at;
}

static void keep(struct perf_order *o, const struct perf_record *rec, u64 time)
{
	bool log = !o->f->seekable;
	u64 off = log ? log_record(o, rec) : rec->off;
	u64 end = log ? o->log_len : rec->off + rec->raw.len;
	struct series *series = o->last;

	o->newest = o->n ? MAX(o->newest, time) : time;
	if (series && series->part == rec->part && time >= o->last_time) {
		series->end = end;
	} else {
		u32 i = new_run(o);

		series = &o->all[i];
		*series = (struct series){ time, off, end, rec->part, o->order++ };
		o->heap[++o->n] = i;
		sift_up(o, o->n);
	}
	o->last = series;
	o->last_time = time;
}

static bool full(const struct perf_order *o)
{
	return o->n == MAX_SERIES || o->log_len > LOG_MAX;
}

/* The record at the front of a series, whether it was kept or not. */
static int front(struct perf_order *o, const struct series *series, struct perf_record *rec)
{
	const char *why;
	const u8 *at;

	if (o->f->seekable)
		return perf_record_at(o->f, series->part, series->off, rec, &why);
	at = o->log + series->off;
	*rec = (struct perf_record){ .type = get32(at + LOG_HEAD), .misc = get16(at + LOG_HEAD + 4),
		.off = get64(at), .raw = { at + LOG_HEAD, get64(at + 8) } };
	return 1;
}

static u64 length(const struct perf_order *o, const struct perf_record *rec)
{
	if (o->f->seekable)
		return rec->raw.len + rec->aux_size;
	return LOG_HEAD + round_up(rec->raw.len, 8);
}

static bool is_timed(const struct perf_order *o, const struct perf_record *rec, u64 *time)
{
	return rec->type < PERF_HEADER_ATTR && o->ordered && perf_record_time(o->f, rec, time) &&
		*time && *time != UINT64_MAX;
}

/* Advance to the next kept record of the oldest series, or drop the series. */
static void advance(struct perf_order *o)
{
	u32 i = o->heap[1];
	struct series *series = &o->all[i];
	struct perf_record rec;

	while (series->off < series->end && front(o, series, &rec) > 0) {
		if (is_timed(o, &rec, &series->time)) {
			sift_down(o);
			return;
		}
		series->off += length(o, &rec);
	}
	if (series == o->last)
		o->last = NULL;
	o->heap[1] = o->heap[o->n];
	o->heap[o->n--] = i;
	if (o->n)
		sift_down(o);
}

/* Hand out the oldest record if it is older than the limit. */
static bool oldest(struct perf_order *o, struct perf_record *rec)
{
	struct series *series;

	while (o->flush && o->n && o->all[o->heap[1]].time <= o->limit) {
		series = &o->all[o->heap[1]];
		if (front(o, series, rec) > 0) {
			series->off += length(o, rec);
			return true;
		}
		series->off = series->end;
		advance(o);
	}
	return false;
}

static void start_flush(struct perf_order *o, u64 limit, bool round)
{
	o->flush = o->n;
	o->limit = limit;
	o->round = round;
}

static void end_flush(struct perf_order *o)
{
	if (o->flush && o->round)
		o->next_limit = o->newest;
	o->flush = false;
}

/* Half of the time range that is kept; perf does the same when its queue is full. */
static u64 half(const struct perf_order *o)
{
	u64 first = o->all[o->heap[1]].time;

	return first + (o->newest - first) / 2;
}

/* The next record for the caller: a kept one, one without a time, or none. */
static int next(struct perf_order *o, struct perf_record *rec)
{
	u64 time;
	int got;

	for (;;) {
		if (oldest(o, rec)) {
			o->handed = true;
			return 1;
		}
		end_flush(o);
		if (o->end)
			return o->err;
		if (full(o)) {
			start_flush(o, half(o), false);
			continue;
		}
		got = perf_next(o->f, rec, &o->why);
		if (got <= 0) {
			o->end = true;
			o->err = got;
			start_flush(o, UINT64_MAX, false);
			continue;
		}
		if (rec->type == PERF_FINISHED_ROUND)
			start_flush(o, o->next_limit, true);
		if (!is_timed(o, rec, &time))
			return 1;
		keep(o, rec, time);
	}
}

int perf_order_next(struct perf_order *o, struct perf_record *rec, struct perf_sample *s,
		    const char **why)
{
	int got;

	/* This cannot be done earlier: it may read other records, and the last one was borrowed. */
	if (o->handed)
		advance(o);
	o->handed = false;
	got = next(o, rec);
	if (got > 0)
		perf_sample(o->f, rec, s);
	else
		*why = o->why;
	return got;
}
