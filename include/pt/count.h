/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting: counters opened for a list of events, read, and added up by rows.
 *
 * While the counted program runs, nothing here allocates or calls the kernel:
 * the kernel switches all counters on at exec, or one prctl() does.
 */
#ifndef PT_COUNT_H
#define PT_COUNT_H

#include <pt/counter.h>

/* One counter. 'enabled' and 'running' are ns: it was to count, it did count. */
struct count {
	u64 value, enabled, running;
};

struct count_event {
	struct event_spec *spec;
	struct cpus cpus;	/* where it counts; one of -1 for tasks */
	u32 n_threads;
	int *fd;		/* [cpu][thread]; -1: not open */
	struct count *was;	/* what it stood at when last read */
	struct count *now;	/* what came since */
	u32 n_open;
	int cgroup;		/* the folder, if its spec has one; or -errno */
	int err;		/* why none is open: -errno */
};

struct counting {
	/* given by the caller */
	struct event_env *env;
	struct event_list *events;
	bool on_cpus;		/* count 'cpus'; else the tasks 'tids' */
	const struct cpus *cpus;
	const i32 *tids;
	u32 n_tids;
	bool on_exec;		/* the task is yet to exec: begin there */
	bool inherit;		/* count its children too */
	struct arena *arena;

	struct count_event *at;	/* as many as there are events */
	u64 *group;		/* what a group's read fills */
	u64 tool_ns[4];		/* by enum event_tool; set before count_read() */
};

/* Open all counters, switched off. Events that cannot be opened have 'err' set;
 * -errno only where none can be for lack of rights, threads or descriptors:
 * then '*which' is the event. May be called again after count_close(). */
int count_open(struct counting *c, const struct event_spec **which);
void count_close(struct counting *c);

/* All of them at once. */
void count_enable(struct counting *c);
void count_disable(struct counting *c);

/* Read everything. */
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

/* BY_THREAD: the threads that are counted, with their names. */
struct count_threads {
	u32 n;
	const i32 *tid;
	char (*comm)[16];
};

/* 'sysfs' may be NULL for BY_NOTHING: packages are not told apart then. */
void count_rows_make(struct count_rows *rows, enum count_by by, const struct cpus *cpus,
		     const struct count_threads *threads, const char *sysfs,
		     struct arena *arena);

enum cell_state {
	CELL_EMPTY,		/* the event has no counter in this row */
	CELL_COUNTED,
	CELL_NOT_COUNTED,	/* it could, but never ran */
	CELL_NOT_SUPPORTED,
	CELL_MERGED,		/* it is part of another event's cell */
};

/* An event in a row. 'value' is what the counters say, times enabled/running
 * where they had to take turns; not yet times the event's scale. */
struct cell {
	double value;
	double raw;		/* without enabled/running */
	u64 enabled, running;
	u64 ran;		/* 'enabled' of those counters that ran at all */
	u32 n;			/* counters in it */
	enum cell_state state;
	double noise;		/* standard error of 'value' over several runs */
};

/* Fill cells[event * rows->n + row] from what was last read. 'merge': the same
 * event of several PMUs makes one. 'scale': see cell.value. */
void count_cells(struct cell *cells, const struct counting *c, const struct count_rows *rows,
		 bool merge, bool scale);

/* A mean and how sure it is, by Welford's way. */
struct mean {
	u32 n;
	double value, squares;
};
void mean_add(struct mean *m, double v);
double mean_error(const struct mean *m);	/* its standard error */

/* Several runs, or several intervals, made one. */
struct count_sums {
	u32 n;			/* cells */
	struct mean *means;
	struct cell *all;
	u32 runs;
};
void count_sums_make(struct count_sums *sums, u32 n_cells, struct arena *arena);
void count_sums_reset(struct count_sums *sums);

/* The cells of a run; afterwards 'all' has the means and their errors. */
void count_sums_run(struct count_sums *sums, const struct cell *cells);

/* The cells of an interval; 'all' has what it all came to. */
void count_sums_interval(struct count_sums *sums, const struct cell *cells,
			 const struct counting *c);

#endif
