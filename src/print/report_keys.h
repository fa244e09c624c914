/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The columns of further sort keys: print_report_keys.c. A column is HIST_KEY or greater.
 */
#ifndef REPORT_KEYS_H
#define REPORT_KEYS_H

#include <pt/print_report.h>

/* The column whose name begins like that, of branches or not; N_HIST_COLUMNS: none. */
u8 report_key(const char *name, size_t len, bool branch);

const char *report_key_head(const struct report_style *style, u8 column);
bool report_key_right(u8 column);	/* aligned to the right */
bool report_key_plain(u8 column);	/* in the last column it is not padded */
int report_key_width(const struct report_style *style, u8 column);

/* What an entry has in it, perhaps in the 'size' bytes at 'to'. */
const char *report_key_text(const struct report_style *style, u8 column,
			    const struct hist_entry *e, char *to, size_t size);

/* "+0x12" in the text of an address, or NULL. */
const char *report_key_offset(u8 column, const char *text);

/* print_branch_counts.c: those of a frame, after its name; NULL: it is a caller. */
void report_counts(struct out *out, const struct chain_counts *c);

/* The width that this needs. */
int report_key_need(const struct report_style *style, u8 column, const struct hist_entry *e);

#endif
