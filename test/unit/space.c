/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/image.h>

#include "test.h"

static struct images im;

static struct space *start(void)
{
	im = (struct images){ .arena = &test_arena };
	return space_new(&im);
}

static const struct map *map(struct space *s, u64 from, u64 len, const char *name)
{
	return space_map(&im, s, from, len, 0, dso_get(&im, name, NULL, 0), 5, 2);
}

static const char *at(struct space *s, u64 addr)
{
	const struct map *m = space_find(s, addr);

	return m ? m->dso->name : "";
}

TEST(a_map_is_found_from_its_first_byte_to_its_last)
{
	struct space *s = start();

	map(s, 0x1000, 0x2000, "/a");
	map(s, 0x4000, 0x1000, "/b");
	STR_EQ(at(s, 0xfff), "");
	STR_EQ(at(s, 0x1000), "/a");
	STR_EQ(at(s, 0x2fff), "/a");
	STR_EQ(at(s, 0x3000), "");
	STR_EQ(at(s, 0x4000), "/b");
	STR_EQ(at(s, 0x5000), "");
	STR_EQ(at(s, ~0ULL), "");
}

TEST(a_map_in_the_middle_of_another_leaves_both_its_ends)
{
	struct space *s = start();
	u32 id;

	space_map(&im, s, 0x1000, 0x5000, 0x7000, dso_get(&im, "/a", NULL, 0), 5, 2);
	id = s->id;
	map(s, 0x2000, 0x1000, "/b");
	OK(s->id != id);
	STR_EQ(at(s, 0x1fff), "/a");
	STR_EQ(at(s, 0x2000), "/b");
	STR_EQ(at(s, 0x3000), "/a");
	EQ(map_addr(&im, space_find(s, 0x3000), 0x3000), 0x9000);
	EQ(space_find(s, 0x1000)->end, 0x2000);
}

TEST(a_map_over_many_removes_what_it_covers)
{
	struct space *s = start();
	u64 i;

	for (i = 1; i <= 100; i++)
		map(s, i * 0x1000, 0x1000, "/a");
	map(s, 0x1800, 0x60000, "/b");
	STR_EQ(at(s, 0x17ff), "/a");
	STR_EQ(at(s, 0x1800), "/b");
	STR_EQ(at(s, 0x617ff), "/b");
	STR_EQ(at(s, 0x61800), "/a");
	EQ(space_find(s, 0x61800)->start, 0x61800);
	STR_EQ(at(s, 0x64fff), "/a");
}

TEST(the_same_file_over_itself_voids_nothing)
{
	struct space *s = start();
	u32 id;

	map(s, 0x1000, 0x3000, "/a");
	id = s->id;
	space_map(&im, s, 0x2000, 0x1000, 0x1000, dso_get(&im, "/a", NULL, 0), 7, 2);
	EQ(s->id, id);
	map(s, 0x9000, 0x1000, "/b");
	EQ(s->id, id);
	space_map(&im, s, 0x2000, 0x1000, 0x5000, dso_get(&im, "/a", NULL, 0), 7, 2);
	OK(s->id != id);
}

/* Change 'len' bytes of code at 'addr'. */
static void change(struct space *s, u64 addr, u64 len)
{
	static u64 off;

	off += 0x10000;
	space_map(&im, s, addr, len, off, dso_get(&im, "/a", NULL, 0), 5, 2);
}

TEST(small_changes_void_only_the_code_near_them)
{
	struct space *s = start();
	u32 id, made;

	map(s, 0x400000, 0x400000, "/a");
	EQ(space_id(s, 0x500000), s->id);
	change(s, 0x500000, 0x1000);
	id = s->id;
	made = space_id(s, 0x500000);
	OK(made != id);
	change(s, 0x500123, 5);
	EQ(s->id, id);
	OK(space_id(s, 0x500123) != made);
	EQ(space_id(s, 0x4fffff), space_id(s, 0x500000));
	EQ(space_id(s, 0x4bffff), id);
	EQ(space_id(s, 0x540000), id);

	/* The area grows, and then has all of both changes. */
	change(s, 0x600000, 1);
	OK(s->id != id);
	id = s->id;
	OK(space_id(s, 0x580000) != id);
	EQ(space_id(s, 0x4bffff), id);
	change(s, 0x500000, 0x1000);
	EQ(s->id, id);

	made = space_id(s, 0x500000);
	change(s, 0x500000, 0x1001);
	OK(s->id != id);
	OK(space_id(s, 0x500000) != made);
}

TEST(small_changes_void_all_code_of_the_kernel)
{
	struct space *s;
	u32 id;

	start();
	s = images_kernel(&im);
	map(s, 0x500000, 0x1000, "/a");
	change(s, 0x500000, 0x1000);
	id = s->id;
	change(s, 0x500000, 0x1000);
	OK(s->id != id);
	EQ(space_id(s, 0x500000), s->id);
}

