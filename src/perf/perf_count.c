/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counters of a list of events: open, switch on and off, read.
 *
 * An event is a rectangle of counters, CPUs by threads. Only the first event
 * of a group is switched and read, the others go with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <pt/count.h>
#include <pt/out.h>

enum { FORMAT_TIMES = 3, FORMAT_GROUP = 8 };

static u32 n_counters(const struct count_event *e)
{
	return e->cpus.n * e->n_threads;
}

/* Where an event counts. */
static struct cpus places(struct counting *c, const struct event_spec *spec)
{
	static i32 any[1];

	any[0] = -1;
	if (!c->on_cpus || spec->tool)
		return (struct cpus){ 1, any };
	return spec->cpus ? cpus_common(c->cpus, spec->cpus, c->arena) : *c->cpus;
}

static void plan(struct counting *c, u32 i)
{
	struct count_event *e = &c->at[i];
	struct event_spec *spec = &c->events->at[i];
	const struct count_event *leader = &c->at[spec->leader];
	u32 n;

	e->spec = spec;
	e->cgroup = spec->cgroup ? counter_cgroup(spec->cgroup) : -1;
	e->cpus = places(c, spec);
	e->n_threads = c->on_cpus || spec->tool ? 1 : c->n_tids;
	if (spec->leader != i && (spec->tool || leader->spec->tool ||
				  !cpus_equal(&e->cpus, &leader->cpus))) {
		leader->spec->members--;
		spec->leader = i;
		spec->grouped = false;
	}
	n = MAX(n_counters(e), 1u);
	e->fd = NEW(c->arena, int, n);
	e->was = NEW(c->arena, struct count, n);
	e->now = NEW(c->arena, struct count, n);
}

static void plan_all(struct counting *c)
{
	u32 i, most = 1;

	c->at = NEW(c->arena, struct count_event, c->events->n);
	for (i = 0; i < c->events->n; i++)
		plan(c, i);
	for (i = 0; i < c->events->n; i++)
		most = MAX(most, c->events->at[i].members);
	c->group = NEW(c->arena, u64, 3 + most);
}

static void put_flag(struct perf_attr *attr, unsigned int bit, bool on)
{
	attr->flags = (attr->flags & ~(1ull << bit)) | (u64)on << bit;
}

static void prepare(struct counting *c, u32 i)
{
	struct event_spec *spec = c->at[i].spec;
	struct perf_attr *attr = &spec->attr;
	bool leads = spec->leader == i;

	attr->read_format = FORMAT_TIMES;
	if (c->at[spec->leader].spec->members > 1)
		attr->read_format |= FORMAT_GROUP;
	attr->period = 0;
	put_flag(attr, PERF_F_INHERIT, c->inherit && !c->on_cpus);
	put_flag(attr, PERF_F_DISABLED, leads);
	put_flag(attr, PERF_F_ENABLE_ON_EXEC, leads && c->on_exec);
}

static void close_event(struct count_event *e)
{
	u32 i;

	for (i = 0; i < n_counters(e); i++)
		if (e->fd[i] >= 0)
			close(e->fd[i]);
	memset(e->fd, -1, n_counters(e) * sizeof(*e->fd));
}

/* A CPU that was just unplugged, or a thread that just ended, is not an error of the event. */
static bool goes_on(const struct counting *c, int err)
{
	return c->on_cpus ? err == -ENODEV && c->cpus->n > 1 : err == -ESRCH;
}

static i32 whom(const struct counting *c, const struct count_event *e, u32 k)
{
	if (e->spec->cgroup)
		return e->cgroup;
	return c->on_cpus ? -1 : c->tids[k % e->n_threads];
}

static int open_event(struct counting *c, u32 i)
{
	struct count_event *e = &c->at[i];
	const struct count_event *leader = &c->at[e->spec->leader];
	u32 k, n = n_counters(e);
	int group;

	e->err = 0;
	e->n_open = 0;
	memset(e->fd, -1, n * sizeof(*e->fd));
	if (e->spec->tool)
		return 0;
	prepare(c, i);
	if (!n)
		e->err = -ENODEV;
	for (k = 0; k < n; k++) {
		group = leader == e ? -1 : leader->fd[k];
		if (leader != e && group < 0) {
			e->err = leader->err ? leader->err : -ENODEV;
			continue;
		}
		e->fd[k] = counter_open_fitting(e->spec, c->arena, whom(c, e, k),
						e->cpus.cpu[k / e->n_threads], group);
		if (e->fd[k] >= 0) {
			e->n_open++;
			continue;
		}
		e->err = e->fd[k];
		if (!goes_on(c, e->err))
			break;
	}
	if (e->err && !goes_on(c, e->err)) {
		close_event(e);
		e->n_open = 0;
	}
	if (e->n_open)
		e->err = 0;
	return e->err;
}

/* W: a group that does not fit counts as single events. */
static void split_group(struct counting *c, u32 first)
{
	u32 i;

	for (i = first; i < c->events->n; i++) {
		if (c->events->at[i].leader != first)
			continue;
		close_event(&c->at[i]);
		c->at[i].n_open = 0;
		c->events->at[i].leader = i;
		c->events->at[i].members = 1;
		c->events->at[i].grouped = false;
	}
	for (i = first; i < c->events->n; i++)
		if (c->at[i].spec && !c->at[i].n_open)
			open_event(c, i);
}

