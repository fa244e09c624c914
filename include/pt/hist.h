/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to a profile: how much of them has each command, file, function, ...,
 * and from where it was called. Memory grows with what is distinct in that.
 */
#ifndef PT_HIST_H
#define PT_HIST_H

#include <pt/hash.h>
#include <pt/process.h>

/* A place in code. 'map' and 'sym' are NULL where they are not known. */
struct frame {
	const struct map *map;
	const struct symbol *sym;
	u64 ip;
};

/* What an entry can be asked for: its keys, then its numbers. */
enum hist_column {
	HIST_PID, HIST_COMM, HIST_DSO, HIST_SYMBOL, HIST_CPU, HIST_TRACE, HIST_IPC, HIST_OVERHEAD,
	HIST_SYS, HIST_USER, HIST_CHILDREN, HIST_SAMPLES, HIST_PERIOD, N_HIST_COLUMNS
};

/* A tree of call chains: all that begin with the frames up to this one. */
struct hist_chain {
	struct hashed in;
	struct hist_chain *up, *first, *next;	/* after hist_sort() in order of what is printed */
	struct hist_chain *last;	/* child that was met last */
	struct frame frame;
	u64 hits, below;	/* periods of those that end here, and of those that go on */
	u32 n_hits, n_below;
	u32 n_children;		/* before hist_sort() took some away */
};

struct hist_entry {
	struct hashed in;
	const struct thread *thread;
	const char *comm;
	struct frame at;
	const char *trace;	/* what the data of its tracepoint say, or NULL */
	i32 cpu;
	bool kernel;
	u64 n, period, sys;	/* samples in it */
	u64 children;		/* period of those in it or in what it called */
	u64 seen;		/* the last sample that was counted */
	u32 depth;		/* of its longest call chain */
	struct hist_entry **group;	/* the same in each hist of the group; NULL in those that
				 * have none */
	struct hist_chain chain;	/* the root */
};

/* How call chains are ordered and which are left out. */
enum chain_mode { CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };

struct hist_style {
	u8 sorts[N_HIST_COLUMNS], n_sorts;	/* enum hist_column: the order of entries */
	bool children;		/* callers have their share of what they called */
	bool chains;		/* keep call chains */
	bool caller;		/* chains begin at the outermost caller */
	bool hidden[N_HIST_COLUMNS];	/* the same in all entries */
	u8 mode;		/* enum chain_mode */
	double least;		/* share of a chain that is shown, in percent */
};

/* The profile of one event. Zero at the start but for the first two. */
struct hist {
	struct arena *arena;
	const struct hist_style *style;
	struct hash_table entries, chains;
	struct hist_recent *recent;
	u64 n_samples, period;		/* those that are left out, too */
	struct hist **group;	/* it and those that are printed beside it; NULL: no others */
	u32 n_group;
	struct hist_entry **sorted;	/* entries.n of them, after hist_sort() */
	struct hist_chain **flat;		/* of the last hist_flat() */
};

/* A sample: 'chain' has its 'n' frames, the innermost (itself) first; 0: none. */
struct hist_sample {
	const struct thread *thread;
	i32 cpu;
	bool kernel;
	u64 period;
	struct frame at;	/* its 'ip' as the file counts, if there is a map */
	const char *trace;	/* NULL unless that is told apart */
	struct frame *chain;	/* as addresses in memory; may be turned round */
	u32 n;
};

/* Count a sample; if it is not 'wanted' only in the sums of all, and NULL is returned. */
struct hist_entry *hist_add(struct hist *h, const struct hist_sample *s, bool wanted);

/* Count another one, of period 1 and without a call chain, where one was counted before;
 * what the hist has of all is left to the caller. */
static inline void hist_add_again(struct hist_entry *e, bool kernel)
{
	e->n++;
	e->period++;
	e->children++;
	e->sys += kernel;
}

/* Put others beside 'group[0]', whose entries then are those of all. Before hist_sort(). */
void hist_join(struct hist **group, u32 n);

/* A number of what is counted in the 'k'th of the group: an enum hist_column; else 0. */
u64 hist_number(const struct hist_entry *e, u32 k, u8 column);

/* There are no more: order entries and their chains. */
void hist_sort(struct hist *h);

/* The ends of an entry's chains, the biggest first; returns how many. */
u32 hist_flat(struct hist *h, struct hist_entry *e);

static inline u64 chain_sum(const struct hist_chain *c)
{
	return c->hits + c->below;
}

#endif
