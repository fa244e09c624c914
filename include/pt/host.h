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

/* How this program stays out of a trace of whole CPUs: it runs on one of them, whose
 * trace is off, and waits on any, with all traces on. */
enum { HOST_CPUS = 8192 };
struct host_hide {
	unsigned long any[HOST_CPUS / 8 / sizeof(long)], one[HOST_CPUS / 8 / sizeof(long)];
	int event[HOST_CPUS];	/* the trace event of each CPU, plus 1; 0: it has none */
	int off;		/* -1: no trace is to be on */
	u32 cpu;
};

/* Begin: 'any' and 'event' are set. */
void host_hide(struct host_hide *h);

/* System call 'nr', which may wait, with 'h' (NULL: nobody hides) given up for as
 * long. No branch comes between, so the trace has next to nothing of us. -errno. */
long host_call(struct host_hide *h, long nr, long a, const void *b, long c, long d);

static inline bool host_is_own(const struct host_hide *h, int event)
{
	return h && h->event[h->cpu] == event + 1;
}

#endif
