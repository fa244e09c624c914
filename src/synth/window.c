/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples between the begins of two functions, and by depth.
 *
 * A function begins where a branch leads to its first instruction, or where that is a sample.
 */
#include <pt/window.h>

struct window_thread {
	struct hashed in;
	const struct thread *thread;
	bool open;
};

static struct window_thread *thread_of(struct window *w, struct session *session,
				       const struct thread *thread)
{
	u64 hash = hash_mix(1, (uintptr_t)thread);
	struct window_thread *t;
	struct hashed *in;

	for (in = hash_first(&w->threads, hash); in; in = in->next) {
		t = (struct window_thread *)in;
		if (t->thread == thread)
			return t;
	}
	t = NEW(&session->arena, struct window_thread, 1);
	t->in.hash = hash;
	t->thread = thread;
	t->open = !w->from;
	hash_put(&session->arena, &w->threads, &t->in);
	return t;
}

/* Does a function of that name begin at 'ip'? */
static bool begins(struct session *session, const struct thread *t, u64 ip, const char *name)
{
	const struct map *map = name && ip ? session_map_at(session, t, ip) : NULL;
	const struct symbol *sym = map ? session_symbol_at(session, map, ip) : NULL;

	return sym && map_addr(&session->images, map, ip) == sym->start &&
	       symbol_is(sym, name, strlen(name));
}

static bool is_shallow(const struct window *w, const struct sample *s)
{
	const struct calls *calls = s->thread ? calls_if_any(s->thread, s->cpu) : NULL;
	u32 n = calls ? calls->n : 0;

	if (s->kind == SAMPLE_BRANCH && s->flags & FLAG_CALL && n)
		n--;
	return !w->depth || n < w->depth;
}

/* The sample with which 'to' begins is the last one. */
static bool is_between(struct window *w, struct session *session, const struct sample *s, u64 ip)
{
	struct window_thread *t = thread_of(w, session, s->thread);
	bool open = t->open;

	if (!open && begins(session, s->thread, ip, w->from))
		open = t->open = w->met_from = true;
	else if (open && begins(session, s->thread, ip, w->to)) {
		t->open = false;
		w->met_to = true;
	}
	return open;
}

bool window_wants(struct window *w, struct session *session, const struct sample *s)
{
	u64 ip = s->kind == SAMPLE_BRANCH ? s->addr : s->ip;
	bool wanted = is_shallow(w, s);

	if (w->from || w->to)
		wanted &= is_between(w, session, s, ip);
	if (!w->callee)
		return wanted;
	if (s->kind != SAMPLE_BRANCH || !(s->flags & FLAG_CALL) ||
	    !begins(session, s->thread, ip, w->callee))
		return false;
	w->met_callee = true;
	return wanted;
}

const char *window_missed(const struct window *w, const char **symbol)
{
	if (w->callee && !w->met_callee) {
		*symbol = w->callee;
		return "--who-calls";
	}
	if (w->from && !w->met_from) {
		*symbol = w->from;
		return "--from-symbol";
	}
	*symbol = w->to;
	return w->to && !w->met_to ? "--to-symbol" : NULL;
}
