/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Deflate, by zlib. What zlib allocates is its caller's.
 * Source: RFC 1950, RFC 1951.
 */
#include <zlib.h>

#include <pt/deflate.h>

static voidpf allocate(voidpf arena, uInt n, uInt size)
{
	return arena_array(arena, size, n);
}

static void release(voidpf arena, voidpf at)
{
}

struct bytes deflate_bytes(struct bytes in, struct arena *a)
{
	struct arena scratch = { 0 };
	z_stream z = { .zalloc = allocate, .zfree = release, .opaque = &scratch };
	u8 *to = arena_alloc(a, in.len);
	bool done = false;

	z.next_in = (Bytef *)in.at;
	z.avail_in = in.len;
	z.next_out = to;
	z.avail_out = in.len;
	if (deflateInit(&z, Z_DEFAULT_COMPRESSION) == Z_OK) {
		done = deflate(&z, Z_FINISH) == Z_STREAM_END;
		deflateEnd(&z);
	}
	arena_free(&scratch);
	return done ? (struct bytes){ to, z.total_out } : (struct bytes){ 0 };
}
