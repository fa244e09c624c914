/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <zlib.h>

#include <pt/config/DEFLATE.h>
#include <pt/zip.h>
#include "filled.h"

enum { GZIP = 16 };

/* zlib compresses what the tests inflate, and its own result is the one to expect. */
/* The allocator of zlib, which is linked without its own: see src/base/zip.c. All streams use the
 * same memory: to map it anew for 10,000 streams took most of the test's time. */
static u8 memory[512 << 10];
static size_t taken;

static voidpf take(voidpf who, uInt n, uInt size)
{
	void *at = memory + taken;

	taken += round_up(n * size, 16);
	return taken <= sizeof(memory) ? at : NULL;
}

static void give(voidpf who, voidpf at)
{
}

static struct bytes deflated(struct bytes in, int level, int strategy, gz_header *head)
{
	z_stream z = { .zalloc = take, .zfree = give };
	size_t room = in.len + in.len / 8 + 1000;
	u8 *to = NEW(&test_arena, u8, room);

	taken = 0;
	deflateInit2(&z, level, Z_DEFLATED, 15 | (head ? GZIP : 0), 8, strategy);
	if (head)
		deflateSetHeader(&z, head);
	z.next_in = (u8 *)in.at;
	z.avail_in = in.len;
	z.next_out = to;
	z.avail_out = room;
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return (struct bytes){ to, z.total_out };
}

static bool same(struct bytes a, struct bytes b)
{
	return a.len == b.len && !memcmp(a.at, b.at, a.len);
}

/* Deflate 'in' in way 'way' of WAYS. */
enum { WAYS = 16 };
static void comes_back_by(struct bytes in, u32 way)
{
	static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED };
	struct bytes small = deflated(in, way / 4 * 3, strategies[way % 4], NULL);

	OK(same(zip_inflate(small, in.len, &test_arena), in));
	OK(!zip_inflate(small, in.len - 1, &test_arena).len);
	OK(!zip_inflate(small, in.len + 1, &test_arena).len);
}

static void comes_back(struct bytes in)
{
	u32 way;

	for (way = 0; way < WAYS; way++)
		comes_back_by(in, way);
}

TEST(zeros_noise_and_what_is_between_come_back)
{
	u32 values;

	for (values = 1; values <= 256; values += 51)
		comes_back(filled(70000 + values, values, values));
}

TEST(every_short_length_comes_back)
{
	size_t len;

	for (len = 2; len < 600; len++)		/* zlib needs most of the time to begin */
		comes_back_by(filled(len, len, 3), len % WAYS);
}

TEST(the_longest_codes_come_back)
{
	comes_back(uneven(1000000));
}

TEST(a_program_comes_back)
{
	FILE *f = fopen("/proc/self/exe", "rb");
	u8 *at = NEW(&test_arena, u8, 1 << 20);
	size_t len = f ? fread(at, 1, 1 << 20, f) : 0;

	if (!len)
		SKIP("no /proc");
	fclose(f);
	comes_back((struct bytes){ at, len });
}

TEST(whatever_the_head_of_a_gzip_file_holds_is_skipped)
{
	struct bytes in = filled(3000, 1, 5), small;
	u32 i;

	for (i = 0; i < 16; i++) {
		gz_header head = {
			.extra = i & 1 ? (u8 *)"extra" : NULL, .extra_len = 5,
			.name = i & 2 ? (u8 *)"name" : NULL,
			.comment = i & 4 ? (u8 *)"a comment" : NULL, .hcrc = i >> 3,
		};

		small = deflated(in, 6, Z_DEFAULT_STRATEGY, &head);
		OK(zip_is_gzip(small));
		OK(same(zip_inflate(small, in.len, &test_arena), in));
	}
}

TEST(what_is_cut_off_is_nothing)
{
	struct bytes in = filled(2000, 3, 20), small = deflated(in, 9, Z_DEFAULT_STRATEGY, NULL);
	size_t len, last = small.len - 4;	/* before the checksum */

	for (len = 0; len < last; len++)
		OK(!zip_inflate(bytes_first(small, len), in.len, &test_arena).len);
	OK(same(zip_inflate(bytes_first(small, last), in.len, &test_arena), in));
}

TEST(what_cannot_be_so_long_is_not_tried)
{
	struct bytes small = deflated(filled(1000, 0, 1), 9, Z_DEFAULT_STRATEGY, NULL);

	OK(!zip_inflate(small, 1033 * (small.len + 1), &test_arena).len);
	OK(!zip_inflate(small, ZIP_MAX + 1ull, &test_arena).len);
}

TEST(nothing_is_written_behind_what_was_asked_for)
{
	struct bytes in = filled(5000, 5, 30), small = deflated(in, 6, Z_DEFAULT_STRATEGY, NULL);
	size_t len, i;

	for (len = 1; len < in.len; len += 99) {
		u8 *behind;

		OK(!zip_inflate(small, len, &test_arena).len);
		behind = NEW(&test_arena, u8, 300);
		for (i = 0; i < 300 && !behind[i]; i++)
			;
		EQ(i, 300);
	}
}

/* A stream of fields of so many bits each, the lowest first. */
struct field { u8 bits, value; };

