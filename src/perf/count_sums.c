/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several runs to means with their errors, several intervals to sums.
 */
#include <math.h>

#include <pt/count.h>

void mean_add(struct mean *m, double v)
{
	double off = v - m->value;

	m->n++;
	m->value += off / m->n;
	m->squares += off * (v - m->value);
}

double mean_error(const struct mean *m)
{
	return m->n < 2 ? 0 : sqrt(m->squares / (m->n - 1) / m->n);
}

void count_sums_make(struct count_sums *sums, u32 n_cells, struct arena *arena)
{
	*sums = (struct count_sums){
		.n = n_cells,
		.means = NEW(arena, struct mean, n_cells),
		.all = NEW(arena, struct cell, n_cells),
	};
}

void count_sums_reset(struct count_sums *sums)
{
	memset(sums->means, 0, sums->n * sizeof(*sums->means));
	memset(sums->all, 0, sums->n * sizeof(*sums->all));
	sums->runs = 0;
}

/* Move the mean towards 'v', the last of 'n' numbers. */
static u64 towards(u64 mean, u64 v, u32 n)
{
	return mean + ((double)v - (double)mean) / n;
}

/* A run in which an event was not counted does not affect its mean. */
static void add_run(struct cell *all, struct mean *m, const struct cell *cell)
{
	if (cell->state != CELL_COUNTED) {
		if (all->state != CELL_COUNTED)
			*all = *cell;
		return;
	}
	if (all->state != CELL_COUNTED)
		*all = *cell;
	mean_add(m, cell->value);
	all->enabled = towards(all->enabled, cell->enabled, m->n);
	all->running = towards(all->running, cell->running, m->n);
	all->raw += (cell->raw - all->raw) / m->n;
	all->value = m->value;
	all->noise = mean_error(m);
}

void count_sums_run(struct count_sums *sums, const struct cell *cells)
{
	u32 i;

	sums->runs++;
	for (i = 0; i < sums->n; i++)
		add_run(&sums->all[i], &sums->means[i], &cells[i]);
}

void count_sums_interval(struct count_sums *sums, const struct cell *cells,
			 const struct counting *c)
{
	u32 i, rows = c->events->n ? sums->n / c->events->n : 1;

	for (i = 0; i < sums->n; i++) {
		struct cell *all = &sums->all[i];

		if (all->state != CELL_COUNTED)
			all->state = cells[i].state;
		all->n = cells[i].n;
		all->enabled += cells[i].enabled;
		all->running += cells[i].running;
		all->raw += cells[i].raw;
		all->value = cells[i].value + (c->events->at[i / rows].snapshot ? 0 : all->value);
	}
}
