/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that contain a trace or perf.data in another form: compressed by gzip, or as text from a
 * console: lines of 'pt export --console' (<pt/frame.h>), xxd, hexdump, od, base64.
 * They are converted to files without a name. From a pipe they are first copied to such a file.
 *
 * The text is a log of a console: there may be other lines in between, and times of the kernel
 * before the lines.
 */
#define _GNU_SOURCE	/* memfd_create(), tee() */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/config/SEVERAL.h>
#include <pt/config/ZLIB.h>
#include <pt/config/ZSTD.h>
#include <pt/fail.h>
#include <pt/frame.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/zip.h>
#include "capture.h"
#include "expand.h"
#include "holes.h"
#include "input.h"
#include "several.h"

enum {
	CAPTURES = 16,		/* limit for one log */
	LOOK = 64 << 10,	/* bytes that are read to recognize text */
	HEAD = 104, LEAST = 20,	/* bytes that are read to recognize the form */
	LINE_LEAST = 25,	/* bytes of a line of a capture */
};

/* Lines of 'pt export --console' with one number. */
struct lines {
	u16 id;
	struct frame *at;	/* by their numbers; kind 0: missing */
	u32 n, room, all;	/* all: the number in the capture, or 0 */
};

struct log {
	const char *path;
	struct arena arena;
	struct bytes text;
	int fd;			/* the converted file */
	struct lines captures[CAPTURES];
	u32 n_captures;
	struct lines *last;
	u64 size;		/* of the file that was captured, or 0 */
	u64 used;		/* bytes of it that arrived */
	struct span *spans;
	u32 n_spans, spans_room;
	bool no_zlib;
};

/* Take the next line of 'text', without '\n'. */
static bool next_line(struct bytes *text, struct bytes *line)
{
	const u8 *end;

	if (!text->len)
		return false;
	end = memchr(text->at, '\n', text->len);
	*line = bytes_first(*text, end ? (size_t)(end - text->at) : text->len);
	*text = bytes_skip(*text, MIN(line->len + 1, text->len));
	while (line->len && (line->at[line->len - 1] == '\r' || line->at[line->len - 1] == ' '))
		line->len--;
	return true;
}

/* 'record': a record begins there. */
static void put(struct log *log, u64 off, const void *bytes, size_t n, bool record)
{
	if (pwrite(log->fd, bytes, n, off) != (ssize_t)n)
		return;
	log->used += n;
	if (!record && log->n_spans && log->spans[log->n_spans - 1].end == off) {
		log->spans[log->n_spans - 1].end += n;
		return;
	}
	if (log->n_spans == log->spans_room) {
		u32 room = MAX(64u, 2 * log->spans_room);

		log->spans = arena_grow(&log->arena, log->spans, sizeof(*log->spans),
					log->n_spans, room);
		log->spans_room = room;
	}
	log->spans[log->n_spans++] = (struct span){ off, off + n, record };
}

/* Lines of pt export --console */

static struct lines *lines_of(struct log *log, u16 id)
{
	u32 i;

	for (i = 0; i < log->n_captures; i++)
		if (log->captures[i].id == id)
			return &log->captures[i];
	if (log->n_captures == CAPTURES)
		return NULL;
	log->captures[log->n_captures].id = id;
	return &log->captures[log->n_captures++];
}

static void add_frame(struct log *log, const struct frame *f)
{
	struct lines *l = lines_of(log, f->id);

	/* The limit assumes that at most three of four lines were lost. */
	if (!l || f->seq > log->text.len / LINE_LEAST * 4 + 1000)
		return;
	if (f->seq >= l->room) {
		u32 room = MAX(f->seq + 1, MAX(1024u, 2 * l->room));

		l->at = arena_grow(&log->arena, l->at, sizeof(*l->at), l->room, room);
		memset(l->at + l->room, 0, (room - l->room) * sizeof(*l->at));
		l->room = room;
	}
	l->at[f->seq] = *f;
	l->n = MAX(l->n, f->seq + 1);
	log->last = l;
}

static bool is_xor(u32 seq)
{
	return seq % (FRAME_GROUP + 1) == FRAME_GROUP;
}

