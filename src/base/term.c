/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Terminals: how wide and how fast they are, and lines that fit them.
 *
 * On a terminal of 80 columns a line of 81 takes two rows, and a serial line needs as long for
 * blanks as for letters.
 */
#include <linux/serial.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <pt/term.h>

u32 term_columns(int fd)
{
	struct winsize size = { 0 };

	if (!isatty(fd))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return TERM_COLUMNS;
	return MIN(size.ws_col, TERM_ANY - 1);
}

u32 term_rows(int fd)
{
	struct winsize size = { 0 };

	return ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row ? TERM_ROWS : size.ws_row;
}

/* The speeds that have a constant, in order of the constants' values. */
static u32 speed_of(speed_t code)
{
	static const u32 low[] = { 0, 50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400,
				   4800, 9600, 19200, 38400 };
	static const u32 high[] = { 57600, 115200, 230400, 460800, 500000, 576000, 921600,
				    1000000, 1152000, 1500000, 2000000, 2500000, 3000000,
				    3500000, 4000000 };

	if (code < N_ELEM(low))
		return low[code];
	return code - B57600 < N_ELEM(high) ? high[code - B57600] : 0;
}

/* Only drivers of serial lines implement TIOCGSERIAL. */
u32 term_baud(int fd)
{
	struct serial_struct serial;
	struct termios t;

	if (ioctl(fd, TIOCGSERIAL, &serial) || tcgetattr(fd, &t))
		return 0;
	return speed_of(cfgetospeed(&t));
}

void term_fit(struct out *o)
{
	o->width = term_columns(o->fd);
}

void term_trim(struct out *o)
{
	o->width = isatty(o->fd) ? TERM_ANY : 0;
}

/* Remove blanks between columns, first where there are most of them. Returns the new length. */
static u32 squeeze(char *line, u32 len, u32 excess)
{
	u32 most = 0, at = 0, i, n;

	for (i = 0; i < len; i += n + 1) {
		for (n = 0; i + n < len && line[i + n] == ' '; n++)
			;
		if (n > most) {
			most = n;
			at = i;
		}
	}
	if (most < 3)
		return len;
	n = MIN(most - 2, excess);
	memmove(line + at, line + at + n, len - at - n);
	return len - n;
}

/* Of a line that is too long, keep the start and the end, which contain its names. */
static u32 fit_line(char *line, u32 len, u32 width)
{
	u32 front, rest, before = 0;
	char *tab;

	while ((tab = memchr(line, '\t', len)))
		*tab = ' ';
	while (len && line[len - 1] == ' ')
		len--;
	while (len > width && len != before) {
		before = len;
		len = squeeze(line, len, len - width);
	}
	if (len <= width || width < 8)
		return len;
	front = (width - 2) * 3 / 5;
	rest = width - 2 - front;
	memset(line + front, '.', 2);
	memmove(line + front + 2, line + len - rest, rest);
	return width;
}

char *term_fit_lines(char *text, char **end, u32 width)
{
	char *from = text, *to = text, *eol;
	u32 len;

	for (; (eol = memchr(from, '\n', *end - from)); from = eol + 1) {
		len = fit_line(from, eol - from, width);
		memmove(to, from, len);
		to += len;
		*to++ = '\n';
	}
	memmove(to, from, *end - from);
	*end = to + (*end - from);
	return to;
}

void term_words(struct out *o, const char *text, u32 indent)
{
	u32 column = indent, len;

	for (; *text; text += len) {
		len = *text == ' ' ? 1 : strcspn(text, " ");
		if (term_fits(o) && *text == ' ' &&
		    column + 1 + strcspn(text + 1, " ") > o->width) {
			out_newline(o);
			out_fill(o, ' ', indent);
			column = indent;
			continue;
		}
		out_bytes(o, text, len);
		column += len;
	}
}

/* Wrap the lines of the buffer, and empty it. */
static void wrap_lines(struct out *o)
{
	char *line, *eol;

	for (line = o->buf; line < o->at; line = eol + 1) {
		eol = memchr(line, '\n', o->at - line);
		if (!eol) {
			out_bytes(o->who, line, o->at - line);
			break;
		}
		*eol = 0;
		term_words(o->who, line, 4);
		out_newline(o->who);
	}
}

void term_wrap(struct out *o, struct out *to, char *buf, size_t size)
{
	*o = (struct out){ .at = buf, .buf = buf, .end = buf + size, .fd = -1, .drop = true,
			   .gate = wrap_lines, .who = to };
}

/* The last position from which the rest moves to the next line: before a comment, or brackets;
 * else before a column. */
static char *break_before(char *start, char *end)
{
	char *p;

	for (p = end; p > start; p--)
		if (*p == ' ' && (p[1] == '#' || p[1] == '('))
			break;
	for (p = p > start ? p : end; p > start; p--)
		if (*p == ' ' && (p[1] == ' ' || p[1] == '#' || p[1] == '('))
			break;
	while (p > start && p[-1] == ' ')
		p--;
	return p;
}

void term_break(struct out *o, char *start)
{
	char *p, *rest, *to;
	u32 len;

	while (o->at > start && o->at[-1] == ' ')
		o->at--;
	if (!term_fits(o) || o->at - start <= o->width)
		return;
	p = break_before(start, start + o->width - 1);
	for (rest = p; *rest == ' ' && rest < o->at; rest++)
		;
	len = o->at - rest;
	if (p == start || len > o->width || o->end - o->at < o->width)
		return;
	to = p + 1 + o->width - len;
	memmove(to, rest, len);
	memset(p + 1, ' ', to - p - 1);
	*p = '\n';
	o->at = to + len;
}
