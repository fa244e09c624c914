/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines that are shortened to fit a terminal.
 *
 * On a terminal of 80 columns a line of 81 takes two rows, and a serial line needs as long for
 * blanks as for letters.
 */
#include <pt/fit.h>

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

char *fit_lines(char *text, char **end, u32 width)
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
