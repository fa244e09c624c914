/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Terminals, which may be a serial line of 80 columns and 11 kB a second.
 */
#ifndef PT_TERM_H
#define PT_TERM_H

#include <pt/config/CONSOLE.h>
#include <pt/out.h>

enum {
	TERM_COLUMNS = 80,	/* of a terminal that does not know how wide it is */
	TERM_ANY = 0xffff,	/* as out.width: only blanks go */
};

/* How many columns the terminal 'fd' has. 0: it is no terminal. */
u32 term_columns(int fd);

/* The speed of the serial line at 'fd' in bits a second, or 0 if it is not a serial line: the
 * speed that a window or ssh terminal names means nothing. */
u32 term_baud(int fd);

/* If 'o' is a terminal, its lines lose their trailing blanks from now on, and what does not
 * fit into its width is taken out of their middle. */
void term_fit(struct out *o);

/* The same, but only blanks go. */
void term_trim(struct out *o);

/* Write 'text', and wrap it where lines have to fit: further lines begin with 'indent' blanks.
 * The first line already has 'indent' columns. */
void term_words(struct out *o, const char *text, u32 indent);

/* What is written to 'o' goes to 'to', and long lines go on below themselves. 'buf' is as for
 * out_open(). It is all there after out_flush(o). */
void term_wrap(struct out *o, struct out *to, char *buf, size_t size);

/* The line that began at 'start' and has not ended: what does not fit moves to the right of a
 * line below, from a blank on that is followed by another, '#' or '('. */
void term_break(struct out *o, char *start);

/* Whether they have to fit. */
static inline bool term_fits(const struct out *o)
{
	return CONFIG_CONSOLE && o->width && o->width < TERM_ANY;
}

/* Do so to the lines of 'text', in place. '*end' is its end; a line that has not ended stays
 * as it is. Returns where that begins. */
char *term_fit_lines(char *text, char **end, u32 width);

#endif
