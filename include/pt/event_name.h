/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names of events that exist on every machine, and suggestions for misspelt names.
 */
#ifndef PT_EVENT_NAME_H
#define PT_EVENT_NAME_H

#include <pt/event_pmu.h>

/* Type and config of "instructions", "cs", "L1-dcache-load-misses". */
bool event_name_find(const char *s, size_t len, u32 *type, u64 *config);

/* An event that pt measures itself, such as "duration_time" (enum event_tool); 0 if 's' is none. */
int event_name_tool(const char *s, size_t len);

/* The name that perf prints for 'type' and 'config'; "type:config" if it has none. */
void event_name_of(char *to, size_t size, u32 type, u64 config);

/* Event i of all; false after the last. */
struct event_name {
	u32 type;
	u64 config;
	char name[48];
	const char *alias;	/* its other name, or NULL */
};
bool event_name_nth(u32 i, struct event_name *e);

/* Write "did you mean a, b or c?" with the names on this machine that are nearest to 's'; empty if
 * none is near. */
void event_name_near(char *to, size_t size, struct event_env *env, const char *s, size_t len);

/* Does 's' match a pattern with * ? [a-z] and \x? */
bool event_name_glob(const char *pattern, const char *s);

static inline bool event_name_is_pattern(const char *s)
{
	return strpbrk(s, "*?[");
}

#endif
