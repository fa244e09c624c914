/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compression and decompression, by zlib. No other file includes its header.
 *
 * inflateBack() is the half of zlib's inflate() that does not handle headers and checksums: 18 kB
 * instead of 42. Headers are skipped here, and the caller checks what it reads, which it has to do
 * anyway. zlib's memory comes from an arena that is freed after the call.
 *
 * Source: RFC 1950, RFC 1952; zlib.h.
 */
#include <limits.h>
#include <zlib.h>

#include <pt/config/DEFLATE.h>
#include <pt/zip.h>

enum {
	WINDOW = 32 << 10, ROOM_MIN = 64 << 10,
	/* inflateBack() calls inflate_fast(), 5 kB, if it has 6 bytes of input or more. A pt that
	 * is meant to be small gives it less, and does not link it: inflating 1 MB then takes 7 ms
	 * instead of 4. */
	PIECE = CONFIG_DEFLATE ? UINT_MAX : 5,
};

static voidpf take_memory(voidpf arena, uInt n, uInt size)
{
	return arena_array(arena, size, n);
}

static void give_back(voidpf arena, voidpf at)
{
}

/* zlib refers to its own pair of allocation functions even if the caller passes another, and that
 * pair would link malloc(). They and the texts of errors, which pt never prints, are in one file of
 * zlib, which is not linked if all three are here. */
voidpf zcalloc(voidpf arena, uInt n, uInt size);
void zcfree(voidpf arena, voidpf at);
extern const char *const z_errmsg[10];

__attribute__((weak)) const char *const z_errmsg[10] = { 0 };

__attribute__((weak)) voidpf zcalloc(voidpf arena, uInt n, uInt size)
{
	return take_memory(arena, n, size);
}

__attribute__((weak)) void zcfree(voidpf arena, voidpf at)
{
}

/* zlib's own is 2 kB, to be faster than deflate() needs. */
__attribute__((weak)) uLong adler32(uLong adler, const Bytef *at, uInt n)
{
	enum { BASE = 65521 };
	u32 low = adler & 0xffff, high = adler >> 16;

	if (!at)
		return 1;
	while (n--) {
		low += *at++;
		low -= low >= BASE ? BASE : 0;
		high += low;
		high -= high >= BASE ? BASE : 0;
	}
	return high << 16 | low;
}

#if !CONFIG_DEFLATE
void inflate_fast(z_streamp z, unsigned int start);

__attribute__((weak)) void inflate_fast(z_streamp z, unsigned int start)
{
	__builtin_trap();
}
#endif

struct bytes zip_deflate(struct bytes in, struct arena *a)
{
	struct arena scratch = { 0 };
	z_stream z = { .zalloc = take_memory, .zfree = give_back, .opaque = &scratch,
		       .next_in = (Bytef *)in.at, .avail_in = in.len };
	u8 *at;
	int err = Z_BUF_ERROR;

	if (!CONFIG_DEFLATE || in.len < 2)
		return (struct bytes){ 0 };
	z.next_out = at = NEW(a, u8, in.len - 1);
	z.avail_out = in.len - 1;
	if (deflateInit(&z, Z_DEFAULT_COMPRESSION) == Z_OK)
		err = deflate(&z, Z_FINISH);
	arena_free(&scratch);
	return err == Z_STREAM_END ? (struct bytes){ at, z.total_out } : (struct bytes){ 0 };
}

/* A bit at a time: zlib's crc32() is faster, but has large tables. */
static u32 crc_of(struct bytes in)
{
	u32 crc = ~0u, bit;

	for (; in.len; in = bytes_skip(in, 1))
		for (crc ^= *in.at, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
	return ~crc;
}

struct bytes zip_gzip(struct bytes in, struct arena *a)
{
	static const u8 head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
	enum { ZLIB_HEAD = 2, ZLIB_TAIL = 4 };
	struct bytes z = zip_deflate(in, a);
	u8 *at, *tail;

	if (!z.len)
		return in;
	z = bytes_skip(bytes_first(z, z.len - ZLIB_TAIL), ZLIB_HEAD);
	at = NEW(a, u8, sizeof(head) + z.len + 8);
	tail = at + sizeof(head) + z.len;
	memcpy(at, head, sizeof(head));
	memcpy(at + sizeof(head), z.at, z.len);
	set32(tail, crc_of(in));
	set32(tail + 4, in.len);
	return (struct bytes){ at, tail + 8 - at };
}

/* What inflateBack() wrote so far. */
struct sink {
	struct arena *a;
	u8 *at;
	size_t len, room;
};

static unsigned int read_piece(void *from, z_const unsigned char **at)
{
	struct bytes *in = from, piece = bytes_first(*in, PIECE);

	*at = (unsigned char *)piece.at;
	*in = bytes_skip(*in, piece.len);
	return piece.len;
}

static int write_some(void *to, unsigned char *at, unsigned int n)
{
	struct sink *sink = to;

	if (sink->len + n > ZIP_MAX)
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

/* The bytes after a string that ends with NUL. */
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

struct bytes zip_inflate(struct bytes in, u64 size, struct arena *a)
{
	struct arena scratch = { 0 };
	z_stream z = { .zalloc = take_memory, .zfree = give_back, .opaque = &scratch };
	struct sink sink = { .a = a };
	int err = Z_DATA_ERROR;

	if (in.len > 0xffffffffu || size > ZIP_MAX)
		return (struct bytes){ 0 };
	in = zip_is_gzip(in) ? skip_gzip_header(in) : bytes_skip(in, 2);
	if (inflateBackInit(&z, MAX_WBITS, NEW(&scratch, u8, WINDOW)) == Z_OK) {
		/* Deflate never compresses to less than 1/1032: a larger size is wrong. */
		if (size && size / 1032 <= in.len) {
			sink.room = size;
			sink.at = NEW(a, u8, size);
		}
		err = inflateBack(&z, read_piece, &in, write_some, &sink);
		inflateBackEnd(&z);
	}
	arena_free(&scratch);
	if (err != Z_STREAM_END || (size && sink.len != size))
		return (struct bytes){ 0 };
	return (struct bytes){ sink.at, sink.len };
}
