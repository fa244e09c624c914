/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps to the lines of their branches or instructions, without samples.
 *
 * Where a line says nothing but who, when and where, all behind the time is
 * the same each time a run comes by. It is rendered once and kept with the run.
 */
#ifndef PT_PRINT_RUN_H
#define PT_PRINT_RUN_H

#include <pt/print_sample.h>

/* Whether lines of such columns can be kept, and of what they are to be. */
void print_run_start(struct sample_printer *p, const struct itrace *itrace);

/* The lines of a step that is simple: see samples_simple(). False: it is not so simple after
 * all, or print_run_start() found the columns not to be; nothing was printed, make samples
 * of it. */
bool print_run(struct sample_printer *p, const struct item *item);

/* Those of an ITEM_PASSED, from the 'i'th on, up to one that is not that simple. Returns how
 * many that were. To be asked where 'by_run' is set. */
u32 print_passed(struct sample_printer *p, const struct item *passed, u32 i);

#endif
