/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report --itrace=b: the branches of plain runs. Each run keeps the entries in which they count.
 */
#include "report.h"

/* The entries in which the branches of a run are counted, for one thread. */
struct run_counts {
	const struct thread *thread;
	const char *comm;
	i32 cpu;
	struct hist_entry *entries[];	/* by segment; NULL: not yet known */
};

static u64 branch_ip(const struct run *run, u32 i)
{
	const struct segment *g = &run->rest->segments[i];

	return g->ip + g->bytes - g->branch_len;
}

/* NULL if there is no more room, or if the run has both kernel and user code. */
static struct run_counts *new_counts(struct report *r, struct run *run)
{
	u32 i;

	for (i = 0; i < run->n_segments; i++)
		if ((branch_ip(run, i) ^ run->ip) >> 63)
			return NULL;
	return runs_keep(&r->list.session.runs, run, sizeof(struct run_counts) +
			 run->n_segments * sizeof(struct hist_entry *));
}

static void count_first(struct report *r, struct run_counts *c, const struct run *run, u32 i)
{
	struct hist_sample s = { .thread = c->thread, .cpu = c->cpu, .kernel = run->ip >> 63,
				 .period = 1 };
	struct hist_entry *e;

	e = report_sample(r, &r->made[SAMPLE_BRANCH], &s, branch_ip(run, i), 0, true);
	/* An address without a map may get one later. */
	if (e->at.map)
		c->entries[i] = e;
}

u32 report_runs(struct report *r, const struct item *item, const struct passed *b, u32 n)
{
	const struct passed *first = b, *end = b + n;
	const struct thread *t = item->thread;
	i32 cpu = item->queue->now_cpu;
	u64 again = 0;
	u32 i;

	for (; t && b < end; b++) {
		struct run *run = b->run;
		struct run_counts *c = run->kept ? run->kept : new_counts(r, run);
		u32 last = run->n_segments - 1;
		u32 stop = last + (b->to && item->halves & STEP_EVENT);

		if (!c)
			break;
		if (c->thread != t || c->comm != t->comm || c->cpu != cpu) {
			memset(c->entries, 0, (last + 1) * sizeof(*c->entries));
			c->thread = t;
			c->comm = t->comm;
			c->cpu = cpu;
		}
		for (i = item->halves & STEP_STRETCH ? 0 : last; i < stop; i++) {
			if (likely(c->entries[i])) {
				hist_add_again(c->entries[i], run->ip >> 63);
				again++;
			} else {
				count_first(r, c, run, i);
			}
		}
	}
	r->made[SAMPLE_BRANCH].n_samples += again;
	r->made[SAMPLE_BRANCH].period += again;
	return b - first;
}
