/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of a listing to what each thread did last: its last branches, and the calls that are
 * open.
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

enum { HISTORY_BRANCHES = 2048 };	/* so many of each thread are kept */

struct history_branch {
	u64 from, to;
	u32 flags;		/* FLAG_*; FLAG_BEGIN: 'from' is not known; FLAG_END: 'to' is not;
				 * 0: a gap at 'from', 'to' is its enum gap */
	u32 depth;		/* open calls: before a call, after a return */
};

/* A handler of a signal is being executed. */
struct history_signal {
	u64 ip;			/* what it interrupted */
	u32 depth;		/* open calls there */
};

struct history_thread {
	struct hashed in;
	struct history_thread *next;	/* in the order in which they were met first */
	struct thread *thread;
	struct calls *calls;
	struct history_branch *ring;	/* the last of 'n' is at (n - 1) % HISTORY_BRANCHES */
	u32 room;
	u64 n;
	struct history_signal *signals;	/* the outermost first */
	u32 n_signals, signals_room;
	u64 time;		/* of its last entry, ns */
	u64 end_ip;		/* where tracing ended; 0: it goes on */
	bool by_interrupt;	/* 'end_ip' is an instruction that was not done */
	bool gap;		/* there was one, since the oldest open call */
};

struct history {
	struct listing *list;
	struct history_thread *first, *newest;
	/* Private. */
	struct hash_table threads;
	struct history_thread *now;
};

/* Have 'l' give what this needs, and nothing else. */
void history_setup(struct history *h, struct listing *l);

void history_add(struct history *h, const struct entry *e);

/* The thread that died: of number 'tid'; of 'pid', if that is 0; if both are, the one whose trace
 * ended last by an interrupt, as that of a fault does. NULL: there is none. */
struct history_thread *history_of(const struct history *h, i32 pid, i32 tid);

/* The 'i'th of its branches, from the last one, which is 0. NULL: there are no more. */
const struct history_branch *history_branch(const struct history_thread *t, u32 i);

#endif
