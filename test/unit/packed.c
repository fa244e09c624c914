/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/packed.h>

/* 80h is "ab", 81h "ab" and "c", 82h twice that; 83h stands for itself. */
const unsigned char packed_pairs[][2] = { { 'a', 'b' }, { 0x80, 'c' }, { 0x81, 0x81 }, { 0 } };
const unsigned char packed_n = 4;

static const char *text_of(const char *packed)
{
	static char text[PACKED_MAX];

	packed_read(text, packed);
	return text;
}

TEST(a_byte_stands_for_two_which_may_stand_for_two_again)
{
	STR_EQ(text_of("x\x80y"), "xaby");
	STR_EQ(text_of("\x82\x81."), "abcabcabc.");
}

TEST(pages_come_one_by_one)
{
	struct packed_words words = { 0 };
	char text[PACKED_MAX], *at = text;
	const char *rest = packed_page(&words, &at, "x\x80\f\x81\f");

	STR_EQ(text, "xab\f");
	EQ(at - text, 4);
	rest = packed_page(&words, &at, rest);
	STR_EQ(text, "xab\fabc\f");
	OK(rest && !*rest);
	OK(!packed_page(&words, &at, rest));
	STR_EQ(text, "xab\fabc\f");
	EQ(at - text, 8);
	STR_EQ(text_of("x\x80\f\x81"), "xab\fabc");
}

TEST(bytes_of_the_text_stand_for_themselves)
{
	STR_EQ(text_of(""), "");
	STR_EQ(text_of("a\n\x83\x84\xff"), "a\n\x83\x84\xff");
}
