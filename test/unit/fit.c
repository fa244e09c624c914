/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/fit.h>
#include "test.h"

static const char *fitted(const char *lines, u32 width)
{
	static char text[256];
	char *end;

	strcpy(text, lines);
	end = text + strlen(text);
	*fit_lines(text, &end, width) = 0;
	return text;
}

TEST(a_long_line_keeps_its_start_and_its_end)
{
	STR_EQ(fitted("abcdefghijklmnopqrst\n", 20), "abcdefghijklmnopqrst\n");
	STR_EQ(fitted("abcdefghijklmnopqrstu\n", 20), "abcdefghij..nopqrstu\n");
	STR_EQ(fitted("abcdefghijklmnopqrstuvwxyz\n", 12), "abcdef..wxyz\n");
	STR_EQ(fitted("abcdefghij\n", 7), "abcdefghij\n");
}

TEST(blanks_between_columns_go_first_but_for_two)
{
	STR_EQ(fitted("a        b  c\n", 9), "a    b  c\n");
	STR_EQ(fitted("a     b      c\n", 10), "a     b  c\n");
	STR_EQ(fitted("aaaa  bbbb  cccc\n", 12), "aaaa  ..cccc\n");
	STR_EQ(fitted("a\tb     \n\nlast", 4), "a b\n\n");
}
