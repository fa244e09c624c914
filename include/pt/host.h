/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processor this program runs on.
 */
#ifndef PT_HOST_H
#define PT_HOST_H

#include <pt/base.h>

enum { HOST_NAME = 64 };

/* "GenuineIntel,6,94,3": vendor, family, model, stepping. */
void host_cpuid(char to[HOST_NAME]);

/* "Intel(R) Core(TM) ...", or "". */
void host_cpu_name(char to[HOST_NAME]);

/* CPUID says that there is Intel PT. */
bool host_has_pt(void);

/* "KVMKVMKVM", "VMwareVMware", ...: what this is a guest of; "" if of nothing. */
void host_hypervisor(char to[HOST_NAME]);

/* The time-stamp counter. */
u64 host_tsc(void);

/* TSC ticks per tick of the always-running timer, as a fraction; 0/0 where the
 * processor does not say. */
void host_tsc_ratio(u32 *n, u32 *d);

/* System call 'nr', during which perf event 'event' is enabled (unless that is 0 or
 * less) and after which it is not. No branch of this program comes between, so
 * that a trace of all that runs has none of this one. -errno of the call. */
long host_call_shown(int event, long nr, long a, const void *b, long c, long d);

#endif
