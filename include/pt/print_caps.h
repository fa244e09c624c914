/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the intel_pt PMU can do, in words.
 */
#ifndef PT_PRINT_CAPS_H
#define PT_PRINT_CAPS_H

#include <pt/event_pmu.h>
#include <pt/out.h>

/* A line for each capability that sysfs tells of: "yes" or "no", its name, and
 * what it is good for. Nothing if there is no such PMU. */
void print_caps(struct out *o, struct event_env *env);

/* The values a mask allows, "0,3,6,9", into 'to'. */
void print_caps_values(char *to, size_t size, u64 mask);

/* The terms of 'pmu' with what each takes, wrapped to 80 columns. */
void print_caps_terms(struct out *o, const struct event_pmu *pmu);

#endif
