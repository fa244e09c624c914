/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is kept of a run's lines, at run->kept.
 */
#ifndef RUN_TEXT_H
#define RUN_TEXT_H

#include "sample_line.h"

enum { BY_SAMPLE, BRANCHES, INSNS, CALLS };	/* by_run */

/* The rest of a line, behind what says who and when; 'len' 0: it cannot be kept. In a list
 * of calls it has a front that goes before the indent, and a name. Those of a run are an
 * array, with their texts behind it: 'at' counts from its begin. */
struct rest { u32 at; u16 len, front, name; };

/* Of a run of which not all can be kept. */
extern struct rest run_text_never;

/* Render it. False if it cannot be kept. */
bool run_text_make(struct sample_printer *pr, const struct thread *t, struct run *run);

static inline const char *run_text(const struct rest *rests, u32 i)
{
	return (const char *)rests + rests[i].at;
}

#endif
