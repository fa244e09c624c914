/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processor that this program runs on.
 */
#ifndef PT_HOST_H
#define PT_HOST_H

#include <pt/base.h>

enum { HOST_NAME = 64 };

/* "GenuineIntel,6,94,3": vendor, family, model, stepping. */
void host_cpuid(char to[HOST_NAME]);

/* "Intel(R) Core(TM) ...", or "". */
void host_cpu_name(char to[HOST_NAME]);

/* Has the processor Intel PT, according to CPUID? */
bool host_has_pt(void);

/* Does the processor have SSSE3? */
bool host_has_ssse3(void);

/* Does memory have protection keys, and may programs use RDPKRU and WRPKRU? */
bool host_has_keys(void);

/* The hypervisor: "KVMKVMKVM", "VMwareVMware", ...; "" if this is not a guest. */
void host_hypervisor(char to[HOST_NAME]);

/* The time-stamp counter. */
u64 host_tsc(void);

/* TSC ticks per tick of the always-running timer, as a fraction; 0/0 if CPUID does not have it. */
void host_tsc_ratio(u32 *n, u32 *d);

/* How this program stays out of a trace of whole CPUs: it runs on one CPU with the trace of that
 * CPU disabled, and it waits on any CPU with all traces enabled. */
enum { HOST_CPUS = 8192 };
struct host_hide {
	unsigned long any[HOST_CPUS / 8 / sizeof(long)], one[HOST_CPUS / 8 / sizeof(long)];
	int event[HOST_CPUS];	/* the trace event of each CPU, plus 1; 0: none */
	int off;		/* -1: all traces are disabled */
	u32 cpu;
};

/* Start to hide. The caller has set 'any' and 'event'. */
void host_hide(struct host_hide *h);

/* Make the system call 'nr', which may wait; hiding is suspended during the call (h NULL: no
 * hiding). There is no branch around the call, so the trace has almost nothing of this program.
 * Returns the result or -errno. */
long host_call(struct host_hide *h, long nr, long a, const void *b, long c, long d);

static inline bool host_is_own(const struct host_hide *h, int event)
{
	return h && h->event[h->cpu] == event + 1;
}

#endif
