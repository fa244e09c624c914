/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ratios of counts: instructions per cycle, misses per access, rates.
 *
 * Both operands come from one row and must have the same CPU type, the same rings and the same
 * cgroup. If several fit, the one in the same group is used. There is no ratio if an operand was
 * not counted, or counted for less than 1 % of the time.
 */
#include <pt/config/STAT_MORE.h>
#include <pt/print_stat.h>

enum { HW = EVENT_HARDWARE, CACHE = EVENT_CACHE };

/* The divisor of an event, and the text for the ratio. */
static const struct ratio {
	u16 type;
	u32 config;
	u16 by_type;
	u32 by_config;
	u8 factor, width, decimals;
	bool nonzero;		/* do not print a ratio of 0 */
	const char *tail, *unit;
} ratios[] = {
	{ HW, HW_INSTRUCTIONS, HW, HW_CYCLES, 1, 7, 2, false, " ", "insn per cycle" },
	{ HW, HW_BRANCH_MISSES, HW, HW_BRANCHES, 100, 7, 2, false, "%", "of all branches" },
	{ HW, HW_CACHE_MISSES, HW, HW_CACHE_REFERENCES, 100, 8, 3, false, " %",
	  "of all cache refs" },
	{ HW, HW_STALLED_FRONTEND, HW, HW_CYCLES, 100, 7, 2, true, "%", "frontend cycles idle" },
	{ HW, HW_STALLED_BACKEND, HW, HW_CYCLES, 100, 7, 2, false, "%", "backend cycles idle" },
	{ CACHE, 0x10000, CACHE, 0, 100, 7, 2, false, "%", "of all L1-dcache accesses" },
	{ CACHE, 0x10001, CACHE, 1, 100, 7, 2, false, "%", "of all L1-icache accesses" },
	{ CACHE, 0x10002, CACHE, 2, 100, 7, 2, false, "%", "of all LL-cache accesses" },
	{ CACHE, 0x10003, CACHE, 3, 100, 7, 2, false, "%", "of all dTLB cache accesses" },
	{ CACHE, 0x10004, CACHE, 4, 100, 7, 2, false, "%", "of all iTLB cache accesses" },
};

static const struct cell *cell_of(const struct stat_table *t, u32 event, u32 row)
{
	return &t->cells[event * t->rows->n + row];
}

static bool usable(const struct cell *cell)
{
	return cell->state == CELL_COUNTED && cell->running >= cell->enabled / 100;
}

static bool is_event(const struct event_spec *spec, u32 type, u32 config)
{
	return spec->attr.type == type && (u32)spec->attr.config == config && !spec->tool;
}

static bool is_clock(const struct event_spec *spec)
{
	return is_event(spec, EVENT_SOFTWARE, SW_TASK_CLOCK) ||
	       is_event(spec, EVENT_SOFTWARE, SW_CPU_CLOCK);
}

/* The same CPU type, rings, guests and cgroup. */
static bool same_kind(const struct event_spec *a, const struct event_spec *b)
{
	const u64 left_out = 0xfull << PERF_F_EXCLUDE_USER | 3ull << PERF_F_EXCLUDE_HOST;

	return !((a->attr.flags ^ b->attr.flags) & left_out) && a->cgroup == b->cgroup &&
	       a->hybrid == b->hybrid && (!a->hybrid || !strcmp(a->pmu, b->pmu));
}

/* The other operand for 'event': from its group, else the first that was counted. */
static const struct cell *operand(const struct stat_table *t, u32 event, u32 row, u32 type,
				  u32 config)
{
	const struct event_spec *spec = &t->events->at[event], *other;
	const struct cell *found = NULL, *cell;
	u32 i;

	for (i = 0; i < t->events->n; i++) {
		other = &t->events->at[i];
		cell = cell_of(t, i, row);
		if (!is_event(other, type, config) || !same_kind(spec, other) || !usable(cell))
			continue;
		if (other->leader == spec->leader)
			return cell;
		if (!found)
			found = cell;
	}
	return found;
}

