/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where two executions differ.
 *
 * 	ls/12, ls/34: the same for 12345 branches, then:
 * 	    main+0x10 (ls) ls.c:12 calls open
 * 	A   open+0x20 (libc.so.6) -> open+0x40
 * 	B   open+0x30 (libc.so.6) returns to main+0x15
 */
#include <pt/config/SRCLINE.h>
#include <pt/print_ways.h>
#include "sample_line.h"

enum { BEFORE = 10, AFTER = 5, FUNCTIONS = 20, ROOM = 4 * SAMPLE_NAME + 400 };

static void put_thread(struct out *out, const struct way *t)
{
	out_name(out, t->thread->comm);
	out_fmt(out, "/%d", t->thread->tid);
}

void print_ways_same(struct ways_page *p, const struct way *a, const struct way *b)
{
	put_thread(p->out, a);
	out_str(p->out, ", ");
	put_thread(p->out, b);
	out_fmt(p->out, ": the same way, %llu branches\n", a->n);
}

void print_ways_one(struct ways_page *p, const struct way *a, const struct way *b)
{
	put_thread(p->out, a ? a : b);
	out_fmt(p->out, ": only in %s, %llu branches\n", a ? "A" : "B", a ? a->n : b->n);
}

static char *put_place(char *p, struct session *s, const struct thread *t, u64 ip,
		       const struct dso **dso)
{
	const struct map *map = session_map_at(s, t, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);
	u64 at;

	if (!sym)
		p = put_hex(put_str(p, "0x"), ip);
	else
		p = sample_put_name(p, sym->name);
	at = sym ? map_addr(&s->images, map, ip) - sym->start : 0;
	if (at)
		p = put_hex(put_str(p, "+0x"), at);
	if (map && map->dso != *dso)
		p = put_char(sample_put_name(put_str(p, " ("), map->dso->short_name), ')');
	*dso = map ? map->dso : NULL;
	return p;
}

static void print_branch(struct ways_page *page, const char *mark, const struct ways *w,
			 const struct way_branch *b)
{
	struct session *s = &w->list->session;
	struct sample_printer pr = { .session = s };
	const struct dso *dso = NULL;
	const struct way *t = w->first;
	char *p = out_room(page->out, ROOM);

	while (t->next && t->index != w->thread)
		t = t->next;
	p = put_place(put_str_w(p, mark, -4), s, t->thread, b->from, &dso);
	if (CONFIG_SRCLINE)
		p = sample_put_srcline(p, &pr, t->thread, b->from, " ");
	p = put_str(p, b->flags & FLAG_SYSCALL ? " system call " : b->flags & FLAG_CALL ?
		    " calls " : b->flags & FLAG_RETURN ? " returns to " : " -> ");
	out_line(page->out, put_place(p, s, t->thread, b->to, &dso));
}

/* Print the branches of one of them from 'i' on. */
static void print_after(struct ways_page *p, const char *mark, const struct ways *w, u32 i)
{
	u32 end = MIN(i + AFTER, w->n_kept);

	if (i >= w->n_kept)
		out_fmt(p->out, "%-4sends here\n", mark);
	for (; i < end; i++)
		print_branch(p, mark, w, &w->kept[i]);
}

/* The loader compares addresses, and the vDSO reads clocks: differences there say nothing about the
 * program. */
static void print_hint(struct ways_page *p, const struct ways *w, u32 i)
{
	struct session *s = &w->list->session;
	const struct way *t = w->first;
	const struct map *map;
	const char *name;

	while (t->next && t->index != w->thread)
		t = t->next;
	map = i < w->n_kept ? session_map_at(s, t->thread, w->kept[i].from) : NULL;
	name = map ? map->dso->short_name : "";
	if (strncmp(name, "ld-", 3) && strcmp(name, "[vdso]"))
		return;
	out_str(p->out, "What happens in ");
	out_name(p->out, name);
	out_str(p->out, " depends on addresses or on time: see --ignore\n");
}

void print_ways_part(struct ways_page *p, const struct way *a, const struct way *b)
{
	u32 n = MIN(p->a->n_kept, p->b->n_kept), i = 0, k;

	while (i < n && p->a->kept[i].key == p->b->kept[i].key)
		i++;
	put_thread(p->out, a);
	out_str(p->out, ", ");
	put_thread(p->out, b);
	out_fmt(p->out, ": the same for %llu branches, then:\n",
		(p->a->n_kept ? p->a->first_kept : p->b->first_kept) + i);
	for (k = i - MIN(i, (u32)BEFORE); k < i; k++)
		print_branch(p, "", p->a, &p->a->kept[k]);
	print_after(p, "A", p->a, i);
	print_after(p, "B", p->b, i);
	print_hint(p, p->a, i);
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

struct counts { const struct way_function *f; u64 a, b; };

/* Insert where it belongs, the largest difference first. */
static void offer(struct counts *top, u32 *n, struct counts c)
{
	u32 i = *n < FUNCTIONS ? (*n)++ : FUNCTIONS;

	for (; i && distance(top[i - 1].a, top[i - 1].b) < distance(c.a, c.b); i--)
		if (i < FUNCTIONS)
			top[i] = top[i - 1];
	if (i < FUNCTIONS)
		top[i] = c;
}

void print_ways_functions(struct ways_page *p)
{
	struct counts top[FUNCTIONS];
	const struct way_function *f, *other;
	u32 n = 0, i;

	for (f = p->a->functions; f; f = f->next) {
		other = ways_function(p->b, f->name, f->dso);
		if (!other || other->calls != f->calls)
			offer(top, &n, (struct counts){ f, f->calls, other ? other->calls : 0 });
	}
	for (f = p->b->functions; f; f = f->next)
		if (f->calls && !ways_function(p->a, f->name, f->dso))
			offer(top, &n, (struct counts){ f, 0, f->calls });
	if (n)
		out_str(p->out, "\n   calls: A          B  function\n");
	for (i = 0; i < n; i++) {
		char *at = out_room(p->out, ROOM);

		if (top[i].a == top[i].b)
			continue;
		at = put_dec_w(put_dec_w(at, top[i].a, 11), top[i].b, 11);
		at = sample_put_name(put_str(at, "  "), top[i].f->name);
		at = sample_put_name(put_str(at, " ("), top[i].f->dso);
		out_line(p->out, put_char(at, ')'));
	}
}
