/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Perfetto's trace packets, for ui.perfetto.dev and trace_processor. A thread is a track, and a
 * call is two packets. Each name is written once with a number, which replaces it later.
 *
 * Manual: https://perfetto.dev/docs/reference/trace-packet-proto
 */
#include <pt/print_tree.h>
#include <pt/proto.h>

enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_INTERNED = 12,
	PACKET_FLAGS = 13, PACKET_TRACK = 60,
	INTERNED_EVENT_NAMES = 2, INTERNED_NOTE_NAMES = 3, INTERNED_IID = 1, INTERNED_NAME = 2,
	TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4,
	PROCESS_PID = 1, PROCESS_NAME = 6,
	THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5,
	EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_NAME_IID = 10, EVENT_TRACK = 11,
	NOTE_NAME_IID = 1, NOTE_UINT = 3,
	TYPE_BEGIN = 1, TYPE_END = 2,
	FLAGS_CLEARED = 1, FLAGS_NEEDED = 2,	/* names that were written */
};

/* Write a message inside another: the output of put(), with its length before it. */
static void put_inner(struct proto *p, u32 field, const struct span *span,
		      void (*put)(struct proto *p, const struct span *span))
{
	struct proto count = { 0 };

	put(&count, span);
	proto_begin(p, field, count.n);
	put(p, span);
}

static void put_note_name(struct proto *p, const struct span *span)
{
	proto_u64(p, INTERNED_IID, 1);
	proto_text(p, INTERNED_NAME, "instructions");
	(void)span;
}

static void put_note_names(struct proto *p, const struct span *span)
{
	put_inner(p, INTERNED_NOTE_NAMES, span, put_note_name);
}

static void put_first(struct proto *p, const struct span *span)
{
	proto_u64(p, PACKET_SEQUENCE, 1);
	proto_u64(p, PACKET_FLAGS, FLAGS_CLEARED);
	put_inner(p, PACKET_INTERNED, span, put_note_names);
}

static void begin(struct out *out)
{
	put_inner(&(struct proto){ out }, TRACE_PACKET, NULL, put_first);
}

static void put_process(struct proto *p, const struct span *span)
{
	proto_u64(p, PROCESS_PID, span->track->pid);
	proto_text(p, PROCESS_NAME, span->track->comm);
}

static void put_thread(struct proto *p, const struct span *span)
{
	proto_u64(p, THREAD_PID, span->track->pid);
	proto_u64(p, THREAD_TID, span->track->tid);
	proto_text(p, THREAD_NAME, span->track->comm);
}

static void put_track(struct proto *p, const struct span *span)
{
	proto_u64(p, TRACK_UUID, span->track_nr + 1);
	/* An idle thread, an unknown one, or a CPU. */
	if (span->track->pid <= 0 || span->track->pid == TREE_CPU) {
		proto_text(p, TRACK_NAME, span->track->comm);
		return;
	}
	put_inner(p, TRACK_THREAD, span, put_thread);
}

/* The process of a thread is a track, too, of which only the name is used. */
static void put_process_track(struct proto *p, const struct span *span)
{
	proto_u64(p, TRACK_UUID, (1ULL << 32) + span->track->pid);
	put_inner(p, TRACK_PROCESS, span, put_process);
}

static void put_process_packet(struct proto *p, const struct span *span)
{
	proto_u64(p, PACKET_SEQUENCE, 1);
	put_inner(p, PACKET_TRACK, span, put_process_track);
}

static void put_note(struct proto *p, const struct span *span)
{
	proto_u64(p, NOTE_NAME_IID, 1);
	proto_u64(p, NOTE_UINT, span->insns);
}

static void put_event(struct proto *p, const struct span *span)
{
	proto_u64(p, EVENT_TYPE, span->kind == SPAN_OPEN ? TYPE_BEGIN : TYPE_END);
	proto_u64(p, EVENT_TRACK, span->track_nr + 1);
	if (span->kind == SPAN_OPEN)
		proto_u64(p, EVENT_NAME_IID, tree_name_nr(span->name) + 1);
	else if (span->track->pid != TREE_CPU)
		put_inner(p, EVENT_NOTE, span, put_note);
}

static void put_name(struct proto *p, const struct span *span)
{
	proto_u64(p, INTERNED_IID, tree_name_nr(span->name) + 1);
	proto_text(p, INTERNED_NAME, span->name);
}

static void put_names(struct proto *p, const struct span *span)
{
	put_inner(p, INTERNED_EVENT_NAMES, span, put_name);
}

static void put_packet(struct proto *p, const struct span *span)
{
	proto_u64(p, PACKET_SEQUENCE, 1);
	if (span->kind == SPAN_TRACK) {
		put_inner(p, PACKET_TRACK, span, put_track);
		return;
	}
	proto_u64(p, PACKET_TIMESTAMP, span->at);
	proto_u64(p, PACKET_FLAGS, FLAGS_NEEDED);
	if (span->is_new)
		put_inner(p, PACKET_INTERNED, span, put_names);
	put_inner(p, PACKET_EVENT, span, put_event);
}

static void put_span(struct out *out, const struct span *span)
{
	const struct tree_track *track = span->track;

	if (span->kind == SPAN_TRACK && track->pid > 0 && track->pid == track->tid)
		put_inner(&(struct proto){ out }, TRACE_PACKET, span, put_process_packet);
	put_inner(&(struct proto){ out }, TRACE_PACKET, span, put_packet);
}

static void end(struct out *out)
{
	(void)out;
}

const struct print_spans print_perfetto = { begin, put_span, end };
