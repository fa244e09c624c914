/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject --aslr: a copy that tells nothing about where a machine had its code.
 *
 * New addresses do not depend on old ones. Each file gets a slot of 4 GiB, in the order in which
 * the files come; an address in it becomes the slot plus the offset in the file, so that names are
 * still found. Memory without a file gets a slot for each map. The kernel begins where it does
 * without KASLR, and modules follow each other. What is not an address of code is left out:
 * registers, copies of the stack, physical addresses, and samples of tracepoints, whose fields are
 * unknown.
 */
#include <pt/fail.h>
#include <pt/hash.h>
#include "inject.h"

enum { TRACEPOINT = 2, BREAKPOINT = 5, SLOT_BITS = 32, CONTEXTS = 4095, BRANCH = 24 };
#define KERNEL_TEXT 0xffffffff81000000ULL

/* A file, or a map without one. */
struct aslr_place { struct hashed in; const char *name; u64 start, now; u32 nr; };

static bool is_kernel(u64 addr)
{
	return addr >> 63;
}

/* The place of a file 'name', or (NULL) of the map at 'start' with 'len' bytes. */
static struct aslr_place *place_of(struct inject *x, const char *name, u64 start, u64 len)
{
	const u64 modules = 0xffffffffc0000000, slots = 1ULL << (47 - SLOT_BITS);
	struct inject_aslr *a = &x->aslr;
	struct arena *arena = &x->list.session.arena;
	u64 hash = name ? hash_text(1, name) : hash_mix(2, start);
	struct hashed *in;
	struct aslr_place *p;

	for (in = hash_first(&a->places, hash); in; in = in->next) {
		p = (struct aslr_place *)in;
		if (name ? p->name && !strcmp(p->name, name) : !p->name && p->start == start)
			return p;
	}
	p = NEW(arena, struct aslr_place, 1);
	p->in.hash = hash;
	p->name = name ? arena_str(arena, name) : NULL;
	p->start = start;
	p->nr = ++a->n;
	if (is_kernel(start)) {
		p->now = modules + a->modules;
		a->modules += round_up(len, 4096);
	} else {
		p->now = p->nr % slots << SLOT_BITS;
	}
	hash_put(arena, &a->places, &p->in);
	return p;
}

/* The new address of 'addr', which is in 'map'. */
static u64 moved(struct inject *x, const struct map *map, u64 addr)
{
	const u64 mask = (1ULL << SLOT_BITS) - 1;
	const u64 text_max = 1 << 30;
	const struct aslr_place *p;

	if (!addr)
		return 0;
	/* The code with which the kernel starts is after its map. */
	if (map ? map->dso->kind == DSO_KERNEL :
		  x->aslr.kernel && addr - x->aslr.kernel < text_max)
		return addr - x->aslr.kernel + KERNEL_TEXT;
	if (!map)
		return is_kernel(addr) ? 1ULL << 63 : 1;
	if (is_kernel(addr) || map->dso->kind == DSO_JIT || map->dso->kind == DSO_ANON) {
		p = place_of(x, NULL, map->start, map->end - map->start);
		return p->now + (addr - map->start);
	}
	p = place_of(x, map->dso->name, 0, 0);
	return p->now + ((addr - map->start + map->pgoff) & mask);
}

static u64 moved_at(struct inject *x, const struct thread *t, u64 addr)
{
	return moved(x, session_map_at(&x->list.session, t, addr), addr);
}

/* Copies of samples */

static struct bytes move_chain(struct inject *x, const struct thread *t, struct bytes chain)
{
	u64 *to = x->aslr.chain;
	u32 n;

	for (n = 0; chain.len >= 8 && n < N_ELEM(x->aslr.chain); n++) {
		u64 ip = get64(chain.at);

		to[n] = ip >= (u64)-CONTEXTS ? ip : moved_at(x, t, ip);
		chain = bytes_skip(chain, 8);
	}
	return (struct bytes){ (const u8 *)to, n * 8 };
}

static struct bytes move_branches(struct inject *x, const struct thread *t, struct bytes b)
{
	u64 *to = x->aslr.branches;
	u32 n;

	for (n = 0; b.len >= BRANCH && n + 3 <= N_ELEM(x->aslr.branches); n += 3) {
		to[n] = moved_at(x, t, get64(b.at));
		to[n + 1] = moved_at(x, t, get64(b.at + 8));
		to[n + 2] = get64(b.at + 16);
		b = bytes_skip(b, BRANCH);
	}
	return (struct bytes){ (const u8 *)to, n * 8 };
}

void inject_aslr_sample(struct inject *x, const struct thread *t, struct perf_sample *s)
{
	if (!x->aslr.on)
		return;
	s->ip = moved_at(x, t, s->ip);
	s->addr = moved_at(x, t, s->addr);
	s->callchain = move_chain(x, t, s->callchain);
	s->branches = move_branches(x, t, s->branches);
	s->abi_user = s->abi_intr = s->phys_addr = 0;
	s->stack_user = s->aux = (struct bytes){ 0 };
}

bool inject_aslr_recorded(struct inject *x, const struct entry *e)
{
	const struct perf_sample *from = e->item->sample;
	struct perf_sample s = *from;

	if (!x->aslr.on)
		return false;
	if (from->event->attr.type == TRACEPOINT) {
		x->aslr.n_left_out++;
		return true;
	}
	inject_aslr_sample(x, e->thread, &s);
	x->n_long += !perf_write_sample(&x->w, from->misc, &from->event->attr, &s);
	return true;
}

