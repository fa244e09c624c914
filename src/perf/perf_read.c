/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data to records: its three forms, its header and attributes, and the records in file order.
 *
 * The file form has a header with the places of all parts; the directory form is such a file
 * together with streams of records, data.0, data.1, ...; in the pipe form the same information is
 * in records.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/config/SEVERAL.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/config/ZSTD.h>
#include <pt/out.h>
#include "perf_input.h"

/* The front of the file form. */
struct file_header {
	char magic[8];
	u64 size, attr_size;
	struct perf_section attrs, data, event_types;
	u64 features[PERF_N_FEATURES / 64];
};

enum {
	PIPE_HEADER = 16,	/* magic and size */
	ID_SECTION = 16,	/* after each attribute */
	ENTRY_MAX = 1024,
	TURN = 2 << 20,		/* perf reads this much of one file of a directory, then of the
				 * next */
	FEATURE_MAX = 64 << 20,
	FEATURE_EVENT_DESC = 12,
};

const char *why_at(struct perf_file *f, const char *fmt, u64 off)
{
	char line[160];

	fmt_str(line, sizeof(line), fmt, off);
	return arena_str(f->arena, line);
}

/* The file is shorter than its header says. */
static const char *why_short(struct perf_file *f)
{
	char line[160];

	fmt_str(line, sizeof(line), "truncated: %llu bytes expected, the file has %llu",
		f->data_off + f->data_size, f->size);
	return arena_str(f->arena, line);
}

static int bad(const char **why, const char *reason)
{
	*why = reason;
	return -EBADMSG;
}

/* If 'magic' is another one, what the file could be. */
static int check_magic(struct bytes head, const char **why)
{
	if (head.len >= 8 && !memcmp(head.at, "2ELIFREP", 8))
		return bad(why, "it comes from a machine of the other byte order");
	if (head.len >= 8 && !memcmp(head.at, "PERFFILE", 8))
		return bad(why, "its format is older than Linux 3.3");
	if (!perf_magic(head))
		return bad(why, head.len ? "not a perf.data file" : "the file is empty");
	return 0;
}

bool perf_magic(struct bytes head)
{
	return head.len >= 16 && !memcmp(head.at, "PERFILE2", 8);
}

static struct part *add_part(struct perf_file *f, int fd, const char *path)
{
	struct perf_input *in = f->in;
	struct part *part;

	if (!(in->n_parts & (in->n_parts - 1)))
		in->parts = arena_grow(f->arena, in->parts, sizeof(*part), in->n_parts,
				       MAX(in->n_parts * 2, 1));
	part = &in->parts[in->n_parts++];
	*part = (struct part){ .fd = fd, .path = path };
	return part;
}

/* Open a file in a directory, which may be anything: opening a FIFO must not wait, and only
 * regular files are accepted. */
static int open_in_dir(const char *path)
{
	int fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	i64 end;
	u8 byte;

	if (fd < 0)
		return -errno;
	/* A FIFO cannot be sought; an endless device has its end at 0 and still returns bytes.
	 * musl's fstat() would add 0.8 kB to tiny. */
	end = lseek(fd, 0, SEEK_END);
	if (end > 0 || (!end && !pread(fd, &byte, 1, 0)))
		return fd;
	close(fd);
	return -EMEDIUMTYPE;
}

/* Add data.0, data.1, ... of a directory. */
static int add_streams(struct perf_file *f)
{
	struct part *part;
	char *path;
	size_t len;
	i64 size;
	int fd, n;

	for (n = 0; n < 1 << 16; n++) {
		len = strlen(f->dir) + 16;
		path = arena_alloc(f->arena, len);
		fmt_str(path, len, "%s/data.%d", f->dir, n);
		fd = open_in_dir(path);
		if (fd < 0)
			return fd == -ENOENT ? 0 : fd;
		part = add_part(f, fd, path);
		size = lseek(fd, 0, SEEK_END);
		if (size < 0)
			return -errno;
		part->end = part->size = size;
	}
	return 0;
}

