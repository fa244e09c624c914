/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions, with the number of executions or samples beside each instruction.
 */
#ifndef PT_PRINT_ANNOTATE_H
#define PT_PRINT_ANNOTATE_H

#include <pt/source.h>
#include <pt/spots.h>

struct out;

struct annotate_page {
	struct out *out;
	struct images *images;
	struct sources sources;
	const char *event;	/* samples of this; NULL: executions */
	bool no_source;
	bool labels;		/* --stdio2: labels for addresses, and arrows */
	bool bytes;		/* of each instruction, before its text */
	bool periods;		/* sums of periods in place of numbers of samples */
	bool by_number;		/* shares are of numbers of samples, not of periods ... */
	bool of_all;		/* ... and of all functions, not of this one */
};

void print_annotate(struct annotate_page *page, const struct spots *s,
		    const struct spot_function *f);

#endif
