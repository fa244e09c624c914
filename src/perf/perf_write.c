/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data, written: where each part lies, and keeping it whole.
 *
 *	head | ids | attrs | early features | records ... | table | late features
 *
 * The head is written last, over the one that was written first; after each
 * piece it already covers what is there, with a table that later records
 * overwrite. When a write fails, the file is cut back so that the table, which must
 * stand after the records, fits: to the end of a record, or inside a piece of trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/config/SOFT_SPEED.h>
#include <pt/host.h>
#include <pt/out.h>
#include <pt/perf_write.h>

enum {
	HEAD = 104,
	PIPE_HEAD = 16,
	ATTR = 128,		/* readers of perf 6.1 accept no longer one */
	TABLE = 64 * 16,	/* room for as many features; only the front is used */
	ROOM = 4096,		/* the number of bytes that cutting back has to free at least */
	AHEAD_FROM = 1 << 20, AHEAD = 16 << 20,	/* when and how much room is taken ahead */
	LEFT = TABLE + 2 * ROOM,	/* ... so that build-ids and the index fit, too */
};

static const char magic[] = "PERFILE2";

static int write_all(struct perf_writer *w, const u8 *p, size_t len)
{
	while (len) {
		long n = host_call(w->hide, SYS_write, w->fd, p, len, 0);

		if (n == -EINTR)
			continue;
		if (n <= 0)
			return n ? n : -EIO;
		p += n;
		len -= n;
	}
	return 0;
}

static void write_head(struct perf_writer *w);

/* The table that the last round wrote is not valid any more. */
static void uncover(struct perf_writer *w)
{
	if (!w->covered)
		return;
	w->covered = false;
	write_head(w);
}

/* Append bytes at the end, where a table may be: first the head stops referring to it. */
static void append(struct perf_writer *w, const void *bytes, size_t len)
{
	if (w->err || !len)
		return;
	uncover(w);
	w->bare = !w->pipe;
	if (!w->err)
		w->err = write_all(w, bytes, len);
}

static void flush(struct perf_writer *w)
{
	append(w, w->buf, w->fill);
	w->fill = 0;
	if (w->err)
		return;
	if (w->safe >= w->safer + ROOM)
		w->safer = w->safe;
	w->safe = w->whole;
}

static void keep(struct perf_writer *w, const void *bytes, size_t len)
{
	if (w->room_kept - w->n_kept < len) {
		u32 room = MAX(2 * w->room_kept, (u32)round_up(w->n_kept + len, 4096));

		w->kept = arena_grow(w->arena, w->kept, 1, w->n_kept, room);
		w->room_kept = room;
	}
	memcpy(w->kept + w->n_kept, bytes, len);
	w->n_kept += len;
}

/* Let the file system find room for what comes next, as much again as the file has: then each piece
 * is written in half the time. The end of the file does not move. */
static void take_ahead(struct perf_writer *w)
{
	u64 n = MIN(w->at, AHEAD);

	if (w->at < AHEAD_FROM || !w->owned)
		return;
	w->ahead = host_call(w->hide, SYS_fallocate, w->fd, (void *)FALLOC_FL_KEEP_SIZE, w->at, n) ?
		~0ull : w->at + n;
}

/* Pieces end at multiples of the buffer's size in the file: then the kernel keeps them in few large
 * folios, and writing takes 33 % less time. */
void perf_write_bytes(struct perf_writer *w, const void *bytes, size_t len)
{
	const u8 *from = bytes;
	size_t n;

	if (w->pipe && w->open_feature && !w->err) {
		keep(w, bytes, len);
		return;
	}
	for (; len && !w->err; from += n, len -= n) {
		n = MIN(len, PERF_WRITE_BUFFER - w->at % PERF_WRITE_BUFFER);
		if (!w->fill && len >= PERF_WRITE_BUFFER) {
			n = len - (w->at + len) % PERF_WRITE_BUFFER;
			append(w, from, n);
		} else {
			memcpy(w->buf + w->fill, from, n);
			w->fill += n;
		}
		w->at += n;
		if (w->at % PERF_WRITE_BUFFER)
			continue;
		flush(w);
		if (CONFIG_SOFT_SPEED && w->at + PERF_WRITE_BUFFER > w->ahead)
			take_ahead(w);
	}
}

void perf_write_hole(struct perf_writer *w, u64 n)
{
	flush(w);
	if (!w->err && lseek(w->fd, n, SEEK_CUR) < 0)
		w->err = -errno;
	w->at += n;
}

void perf_write_u32(struct perf_writer *w, u32 v)
{
	perf_write_bytes(w, &v, 4);
}

void perf_write_u64(struct perf_writer *w, u64 v)
{
	perf_write_bytes(w, &v, 8);
}