/* As perf_read_at(), while no record is borrowed: bytes that are close together are read once. */
static long read_head(struct perf_file *f, u64 off, void *to, size_t n)
{
	const u8 *at;
	long got = input_at(f->in, 0, off, n, &at);

	if (got > 0)
		memcpy(to, at, got);
	return got;
}

/* Read one event: its attributes and ids, at 'off' of the file. */
static int read_event(struct perf_file *f, u64 off, u64 size, const char **why)
{
	struct perf_event *event;
	struct perf_section ids;
	const u8 *entry;
	u64 id, n, i;
	int err;

	if (input_at(f->in, 0, off, size, &entry) < (long)size)
		return bad(why, "its list of events is cut off");
	memcpy(&ids, entry + size - ID_SECTION, sizeof(ids));
	n = ids.size / sizeof(id);
	err = event_add(f, &event, (struct bytes){ entry, size - ID_SECTION }, why);
	if (!err)
		err = event_expect_ids(f, event, n, why);
	for (i = 0; !err && i < n; i++) {
		if (read_head(f, ids.off + i * 8, &id, sizeof(id)) < (long)sizeof(id))
			return bad(why, "a list of event ids is cut off");
		event_add_id(f, event, id);
	}
	return err;
}

static int read_events(struct perf_file *f, const struct file_header *h, const char **why)
{
	u64 at, end;
	int err = 0;

	if (h->attr_size < 64 + ID_SECTION || h->attr_size > ENTRY_MAX)
		return bad(why, "its header has an impossible size of attributes");
	if (__builtin_add_overflow(h->attrs.off, h->attrs.size, &end) || end > f->size)
		return bad(why, "its list of events is cut off");
	for (at = h->attrs.off; !err && end - at >= h->attr_size; at += h->attr_size)
		err = read_event(f, at, h->attr_size, why);
	return err;
}

static struct perf_feature_bytes *find_feature(const struct perf_file *f, u32 bit)
{
	u32 i;

	for (i = 0; i < f->n_feature; i++)
		if (f->feature[i].bit == bit)
			return &f->feature[i];
	return NULL;
}

static struct perf_feature_bytes *add_feature(struct perf_file *f, u32 bit)
{
	enum { MORE = 32 };
	u32 n = f->n_feature++;

	if (n % MORE == 0)
		f->feature = arena_grow(f->arena, f->feature, sizeof(*f->feature), n, n + MORE);
	f->feature[n] = (struct perf_feature_bytes){ .bit = bit };
	return &f->feature[n];
}

/* The first feature, and those after it: they are next to each other, most are small, and each
 * start needs five of them. */
static struct bytes first_features(struct perf_file *f, u64 off)
{
	enum { AT_ONCE = 4 << 10 };
	u64 n = MIN(f->size - MIN(off, f->size), (u64)AT_ONCE);
	u8 *at = arena_alloc(f->arena, n);
	long got = perf_read_at(f, off, at, n);

	return (struct bytes){ at, MAX(got, 0L) };
}

/* Read the table after the data, which has the place of each feature. */
static void read_feature_table(struct perf_file *f, u64 at)
{
	struct bytes first = { 0 };
	struct perf_feature_bytes *feature;
	struct perf_section s;
	u64 from = 0;
	u32 i;

	if (f->cut)
		return;
	for (i = 0; i < PERF_N_FEATURES; i++) {
		if (!(f->features[i / 64] >> i % 64 & 1))
			continue;
		if (read_head(f, at, &s, sizeof(s)) < (long)sizeof(s))
			break;
		at += sizeof(s);
		if (!first.at) {
			first = first_features(f, s.off);
			from = s.off;
		}
		feature = add_feature(f, i);
		feature->off = s.off;
		feature->size = s.size;
		if (s.off - from <= first.len && s.size <= first.len - (s.off - from))
			feature->read = bytes_first(bytes_skip(first, s.off - from), s.size);
	}
	event_names(f, perf_feature(f, FEATURE_EVENT_DESC));
}

