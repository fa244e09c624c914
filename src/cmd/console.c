/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt export --console: a file as lines for a serial console.
 *
 * Bytes keep their offsets, so the receiver gets the same file with missing ranges. Data that
 * every decode needs are sent first: all data except trace; then trace, the newest first, up to
 * the limit; and at the end a second copy of those data whose loss would cost most.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <pt/config/DEFLATE.h>
#include <pt/fail.h>
#include <pt/frame.h>
#include <pt/num.h>
#include <pt/perf.h>
#include <pt/perf_write.h>
#include <pt/term.h>
#include <pt/zip.h>
#include "console.h"

enum {
	BITS = 10, USUAL_BAUD = 115200,
	LINE = 25,		/* a line without its bytes */
	PIPE_HEADER = 16,	/* of the pipe form */
};

struct region {
	u64 off, len;
	bool record;		/* it begins with a record */
};

enum { LARGE = 32 << 10 };	/* trace: its record is sent twice */

struct sender {
	const char *path;
	int fd;
	u64 size;
	struct arena arena;
	/* Parts of the file: all except trace; trace; the records of its largest parts. */
	struct region_list { struct region *at; u32 n, room; } rest, aux, heads;
	struct out *out;	/* NULL: only count */
	u16 id;
	u32 seq, all;		/* lines so far; lines in all */
	u64 bytes, limit;	/* of text */
	u64 again;		/* bytes of what is sent twice */
	u64 left;		/* bytes of trace that were not sent */
	u8 sum[FRAME_PARITY];
};

/* Contents of the file */

static void add(struct sender *s, struct region_list *to, u64 off, u64 end, bool record)
{
	if (end <= off)
		return;
	if (to->n == to->room) {
		to->room = MAX(64u, 2 * to->room);
		to->at = arena_grow(&s->arena, to->at, sizeof(*to->at), to->n, to->room);
	}
	to->at[to->n++] = (struct region){ off, end - off, record };
}

/* Divide the records of perf.data from 'at' on. A block ends with a record, so that the others can
 * be read if it is lost. Returns where the last one ends. */
static u64 find_records(struct sender *s, u64 at, u64 end)
{
	u64 next, size, aux;
	u8 head[16];

	for (next = at; end - next >= 8; next += size + aux) {
		if (pread(s->fd, head, sizeof(head), next) < 8)
			break;
		size = get32(head + 4) >> 16;
		if (size < 8 || size > end - next)
			break;
		aux = get32(head) == PERF_AUXTRACE ? get64(head + 8) : 0;
		aux = MIN(aux, end - next - size);
		if (next + size - at > FRAME_BLOCK) {
			add(s, &s->rest, at, next, true);
			at = next;
		}
		if (!aux)
			continue;
		add(s, &s->rest, at, next + size, true);
		add(s, &s->aux, next + size, next + size + aux, false);
		if (aux >= LARGE)
			add(s, &s->heads, next, next + size, true);
		at = next + size + aux;
	}
	add(s, &s->rest, at, next, true);
	return next;
}

static bool find_trace(struct sender *s)
{
	struct perf_file f = { 0 };
	const char *why;
	u64 at, end;

	if (perf_open(&f, s->path, &s->arena, &why))
		return false;
	perf_close(&f);
	if (f.dir)
		return false;
	at = f.pipe ? PIPE_HEADER : MIN(f.data_off, s->size);
	end = f.pipe || !f.data_size ? s->size : at + MIN(f.data_size, s->size - at);
	add(s, &s->rest, 0, at, false);
	add(s, &s->rest, find_records(s, at, end), s->size, false);
	return true;
}

/* Lines */

static void put_line(struct sender *s, u8 kind, const u8 *bytes, u32 len)
{
	struct frame f = { .kind = kind, .len = len, .id = s->id, .seq = s->seq++ };
	char text[FRAME_TEXT], *end;

	memcpy(f.bytes, bytes, len);
	s->bytes += LINE + (len + 2) / 3 * 4;
	if (!s->out)
		return;
	end = frame_put(text, &f);
	*end++ = '\n';
	out_bytes(s->out, text, end - text);
}

static void put_sum(struct sender *s)
{
	put_line(s, FRAME_XOR, s->sum, FRAME_PARITY);
	memset(s->sum, 0, sizeof(s->sum));
}

static void put_data(struct sender *s, u8 kind, const u8 *bytes, u32 len)
{
	u32 i;

	put_line(s, kind, bytes, len);
	s->sum[0] ^= kind;
	s->sum[1] ^= len;
	for (i = 0; i < len; i++)
		s->sum[2 + i] ^= bytes[i];
	if (s->seq % (FRAME_GROUP + 1) == FRAME_GROUP)
		put_sum(s);
}

/* Complete a group with lines of one byte that belong to no block. */
static void put_end(struct sender *s)
{
	while (s->seq % (FRAME_GROUP + 1))
		put_data(s, FRAME_MORE, (const u8 *)"", 1);
}

static void put_payload(struct sender *s, const u8 head[FRAME_HEAD], struct bytes b)
{
	u8 line[FRAME_BYTES];
	u32 n = MIN(b.len, (size_t)FRAME_BYTES - FRAME_HEAD);

	memcpy(line, head, FRAME_HEAD);
	if (n)
		memcpy(line + FRAME_HEAD, b.at, n);
	put_data(s, FRAME_FIRST, line, FRAME_HEAD + n);
	for (b = bytes_skip(b, n); b.len; b = bytes_skip(b, n)) {
		n = MIN(b.len, (size_t)FRAME_BYTES);
		put_data(s, FRAME_MORE, b.at, n);
	}
}

