/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to a profile: the share of each command, file, function, ..., and its callers. Memory
 * grows with the number of distinct entries and call chains.
 */
#ifndef PT_HIST_H
#define PT_HIST_H

#include <pt/hash.h>
#include <pt/process.h>

/* A place in code. 'map' and 'sym' are NULL if not known. 'line': of the source, where chains have
 * it; equal lines have equal pointers. */
struct frame {
	const struct map *map;
	const struct symbol *sym;
	u64 ip;
	const char *line;
};

/* Of a frame that is an end of a branch (--branch-history). */
struct frame_branch {
	bool branch;		/* it is not a caller */
	u64 flags;		/* of struct perf_branch_entry */
	u64 from;		/* a target: its source. 0: the frame itself is a source */
	u64 cycles;		/* a source: those of repetitions after it that are left out ... */
	u32 loops;		/* ... and their number */
};

/* How many branches there are of each type, by the flags of struct perf_branch_entry. */
enum { BRANCH_TYPE = 15 << 20 };
struct branch_types {
	u64 n, types[16], new_types[16];
	u64 forward, backward, cross_page, cross_2m;
};

/* Count a branch, if it has a type. */
void branch_types_add(struct branch_types *t, u64 from, u64 to, u64 flags);

/* The sum of these in all chains with the frame. */
struct chain_counts {
	bool target;
	u64 n, predicted, aborted, cycles, loops, loop_cycles;
	u64 n_again;		/* sources but the first */
	struct branch_types *types;	/* of targets; NULL: none has one */
};

/* The columns of an entry: its keys, then its numbers. */
enum hist_column {
	HIST_PID, HIST_COMM, HIST_DSO, HIST_SYMBOL, HIST_CPU, HIST_TRACE, HIST_IPC, HIST_OVERHEAD,
	HIST_SYS, HIST_USER, HIST_CHILDREN, HIST_SAMPLES, HIST_PERIOD,
	HIST_GUEST_SYS, HIST_GUEST_USER,
	HIST_KEY,	/* the first of <pt/hist_keys.h> */
	/* The first of the fields of tracepoints. */
	HIST_FIELD = HIST_KEY + 32, HIST_FIELDS = 128,
	N_HIST_COLUMNS = HIST_FIELD + HIST_FIELDS
};

/* What a sample has in the column of a further key. It is compared first by its DSO, which may be
 * NULL, in descending order, then by its number, then by its text. 'shown' is not compared: it is
 * printed instead of the others if it is not NULL. */
struct hist_value { i64 number; const char *text, *dso, *shown; };
/* The number of an address that is in no known function is this plus its lower 48 bits. */
#define HIST_UNKNOWN (INT64_MAX - (1LL << 48) + 1)

struct hist_style;
struct hist_sample;

/* A node of a tree of call chains: all chains that begin with the frames up to this one. */
struct hist_chain {
	struct hashed in;
	struct hist_chain *up, *first, *next;	/* after hist_sort() in printing order */
	struct hist_chain *last;	/* the child that was used last */
	struct frame frame;
	u64 hits, below;	/* periods of chains that end here, and of those that continue */
	u32 n_hits, n_below;
	u32 n_children;		/* before hist_sort() removed small ones */
	struct chain_counts *counts;	/* of branches; NULL: it is no branch */
};

struct hist_entry {
	struct hashed in;
	const struct thread *thread;
	const char *comm;
	struct frame at;
	const char *trace;	/* the data of its tracepoint as text, or NULL */
	const struct hist_value *values;	/* style->n_keys of them */
	i32 cpu;
	bool kernel;
	u64 n, period, sys;	/* samples in it */
	u64 children;		/* period of the samples in it or in functions that it called */
	u64 seen;		/* the last sample that was counted */
	u32 depth;		/* of its longest call chain */
	struct hist_entry **group;	/* the same entry in each hist of the group; NULL if a
				 * hist has none */
	struct hist_chain chain;	/* the root */
};

/* How call chains are ordered and which are left out. */
enum chain_key { CHAIN_BY_FUNCTION, CHAIN_BY_ADDRESS, CHAIN_BY_LINE };	/* equal frames */
enum chain_mode { CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };

