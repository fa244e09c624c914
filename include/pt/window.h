/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Select samples of a thread by its calls: between two functions, calls of one function, up to a
 * depth.
 */
#ifndef PT_WINDOW_H
#define PT_WINDOW_H

#include <pt/hash.h>
#include <pt/samples.h>

struct window {
	/* Set by the consumer; 0 or NULL: not used. */
	const char *from, *to;	/* from each start of 'from' to the next start of 'to' */
	const char *callee;	/* only calls of this function, and jumps to it */
	u32 depth;		/* only with fewer open calls than this */
	u64 skip_calls, skip_insns;	/* only what follows that number of them */
	/* Private. */
	struct hash_table threads;
	bool met_from, met_to, met_callee;	/* for the message at the end */
	u64 n_calls, n_insns;	/* met so far */
};

static inline bool window_any(const struct window *w)
{
	return w->from || w->to || w->callee || w->depth || w->skip_calls || w->skip_insns;
}

/* Is 's', the next sample, selected? Call it for all samples, in order. With w->callee that is all
 * branches; a jump that is a part of a call becomes that call. */
bool window_wants(struct window *w, struct session *session, struct sample *s);

/* Does 's', the next sample that all other options select, follow what is skipped? */
bool window_is_late(struct window *w, const struct sample *s);

/* The option whose function never started, and the function's name in '*symbol'; or NULL. */
const char *window_missed(const struct window *w, const char **symbol);

#endif
