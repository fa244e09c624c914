/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counters to rows: by CPU, core, die, socket, node or thread, or all in one.
 *
 * Counters that shared the hardware are scaled one by one, before they are added: each had its own
 * share of the time.
 */
#include <errno.h>

#include <pt/count.h>

static i64 order(enum count_by by, const struct count_row *row)
{
	const struct cpu_place *p = &row->place;

	switch (by) {
	case BY_CPU: return row->cpu;
	case BY_CORE: return ((i64)p->socket << 40) + ((i64)p->die << 20) + p->core;
	case BY_DIE: return ((i64)p->socket << 40) + ((i64)p->die << 20);
	case BY_SOCKET: return p->socket;
	case BY_NODE: return p->node;
	default: return 0;
	}
}

/* The row that 'new' belongs to, in ascending order; it is created if it is not there. */
static void add_row(struct count_rows *rows, const struct count_row *new)
{
	i64 key = order(rows->by, new);
	u32 i;

	for (i = rows->n; i && order(rows->by, &rows->at[i - 1]) > key; i--)
		;
	if (i && order(rows->by, &rows->at[i - 1]) == key)
		return;
	memmove(&rows->at[i + 1], &rows->at[i], (rows->n - i) * sizeof(*rows->at));
	rows->at[i] = *new;
	rows->n++;
}

static void make_threads(struct count_rows *rows, const struct count_threads *threads,
			 struct arena *arena)
{
	u32 i;

	rows->n = threads->n;
	rows->at = NEW(arena, struct count_row, threads->n);
	for (i = 0; i < threads->n; i++)
		rows->at[i] = (struct count_row){ .cpu = -1, .tid = threads->tid[i],
						  .comm = threads->comm[i] };
}

void count_rows_make(struct count_rows *rows, enum count_by by, const struct cpus *cpus,
		     const struct count_threads *threads, struct cpu_place *places,
		     struct arena *arena)
{
	u32 i, k, most = cpus->n ? cpus->cpu[cpus->n - 1] + 1 : 1;

	*rows = (struct count_rows){ .by = by };
	rows->of_cpu = NEW(arena, u32, most);
	if (by == BY_THREAD) {
		make_threads(rows, threads, arena);
		return;
	}
	rows->at = NEW(arena, struct count_row, cpus->n + 1);
	rows->n = by == BY_NOTHING;
	rows->place = places;
	if (by == BY_NOTHING)
		return;
	for (i = 0; i < cpus->n; i++)
		add_row(rows, &(struct count_row){ .cpu = cpus->cpu[i],
						   .place = places[cpus->cpu[i]] });
	for (i = 0; i < cpus->n; i++) {
		struct count_row row = { .cpu = cpus->cpu[i], .place = places[cpus->cpu[i]] };

		for (k = 0; order(by, &rows->at[k]) != order(by, &row); k++)
			;
		rows->of_cpu[row.cpu] = k;
	}
}

static void add(struct cell *cell, const struct count *now, bool scale)
{
	double value = now->value;

	cell->n++;
	cell->enabled += now->enabled;
	cell->running += now->running;
	if (!now->running)
		return;
	cell->raw += value;
	if (scale && now->running < now->enabled)
		value = value * now->enabled / now->running;
	cell->value += value;
	cell->ran += now->enabled;
}

static enum cell_state state_of(const struct cell *cell, const struct count_event *e)
{
	if (!e->cpus.n)
		return CELL_NOT_SUPPORTED;
	if (!cell->n)
		return CELL_EMPTY;
	if (e->err == -EACCES || e->err == -EPERM || e->err == -ESRCH)
		return CELL_NOT_COUNTED;
	if (!e->spec->tool && !e->n_open)
		return CELL_NOT_SUPPORTED;
	return cell->running ? CELL_COUNTED : CELL_NOT_COUNTED;
}

/* A counter that should have run and never did is assumed to have counted at the rate of the
 * others. */
static void finish(struct cell *cell, const struct count_event *e, bool scale)
{
	cell->state = state_of(cell, e);
	if (scale && cell->ran && cell->ran < cell->enabled)
		cell->value = cell->value * cell->enabled / cell->ran;
}