struct hist_style {
	bool children;		/* callers include the share of functions that they called */
	bool chains;		/* keep call chains */
	bool caller;		/* chains begin at the outermost caller */
	u8 mode;		/* enum chain_mode */
	u8 key;			/* enum chain_key */
	u8 n_sorts, n_keys;
	u32 event;		/* of a group: its shares sort the entries */
	double least;		/* share of a chain that is shown, in percent */
	/* Gets the values of the further keys for the sample and a frame of it, which is s->at or
	 * in its chain. Texts are valid until the next call. */
	void (*values)(void *who, const struct hist_style *style, const struct hist_sample *s,
		       const struct frame *at, struct hist_value *to);
	void *who;
	u8 sorts[N_HIST_COLUMNS];	/* enum hist_column: the order of entries */
	u8 keys[N_HIST_COLUMNS];	/* the further keys among the columns */
	bool hidden[N_HIST_COLUMNS];	/* the same in all entries */
};

/* The profile of one event. The caller sets 'arena' and 'style'; all else starts as zero. */
struct hist {
	struct arena *arena;
	const struct hist_style *style;
	struct hash_table entries, chains;
	struct hist_recent *recent;
	u64 n_samples, period;		/* including samples that are left out */
	struct hist **group;	/* itself and those printed beside it; NULL: no others */
	u32 n_group;
	bool leads;		/* its event leads a group, which may be not shown as one */
	struct hist_entry **sorted;	/* entries.n of them, after hist_sort() */
	struct hist_chain **flat;		/* the result of the last hist_flat() */
};

/* A sample. 'chain' has its 'n' frames, the innermost (the sample itself) first; 0: none. */
struct hist_sample {
	const struct thread *thread;
	i32 cpu;
	bool kernel;
	u64 period;
	struct frame at;	/* 'ip' is an address in the file if there is a map */
	const char *trace;	/* NULL unless HIST_TRACE is a key */
	struct frame *chain;	/* addresses in memory; hist_add() may reverse the order */
	u32 n;
	const struct frame_branch *branches;	/* of each frame. The chain then is in its order.
					 * NULL: there are none */
};

/* Count a sample and return its entry. If it is not 'wanted' it counts only in the totals, and the
 * result is NULL. */
struct hist_entry *hist_add(struct hist *h, const struct hist_sample *s, bool wanted);

/* Count another sample, of period 1 and without a call chain, in an entry that hist_add() returned.
 * The caller updates the totals of the hist. */
static inline void hist_add_again(struct hist_entry *e, bool kernel)
{
	e->n++;
	e->period++;
	e->children++;
	e->sys += kernel;
}

/* Join 'n' hists. The entries of group[0] then are those of all. Call it before hist_sort(). */
void hist_join(struct hist **group, u32 n);

/* The number in column 'column' (enum hist_column) of hist 'k' of the group; 0 if it has none. */
u64 hist_number(const struct hist_entry *e, u32 k, u8 column);

/* After the last sample: sort the entries and their chains. */
void hist_sort(struct hist *h);

/* The keys of the levels of --hierarchy: those of level i are keys[first[i]] to keys[first[i + 1]],
 * the latter not included. */
struct hist_levels {
	u8 keys[N_HIST_COLUMNS];
	u8 first[N_HIST_COLUMNS + 1];
	u32 n;
};

/* For --hierarchy, after hist_sort(): a row for each value of the keys of the first level, below it
 * one for each value of those of the second level in it, and so on. Rows of the last level are
 * entries of the hist; the others are sums. Returns the number of rows. */
struct hist_row { struct hist_entry *entry; u32 depth; };
u32 hist_rows(struct hist *h, const struct hist_levels *levels, struct hist_row **rows);

/* Put the ends of an entry's chains into h->flat, the biggest first. Returns their number. */
u32 hist_flat(struct hist *h, struct hist_entry *e);

static inline int hist_compare_values(const struct hist_value *a, const struct hist_value *b)
{
	int less = a->dso && b->dso ? strcmp(b->dso, a->dso) : 0;

	if (less)
		return less;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->text && b->text ? strcmp(a->text, b->text) : 0;
}

static inline u64 chain_sum(const struct hist_chain *c)
{
	return c->hits + c->below;
}

#endif
