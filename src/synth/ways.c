/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Branches to ways. A place is an offset in a file; places are looked up once and kept.
 */
#include <pt/text.h>
#include <pt/ways.h>

/* An address of a process. */
struct place {
	struct hashed in;
	const struct space *space;
	u64 ip, key;
	bool ignored, starts;	/* a function starts here */
	struct way_function *function;
};

void ways_setup(struct ways *w, struct listing *l)
{
	w->list = l;
	l->itrace = (struct itrace){ .branches = true };
}

static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name), n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && !strncmp(list, name, n))
			return true;
	}
	return false;
}

/* Code whose way depends on the length of the environment, on caches or on time. */
static bool is_runtime(const char *dso)
{
	return text_after(dso, "ld-linux") || text_after(dso, "ld-2.") ||
	       text_after(dso, "ld64.so") || !strcmp(dso, "[vdso]");
}

static u64 hash_function(const char *name, const char *dso)
{
	return hash_text(hash_text(1, dso), name);
}

struct way_function *ways_function(const struct ways *w, const char *name, const char *dso)
{
	u64 hash = hash_function(name, dso);
	struct way_function *f;
	struct hashed *in;

	for (in = hash_first(&w->by_name, hash); in; in = in->next) {
		f = (struct way_function *)in;
		if (in->hash == hash && !strcmp(f->name, name) && !strcmp(f->dso, dso))
			return f;
	}
	return NULL;
}

static struct way_function *function_of(struct ways *w, const char *name, const char *dso)
{
	struct way_function *f = ways_function(w, name, dso);

	if (f)
		return f;
	f = NEW(&w->list->session.arena, struct way_function, 1);
	*f = (struct way_function){ .in.hash = hash_function(name, dso), .name = name, .dso = dso,
				    .next = w->functions };
	w->functions = f;
	hash_put(&w->list->session.arena, &w->by_name, &f->in);
	return f;
}

static void fill(struct ways *w, struct place *p, const struct thread *t)
{
	struct session *s = &w->list->session;
	const struct map *map = session_map_at(s, t, p->ip);
	const struct symbol *sym = session_symbol_at(s, map, p->ip);
	const char *dso = map ? map->dso->short_name : "[unknown]";
	u64 at = map ? map_addr(&s->images, map, p->ip) : p->ip;

	p->key = hash_mix(hash_text(1, dso), at);
	p->ignored = in_list(w->ignore, dso) || (!w->whole && is_runtime(dso)) ||
		     (sym && w->ignore && symbol_in_list(sym, w->ignore));
	p->starts = sym && at == sym->start;
	if (p->starts)
		p->function = function_of(w, sym->name, dso);
}

static const struct place *place_of(struct ways *w, const struct thread *t, u64 ip)
{
	const struct space *space = session_space_at(&w->list->session, t, ip);
	u64 hash = hash_mix((uintptr_t)space, ip);
	struct hashed *in;
	struct place *p;

	for (in = hash_first(&w->places, hash); in; in = in->next) {
		p = (struct place *)in;
		if (p->ip == ip && p->space == space)
			return p;
	}
	p = NEW(&w->list->session.arena, struct place, 1);
	p->in.hash = hash;
	p->space = space;
	p->ip = ip;
	fill(w, p, t);
	hash_put(&w->list->session.arena, &w->places, &p->in);
	return p;
}

static struct way *way_of(struct ways *w, struct thread *thread)
{
	struct arena *arena = &w->list->session.arena;
	u64 hash = hash_mix(1, (uintptr_t)thread);
	struct way *t = w->now;
	struct hashed *in;

	if (likely(t && t->thread == thread))
		return t;
	for (in = hash_first(&w->threads, hash); in; in = in->next)
		if (((struct way *)in)->thread == thread)
			return w->now = (struct way *)in;
	t = NEW(arena, struct way, 1);
	t->in.hash = hash;
	t->thread = thread;
	t->index = w->n_threads++;
	hash_put(arena, &w->threads, &t->in);
	*(w->newest ? &w->newest->next : &w->first) = t;
	w->newest = t;
	return w->now = t;
}

static void end_chunk(struct ways *w, struct way *t)
{
	u32 room = t->room ? t->room * 2 : 64;

	if (t->n_sums == t->room) {
		t->sums = arena_grow(&w->list->session.arena, t->sums, sizeof(*t->sums), t->n_sums,
				     room);
		t->room = room;
	}
	t->sums[t->n_sums++] = t->sum;
}

static void keep(struct ways *w, const struct way *t, const struct way_branch *b)
{
	u64 first = w->from - MIN(w->from, (u64)WAYS_BEFORE);

	if (t->index != w->thread || t->n < first || w->n_kept == WAYS_BEFORE + 2 * WAYS_CHUNK)
		return;
	w->first_kept = first;
	w->kept[w->n_kept++] = *b;
}

void ways_add(struct ways *w, const struct entry *e)
{
	const u32 odd = FLAG_BEGIN | FLAG_END | FLAG_ASYNC;
	const struct place *from, *to;
	const struct sample *s = e->sample;
	struct way_branch b;
	struct way *t;

	/* Interrupts come at any time, so they are not compared. */
	if (e->kind != ENTRY_SAMPLE || s->kind != SAMPLE_BRANCH || s->flags & odd || !e->thread)
		return;
	from = place_of(w, e->thread, s->ip);
	if (from->ignored)
		return;
	to = place_of(w, e->thread, s->addr);
	if (s->flags & FLAG_CALL && to->starts)
		to->function->calls++;
	t = way_of(w, e->thread);
	b = (struct way_branch){ hash_mix(from->key, to->key), s->ip, s->addr, s->flags };
	if (w->kept)
		keep(w, t, &b);
	t->sum = hash_mix(t->sum, b.key);
	if (++t->n % WAYS_CHUNK == 0)
		end_chunk(w, t);
}

u64 ways_common(const struct way *a, const struct way *b)
{
	u32 n = MIN(a->n_sums, b->n_sums), low = 0, mid;

	/* After the first difference all later sums differ. */
	while (low < n) {
		mid = (low + n) / 2;
		if (a->sums[mid] == b->sums[mid])
			low = mid + 1;
		else
			n = mid;
	}
	return (u64)low * WAYS_CHUNK;
}
