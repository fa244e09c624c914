/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples as short lines, for a terminal: the time since the start, the thread if there are
 * several, the indent of a call, names. A file's name is there only where it changes.
 */
#ifndef PT_PRINT_SHORT_H
#define PT_PRINT_SHORT_H

#include <pt/print_sample.h>

/* From now on lines of samples and gaps are such, for this many columns. Times count from
 * 'start' (ns), or from the first that is printed if that is 0. */
void print_short_start(struct sample_printer *p, u32 width, u64 start);

/* Samples that have no short line: those that only say how the trace was made. */
static inline bool print_short_omits(const struct sample_printer *p, const struct sample *s)
{
	return p->brief && (s->kind == SAMPLE_PSB || s->kind == SAMPLE_CBR);
}

#endif
