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

#endif