/* Restore a missing line from all others of its group. */
static void restore(struct lines *l, u32 group)
{
	u32 first = group * (FRAME_GROUP + 1), lost = 0, n = 0, seq, i;
	u8 sum[FRAME_PARITY];
	struct frame *f;

	if (first + FRAME_GROUP >= l->n || !l->at[first + FRAME_GROUP].kind)
		return;
	memcpy(sum, l->at[first + FRAME_GROUP].bytes, sizeof(sum));
	for (seq = first; seq < first + FRAME_GROUP; seq++) {
		f = &l->at[seq];
		if (!f->kind) {
			lost = seq;
			n++;
		}
		sum[0] ^= f->kind;
		sum[1] ^= f->kind ? f->len : 0;
		for (i = 0; f->kind && i < f->len; i++)
			sum[2 + i] ^= f->bytes[i];
	}
	if (n != 1 || (sum[0] != FRAME_FIRST && sum[0] != FRAME_MORE) || sum[1] > FRAME_BYTES)
		return;
	f = &l->at[lost];
	*f = (struct frame){ .kind = sum[0], .len = sum[1], .id = l->id, .seq = lost };
	memcpy(f->bytes, sum + 2, f->len);
}

static void use_block(struct log *log, struct lines *l, struct bytes b)
{
	struct frame_block head;
	struct arena scratch = { 0 };

	if (!frame_read_head(&head, b))
		return;
	b = bytes_skip(b, FRAME_HEAD);
	log->size = MAX(log->size, head.size);
	if (!head.len) {
		l->all = head.crc;
		return;
	}
	log->no_zlib |= head.deflated && !CONFIG_ZLIB;
	if (head.deflated && CONFIG_ZLIB)
		b = zip_inflate(b, head.len, &scratch);
	if (b.len == head.len && frame_crc(0, b.at, b.len) == head.crc)
		put(log, head.off, b.at, b.len, head.record);
	arena_free(&scratch);
}

/* Write each block whose lines are complete. */
static void use_blocks(struct log *log, struct lines *l)
{
	u8 block[FRAME_HEAD + FRAME_BLOCK + FRAME_BYTES];
	size_t n = 0;
	bool whole = false;
	u32 seq;

	for (seq = 0; seq < l->n; seq++) {
		const struct frame *f = &l->at[seq];

		if (is_xor(seq))
			continue;
		if (f->kind == FRAME_FIRST || !f->kind) {
			if (whole)
				use_block(log, l, (struct bytes){ block, n });
			whole = f->kind;
			n = 0;
		}
		whole &= n + f->len <= sizeof(block);
		if (!whole)
			continue;
		memcpy(block + n, f->bytes, f->len);
		n += f->len;
	}
	if (whole)
		use_block(log, l, (struct bytes){ block, n });
}

/* Write the numbers of missing data lines, "17-19, 45, ...". Returns their number. */
static u32 name_lost(const struct lines *l, char *to, size_t room)
{
	u32 end = MAX(l->n, l->all), n = 0, seq, from;
	size_t len = 0;

	*to = 0;
	for (seq = 0; seq < end; seq++) {
		if (is_xor(seq) || (seq < l->n && l->at[seq].kind))
			continue;
		for (from = seq; seq + 1 < end && (is_xor(seq + 1) || seq + 1 >= l->n ||
						   !l->at[seq + 1].kind); seq++)
			n += !is_xor(seq);
		n += !is_xor(seq);
		if (len + 40 < room)
			len += fmt_str(to + len, room - len, from == seq ? "%s%u" : "%s%u-%u",
				       len ? ", " : "", from, seq);
		else if (len + 6 < room)
			len += fmt_str(to + len, room - len, ", ...");
	}
	return n;
}

static void say_captures(const struct log *log)
{
	if (log->n_captures > 1)
		warn(0, "%s holds %u captures: the last one, %04x, is read", log->path,
		     log->n_captures, log->last->id);
}

static void mend_holes(struct log *log)
{
	struct stat st;
	void *at;

	if (fstat(log->fd, &st) || !st.st_size)
		return;
	at = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, log->fd, 0);
	if (at == MAP_FAILED)
		return;
	holes_mend((struct bytes){ at, st.st_size }, log->spans, log->n_spans, &log->arena);
	munmap(at, st.st_size);
}

static bool read_frames(struct log *log)
{
	struct bytes text = log->text, line;
	struct frame f = { 0 };
	u32 n_damaged = 0, lost, i;
	char names[160];
	bool damaged;

	while (next_line(&text, &line))
		while (frame_read(&f, &line, &damaged) || damaged)
			if (damaged)
				n_damaged++;
			else
				add_frame(log, &f);
	if (!log->last)
		return false;
	say_captures(log);
	for (i = 0; i <= log->last->n / (FRAME_GROUP + 1); i++)
		restore(log->last, i);
	use_blocks(log, log->last);
	lost = name_lost(log->last, names, sizeof(names));
	if (lost)
		warn(0, "%s: %u of %u lines are lost%s (%s): what is left is used", log->path, lost,
		     MAX(log->last->all, log->last->n), n_damaged ? ", or damaged" : "", names);
	if (log->no_zlib)
		warn(0, "%s: it was compressed, and this pt was built without zlib", log->path);
	if (log->size && ftruncate(log->fd, log->size))
		return false;
	mend_holes(log);
	return log->used;
}

