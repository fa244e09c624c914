/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/sort.h>

enum { MOST = 1000 };

static u64 seed = 88172645463325252ull;

static u64 any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Sorts keys that 'key' makes of their places, and looks at all of them. */
static void sorts(size_t n, u64 (*key)(size_t i))
{
	struct sort_item items[MOST], room[MOST];
	bool seen[MOST] = { false };
	size_t i;

	for (i = 0; i < n; i++)
		items[i] = (struct sort_item){ key(i), i };
	sort_items(items, n, room);
	for (i = 0; i < n; i++) {
		OK(!seen[items[i].index]);
		seen[items[i].index] = true;
		if (i && items[i].key == items[i - 1].key)
			OK(items[i].index > items[i - 1].index);
		OK(!i || items[i].key >= items[i - 1].key);
	}
}

static u64 same(size_t i) { return 7; }
static u64 up(size_t i) { return i; }
static u64 down(size_t i) { return MOST - i; }
static u64 saw(size_t i) { return i % 10; }
static u64 few(size_t i) { return any() % 5; }
static u64 wild(size_t i) { return any(); }
static u64 nearly(size_t i) { return i % 50 ? i : any() % MOST; }

TEST(every_order_is_sorted_and_equals_stay_in_order)
{
	u64 (*const keys[])(size_t) = { same, up, down, saw, few, wild, nearly };
	size_t i, n;

	for (i = 0; i < N_ELEM(keys); i++) {
		for (n = 0; n < 40; n++)
			sorts(n, keys[i]);
		sorts(MOST, keys[i]);
	}
}
