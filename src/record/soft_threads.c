/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of threads that pt traces, by their IDs.
 */
#define _GNU_SOURCE
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/host.h>

#include "trans.h"

static struct tracee **chain_of(struct soft *s, i32 tid)
{
	return &s->hash[(u32)tid % TRACEE_HASH];
}

struct tracee *tracee_find(struct soft *s, i32 tid)
{
	struct tracee *t = *chain_of(s, tid);

	while (t && t->tid != tid)
		t = t->next;
	return t;
}

struct tracee *tracee_next(const struct soft *s, const struct tracee *t)
{
	u32 i = t ? (u32)t->tid % TRACEE_HASH : 0;
	struct tracee *next = t ? t->next : s->hash[0];

	while (!next && ++i < TRACEE_HASH)
		next = s->hash[i];
	return next;
}

struct vm *vm_of(const struct soft *s, i32 pid)
{
	const struct tracee *t = NULL;

	while ((t = tracee_next(s, t)))
		if (t->pid == pid && t->vm)
			return t->vm;
	return NULL;
}

struct tracee *tracee_add(struct soft *s, i32 tid)
{
	struct tracee *t = s->free_tracees, **chain = chain_of(s, tid);
	struct step_state *step;

	if (t)
		s->free_tracees = t->next;
	else
		t = NEW(s->r->arena, struct tracee, 1);
	step = t->step;
	if (step)
		*step = (struct step_state){ .records = step->records };
	*t = (struct tracee){ .next = *chain, .tid = tid, .pid = tid, .idx = s->n_idx++,
		.step = step, .cpus = s->cpus };
	*chain = t;
	trans_pack_open(s, t);
	s->n_threads++;
	return t;
}

static void unlink_thread(struct soft *s, struct tracee *t)
{
	struct tracee **at = chain_of(s, t->tid);

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

bool soft_traces(i32 tid)
{
	return target_status(tid, "\nTracerPid", 10) == (u64)getpid();
}

void tracee_count_cpu(struct soft *s, struct tracee *t)
{
	u64 ns = soft_cpu_ns(t->tid);

	if (ns <= t->cpu_ns)		/* it may have ended */
		return;
	s->r->result.programs_ns += ns - t->cpu_ns;
	t->cpu_ns = ns;
}

void tracee_drop(struct soft *s, struct tracee *t)
{
	tracee_count_cpu(s, t);
	step_flush(t);
	if (CONFIG_SOFT_TRANSLATE)
		trans_leave(s, t);
	if (t->vm && !t->pack.psb_at) {		/* it did nothing, and may have waited */
		trans_pack_end(&t->pack, host_tsc());
		trans_pack_flush(&t->pack);
	}
	if (t->vm)
		vm_drop(s, t->vm);
	unlink_thread(s, t);
	t->next = s->free_tracees;
	s->free_tracees = t;
	s->n_threads--;
}
