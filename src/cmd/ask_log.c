/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --itrace=d: a log of decoding. It has the packets of the trace as they are decoded, the records
 * between them, and each gap beside the packet at which it was found.
 *
 * The bytes of a trace are read ahead, so each queue keeps those that are not yet decoded.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/fail.h>
#include <pt/part.h>
#include <pt/print.h>
#include <pt/print_record.h>
#include <pt/print_sample.h>
#include "ask.h"

enum { LAST = 16 << 10, KEPT = 1 << 20 };

struct log_queue {
	u8 *bytes;
	u32 n, room;
	u64 at;			/* the place of the first in the queue's trace */
	struct packet_lines lines;
};

struct ask_log {
	struct ask *ask;
	struct out file, text, *to;	/* 'text' with +e: the last lines, else 'to' */
	struct log_queue *queues;
	u32 n_queues;
	const struct queue *shown;	/* whose packets were printed last */
};

static struct out *lines_of(struct ask_log *log)
{
	return log->ask->list->itrace.log_errors ? &log->text : log->to;
}

/* With +e lines are kept until a gap comes, LAST bytes at most. */
static void keep_last(struct out *o)
{
	size_t n = MIN((size_t)(o->at - o->buf), (size_t)LAST);
	char *from = o->at - n, *line = from > o->buf ? memchr(from, '\n', n) : NULL;

	if (line)
		from = line + 1;
	n = o->at - from;
	memmove(o->buf, from, n);
	o->at = o->buf + n;
}

static struct log_queue *queue_of(struct ask_log *log, const struct queue *q)
{
	u32 n = q->index + 1;

	if (n > log->n_queues) {
		log->queues = arena_grow(&log->ask->list->session.arena, log->queues,
					 sizeof(*log->queues), log->n_queues, n);
		log->n_queues = n;
	}
	return &log->queues[q->index];
}

/* Print the first 'n' bytes as packets. */
static void print_first(struct ask_log *log, const struct queue *q, struct log_queue *l, u64 n)
{
	struct out *out = lines_of(log);

	n = MIN(n, l->n);
	if (!n)
		return;
	if (log->shown != q) {
		log->shown = q;
		out_fmt(out, "trace %u of cpu %d tid %d\n", q->index, q->cpu, q->queue_tid);
	}
	print_packets(out, &l->lines, (struct bytes){ l->bytes, n });
	l->n -= n;
	l->at += n;
	memmove(l->bytes, l->bytes + n, l->n);
}

static void take_bytes(void *who, const struct queue *q, u64 at, struct bytes piece)
{
	struct ask_log *log = who;
	struct log_queue *l = queue_of(log, q);

	if (l->n > KEPT)
		print_first(log, q, l, KEPT / 2);
	if (l->at + l->n != at) {
		print_first(log, q, l, l->n);
		print_packets_end(lines_of(log), &l->lines);
		l->at = l->lines.off = at;
	}
	if (l->room - l->n < piece.len) {
		u32 room = MAX(2 * l->room, (u32)round_up(l->n + piece.len, 4096));

		l->bytes = arena_grow(&log->ask->list->session.arena, l->bytes, 1, l->n, room);
		l->room = room;
	}
	memcpy(l->bytes + l->n, piece.at, piece.len);
	l->n += piece.len;
}

/* What is decoded so far. */
static void print_decoded(struct ask_log *log, struct queue *q)
{
	struct log_queue *l = queue_of(log, q);
	u64 place = session_decodes(q) ? part_place(q) : 0;

	if (place > l->at && l->n)
		print_first(log, q, l, place - l->at);
}

static void take_item(void *who, const struct item *item, int gap)
{
	struct ask_log *log = who;
	struct listing *list = log->ask->list;
	struct sample_printer pr = { .out = lines_of(log), .session = &list->session };
	u32 i;

	if (gap < 0) {
		for (i = 0; i < log->n_queues; i++)
			print_decoded(log, list->session.queues[i]);
		if (list->itrace.log_all || item->record->type < PERF_HEADER_ATTR)
			print_record_short(pr.out, item->record, item->sample);
		return;
	}
	if (item->kind == ITEM_STEP)
		print_decoded(log, item->queue);
	print_gap(&pr, item, gap);
	if (!list->itrace.log_errors)
		return;
	keep_last(&log->text);
	out_bytes(log->to, log->text.buf, log->text.at - log->text.buf);
	log->text.at = log->text.buf;
}

bool ask_log_open(struct ask *a)
{
	struct listing *l = a->list;
	struct arena *arena = &l->session.arena;
	struct ask_log *log;
	int fd = -1;

	if (!l->itrace.log || l->itrace.off)
		return true;
	log = a->log = NEW(arena, struct ask_log, 1);
	log->ask = a;
	log->to = a->out;
	if (!l->itrace.log_stdout) {
		fd = open("intel_pt.log", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return !fail(-errno, "intel_pt.log");
		log->to = &log->file;
		out_open(&log->file, fd, NEW(arena, char, OUT_BUFFER), OUT_BUFFER);
		log->file.lines = false;
	}
	out_open(&log->text, -1, NEW(arena, char, OUT_BUFFER), OUT_BUFFER);
	log->text.lines = false;
	log->text.keep = keep_last;
	l->options.note_bytes = take_bytes;
	l->note_item = take_item;
	l->options.who = l->who = log;
	return true;
}

int ask_log_end(struct ask *a)
{
	struct session *s = &a->list->session;
	struct ask_log *log = a->log;
	u32 i;

	for (i = 0; i < log->n_queues; i++) {
		print_first(log, s->queues[i], &log->queues[i], log->queues[i].n);
		print_packets_end(lines_of(log), &log->queues[i].lines);
	}
	if (out_flush(log->to) && log->to == &log->file)
		return fail(log->file.err, "intel_pt.log");
	return 0;
}
