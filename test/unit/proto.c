/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/proto.h>
#include "test.h"

static char buf[64];

/* The bytes of a text as field 2. */
static struct bytes written(const char *text)
{
	struct out out = { .at = buf, .buf = buf, .end = buf + sizeof(buf), .fd = -1 };
	struct proto p = { .out = &out };

	proto_text(&p, 2, text);
	EQ(p.n, (u64)(out.at - buf));
	return (struct bytes){ (u8 *)buf, out.at - buf };
}

static bool is(struct bytes got, const char *wanted, size_t len)
{
	return got.len == len && !memcmp(got.at, wanted, len);
}

#define IS(got, wanted) OK(is(got, wanted, sizeof(wanted) - 1))

TEST(a_text_has_its_length_before_it)
{
	IS(written(""), "\x12\0");
	IS(written("main"), "\x12\4main");
	IS(written("\xc3\xa9t\xc3\xa9"), "\x12\5\xc3\xa9t\xc3\xa9");
}

TEST(a_byte_that_is_not_utf_8_becomes_the_replacement_character)
{
	IS(written("a\xff" "b"), "\x12\5a\xef\xbf\xbd" "b");
	IS(written("\xc3"), "\x12\3\xef\xbf\xbd");
}

TEST(numbers_have_seven_bits_in_a_byte)
{
	struct out out = { .at = buf, .buf = buf, .end = buf + sizeof(buf), .fd = -1 };
	struct proto p = { .out = &out };

	proto_u64(&p, 1, 0x7f);
	proto_u64(&p, 1, 0x80);
	proto_u64(&p, 20, ~0ULL);
	EQ(p.n, 2 + 3 + 12);
	IS(((struct bytes){ (u8 *)buf, 7 }), "\x08\x7f\x08\x80\x01\xa0\x01");
	EQ(buf[16], 1);
}
