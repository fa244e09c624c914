/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Unit tests: TEST(a_sentence) { EQ(got, wanted); }
 *
 * A test file is a program: it runs its tests in order, prints a line for
 * each that fails, and at the end "N passed, N failed, N skipped". Its exit
 * status is 1 if one failed. TEST() may use NEW(&test_arena, ...).
 */
#ifndef PT_TEST_H
#define PT_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pt/base.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test *next;
};

static struct test *first_test, **last_test = &first_test;
static const char *test_name;
static int test_bad, test_skips;
static struct arena test_arena __attribute__((unused));

#define TEST(sentence) \
	static void test_##sentence(void); \
	__attribute__((constructor)) static void add_##sentence(void) \
	{ \
		static struct test t = { #sentence, test_##sentence }; \
		*last_test = &t; \
		last_test = &t.next; \
	} \
	static void test_##sentence(void)

#define TEST_FAIL(...) do { \
	if (!test_bad++) \
		printf("FAIL %s\n", test_name); \
	printf("  %s:%d: ", __FILE__, __LINE__); \
	printf(__VA_ARGS__); \
	printf("\n"); \
} while (0)

#define OK(is) do { \
	if (!(is)) \
		TEST_FAIL("not so: %s", #is); \
} while (0)

#define EQ(got, wanted) do { \
	long long got_ = (long long)(got), wanted_ = (long long)(wanted); \
	if (got_ != wanted_) \
		TEST_FAIL("%s is %lld (%#llx), not %lld (%#llx)", #got, got_, got_, wanted_, \
			  wanted_); \
} while (0)

#define STR_EQ(got, wanted) do { \
	const char *got_ = (got), *wanted_ = (wanted); \
	if (!got_ || strcmp(got_, wanted_)) \
		TEST_FAIL("%s is \"%s\", not \"%s\"", #got, got_ ? got_ : "(null)", wanted_); \
} while (0)

/* Leave the test; it counts as skipped, and 'why' is printed. */
#define SKIP(why) do { \
	printf("SKIP %s: %s\n", test_name, why); \
	test_skips++; \
	return; \
} while (0)

/* A struct bytes of literal bytes. */
#define BYTES(...) \
	((struct bytes){ (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }) })

int main(void)
{
	int passed = 0, failed = 0, skipped = 0;
	struct test *t;

	for (t = first_test; t; t = t->next) {
		int skips = test_skips;

		test_name = t->name;
		test_bad = 0;
		t->run();
		if (test_bad)
			failed++;
		else if (test_skips > skips)
			skipped++;
		else
			passed++;
		arena_free(&test_arena);
	}
	printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
	return failed != 0;
}

#endif
