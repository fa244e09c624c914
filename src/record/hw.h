/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A recording by the PMU, in its parts: which events (hw_events.c), opened how
 * (hw_open.c), and read (record_hw.c).
 */
#ifndef HW_H
#define HW_H

#include <pt/event_spec.h>
#include <pt/perf_ring.h>

#include "record.h"

#define HW_PMU "intel_pt"

/* What an event of the recording is there for. */
enum hw_role {
	HW_TRACE,		/* Intel PT itself: the first, if it is there */
	HW_SAMPLED,		/* asked for beside it, or alone */
	HW_SWITCHES,		/* every task's switches on the traced CPUs */
	HW_TRACKING,		/* maps, names, forks */
};

struct hw_event {
	struct event_spec spec;	/* as asked, then as opened */
	u8 role;
	bool wide;		/* of all tasks, whoever is traced */
	bool everywhere;	/* on CPUs that are not traced, too */
	bool now;		/* counts from the start, not when it is enabled */
	int group;		/* place of the leader, or -1 */
	u32 members;		/* how many it leads: they follow it */
	const char *filter;	/* as the kernel wants it, or NULL */
	int *fds;		/* [ring][thread]; -1: not open */
	struct perf_event out;	/* as the file describes it */
};

/* A buffer: of a CPU, or with --per-thread of a thread. */
struct hw_ring {
	i32 cpu;		/* or -1 */
	i32 tid;		/* or -1: of whoever is traced */
	bool traced;		/* has Intel PT, not only side-band */
	bool mapped;
	struct perf_ring ring;
};

/* With Intel PT so many can be asked for; the side-band adds some to them. */
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
	bool has_child, started;	/* a command; it runs */
	bool on_cpus;		/* whole CPUs */
	bool per_thread;	/* a buffer for each thread */
	bool workload;		/* only the command */
	bool sees_kernel;	/* not every event leaves it out */
	bool enabled;
	int live;		/* traced instances whose task has not ended */
	struct host_hide *hide;	/* with whole CPUs: pt itself is not traced */
	u64 data_size, aux_size;
	u32 have_switches;	/* as perf_pt_info.have_sched_switch */
	char *filter;		/* what goes into the file's head */
	u64 missing;		/* flags that this kernel does not know */
	u64 read_format;
	struct perf_pt_info info;
};

/* hw_target.c: find the threads and lay out the buffers; the child is prepared. */
int hw_choose_target(struct hw *h);

/* How big the buffers are to be, by -m or by what this user may have. */
int hw_choose_sizes(struct hw *h);

/* Make them smaller, if that can be done. */
bool hw_shrink(struct hw *h);

/* hw_events.c: fill 'events' from the command line: terms, defaults, what
 * belongs together. -errno, said; -ENODEV: no perf events here. */
int hw_choose_events(struct hw *h);

/* An event more; its period, by -c, -F or its terms; what is inherited and when it begins; and
 * no more samples a second than the kernel takes. */
struct hw_event *hw_add(struct hw *h, const struct event_spec *spec, enum hw_role role);
void hw_set_period(struct hw *h, struct hw_event *e);
void hw_set_flags(struct hw *h, struct hw_event *e);
u64 hw_limit_freq(struct hw *h, u64 freq);

/* hw_samples.c: the events of a recording without Intel PT; 0 or -EINVAL, said. */
int hw_choose_sampled(struct hw *h, const struct event_list *list);

/* What the command line has every sampled event do. */
void hw_sample_more(struct hw *h, struct hw_event *e);

/* hw_config.c: the trace event's terms: set those that were not given; check. */
void hw_config_defaults(struct hw *h, struct event_spec *spec);
int hw_config_check(struct hw *h, struct event_spec *spec);	/* 0 or -EINVAL, said */

/* The bits of its config that a term fills, 0 if there is no such term. */
u64 hw_term_bits(struct hw *h, const char *name);

/* About how many bytes of trace lie between PSBs, 0 if that is not known. */
u64 hw_psb_bytes(struct hw *h, const struct event_spec *spec);

/* What a decoder has to know, but for the time, which perf_ring_time() knows. */
void hw_fill_info(struct hw *h);

/* hw_open.c: open and map all of it, doing without what this user may not. */
int hw_open(struct hw *h);
void hw_close(struct hw *h);

/* Stay out of a trace of whole CPUs, on those that are not traced if there are any. */
void hw_step_aside(struct hw *h);

/* The trace event, or all events, on or off. The tracking event is not switched off: what is
 * mapped meanwhile has to be known when the trace goes on. */
void hw_switch_trace(struct hw *h, bool on);
void hw_switch_all(struct hw *h, bool on);

/* hw_print.c: for -vv. */
void hw_print_attr(struct record *r, const struct perf_attr *attr);

/* filter.c: what the user said, as the kernel wants it. -EINVAL, said. */
int filter_translate(struct record *r, const char *filter, bool on_tasks, char **to);

#endif
