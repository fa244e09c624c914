/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line number programs (DWARF 2 to 5, "Line Number Information"): which line of the source the
 * code at an address was made of.
 */
#ifndef DWARF_LINE_H
#define DWARF_LINE_H

#include <pt/base.h>

/* From 'addr' up to the next row. 'file' counts names, LINE_END: here a sequence of rows with
 * ascending addresses ends. 'line' 0: of no line. */
#define LINE_END (~0u)
struct line_row {
	u64 addr;
	u32 file, line;
};

/* Zero, but for the arenas, at the start. */
struct line_rows {
	struct arena *arena, *texts;	/* of rows and the table of names; of what is in that */
	struct line_row *rows;
	const char **names;	/* the paths of files, as far as they are known */
	u32 n, room, n_names, names_room;
};

/* Append the rows of the section .debug_line, as they come; 'strings' and 'line_strings' are
 * .debug_str and .debug_line_str, and may be empty. What is damaged ends a unit; a sequence that
 * has no end is left out. */
void dwarf_line_read(struct line_rows *to, struct bytes section, struct bytes strings,
		     struct bytes line_strings);

#endif
