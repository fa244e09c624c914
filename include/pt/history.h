/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of a listing to the history of each thread: its last branches and its open calls.
 *
 *	history_setup(&history, &listing);	before listing_setup()
 *	while (listing_next(&listing, &e) > 0)
 *		history_add(&history, &e);
 *	t = history_of(&history, tid);
 */
#ifndef PT_HISTORY_H
#define PT_HISTORY_H

#include <pt/hash.h>
#include <pt/listing.h>

enum { HISTORY_BRANCHES = 2048 };	/* kept for each thread */

struct history_branch {
	u64 from, to;
	u32 flags;		/* FLAG_*; FLAG_BEGIN: 'from' is not known; FLAG_END: 'to' is not;
				 * 0: a gap at 'from', 'to' is its enum gap */
	u32 depth;		/* number of open calls: before a call, after a return */
};

/* A signal handler that is running. */
struct history_signal {
	u64 ip;			/* the interrupted address */
	u32 depth;		/* number of open calls there */
};

struct history_thread {
	struct hashed in;
	struct history_thread *next;	/* in the order of their first entries */
	struct thread *thread;
	struct calls *calls;
	struct history_branch *ring;	/* the last of 'n' is at (n - 1) % HISTORY_BRANCHES */
	u32 room;
	u64 n;
	struct history_signal *signals;	/* the outermost first */
	u32 n_signals, signals_room;
	u64 time;		/* of its last entry, ns */
	u64 end_ip;		/* where tracing ended; 0: it continues */
	bool by_interrupt;	/* the instruction at 'end_ip' was not executed */
	bool gap;		/* there was a gap since the oldest open call */
};

struct history {
	struct listing *list;
	struct history_thread *first, *newest;
	/* Private. */
	struct hash_table threads;
	struct history_thread *now;
};

/* Set the options of 'l' so that it returns only the entries that are needed. */
void history_setup(struct history *h, struct listing *l);

void history_add(struct history *h, const struct entry *e);

/* The thread that died: thread 'tid'; if that is 0, a thread of 'pid'; if both are 0, the thread
 * whose trace ended last by an interrupt, as at a fault. NULL if there is none. */
struct history_thread *history_of(const struct history *h, i32 pid, i32 tid);

/* Branch i of the thread; 0 is the last one. NULL if there are no more. */
const struct history_branch *history_branch(const struct history_thread *t, u32 i);

#endif
