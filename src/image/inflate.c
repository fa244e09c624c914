/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compressed bytes to plain ones: gzip (modules) and zlib (ELF sections).
 *
 * inflateBack() is the half of zlib's inflate that knows nothing of headers and
 * checksums, and without its loop for long input: 13 kB instead of 38. Headers are
 * skipped here; what is inflated is checked by whoever reads it, as it would have to be
 * anyway.
 * Source: RFC 1950, RFC 1952.
 */
#include <zlib.h>

#include "inflate.h"

enum { WINDOW = 32 << 10, ROOM_MIN = 64 << 10, PIECE = 5 };

struct sink {
	struct arena *a;
	u8 *at;
	size_t len, room;
};

static unsigned int take(void *from, z_const unsigned char **at)
{
	struct bytes *in = from, piece = bytes_first(*in, PIECE);

	*at = (unsigned char *)piece.at;
	*in = bytes_skip(*in, PIECE);
	return piece.len;
}

static int give(void *to, unsigned char *at, unsigned int n)
{
	struct sink *sink = to;

	if (sink->len + n > INFLATE_MAX)
		return -1;
	if (sink->len + n > sink->room) {
		size_t room = MAX(2 * sink->room, round_up(sink->len + n, ROOM_MIN));

		sink->at = arena_grow(sink->a, sink->at, 1, sink->len, room);
		sink->room = room;
	}
	memcpy(sink->at + sink->len, at, n);
	sink->len += n;
	return 0;
}

/* inflateBack() hands over to this, 5 kB, where it has 6 bytes of input or more. It never
 * has: PIECE. So a module of 1 MB takes 8 ms instead of 5. */
void inflate_fast(z_streamp z, unsigned int start);

__attribute__((weak)) void inflate_fast(z_streamp z, unsigned int start)
{
	__builtin_trap();
}

/* What zlib allocates is its caller's. By these names its own, which want
 * malloc(), are not linked. */
voidpf zcalloc(voidpf arena, uInt n, uInt size);
void zcfree(voidpf arena, voidpf at);

__attribute__((weak)) voidpf zcalloc(voidpf arena, uInt n, uInt size)
{
	return arena_array(arena, size, n);
}

__attribute__((weak)) void zcfree(voidpf arena, voidpf at)
{
}

/* Behind a string that ends with NUL. */
static struct bytes skip_string(struct bytes in)
{
	const u8 *nul = in.len ? memchr(in.at, 0, in.len) : NULL;

	return nul ? bytes_skip(in, nul + 1 - in.at) : (struct bytes){ 0 };
}

static struct bytes skip_gzip_header(struct bytes in)
{
	enum { HCRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
	u8 flags = in.at[3];

	in = bytes_skip(in, 10);
	if (flags & EXTRA && in.len >= 2)
		in = bytes_skip(in, 2 + get16(in.at));
	if (flags & NAME)
		in = skip_string(in);
	if (flags & COMMENT)
		in = skip_string(in);
	return flags & HCRC ? bytes_skip(in, 2) : in;
}

struct bytes inflate_bytes(struct bytes in, u64 size, struct arena *a)
{
	struct arena scratch = { 0 };
	z_stream z = { .zalloc = zcalloc, .zfree = zcfree, .opaque = &scratch };
	struct sink sink = { .a = a };
	int err = Z_DATA_ERROR;

	if (in.len > 0xffffffffu || size > INFLATE_MAX)
		return (struct bytes){ 0 };
	in = inflate_is_gzip(in) ? skip_gzip_header(in) : bytes_skip(in, 2);
	if (inflateBackInit(&z, 15, NEW(&scratch, u8, WINDOW)) == Z_OK) {
		if (size && size / 1032 <= in.len) {
			sink.room = size;
			sink.at = NEW(a, u8, size);
		}
		err = inflateBack(&z, take, &in, give, &sink);
		inflateBackEnd(&z);
	}
	arena_free(&scratch);
	if (err != Z_STREAM_END || (size && sink.len != size))
		return (struct bytes){ 0 };
	return (struct bytes){ sink.at, sink.len };
}
