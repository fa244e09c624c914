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

/* The lines of 'n' whole runs with an ordinary branch at the end of each, of the thread, CPU and
 * halves of 'item'. Returns how many could be printed; the others need samples. */
u32 print_runs(struct sample_printer *p, const struct item *item, const struct passed *runs, u32 n);

#endif
