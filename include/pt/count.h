/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting: open counters for a list of events, read them, and add them up by rows.
 *
 * While the counted program runs, this code neither allocates nor calls the kernel. The kernel
 * enables all counters at exec, or one prctl() does.
 */
#ifndef PT_COUNT_H
#define PT_COUNT_H

#include <pt/counter.h>

/* One counter. 'enabled' and 'running' are the ns in which it was enabled, and in which it
 * counted. */
struct count {
	u64 value, enabled, running;
};

struct count_event {
	struct event_spec *spec;
	struct cpus cpus;	/* where it counts; for tasks one entry, -1 */
	u32 n_threads;
	int *fd;		/* [cpu][thread]; -1: not open */
	struct count *was;	/* the value at the last read */
	struct count *now;	/* the increase since then */
	u32 n_open;
	int cgroup;		/* descriptor of the cgroup's folder, if it has one; or -errno */
	int err;		/* -errno if none is open */
};

struct counting {
	/* given by the caller */
	struct event_env *env;
	struct event_list *events;
	bool on_cpus;		/* count on 'cpus'; else the tasks 'tids' */
	const struct cpus *cpus;
	const i32 *tids;
	u32 n_tids;
	bool on_exec;		/* start when the task calls exec */
	bool inherit;		/* count its children, too */
	struct arena *arena;

	struct count_event *at;	/* one for each event */
	u64 *group;		/* buffer for reading a group */
	u64 tool_ns[4];		/* by enum event_tool; set before count_read() */
};

/* Open all counters, disabled. Events that cannot be opened have 'err' set. Returns -errno only if
 * none can be opened because of rights, threads or descriptors; then '*which' is the event. May be
 * called again after count_close(). */
int count_open(struct counting *c, const struct event_spec **which);
void count_close(struct counting *c);

/* Enable or disable all counters at once. */
void count_enable(struct counting *c);
void count_disable(struct counting *c);

/* Read all counters. */
void count_read(struct counting *c);

/* Rows: how counters are added up. */
enum count_by { BY_NOTHING, BY_CPU, BY_CORE, BY_DIE, BY_SOCKET, BY_NODE, BY_THREAD };

struct count_row {
	i32 cpu;		/* BY_CPU, else the first CPU of the row */
	struct cpu_place place;
	i32 tid;		/* BY_THREAD */
	const char *comm;
};

struct count_rows {
	enum count_by by;
	u32 n;
	struct count_row *at;
	u32 *of_cpu;		/* by CPU number */
	struct cpu_place *place;
};

/* BY_THREAD: the counted threads, with their names. */
struct count_threads {
	u32 n;
	const i32 *tid;
	char (*comm)[16];
};

/* Make the rows. 'places', by CPU number, may be NULL for BY_NOTHING: all CPUs are then one
 * package. */
void count_rows_make(struct count_rows *rows, enum count_by by, const struct cpus *cpus,
		     const struct count_threads *threads, struct cpu_place *places,
		     struct arena *arena);

enum cell_state {
	CELL_EMPTY,		/* the event has no counter in this row */
	CELL_COUNTED,
	CELL_NOT_COUNTED,	/* it was opened, but never counted */
	CELL_NOT_SUPPORTED,
	CELL_MERGED,		/* it is part of another event's cell */
};

/* An event in a row. 'value' is the count, times enabled/running if the counters were multiplexed.
 * It is not yet multiplied by the event's scale. */
struct cell {
	double value;
	double raw;		/* the count without enabled/running */
	u64 enabled, running;
	u64 ran;		/* 'enabled' of the counters that ran at all */
	u32 n;			/* number of counters */
	enum cell_state state;
	double noise;		/* standard error of 'value' over several runs */
};

/* Fill cells[event * rows->n + row] from the last read. 'merge': add up the same event of several
 * PMUs. 'scale': see cell.value. */
void count_cells(struct cell *cells, const struct counting *c, const struct count_rows *rows,
		 bool merge, bool scale);

/* A mean and its error, by Welford's algorithm. */
struct mean {
	u32 n;
	double value, squares;
};
void mean_add(struct mean *m, double v);
double mean_error(const struct mean *m);	/* its standard error */

/* The cells of several runs or intervals, combined. */
struct count_sums {
	u32 n;			/* cells */
	struct mean *means;
	struct cell *all;
	u32 runs;
};
void count_sums_make(struct count_sums *sums, u32 n_cells, struct arena *arena);
void count_sums_reset(struct count_sums *sums);

/* Add the cells of a run; 'all' then has the means and their errors. */
void count_sums_run(struct count_sums *sums, const struct cell *cells);

/* Add the cells of an interval; 'all' then has the sums. */
void count_sums_interval(struct count_sums *sums, const struct cell *cells,
			 const struct counting *c);

#endif