static int read_file_header(struct perf_file *f, const char **why)
{
	struct part *part = f->in->parts;
	struct file_header h;
	long n = read_head(f, 0, &h, sizeof(h));
	int err;

	if (n < (long)sizeof(h) || h.size != sizeof(h))
		return bad(why, "its header is damaged");
	memcpy(f->features, h.features, sizeof(f->features));
	f->data_off = h.data.off;
	f->data_size = h.data.size;
	if (h.data.off > f->size)
		return bad(why, why_short(f));
	f->cut = !h.data.size;
	f->in->truncated = h.data.size > f->size - h.data.off;
	if (f->cut || f->in->truncated)
		h.data.size = f->size - h.data.off;
	part->first = part->off = h.data.off;
	part->end = h.data.off + h.data.size;
	err = read_events(f, &h, why);
	if (!err && EVENTS_HAVE_NAMES)
		read_feature_table(f, f->data_off + f->data_size);
	return err;
}

static int open_file(struct perf_file *f, const char **why)
{
	u8 head[PIPE_HEADER];
	long n = read_head(f, 0, head, sizeof(head));
	int err;

	if (n < 0)
		return n;
	err = check_magic((struct bytes){ head, n }, why);
	f->known = !err;
	if (err)
		return err;
	if (get64(head + 8) != PIPE_HEADER) {
		err = read_file_header(f, why);
		return err || !f->dir ? err : add_streams(f);
	}
	f->pipe = true;
	f->in->base = PIPE_HEADER;
	f->in->parts->end = f->size - PIPE_HEADER;
	return 0;
}

static void start_blocks(struct perf_file *f)
{
	f->in->blocks = arena_alloc(f->arena, N_BLOCKS * BLOCK);
	f->in->whole = arena_alloc(f->arena, PERF_RECORD_BYTES);
}

static const char *why_no_room(struct perf_file *f)
{
	const struct perf_spool *spool = &f->spool;
	char *text = arena_alloc(f->arena, PATH_MAX);

	fmt_str(text, PATH_MAX, "a pipe of %llu KiB or more does not fit into memory (--mem) or %s"
		"; use a file, or set TMPDIR", f->size >> 10,
		spool->dir ? spool->dir : "TMPDIR");
	return text;
}

/* The file form is read at any place, but a pipe can be read only once: keep all of it. */
static int open_spooled(struct perf_file *f, const char **why)
{
	int fd = EVENTS_HAVE_NAMES ? input_spool(f->in, &f->spool, &f->size) : -EFBIG;

	if (fd == -EFBIG)
		return bad(why, why_no_room(f));
	if (fd < 0)
		return fd;
	*f->in->parts = (struct part){ .fd = fd, .size = f->size };
	f->seekable = true;
	start_blocks(f);
	return open_file(f, why);
}

static int open_pipe(struct perf_file *f, const char **why)
{
	const u8 *at;
	long n = input_peek(f->in, PIPE_HEADER, &at);
	int err;

	if (n < 0)
		return n;
	err = check_magic((struct bytes){ at, n }, why);
	f->known = !err;
	if (err)
		f->seen = (struct bytes){ f->in->buf + f->in->at, f->in->have };
	if (!err && get64(at + 8) != PIPE_HEADER)
		return open_spooled(f, why);
	input_use(f->in, PIPE_HEADER);
	f->in->parts->end = UINT64_MAX;
	f->pipe = true;
	return err;
}

i64 perf_mtime(const struct perf_file *f)
{
	struct stat st;

	return fstat(f->in->parts->fd, &st) ? 0 : st.st_mtime;
}

/* The file that a path means: itself, standard input, or "data" in a directory. (musl's open()
 * passes O_CLOEXEC to the kernel twice.) */
