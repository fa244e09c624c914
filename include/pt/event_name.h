/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names of events that are the same on every machine, and which name was
 * meant by one that is none.
 */
#ifndef PT_EVENT_NAME_H
#define PT_EVENT_NAME_H

#include <pt/event_pmu.h>

/* Type and config of "instructions", "cs", "L1-dcache-load-misses". */
bool event_name_find(const char *s, size_t len, u32 *type, u64 *config);

/* What pt knows itself: "duration_time"; 0 if it is none (enum event_tool). */
int event_name_tool(const char *s, size_t len);

/* The name perf shows for 'type' and 'config'; "type:config" if it has none. */
void event_name_of(char *to, size_t size, u32 type, u64 config);

/* All of them: false behind the last. */
struct event_name {
	u32 type;
	u64 config;
	char name[48];
	const char *alias;	/* its other name, or NULL */
};
bool event_name_nth(u32 i, struct event_name *e);

/* "did you mean a, b or c?", of the names this machine has that are nearest to
 * 's'; empty if none is near. */
void event_name_near(char *to, size_t size, struct event_env *env, const char *s, size_t len);

/* 's' matches a pattern with * ? [a-z] and \x. */
bool event_name_glob(const char *pattern, const char *s);

static inline bool event_name_is_pattern(const char *s)
{
	return strpbrk(s, "*?[");
}

#endif