static struct bytes stream(const struct field *fields, u32 n)
{
	u8 *to = NEW(&test_arena, u8, 64);
	u32 at = 16, i, bit;

	for (i = 0; i < n; i++)
		for (bit = 0; bit < fields[i].bits; bit++, at++)
			to[at / 8] |= (fields[i].value >> bit & 1) << at % 8;
	return (struct bytes){ to, (at + 7) / 8 };
}

#define STREAM(...) stream((const struct field[]){ __VA_ARGS__ }, \
			   N_ELEM(((const struct field[]){ __VA_ARGS__ })))
#define LAST_STORED { 1, 1 }, { 2, 0 }
#define LAST_FIXED { 1, 1 }, { 2, 1 }
#define LAST_OWN { 1, 1 }, { 2, 2 }
#define ZERO { 8, 0x0c }	/* the byte 0, the end, and a length of 286: their fixed codes */
#define THE_END { 7, 0 }
#define LENGTH_286 { 8, 0x63 }

static bool makes(struct bytes in, size_t size)
{
	return zip_inflate(in, size, &test_arena).len == size;
}

TEST(what_ends_within_a_code_is_nothing)
{
	struct bytes in = STREAM(LAST_FIXED, ZERO, THE_END);

	OK(makes(in, 1));
	in.len--;
	OK(!makes(in, 1));
}

TEST(what_is_no_block_is_nothing)
{
	OK(!makes(STREAM({ 1, 1 }, { 2, 3 }, { 8, 0 }), 1));
	OK(makes(STREAM(LAST_STORED, { 5, 0 }, { 8, 1 }, { 8, 0 }, { 8, 0xfe }, { 8, 0xff },
			{ 8, 0 }), 1));
	OK(!makes(STREAM(LAST_STORED, { 5, 0 }, { 8, 1 }, { 8, 0 }, { 8, 0xff }, { 8, 0xff },
			 { 8, 0 }), 1));
}

TEST(what_no_code_stands_for_is_nothing)
{
	OK(!makes(STREAM(LAST_FIXED, ZERO, LENGTH_286, { 6, 0 }, { 5, 0 }, THE_END), 324));
	OK(!makes(STREAM(LAST_FIXED, ZERO, { 7, 0x40 }, { 5, 0x10 }, THE_END), 4));
	OK(makes(STREAM(LAST_FIXED, ZERO, { 7, 0x40 }, { 5, 0 }, THE_END), 4));
}

/* Codes of one bit for the byte 0, for the end, and for distances. */
#define OWN_HEAD(distances) LAST_OWN, { 5, 0 }, { 5, (distances) - 1 }, { 4, 14 }, \
	{ 6, 0 }, { 3, 1 }, { 8, 0 }, { 8, 0 }, { 8, 0 }, { 8, 0 }, { 8, 0 }, { 2, 0 }, { 3, 1 }, \
	{ 1, 0 }, { 8, 0xff }, { 8, 106 << 1 | 1 }, { 1, 0 }

TEST(more_codes_than_bits_tell_apart_are_nothing)
{
	OK(makes(STREAM(OWN_HEAD(2), { 2, 0 }, { 1, 0 }, { 1, 1 }), 1));
	OK(!makes(STREAM(OWN_HEAD(3), { 3, 0 }, { 1, 0 }, { 1, 1 }), 1));
}

TEST(lengths_repeat_only_what_was_there)
{
	/* 16, 17, 18 and 0 have codes of two bits, 0's first. */
	OK(!makes(STREAM(LAST_OWN, { 5, 0 }, { 5, 0 }, { 4, 0 },
			 { 3, 2 }, { 3, 2 }, { 3, 2 }, { 3, 2 }, { 2, 2 }), 1));
}

TEST(what_is_deflated_comes_back_shorter)
{
	struct bytes in = filled(70000, 1, 20), small = zip_deflate(in, &test_arena);

	if (!CONFIG_DEFLATE)
		SKIP("nothing is deflated in this build");
	OK(small.len && small.len < in.len);
	OK(same(zip_inflate(small, in.len, &test_arena), in));
	OK(same(zip_inflate(small, 0, &test_arena), in));
}

TEST(what_does_not_get_shorter_is_not_deflated)
{
	EQ(zip_deflate(filled(5000, 1, 256), &test_arena).len, 0);
	EQ(zip_deflate(filled(1, 1, 256), &test_arena).len, 0);
	EQ(zip_deflate((struct bytes){ 0 }, &test_arena).len, 0);
}

/* The checksum at the end of a stream: a decoder may refuse one that is wrong. */
TEST(sums_are_those_of_RFC_1950)
{
	static u8 ones[6000];
	u32 i, low = 1, high = 0;

	EQ(adler32(adler32(0, NULL, 0), (const u8 *)"Wikipedia", 9), 0x11e60398);
	memset(ones, 0xff, sizeof(ones));
	for (i = 0; i < sizeof(ones); i++) {
		low = (low + 255) % 65521;
		high = (high + low) % 65521;
	}
	EQ(adler32(1, ones, sizeof(ones)), high << 16 | low);
	EQ(adler32(adler32(1, ones, 1234), ones, sizeof(ones) - 1234), high << 16 | low);
}
