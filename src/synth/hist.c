/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to entries.
 *
 * Samples that are equal in all sort keys share an entry. The call chains of an entry form a tree
 * with a node for each frame; all nodes of all entries are in one hash table. Programs loop:
 * therefore each node remembers the child that was used last, and 'recent' caches the entries of
 * places.
 */
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/config/GUESTS.h>
#include <pt/config/REPORT_MORE.h>
#include <pt/hist.h>

enum { RECENT = 2048 };		/* a power of two */

/* The entry in which a place was counted before. */
struct hist_recent {
	const struct thread *thread;
	const char *comm;
	struct frame at;
	i32 cpu;
	struct hist_entry *entry;
};

/* Chains */

static bool same_frame(u8 key, const struct frame *a, const struct frame *b)
{
	if (CONFIG_REPORT_MORE && key == CHAIN_BY_LINE && (a->line || b->line))
		return a->line == b->line;
	if ((a->map ? a->map->dso : NULL) != (b->map ? b->map->dso : NULL))
		return false;
	return a->sym && b->sym && !(CONFIG_REPORT_MORE && key == CHAIN_BY_ADDRESS) ?
	       a->sym->start == b->sym->start : a->ip == b->ip;
}

static u64 hash_frame(u8 key, const struct frame *f, u64 hash)
{
	if (CONFIG_REPORT_MORE && key == CHAIN_BY_LINE && f->line)
		return hash_mix(hash, (uintptr_t)f->line);
	if (CONFIG_REPORT_MORE && key == CHAIN_BY_ADDRESS)
		return hash_mix(hash, f->ip);
	return hash_mix(hash_mix(hash, f->sym ? f->sym->start : f->ip), !f->sym);
}

static struct hist_chain *child(struct hist *h, struct hist_chain *up, const struct frame *frame)
{
	struct hist_chain *c = up->last;
	u8 key = h->style->key;
	struct hashed *in;
	u64 hash;

	if (c && same_frame(key, &c->frame, frame))
		return c;
	hash = hash_frame(key, frame, (uintptr_t)up);
	for (in = hash_first(&h->chains, hash); in; in = in->next) {
		c = (struct hist_chain *)in;
		if (in->hash == hash && c->up == up && same_frame(key, &c->frame, frame))
			return up->last = c;
	}
	c = up->last = NEW(h->arena, struct hist_chain, 1);
	c->in.hash = hash;
	c->up = up;
	c->frame = *frame;
	c->next = up->first;
	up->first = c;
	up->n_children++;
	hash_put(h->arena, &h->chains, &c->in);
	return c;
}

static void count_branch(struct hist *h, struct hist_chain *at, const struct frame_branch *b)
{
	struct chain_counts *c = at->counts;
	bool again = c;

	if (!b->branch)
		return;
	if (!c)
		c = at->counts = NEW(h->arena, struct chain_counts, 1);
	c->n++;
	c->target = b->from;
	if (b->from) {
		c->predicted += b->flags >> 1 & 1;
		c->aborted += b->flags >> 3 & 1;
		if (!c->types && b->flags & BRANCH_TYPE)
			c->types = NEW(h->arena, struct branch_types, 1);
		if (c->types)
			branch_types_add(c->types, b->from, at->frame.ip, b->flags);
		return;
	}
	c->cycles += b->flags >> 4 & 0xffff;
	c->loops += b->loops;
	c->loop_cycles += b->cycles;
	c->n_again += again;
}

static void add_chain(struct hist *h, struct hist_entry *e, const struct hist_sample *s, u32 first)
{
	const struct frame *at = s->chain + first;
	u32 n = s->n - first;
	u64 period = s->period;
	struct hist_chain *c = &e->chain;
	u32 i;

	if (!h->style->chains || !n)
		return;
	e->depth = MAX(e->depth, n);
	for (i = 0; i < n; i++) {
		c->below += period;
		c->n_below++;
		c = child(h, c, &at[i]);
		if (CONFIG_BRANCH_HISTORY && s->branches)
			count_branch(h, c, &s->branches[first + i]);
	}
	c->hits += period;
	c->n_hits++;
}

/* Entries */

static bool has(const struct hist *h, u8 column)
{
	return memchr(h->style->sorts, column, h->style->n_sorts);
}

