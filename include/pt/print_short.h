/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples as short lines, for a terminal: the time since the start, the thread if there are
 * several, the indent of a call, symbols. A file is printed only where it changes.
 */
#ifndef PT_PRINT_SHORT_H
#define PT_PRINT_SHORT_H

#include <pt/print_sample.h>

/* Print samples and gaps as short lines of 'width' columns from now on. Times count from 'start'
 * (ns), or from the first printed sample if it is 0. */
void print_short_start(struct sample_printer *p, u32 width, u64 start);

/* Does the sample have no short line? PSB and CBR are properties of the trace, not of the
 * program. */
static inline bool print_short_omits(const struct sample_printer *p, const struct sample *s)
{
	return p->brief && (s->kind == SAMPLE_PSB || s->kind == SAMPLE_CBR);
}

#endif
