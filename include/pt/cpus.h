/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of CPUs, and the place of each CPU in the machine.
 */
#ifndef PT_CPUS_H
#define PT_CPUS_H

#include <pt/base.h>

/* CPU numbers, ascending, each once. */
struct cpus {
	u32 n;
	i32 *cpu;
};

/* No machine has more; longer lists are refused. */
enum { CPUS_MAX = 8192 };

/* Read "0-3,8", the kernel's list format, also with blanks or a newline at its end. False if it is
 * wrong. An empty text is an empty list. */
bool cpus_parse(struct cpus *set, const char *text, struct arena *arena);

/* Read the list in the file 'path'. 0, -errno, or -EBADMSG. */
int cpus_read(struct cpus *set, const char *path, struct arena *arena);

/* The CPUs that are online, from 'sysfs' ("/sys"); only CPU 0 if that fails. */
void cpus_online(struct cpus *set, const char *sysfs, struct arena *arena);

/* The index of 'cpu' in 'set', or -1. */
int cpus_find(const struct cpus *set, i32 cpu);

/* The CPUs that are in both 'a' and 'b'. */
struct cpus cpus_common(const struct cpus *a, const struct cpus *b, struct arena *arena);

bool cpus_equal(const struct cpus *a, const struct cpus *b);

/* Write "0-3,8" to 'to'; returns its length, like snprintf(). */
int cpus_str(char *to, size_t size, const struct cpus *set);

/* The place of a CPU. Cores and dies are numbered within their socket. A number that sysfs lacks
 * is 0. */
struct cpu_place {
	i32 socket, die, core, node;
};
struct cpu_place cpus_place(i32 cpu, const char *sysfs);

/* The places of all CPUs of 'set', by CPU number. */
struct cpu_place *cpus_places(const struct cpus *set, const char *sysfs, struct arena *arena);

#endif
