/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The PMUs of the kernel, from sysfs.
 *
 * Each is a folder of /sys/bus/event_source/devices, with its number ('type'), the terms of its
 * events ('format/'), ready-made events ('events/'), its CPUs and its capabilities. A folder is
 * read when a caller looks it up by name.
 */
#ifndef PT_EVENT_PMU_H
#define PT_EVENT_PMU_H

#include <pt/cpus.h>

/* A term: the bits of a config word that it sets, lowest first. */
struct pmu_format {
	const char *name;
	u64 bits;
	u8 word;		/* 0: config, 1: config1, 2: config2, 3: config3 */
};

/* A ready-made event: terms with values. */
struct pmu_alias {
	const char *name;
	const char *terms;	/* "event=0x3c,umask=1" */
	const char *unit;	/* "" for a plain number */
	double scale;		/* the value of one count, in units */
	bool per_pkg;		/* every CPU of a package reads the same counter */
	bool snapshot;		/* a level, not a sum */
};

struct event_pmu {
	const char *name;
	u32 type;
	struct pmu_format *formats;
	struct pmu_alias *aliases;
	u32 n_formats, n_aliases;
	struct cpus cpus;	/* the CPUs to open it on; empty: any CPU */
	bool uncore;		/* belongs to a package, not to a CPU */
	bool hybrid;		/* one of several CPU types */
	struct event_pmu *next;
};

/* The folders, and a cache of PMUs in 'arena'. */
struct event_env {
	const char *sysfs;	/* "/sys" */
	const char *tracefs;	/* the folder that has events/; NULL: not yet searched */
	struct arena *arena;
	struct event_pmu *pmus;	/* those read so far, sorted by name */
	bool all_read;
	signed char hybrid;	/* 0: not yet known, 1: yes, -1: no */
};

/* The PMU with this name, or NULL. */
struct event_pmu *event_pmu_find(struct event_env *env, const char *name);

/* All PMUs, sorted by name: the first, or NULL; then ->next. */
struct event_pmu *event_pmu_all(struct event_env *env);

/* On a machine with several CPU types: the PMU with the lowest number above 'type'. NULL after the
 * last, and if all CPUs are of one type. */
struct event_pmu *event_pmu_next_type(struct event_env *env, u32 type);

/* Has 'pmu' this ready-made event? Looks up only its file. */
bool event_pmu_has_event(struct event_env *env, const char *pmu, const char *event);

const struct pmu_format *event_pmu_format(const struct event_pmu *pmu, const char *name);
const struct pmu_alias *event_pmu_alias(const struct event_pmu *pmu, const char *name);

/* Read the first number in file 'name' of the PMU's folder ("caps/mtc_periods",
 * "max_nonturbo_ratio"), in 'base' 10 or 16. 0, -errno or -EBADMSG. */
int event_pmu_value(struct event_env *env, const char *pmu, const char *name,
		    unsigned int base, u64 *v);

/* Read such a file as text, without '\n' at its end; '*text' is in the arena. 0 or -errno. */
int event_pmu_text(struct event_env *env, const char *pmu, const char *name, char **text);

/* Find tracefs below env->sysfs, into env->tracefs. 0; -EACCES if only root may read it; -ENOENT
 * if it is not mounted. */
int event_tracepoint_root(struct event_env *env);

/* Spread 'value' over the bits of 'bits'; and the reverse. */
u64 event_pmu_pack(u64 bits, u64 value);
u64 event_pmu_unpack(u64 bits, u64 word);

#endif
