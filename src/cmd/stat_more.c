/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat: events of metrics, of cgroups, and of one CPU type.
 */
#include <string.h>

#include <pt/event_pmu.h>
#include <pt/fail.h>

#include "stat.h"

/* Metrics, and the events that give them: pt stat prints the ratio beside its event. The first are
 * the kernel's generic events (linux/perf_event.h, enum perf_hw_id and perf_hw_cache_id); which of
 * the processor's own events they are is in arch/x86/events of the kernel. */
static const struct metric { const char *name, *events; } metrics[] = {
	{ "ipc", "{instructions,cycles}" },
	{ "ghz", "cycles,task-clock" },
	{ "cpus", "task-clock" },
	{ "frontend", "{cycles,stalled-cycles-frontend}" },
	{ "backend", "{cycles,stalled-cycles-backend}" },
	{ "branch-misses", "{branches,branch-misses}" },
	{ "cache-misses", "{cache-references,cache-misses}" },
	{ "l1d", "{L1-dcache-loads,L1-dcache-load-misses}" },
	{ "l1i", "{L1-icache-loads,L1-icache-load-misses}" },
	{ "llc", "{LLC-loads,LLC-load-misses}" },
	{ "dtlb", "{dTLB-loads,dTLB-load-misses}" },
	{ "itlb", "{iTLB-loads,iTLB-load-misses}" },
	{ "faults", "faults,task-clock" },
	{ "switches", "cs,migrations,task-clock" },
};

/* Top-down analysis: events that the kernel describes where the processor has them: with a
 * register of metrics from Ice Lake on (SDM volume 3, "Performance Metrics"), and before that by
 * counters (A. Yasin, "A Top-Down Method for Performance Analysis and Counters Architecture",
 * ISPASS 2014). */
static const char *const topdown[] = {
	"{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}",
	"{topdown-total-slots,topdown-slots-retired,topdown-slots-issued,"
		"topdown-recovery-bubbles,topdown-fetch-bubbles}",
};

int stat_check_more(const struct stat *s)
{
	const struct wants *w = &s->wants;

	if (w->table && w->runs < 2)
		return fail(0, "--table needs -r: it has a line for each run");
	if (w->clear && (!w->interval || w->output || w->log_fd))
		return fail(0, "--interval-clear needs -I, and excludes -o and --log-fd");
	if (w->each_cgroup && s->style.cgroups)
		return fail(0, "-G and --for-each-cgroup exclude each other");
	return 0;
}

static int add(struct stat *s, const char *option, const char *events)
{
	struct event_error err;

	if (!event_spec_parse(&s->events, &s->env, events, &err))
		return 0;
	return fail(0, "%s: this machine has no %s: %s", option, events, err.what);
}

static int unknown(const char *name, size_t len)
{
	char all[200] = "";
	size_t i, n = 0;

	for (i = 0; i < N_ELEM(metrics); i++)
		n += fmt_str(all + n, sizeof(all) - n, "%s%s", i ? ", " : "", metrics[i].name);
	return fail(0, "-M %.*s: unknown metric; there are %s", (int)len, name, all);
}

int stat_add_metrics(struct stat *s, const char *list)
{
	size_t len, i;
	int err;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		for (i = 0; i < N_ELEM(metrics); i++)
			if (strlen(metrics[i].name) == len && !strncmp(metrics[i].name, list, len))
				break;
		if (i == N_ELEM(metrics))
			return unknown(list, len);
		err = add(s, "-M", metrics[i].events);
		if (err || !list[len])
			return err;
	}
}

int stat_add_topdown(struct stat *s)
{
	static const char *const pmus[] = { "cpu", "cpu_core" };
	size_t i;

	for (i = 0; i < N_ELEM(pmus); i++) {
		if (event_pmu_has_event(&s->env, pmus[i], "topdown-retiring"))
			return add(s, "--topdown", topdown[0]);
		if (event_pmu_has_event(&s->env, pmus[i], "topdown-total-slots"))
			return add(s, "--topdown", topdown[1]);
	}
	return fail(0, "--topdown: the kernel has no topdown events for this processor "
		       "(Intel from Sandy Bridge on has them)");
}

/* Leave out events of other CPU types. */
int stat_choose_type(struct stat *s)
{
	const char *type = s->wants.cputype;
	u32 *now = NEW(&s->arena, u32, s->events.n + 1), i, n = 0;
	bool any = false;

	for (i = 0; i < s->events.n; i++) {
		struct event_spec *spec = &s->events.at[i];
		bool is_type = spec->hybrid && !strcmp(spec->pmu + strlen("cpu_"), type);

		any |= is_type;
		if (spec->hybrid && !is_type)
			continue;
		now[i] = n;
		s->events.at[n] = *spec;
		s->events.at[n].leader = now[spec->leader];
		n++;
	}
	s->events.n = n;
	return any ? 0 : fail(0, "--cputype %s: there are no CPUs of this type", type);
}

/* All events for each cgroup, one cgroup after the other. */
int stat_for_each_cgroup(struct stat *s)
{
	const char *list = s->wants.each_cgroup, *at;
	struct event_spec *all;
	u32 n = s->events.n, cgroups = 1, i, k;

	for (at = list; *at; at++)
		cgroups += *at == ',';
	all = NEW(&s->arena, struct event_spec, n * cgroups + 1);
	for (k = 0, at = list; k < cgroups; k++, at += strcspn(at, ",") + 1) {
		const char *name = arena_strn(&s->arena, at, strcspn(at, ","));

		if (!*name)
			return fail(0, "--for-each-cgroup takes names with commas: a,b/c");
		for (i = 0; i < n; i++) {
			all[k * n + i] = s->events.at[i];
			all[k * n + i].cgroup = name;
			all[k * n + i].leader += k * n;
		}
	}
	s->events = (struct event_list){ all, n * cgroups, n * cgroups };
	s->style.cgroups = true;
	return 0;
}
