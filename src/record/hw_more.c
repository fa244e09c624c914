/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events of cgroups, and a recorder with real-time priority.
 */
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/counter.h>

#include "hw.h"

static int set_cgroup(struct hw *h, struct hw_event *e, const char *name)
{
	if (!*name)
		return 0;
	e->spec.cgroup = name;
	e->cgroup = counter_cgroup(name);
	if (e->cgroup >= 0)
		return 0;
	record_say(h->r, 0, "-G: there is no cgroup '%s'", name);
	return e->cgroup;
}

/* One name is for all requested events; of several, each is for one event, and an empty one for
 * none. */
int hw_set_cgroups(struct hw *h)
{
	const char *at = h->r->cgroups;
	bool one = !strchr(at, ',');
	u32 i;
	int err = 0;

	if (!h->on_cpus) {
		record_say(h->r, 0, "-G is for whole CPUs: add -a or -C");
		return -EINVAL;
	}
	for (i = 0; i < h->n_events && at && !err; i++) {
		size_t len = strcspn(at, ",");

		if (h->events[i].role != HW_TRACE && h->events[i].role != HW_SAMPLED)
			continue;
		err = set_cgroup(h, &h->events[i], arena_strn(h->arena, at, len));
		if (!one)
			at = at[len] ? at + len + 1 : NULL;
	}
	return err;
}

int hw_set_priority(const struct record *r)
{
	struct sched_param param = { .sched_priority = r->priority };

	/* musl's function does nothing, because its threads could not follow. */
	if (!syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		return 0;
	record_say((struct record *)r, 0, "-r %u: %s", r->priority, strerror(errno));
	return -errno;
}