/* Records */

static void put_number(char *to, size_t room, u32 nr)
{
	memset(to, 0, room);
	fmt_str(to, room, "/%u", nr);
}

static void hide_map(const struct perf_record *rec, const struct perf_mmap *m, u32 nr, u8 *raw)
{
	enum { DEVICE = 40, PROT = 64, NAME = 40, NAME2 = 72, HAS_ID = 1 << 14 };
	size_t at = rec->type == PERF_MMAP2 ? NAME2 : NAME;

	put_number((char *)raw + at, MIN(round_up(strlen(m->name) + 1, 8), rec->raw.len - at), nr);
	if (rec->type == PERF_MMAP2) {
		memset(raw + DEVICE, 0, PROT - DEVICE);
		set16(raw + 4, rec->misc & ~HAS_ID);
	}
}

/* A new MMAP or MMAP2, in a copy of the record. */
static void move_map(struct inject *x, const struct perf_record *rec, u8 *raw)
{
	enum { START = 16, PGOFF = 32, HUGE_PAGES = 0x40000, CPUMODE = 7, KERNEL = 1 };
	static const char kernel[] = "[kernel.";
	struct aslr_place *p;
	struct perf_mmap m;
	struct dso *dso;

	if (!perf_get_mmap(rec, &m))
		return;
	if ((rec->misc & CPUMODE) == KERNEL && !strncmp(m.name, kernel, sizeof(kernel) - 1)) {
		if (!x->aslr.kernel)
			x->aslr.kernel = m.pgoff;
		set64(raw + START, m.start ? m.start - x->aslr.kernel + KERNEL_TEXT : 0);
		set64(raw + PGOFF, m.pgoff - x->aslr.kernel + KERNEL_TEXT);
		return;
	}
	dso = dso_get(&x->list.session.images, m.name, m.build_id, m.build_id_size);
	if (is_kernel(m.start) || dso->kind == DSO_ANON || m.flags & HUGE_PAGES) {
		p = place_of(x, NULL, m.start, m.len);
		set64(raw + START, p->now);
	} else {
		p = place_of(x, dso->name, 0, 0);
		set64(raw + START, p->now + (dso->kind == DSO_VDSO ? 0 : m.pgoff));
	}
	if (x->aslr.no_names)
		hide_map(rec, &m, p->nr, raw);
}

/* A name that only shows which threads have the same one. */
static void hide_comm(struct inject *x, const struct perf_record *rec, u8 *raw)
{
	enum { NAME = 16 };
	struct perf_comm c;
	char key[64];

	if (!x->aslr.no_names || rec->type != PERF_COMM || !perf_get_comm(rec, &c))
		return;
	fmt_str(key, sizeof(key), "comm %s", c.name);
	put_number((char *)raw + NAME, MIN(round_up(strlen(c.name) + 1, 8), rec->raw.len - NAME),
		   place_of(x, key, 0, 0)->nr);
}

bool inject_aslr_record(struct inject *x, struct perf_record *rec)
{
	enum { ADDR = 8 };
	u8 *raw = x->aslr.raw;
	struct perf_ksymbol k;

	if (!x->aslr.on)
		return false;
	memcpy(raw, rec->raw.at, rec->raw.len);
	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2:
		move_map(x, rec, raw);
		break;
	case PERF_COMM:
		hide_comm(x, rec, raw);
		break;
	case PERF_KSYMBOL:
		if (x->aslr.no_names || !perf_get_ksymbol(rec, &k))
			return true;
		set64(raw + ADDR, place_of(x, NULL, k.addr, k.len)->now);
		break;
	case PERF_TEXT_POKE:
		return true;
	case PERF_BUILD_ID:
	case PERF_CGROUP:
	case PERF_BPF_EVENT:
		return x->aslr.no_names;
	}
	rec->raw.at = raw;
	return false;
}

bool inject_aslr_hides(const struct inject *x, u32 feature)
{
	switch (feature) {
	case PERF_FEAT_BUILD_ID:
	case PERF_FEAT_HOSTNAME:
	case PERF_FEAT_CMDLINE:
	case PERF_FEAT_BUNDLE:
	case PERF_FEAT_DEATHS:
		return x->aslr.no_names;
	case PERF_FEAT_TRACING_DATA:
		return x->aslr.on;
	}
	return false;
}

void inject_aslr_event(const struct inject *x, struct perf_event *e)
{
	enum { SOFTWARE = 1, DUMMY = 9 };

	if (!x->aslr.on)
		return;
	if (e->attr.type == BREAKPOINT)
		e->attr.config1 = 0;
	/* Their formats come with a list of the kernel's symbols. */
	if (e->attr.type == TRACEPOINT) {
		e->attr.type = SOFTWARE;
		e->attr.config = DUMMY;
	}
}

const char *inject_aslr_take(struct inject *x, const struct opt *o)
{
	x->aslr.on = !o->no;
	if (!o->arg)
		return NULL;
	x->aslr.no_names = !strcmp(o->arg, "nameless");
	return x->aslr.no_names || !strcmp(o->arg, "names") ? NULL :
	       "--aslr takes names or nameless";
}

void inject_aslr_end(const struct inject *x)
{
	if (x->aslr.n_left_out)
		warn(0, "--aslr: %llu samples of tracepoints are left out: their fields may be "
			"addresses", x->aslr.n_left_out);
}
