/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call chains of pt sched timehist: those of switches, and, of the time that CPUs were idle, which
 * chains led there.
 *
 * As in perf, the functions of the scheduler are left out when a chain is printed, but count for
 * its depth.
 */
#include "sched.h"

/* From here on no addresses, but marks: user, kernel, ... */
#define CONTEXT_MAX (~0ULL - 4094)

enum { OF_SCHEDULER = 2 };	/* functions that are left out usually */

struct sched_chain sched_chain(struct sched *s, const struct perf_sample *sample)
{
	struct session *session = &s->list.session;
	struct bytes b = sample->callchain;
	struct sched_chain chain = { 0 };
	const struct thread *t;
	const struct map *map;
	u64 ip;

	if (!s->has_chains || !b.len)
		return chain;
	t = process_thread(&session->processes, sample->pid, sample->pid);
	if (!s->frames)
		s->frames = NEW(&session->arena, struct sched_frame, s->depth + OF_SCHEDULER);
	chain.at = s->frames;
	while (b.len >= 8 && chain.n < s->depth + OF_SCHEDULER) {
		ip = bytes_take64(&b);
		if (ip >= CONTEXT_MAX)
			continue;
		map = session_map_at(session, t, ip);
		chain.at[chain.n++] = (struct sched_frame){
			ip, session_symbol_at(session, map, ip) };
	}
	return chain;
}

void sched_chain_keep(struct sched *s, struct sched_chain *to, const struct sched_chain *from)
{
	if (!to->at)
		to->at = NEW(&s->list.session.arena, struct sched_frame, s->depth + OF_SCHEDULER);
	to->n = from->n;
	if (from->n)
		memcpy(to->at, from->at, from->n * sizeof(*to->at));
}

bool sched_chain_omits(const struct sched_frame *f)
{
	return f->sym && symbol_in_list(f->sym, "schedule,__schedule,preempt_schedule");
}

void sched_put_chain(struct sched *s, const struct sched_chain *chain)
{
	const char *arrow = " ";
	u32 i;

	out_str(s->out, "  ");
	for (i = 0; i < chain->n; i++) {
		if (sched_chain_omits(&chain->at[i]))
			continue;
		out_str(s->out, arrow);
		out_name(s->out, chain->at[i].sym ? chain->at[i].sym->name : "[unknown]");
		arrow = " <- ";
	}
}

static u64 hash_of(const struct sched_chain *chain)
{
	u64 hash = 0;
	u32 i;

	for (i = 0; i < chain->n; i++)
		hash = hash_mix(hash, chain->at[i].sym ? chain->at[i].sym->start : chain->at[i].ip);
	return hash;
}

static bool equal(const struct sched_chain *a, const struct sched_chain *b)
{
	u32 i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (a->at[i].sym != b->at[i].sym || (!a->at[i].sym && a->at[i].ip != b->at[i].ip))
			return false;
	return a->n == b->n;
}

void sched_chain_count(struct sched *s, struct sched_idle *idle, u64 ns)
{
	struct arena *arena = &s->list.session.arena;
	u64 hash = hash_of(&idle->entered);
	struct hashed *in = hash_first(&idle->chains, hash);
	struct idle_chain *c;

	if (!idle->entered.n)
		return;
	while (in && !equal(&((struct idle_chain *)in)->chain, &idle->entered))
		in = in->next;
	c = (struct idle_chain *)in;
	if (!c) {
		c = NEW(arena, struct idle_chain, 1);
		c->in.hash = hash;
		sched_chain_keep(s, &c->chain, &idle->entered);
		hash_put(arena, &idle->chains, &c->in);
	}
	c->ns += ns;
	c->n++;
}
