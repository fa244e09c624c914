/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/paint.h>
#include <pt/term.h>

#include "test.h"

/* The line as it is painted, with each escape sequence as its number in angle brackets. */
static const char *painted(enum paint kind, const char *line)
{
	static char text[1024];
	char buf[512], *to = text;
	struct out o = { .buf = buf, .paint = kind };
	const char *s;

	o.at = put_char(put_str(buf, line), '\n');
	for (s = paint_lines(&o); s < o.at - 1; s++)
		if (*s == '\033') {
			*to++ = '<';
			for (s += 2; *s != 'm'; s++)
				*to++ = *s;
			*to++ = '>';
		} else {
			*to++ = *s;
		}
	EQ(*s, '\n');
	*to = 0;
	return text;
}

TEST(shares_from_5_percent_on_are_red)
{
	STR_EQ(painted(PAINT_SHARES, "  5.00%  main"), "  <31>5.00%<0>  main");
	STR_EQ(painted(PAINT_SHARES, "  4.99%  main"), "  <32>4.99%<0>  main");
	STR_EQ(painted(PAINT_SHARES, " 10.00%  main"), " <31>10.00%<0>  main");
	STR_EQ(painted(PAINT_SHARES, "100.00%  main"), "<31>100.00%<0>  main");
}

TEST(shares_from_half_a_percent_on_are_green)
{
	STR_EQ(painted(PAINT_SHARES, "  0.50%  main"), "  <32>0.50%<0>  main");
	STR_EQ(painted(PAINT_SHARES, "  0.49%  main"), "  0.49%  main");
	STR_EQ(painted(PAINT_SHARES, "  1.00%  main"), "  <32>1.00%<0>  main");
}

TEST(two_shares_of_a_line_are_painted)
{
	STR_EQ(painted(PAINT_SHARES, " 9.00%  1.00%  8.00%"),
	       " <31>9.00%<0>  <32>1.00%<0>  8.00%");
	STR_EQ(painted(PAINT_SHARES, "  5.0%  55%  5.00"), "  5.0%  55%  5.00");
}

TEST(comments_are_dim)
{
	STR_EQ(painted(PAINT_SHARES, "# 50.00% of all"), "<2># 50.00% of all<0>");
	STR_EQ(painted(PAINT_SHARES, "#"), "<2>#<0>");
	STR_EQ(painted(PAINT_SHARES, "#1 main"), "#1 main");
	STR_EQ(painted(PAINT_SHARES, ""), "");
}

TEST(of_a_trace_times_files_and_ends_are_painted)
{
	STR_EQ(painted(PAINT_TRACE, "  0.001   main (hello)"),
	       "<2>  0.001<0>   main <2>(hello)<0>");
	STR_EQ(painted(PAINT_TRACE, "-0.2s main"), "<2>-0.2s<0> main");
	STR_EQ(painted(PAINT_TRACE, "  main [tr end syscall]"), "  main <36>[tr end syscall]<0>");
	STR_EQ(painted(PAINT_TRACE, "0.001 gap: no code"), "<2>0.001<0><31> gap: no code<0>");
	STR_EQ(painted(PAINT_TRACE, "x trace error y"), "<31>x trace error y<0>");
	STR_EQ(painted(PAINT_TRACE, "123 main"), "123 main");
}

TEST(of_a_packet_the_offset_and_the_bytes_are_dim)
{
	const char *line = ".  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 PSB";

	STR_EQ(painted(PAINT_PACKETS, line),
	       "<2>.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 <0>PSB");
	STR_EQ(painted(PAINT_PACKETS, ". short"), ". short");
}
