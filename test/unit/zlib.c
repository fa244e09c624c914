/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/deflate.h>

#include "src/image/inflate.h"
#include "test.h"

unsigned long adler32(unsigned long adler, const u8 *at, unsigned int n);

TEST(adler32_is_that_of_the_standard)
{
	static u8 ones[100000];

	EQ(adler32(0, NULL, 0), 1);
	EQ(adler32(1, (const u8 *)"Wikipedia", 9), 0x11e60398);
	memset(ones, 0xff, sizeof(ones));
	EQ(adler32(1, ones, sizeof(ones)), 0x149a302c);
}

TEST(what_was_deflated_is_inflated)
{
	u32 n = 300000, i;
	u8 *all = NEW(&test_arena, u8, n);
	struct bytes small, back;

	for (i = 0; i < n; i++)
		all[i] = (i >> 6) * (i >> 6) >> 3;
	small = deflate_bytes((struct bytes){ all, n }, &test_arena);
	OK(small.len && small.len < n);
	back = inflate_bytes(small, n, &test_arena);
	EQ(back.len, n);
	OK(back.len == n && !memcmp(back.at, all, n));
	back = inflate_bytes(small, 0, &test_arena);
	EQ(back.len, n);
	EQ(inflate_bytes(small, n - 1, &test_arena).len, 0);
	EQ(inflate_bytes(small, n + 1, &test_arena).len, 0);
	EQ(inflate_bytes(bytes_first(small, small.len / 2), n, &test_arena).len, 0);
}

TEST(a_gzip_file_is_inflated)
{
	/* "hello, hello\n", with a name and a comment */
	struct bytes gz = BYTES(0x1f, 0x8b, 8, 0x18, 0, 0, 0, 0, 0, 3, 'n', 0, 'c', 0,
				0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0xc8, 0x00, 0x51, 0x5c,
				0x00, 0, 0, 0, 0, 13, 0, 0, 0);
	struct bytes text = inflate_bytes(gz, 13, &test_arena);

	OK(inflate_is_gzip(gz));
	EQ(text.len, 13);
	OK(text.len == 13 && !memcmp(text.at, "hello, hello\n", 13));
}

TEST(a_claim_of_much_from_little_is_not_believed)
{
	EQ(inflate_bytes(BYTES(0x78, 1, 1, 0, 0, 0xff, 0xff), 200 << 20, &test_arena).len, 0);
	EQ(inflate_bytes(BYTES(0x78, 1), 10, &test_arena).len, 0);
	EQ(inflate_bytes(BYTES(0x78), 10, &test_arena).len, 0);
}
