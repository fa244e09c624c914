/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Select samples as further options of perf do: within a function (--graph-function), between
 * events (--switch-on, --switch-off), at addresses (numbers in -S, --addr-range).
 */
#ifndef PT_CHOICE_H
#define PT_CHOICE_H

#include <pt/hash.h>
#include <pt/samples.h>

struct choice {
	/* Set by the consumer; 0 or NULL: not used. */
	const char *functions;	/* branches into these functions, and what these call */
	const char *on, *off;	/* names of events: nothing before 'on', nothing after 'off' */
	bool show_switches;	/* these events are selected, too */
	u64 range;		/* how many bytes a number in -S selects; 0: one */
	/* Private. */
	struct hash_table threads;
	bool begun, discards;
	bool met_function, met_on;	/* for the message at the end */
};

static inline bool choice_any(const struct choice *c)
{
	return c->functions || c->on || c->off;
}

/* A sample that all other options select: 's' of the trace, or 'recorded'; the other one is NULL.
 * Is it selected? */
bool choice_wants(struct choice *c, struct session *session, const struct sample *s,
		  const struct perf_sample *recorded, struct thread *thread);

/* Is 'ip' one of the addresses in the list 'symbols' of -S? Numbers are hexadecimal. */
bool choice_has_address(const struct choice *c, const char *symbols, u64 ip);

/* The option whose event neither the file has nor 'itrace' makes, with its name in '*event'; or
 * NULL. */
const char *choice_missed(const struct choice *c, struct session *session,
			  const struct itrace *itrace, const char **event);

#endif