static void zeros(struct perf_writer *w, size_t n)
{
	static const u8 zero[64];

	while (n) {
		size_t part = MIN(n, sizeof(zero));

		perf_write_bytes(w, zero, part);
		n -= part;
	}
}

void perf_write_string(struct perf_writer *w, const char *s)
{
	size_t len = strlen(s), room = round_up(len + 1, 64);

	perf_write_u32(w, room);
	perf_write_bytes(w, s, len);
	zeros(w, room - len);
}

/* The first record determines where records begin. */
void perf_write_begin(struct perf_writer *w)
{
	if (w->data_off)
		return;
	zeros(w, -w->at & 7);
	w->data_off = w->whole = w->safe = w->safer = w->at;
}

void perf_write_whole(struct perf_writer *w)
{
	w->whole = w->at;
	if (w->bare)		/* if pt is killed before the next piece, the file is whole */
		perf_write_round(w);
}

void perf_write_head(struct perf_writer *w, u32 type, u16 misc, size_t len)
{
	u8 head[8];

	if (!w->pipe)
		perf_write_begin(w);
	set32(head, type);
	set16(head + 4, misc);
	set16(head + 6, 8 + len);
	perf_write_bytes(w, head, 8);
	w->n_records++;
}

/* Fill in the head of the file, as far as it is known. */
static void put_head(struct perf_writer *w, u8 *to)
{
	u64 end = w->data_end ? w->data_end : w->safe;
	u64 attrs = w->data_off ? w->attrs_off : 0;
	unsigned int bit;

	memset(to, 0, HEAD);
	memcpy(to, magic, 8);
	set64(to + 8, HEAD);
	set64(to + 16, ATTR + 16);
	set64(to + 24, attrs);
	set64(to + 32, (u64)w->n_events * (ATTR + 16));
	set64(to + 40, w->data_off);
	set64(to + 48, end - w->data_off);
	for (bit = 0; (w->data_end || w->covered) && bit < PERF_N_FEATURES; bit++)
		if (w->feature[bit].off)
			to[72 + bit / 8] |= 1 << bit % 8;
}

static void write_head(struct perf_writer *w)
{
	u8 head[HEAD];

	put_head(w, head);
	if (pwrite(w->fd, head, HEAD, 0) != HEAD && !w->err)
		w->err = -errno;
}

/* Write struct perf_attr in the format of version 1. */
static void write_attr(struct perf_writer *w, const struct perf_attr *attr)
{
	struct perf_attr a = *attr;

	a.size = ATTR;
	perf_write_bytes(w, &a, ATTR);
}

static void write_attrs(struct perf_writer *w)
{
	u64 ids = w->at;
	u32 i;

	for (i = 0; i < w->n_events; i++)
		perf_write_bytes(w, w->events[i].ids, 8 * (size_t)w->events[i].n_ids);
	w->attrs_off = w->at;
	for (i = 0; i < w->n_events; i++) {
		write_attr(w, &w->events[i].attr);
		perf_write_u64(w, ids);
		perf_write_u64(w, 8 * (u64)w->events[i].n_ids);
		ids += 8 * (u64)w->events[i].n_ids;
	}
}

/* EVENT_UPDATE: the event of 'id' is called 'name'. */
static void write_event_name(struct perf_writer *w, u64 id, const char *name)
{
	enum { UPDATE_NAME = 2, NAME_MOST = 4088 };
	size_t len = strnlen(name, NAME_MOST), room = round_up(len + 1, 8);

	perf_write_head(w, PERF_EVENT_UPDATE, 0, 16 + room);
	perf_write_u64(w, UPDATE_NAME);
	perf_write_u64(w, id);
	perf_write_bytes(w, name, len);
	zeros(w, room - len);
	perf_write_whole(w);
}

static void write_attr_records(struct perf_writer *w)
{
	u32 i;

	for (i = 0; i < w->n_events; i++) {
		const struct perf_event *e = &w->events[i];
		struct perf_attr a = e->attr;

		a.size = ATTR;
		perf_write_head(w, PERF_HEADER_ATTR, 0, ATTR + 8 * (size_t)e->n_ids);
		perf_write_bytes(w, &a, ATTR);
		perf_write_bytes(w, e->ids, 8 * (size_t)e->n_ids);
		perf_write_whole(w);
		if (e->n_ids)
			write_event_name(w, e->ids[0], e->name);
	}
}

