/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * "sched:sched_*" to the tracepoints that it matches.
 *
 * Below the folder events/ of tracefs is a folder for each subsystem, in it one for each event,
 * and in that its number. They are listed in the order of the folder.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/event_name.h>
#include <pt/near.h>
#include <pt/mounts.h>
#include <pt/out.h>
#include <pt/textfile.h>

#include "event_parse.h"

int event_tracepoint_root(struct event_env *env)
{
	static const char *const places[] = { "%s/kernel/tracing", "%s/kernel/debug/tracing" };
	char path[256], events[300];
	size_t i;

	for (i = 0; !env->tracefs && i < N_ELEM(places); i++) {
		fmt_str(path, sizeof(path), places[i], env->sysfs);
		fmt_str(events, sizeof(events), "%s/events", path);
		if (!access(events, F_OK))
			env->tracefs = arena_str(env->arena, path);
		else if (errno == EACCES)
			return -EACCES;
	}
	return env->tracefs ? 0 : -ENOENT;
}

static int find_tracefs(struct parse *p, const char *at)
{
	const char *missing = mounts_missing("/sys/kernel/tracing");
	int err = event_tracepoint_root(p->env);

	if (!err)
		return 0;
	if (err == -EACCES)
		return event_wrong(p, at, "tracepoints: only root may read %s/kernel/tracing",
				   p->env->sysfs);
	return event_wrong(p, at, "tracepoints: %s", missing ? missing :
			   "tracefs is not mounted; mount -t tracefs tracefs /sys/kernel/tracing");
}

static int add_tracepoint(struct parse *p, const char *system, const char *event)
{
	struct event_spec spec = event_blank(EVENT_TRACEPOINT, 0);
	char path[512], name[160];
	int err;

	fmt_str(path, sizeof(path), "%s/events/%s/%s/id", p->env->tracefs, system, event);
	err = textfile_value(path, 10, &spec.attr.config);
	if (err)
		return err;
	fmt_str(name, sizeof(name), "%s:%s", system, event);
	spec.name = arena_str(p->env->arena, name);
	spec.attr.period = 1;
	event_append(p->list, p->env->arena, &spec);
	return 0;
}

/* Add the events of one subsystem that match. Returns how many, or -errno. */
static int add_events(struct parse *p, const char *system, const char *pattern)
{
	struct textfile_dir dir;
	char path[512];
	const char *name;
	int n = 0, err;

	if (!event_name_is_pattern(pattern)) {
		err = add_tracepoint(p, system, pattern);
		return err ? err : 1;
	}
	fmt_str(path, sizeof(path), "%s/events/%s", p->env->tracefs, system);
	err = textfile_dir_open(&dir, path);
	if (err)
		return err;
	while ((name = textfile_dir_next(&dir)))
		if (event_name_glob(pattern, name) && !add_tracepoint(p, system, name))
			n++;
	return n;
}

static int add_systems(struct parse *p, const char *pattern, const char *events)
{
	struct textfile_dir dir;
	char path[512];
	const char *name;
	int n = 0, more, err;

	if (!event_name_is_pattern(pattern))
		return add_events(p, pattern, events);
	fmt_str(path, sizeof(path), "%s/events", p->env->tracefs);
	err = textfile_dir_open(&dir, path);
	if (err)
		return err;
	while ((name = textfile_dir_next(&dir)))
		if (event_name_glob(pattern, name) && (more = add_events(p, name, events)) > 0)
			n += more;
	return n;
}

/* The nearest of the names in a folder. */
static void near_names(struct parse *p, const char *path, const char *s)
{
	struct near near = { .s = s, .len = strlen(s) };
	struct textfile_dir dir;
	const char *name;

	if (textfile_dir_open(&dir, path))
		return;
	while ((name = textfile_dir_next(&dir)))
		near_offer(&near, name);
	near_say(p->err->hint, sizeof(p->err->hint), &near);
}

static int no_tracepoint(struct parse *p, struct piece whole, const char *system, const char *event,
			 int err)
{
	char path[512];

	if (p->err->what[0])
		return -EINVAL;
	if (err == -EACCES || err == -EPERM)
		return event_wrong(p, whole.at, "tracepoint '%s:%s': only root may read %s", system,
				   event, p->env->tracefs);
	fmt_str(path, sizeof(path), "%s/events/%s", p->env->tracefs, system);
	if (event_name_is_pattern(system) || access(path, F_OK)) {
		fmt_str(path, sizeof(path), "%s/events", p->env->tracefs);
		near_names(p, path, system);
		return event_wrong(p, whole.at, "no tracepoints '%s:'", system);
	}
	near_names(p, path, event);
	return event_wrong(p, whole.at, "no tracepoint '%s:%s'", system, event);
}

int event_tracepoint_add(struct parse *p, struct piece whole, struct piece terms)
{
	struct piece system = piece_until(whole, ':'),
		     event = piece_until(piece_skip(whole, system.len + 1), ':');
	struct piece mods = piece_skip(whole, system.len + 1 + event.len);
	const char *s = piece_copy(p, system), *e = piece_copy(p, event);
	u32 from = p->list->n, i;
	int n, err;

	if (strchr(s, '/') || strchr(e, '/') || *s == '.' || *e == '.')
		return event_wrong(p, whole.at, "'%.*s' is not a tracepoint", (int)whole.len,
				   whole.at);
	err = find_tracefs(p, whole.at);
	if (err)
		return err;
	n = add_systems(p, s, e);
	if (n <= 0)
		return no_tracepoint(p, whole, s, e, n);
	for (i = from; i < p->list->n && !err; i++)
		err = event_terms_set(p, &p->list->at[i], NULL, terms);
	if (!err && mods.len)
		err = event_modify(p, from, piece_skip(mods, 1), false);
	return err;
}
