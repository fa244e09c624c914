/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Terminals: how wide and how fast they are, and texts that are wrapped to fit them.
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
