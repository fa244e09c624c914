/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/opt.h>

/* The help text is as it would be packed, but for this. */
const unsigned char packed_pairs[][2] = { { 'a', 'b' } };
const unsigned char packed_n = 1;

static const char help[] =
	"usage: pt x [-v] [-- COMMAND]\n"
	"\n"
	"What it does - in short, --not-an-option.\n"
	"\n"
	"  -v, --verbose          say more\n"
	"  -i, --input FILE       what to read (-z is no option)\n"
	"      --itrace[=OPTS]    perhaps\n"
	"      --insn-trace       the same as\n"
	"                         --deep in the text\n"
	"  -S[SIZE]               a letter alone\n"
	"  -k[N], --keep[=N]      both\n"
	"  -Se                    never matched\n"
	"  -1                     a digit\n"
	"      --no-merge         it has a no already\n"
	"      --a-long-name-with one blank behind it\n"
	"      --time=SPAN        its argument behind =\n"
	"\f"
	"more: another page\n"
	"  -x, --extra            on a further page\n";

static int pages;	/* that were unpacked in the last parse_until() */

/* "name=arg" of each option, "name!" for --no-name, then "|" and the words. */
static const char *parse_until(bool plain_ends, char **argv)
{
	static char said[512];
	struct opt o;
	const char *name;
	char *at = said, *word;

	*at = 0;
	opt_start(&o, help, argv);
	o.plain_ends = plain_ends;
	while ((name = opt_next(&o)))
		at += sprintf(at, "%s%s%s%s ", name, o.no ? "!" : "", o.arg ? "=" : "",
			      o.arg ? o.arg : "");
	pages = (o.packed != help) + !o.packed;
	if (o.wants_help)
		sprintf(at, "help:%s", o.topic ? o.topic : "");
	if (o.error)
		sprintf(at, "%s", o.error);
	if (opt_stopped(&o))
		return said;
	at += sprintf(at, "|");
	while ((word = opt_word(&o)))
		at += sprintf(at, " %s", word);
	return said;
}

#define ARGV(...) ((char *[]){ __VA_ARGS__, NULL })
#define SAYS(wanted, ...) STR_EQ(parse_until(false, ARGV(__VA_ARGS__)), wanted)

TEST(nothing_is_nothing)
{
	STR_EQ(parse_until(false, (char *[]){ NULL }), "|");
}

TEST(long_names_and_letters_are_the_same)
{
	SAYS("verbose verbose |", "-v", "--verbose");
	SAYS("input=f input=f input=f input=f |", "-i", "f", "-if", "--input", "f", "--input=f");
	SAYS("input= |", "--input=");
	SAYS("time=1,2 time=1 |", "--time=1,2", "--time", "1");
}

TEST(an_argument_is_named_in_capitals)
{
	SAYS("a-long-name-with | x", "--a-long-name-with", "x");
}

TEST(letters_may_stand_together)
{
	SAYS("verbose verbose input=f |", "-vvif");
	SAYS("verbose extra 1 |", "-vx1");
	SAYS("verbose S=4M |", "-vS4M");
}

TEST(an_optional_argument_has_to_touch)
{
	SAYS("itrace | i0ns", "--itrace", "i0ns");
	SAYS("itrace=i0ns |", "--itrace=i0ns");
	SAYS("S S=4M | 4M", "-S", "-S4M", "4M");
	SAYS("keep keep=3 keep=4 |", "-k", "-k3", "--keep=4");
}

TEST(names_may_be_shortened_while_they_are_unique)
{
	SAYS("input=f |", "--inp=f");
	SAYS("itrace |", "--it");
	SAYS("insn-trace |", "--ins");
	SAYS("ambiguous option --in", "--in");
	SAYS("verbose |", "--v");
}

TEST(no_switches_off)
{
	SAYS("verbose! |", "--no-verbose");
	SAYS("verbose! |", "--no-verb");
	SAYS("itrace! | x", "--no-itrace", "x");
	SAYS("input! | x", "--no-input", "x");
	SAYS("no-merge |", "--no-merge");
	SAYS("no argument allowed for option --no-input", "--no-input=x");
	SAYS("unknown option --no-such", "--no-such");
}

TEST(words_are_kept_in_order_around_options)
{
	SAYS("verbose verbose | a b - c", "a", "-v", "b", "-", "-v", "c");
	SAYS("verbose | a -v --bad", "a", "-v", "--", "-v", "--bad");
	SAYS("| ", "");
	STR_EQ(parse_until(true, ARGV("-v", "ls", "-l", "--", "x")), "verbose | ls -l -- x");
	STR_EQ(parse_until(true, ARGV("--", "-v")), "| -v");
}

TEST(what_is_wrong_is_said)
{
	SAYS("unknown option -z", "-z");
	SAYS("verbose unknown option -z", "-vz");
	SAYS("unknown option --not-an-option", "--not-an-option");
	SAYS("unknown option --frob", "--frob=x");
	SAYS("unknown option --deep: did you mean --keep?", "--deep");
	SAYS("missing argument for option -i", "-i");
	SAYS("missing argument for option --input", "--input");
	SAYS("no argument allowed for option --verbose", "--verbose=1");
}

TEST(help_is_everywhere)
{
	SAYS("help:", "-h");
	SAYS("verbose help:", "-vh");
	SAYS("help:", "--help", "-z");
	SAYS("help:more", "--help=more");
}

TEST(a_further_page_has_options_too)
{
	SAYS("extra extra |", "-x", "--extra");
	EQ(pages, 2);
}

TEST(pages_are_unpacked_when_the_ones_before_do_not_tell)
{
	SAYS("| x", "x");
	EQ(pages, 0);
	SAYS("verbose input=f |", "-v", "--input=f");
	EQ(pages, 1);
	/* Something further on may begin so, too. */
	SAYS("input=f |", "--inp=f");
	EQ(pages, 2);
}

TEST(hostile_names_do_not_overflow)
{
	char name[4096];
	const char *said;

	memset(name, 'x', sizeof(name));
	memcpy(name, "--", 2);
	name[sizeof(name) - 1] = 0;
	said = parse_until(false, ARGV(name));
	OK(!strncmp(said, "unknown option --xxx", 20));
	OK(strlen(said) < sizeof(((struct opt *)NULL)->wrong));
}

TEST(the_command_line_is_that_of_the_user)
{
	char **argv = ARGV("word", "-v", "last"), **line;
	struct opt o;

	opt_start(&o, help, argv);
	line = opt_command_line(&o, "do", &test_arena);
	while (opt_next(&o))
		;
	STR_EQ(line[0], "pt");
	STR_EQ(line[1], "do");
	STR_EQ(line[2], "word");
	STR_EQ(line[3], "-v");
	STR_EQ(line[4], "last");
	OK(!line[5]);
}
