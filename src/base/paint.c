/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Colours on a terminal. Lines are coloured when they are written, after they were shortened to the
 * terminal's width, so no other code has to count the columns of escape sequences.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pt/paint.h>
#include <pt/term.h>

enum {
	MORE = 48,		/* most bytes of escape sequences in a line */
	HEX_END = 53,		/* column of a packet's name: after its offset and bytes */
};

static const char plain[] = "\033[0m", dim[] = "\033[2m", red[] = "\033[31m",
	green[] = "\033[32m", yellow[] = "\033[33m", cyan[] = "\033[36m";

void paint_start(struct out *o, enum paint kind)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (isatty(o->fd) && term && *term && strcmp(term, "dumb") && !(no && *no) &&
	    !term_baud(o->fd))
		o->paint = kind;
}

static char *put_painted(char *to, const char *color, const char *s, size_t len)
{
	return put_str(put_bytes(put_str(to, color), s, len), plain);
}

/* The length of a number that starts at 's': digits and points. */
static size_t number(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && ((s[i] >= '0' && s[i] <= '9') || s[i] == '.'))
		i++;
	return i;
}

static size_t blanks(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && s[i] == ' ')
		i++;
	return i;
}

/* "0.001   main (hello)", "-0.2s gap: ...", "  main [tr end syscall]" */
static char *put_trace(char *to, const char *s, size_t len)
{
	size_t at = blanks(s, len), n;
	const char *open;

	at += at < len && s[at] == '-';
	n = number(s + at, len - at);
	n += n && at + n < len && s[at + n] == 's';
	if (n > 3 && at + n < len && s[at + n] == ' ') {
		to = put_painted(to, dim, s, at + n);
		s += at + n;
		len -= at + n;
	}
	if (memmem(s, len, "gap: ", 5) || memmem(s, len, "trace error", 11))
		return put_painted(to, red, s, len);
	for (n = len; n && s[n - 1] != ' '; n--)
		;
	if (len && s[len - 1] == ')' && s[n] == '(')
		return put_painted(put_bytes(to, s, n), dim, s + n, len - n);
	open = memrchr(s, '[', len);
	if (len && s[len - 1] == ']' && open)
		return put_painted(put_bytes(to, s, open - s), cyan, open, s + len - open);
	return put_bytes(to, s, len);
}

/* Colour the percentages as perf does: from 5 % on red, from 0.5 % on green. */
static char *put_shares(char *to, const char *s, size_t len)
{
	size_t at = 0, n, painted = 0;

	while (at < len) {
		n = number(s + at, len - at);
		if (n < 4 || at + n >= len || s[at + n] != '%' || painted == 2) {
			n += !n;
			to = put_bytes(to, s + at, n);
			at += n;
			continue;
		}
		if (n > 4 || s[at] >= '5')
			to = put_painted(to, red, s + at, n + 1);
		else if (s[at] > '0' || s[at + 2] >= '5')
			to = put_painted(to, green, s + at, n + 1);
		else
			to = put_bytes(to, s + at, n + 1);
		at += n + 1;
		painted++;
	}
	return to;
}

/* "<not supported>  cycles", "1  context-switches  # 1.506 K/sec" */
static char *put_counts(char *to, const char *s, size_t len)
{
	size_t at = blanks(s, len);
	const char *end = memchr(s, '>', len), *note = memmem(s, len, " # ", 3);

	if (at < len && s[at] == '<' && end) {
		to = put_painted(to, yellow, s, ++end - s);
		return put_bytes(to, end, s + len - end);
	}
	if (note)
		return put_painted(put_bytes(to, s, note - s), dim, note, s + len - note);
	return put_bytes(to, s, len);
}

static char *put_line(char *to, enum paint kind, const char *s, size_t len)
{
	if (len && *s == '#' && !(len > 1 && number(s + 1, 1)))
		return put_painted(to, dim, s, len);
	if (kind == PAINT_TRACE)
		return put_trace(to, s, len);
	if (kind == PAINT_SHARES)
		return put_shares(to, s, len);
	if (kind == PAINT_COUNTS)
		return put_counts(to, s, len);
	if (len > HEX_END && *s == '.')		/* PAINT_PACKETS */
		return put_bytes(put_painted(to, dim, s, HEX_END), s + HEX_END, len - HEX_END);
	return put_bytes(to, s, len);
}

const char *paint_lines(struct out *o)
{
	static char painted[2 * OUT_BUFFER];
	const char *s = o->buf, *eol, *all = painted + sizeof(painted);
	char *to = painted;

	while ((eol = memchr(s, '\n', o->at - s)) && all - to > o->at - s + MORE) {
		to = put_line(to, o->paint, s, eol - s);
		*to++ = '\n';
		s = eol + 1;
	}
	to = put_bytes(to, s, MIN(o->at - s, all - to));
	o->at = to;
	return painted;
}
