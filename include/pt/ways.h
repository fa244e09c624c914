/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of a listing to ways. A way is the sequence of branches of one thread, in a form that can
 * be compared with that of another recording: it does not depend on where files were mapped.
 *
 *	ways_setup(&ways, &listing);	before listing_setup()
 *	while (listing_next(&listing, &e) > 0)
 *		ways_add(&ways, &e);
 *
 * A way is kept as a sum of each WAYS_CHUNK branches. A second pass over the same file, with
 * 'thread' and 'from' set, keeps the branches themselves.
 */
#ifndef PT_WAYS_H
#define PT_WAYS_H

#include <pt/hash.h>
#include <pt/listing.h>

enum { WAYS_CHUNK = 1024, WAYS_BEFORE = 64 };

struct way_branch { u64 key, from, to; u32 flags; };

struct way {
	struct hashed in;
	struct way *next;	/* in the order of their first branches */
	struct thread *thread;
	u32 index;		/* in that order, from 0 */
	u64 n, sum;		/* branches, and a sum of all of them */
	u64 *sums;		/* after each chunk */
	u32 n_sums, room;
};

/* A function, and how often it was called. */
struct way_function {
	struct hashed in;
	struct way_function *next;
	const char *name, *dso;
	u64 calls;
};

struct ways {
	struct listing *list;
	const char *ignore;	/* DSOs and functions, a list; NULL: none */
	bool whole;		/* compare the runtime linker and the vDSO, too */
	u32 thread;		/* second pass: of this one ... */
	u64 from;		/* ... the branches from 'from' - WAYS_BEFORE on, ... */
	struct way_branch *kept;	/* ... WAYS_BEFORE + 2 * WAYS_CHUNK of them; or NULL */
	u64 first_kept;
	u32 n_kept;
	struct way *first, *newest;
	struct way_function *functions;
	/* Private. */
	struct hash_table threads, by_name, places;
	u32 n_threads;
	struct way *now;
};

void ways_setup(struct ways *w, struct listing *l);
void ways_add(struct ways *w, const struct entry *e);

/* The function of that name in that DSO, or NULL. */
struct way_function *ways_function(const struct ways *w, const char *name, const char *dso);

/* How many branches two ways have in common at least: whole chunks. */
u64 ways_common(const struct way *a, const struct way *b);

#endif
