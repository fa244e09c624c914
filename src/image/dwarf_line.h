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

/* Sections; all but the first may be empty. */
struct dwarf_sections {
	struct bytes lines, strings, line_strings;	/* .debug_line, .debug_str, ... */
	struct bytes info, abbrev;	/* used if dwarf_line_is_old() */
};

/* Append the rows of .debug_line, as they come. What is damaged ends a unit; a sequence that has no
 * end is left out. */
void dwarf_line_read(struct line_rows *to, const struct dwarf_sections *from);

/* Is a unit of .debug_line older than version 5? The folder in which it was compiled is not there
 * then, but in .debug_info. */
bool dwarf_line_is_old(struct bytes lines);

#endif
