/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>

static bool zeroed(const u8 *p, size_t n)
{
	while (n && !*p)
		p++, n--;
	return !n;
}

TEST(memory_is_zeroed_aligned_and_apart)
{
	u8 *last = NULL;
	size_t i;

	for (i = 0; i < 10000; i++) {
		u8 *at = arena_alloc(&test_arena, i % 100);

		OK(at && (uintptr_t)at % 16 == 0);
		OK(zeroed(at, i % 100));
		OK(!last || at != last);
		memset(at, 0xff, i % 100);
		last = at;
	}
	OK(test_arena.total < 2 << 20);
}

TEST(a_big_object_fits_and_small_ones_follow)
{
	u8 *big = arena_alloc(&test_arena, 5 << 20), *small = arena_alloc(&test_arena, 1);

	OK(zeroed(big, 5 << 20));
	memset(big, 0xff, 5 << 20);
	EQ(*small, 0);
}

TEST(an_array_grows_where_it_is_while_it_is_last)
{
	u32 *a = NEW(&test_arena, u32, 4), *b;
	size_t i;

	for (i = 0; i < 4; i++)
		a[i] = i + 1;
	b = arena_grow(&test_arena, a, sizeof(*a), 4, 100);
	OK(b == a);
	OK(zeroed((u8 *)(b + 4), 96 * sizeof(*b)));
	memset(b + 4, 0xff, 96 * sizeof(*b));
	OK(arena_alloc(&test_arena, 1) >= (void *)(b + 100));
	a = arena_grow(&test_arena, b, sizeof(*b), 100, 200);
	OK(a != b);
	OK(!memcmp(a, b, 100 * sizeof(*a)));
	OK(zeroed((u8 *)(a + 100), 100 * sizeof(*a)));
}

TEST(what_is_trimmed_is_given_out_again_as_zeros)
{
	u8 *a = arena_alloc(&test_arena, 400), *b;

	memset(a, 0xff, 33);
	arena_trim(&test_arena, a + 33);
	b = arena_alloc(&test_arena, 400);
	OK(b >= a + 33 && b < a + 64);
	OK(zeroed(b, 400));
}

TEST(what_is_given_back_last_is_given_out_again_as_zeros)
{
	struct arena one = { 0 }, two = { 0 };
	u8 *a = arena_alloc(&one, 5000), *b;

	memset(a, 0xff, 5000);
	a = arena_alloc(&one, 3000);
	memset(a, 0xff, 3000);
	arena_free(&one);
	b = arena_alloc(&two, 20000);
	OK(a >= b && a < b + 20000);
	OK(zeroed(b, 20000));
	arena_free(&two);
}

TEST(growing_from_nothing_to_much_keeps_everything)
{
	u64 *a = NULL;
	size_t n = 0, room = 0;

	for (n = 0; n < 300000; n++) {
		if (n == room) {
			room = room ? room * 2 : 1;
			a = arena_grow(&test_arena, a, sizeof(*a), n, room);
		}
		a[n] = n * 7;
	}
	while (n--)
		OK(a[n] == n * 7);
}

TEST(strings_are_copied_with_their_end)
{
	char text[] = "text and more", *copy = arena_strn(&test_arena, text, 4);

	memset(text, 'x', 4);
	STR_EQ(copy, "text");
	STR_EQ(arena_str(&test_arena, ""), "");
}

TEST(a_freed_arena_starts_anew)
{
	struct arena a = { 0 };

	memset(arena_alloc(&a, 100), 0xff, 100);
	arena_free(&a);
	EQ(a.total, 0);
	OK(zeroed(arena_alloc(&a, 100), 100));
	arena_free(&a);
}

TEST(little_endian_numbers_of_any_size)
{
	static const u8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 0x88 };
	u8 copy[8];

	EQ(get_le(bytes, 0), 0);
	EQ(get_le(bytes, 3), 0x030201);
	EQ(get_le(bytes, 8), get64(bytes));
	EQ(get16(bytes + 1), 0x0302);
	set64(copy, get64(bytes));
	OK(!memcmp(copy, bytes, 8));
	EQ(round_up(0, 16), 0);
	EQ(round_up(17, 16), 32);
}
