/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events in the user's notation to attributes of perf_event_open().
 *
 *	cycles  instructions:u  L1-dcache-load-misses  context-switches	by name
 *	cpu/event=0x3c,umask=1,name=x/  intel_pt/cyc,noretcomp/u  r1a8	by terms, raw
 *	sched:sched_switch  mem:0x601040/4:rw  {cycles,instructions}:u	and groups
 */
#ifndef PT_EVENT_SPEC_H
#define PT_EVENT_SPEC_H

#include <pt/event_pmu.h>
#include <pt/perf.h>

/* perf_attr.type */
enum {
	EVENT_HARDWARE, EVENT_SOFTWARE, EVENT_TRACEPOINT, EVENT_CACHE, EVENT_RAW, EVENT_BREAKPOINT,
};

/* perf_attr.config of EVENT_HARDWARE and EVENT_SOFTWARE */
enum {
	HW_CYCLES, HW_INSTRUCTIONS, HW_CACHE_REFERENCES, HW_CACHE_MISSES, HW_BRANCHES,
	HW_BRANCH_MISSES, HW_BUS_CYCLES, HW_STALLED_FRONTEND, HW_STALLED_BACKEND, HW_REF_CYCLES,
	HW_N,
};
enum {
	SW_CPU_CLOCK, SW_TASK_CLOCK, SW_PAGE_FAULTS, SW_CONTEXT_SWITCHES, SW_CPU_MIGRATIONS,
	SW_MINOR_FAULTS, SW_MAJOR_FAULTS, SW_ALIGNMENT_FAULTS, SW_EMULATION_FAULTS, SW_DUMMY,
	SW_BPF_OUTPUT, SW_CGROUP_SWITCHES, SW_N,
};

/* Values that pt measures itself, without a counter. */
enum event_tool { EVENT_COUNTED, EVENT_DURATION_TIME, EVENT_USER_TIME, EVENT_SYSTEM_TIME };

struct event_spec {
	/* type, config words, exclude_*, precise, pinned and exclusive as requested; size is set,
	 * and exclude_guest as in perf. The caller that opens the event sets period, sample and
	 * read formats, inherit and others. */
	struct perf_attr attr;
	const char *name;	/* as perf prints it */
	const char *pmu;	/* folder in sysfs; NULL: software, tracepoint, plain CPU event */
	const char *unit;	/* "" for a plain number */
	double scale;
	const struct cpus *cpus;	/* where it can be opened; NULL: anywhere */
	enum event_tool tool;
	u32 leader;		/* index of the first event of its group; its own if alone */
	u32 members;		/* of a first event: size of the group, itself included */
	bool per_pkg, snapshot;	/* as in struct pmu_alias */
	bool uncore, hybrid;	/* as in struct event_pmu */
	bool merge;		/* one of several PMUs with this event: print their sum */
	bool grouped;		/* its group has other events */
	bool weak;		/* W: open it without the group if the group does not fit */
	bool sample_read;	/* S: samples read the whole group */
	bool precise_max;	/* P: the highest precision that works */
	bool has_name;		/* the name was given by name= */
	bool guest_given;	/* G or H was given */
	/* Terms for a recorder; 'given' has a bit for each. */
	u64 config_given;	/* bits of config that terms have set; no defaults for these */
	u32 given;		/* EVENT_GIVEN_* */
	u64 period, freq;
	u32 aux_sample_size;
	u32 aux_action;		/* bits of perf_attr.aux_action */
	bool inherit, aux_output;
	bool no_time;
	u32 stack_size, max_stack;	/* 0: not given */
	const char *call_graph;	/* as --call-graph has it, "no", or NULL */
	const char *branches;	/* as -j has it, "no", or NULL */
	const char *filter;	/* --filter, or NULL */
	const char *cgroup;	/* -G, or NULL */
};

enum {
	EVENT_GIVEN_PERIOD = 1, EVENT_GIVEN_FREQ = 2, EVENT_GIVEN_INHERIT = 4,
	EVENT_GIVEN_AUX_OUTPUT = 8, EVENT_GIVEN_AUX_SAMPLE_SIZE = 16, EVENT_GIVEN_AUX_ACTION = 32,
	EVENT_GIVEN_TIME = 64,
};

/* A list in the arena of its event_env. A zeroed struct is an empty list. */
struct event_list {
	struct event_spec *at;
	u32 n, room;
};

/* Why a text is not an event, and where. */
struct event_error {
	int at;			/* offset in the text */
	char what[160];
	char hint[400];		/* similar names, or the valid values; "" if none */
};

/* Append the events of 'text' to 'list'. Returns 0, or -EINVAL; then '*err' is set and the list is
 * unchanged. */
int event_spec_parse(struct event_list *list, struct event_env *env, const char *text,
		     struct event_error *err);

/* Append a plain event as if it had been parsed. Only the CPU types of the machine are looked
 * up. */
void event_spec_add(struct event_list *list, struct event_env *env, u32 type, u64 config);


#endif
