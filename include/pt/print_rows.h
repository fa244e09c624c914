/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples for programs: a JSON object, or a row of columns, on each line. The fields are those
 * of -F, by name: see pt script --help=rows.
 */
#ifndef PT_PRINT_ROWS_H
#define PT_PRINT_ROWS_H

#include <pt/listing.h>
#include <pt/print_sample.h>

struct row_printer {
	struct sample_printer *pr;	/* its 'out', its fields, and what names it keeps */
	bool tsv;
	/* Private. */
	u64 columns;		/* of any type of event */
	bool begun;
	bool first;		/* of a line */
};

/* Print the line of an ENTRY_SAMPLE, ENTRY_RECORDED or ENTRY_GAP. */
void print_row(struct row_printer *r, const struct entry *e);

#endif
