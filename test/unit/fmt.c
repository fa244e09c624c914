/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/out.h>

static u64 seed = 88172645463325252ull;

static u64 any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* A number of any length, near the ends of its range more often than not. */
static u64 any_number(void)
{
	switch (any() % 5) {
	case 0: return any() % 3;
	case 1: return -(any() % 3);
	case 2: return 1ull << any() % 64;
	default: return any() >> any() % 64;
	}
}

static char *add_number(char *at, unsigned int most)
{
	return at + sprintf(at, "%u", (unsigned int)(any() % most));
}

/* "%-+08.3" without the conversion. */
static char *any_spec(char *at, const char *flags, bool precision)
{
	int n = any() % 4;

	*at++ = '%';
	while (n--)
		*at++ = flags[any() % strlen(flags)];
	if (any() % 2)
		at = add_number(at, 30);
	if (precision && any() % 3 == 0) {
		*at++ = '.';
		if (any() % 4)
			at = add_number(at, 25);
	}
	return at;
}

static void same(const char *spec, int ours, const char *our, int theirs, const char *their)
{
	if (ours != theirs || strcmp(our, their))
		TEST_FAIL("\"%s\" gives \"%s\" (%d), libc \"%s\" (%d)", spec, our, ours, their, theirs);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

#define COMPARE(spec, ...) do { \
	char our[128], their[128]; \
	int ours = fmt_str(our, sizeof(our), spec, __VA_ARGS__); \
	int theirs = snprintf(their, sizeof(their), spec, __VA_ARGS__); \
	same(spec, ours, our, theirs, their); \
} while (0)

TEST(numbers_come_out_as_libc_prints_them)
{
	static const char convs[] = "dux";
	int i;

	for (i = 0; i < 200000 && !test_bad; i++) {
		char spec[64], *at, conv = convs[any() % 3];
		u64 v = any_number();

		at = any_spec(spec, conv == 'x' ? "-#0" : "-0", true);
		switch (any() % 4) {
		case 0:
			sprintf(at, "%c", conv);
			COMPARE(spec, (int)v);
			break;
		case 1:
			sprintf(at, "l%c", conv);
			COMPARE(spec, (long)v);
			break;
		case 2:
			sprintf(at, "z%c", conv);
			COMPARE(spec, (size_t)v);
			break;
		default:
			sprintf(at, "ll%c", conv);
			COMPARE(spec, v);
		}
	}
}

TEST(text_comes_out_as_libc_prints_it)
{
	static const char *const texts[] = { "", "x", "a longer text", "%d" };
	int i;

	for (i = 0; i < 20000 && !test_bad; i++) {
		char spec[64], *at = any_spec(spec, "-", true);

		const char *text = texts[any() % 4];
		char c = 'a' + any() % 26;

		strcpy(at, "s|%c|%%");
		COMPARE(spec, text, c);
	}
}

TEST(width_and_precision_may_be_arguments)
{
	COMPARE("[%*d]", 5, 42);
	COMPARE("[%*d]", -5, 42);
	COMPARE("[%-*s|%.*s]", 7, "left", 3, "cut here");
	COMPARE("[%.*s]", -1, "all of it");
}

TEST(what_does_not_fit_is_cut_and_counted)
{
	char s[8];

	EQ(fmt_str(s, sizeof(s), "%s", "1234567890"), 10);
	STR_EQ(s, "1234567");
	EQ(fmt_str(s, 1, "%d", 123), 3);
	STR_EQ(s, "");
	strcpy(s, "kept");
	EQ(fmt_str(s, 0, "%d", 123), 3);
	STR_EQ(s, "kept");
}

TEST(null_is_said)
{
	char s[64];
	const char *volatile nothing = NULL;

	fmt_str(s, sizeof(s), "%s", nothing);
	STR_EQ(s, "(null)");
}
