/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include <test.h>
#include <pt/json.h>
#include <pt/text.h>

/* What json_text() makes of 's'. */
static const char *written(const char *s)
{
	static char text[2 * OUT_ROOM];
	struct out out;

	out_open(&out, -1, text, sizeof(text));
	json_text(&out, s);
	*out.at = 0;
	return text;
}

TEST(quotes_backslashes_and_control_bytes_are_escaped)
{
	STR_EQ(written("main"), "\"main\"");
	STR_EQ(written("a\"b\\c"), "\"a\\\"b\\\\c\"");
	STR_EQ(written("\n\x01\x7f"), "\"\\u000a\\u0001\\u007f\"");
}

TEST(what_is_not_utf8_is_replaced)
{
	STR_EQ(written("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
	    "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	STR_EQ(written("a\xff" "b\xc3"), "\"a\\ufffdb\\ufffd\"");
	STR_EQ(written("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
	STR_EQ(written("\xc0\xaf"), "\"\\ufffd\\ufffd\"");
}

TEST(it_cannot_end_a_script_of_a_page)
{
	STR_EQ(written("</script><!--<a>"), "\"\\u003c/script>\\u003c!--<a>\"");
}

TEST(a_character_of_utf8_has_one_to_four_bytes)
{
	EQ(text_utf8(""), 0);
	EQ(text_utf8("a"), 1);
	EQ(text_utf8("\xc3\xa9"), 2);
	EQ(text_utf8("\xe0\xa4\xb9"), 3);
	EQ(text_utf8("\xf4\x8f\xbf\xbf"), 4);
	EQ(text_utf8("\xf4\x90\x80\x80"), 0);
	EQ(text_utf8("\xe0\x80\x80"), 0);
	EQ(text_utf8("\xf0\x8f\xbf\xbf"), 0);
	EQ(text_utf8("\x80"), 0);
	EQ(text_utf8("\xe2\x82"), 0);
}