/* Rename an existing file to PATH.old, as perf does; devices and other folders stay. */
int perf_move_away(const char *path, struct arena *arena)
{
	size_t len = strlen(path);
	struct stat st;
	char *old;

	old = NEW(arena, char, len + 6);
	fmt_str(old, len + 6, "%s/data", path);
	if (!lstat(path, &st) && S_ISDIR(st.st_mode) && access(old, F_OK))
		return -EISDIR;
	if (lstat(path, &st) || (S_ISREG(st.st_mode) && !st.st_size))
		return 0;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	memcpy(old + len, ".old", 5);
	unlink(old);	/* when a rename replaces a file, ext4 writes the new data at once */
	if (!rename(path, old))
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST && errno != EISDIR && errno != ENOTDIR)
		return -errno;
	perf_dir_remove(old, arena);
	return rename(path, old) ? -errno : 0;
}

int perf_write_create(struct perf_writer *w, const char *path, int fd, struct arena *arena)
{
	int err;

	w->arena = arena;
	if (fd >= 0 || !strcmp(path, "-")) {
		w->fd = fd >= 0 ? fd : 1;
		w->pipe = true;
		return 0;
	}
	err = perf_move_away(path, w->arena);
	if (err)
		return err;
	w->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (w->fd < 0)
		return -errno;
	w->owned = true;
	w->pipe = lseek(w->fd, 0, SEEK_CUR) < 0;
	return 0;
}

int perf_write_start(struct perf_writer *w, const struct perf_event *events, u32 n_events)
{
	w->events = events;
	w->n_events = n_events;
	w->buf = arena_alloc(w->arena, PERF_WRITE_BUFFER);
	if (w->pipe) {
		perf_write_bytes(w, magic, 8);
		perf_write_u64(w, PIPE_HEAD);
		write_attr_records(w);
	} else {
		zeros(w, HEAD);
		write_attrs(w);
	}
	return perf_write_round(w);
}

int perf_write_open(struct perf_writer *w, const char *path, int fd, struct arena *arena,
		    const struct perf_event *events, u32 n_events)
{
	int err = perf_write_create(w, path, fd, arena);

	return err ? err : perf_write_start(w, events, n_events);
}

/* Write the features of the head, with a table after the last record so far. If that does not
 * fit, the head does not refer to it. */
static bool write_table(struct perf_writer *w, u64 at)
{
	u8 table[TABLE];
	unsigned int bit, n = 0;

	memset(table, 0, sizeof(table));
	for (bit = 0; bit < PERF_N_FEATURES && n < TABLE / 16; bit++) {
		if (!w->feature[bit].off)
			continue;
		set64(table + 16 * n, w->feature[bit].off);
		set64(table + 16 * n++ + 8, w->feature[bit].size);
	}
	return pwrite(w->fd, table, 16 * n, at) == 16 * (ssize_t)n;
}

int perf_write_round(struct perf_writer *w)
{
	flush(w);
	w->bare = false;
	if (w->err || w->pipe || !w->data_off || w->data_end)
		return w->err;
	w->covered = write_table(w, w->safe);
	write_head(w);
	return w->err;
}

void perf_write_drop(struct perf_writer *w, u64 from, u64 to)
{
	u64 end, at;
	ssize_t n;

	flush(w);
	if (w->err)
		return;
	uncover(w);
	w->safe = w->safer = w->whole = from;
	write_head(w);			/* if pt is killed now, the file ends here */
	end = w->at;
	for (at = to; at < end && !w->err; at += n) {
		n = pread(w->fd, w->buf, MIN(PERF_WRITE_BUFFER, end - at), at);
		if (n <= 0 || pwrite(w->fd, w->buf, n, from + at - to) != n)
			w->err = n < 0 ? -errno : -EIO;
	}
	w->at = w->whole = from + end - to;
	w->ahead = 0;
	if (ftruncate(w->fd, w->at) || lseek(w->fd, w->at, SEEK_SET) < 0)
		w->err = -errno;
	perf_write_round(w);
}

/* Cut the file back to 'to' and write the table there. */
static bool cut(struct perf_writer *w, u64 to)
{
	if (ftruncate(w->fd, to) || lseek(w->fd, to, SEEK_SET) < 0)
		return false;
	w->err = 0;
	w->covered = false;
	w->fill = 0;
	w->at = w->whole = w->safe = w->data_end = to;
	zeros(w, TABLE);
	flush(w);
	return !w->err;
}

/* An AUXTRACE at 'at', whose payload at 'from' does not fit before 'end', becomes shorter: trace
 * may end anywhere. */
static u64 shorten(struct perf_writer *w, u64 at, u64 from, u64 end)
{
	u64 size = end > from ? (end - from) & ~7ull : 0;

	return size && pwrite(w->fd, &size, 8, at + 8) == 8 ? from + size : at;
}

