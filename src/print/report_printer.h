/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table that is printed, shared by print_report.c and print_report_levels.c (--hierarchy).
 */
#ifndef REPORT_PRINTER_H
#define REPORT_PRINTER_H

#include <pt/print_report.h>

enum { REPORT_KEY_SIZE = 80, REPORT_INDENT = 3 };

/* --hierarchy: the sort keys of the levels, and the columns of numbers. */
struct report_levels {
	struct hist_levels of;
	u32 n_numbers;
	u8 numbers[N_HIST_COLUMNS];
};

struct printer {
	struct out *out;
	struct hist *h;
	const struct report_style *style;
	const struct report_levels *tree;	/* --hierarchy, or NULL */
	int width[N_HIST_COLUMNS];
	int asked[N_HIST_COLUMNS];	/* by --column-widths, for numbers; or 0 */
};

const char *report_head(const struct report_style *style, u8 column);

/* Print a column of an entry. Returns how wide it is. */
int report_put_column(struct printer *p, u8 column, const struct hist_entry *e);
void report_put_chains(struct printer *p, struct hist_entry *e);

/* Is its share below the limit of --percent-limit? */
bool report_is_small(const struct printer *p, const struct hist_entry *e);

/* Find the levels. False if the table has none. */
bool report_levels(struct printer *p, struct report_levels *l);
void report_levels_head(struct printer *p, const struct report_levels *l);
void report_levels_rows(struct printer *p, const struct report_levels *l);

#endif
