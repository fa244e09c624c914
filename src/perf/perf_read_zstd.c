/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * COMPRESSED records of a pipe: the records in them are read in their place. All of them are one
 * stream of zstd, and a record may begin in one and end in the next. (Those of a file are expanded
 * as a whole, by src/cmd/expand.c.)
 */
#include <errno.h>
#include <unistd.h>
#include <zstd.h>

#include "perf_input.h"

enum { START = 256 << 10, LIMIT = 64 << 20 };

struct perf_plain {
	ZSTD_DStream *stream;
	u8 *at;			/* 'have' bytes from 'from' on are not read yet */
	size_t from, have, room;
};

bool perf_plain_begin(int fd)
{
	enum { MAX_RECORDS = 1 << 17, HEAD = 16 };
	u32 i, type;
	u64 at = HEAD;
	u8 head[HEAD];

	if (input_pread(fd, head, HEAD, 0) != HEAD || memcmp(head, "PERFILE2", 8) ||
	    get64(head + 8) != HEAD)
		return false;
	for (i = 0; i < MAX_RECORDS; i++) {
		if (input_pread(fd, head, HEAD, at) < 8 || get16(head + 6) < 8)
			return false;
		type = get32(head);
		/* Samples that are not compressed come only after those that are. */
		if (type == PERF_SAMPLE || type == PERF_AUXTRACE)
			return false;
		if (type == PERF_COMPRESSED || type == PERF_COMPRESSED2)
			return !lseek(fd, 0, SEEK_SET);
		at += get16(head + 6);
		if (type == PERF_TRACING_DATA)
			at += get32(head + 8);
	}
	return false;
}

bool perf_plain_next(struct perf_file *f, struct perf_record *rec)
{
	struct perf_plain *p = f->in->plain;
	struct part *part = &f->in->parts[0];
	const u8 *at;
	size_t size;

	if (!p || p->have < 8)
		return false;
	at = p->at + p->from;
	size = get16(at + 6);
	if (size < 8) {		/* damage: there is no next record, either */
		p->have = 0;
		return false;
	}
	if (size > p->have)
		return false;
	*rec = (struct perf_record){ get32(at), get16(at + 4), 0, part->off, { at, size } };
	part->off += size;
	p->from += size;
	p->have -= size;
	return true;
}

/* Make room after what is there. */
static bool grow(struct perf_file *f, struct perf_plain *p)
{
	size_t room = p->room ? 2 * p->room : START;

	if (p->from) {
		memmove(p->at, p->at + p->from, p->have);
		p->from = 0;
		if (p->have < p->room / 2)
			return true;
	}
	if (room > LIMIT)
		return false;
	p->at = arena_grow(f->arena, p->at, 1, p->room, room);
	p->room = room;
	return true;
}

static int add(struct perf_file *f, struct perf_plain *p, struct bytes packed)
{
	ZSTD_inBuffer in = { packed.at, packed.len, 0 };
	size_t left, before, written;

	do {
		ZSTD_outBuffer out;

		if (p->from + p->have == p->room && !grow(f, p))
			return -EBADMSG;
		out = (ZSTD_outBuffer){ p->at, p->room, p->from + p->have };
		written = out.pos;
		before = in.pos;
		left = ZSTD_decompressStream(p->stream, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		written = out.pos - written;
		p->have += written;
	} while (in.pos < in.size ? written || in.pos != before : p->from + p->have == p->room);
	return 0;
}

int perf_plain_add(struct perf_file *f, const struct perf_record *rec, const char **why)
{
	enum { SIZE_FIRST = 16 };
	struct perf_plain *p = f->in->plain;
	struct bytes packed = bytes_skip(rec->raw, 8);
	int err;

	if (rec->type == PERF_COMPRESSED2 && rec->raw.len >= SIZE_FIRST)
		packed = bytes_first(bytes_skip(rec->raw, SIZE_FIRST), get64(packed.at));
	if (!p) {
		p = f->in->plain = NEW(f->arena, struct perf_plain, 1);
		p->stream = ZSTD_createDStream();
	}
	err = p->stream ? add(f, p, packed) : -ENOMEM;
	if (err == -EBADMSG)
		*why = "damaged: its COMPRESSED records are read up to the damage";
	return err;
}