static int open_first(struct perf_file *f)
{
	size_t len = strlen(f->path) + sizeof("/data");
	const char *path = f->path;
	char *data = NULL;
	i64 size;
	int fd = 0;

	if (strcmp(path, "-")) {
		fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
		/* Reading a directory fails: this takes less code than stat(). */
		if (fd >= 0 && pread(fd, data, 0, 0) < 0 && errno == EISDIR) {
			close(fd);
			f->dir = path;
			data = arena_alloc(f->arena, len);
			fmt_str(data, len, "%s/data", path);
			path = data;
			fd = open_in_dir(path);
			if (fd < 0)
				return fd;
		}
		if (fd < 0)
			return -errno;
	}
	size = lseek(fd, 0, SEEK_END);
	f->seekable = size >= 0;
	f->size = MAX(size, 0);
	add_part(f, fd, data)->size = f->size;
	return 0;
}

int perf_open(struct perf_file *f, const char *path, struct arena *arena, const char **why)
{
	struct perf_input *in = NEW(arena, struct perf_input, 1);
	int err;

	*f = (struct perf_file){ .spool = f->spool, .path = path, .arena = arena, .in = in };
	*why = NULL;
	err = open_first(f);
	if (err == -ENOENT && f->dir)
		return bad(why, "a directory, and not a recording: no file 'data'");
	if (CONFIG_ZSTD && !err && f->seekable && perf_plain_begin(in->parts->fd))
		f->seekable = false;
	if (!err && f->seekable) {
		start_blocks(f);
		err = open_file(f, why);
	}
	if (err == -EMEDIUMTYPE)
		return bad(why, "a file of its data is not a regular file");
	if (err || f->seekable)
		return err;
	in->buf = arena_alloc(arena, PIPE_BUFFER);
	return open_pipe(f, why);
}

int perf_open_pipe(struct perf_file *f, int fd, struct bytes seen, struct arena *arena,
		   const char **why)
{
	struct perf_input *in = NEW(arena, struct perf_input, 1);

	*f = (struct perf_file){ .spool = f->spool, .path = "-", .arena = arena, .in = in };
	*why = NULL;
	add_part(f, fd, NULL);
	in->buf = arena_alloc(arena, PIPE_BUFFER);
	memcpy(in->buf, seen.at, seen.len);
	in->have = seen.len;
	return open_pipe(f, why);
}

void perf_close(struct perf_file *f)
{
	u32 i;

	for (i = 0; f->in && i < f->in->n_parts; i++)
		if (f->in->parts[i].fd > 0)
			close(f->in->parts[i].fd);
	f->in = NULL;
}

const char *perf_record_path(const struct perf_file *f, const struct perf_record *rec)
{
	const char *path = f->in->parts[rec->part].path;

	return f->pipe ? "pipe" : path ? path : f->path;
}

/* The size of the payload that follows some records. */
static u64 payload(const struct perf_record *rec)
{
	if (rec->type == PERF_AUXTRACE && rec->raw.len >= 16)
		return get64(rec->raw.at + 8);
	if (rec->type == PERF_TRACING_DATA && rec->raw.len >= 12)
		return get32(rec->raw.at + 8);
	return 0;
}

/* Get 'n' bytes of the record that begins at 'off'. */
static long look(struct perf_file *f, u32 part, u64 off, size_t n, const u8 **at)
{
	struct perf_input *in = f->in;

	if (!f->seekable)
		return input_peek(in, n, at);
	return input_at(in, part, in->base + off, MIN(n, in->parts[part].end - off), at);
}

int perf_record_at(struct perf_file *f, u32 part, u64 off, struct perf_record *rec,
		   const char **why)
{
	const u8 *at;
	size_t size;
	long n;

	if (part >= f->in->n_parts || off >= f->in->parts[part].end)
		return 0;
	n = look(f, part, off, 8, &at);
	if (n <= 0)
		return n;
	size = n < 8 ? 8 : get16(at + 6);
	if (size < 8)
		return bad(why, why_at(f, "the record at %#llx has an impossible size", off));
	n = look(f, part, off, size, &at);
	if (n < 0)
		return n;
	if ((size_t)n < size)
		return bad(why, f->in->truncated ? why_short(f) :
			   why_at(f, "truncated: it ends inside the record at %#llx", off));
	*rec = (struct perf_record){ get32(at), get16(at + 4), part, off, { at, size } };
	rec->aux_off = f->in->base + off + size;
	rec->aux_size = MIN(payload(rec), f->in->parts[part].end - off - size);
	return 1;
}

