/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events of samples that pt makes from the trace. perf.data has no attributes for them.
 */
#ifndef PT_MADE_H
#define PT_MADE_H

#include <pt/samples.h>

/* Can this trace give samples of this kind (enum sample_kind), as far as is known? */
bool made_is(const struct session *s, const struct itrace *itrace, u32 kind);

/* The attributes and the name that perf gives their event. */
struct perf_attr made_attr(const struct session *s, u32 kind);
const char *made_name(struct session *s, u32 kind);

/* What the sample counts in a profile. perf weighs it by the instructions since the last one. A
 * recording in software has precise times, but no cycles: there a sample is weighed by its time, so
 * that slow instructions count more than fast ones. */
u64 made_weight(const struct session *s, const struct sample *made);

#endif
