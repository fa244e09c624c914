/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A recording with the PMU: choosing events (hw_events.c), opening them (hw_open.c), and reading
 * (record_hw.c).
 */
#ifndef HW_H
#define HW_H

#include <pt/event_spec.h>
#include <pt/perf_ring.h>

#include "record.h"

#define HW_PMU "intel_pt"

/* The role of an event in the recording. */
enum hw_role {
	HW_TRACE,		/* Intel PT: the first event, if there is one */
	HW_SAMPLED,		/* requested beside it, or alone */
	HW_SWITCHES,		/* the switches of all tasks on the traced CPUs */
	HW_TRACKING,		/* maps, names, forks */
};

struct hw_event {
	struct event_spec spec;	/* as requested, then as opened */
	u8 role;
	bool wide;		/* for all tasks, not only the traced ones */
	bool everywhere;	/* also on CPUs that are not traced */
	bool now;		/* counts from the start, not when it is enabled */
	int group;		/* index of the leader, or -1 */
	u32 members;		/* the number of events that it leads; they follow it */
	const char *filter;	/* in the kernel's format, or NULL */
	int cgroup;		/* descriptor of its folder, if spec.cgroup */
	int *fds;		/* [ring][thread]; -1: not open */
	struct perf_event out;	/* the event in the file */
};

/* The buffers of a CPU, or with --per-thread of a thread. */
struct hw_ring {
	i32 cpu;		/* or -1 */
	i32 tid;		/* or -1: all traced tasks */
	bool traced;		/* has Intel PT, not only side-band */
	bool mapped;
	struct perf_ring ring;
};

/* The limit of requested events; the side-band adds some. */
enum { HW_EVENTS = 60, HW_ADDED = 4, HW_ATTR_SIZE = 128 };

struct hw {
	struct record *r;
	struct arena *arena;
	struct event_env env;
	struct hw_event *events;
	u32 n_events;
	struct target_threads threads;	/* one, with tid -1, for whole CPUs */
	struct hw_ring *rings;
	u32 n_rings;
	struct target_child child;
	bool traces;		/* the first event is Intel PT */
	bool has_child, started;	/* there is a command; it runs */
	bool on_cpus;		/* whole CPUs are traced */
	bool per_thread;	/* a buffer for each thread */
	bool workload;		/* only the command */
	bool sees_kernel;	/* some event includes the kernel */
	bool enabled;
	int live;		/* traced instances whose task has not ended */
	struct host_hide *hide;	/* with whole CPUs: pt itself is not traced */
	u64 data_size, aux_size;
	u32 have_switches;	/* see perf_pt_info.have_sched_switch */
	char *filter;		/* the filter for the file's header */
	u64 missing;		/* flags that this kernel lacks */
	u64 read_format;
	struct perf_pt_info info;
	bool late;		/* the file is not the first one (--switch-output) */
	struct arena of_file;	/* of such a file */
};

/* hw_target.c: find the threads, prepare the child, and lay out the buffers. 0 or -errno. */
int hw_choose_target(struct hw *h);

/* Choose the sizes of the buffers, from -m or from what this user may lock. 0 or -errno. */
int hw_choose_sizes(struct hw *h);

/* Make them smaller. False if they cannot be smaller. */
bool hw_shrink(struct hw *h);

/* hw_events.c: fill 'events' from the command line: terms, defaults, groups. 0, or -errno after a
 * message; -ENODEV: the kernel has no perf events. */
int hw_choose_events(struct hw *h);

/* Add an event; set its period from -c, -F or its terms; set inheritance and its start; limit a
 * frequency to what the kernel allows. */
struct hw_event *hw_add(struct hw *h, const struct event_spec *spec, enum hw_role role);
void hw_set_period(struct hw *h, struct hw_event *e);
void hw_set_flags(struct hw *h, struct hw_event *e);
u64 hw_limit_freq(struct hw *h, u64 freq);

static inline bool hw_is_software(const struct perf_attr *attr, u64 config)
{
	return attr->type == EVENT_SOFTWARE && attr->config == config;
}

/* hw_samples.c: set up the events of a recording without Intel PT. 0, or -EINVAL after a
 * message. */
int hw_choose_sampled(struct hw *h, const struct event_list *list);

/* Apply the options of the command line to a sampled event. */
void hw_sample_more(struct hw *h, struct hw_event *e);

/* Check the terms of an event that are for its samples. 0, or -EINVAL after a message. */
int hw_check_terms(struct hw *h, const struct event_spec *spec);

/* The event has a term that needs a trace, and there is none: this was said. */
bool hw_sample_alone(struct hw *h, const struct event_spec *spec);

/* hw_config.c: set the terms of the trace event that were not given; check all terms. */
void hw_config_defaults(struct hw *h, struct event_spec *spec);
int hw_config_check(struct hw *h, struct event_spec *spec);	/* 0; -EINVAL after a message */

/* The bits of the config that a term sets; 0 if there is no such term. */
u64 hw_term_bits(struct hw *h, const char *name);

/* The approximate number of trace bytes between PSBs; 0 if not known. */
u64 hw_psb_bytes(struct hw *h, const struct event_spec *spec);

/* Fill in what a decoder needs, except the clock, which perf_ring_time() fills in. */
void hw_fill_info(struct hw *h);

/* record_hw.c: open the file, and write what comes before the first round. 0 or -errno. */
int hw_write_start(struct hw *h);

/* hw_more.c: give the requested events their cgroups; run with the priority of -r. 0, or -errno
 * after a message. */
int hw_set_cgroups(struct hw *h);
/* Apply --guest and --host to an event. */
void hw_set_machines(const struct record *r, struct event_spec *spec);
void hw_group(struct event_list *list);	/* --group: make all events one group */
void hw_write_cgroups(struct hw *h);	/* names of all cgroups, if an event has their ids */
int hw_set_priority(const struct record *r);
void hw_write_lost(struct hw *h);	/* at the end: how many samples were lost */

/* hw_files.c: close the file and begin the next one; give the file that was closed its time. 0, or
 * -errno after a message. */
int hw_next_file(struct hw *h);
int hw_name_file(struct record *r, struct arena *arena);

/* hw_open.c: open and map all events, without parts that this user may not have. 0 or -errno. */
int hw_open(struct hw *h);
void hw_close(struct hw *h);

/* Keep pt out of a trace of whole CPUs: run on CPUs that are not traced, if there are any. */
void hw_step_aside(struct hw *h);

/* Enable or disable the trace event, or all events. The tracking event stays enabled: decoding
 * needs files that are mapped meanwhile. */
void hw_switch_trace(struct hw *h, bool on);
void hw_switch_all(struct hw *h, bool on);

/* hw_print.c: print the attributes, for -vv. */
void hw_print_attr(struct record *r, const struct perf_attr *attr);

/* filter.c: translate a filter into the kernel's format. 0, or -EINVAL after a message. */
int filter_translate(struct record *r, const char *filter, bool on_tasks, char **to);

#endif