/* HEADER_ATTR: an event, with its ids after the attributes. */
static int learn_event(struct perf_file *f, struct bytes body, const char **why)
{
	struct perf_event *event;
	int err = event_add(f, &event, body, why);

	if (err)
		return err;
	body = bytes_skip(body, event->attr.size ? event->attr.size : 64);
	err = event_expect_ids(f, event, body.len / 8, why);
	for (; !err && body.len >= 8; body = bytes_skip(body, 8))
		event_add_id(f, event, get64(body.at));
	return err;
}

/* HEADER_FEATURE: a section of the file form. */
static void learn_feature(struct perf_file *f, struct bytes body)
{
	u64 bit = body.len >= 8 ? get64(body.at) : 0;
	struct perf_feature_bytes *feature;

	if (!bit || bit >= PERF_N_FEATURES || f->features[bit / 64] >> bit % 64 & 1)
		return;
	body = bytes_skip(body, 8);
	f->features[bit / 64] |= 1ull << bit % 64;
	feature = add_feature(f, bit);
	feature->size = body.len;
	feature->read.at = (u8 *)arena_strn(f->arena, body.at, body.len);
	feature->read.len = body.len;
	if (bit == FEATURE_EVENT_DESC)
		event_names(f, body);
}

/* TRACING_DATA: the formats of tracepoints are its payload. */
static int learn_formats(struct perf_file *f, const struct perf_record *rec)
{
	u8 *at;
	long n;

	if (rec->aux_size > FEATURE_MAX)
		return 0;
	at = arena_alloc(f->arena, rec->aux_size);
	n = perf_aux_read(f, rec, 0, at, rec->aux_size);
	if (n < 0)
		return n;
	event_formats_learn(f, (struct bytes){ at, n });
	return 0;
}

/* Take information about the records that follow from a record. */
static int learn(struct perf_file *f, const struct perf_record *rec, const char **why)
{
	struct bytes body = bytes_skip(rec->raw, 8);

	switch (rec->type) {
	case PERF_HEADER_ATTR:
		return learn_event(f, body, why);
	case PERF_EVENT_UPDATE:
		if (EVENTS_HAVE_NAMES)
			event_update(f, rec->raw);
		return 0;
	case PERF_HEADER_FEATURE:
		if (EVENTS_HAVE_NAMES)
			learn_feature(f, body);
		return 0;
	case PERF_TRACING_DATA:
		return CONFIG_TRACEPOINT_TEXT ? learn_formats(f, rec) : 0;
	case PERF_COMPRESSED:
	case PERF_COMPRESSED2:
		f->n_compressed += !CONFIG_ZSTD || f->seekable;
	}
	return 0;
}

/* In a pipe: skip the payload of the last record. */
static int skip_payload(struct perf_input *in)
{
	u8 sink[4096];
	long n = 1;

	while (in->skip && n > 0) {
		n = input_read(in, sink, MIN(in->skip, sizeof(sink)));
		if (n > 0)
			in->skip -= n;
	}
	in->cut |= in->skip;
	return n < 0 ? n : 0;
}

/* The part whose turn it is: the same for a while, then the next one that has more records. */
static struct part *choose(struct perf_input *in)
{
	u32 i;

	for (i = 0; i <= in->n_parts; i++) {
		struct part *part = &in->parts[in->now];

		if (part->off < part->end && part->turn < TURN)
			return part;
		part->turn = 0;
		in->now = (in->now + 1) % in->n_parts;
	}
	return &in->parts[in->now];
}