/* Dumps */

/* Skip prefixes of the kernel and others: "<6>", "[   12.345678] ". */
static struct bytes without_time(struct bytes line)
{
	const u8 *end;

	if (line.len > 3 && line.at[0] == '<' && line.at[2] == '>')
		line = bytes_skip(line, 3);
	while (line.len && (line.at[0] == ' ' || line.at[0] == '\t'))
		line = bytes_skip(line, 1);
	if (line.len && line.at[0] == '[' && (end = memchr(line.at, ']', MIN(line.len, 40u))))
		line = bytes_skip(line, end + 1 - line.at);
	while (line.len && line.at[0] == ' ')
		line = bytes_skip(line, 1);
	return line;
}

static i32 hex_digit(u8 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* How a dump writes its offsets. */
enum base { NOT_KNOWN, HEX, OCTAL };

/* Offsets of seven digits are those of hexdump in hexadecimal, or those of od in octal: the one
 * that continues at 'at', where the line before ended, else octal. */
static enum base base_of(u64 hex, u64 oct, bool octal, bool seven, u64 at)
{
	if (!seven || !octal)
		return HEX;
	if (!hex)
		return NOT_KNOWN;
	return at && hex == at && oct != at ? HEX : OCTAL;
}

/* Read an offset: "00000010: " of xxd, "00000010  " of hexdump -C, "0000010 " of hexdump,
 * "0000020 " of od, "000010 " of od -A x. */
static bool read_offset(struct bytes *line, u64 at, u64 *off, bool *colon, enum base *base)
{
	bool octal = true;
	u64 hex = 0, oct = 0;
	size_t i;

	for (i = 0; i < line->len && hex_digit(line->at[i]) >= 0; i++) {
		octal &= line->at[i] < '8';
		hex = hex << 4 | hex_digit(line->at[i]);
		oct = oct << 3 | (line->at[i] & 7);
	}
	if (i < 6 || i > 16)
		return false;
	*colon = i < line->len && line->at[i] == ':';
	if (i < line->len && !*colon && line->at[i] != ' ')
		return false;
	if (*base == NOT_KNOWN)
		*base = base_of(hex, oct, octal, i == 7 && !*colon, at);
	if (*base == OCTAL && !octal)
		return false;
	*off = *base == OCTAL ? oct : hex;
	*line = bytes_skip(*line, i + *colon);
	return true;
}

/* A number of 'n' digits, in base 16 or 8. */
static bool read_number(const u8 *at, size_t n, u32 bits, u64 *value)
{
	size_t i;

	for (*value = i = 0; i < n; i++) {
		if (hex_digit(at[i]) < 0 || hex_digit(at[i]) >> bits)
			return false;
		*value = *value << bits | hex_digit(at[i]);
	}
	return true;
}

/* Numbers of several bytes, with the lowest byte first, as they are in memory: od and hexdump
 * without options, od -t x2, x4, x8, od -b. Their digits tell their size. */
static size_t read_words(struct bytes line, u8 *to, size_t room)
{
	static const struct { u8 digits, bits, bytes; } forms[] = {
		{ 2, 4, 1 }, { 3, 3, 1 }, { 4, 4, 2 }, { 6, 3, 2 }, { 8, 4, 4 }, { 16, 4, 8 },
	};
	u32 form = 0, i;
	size_t n = 0, k;
	u64 word;

	while (line.len) {
		if (line.at[0] == ' ') {
			line = bytes_skip(line, 1);
			continue;
		}
		for (k = 0; k < line.len && line.at[k] != ' '; k++)
			;
		while (!n && form < N_ELEM(forms) - 1 && forms[form].digits != k)
			form++;
		if (forms[form].digits != k || n + forms[form].bytes > room ||
		    !read_number(line.at, k, forms[form].bits, &word))
			break;
		for (i = 0; i < forms[form].bytes; i++)
			to[n++] = word >> 8 * i;
		line = bytes_skip(line, k);
	}
	return n;
}

/* The bytes of xxd, in groups, up to the two blanks before the letters. */
static size_t read_groups(struct bytes line, u8 *to, size_t room)
{
	size_t n = 0;
	u32 blanks = 0;

	for (; line.len >= 2 && n < room; line = bytes_skip(line, 1)) {
		if (line.at[0] == ' ') {
			if (++blanks > 1 && n)
				break;
			continue;
		}
		if (hex_digit(line.at[0]) < 0 || hex_digit(line.at[1]) < 0)
			break;
		blanks = 0;
		to[n++] = hex_digit(line.at[0]) << 4 | hex_digit(line.at[1]);
		line = bytes_skip(line, 1);
	}
	return n;
}

static bool read_dump(struct log *log)
{
	struct bytes text = log->text, line;
	u8 bytes[64], last[64];
	size_t n, n_last = 0;
	enum base base = NOT_KNOWN, maybe;
	bool again = false, colon;
	u32 lines = 0, others = 0;
	u64 off, at = 0;

	while (next_line(&text, &line)) {
		line = without_time(line);
		if (line.len == 1 && line.at[0] == '*') {
			again = true;
			continue;
		}
		maybe = base;
		if (!read_offset(&line, at, &off, &colon, &maybe)) {
			others += line.len > 0;
			continue;
		}
		n = (colon ? read_groups : read_words)(line, bytes, sizeof(bytes));
		if (lines && (off < at || off - at > (1 << 30)))
			continue;	/* it came twice, or has another form */
		for (; again && n_last && at < off; at += n_last)
			put(log, at, last, MIN(n_last, off - at), false);
		again = false;
		if (!n)
			continue;
		base = maybe;
		put(log, off, bytes, n, false);
		memcpy(last, bytes, n);
		n_last = n;
		at = off + n;
		lines++;
	}
	if (lines && lines >= others / 4 && log->used < at)
		warn(0, "%s: %llu of %llu bytes are lost: what is left is used", log->path,
		     at - log->used, at);
	mend_holes(log);
	return lines > 1 && lines >= others / 4;
}

/* Is it a line of bytes in hexadecimal and nothing else, as of xxd -p or od -A n -t x1? */
static bool is_hex(struct bytes line)
{
	size_t digits = 0, i;

	for (i = 0; i < line.len; i++) {
		if (line.at[i] == ' ' ? digits % 2 : hex_digit(line.at[i]) < 0)
			return false;
		digits += line.at[i] != ' ';
	}
	return digits && digits % 2 == 0;
}

/* In base64, too, some lines look like that. */
static bool mostly_hex(struct bytes text)
{
	size_t hex = 0, others = 0;
	struct bytes line;

	while (next_line(&text, &line)) {
		line = without_time(line);
		*(is_hex(line) ? &hex : &others) += line.len;
	}
	return hex > others;
}

static bool read_hex(struct log *log)
{
	struct bytes text = log->text, line;
	u64 at = 0, value;
	u8 bytes[1024];
	size_t n = 0;

	if (!mostly_hex(text))
		return false;
	while (next_line(&text, &line)) {
		line = without_time(line);
		if (!is_hex(line))
			continue;
		for (; line.len >= 2; line = bytes_skip(line, line.at[0] == ' ' ? 1 : 2)) {
			if (!read_number(line.at, 2, 4, &value))
				continue;
			bytes[n++] = value;
			if (n == sizeof(bytes)) {
				put(log, at, bytes, n, false);
				at += n;
				n = 0;
			}
		}
	}
	put(log, at, bytes, n, false);
	return at + n > 16;
}

static bool read_base64(struct log *log)
{
	struct bytes text = log->text, line;
	struct bytes part;
	u8 bytes[1024];
	u64 at = 0;
	size_t n;

	while (next_line(&text, &line)) {
		line = without_time(line);
		/* base64 -w0 writes one line. */
		for (; line.len; line = bytes_skip(line, part.len)) {
			part = bytes_first(line, sizeof(bytes));
			n = part.len >= 4 && part.len % 4 == 0 ?
				frame_base64(bytes, sizeof(bytes), part) : 0;
			if (n < part.len / 4 * 3 - MIN(part.len, 3u))
				break;
			put(log, at, bytes, n, false);
			at += n;
		}
	}
	return at > 16;
}

/* Which */

static bool is_text(struct bytes b)
{
	size_t odd = 0, i;

	b = bytes_first(b, LOOK);
	for (i = 0; i < b.len; i++)
		odd += b.at[i] >= 0x7f || (b.at[i] < ' ' && b.at[i] != '\n' && b.at[i] != '\r' &&
					   b.at[i] != '\t' && b.at[i] != 27);
	return odd < b.len / 32 + 1;
}

static bool unpack(struct log *log)
{
	struct bytes b = zip_inflate(log->text, 0, &log->arena);

	if (b.len)
		put(log, 0, b.at, b.len, false);
	else
		warn(0, "%s: it cannot be unpacked: it is damaged, or longer than 256 MB",
		     log->path);
	return b.len;
}

static bool convert(struct log *log)
{
	if (CONFIG_ZLIB && zip_is_gzip(log->text))
		return unpack(log);
	if (CONFIG_ZSTD && expand_is_one(log->text))
		return (log->used = expand_to(log->fd, log->text, log->path, &log->arena));
	return is_text(log->text) && (read_frames(log) || read_dump(log) || read_hex(log) ||
				      read_base64(log));
}

/* May a file that begins with 'head' be of these forms? */
static bool may_be_one(struct bytes head)
{
	if (head.len < LEAST)
		return false;
	if (!memcmp(head.at, "PERFILE2", 8))
		return CONFIG_ZSTD && expand_is_one(head);
	return zip_is_gzip(head) || is_text(head);
}

static struct bytes map(int fd)
{
	struct bytes none = { 0 };
	struct stat st;
	u8 head[HEAD];
	ssize_t n;
	void *at;

	n = fstat(fd, &st) ? 0 : pread(fd, head, HEAD, 0);
	if (!may_be_one((struct bytes){ head, MAX(n, 0) }))
		return none;
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	return at == MAP_FAILED ? none : (struct bytes){ at, st.st_size };
}

/* Does standard input, a pipe, begin like one of these forms? Nothing is taken from it. */
static bool pipe_may_be_one(void)
{
	u8 head[HEAD];
	int copy[2];
	ssize_t n;

	if (pipe2(copy, O_CLOEXEC))
		return false;
	n = tee(0, copy[1], HEAD, 0);
	n = n > 0 ? read(copy[0], head, n) : 0;
	close(copy[0]);
	close(copy[1]);
	return may_be_one((struct bytes){ head, MAX(n, 0) });
}

/* Copy standard input to a file without a name. Its descriptor, or -1. */
static int spool_pipe(void)
{
	int fd = input_nameless(input_dir());
	char buf[LOOK];
	ssize_t n;

	while (fd >= 0 && (n = read(0, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write(fd, buf, n) != n) {
			fail(n < 0 ? -errno : -ENOSPC, "cannot copy standard input to %s",
			     input_dir());
			break;
		}
	}
	return fd;
}

/* Convert 'text' to a file without a name, and again if that is in one of these forms, such as
 * base64 of what gzip compressed. Its descriptor, or -1. */
static int convert_all(const char *path, struct bytes text)
{
	enum { MOST = 3 };
	int fd = -1, i;

	for (i = 0; i < MOST && text.len; i++) {
		struct log log = { .path = path, .text = text };
		bool done;

		log.fd = memfd_create("pt-capture", MFD_CLOEXEC);
		done = log.fd >= 0 && convert(&log) && log.used;
		munmap((void *)text.at, text.len);
		arena_free(&log.arena);
		if (!done) {
			close(log.fd);
			return fd;
		}
		close(fd);
		fd = log.fd;
		text = map(fd);
	}
	if (text.len)
		munmap((void *)text.at, text.len);
	return fd;
}

const char *capture_path(const char *path)
{
	static char real[40];
	static const char *known;
	struct log log = { .path = path };
	bool input = !strcmp(path, "-"), piped;
	struct stat st;
	int fd;

	if (CONFIG_SEVERAL && several_path(path))
		return several_path(path);
	if (known && !strcmp(known, path))
		return *real ? real : path;
	known = path;
	*real = 0;
	/* Do not open a FIFO: other processes would notice that. */
	if (input ? fstat(0, &st) : stat(path, &st))
		return path;
	piped = input && S_ISFIFO(st.st_mode) && pipe_may_be_one();
	if (!S_ISREG(st.st_mode) && !piped)
		return path;
	fd = piped ? spool_pipe() : input ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
	log.text = fd < 0 ? (struct bytes){ 0 } : map(fd);
	if (piped)
		fmt_str(real, sizeof(real), "/proc/self/fd/%d", fd);
	else
		close(fd);
	if (!log.text.len)
		return path;
	fd = convert_all(path, log.text);
	if (fd >= 0) {
		/* --header prints the time of the file as the time of the recording. */
		if (CONFIG_ZSTD && !piped)
			futimens(fd, (struct timespec[2]){ st.st_atim, st.st_mtim });
		fmt_str(real, sizeof(real), "/proc/self/fd/%d", fd);
	}
	return *real ? real : path;
}
