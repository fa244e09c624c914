/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The capabilities of the intel_pt PMU as text.
 */
#ifndef PT_PRINT_CAPS_H
#define PT_PRINT_CAPS_H

#include <pt/event_pmu.h>
#include <pt/out.h>

/* Print a line for each capability in sysfs: "yes" or "no", its name, and its use. Prints nothing
 * if there is no such PMU. */
void print_caps(struct out *o, struct event_env *env);

/* Write the values that a mask allows, "0,3,6,9", to 'to'. */
void print_caps_values(char *to, size_t size, u64 mask);

/* Print the terms of 'pmu' and their values, wrapped to 80 columns. */
void print_caps_terms(struct out *o, const struct event_pmu *pmu);

#endif
