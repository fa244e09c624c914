/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which samples of a thread are wanted by what it has called: between two functions, calls of one,
 * not deeper than so many calls.
 */
#ifndef PT_WINDOW_H
#define PT_WINDOW_H

#include <pt/hash.h>
#include <pt/samples.h>

struct window {
	/* Set by the consumer; 0 or NULL: not asked for. */
	const char *from, *to;	/* after each begin of this function, up to each begin of that */
	const char *callee;	/* only calls of it */
	u32 depth;		/* only with fewer open calls than this */
	/* Private. */
	struct hash_table threads;
	bool met_from, met_to, met_callee;	/* for what is said at the end */
};

static inline bool window_any(const struct window *w)
{
	return w->from || w->to || w->callee || w->depth;
}

/* Is 's', the next sample, wanted? All samples have to come, in their order. */
bool window_wants(struct window *w, struct session *session, const struct sample *s);

/* The option whose function never began, with its name in '*symbol'; or NULL. */
const char *window_missed(const struct window *w, const char **symbol);

#endif