static int filter(const struct count_event *e)
{
	u32 i;
	int err = 0;

	for (i = 0; e->spec->filter && i < n_counters(e) && !err; i++)
		if (e->fd[i] >= 0)
			err = counter_filter(e->fd[i], e->spec->filter);
	return err;
}

static bool out_of_files(int err)
{
	return err == -EMFILE || err == -ENFILE || err == -ENOMEM;
}

static bool forbidden(int err)
{
	return err == -EACCES || err == -EPERM || err == -ESRCH || err == -ENOSYS;
}

/* Nothing at all could be opened: report it, if rights are missing. */
static int check(struct counting *c, const struct event_spec **which)
{
	int err = 0;
	u32 i;

	for (i = 0; i < c->events->n; i++) {
		if (c->at[i].n_open || c->at[i].spec->tool)
			return 0;
		if (!err && forbidden(c->at[i].err)) {
			*which = c->at[i].spec;
			err = c->at[i].err;
		}
	}
	return err;
}

int count_open(struct counting *c, const struct event_spec **which)
{
	u32 i;
	int err;

	if (!c->at)
		plan_all(c);
	for (i = 0; i < c->events->n; i++)
		c->at[i].n_open = 0;
	for (i = 0; i < c->events->n; i++) {
		*which = c->at[i].spec;
		memset(c->at[i].was, 0, n_counters(&c->at[i]) * sizeof(*c->at[i].was));
		if (c->at[i].n_open)
			continue;
		if (c->at[i].spec->cgroup && c->at[i].cgroup < 0)
			return c->at[i].cgroup;
		err = open_event(c, i);
		if (out_of_files(err))
			return err;
		if (err == -EINVAL && c->at[i].spec->weak && c->at[i].spec->leader != i)
			split_group(c, c->at[i].spec->leader);
		err = filter(&c->at[i]);
		if (err)
			return err;
	}
	return check(c, which);
}

void count_close(struct counting *c)
{
	u32 i;

	for (i = 0; i < c->events->n; i++)
		close_event(&c->at[i]);
}

void count_enable(struct counting *c)
{
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
}

void count_disable(struct counting *c)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
}

static void take(struct count_event *e, u32 k, struct count total)
{
	struct count *was = &e->was[k], *now = &e->now[k];

	now->value = e->spec->snapshot ? total.value : total.value - was->value;
	now->enabled = total.enabled - was->enabled;
	now->running = total.running - was->running;
	*was = total;
}

static u32 n_open_members(const struct counting *c, u32 first, u32 k)
{
	u32 i, n = 0;

	for (i = first; i < c->events->n; i++)
		n += c->at[i].spec->leader == first && k < n_counters(&c->at[i]) &&
		     c->at[i].fd[k] >= 0;
	return n;
}

static void take_nothing(struct count_event *e, u32 k)
{
	e->now[k] = (struct count){ 0 };
}

/* What a read of the counter returns: count, ns enabled, ns running, values. */
static u64 read_values(struct counting *c, const struct count_event *e, u32 k)
{
	size_t size = (3 + c->at[e->spec->leader].spec->members) * sizeof(u64);

	return e->fd[k] >= 0 && read(e->fd[k], c->group, size) > 3 * (ssize_t)sizeof(u64) ?
		c->group[0] : 0;
}

/* The values are in the order in which the members were opened. When a CPU is unplugged its
 * groups fall apart, and each member is read by itself. */
static void read_group(struct counting *c, u32 first, u32 k)
{
	u64 n = read_values(c, &c->at[first], k), *at = c->group + 3;
	bool whole = n == n_open_members(c, first, k);
	struct count_event *e;
	u32 i;

	for (i = first; i < c->events->n; i++) {
		e = &c->at[i];
		if (e->spec->leader != first || k >= n_counters(e))
			continue;
		if (!whole) {
			n = read_values(c, e, k);
			at = c->group + 3;
		}
		if (e->fd[k] < 0 || !n)
			take_nothing(e, k);
		else
			take(e, k, (struct count){ *at++, c->group[1], c->group[2] });
	}
}

static void read_one(struct count_event *e, u32 k)
{
	struct count total;

	if (e->fd[k] < 0 || read(e->fd[k], &total, sizeof(total)) != sizeof(total))
		take_nothing(e, k);
	else
		take(e, k, total);
}

static void read_tool(struct counting *c, struct count_event *e)
{
	u64 ns = c->tool_ns[e->spec->tool], all = c->tool_ns[EVENT_DURATION_TIME];

	take(e, 0, (struct count){ ns, ns ? ns : all, ns ? ns : all });
}

void count_read(struct counting *c)
{
	u32 i, k;

	for (i = 0; i < c->events->n; i++) {
		struct count_event *e = &c->at[i];

		if (e->spec->tool)
			read_tool(c, e);
		else if (e->spec->leader == i)
			for (k = 0; k < n_counters(e); k++)
				e->spec->members > 1 ? read_group(c, i, k) : read_one(e, k);
	}
}
