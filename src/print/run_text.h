/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cached texts of a run's lines, at run->kept.
 */
#ifndef RUN_TEXT_H
#define RUN_TEXT_H

#include "sample_line.h"

enum { BY_SAMPLE, BRANCHES, INSNS, CALLS };	/* by_run */

/* The second text of a line, after thread, CPU and time; 'len' 0: it cannot be cached. In a list
 * of calls it has a front, which is printed before the indent, and a name. Those of a run are an
 * array, and the texts follow the array: 'at' is an offset from its start. */
struct rest { u32 at; u16 len, front, name; };

/* run->kept of a run with texts that cannot all be cached. */
extern struct rest run_text_never;

/* Render the texts of 'run'. False if they cannot be cached. */
bool run_text_make(struct sample_printer *pr, const struct thread *t, struct run *run);

static inline const char *run_text(const struct rest *rests, u32 i)
{
	return (const char *)rests + rests[i].at;
}

#endif
