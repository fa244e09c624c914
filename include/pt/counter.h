/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf_event_open(), and the reasons why it fails.
 */
#ifndef PT_COUNTER_H
#define PT_COUNTER_H

#include <pt/event_spec.h>

/* perf_event_open(). Returns a descriptor (close-on-exec), or -errno. 'group' is the descriptor of
 * the leader, or -1; tid -1: all tasks on 'cpu'; cpu -1: any CPU. */
int counter_open(const struct perf_attr *attr, i32 tid, i32 cpu, int group);

/* The same for an event of a list; if it has a cgroup, 'tid' is the descriptor of the cgroup's
 * folder. Defaults that the user did not request are dropped from 'attr' if necessary:
 * exclude_guest if the PMU does not support it; and the kernel if the user may not count it. The
 * name then ends in ':u', as in perf. */
int counter_open_fitting(struct event_spec *spec, struct arena *arena, i32 tid, i32 cpu, int group);

/* Open the folder of a cgroup, below the usual place of cgroups or by its path. A descriptor, or
 * -ENOENT. */
int counter_cgroup(const char *name);

/* ioctl()s on a descriptor; 0 or -errno. */
int counter_enable(int fd, bool group);
int counter_disable(int fd, bool group);
int counter_filter(int fd, const char *filter);
int counter_id(int fd, u64 *id);

/* Raise the soft limit of descriptors to the hard limit; returns the limit. */
u64 counter_raise_limit(void);

/* Write a line that says why 'spec' could not be opened (on whole CPUs or on tasks), and what to
 * do. */
void counter_why(char *to, size_t size, const struct event_spec *spec, int err, bool on_cpus,
		 struct event_env *env);

/* Is perf_event_open() refused even for the process's own user space, by something other than
 * perf_event_paranoid, such as the seccomp filter of a container? */
bool counter_filtered(void);

/* /proc/sys/kernel/perf_event_paranoid, or 2 if it cannot be read. */
int counter_paranoid(void);

#endif