TEST(a_fork_shares_until_one_of_the_two_changes)
{
	struct space *parent = start(), *child;

	map(parent, 0x1000, 0x1000, "/a");
	child = space_fork(&im, parent);
	EQ(child->id, parent->id);
	STR_EQ(at(child, 0x1000), "/a");
	map(child, 0x5000, 0x1000, "/b");
	OK(child->id != parent->id);
	STR_EQ(at(child, 0x5000), "/b");
	STR_EQ(at(parent, 0x5000), "");
	map(parent, 0x1000, 0x1000, "/c");
	STR_EQ(at(child, 0x1000), "/a");
}

TEST(an_exec_empties_only_the_child)
{
	struct space *parent = start(), *child;
	u32 id;

	map(parent, 0x1000, 0x1000, "/a");
	id = parent->id;
	child = space_fork(&im, parent);
	space_clear(&im, child);
	STR_EQ(at(child, 0x1000), "");
	map(child, 0x1000, 0x1000, "/b");
	map(parent, 0x3000, 0x1000, "/a");
	EQ(parent->id, id);
	STR_EQ(at(parent, 0x1000), "/a");
	STR_EQ(at(child, 0x1000), "/b");
}

TEST(a_range_that_is_empty_or_wraps_is_not_mapped)
{
	struct space *s = start();

	OK(!map(s, 0x1000, 0, "/a"));
	OK(!map(s, ~0ULL - 10, 0x1000, "/a"));
	OK(map(s, 0, ~0ULL, "/a"));
}

TEST(forks_and_maps_without_end_cost_no_more_than_they_may)
{
	struct space *s = start(), *child;
	u64 i;

	for (i = 0; i < 200000; i++)
		space_map(&im, s, i * 0x2000, 0x1000, 0, dso_get(&im, "/a", NULL, 0), 5, 2);
	STR_EQ(at(s, 0x2000 * 100000), "/a");
	STR_EQ(at(s, 0x2000 * 199999ULL), "");
	space_clear(&im, s);
	for (i = 0; i < 100000; i++)
		space_map(&im, s, i * 0x2000, 0x1000, 0, dso_get(&im, "/a", NULL, 0), 5, 2);
	for (i = 0; i < 1000; i++) {
		child = space_fork(&im, s);
		map(child, 0x1000, 0x10, "/b");
	}
	STR_EQ(at(child, 0x1000), "/b");
	OK(test_arena.total < 500 << 20);
}

TEST(a_map_takes_the_place_of_one_in_the_tree)
{
	enum { N = 200000 };
	struct space *s = start();
	size_t before = test_arena.total;
	u32 i;

	for (i = 0; i < N; i++)
		map(s, 0x1000, 0x1000, "/a");
	/* A node of the tree has 32 bytes. */
	OK(test_arena.total - before < N * (sizeof(struct map) + 20));
}

TEST(a_dso_is_found_among_many)
{
	struct dso *first, *last = NULL;
	char name[32];
	int i;

	start();
	first = dso_get(&im, "/0", NULL, 0);
	for (i = 1; i < 5000; i++) {
		snprintf(name, sizeof(name), "/%d", i);
		last = dso_get(&im, name, NULL, 0);
	}
	OK(dso_get(&im, "/0", NULL, 0) == first);
	OK(dso_get(&im, "/4999", NULL, 0) == last);
	EQ(im.n_dsos, 5000);
}

/* Any changes of any spaces, against a list of what is at each page. */
TEST(spaces_that_share_maps_change_one_by_one)
{
	enum { SPACES = 12, PAGES = 96, CHANGES = 20000 };
	static u16 pages[SPACES][PAGES];
	struct space *s[SPACES] = { start() };
	struct dso *dso[PAGES];
	u64 seed = 1, i, k, wrong = 0;
	char name[16];

	memset(pages, 0, sizeof(pages));
	for (i = 0; i < PAGES; i++) {
		snprintf(name, sizeof(name), "/%d", (int)i);
		dso[i] = dso_get(&im, name, NULL, 0);
	}
	for (i = 1; i < SPACES; i++)
		s[i] = space_new(&im);
	for (i = 0; i < CHANGES; i++) {
		u64 v = (seed = seed * 6364136223846793005 + 1442695040888963407) >> 20;
		u64 who = v % SPACES, from = v / 16 % PAGES, to = from + 1 + (v >> 12) % 7;
		u64 other = (v >> 16) % SPACES, file = (v >> 24) % (PAGES - 1) + 1;

		to = MIN(to, (u64)PAGES);
		if (v >> 32 & 15) {
			space_map(&im, s[who], from << 12, (to - from) << 12, from << 12,
				  dso[file], 5, 2);
			for (k = from; k < to; k++)
				pages[who][k] = file;
		} else if (v >> 36 & 7) {
			s[who] = space_fork(&im, s[other]);
			memcpy(pages[who], pages[other], sizeof(pages[who]));
		} else {
			space_clear(&im, s[who]);
			memset(pages[who], 0, sizeof(pages[who]));
		}
		who = i % SPACES;
		for (k = 0; k < PAGES; k++) {
			const struct map *m = space_find(s[who], (k << 12) + 7);

			wrong += pages[who][k] ? !m || m->dso != dso[pages[who][k]] ||
				map_addr(&im, m, k << 12) != k << 12 : !!m;
		}
	}
	EQ(wrong, 0);
}