static int put_block(struct sender *s, u64 off, u32 len, bool record)
{
	struct frame_block b = { .off = off, .size = s->size, .len = len, .record = record };
	u8 bytes[FRAME_BLOCK], head[FRAME_HEAD];
	struct bytes packed = { 0 };
	struct arena scratch = { 0 };

	if (pread(s->fd, bytes, len, off) != (ssize_t)len)
		return fail(-EIO, "cannot read %s", s->path);
	b.crc = frame_crc(0, bytes, len);
	if (CONFIG_DEFLATE)
		packed = zip_deflate((struct bytes){ bytes, len }, &scratch);
	b.deflated = packed.len;
	frame_put_head(head, &b);
	put_payload(s, head, packed.len ? packed : (struct bytes){ bytes, len });
	arena_free(&scratch);
	return 0;
}

/* Write the number of lines, which is in the first and the last one. */
static void put_count(struct sender *s)
{
	struct frame_block b = { .size = s->size, .crc = s->all };
	u8 head[FRAME_HEAD];

	frame_put_head(head, &b);
	put_payload(s, head, (struct bytes){ (const u8 *)"", 0 });
}

static int send_region(struct sender *s, const struct region *r)
{
	int err = 0;
	u64 done;

	for (done = 0; done < r->len && !err; done += FRAME_BLOCK)
		err = put_block(s, r->off + done, MIN(r->len - done, (u64)FRAME_BLOCK),
				!done && r->record);
	return err;
}

static int send_rest(struct sender *s)
{
	int err = 0;
	u32 i;

	for (i = 0; i < s->rest.n && !err; i++)
		err = send_region(s, &s->rest.at[i]);
	return err;
}

/* A second copy of data whose loss would cost much: the head of the file and its first records;
 * the records of large parts of trace. */
static int send_again(struct sender *s)
{
	int err = 0;
	u32 i;

	for (i = 0; i < MIN(s->rest.n, 2u) && s->aux.n && !err; i++)
		if (s->rest.at[i].len <= FRAME_BLOCK)
			err = send_region(s, &s->rest.at[i]);
	for (i = 0; i < s->heads.n && !err; i++)
		err = send_region(s, &s->heads.at[i]);
	return err;
}

static int send_trace(struct sender *s)
{
	u64 end, from;
	int err = 0;
	u32 i;

	s->left = 0;
	for (i = s->aux.n; i--; ) {
		const struct region *aux = &s->aux.at[i];

		for (end = aux->off + aux->len; end > aux->off && !err; end = from) {
			from = MAX(aux->off, end - MIN(end, (u64)FRAME_BLOCK));
			if (s->limit && s->bytes + s->again >= s->limit)
				s->left += end - from;
			else
				err = put_block(s, from, end - from, false);
		}
	}
	return err;
}

static int send_all(struct sender *s)
{
	int err;

	s->seq = s->bytes = 0;
	put_count(s);
	err = send_rest(s);
	if (!err && s->limit && s->bytes + s->again > s->limit)
		return fail(0, "--limit: what is not trace takes %llu kB already; use a larger "
			    "limit", (s->bytes >> 10) + 1);
	if (!err)
		err = send_trace(s);
	if (!err)
		err = send_again(s);
	put_count(s);
	put_end(s);
	return err;
}

static void say_long(const struct sender *s, u64 baud)
{
	u64 seconds = s->bytes * BITS / baud + 1;

	warn(0, "%llu kB in %u lines, about %llu %s at %llu baud%s", (s->bytes >> 10) + 1, s->seq,
	     seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min", baud,
	     s->limit ? "" : "; --limit 60s or 100K sends the newest");
	if (s->left)
		warn(0, "the oldest %llu kB of trace are left out", (s->left >> 10) + 1);
}

const char *console_limit(struct console *c, const char *arg)
{
	size_t len = strlen(arg);

	if (len && (arg[len - 1] == 's' || arg[len - 1] == 'm') &&
	    num_parse_time(arg, &c->limit_ns) && c->limit_ns)
		return NULL;
	return num_parse_size(arg, &c->limit) && c->limit ? NULL :
		"--limit takes a size, 100K, or a time, 60s";
}

int console_export(const struct console *c, const char *path, struct out *out)
{
	u64 baud = c->baud ? c->baud : term_baud(out->fd);
	struct sender s = { .path = path, .limit = c->limit };
	struct timespec now;
	struct stat st;
	int err;

	baud = baud ? baud : USUAL_BAUD;
	if (c->limit_ns)
		s.limit = MAX(c->limit_ns / 1000000 * (baud / BITS) / 1000, 1ULL);
	s.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s.fd < 0 || fstat(s.fd, &st))
		return fail(-errno, "cannot read %s", path);
	if (!S_ISREG(st.st_mode))
		return fail(0, "%s: --console takes a file, not a pipe or a folder", path);
	s.size = st.st_size;
	if (!find_trace(&s))
		add(&s, &s.aux, 0, s.size, false);
	clock_gettime(CLOCK_REALTIME, &now);
	s.id = now.tv_nsec / 1000 ^ now.tv_sec ^ getpid();
	err = send_again(&s);
	s.again = s.bytes;
	if (!err)
		err = send_all(&s);
	if (err)
		return err;
	say_long(&s, baud);
	if (out->fd > 2)
		ftruncate(out->fd, 0);
	s.all = s.seq;
	s.out = out;
	err = send_all(&s);
	arena_free(&s.arena);
	return err;
}
