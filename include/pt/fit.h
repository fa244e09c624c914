/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of text that fit a terminal.
 */
#ifndef PT_FIT_H
#define PT_FIT_H

#include <pt/base.h>

/* Remove trailing blanks from the lines of 'text', in place, and shorten lines of more than 'width'
 * columns in their middle. '*end' is the end of the text and is updated. An unfinished line stays
 * as it is; returns its start. */
char *fit_lines(char *text, char **end, u32 width);

#endif
