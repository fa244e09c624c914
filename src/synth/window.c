/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples between the begins of two functions, and by depth.
 *
 * A function begins where a branch leads to its first instruction, or where that is a sample.
 *
 * Programs call functions of libraries by way of a procedure linkage table: the call goes to an
 * entry of the table, and a jump from there to the function, at the first time through the runtime
 * linker. The sample of that jump becomes one of the call.
 *
 * A function of which there are several forms (memcpy) begins at none of them: its calls are those
 * through a pointer of this name.
 */
#include <pt/config/LIBELF.h>
#include <pt/text.h>
#include <pt/window.h>

enum { CALLS_MAX = 64, STUB_MAX = 16 };

/* A branch. */
struct origin {
	u64 ip, to;
	struct thread *insn_thread;
	u8 insn_len;
	u32 flags;
};

struct window_thread {
	struct hashed in;
	const struct thread *thread;
	bool open;
	u32 n_calls;
	struct origin calls[CALLS_MAX];	/* that have not returned, the innermost last */
	struct origin last;		/* branch */
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

/* The symbol at 'ip', or NULL; and whether 'ip' is its start. */
static const struct symbol *symbol_at(struct session *session, const struct thread *t, u64 ip,
				      bool *starts)
{
	const struct map *map = ip ? session_map_at(session, t, ip) : NULL;
	const struct symbol *sym = map ? session_symbol_at(session, map, ip) : NULL;

	*starts = sym && map_addr(&session->images, map, ip) == sym->start;
	return sym;
}

/* Does a function of that name begin at 'ip'? */
static bool begins(struct session *session, const struct thread *t, u64 ip, const char *name)
{
	bool starts = false;
	const struct symbol *sym = name ? symbol_at(session, t, ip, &starts) : NULL;

	return starts && symbol_is(sym, name, strlen(name));
}

static bool is_slot(struct session *session, const struct thread *t, u64 ip, const char *name)
{
	const struct map *map = ip ? session_map_at(session, t, ip) : NULL;

	return map && dso_calls_by_slot(&session->images, map->dso,
					map_addr(&session->images, map, ip), name);
}

/* Does the pointer lead to the runtime linker, which will set it: push $N? */
static bool is_lazy(struct session *session, const struct thread *t, u64 ip)
{
	struct space *space = (struct space *)session_space_at(session, t, ip);
	struct bytes code = space ? space_bytes(&session->images, space, ip) : (struct bytes){ 0 };

	if (code.len > 4 && get32(code.at) == 0xfa1e0ff3)	/* endbr64 */
		code = bytes_skip(code, 4);
	return code.len && code.at[0] == 0x68;
}

/* Does the branch 's' lead to a form of the function? */
static bool leads_to_form(struct session *session, const struct window_thread *t,
			  const struct sample *s, const char *name)
{
	const struct symbol *sym;
	bool starts;

	if (!CONFIG_LIBELF || !name || s->kind != SAMPLE_BRANCH)
		return false;
	sym = symbol_at(session, s->thread, s->ip, &starts);
	if (sym && text_after(sym->name, "_dl_runtime_resolve"))
		return t->n_calls && is_slot(session, s->thread, t->calls[t->n_calls - 1].to,
					     name);
	return is_slot(session, s->thread, s->ip, name) &&
	       !is_lazy(session, s->thread, s->addr);
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

	if (!open && (begins(session, s->thread, ip, w->from) ||
		      leads_to_form(session, t, s, w->from)))
		open = t->open = w->met_from = true;
	else if (open && (begins(session, s->thread, ip, w->to) ||
			  leads_to_form(session, t, s, w->to))) {
		t->open = false;
		w->met_to = true;
	}
	return open;
}

/* Keep the open calls of 't'. System calls are removed with the function that they are in. */
static void follow(struct window_thread *t, const struct sample *s)
{
	u32 i;

	t->last = (struct origin){ s->ip, s->addr, s->insn_thread, s->insn_len, s->flags };
	if (s->flags & FLAG_CALL) {
		if (t->n_calls == CALLS_MAX)
			memmove(t->calls, t->calls + 1, --t->n_calls * sizeof(t->calls[0]));
		t->calls[t->n_calls++] = t->last;
	} else if (s->flags & FLAG_RETURN) {
		for (i = t->n_calls; i--; )
			if (t->calls[i].ip + t->calls[i].insn_len == s->addr) {
				t->n_calls = i;
				break;
			}
	}
}

/* The call, or jump, of a function that the jump 's' is the end of; or NULL. */
static const struct origin *origin_of(const struct window_thread *t, struct session *session,
				      const struct sample *s)
{
	const struct symbol *sym;
	bool starts;

	sym = symbol_at(session, s->thread, s->ip, &starts);
	if (sym && text_after(sym->name, "_dl_runtime_resolve"))
		return t->n_calls ? &t->calls[t->n_calls - 1] : NULL;
	sym = symbol_at(session, s->thread, t->last.to, &starts);
	return s->ip - t->last.to < STUB_MAX && (!starts || text_after(sym->name, "@plt")) ?
	       &t->last : NULL;
}

/* Is 's' a call of w->callee, or a jump to it from another function? */
static bool is_call(struct window *w, struct session *session, const struct window_thread *t,
		    struct sample *s)
{
	const u32 no_jump = FLAG_RETURN | FLAG_SYSCALL | FLAG_ASYNC | FLAG_INT | FLAG_BEGIN;
	const struct origin *origin;
	bool starts, is;

	if (s->kind != SAMPLE_BRANCH || s->flags & no_jump)
		return false;
	is = begins(session, s->thread, s->addr, w->callee);
	if (!is && !leads_to_form(session, t, s, w->callee))
		return false;
	if (s->flags & FLAG_CALL)
		return true;
	if (is && symbol_at(session, s->thread, s->ip, &starts) ==
	    symbol_at(session, s->thread, s->addr, &starts))
		return false;
	origin = origin_of(t, session, s);
	if (origin) {
		s->ip = s->insn_ip = origin->ip;
		s->insn_thread = origin->insn_thread;
		s->insn_len = origin->insn_len;
		s->flags = origin->flags;
	}
	return true;
}

static bool wants_call(struct window *w, struct session *session, struct sample *s)
{
	struct window_thread *t = thread_of(w, session, s->thread);
	struct sample as_it_was = *s;
	bool is = is_call(w, session, t, s);

	w->met_callee |= is;
	if (s->kind == SAMPLE_BRANCH)
		follow(t, &as_it_was);
	return is;
}

bool window_is_late(struct window *w, const struct sample *s)
{
	w->n_insns += s->kind == SAMPLE_INSN;
	w->n_calls += s->kind == SAMPLE_BRANCH && s->flags & FLAG_CALL;
	return (!w->skip_calls || w->n_calls > w->skip_calls) &&
	       (!w->skip_insns || w->n_insns > w->skip_insns);
}

bool window_wants(struct window *w, struct session *session, struct sample *s)
{
	u64 ip = s->kind == SAMPLE_BRANCH ? s->addr : s->ip;
	bool wanted = !w->callee || wants_call(w, session, s);

	if (w->from || w->to)
		wanted &= is_between(w, session, s, ip);
	return is_shallow(w, s) && wanted;
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
