/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The system call, and why it says no.
 */
#ifndef PT_COUNTER_H
#define PT_COUNTER_H

#include <pt/event_spec.h>

/* perf_event_open(): a descriptor (close-on-exec), or -errno. 'group' is the
 * leader's descriptor or -1; tid -1: everything on 'cpu'; cpu -1: on any. */
int counter_open(const struct perf_attr *attr, i32 tid, i32 cpu, int group);

/* The same for an event of a list ('tid' is the descriptor of its cgroup's
 * folder if it has one), and for what is not asked for by name but set by default: where the PMU
 * takes no exclude_guest, or the caller may not see the kernel, 'attr' gives
 * those up and is opened without; the name then ends in ':u', as perf shows it. */
int counter_open_fitting(struct event_spec *spec, struct arena *arena, i32 tid, i32 cpu, int group);

/* ioctl()s on a descriptor; 0 or -errno. */
int counter_enable(int fd, bool group);
int counter_disable(int fd, bool group);
int counter_filter(int fd, const char *filter);
int counter_id(int fd, u64 *id);

/* Take the soft limit of descriptors up to the hard one; returns what there is. */
u64 counter_raise_limit(void);

/* Why 'spec' could not be opened (on whole CPUs or on tasks), in a line for a
 * person: the reason and what to do. */
void counter_why(char *to, size_t size, const struct event_spec *spec, int err, bool on_cpus,
		 struct event_env *env);

/* Does something other than perf_event_paranoid (a seccomp filter, as containers have it) refuse
 * perf_event_open(), even for the caller's own user space? */
bool counter_filtered(void);

/* /proc/sys/kernel/perf_event_paranoid, or 2 if it cannot be read. */
int counter_paranoid(void);

#endif
