/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of source files.
 */
#ifndef PT_SOURCE_H
#define PT_SOURCE_H

#include <pt/image.h>

struct source_text;
struct sources { struct images *images; struct source_text *first; };

/* The text of a line, counted from 1, without its end; empty if it cannot be read. */
struct bytes source_line_text(struct sources *s, const char *path, u32 line);

#endif
