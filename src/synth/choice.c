/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples within a function, between events, and at addresses.
 *
 * A function is entered by a sample of a call of it, or of its return, and is left when no more
 * calls are open than at that sample: the depth of the call stack tells, as in perf.
 */
#include <pt/choice.h>
#include <pt/made.h>
#include <pt/num.h>

struct choice_thread {
	struct hashed in;
	const struct thread *thread;
	bool inside;
	u32 depth;		/* at the sample that entered the function */
};

static struct choice_thread *thread_of(struct choice *c, struct session *session,
				       const struct thread *thread)
{
	u64 hash = hash_mix(1, (uintptr_t)thread);
	struct choice_thread *t;
	struct hashed *in;

	for (in = hash_first(&c->threads, hash); in; in = in->next) {
		t = (struct choice_thread *)in;
		if (t->thread == thread)
			return t;
	}
	t = NEW(&session->arena, struct choice_thread, 1);
	t->in.hash = hash;
	t->thread = thread;
	hash_put(&session->arena, &c->threads, &t->in);
	return t;
}

/* The function that a call or the start of a trace leads to, or that a return or its end comes
 * from; or NULL. */
static const struct symbol *function_of(struct session *session, const struct sample *s)
{
	const struct map *map;
	u64 ip = s->ip;

	if (s->flags & (FLAG_CALL | FLAG_BEGIN)) {
		if (s->kind != SAMPLE_BRANCH)
			return NULL;
		ip = s->addr;
	} else if (!(s->flags & (FLAG_RETURN | FLAG_END))) {
		return NULL;
	}
	map = session_map_at(session, s->thread, ip);
	return map ? session_symbol_at(session, map, ip) : NULL;
}

static bool is_inside(struct choice *c, struct session *session, const struct sample *s,
		      struct thread *thread, i32 cpu)
{
	struct choice_thread *t = thread_of(c, session, thread);
	const struct calls *calls = thread ? calls_if_any(thread, cpu) : NULL;
	const struct symbol *sym;
	u32 depth = calls ? calls->n : 0;

	if (t->inside) {
		t->inside = depth > t->depth;
		return t->inside;
	}
	sym = s ? function_of(session, s) : NULL;
	if (!sym || !symbol_in_list(sym, c->functions))
		return false;
	t->inside = c->met_function = true;
	t->depth = depth;
	return true;
}

/* The events switch the output on and off. */
static bool is_on(struct choice *c, const char *event)
{
	if (!c->begun) {
		c->begun = true;
		c->discards = c->on;
	}
	if (c->discards) {
		if (!c->on || strcmp(event, c->on))
			return false;
		c->discards = false;
		c->met_on = true;
		return c->show_switches;
	}
	if (!c->off || strcmp(event, c->off))
		return true;
	c->discards = true;
	return c->show_switches;
}

bool choice_wants(struct choice *c, struct session *session, const struct sample *s,
		  const struct perf_sample *recorded, struct thread *thread)
{
	if (c->functions &&
	    !is_inside(c, session, s, thread, recorded ? recorded->cpu : s->cpu))
		return false;
	return (!c->on && !c->off) ||
	       is_on(c, recorded ? recorded->event->name : made_name(session, s->kind));
}

bool choice_has_address(const struct choice *c, const char *symbols, u64 ip)
{
	const char *end;
	u64 from;

	for (; *symbols; symbols += strcspn(symbols, ","), symbols += *symbols == ',') {
		end = num_read(symbols + (symbols[1] == 'x' ? 2 : 0), 16, &from);
		if (end && (!*end || *end == ',') && ip >= from && ip - from < MAX(c->range, 1ull))
			return true;
	}
	return false;
}

static bool has_event(struct session *session, const struct itrace *itrace, const char *name)
{
	u32 i;

	for (i = 0; i < session->file.n_events; i++)
		if (!strcmp(session->file.events[i]->name, name))
			return true;
	for (i = 0; i < N_SAMPLE_KINDS; i++)
		if (made_is(session, itrace, i) && !strcmp(made_name(session, i), name))
			return true;
	return false;
}

const char *choice_missed(const struct choice *c, struct session *session,
			  const struct itrace *itrace, const char **event)
{
	*event = c->on;
	if (c->on && !has_event(session, itrace, c->on))
		return "--switch-on";
	*event = c->off;
	return c->off && !has_event(session, itrace, c->off) ? "--switch-off" : NULL;
}
