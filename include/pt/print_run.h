/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps to the lines of their branches or instructions, without samples.
 *
 * If a line has only thread, CPU, time and place, the part after the time is the same in each
 * execution of a run. It is rendered once and cached with the run.
 */
#ifndef PT_PRINT_RUN_H
#define PT_PRINT_RUN_H

#include <pt/print_sample.h>

/* Decide from the columns and --itrace whether lines can be cached, and which: see p->by_run. */
void print_run_start(struct sample_printer *p, const struct itrace *itrace);

/* Print the lines of 'n' whole runs, each with an ordinary branch at its end. Thread, CPU and
 * halves are those of 'item'. Returns the number of runs that were printed; the others need
 * samples. */
u32 print_runs(struct sample_printer *p, const struct item *item, const struct passed *runs, u32 n);

#endif
