/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parts of the parser of events: pieces of the text, and the state of the parser. event_spec.c
 * calls event_terms.c and event_tracepoint.c, and all of them call event_parse.c.
 */
#ifndef PT_PERF_EVENT_PARSE_H
#define PT_PERF_EVENT_PARSE_H

#include <pt/event_spec.h>

/* The state of the parser: the list that grows, and where errors go. */
struct parse {
	struct event_list *list;
	struct event_env *env;
	const char *text;
	struct event_error *err;
};

/* A part of the text. */
struct piece {
	const char *at;
	size_t len;
};

static inline struct piece piece_skip(struct piece s, size_t n)
{
	return (struct piece){ s.at + n, s.len - n };
}

static inline struct piece piece_first(struct piece s, size_t n)
{
	return (struct piece){ s.at, n };
}

bool piece_is(struct piece s, const char *name);
bool piece_begins(struct piece s, const char *word);
struct piece piece_trim(struct piece s);

/* Up to the first 'c', or all of it. */
struct piece piece_until(struct piece s, char c);

bool piece_number(struct piece s, u64 *v);
bool piece_hex(struct piece s, u64 *v);
char *piece_copy(struct parse *p, struct piece s);

/* Report an error at 'at'; the first error is kept. Returns -EINVAL. */
int event_wrong(struct parse *p, const char *at, const char *fmt, ...) PRINTF(3, 4);

/* The properties of every event unless the text says otherwise: guests are not counted. */
struct event_spec event_blank(u32 type, u64 config);

void event_append(struct event_list *list, struct arena *arena, const struct event_spec *spec);

/* Apply "a=1,b" to 'spec'; 'pmu' is NULL for an event without a PMU. */
int event_terms_set(struct parse *p, struct event_spec *spec, const struct event_pmu *pmu,
		    struct piece terms);

/* "sched:sched_switch:u" */
int event_tracepoint_add(struct parse *p, struct piece whole, struct piece terms);

/* Apply modifiers to the events from 'from' on; those of a 'group' are added to the members'
 * own. */
int event_modify(struct parse *p, u32 from, struct piece mods, bool group);

#endif
