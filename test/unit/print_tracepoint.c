/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/print_tracepoint.h>
#include <test.h>

#define NAME(s) { (const u8 *)s, sizeof(s) - 1 }

static struct event_field fields[] = {
	{ .name = NAME("common_type"), .off = 0, .size = 2 },
	{ .name = NAME("n"), .off = 8, .size = 4, .is_signed = true },
	{ .name = NAME("flags"), .off = 16, .size = 8, .is_long = true },
	{ .name = NAME("comm"), .off = 24, .size = 8, .element = 1, .is_array = true,
	  .is_text = true },
	{ .name = NAME("path"), .off = 32, .size = 4, .element = 1, .is_array = true,
	  .is_text = true, .is_dynamic = true },
	{ .name = NAME("addr"), .off = 36, .size = 4, .element = 1, .is_array = true },
	{ .name = NAME("text"), .off = 40, .size = 8, .is_pointer = true },
};

static const u8 raw[] = {
	1, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0,
	5, 0, 0, 0, 0, 0, 0, 0, 'c', 'o', 'm', 'm', 0, 0, 0, 0,
	48, 0, 5, 0, 10, 0, 0, 1, 0x10, 0, 0, 0x81, 0xff, 0xff, 0xff, 0xff,
	'/', 'b', 27, 'n', 0, 0, 0, 0,
};

static const char *find(void *who, u64 addr, u64 *start)
{
	*start = 0xffffffff81000000;
	return addr >= *start ? "startup" : NULL;
}

static char text[64 << 10];

static const char *print_raw(const char *print, struct bytes bytes)
{
	static char buf[OUT_BUFFER];
	static struct arena arena;
	struct event_format format = { .arena = &arena, .fields = fields, .n_fields = N_ELEM(fields), .n_common = 1,
				       .print = print,
				       .strings = NAME("0xffffffff81000010 : \"hello\\n\"\n") };
	struct out out;

	out_open(&out, -1, buf, sizeof(buf));
	print_tracepoint(&out, &format, bytes, &(struct kernel_names){ find, NULL });
	memcpy(text, buf, out.at - buf);
	text[out.at - buf] = 0;
	return text;
}

static const char *print(const char *fmt)
{
	return print_raw(fmt, (struct bytes){ raw, sizeof(raw) });
}

TEST(numbers_have_the_size_of_their_conversion)
{
	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	STR_EQ(print("\"%d %u %x %lld\", REC->n, REC->n, REC->n, REC->n"),
	    "-2 4294967294 fffffffe 4294967294");
	STR_EQ(print("\"%hhu %hd %5d|%-5d|%05d %#x %#lx %X %o\", REC->n, REC->n, 7, 7, 7, 7, 0, 255, 8"),
	    "254 -2     7|7    |00007 0x7 0 FF 10");
	STR_EQ(print("\"100%% %c\\n\", 65"), "100% A\n");
}

TEST(expressions_are_those_of_c)
{
	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	STR_EQ(print("\"%d %d %d %d\", 1 + 2 * 3, (1 << 4) | 3, REC->flags & 4 ? 8 : 9, !REC->flags"),
	    "7 19 8 0");
	STR_EQ(print("\"%d %d\", ((unsigned int) ((REC->flags) >> 1)), (u8)0x1ff"), "2 255");
	STR_EQ(print("\"%d %d\", 7 / 0, 7 % 0"), "0 0");
}

TEST(flags_and_symbols_have_names)
{
	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	STR_EQ(print("\"%s %s\", __print_flags(REC->flags, \"|\", { 1, \"A\" }, { 2, \"B\" }), "
		  "__print_symbolic(REC->flags, { 4, \"x\" }, { 5, \"five\" })"), "A|0x4 five");
	STR_EQ(print("\"%s\", REC->flags ? __print_flags(REC->flags, \"\", { 0x4, \"C\" }, "
		  "{ -1, ((void *)0) }) : \"none\""), "C0x1");
}

TEST(strings_are_escaped_and_cut)
{
	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	STR_EQ(print("\"%s %s [%6s] %.*s\", __get_str(path), REC->comm, \"in\", 2, REC->comm"),
	    "/b\\x1bn comm [    in] co");
	STR_EQ(print("\"%s %pS %ps %p %p\", REC->text, REC->text, REC->text, REC->n, 0"),
	    "hello startup+0x10 startup 0xfffffffe (nil)");
	STR_EQ(print("\"%pI4 %s %02x\", REC->addr, __print_hex(REC->addr, 4), REC->addr[3]"),
	    "10.0.0.1 0a 00 00 01 01");
}

TEST(what_is_not_known_is_printed_field_by_field)
{
	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	STR_EQ(print("\"%s\", some_function(REC->n)"),
	    "[FAILED TO PARSE] n=-2 flags=0x5 comm=comm path=ARRAY[2f, 62, 1b, 6e, 00] "
	    "addr=ARRAY[0a, 00, 00, 01] text=0xffffffff81000010");
	OK(!strncmp(print("\"%d\", REC->none"), "[FAILED", 7));
	OK(!strncmp(print("\"%d %d\", 1"), "[FAILED", 7));
	OK(!strncmp(print(""), "[FAILED", 7));
}

/* Each beginning of a format, and each of a sample, ends in some text. */
TEST(whatever_is_cut_off_ends)
{
	static const char whole[] =
		"\"%s %d %pI4 %.*s %s\" \"%p\", __print_flags(REC->flags, \"|\", { 1, \"A\" }, "
		"{ (1 << 3), \"B\" }), ((int)REC->addr[1]) + -3, REC->addr, 3, REC->comm, "
		"REC->n ? __get_str(path) : \"x\", REC->text";
	char part[sizeof(whole)];
	size_t i;

	if (!CONFIG_TRACEPOINT_TEXT)
		SKIP("not built in");
	for (i = 0; i < sizeof(whole); i++) {
		memcpy(part, whole, i);
		part[i] = 0;
		OK(*print(part));
	}
	for (i = 0; i < sizeof(raw); i++)
		OK(*print_raw(whole, (struct bytes){ raw, i }));
	memset(text, '(', sizeof(text) - 1);
	memcpy(text, "\"%d\", ", 6);
	OK(!strncmp(print(arena_str(&(struct arena){ 0 }, text)), "[FAILED", 7));
}