static int next(struct perf_file *f, struct perf_record *rec, const char **why)
{
	struct perf_input *in = f->in;
	struct part *part = choose(in);
	u64 len;
	int got;

	if (!f->seekable) {
		got = skip_payload(in);
		if (got)
			return got;
	}
	got = perf_record_at(f, part - in->parts, part->off, rec, why);
	if (!got && in->truncated)
		return bad(why, why_short(f));
	if (!got && in->cut)
		return bad(why, why_at(f, "the trace after the record at %#llx is cut off",
				       in->cut_off));
	if (got <= 0)
		return got;
	if (rec->aux_size < payload(rec)) {
		in->cut = true;
		in->cut_off = rec->off;
	}
	len = rec->raw.len + rec->aux_size;
	part->off += len;
	part->turn += len;
	if (!f->seekable) {
		input_use(in, rec->raw.len);
		in->skip = rec->aux_size;
		in->cut_off = rec->off;
	}
	got = learn(f, rec, why);
	return got < 0 ? got : 1;
}

static bool is_compressed(const struct perf_record *rec)
{
	return rec->type == PERF_COMPRESSED || rec->type == PERF_COMPRESSED2;
}

int perf_next(struct perf_file *f, struct perf_record *rec, const char **why)
{
	int got;

	if (!CONFIG_ZSTD || f->seekable)
		return next(f, rec, why);
	while (!perf_plain_next(f, rec)) {
		got = next(f, rec, why);
		if (got <= 0 || !is_compressed(rec))
			return got;
		got = perf_plain_add(f, rec, why);
		if (got)
			return got;
	}
	return 1;
}

int perf_rewind(struct perf_file *f)
{
	u32 i;

	if (!f->seekable)
		return -ESPIPE;
	for (i = 0; i < f->in->n_parts; i++) {
		f->in->parts[i].off = f->in->parts[i].first;
		f->in->parts[i].turn = 0;
	}
	f->in->now = 0;
	return 0;
}

long perf_aux_read(struct perf_file *f, const struct perf_record *rec, u64 at, void *to, size_t n)
{
	long got;

	if (at >= rec->aux_size)
		return 0;
	n = MIN(n, rec->aux_size - at);
	if (CONFIG_SEVERAL && f->elsewhere)
		return elsewhere_pread(f, to, n, rec->aux_off + at);
	if (f->seekable)
		return input_pread(f->in->parts[rec->part].fd, to, n, rec->aux_off + at);
	got = input_read(f->in, to, MIN(n, f->in->skip));
	if (got > 0)
		f->in->skip -= got;
	return got;
}

long perf_read_at(struct perf_file *f, u64 off, void *to, size_t n)
{
	const u8 *at;

	if (CONFIG_SEVERAL && f->elsewhere)
		return elsewhere_pread(f, to, n, off);
	at = input_at_hand(f->in, 0, off, n);
	/* All of a short trace was read together with the header. */
	if (!at)
		return input_pread(f->in->parts->fd, to, n, off);
	memcpy(to, at, n);
	return n;
}

struct perf_feature_bytes perf_feature_at(const struct perf_file *f, unsigned int bit)
{
	const struct perf_feature_bytes *feature = find_feature(f, bit);

	return feature ? *feature : (struct perf_feature_bytes){ 0 };
}

struct bytes perf_feature(struct perf_file *f, unsigned int bit)
{
	struct perf_feature_bytes *feature = find_feature(f, bit);
	struct bytes *b;
	u64 off, size;
	u8 *at;

	/* The table may be cut off. */
	if (!feature)
		return (struct bytes){ (const u8 *)"", 0 };
	b = &feature->read;
	if (b->at)
		return *b;
	*b = (struct bytes){ (const u8 *)"", 0 };
	off = feature->off;
	size = feature->size;
	if (!size || !f->seekable || f->pipe || size > FEATURE_MAX || off > f->size ||
	    size > f->size - off)
		return *b;
	at = arena_alloc(f->arena, size);
	if (perf_read_at(f, off, at, size) == (long)size)
		*b = (struct bytes){ at, size };
	return *b;
}
