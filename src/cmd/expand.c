/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf record -z: a perf.data with COMPRESSED records becomes one without them. The records in
 * them are one stream of zstd. What follows the records moves, and the table of features with it.
 */
#include <unistd.h>
#include <zstd.h>

#include <pt/fail.h>
#include <pt/out.h>
#include <pt/perf.h>

#include "expand.h"

enum {
	FILE_HEAD = 104,
	DATA = 40, FEATURES = 72,	/* offsets in the head */
	FEAT_COMPRESSED = 27,
	PLAIN_ROOM = 128 << 10,
	SPOT = 16,			/* bytes of an entry of the table of features */
};

struct expand {
	struct out out;
	u64 written;
	ZSTD_DStream *stream;
	char buf[2 * OUT_ROOM + PLAIN_ROOM];
	u8 plain[PLAIN_ROOM];
};

bool expand_is_one(struct bytes head)
{
	return head.len >= FILE_HEAD && !memcmp(head.at, "PERFILE2", 8) &&
	       get64(head.at + 8) == FILE_HEAD &&
	       head.at[FEATURES + FEAT_COMPRESSED / 8] >> FEAT_COMPRESSED % 8 & 1;
}

static void emit(struct expand *x, const void *at, size_t len)
{
	out_bytes(&x->out, at, len);
	x->written += len;
}

static bool put_plain(struct expand *x, struct bytes packed)
{
	ZSTD_inBuffer in = { packed.at, packed.len, 0 };
	size_t before, left;

	do {
		ZSTD_outBuffer to = { x->plain, sizeof(x->plain), 0 };

		before = in.pos;
		left = ZSTD_decompressStream(x->stream, &to, &in);
		if (ZSTD_isError(left))
			return false;
		emit(x, x->plain, to.pos);
		if (!to.pos && in.pos == before)
			break;
	} while (in.pos < in.size || left > 0);
	return true;
}

/* Copy the records in 'data'. False if it is damaged; what precedes the damage was copied. */
static bool put_records(struct expand *x, struct bytes data)
{
	while (data.len >= 8) {
		u32 type = get32(data.at);
		u64 size = get16(data.at + 6), len = size;

		if (type == PERF_AUXTRACE && size >= 16 && data.len >= 16)
			len += get64(data.at + 8);
		if (size < 8 || len < size || len > data.len)
			return false;
		if (type == PERF_COMPRESSED) {
			if (!put_plain(x, (struct bytes){ data.at + 8, size - 8 }))
				return false;
		} else if (type == PERF_COMPRESSED2 && size >= 16) {
			if (!put_plain(x, bytes_first((struct bytes){ data.at + 16, size - 16 },
						      get64(data.at + 8))))
				return false;
		} else {
			emit(x, data.at, len);
		}
		data = bytes_skip(data, len);
	}
	return !data.len;
}

static u32 count_features(const u8 *head)
{
	u32 n = 0, i;

	for (i = FEATURES; i < FILE_HEAD; i++)
		n += __builtin_popcount(head[i]);
	return n;
}

/* Write the table of features, which follows the records, and the features. */
static void put_features(struct expand *x, struct bytes file, u64 data_end)
{
	struct bytes rest = bytes_skip(file, data_end);
	u64 moved = x->written - data_end;
	u32 n = count_features(file.at), i;
	u8 spot[SPOT];

	for (i = 0; i < n && rest.len >= SPOT; i++) {
		u64 off = get64(rest.at);

		set64(spot, off >= data_end ? off + moved : off);
		set64(spot + 8, get64(rest.at + 8));
		emit(x, spot, SPOT);
		rest = bytes_skip(rest, SPOT);
	}
	emit(x, rest.at, rest.len);
}

bool expand_to(int fd, struct bytes file, const char *path, struct arena *arena)
{
	struct expand *x = NEW(arena, struct expand, 1);
	u64 begin = get64(file.at + DATA), size = get64(file.at + DATA + 8);
	bool cut = !size || begin > file.len || size > file.len - begin, whole;
	u8 head[FILE_HEAD];

	if (begin < FILE_HEAD || begin > file.len)
		return false;
	x->stream = ZSTD_createDStream();
	if (!x->stream)
		return false;
	out_open(&x->out, fd, x->buf, sizeof(x->buf));
	size = cut ? file.len - begin : size;
	emit(x, file.at, begin);
	whole = put_records(x, (struct bytes){ file.at + begin, size });
	if (!whole)
		warn(0, "%s: damaged: its COMPRESSED records are read up to the damage", path);
	memcpy(head, file.at, FILE_HEAD);
	/* The recorder died before it wrote the size: the table is not there, either. */
	set64(head + DATA + 8, cut ? 0 : x->written - begin);
	if (!cut)
		put_features(x, file, begin + size);
	out_flush(&x->out);
	ZSTD_freeDStream(x->stream);
	return !x->out.err && pwrite(fd, head, FILE_HEAD, 0) == FILE_HEAD;
}
