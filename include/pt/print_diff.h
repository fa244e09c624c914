/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two commands compared: the ratio of their means, and whether it is noise.
 *
 * CSV: event, unit, mean of A, its error, mean of B, its error, B/A, its lower
 * and its upper bound, verdict. JSON: an object with the same on each line.
 */
#ifndef PT_PRINT_DIFF_H
#define PT_PRINT_DIFF_H

#include <pt/print_stat.h>

struct diff_line {
	const char *name, *unit;
	double scale;
	int decimals;
	struct mean a, b;
};

/* B/A of two means, with its 95 % confidence interval. */
struct diff_ratio {
	bool known;
	double ratio, low, high;
};
struct diff_ratio diff_ratio(const struct mean *a, const struct mean *b);

void print_diff_title(struct out *o, const struct stat_style *style, const char *a,
		      const char *b);

/* Print a line, or nothing if one of the commands has no counts of the event. */
void print_diff(struct out *o, const struct stat_style *style, const struct diff_line *line);

#endif