/* The column of IPC, which symbol_size has, too, tells functions apart. */
static bool has_symbol(const struct hist *h)
{
	return has(h, HIST_SYMBOL) || (CONFIG_REPORT_MORE && has(h, HIST_IPC));
}

static bool same_dso(const struct frame *a, const struct frame *b)
{
	if (!a->map || !b->map)
		return a->map == b->map;
	return a->map->dso == b->map->dso ||
	       !strcmp(a->map->dso->short_name, b->map->dso->short_name);
}

static bool same_symbol(const struct frame *a, const struct frame *b)
{
	if (!a->sym || !b->sym)
		return a->sym == b->sym && a->ip == b->ip;
	return a->sym->start == b->sym->start && a->sym->end == b->sym->end && same_dso(a, b);
}

static bool same_values(const struct hist *h, const struct hist_entry *a,
			const struct hist_entry *b)
{
	u32 i, n = CONFIG_REPORT_MORE ? h->style->n_keys : 0;

	for (i = 0; i < n; i++)
		if (hist_compare_values(&a->values[i], &b->values[i]))
			return false;
	return true;
}

static u64 hash_values(const struct hist *h, const struct hist_entry *e, u64 hash)
{
	u32 i;

	for (i = 0; i < h->style->n_keys; i++) {
		hash = hash_mix(hash, e->values[i].number);
		if (e->values[i].text)
			hash = hash_text(hash, e->values[i].text);
	}
	return hash;
}

static const struct hist_value *keep_values(struct hist *h, const struct hist_value *from)
{
	u32 i, n = h->style->n_keys;
	struct hist_value *to = NEW(h->arena, struct hist_value, n);

	memcpy(to, from, n * sizeof(*to));
	for (i = 0; i < n; i++) {
		if (to[i].text)
			to[i].text = arena_str(h->arena, to[i].text);
		if (to[i].shown)
			to[i].shown = arena_str(h->arena, to[i].shown);
	}
	return to;
}

static bool is_entry(const struct hist *h, const struct hist_entry *e,
		     const struct hist_entry *like)
{
	return (!has(h, HIST_PID) || e->thread->tid == like->thread->tid) &&
	       (!has(h, HIST_COMM) || !strcmp(e->comm, like->comm)) &&
	       (!has(h, HIST_DSO) || same_dso(&e->at, &like->at)) &&
	       (!has_symbol(h) || same_symbol(&e->at, &like->at)) &&
	       (!has(h, HIST_CPU) || e->cpu == like->cpu) &&
	       (!like->trace || !strcmp(e->trace, like->trace)) && same_values(h, e, like);
}

/* The entry with the same keys as 'like', allocated if there is none. */
static struct hist_entry *find(struct hist *h, const struct hist_entry *like)
{
	const struct frame *at = &like->at;
	u64 hash = has(h, HIST_PID) ? like->thread->tid : 0;
	struct hist_entry *e;
	struct hashed *in;

	if (has(h, HIST_COMM))
		hash = hash_text(hash, like->comm);
	if (has(h, HIST_DSO) && at->map)
		hash = hash_text(hash, at->map->dso->short_name);
	if (has_symbol(h))
		hash = hash_mix(hash, at->sym ? at->sym->start : at->ip);
	if (has(h, HIST_CPU))
		hash = hash_mix(hash, like->cpu);
	if (like->trace)
		hash = hash_text(hash, like->trace);
	if (CONFIG_REPORT_MORE)
		hash = hash_values(h, like, hash);
	for (in = hash_first(&h->entries, hash); in; in = in->next) {
		e = (struct hist_entry *)in;
		if (in->hash == hash && is_entry(h, e, like))
			return e;
	}
	e = NEW(h->arena, struct hist_entry, 1);
	*e = (struct hist_entry){ .in.hash = hash, .thread = like->thread, .comm = like->comm,
				  .at = *at, .cpu = like->cpu, .kernel = like->kernel };
	if (like->trace)
		e->trace = arena_str(h->arena, like->trace);
	if (CONFIG_REPORT_MORE && h->style->n_keys)
		e->values = keep_values(h, like->values);
	hash_put(h->arena, &h->entries, &e->in);
	return e;
}

