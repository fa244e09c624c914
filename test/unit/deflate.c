/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <zlib.h>

#include <pt/deflate.h>

#include "filled.h"

/* zlib is the judge. */
static void comes_back(struct bytes in)
{
	struct bytes small = deflate_bytes(in, &test_arena);
	u8 *out = NEW(&test_arena, u8, in.len + 1);
	uLongf len = in.len + 1;

	OK(small.len);
	EQ(uncompress(out, &len, small.at, small.len), Z_OK);
	EQ(len, in.len);
	EQ(memcmp(out, in.at, in.len), 0);
}

TEST(zeros_come_back_from_next_to_nothing)
{
	struct bytes in = filled(256 << 10, 0, 1);

	comes_back(in);
	OK(deflate_bytes(in, &test_arena).len < 1000);
}

TEST(few_values_come_back)
{
	u32 values;

	for (values = 2; values < 200; values += 13)
		comes_back(filled(70000 + values, values, values));
}

TEST(every_short_length_comes_back)
{
	size_t len;

	for (len = 100; len < 700; len++)
		comes_back(filled(len, len, 3));
}

TEST(values_of_very_unlike_frequency_come_back)
{
	comes_back(uneven(200000));
}

TEST(a_program_comes_back_about_as_small_as_with_zlib)
{
	FILE *f = fopen("/proc/self/exe", "rb");
	u8 *at = NEW(&test_arena, u8, 1 << 20), *theirs = NEW(&test_arena, u8, 2 << 20);
	size_t len = f ? fread(at, 1, 1 << 20, f) : 0;
	struct bytes in = { at, len };
	uLongf best = 2 << 20;

	if (!len)
		SKIP("no /proc");
	fclose(f);
	comes_back(in);
	compress2(theirs, &best, at, len, 6);
	OK(deflate_bytes(in, &test_arena).len < best + best / 10);
	printf("# %zu bytes: %zu, zlib %lu\n", len, deflate_bytes(in, &test_arena).len, best);
}

TEST(noise_is_left_alone)
{
	EQ(deflate_bytes(filled(5000, 1, 256), &test_arena).len, 0);
	EQ(deflate_bytes((struct bytes){ 0 }, &test_arena).len, 0);
}