/* The CPU time of 'event' in this row in ns, or 0 if no clock event was counted with it. For an
 * event of one CPU type it is the time on that type, which is in its own count. An event that
 * counts for a package has no CPU time. */
static double cpu_time(const struct stat_table *t, u32 event, u32 row)
{
	const struct event_spec *spec = &t->events->at[event], *other;
	const struct cell *own = cell_of(t, event, row), *cell;
	u32 i;

	if (spec->uncore || spec->snapshot)
		return 0;
	for (i = 0; i < t->events->n; i++) {
		other = &t->events->at[i];
		cell = cell_of(t, i, row);
		if (!is_clock(other) || !usable(cell) || other->cgroup != spec->cgroup)
			continue;
		if (!spec->hybrid)
			return cell->value;
		if (t->on_cpus || !own->raw)
			return own->enabled;
		return own->value / own->raw * own->running;
	}
	return 0;
}

static int put_ratio(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row,
		     const struct ratio *r)
{
	const struct cell *by = operand(t, event, row, r->by_type, r->by_config);
	const struct cell *cell = cell_of(t, event, row);

	*m = (struct stat_metric){ 0, false, r->width, r->decimals, r->tail, r->unit };
	if (by && by->value && usable(cell)) {
		m->value = cell->value / by->value * r->factor;
		m->known = m->value || !r->nonzero;
	}
	return 1;
}

/* Stalled cycles per instruction. */
static int put_stalled(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row)
{
	const struct cell *front = operand(t, event, row, EVENT_HARDWARE, HW_STALLED_FRONTEND);
	const struct cell *back = operand(t, event, row, EVENT_HARDWARE, HW_STALLED_BACKEND);
	const struct cell *cell = cell_of(t, event, row);
	double most = MAX(front ? front->value : 0, back ? back->value : 0);

	if (!most || !usable(cell) || !cell->value)
		return 0;
	*m = (struct stat_metric){ most / cell->value, true, 7, 2, " ", "stalled cycles per insn" };
	return 1;
}

static int put_use(struct stat_metric *m, const struct stat_table *t, const struct cell *cell)
{
	*m = (struct stat_metric){ .width = 8, .decimals = 3, .tail = "", .unit = "CPUs utilized" };
	if (t->wall_ns && usable(cell)) {
		m->value = cell->value / t->wall_ns;
		m->known = true;
	}
	return 1;
}

static int put_frequency(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row)
{
	const struct cell *cell = cell_of(t, event, row);
	double ns = cpu_time(t, event, row);

	*m = (struct stat_metric){ .width = 8, .decimals = 3, .tail = "", .unit = "GHz" };
	if (ns && usable(cell)) {
		m->value = cell->value / ns;
		m->known = true;
	}
	return 1;
}

static int put_rate(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	const struct cell *cell = cell_of(t, event, row);
	double ns = cpu_time(t, event, row), rate;
	u32 i;

	if (!ns || !usable(cell))
		return 0;
	rate = cell->value * t->events->at[event].scale * 1e9 / ns;
	for (i = 0; i + 1 < N_ELEM(units) && rate > 1000; i++)
		rate /= 1000;
	*m = (struct stat_metric){ rate, true, 8, 3, "", units[i] };
	return 1;
}

/* Top-down analysis: the share of slots. */

/* Is it an event of the PMU with this name: "cpu_core/NAME/", or NAME? */
static bool is_named(const struct event_spec *spec, const char *name)
{
	const char *slash = strchr(spec->name, '/');

	return spec->pmu && !strncmp(slash ? slash + 1 : spec->name, name, strlen(name));
}

