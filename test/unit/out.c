/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <test.h>
#include <unistd.h>
#include <pt/config/CONSOLE.h>
#include <pt/out.h>
#include <pt/term.h>

static char buf[OUT_ROOM];

/* Puts what was written to 'o', a pipe's end, into 'got'. */
static void read_back(struct out *o, int from, char *got, size_t size)
{
	ssize_t n;

	EQ(out_flush(o), 0);
	close(o->fd);
	n = read(from, got, size - 1);
	got[MAX(n, 0)] = 0;
	close(from);
}

#define WRITES(wanted, ...) do { \
	char got[4096]; \
	int ends[2]; \
	struct out o; \
	OK(!pipe(ends)); \
	out_open(&o, ends[1], buf, sizeof(buf)); \
	__VA_ARGS__; \
	read_back(&o, ends[0], got, sizeof(got)); \
	STR_EQ(got, wanted); \
} while (0)

TEST(pieces_come_out_in_order)
{
	WRITES("text x 42 0000003\n", {
		out_str(&o, "text");
		out_bytes(&o, " x more", 3);
		out_fmt(&o, "%d", 42);
		out_char(&o, ' ');
		out_fill(&o, '0', 6);
		out_done(&o, put_char(out_room(&o, 1), '3'));
		out_newline(&o);
	});
	WRITES("", out_fill(&o, 'x', -1));
}

TEST(names_cannot_move_a_cursor)
{
	WRITES("a\\x1b[2Jb\\x0a\\xc3\\xa9\\x7f~ ", out_name(&o, "a\033[2Jb\n\303\251\177~ "));
}

#define PUTS(wanted, call) do { \
	char line[256], *p = line; \
	*(call) = 0; \
	STR_EQ(line, wanted); \
} while (0)

TEST(numbers_are_put)
{
	PUTS("0", put_dec(p, 0));
	PUTS("9", put_dec(p, 9));
	PUTS("10", put_dec(p, 10));
	PUTS("100", put_dec(p, 100));
	PUTS("18446744073709551615", put_dec(p, ~0ull));
	PUTS("   42", put_dec_w(p, 42, 5));
	PUTS("123456", put_dec_w(p, 123456, 5));
	PUTS("00042", put_dec_0(p, 42, 5));
	PUTS("-42", put_int(p, -42));
	PUTS("  -42", put_int_w(p, -42, 5));
	PUTS("-9223372036854775808", put_int(p, -9223372036854775807 - 1));
	PUTS("0", put_hex(p, 0));
	PUTS("ffffffffffffffff", put_hex(p, ~0ull));
	PUTS("   2a", put_hex_w(p, 0x2a, 5));
	PUTS("0002a", put_hex_0(p, 0x2a, 5));
	PUTS("0a", put_byte(p, 10));
}

TEST(digits_are_the_ones_of_libc)
{
	u64 v = 1;
	int i;

	for (i = 0; i < 1000; i++, v = v * 2862933555777941757ull + 3037000493ull) {
		u64 n = v >> i % 64;
		char theirs[32];

		sprintf(theirs, "%llu", n);
		PUTS(theirs, put_dec(p, n));
		sprintf(theirs, "%llx", n);
		PUTS(theirs, put_hex(p, n));
	}
}

TEST(text_stands_in_columns)
{
	PUTS("  abc", put_str_w(p, "abc", 5));
	PUTS("abc  ", put_str_w(p, "abc", -5));
	PUTS("abcdef", put_str_w(p, "abcdef", 5));
	PUTS("abcdef", put_str_w(p, "abcdef", -5));
}

TEST(fixed_point_is_rounded)
{
	PUTS("12.35", put_fixed(p, 12345, 1000, 2));
	PUTS("12.345", put_fixed(p, 12345, 1000, 3));
	PUTS("12", put_fixed(p, 12345, 1000, 0));
	PUTS("13", put_fixed(p, 12500, 1000, 0));
	PUTS("0.00", put_fixed(p, 4, 1000, 2));
	PUTS("0.01", put_fixed(p, 5, 1000, 2));
	PUTS("1.00", put_fixed(p, 999, 1000, 2));
	PUTS("33.333333", put_fixed(p, 100, 3, 6));
	PUTS("18446744073.709551615", put_fixed(p, ~0ull, 1000000000, 9));
}

TEST(more_than_a_buffer_arrives_whole)
{
	static char big[3 * OUT_ROOM], got[3 * OUT_ROOM];
	char path[] = "/tmp/pt-out-XXXXXX";
	int fd = mkstemp(path);
	struct out o;
	size_t i;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 7 % 251;
	out_open(&o, fd, buf, sizeof(buf));
	out_char(&o, 'x');
	out_bytes(&o, big, sizeof(big));
	EQ(out_flush(&o), 0);
	EQ(pread(fd, got, sizeof(got), 1), sizeof(got));
	OK(!memcmp(big, got, sizeof(big)));
	close(fd);
	unlink(path);
}

TEST(the_first_failed_write_is_kept)
{
	int fd = open("/dev/full", O_WRONLY);
	struct out o;

	if (fd < 0)
		SKIP("there is no /dev/full");
	out_open(&o, fd, buf, sizeof(buf));
	out_fill(&o, 'x', 3 * OUT_ROOM);
	OK(o.err < 0);
	close(fd);
	EQ(out_flush(&o), o.err);
}

TEST(lines_are_made_to_fit_a_terminal)
{
	if (!CONFIG_CONSOLE)
		SKIP("without CONSOLE");
	WRITES("short\n\nthe ..end\nno end ", {
		o.width = 9;
		out_str(&o, "short   \n  \nthe begin and the end\nno end ");
	});
	WRITES("a b\n", {
		o.width = 80;
		out_str(&o, "a\tb \t \n");
	});
}

TEST(a_line_that_has_begun_waits_for_its_end)
{
	static char big[OUT_ROOM + 4096];
	char line[200];

	if (!CONFIG_CONSOLE)
		SKIP("without CONSOLE");
	memset(line, 'x', sizeof(line));
	memcpy(line + 150, "tail", 4);
	{
		char got[8192] = "";
		int ends[2], i;
		struct out o;

		OK(!pipe(ends));
		out_open(&o, ends[1], big, sizeof(big));
		o.width = 80;
		/* 'line' comes in two pieces, with all room used up between them. */
		out_bytes(&o, line, 150);
		out_done(&o, put_fill(out_room(&o, 3900), 'y', 3900));
		for (i = 0; i < 2; i++)
			out_room(&o, OUT_ROOM);
		out_str(&o, "tail\n");
		read_back(&o, ends[0], got, sizeof(got));
		EQ(strlen(got), 81);
		OK(!strcmp(got + 76, "tail\n"));
	}
}