/* A write failed in the middle: find the end of the last record before 'end'. */
static u64 last_whole(struct perf_writer *w, u64 end)
{
	u64 at = w->safe, next, payload;
	u8 head[16];

	for (;; at = next) {
		if (at + sizeof(head) > end ||
		    pread(w->fd, head, sizeof(head), at) != sizeof(head))
			return at;
		next = at + get16(head + 6);
		if (next < at + 8 || next > end)
			return at;
		if (get32(head) != PERF_AUXTRACE)
			continue;
		payload = get64(head + 8);
		if (payload > end - next)
			return shorten(w, at, next, end);
		next += payload;
	}
}

/* Where the file can be cut so that it keeps all that fitted. */
static u64 keep_most(struct perf_writer *w)
{
	off_t end = lseek(w->fd, 0, SEEK_CUR);

	return end > 0 && (u64)end > w->safe + LEFT ? last_whole(w, end - LEFT) : w->safe;
}

void perf_write_end(struct perf_writer *w)
{
	u64 most, safe;

	perf_write_begin(w);
	if (w->pipe || w->data_end)
		return;
	uncover(w);
	flush(w);
	if (!w->err) {
		w->data_end = w->at;
		zeros(w, TABLE);
		flush(w);
	}
	if (!w->err)
		return;
	w->full = w->err;
	most = keep_most(w);
	safe = w->safe;
	if (!cut(w, most) && !cut(w, safe))
		cut(w, w->safer);
	while (w->n_aux && w->aux_index[w->n_aux - 1] >= w->data_end)
		w->n_aux--;
}

static void write_aux_index(struct perf_writer *w)
{
	u32 i;

	perf_write_feature_start(w, PERF_FEAT_AUXTRACE);
	perf_write_u64(w, w->n_aux);
	for (i = 0; i < w->n_aux; i++) {
		perf_write_u64(w, w->aux_index[i]);
		perf_write_u64(w, 48);
	}
	perf_write_feature_end(w);
}

static void write_times(struct perf_writer *w)
{
	perf_write_feature_start(w, PERF_FEAT_SAMPLE_TIME);
	perf_write_u64(w, w->first_time);
	perf_write_u64(w, w->last_time);
	perf_write_feature_end(w);
}

static void close_file(struct perf_writer *w)
{
	perf_write_end(w);
	if (w->n_aux)
		write_aux_index(w);
	if (w->last_time)
		write_times(w);
	flush(w);
	if (!w->full)
		w->full = w->err;
	w->err = 0;
	if (CONFIG_SOFT_SPEED && w->ahead && ftruncate(w->fd, w->at))
		w->err = -errno;
	if (!write_table(w, w->data_end))
		w->err = -errno;
	write_head(w);
}

int perf_write_close(struct perf_writer *w)
{
	if (w->pipe)
		flush(w);
	else
		close_file(w);
	if (w->owned && close(w->fd) && !w->err)
		w->err = -errno;
	if (w->full)
		w->err = w->full;
	return w->err;
}

/* Features. */

void perf_write_feature_start(struct perf_writer *w, enum perf_feature bit)
{
	if (w->pipe && bit == PERF_FEAT_BUILD_ID)
		return;
	if (w->data_off && !w->pipe)
		perf_write_end(w);
	zeros(w, w->pipe ? 0 : -w->at & 7);
	w->open_feature = bit + 1;
	w->n_kept = 0;
	w->feature_off = w->at;
}

/* Does a reader of pipes get this feature from a record of features? The others have records of
 * their own. */
static bool in_pipes(unsigned int bit)
{
	return bit >= PERF_FEAT_HOSTNAME && bit <= PERF_FEAT_PMU_MAPPINGS;
}

void perf_write_feature_end(struct perf_writer *w)
{
	unsigned int bit = w->open_feature - 1;

	if (w->err || !w->open_feature)
		return;
	w->open_feature = 0;
	if (!w->pipe) {
		w->feature[bit].off = w->feature_off;
		w->feature[bit].size = w->at - w->feature_off;
		return;
	}
	if (bit == PERF_FEAT_TRACING_DATA) {	/* its payload follows the record */
		perf_write_head(w, PERF_TRACING_DATA, 0, 8);
		perf_write_u64(w, round_up(w->n_kept, 8));
	} else if (in_pipes(bit) && w->n_kept <= 0xff00) {
		perf_write_head(w, PERF_HEADER_FEATURE, 0, 8 + round_up(w->n_kept, 8));
		perf_write_u64(w, bit);
	} else {
		return;
	}
	perf_write_bytes(w, w->kept, w->n_kept);
	zeros(w, -w->n_kept & 7);
	perf_write_whole(w);
}

void perf_write_feature(struct perf_writer *w, enum perf_feature bit, struct bytes payload)
{
	perf_write_feature_start(w, bit);
	perf_write_bytes(w, payload.at, payload.len);
	perf_write_feature_end(w);
}