/* The count of a topdown event of the same CPU type, or -1. */
static double slots_of(const struct stat_table *t, u32 event, u32 row, const char *name)
{
	const struct event_spec *spec = &t->events->at[event];
	u32 i;

	for (i = 0; i < t->events->n; i++) {
		const struct event_spec *other = &t->events->at[i];

		if (is_named(other, name) && same_kind(spec, other) &&
		    usable(cell_of(t, i, row)))
			return cell_of(t, i, row)->value * other->scale;
	}
	return -1;
}

/* From Ice Lake on, four events share the slots. */
static double share_of_four(const struct stat_table *t, u32 event, u32 row)
{
	static const char *const four[] = { "topdown-retiring", "topdown-bad-spec",
					    "topdown-fe-bound", "topdown-be-bound" };
	double all = 0, one;
	size_t i;

	for (i = 0; i < N_ELEM(four); i++) {
		one = slots_of(t, event, row, four[i]);
		if (one < 0)
			return -1;
		all += one;
	}
	return all ? cell_of(t, event, row)->value / all : -1;
}

/* Before, three of the shares are computed from five events, and the fourth is the rest. */
static double share_of_five(const struct stat_table *t, u32 event, u32 row, u32 which)
{
	double total = slots_of(t, event, row, "topdown-total-slots");
	double issued = slots_of(t, event, row, "topdown-slots-issued");
	double retired = slots_of(t, event, row, "topdown-slots-retired");
	double bubbles = slots_of(t, event, row, "topdown-fetch-bubbles");
	double recovery = slots_of(t, event, row, "topdown-recovery-bubbles");
	double share[4];

	if (total <= 0 || issued < 0 || retired < 0 || bubbles < 0 || recovery < 0)
		return -1;
	share[0] = retired / total;
	share[1] = (issued - retired + recovery) / total;
	share[2] = bubbles / total;
	share[3] = 1 - share[0] - share[1] - share[2];
	return share[which] < 0 ? 0 : share[which];
}

static int put_topdown(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row)
{
	static const struct { const char *name, *unit; u8 which; bool four; } shares[] = {
		{ "topdown-retiring", "retiring", 0, true },
		{ "topdown-bad-spec", "bad speculation", 1, true },
		{ "topdown-fe-bound", "frontend bound", 2, true },
		{ "topdown-be-bound", "backend bound", 3, true },
		{ "topdown-slots-retired", "retiring", 0, false },
		{ "topdown-recovery-bubbles", "bad speculation", 1, false },
		{ "topdown-fetch-bubbles", "frontend bound", 2, false },
		{ "topdown-total-slots", "backend bound", 3, false },
	};
	const struct event_spec *spec = &t->events->at[event];
	double share;
	size_t i;

	for (i = 0; i < N_ELEM(shares); i++) {
		if (!is_named(spec, shares[i].name))
			continue;
		share = shares[i].four ? share_of_four(t, event, row) :
					 share_of_five(t, event, row, shares[i].which);
		*m = (struct stat_metric){ 100 * share, share >= 0, 8, 1, "%", shares[i].unit };
		return 1;
	}
	return 0;
}

int stat_metric(struct stat_metric *m, const struct stat_table *t, u32 event, u32 row)
{
	const struct event_spec *spec = &t->events->at[event];
	const struct ratio *r;
	int n;

	for (r = ratios; r < ratios + N_ELEM(ratios); r++) {
		if (!is_event(spec, r->type, r->config))
			continue;
		n = put_ratio(m, t, event, row, r);
		if (r->config == HW_INSTRUCTIONS && r->type == EVENT_HARDWARE)
			n += put_stalled(m + 1, t, event, row);
		return n;
	}
	if (CONFIG_STAT_MORE && put_topdown(m, t, event, row))
		return 1;
	if (is_clock(spec))
		return put_use(m, t, cell_of(t, event, row));
	if (is_event(spec, EVENT_HARDWARE, HW_CYCLES))
		return put_frequency(m, t, event, row);
	return spec->tool || *spec->unit ? 0 : put_rate(m, t, event, row);
}
