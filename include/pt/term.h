/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Terminals, which may be a serial line with 80 columns and 11 kB/s.
 */
#ifndef PT_TERM_H
#define PT_TERM_H

#include <pt/config/CONSOLE.h>
#include <pt/out.h>

enum {
	TERM_COLUMNS = 80,	/* of a terminal whose width is not known */
	TERM_ROWS = 24,		/* the same of its height */
	TERM_ANY = 0xffff,	/* out.width: remove trailing blanks only */
};

/* The number of columns of the terminal 'fd'. 0 if it is not a terminal. */
u32 term_columns(int fd);

/* The number of its rows; TERM_ROWS if it is not known. */
u32 term_rows(int fd);

/* The speed of the serial line at 'fd' in bits per second, or 0 if it is not a serial line. (The
 * speed that a pseudo-terminal reports has no meaning.) */
u32 term_baud(int fd);

/* If 'o' is a terminal, remove trailing blanks from its lines from now on, and shorten lines that
 * do not fit in their middle. */
void term_fit(struct out *o);

/* Remove trailing blanks only. */
void term_trim(struct out *o);

/* Write 'text', and wrap it if lines must fit. Further lines begin with 'indent' blanks; the first
 * line already has 'indent' columns. */
void term_words(struct out *o, const char *text, u32 indent);

/* Open 'o' so that it writes to 'to', with long lines continued on the next line. 'buf' is as for
 * out_open(). out_flush(o) writes all of it. */
void term_wrap(struct out *o, struct out *to, char *buf, size_t size);

/* Break the unfinished line that began at 'start' if it does not fit: the rest goes to the right
 * side of the next line. The break is at a blank before a blank, '#' or '('. */
void term_break(struct out *o, char *start);

/* Must lines fit a terminal? */
static inline bool term_fits(const struct out *o)
{
	return CONFIG_CONSOLE && o->width && o->width < TERM_ANY;
}

#endif
