/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The counting units that the kernel offers, as sysfs describes them.
 *
 * Each is a folder of /sys/bus/event_source/devices: its number ('type'), the
 * terms its events are built of ('format/'), ready-made events ('events/'), its
 * CPUs and its capabilities. A folder is read when it is asked for by name.
 */
#ifndef PT_EVENT_PMU_H
#define PT_EVENT_PMU_H

#include <pt/cpus.h>

/* A term: which bits of which config word it fills, lowest first. */
struct pmu_format {
	const char *name;
	u64 bits;
	u8 word;		/* 0: config, 1: config1, 2: config2, 3: config3 */
};

/* A ready-made event: terms with values. */
struct pmu_alias {
	const char *name;
	const char *terms;	/* "event=0x3c,umask=1" */
	const char *unit;	/* "" if it counts things */
	double scale;		/* what one count is worth */
	bool per_pkg;		/* every CPU of a package reads the same counter */
	bool snapshot;		/* a level, not a sum */
};

struct event_pmu {
	const char *name;
	u32 type;
	struct pmu_format *formats;
	struct pmu_alias *aliases;
	u32 n_formats, n_aliases;
	struct cpus cpus;	/* where it is to be opened; empty: on any CPU */
	bool uncore;		/* belongs to a package, not to a CPU */
	bool hybrid;		/* one of several CPU types */
	struct event_pmu *next;
};

/* Where to look. PMUs that were read are kept in 'arena'. */
struct event_env {
	const char *sysfs;	/* "/sys" */
	const char *tracefs;	/* the folder that has events/; NULL: looked for */
	struct arena *arena;
	struct event_pmu *pmus;	/* those read so far, in name order */
	bool all_read;
	signed char hybrid;	/* 0: not looked yet, 1: yes, -1: no */
};

/* The PMU of that name, or NULL. */
struct event_pmu *event_pmu_find(struct event_env *env, const char *name);

/* All of them, in name order: the first, or NULL; then ->next. */
struct event_pmu *event_pmu_all(struct event_env *env);

/* Where the machine has several CPU types: the PMU of the one with the lowest
 * number above 'type'. NULL behind the last, and where all CPUs are alike. */
struct event_pmu *event_pmu_next_type(struct event_env *env, u32 type);

/* True if 'pmu' has that ready-made event; asks only for the one file. */
bool event_pmu_has_event(struct event_env *env, const char *pmu, const char *event);

const struct pmu_format *event_pmu_format(const struct event_pmu *pmu, const char *name);
const struct pmu_alias *event_pmu_alias(const struct event_pmu *pmu, const char *name);

/* The first number in the file NAME below the PMU's folder ("caps/mtc_periods",
 * "max_nonturbo_ratio"), in 'base' 10 or 16. -errno, -EBADMSG. */
int event_pmu_value(struct event_env *env, const char *pmu, const char *name,
		    unsigned int base, u64 *v);

/* The text of such a file without its end of line; '*text' lives in the arena. */
int event_pmu_text(struct event_env *env, const char *pmu, const char *name, char **text);

/* Find tracefs below env->sysfs, into env->tracefs. 0; -EACCES if only root may read it; -ENOENT
 * if it is not mounted. */
int event_tracepoint_root(struct event_env *env);

/* 'value' laid into 'bits', and taken out of them again. */
u64 event_pmu_pack(u64 bits, u64 value);
u64 event_pmu_unpack(u64 bits, u64 word);

#endif