static struct hist_entry *entry(struct hist *h, const struct hist_sample *s, bool kernel,
				const struct frame *at)
{
	const struct thread *t = s->thread;
	i32 cpu = s->cpu;
	struct hist_value values[N_HIST_COLUMNS - HIST_KEY];
	const struct hist_entry like = { .thread = t, .comm = t->comm, .at = *at, .cpu = cpu,
					 .kernel = kernel, .trace = s->trace, .values = values };
	u64 ip = at->sym ? 0 : at->ip;
	u64 hash = hash_mix(hash_mix((uintptr_t)t, (uintptr_t)at->sym), (uintptr_t)at->map);
	struct hist_recent *r;

	if (CONFIG_REPORT_MORE && h->style->n_keys)
		h->style->values(h->style->who, h->style, s, at, values);
	if (s->trace || (CONFIG_REPORT_MORE && h->style->n_keys))
		return find(h, &like);
	if (!h->recent)
		h->recent = NEW(h->arena, struct hist_recent, RECENT);
	r = &h->recent[hash_mix(hash, ip) & (RECENT - 1)];
	if (r->entry && r->thread == t && r->comm == t->comm && r->at.map == at->map &&
	    r->at.sym == at->sym && r->at.ip == ip && r->cpu == cpu)
		return r->entry;
	*r = (struct hist_recent){ t, t->comm, { at->map, at->sym, ip }, cpu,
				   find(h, &like) };
	return r->entry;
}

static void turn_round(struct frame *at, u32 n)
{
	struct frame first;
	u32 i;

	for (i = 0; i < n / 2; i++) {
		first = at[i];
		at[i] = at[n - 1 - i];
		at[n - 1 - i] = first;
	}
}

/* Add the sample to each caller's 'children', once for each caller even if it is in the chain
 * several times. */
static void add_callers(struct hist *h, const struct hist_sample *s)
{
	bool kernel = s->kernel;
	struct hist_entry *e;
	u32 i;

	for (i = 0; i < s->n; i++) {
		if (s->chain[i].map)
			kernel = s->chain[i].ip >> 63;
		e = entry(h, s, kernel, &s->chain[i]);
		if (e->seen == h->n_samples)
			continue;
		e->seen = h->n_samples;
		e->children += s->period;
		add_chain(h, e, s, i);
	}
}

struct hist_entry *hist_add(struct hist *h, const struct hist_sample *s, bool wanted)
{
	struct hist_entry *e;

	h->n_samples++;
	h->period += s->period;
	if (!wanted)
		return NULL;
	if (h->style->caller && !(CONFIG_BRANCH_HISTORY && s->branches))
		turn_round(s->chain, s->n);
	e = entry(h, s, s->kernel, &s->at);
	e->seen = h->n_samples;
	e->at.map = s->at.map;
	e->n++;
	e->period += s->period;
	e->children += s->period;
	if (s->kernel)
		e->sys += s->period;
	add_chain(h, e, s, 0);
	if (h->style->children)
		add_callers(h, s);
	return e;
}

/* Groups */

static void join_entry(struct hist *first, u32 k, struct hist_entry *e)
{
	struct hist_entry *to = k ? find(first, e) : e;

	if (!to->group)
		to->group = NEW(first->arena, struct hist_entry *, first->n_group);
	to->group[0] = to;
	to->group[k] = e;
}

void hist_join(struct hist **group, u32 n)
{
	struct hist *first = group[0];
	struct hashed *in;
	u32 k, i;

	first->group = group;
	first->n_group = n;
	for (k = 0; k < n; k++)
		for (i = 0; i < group[k]->entries.room; i++)
			for (in = group[k]->entries.at[i]; in; in = in->next)
				join_entry(first, k, (struct hist_entry *)in);
}

u64 hist_number(const struct hist_entry *e, u32 k, u8 column)
{
	bool guest;

	if (e->group)
		e = e->group[k];
	if (!e)
		return 0;
	guest = CONFIG_GUESTS && e->thread && e->thread->guest;
	switch (column) {
	case HIST_SYS: return guest ? 0 : e->sys;
	case HIST_USER: return guest ? 0 : e->period - e->sys;
	case HIST_GUEST_SYS: return guest ? e->sys : 0;
	case HIST_GUEST_USER: return guest ? e->period - e->sys : 0;
	case HIST_CHILDREN: return e->children;
	case HIST_SAMPLES: return e->n;
	}
	return e->period;
}