/* Does the event count whole packages, and did an earlier CPU count this package? */
static bool is_repeated(const struct count_rows *rows, const struct count_event *e, u32 cpu_index)
{
	const struct cpu_place *p, *q;
	u32 i;

	if (!e->spec->per_pkg || !rows->place || e->cpus.cpu[cpu_index] < 0 || rows->by == BY_CPU)
		return false;
	p = &rows->place[e->cpus.cpu[cpu_index]];
	for (i = 0; i < cpu_index; i++) {
		q = &rows->place[e->cpus.cpu[i]];
		if (q->socket == p->socket && q->die == p->die && e->now[i].running)
			return true;
	}
	return false;
}

static u32 row_of(const struct count_rows *rows, const struct count_event *e, u32 k)
{
	i32 cpu = e->cpus.cpu[k / e->n_threads];

	if (rows->by == BY_THREAD)
		return k % e->n_threads;
	return rows->by == BY_NOTHING || cpu < 0 ? 0 : rows->of_cpu[cpu];
}

static void fill(struct cell *cells, const struct count_event *e, const struct count_rows *rows,
		 bool scale)
{
	u32 k, r;

	memset(cells, 0, rows->n * sizeof(*cells));
	for (k = 0; k < e->cpus.n * e->n_threads; k++)
		if (!is_repeated(rows, e, k / e->n_threads))
			add(&cells[row_of(rows, e, k)], &e->now[k], scale);
	for (r = 0; r < rows->n; r++)
		finish(&cells[r], e, scale);
	/* If an event counts on none of the CPUs, only the first row says so. */
	for (r = 1; !e->cpus.n && r < rows->n; r++)
		cells[r].state = CELL_EMPTY;
}

/* "/cycles/" of "cpu_core/cycles/" */
static const char *of_any_type(const struct event_spec *spec)
{
	const char *slash = strchr(spec->name, '/');

	return slash ? slash : spec->name;
}

/* On CPUs of several types, a task's counter for one type stands still while the task is on
 * another type. That is not sharing: its value needs no scaling, except for the time that the
 * counters of all types together missed. */
static void fix_type(struct cell *cells, const struct counting *c, u32 n_rows, u32 i)
{
	const struct event_spec *a = c->at[i].spec, *b;
	struct cell *cell = &cells[i * n_rows];
	u64 running = cell->running;
	bool others = false;
	u32 k;

	if (!a->hybrid || c->on_cpus || cell->state != CELL_COUNTED)
		return;
	for (k = 0; k < c->events->n; k++) {
		b = c->at[k].spec;
		if (b->hybrid && strcmp(a->pmu, b->pmu) &&
		    !strcmp(of_any_type(a), of_any_type(b))) {
			running += cells[k * n_rows].running;
			others = true;
		}
	}
	cell->value = cell->raw;
	if (others && running < cell->enabled)
		cell->value = cell->raw * cell->enabled / running;
}

static bool same_event(const struct event_spec *a, const struct event_spec *b)
{
	return b->merge && a->scale == b->scale && !strcmp(a->name, b->name) &&
	       !strcmp(a->unit, b->unit) && a->pmu && b->pmu && strcmp(a->pmu, b->pmu) &&
	       a->cgroup == b->cgroup;
}

static void merge_into(struct cell *to, struct cell *from)
{
	if (from->state == CELL_COUNTED) {
		to->value += from->value;
		to->raw += from->raw;
		to->state = CELL_COUNTED;
	}
	to->enabled += from->enabled;
	to->running += from->running;
	if (to->state == CELL_EMPTY || (to->state == CELL_NOT_SUPPORTED &&
					from->state == CELL_NOT_COUNTED)) {
		to->state = from->state;
		to->n = from->n;
	}
	from->state = CELL_MERGED;
}

static void merge_all(struct cell *cells, const struct counting *c, u32 n_rows)
{
	u32 i, k, r;

	for (i = 0; i < c->events->n; i++) {
		if (!c->at[i].spec->merge || cells[i * n_rows].state == CELL_MERGED)
			continue;
		for (k = i + 1; k < c->events->n; k++)
			if (same_event(c->at[i].spec, c->at[k].spec))
				for (r = 0; r < n_rows; r++)
					merge_into(&cells[i * n_rows + r], &cells[k * n_rows + r]);
	}
}

void count_cells(struct cell *cells, const struct counting *c, const struct count_rows *rows,
		 bool merge, bool scale)
{
	u32 i, r;

	for (i = 0; i < c->events->n; i++)
		fill(&cells[i * rows->n], &c->at[i], rows, scale);
	for (i = 0; scale && i < c->events->n; i++)
		for (r = 0; r < rows->n; r++)
			fix_type(&cells[r], c, rows->n, i);
	if (merge)
		merge_all(cells, c, rows->n);
}
