/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code cache: from the program's addresses to the cache's, and back.
 *
 * Code with RIP-relative operands must be within 2 GiB of them, so each group of modules of the
 * program has its own stretch of the cache. In a stretch, blocks grow up from the middle; code that
 * rarely runs, exits and constants grow down from there. So a small program needs one huge page for
 * both, which the kernel clears in less time than it maps 50 small pages.
 *
 * When the cache is full, a new epoch begins in other stretches. All blocks are unlinked, so that
 * every thread calls the agent at the end of its block. Each thread has the epoch of the code that
 * it may run. Old stretches are unmapped when all threads have a later epoch.
 */
#include <pt/config/SOFT_SPEED.h>

#include "own.h"

enum { RW = 3 };
enum { UNSURE_MAX = 8, LOOKS = 250, SAMPLE = 16, TRIES = 8 };
enum { NR_MADVISE = 28, HUGEPAGE = 14, POPULATE_WRITE = 23 };
enum { CHAIN = 4 };		/* blocks that are made at once */
enum { ROW = 16, FAR = 12347 };	/* of the table: entries in a line; lines to the next (odd) */

/* The table of blocks. */

/* The upper bits of an entry of the table are a hash of the address, so that other blocks, which
 * are rarely in the processor's caches, need not be read. */
static u32 tag_of(u64 ip)
{
	return (u32)ip * 2654435769u >> NR_BITS << NR_BITS;
}

static struct stretch *stretch_nr(const struct agent *a, u32 nr)
{
	return (struct stretch *)&a->stretches[nr >> BLOCK_BITS & (N_STRETCHES - 1)];
}

static struct block *block_nr(const struct agent *a, u32 nr)
{
	return &stretch_nr(a, nr)->blocks[(nr & (STRETCH_BLOCKS - 1)) - 1];
}

/* The blocks of 256 bytes of code share the 16 entries of a cache line, where each has its own
 * first place. More of them are in lines far away, since the next lines may be as full. */
static u32 first_place(u64 ip)
{
	return ((ip >> 8) + (ip >> 20) * 40503) * ROW + (tag_of(ip) >> 28);
}

/* Prefetch the entry of 'ip', which is looked up soon: the table is larger than most processor
 * caches. */
static void fetch_place(const struct agent *a, u64 ip)
{
	__builtin_prefetch(&a->blocks[first_place(ip) % N_BLOCKS], 1);
}

static u32 *place_of(const struct agent *a, u64 ip)
{
	u32 first = first_place(ip), i;

	for (i = 0;; i++) {
		u32 place = (first & -ROW) + (i & -ROW) * FAR + (first + i) % ROW;
		u32 *at = &a->blocks[place % N_BLOCKS], v = *at;

		if (!v || ((v ^ tag_of(ip)) >> NR_BITS == 0 && block_nr(a, v)->ip == ip))
			return at;
	}
}

static struct block *block_of(struct agent *a, u64 ip, struct stretch **s)
{
	struct block *b;
	u32 nr = 0;

	/* Most addresses begin no block; the table is large, and rarely in the caches. */
	if (*guard_starts(guard_of(a, ip), ip) & guard_start(ip))
		nr = *place_of(a, ip);
	if (!nr)
		return NULL;
	*s = stretch_nr(a, nr);
	b = block_nr(a, nr);
	return b->dead ? NULL : b;
}

/* Signal handlers read blocks without the lock, so s->n is increased last. */
static struct block *add(struct stretch *s, const struct block *b)
{
	s->blocks[s->n] = *b;
	__atomic_store_n(&s->n, s->n + 1, __ATOMIC_RELEASE);
	return &s->blocks[s->n - 1];
}

static struct block *remember(struct agent *a, struct stretch *s, struct block *b)
{
	u32 nr = (u32)(s - a->stretches) << BLOCK_BITS | (s->n + 1);
	u32 high = b->ip / PAGE / N_PAGES;
	struct page *p = guard_of(a, b->ip);

	b->same_page = p->blocks;
	if (p->high != high)
		p->high = p->blocks ? (u32)MIXED_PAGES : high;
	p->blocks = nr;
	*guard_starts(p, b->ip) |= guard_start(b->ip);
	*place_of(a, b->ip) = tag_of(b->ip) | nr;
	a->n_blocks++;
	return add(s, b);
}

/* Translating. */

/* See translate.border. */
static u64 border(void *who, u64 ip)
{
	struct agent *a = ((const struct origin *)who)->a;
	const struct page *p = guard_of(a, ip);
	u64 page = ip & ~(u64)(PAGE - 1), bits = *guard_starts(p, ip) / guard_start(ip);
	struct stretch *s;
	u32 i;

	if (bits & 1)
		return block_of(a, ip, &s) ? ip : ip + 1;
	i = ip % PAGE / START;
	while (!bits) {
		i = (i | 63) + 1;
		if (i == PAGE / START)
			return page + PAGE;
		bits = p->starts[i / 64];
	}
	return page + (i + __builtin_ctzll(bits)) * START;
}

static void setup(struct translate *t, struct origin *from, const struct stretch *s)
{
	struct agent *a = from->a;

	memset(t, 0, offsetof(struct translate, backs));
	t->ip = from->ip;
	t->enter = s->at + s->middle;
	t->table = (u32)(u64)a->targets;
	t->max = TRANSLATE_MAX;
	t->hot = stretch_code(s, s->hot);
	t->cold = stretch_code(s, s->cold);
	t->off = stretch_offsets;
	t->calls = !(a->shared->flags & AGENT_NOCALLS);
	t->fetch = origin_fetch;
	t->border = border;
	t->who = from;
	t->may_change = from->may_change;
	t->ptwrite = a->shared->flags & AGENT_PTWRITE;
	t->halves = a->shared->flags & AGENT_HALVES;
	t->gsbase = a->shared->flags & AGENT_FSGSBASE;
}

static const u8 *copy_of(const struct stretch *s, const struct block *b)
{
	return (const u8 *)s->at + b->cold;
}

/* Is the program's code still that of the block? */
static COLD bool is_same(const struct agent *a, const struct stretch *s, const struct block *b)
{
	u8 now[PAGE_CODE];

	if (!guard_changing(a, b->ip, b->ip + b->span))
		return sys_equal((const u8 *)b->ip, copy_of(s, b), b->span);
	return sys_peek(now, b->ip, b->span) == b->span && sys_equal(now, copy_of(s, b), b->span);
}

/* Beginning anew. */

/* Clear the table of indirect branches. */
static void fill_targets(struct agent *a, const struct stretch *s)
{
	u64 miss = s->at + s->middle + s->enter.miss;
	u32 i;

	for (i = 0; i < N_TARGETS; i++)
		__atomic_store_n(&a->targets[i], miss, __ATOMIC_RELAXED);
	a->no_call = s->at + s->middle + s->enter.no_call;
}

/* Unlink all exits that lead to the block. Threads inside run to its end. The caller takes it from
 * the list of its page. */
static COLD void kill_block(const struct agent *a, struct block *b)
{
	struct translate_exit *x;
	u32 nr;

	for (nr = b->links; nr; nr = x->next) {		/* a stretch, and the offset there */
		x = (void *)(a->stretches[nr / STRETCH_SIZE].to + nr % STRETCH_SIZE);
		x->linked = false;
		translate_unlink(x);
	}
	b->links = 0;
	b->dead = true;
}

/* The hot part of a block is translated here, and then copied to the cache. Processors fetch what
 * follows the code that they execute, and when that is written, they drop all instructions that
 * have begun. If this part were written directly to the cache, this would happen for each of its
 * cache lines. Blocks are also translated again here, to look at their code. */
struct scratch {
	struct origin from;
	u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];
};

static u64 never(void *who, u64 ip)
{
	return ~0ULL;
}

static void again(struct translate *t, struct agent *a, const struct stretch *s,
		  const struct block *b, struct scratch *to)
{
	to->from = (struct origin){ .a = a, .ip = b->ip, .copy = copy_of(s, b), .len = b->span };
	setup(t, &to->from, s);
	t->flags = b->flags;
	t->border = never;
	t->hot = (struct translate_code){ s->at + b->hot, to->hot };
	t->cold = (struct translate_code){ s->at + stretch_cold(s, b - s->blocks),
					   to->cold + sizeof(to->cold) };
	t->max = b->n;
	t->compares = b->compares;
	t->span = b->span;
}

/* Threads that are in a function which the block called must not return to the block. (This may run
 * on the program's stack for signals, which may have only 2 kB.) */
static COLD void kill_calls(struct agent *a, const struct stretch *s, const struct block *b)
{
	struct translate t;

	_Static_assert(sizeof(a->scratch) >= sizeof(struct scratch), "");
	again(&t, a, s, b, (struct scratch *)a->scratch);
	translate_block(&t);
	translate_lose(&t, s->to - s->at);
}

/* The pages of blocks that may contain bytes of [from, to): 'n' of them from 'first' on. */
static u64 first_page(u64 from, u64 to, u64 *n)
{
	u64 first = (from - MIN(from, INSN_MAX)) / PAGE;

	*n = MIN((to - 1) / PAGE - first + 1, N_PAGES);
	return first;
}

/* Kill the blocks that contain bytes of [from, to), or those of them that have changed. */
static COLD void forget(struct agent *a, u64 from, u64 to, bool changed)
{
	u64 n, page = first_page(from, to, &n), first = page;

	for (; n; n--, page++) {
		struct page *p = &a->pages[page % N_PAGES];
		u64 own = (u64)p->high * N_PAGES + page % N_PAGES;
		u32 *at = &p->blocks;

		/* Some programs change the rights of 128 MiB again and again. */
		if (p->high != (u32)MIXED_PAGES && (own < first || own > (to - 1) / PAGE))
			continue;
		while (*at) {
			struct block *b = block_nr(a, *at);

			if (b->ip >= to || b->ip + b->span <= from ||
			    (changed && is_same(a, stretch_nr(a, *at), b))) {
				at = &b->same_page;
				continue;
			}
			kill_block(a, b);
			p->rewritten = 1;
			if (b->calls)
				kill_calls(a, stretch_nr(a, *at), b);
			*at = b->same_page;
		}
	}
}

static COLD void leave_stretch(struct agent *a, struct stretch *s)
{
	u32 i;

	for (i = 0; i < s->n; i++)
		if (s->blocks[i].kind == BLOCK && !s->blocks[i].dead)
			kill_block(a, &s->blocks[i]);
	s->old = a->epoch;
	a->n_old++;
}

static COLD void clear(struct agent *a)
{
	u32 i;

	for (i = 0; i < N_PAGES; i++) {
		memset(a->pages[i].starts, 0, sizeof(a->pages[i].starts));
		a->pages[i].blocks = 0;
	}
	memset(a->blocks, 0, N_BLOCKS * sizeof(*a->blocks));
	a->n_blocks = 0;
}

/* Begin a new epoch. If there is no memory for it, the old one continues. */
static COLD void begin_anew(struct agent *a, u64 ip)
{
	struct stretch *s = stretch_new(a, ip, N_STRETCHES);
	u32 i;

	if (!s)
		return;
	a->epoch++;
	fill_targets(a, s);
	for (i = 0; i < a->n_stretches; i++)
		if (&a->stretches[i] != s && stretch_is_used(&a->stretches[i]))
			leave_stretch(a, &a->stretches[i]);
	clear(a);
}

static COLD void drop_all(struct agent *a)
{
	u32 i;

	for (i = 0; i < a->n_stretches; i++)
		stretch_drop(&a->stretches[i]);
}

/* Memory that is mapped twice is the parent's. */
COLD void cache_forked(struct agent *a, u64 ip)
{
	if (!a->twice)
		return;
	drop_all(a);
	a->n_old = 0;
	clear(a);
	begin_anew(a, ip);
}

/* The thread will look up 'ip' and continue in the current epoch. */
static struct agent *begin(struct agent_thread *t, u64 ip)
{
	struct agent *a = t->agent;

	a->now = t;
	if (a->n_old)
		stretch_give_back(a);
	if (stretch_used(a) > (u64)CACHE_MAX >> a->less || a->n_blocks > N_BLOCKS / 4 * 3)
		begin_anew(a, ip);
	__atomic_store_n(&t->epoch, a->epoch, __ATOMIC_RELEASE);
	if (t->calls_epoch != a->epoch)
		ring_forget_calls(t);
	return a;
}

void cache_leave(struct agent_thread *t)
{
	__atomic_store_n(&t->epoch, ~0u, __ATOMIC_RELEASE);
}

/* Make a block of at most 'max' instructions. False if there is no code. */
static bool make(struct agent *a, u64 ip, u32 max, struct stretch **s, struct block *b)
{
	u8 *hot = ((struct scratch *)a->scratch)->hot;
	struct origin from;
	struct translate t;
	u8 copy[PAGE_CODE];
	bool shared, compares;
	u32 size;

	if (!origin_open(&from, a, ip, copy))
		return false;
	compares = b->unsure && !from.copy;
	if (compares)
		origin_copy(&from, copy);
	if (CONFIG_SOFT_SPEED)
		fetch_place(a, ip);
	shared = REUSE && max == TRANSLATE_MAX && !from.may_change && a->n_blocks < REUSE_BLOCKS;
	*s = stretch_for(a, ip);
	a->now->no_room = *s ? AGENT_CAN : AGENT_ROOM;
	a->sure = false;
	if (!*s)
		return false;
	__atomic_fetch_add(&a->shared->blocks, 1, __ATOMIC_RELAXED);
	if (CONFIG_SOFT_SPEED && !a->less)
		stretch_prepare(*s);
	b->ip = ip;
	if (shared && reuse_block(a, *s, b, origin_fetch(&from, ip)))
		return true;
	b->hot = (*s)->hot;
	do {
		setup(&t, &from, *s);
		t.hot.to = hot;
		t.max = max;
		t.stores_end = b->unsure;
		t.compares = compares;
		t.exits = CONFIG_SOFT_SPEED ? a->exits : NULL;
		if (!translate_block(&t))
			return false;
	} while (t.int3 && !from.copy && origin_of_file(&from, copy));
	size = (t.span + 7) & ~7u;
	memcpy(t.cold.to - size, origin_fetch(&from, ip).at, t.span);
	(*s)->hot = (t.hot.at - (*s)->at + 15) & ~15u;
	b->cold = (*s)->cold = t.cold.at - size - (*s)->at;
	own_copy(stretch_code(*s, b->hot).to, hot, (*s)->hot - b->hot);
	b->checked = t.checked - (*s)->at - b->hot;
	b->entry = t.entry - (*s)->at - b->hot;
	b->n = t.n;
	b->span = t.span;
	b->calls = t.n_backs > 0;
	b->flags = t.flags;
	b->brief = t.brief;
	b->compares = t.compares;
	if (maps_made(a, ip) || maps_made(a, ip + t.span - 1)) {
		ring_write_code(a->now, ip, copy_of(*s, b), t.span);
		if (guard_of(a, ip)->rewritten)
			ring_new_code(a->now);
	}
	if (CONFIG_SOFT_SPEED) {
		a->n_exits = t.n_exits;
		a->sure = t.sure;
	}
	if (shared)
		reuse_offer(a, *s, b, &t, origin_fetch(&from, ip));
	return true;
}

/* The code at 'ip' cannot change unseen. (After mremap(), its rights are not known yet.) */
static bool is_sure(struct agent *a, u64 ip)
{
	u64 page = ip & ~(u64)(PAGE - 1);

	if (!maps_code(a, ip).len || guard_changing(a, page, page + PAGE_CODE))
		return false;
	return !maps_writable(a, ip) || guard_page(a, ip);
}

/* An address within 2 GiB of 'near' that leads to 'to': 'to' itself, or a jump there. */
static COLD u64 within_reach(struct agent *a, u64 near, u64 to, u64 ip)
{
	struct stretch *s = stretch_at(a, near);
	struct translate_code c;
	i64 far = to - near;
	u8 jump[16] = { 0xff, 0x25, 0, 0, 0, 0 };

	if (far == (i32)far && far + STRETCH_SIZE == (i32)(far + STRETCH_SIZE) &&
	    far - STRETCH_SIZE == (i32)(far - STRETCH_SIZE))
		return to;
	if (!stretch_has_room(s))
		return 0;
	s->cold -= 16;
	add(s, &(struct block){
		.ip = ip, .cold = s->cold, .hot = s->hot, .kind = BRIDGE,
	});
	c = stretch_code(s, s->cold);
	memcpy(jump + 6, &to, 8);
	memcpy(c.to, jump, sizeof(jump));
	return c.at;
}

/* Must the agent compare the block's code each time? Then nothing links to the block. */
static bool is_looked_at(const struct block *b)
{
	return b->unsure && !b->compares;
}

/* Link an exit to a block. If several threads come from one exit at the same time, the first links
 * it. */
static u64 link(struct agent *a, struct translate_exit *x, struct stretch *s, struct block *b)
{
	u64 entry = s->at + b->hot + b->entry, to;
	const struct stretch *own = stretch_at(a, (u64)x);

	if (is_looked_at(b) || x->linked || !stretch_is_used(own))
		return entry;
	/* Where code has changed, a stamp must come first: see ring_new_code(). */
	to = x->checked > b->brief || guard_of(a, b->ip)->rewritten ?
		s->at + b->hot + b->checked : entry;
	to = within_reach(a, (u64)x, to, x->ip);
	if (to) {
		u64 off = own->to - own->at;

		x = (struct translate_exit *)((u64)x + off);
		x->next = b->links;
		x->linked = true;
		b->links = (own - a->stretches) * STRETCH_SIZE + ((u64)x - own->to);
		translate_link(x, to + off);
	}
	return entry;
}

/* Link the exits of a new block whose targets exist. */
static void link_exits(struct agent *a)
{
	struct stretch *s;
	struct block *b;
	u32 i;

	for (i = 0; i < a->n_exits; i++) {
		b = block_of(a, a->exits[i]->ip, &s);
		if (b)
			link(a, a->exits[i], s, b);
	}
}

/* Make a block. Its last instruction may continue in the next page. Then that page is guarded, too,
 * and the code is compared once more, since it was read before the guard. */
static COLD struct block *make_block(struct agent *a, u64 ip, struct stretch **s)
{
	u64 next = (ip & ~(u64)(PAGE - 1)) + PAGE;
	struct block b = { .unsure = !is_sure(a, ip) }, *made;
	u32 i;

	if (!make(a, ip, b.unsure ? UNSURE_MAX : TRANSLATE_MAX, s, &b))
		return NULL;
	if (!b.unsure && ip + b.span > next && maps_writable(a, next) &&
	    (!guard_page(a, next) || !is_same(a, *s, &b))) {
		b.dead = true;
		add(*s, &b);
		b = (struct block){ .unsure = true };
		if (!make(a, ip, UNSURE_MAX, s, &b))
			return NULL;
	}
	/* pt has recorded these bytes. Before a block of other bytes runs here again, those are
	 * recorded again. */
	if (maps_made(a, ip) || maps_made(a, ip + b.span - 1))
		forget(a, ip, ip + b.span, true);
	for (i = 0; CONFIG_SOFT_SPEED && i < a->n_exits; i++) {
		fetch_place(a, a->exits[i]->ip);
		agent_fetch(a->exits[i]->ip);
	}
	made = remember(a, *s, &b);
	if (CONFIG_SOFT_SPEED)
		link_exits(a);
	return made;
}

/* Make a block, and those to which it leads for sure: the thread need not come here for them. Not
 * of code that is in no file, since make() records that this runs now. */
static COLD struct block *make_chain(struct agent *a, u64 ip, struct stretch **s)
{
	struct block *first = make_block(a, ip, s), *b = first;
	struct translate_exit *x = a->exits[0];
	struct stretch *next;
	u32 i;

	for (i = 1; b && a->sure && i < CHAIN && !maps_made(a, x->ip) &&
	     !block_of(a, x->ip, &next); i++) {
		b = make_block(a, x->ip, &next);
		if (b)
			link(a, x, next, b);
		x = a->exits[0];
	}
	if (first)
		a->now->no_room = AGENT_CAN;
	return first;
}

COLD u64 cache_single(struct agent_thread *t, u64 ip)
{
	struct agent *a = begin(t, ip);
	struct block b = { .dead = true };
	struct stretch *s;

	if (!make(a, ip, 1, &s, &b))
		return 0;
	add(s, &b);
	return s->at + b.hot + b.entry;
}

/* May an unsure block be entered once more? If blocks of its page were often looked up, and never
 * changed, the page gets a guard again. */
static COLD bool is_valid(struct agent *a, const struct stretch *s, const struct block *b)
{
	struct page *p = guard_of(a, b->ip);

	if (!b->unsure)
		return true;
	if (!is_same(a, s, b)) {
		p->looks = 0;
		return false;
	}
	if (++p->looks < LOOKS)
		return true;
	p->looks = p->written = 0;
	if (!is_sure(a, b->ip))
		return true;
	cache_forget(a, b->ip & -(u64)PAGE, (b->ip | (PAGE - 1)) + 1);
	return false;
}

/* The block of 'ip', translated if necessary; NULL if there is no code. */
static struct block *block_for(struct agent *a, u64 ip, struct stretch **s)
{
	struct block *b;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		b = block_of(a, ip, s);
		if (!b)
			b = CONFIG_SOFT_SPEED ? make_chain(a, ip, s) : make_block(a, ip, s);
		if (!b || is_valid(a, *s, b))
			return b;
		cache_forget(a, ip, ip + 1);
	}
	return b;
}

u64 cache_entry(struct agent_thread *t, u64 ip)
{
	struct stretch *s;
	struct block *b = block_for(begin(t, ip), ip, &s);

	return b ? s->at + b->hot + b->entry : 0;
}

COLD void cache_sample(struct agent *a, u64 ip)
{
	struct page *p = guard_of(a, ip);

	p->looks = MIN(p->looks + SAMPLE, LOOKS);
}

u64 cache_link(struct agent_thread *t, struct translate_exit *x)
{
	struct agent *a = begin(t, x->ip);
	struct stretch *s;
	struct block *b = block_for(a, x->ip, &s);

	return b ? link(a, x, s, b) : 0;
}

u64 cache_target(struct agent_thread *thread, u64 ip)
{
	struct agent *a = begin(thread, ip);
	u64 *place = &a->targets[ip % N_TARGETS];
	struct translate_exit *x;
	struct stretch *s;
	struct block *b = block_for(a, ip, &s), *stub;
	struct origin from = { .a = a, .ip = ip };
	struct translate t;

	if (!b)
		return 0;
	if (is_looked_at(b) || !stretch_has_room(s))
		return s->at + b->hot + b->entry;
	setup(&t, &from, s);
	x = translate_stub(&t, *place);
	s->cold = t.cold.at - s->at;
	stub = add(s, &(struct block){ .ip = ip, .hot = s->hot, .cold = s->cold, .kind = STUB });
	s->hot = (t.hot.at - s->at + 15) & ~15u;
	__atomic_store_n(place, s->at + stub->hot, __ATOMIC_RELEASE);
	return link(a, x, s, b);
}

/* The way back. */

/* The block whose hot or cold part contains offset 'off'. */
static const struct block *block_at(const struct stretch *s, u32 off)
{
	bool hot = off >= s->middle;
	u32 lo = 0, hi = s->n;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		const struct block *b = &s->blocks[mid];

		if (hot ? b->hot <= off : b->cold > off)
			lo = mid + 1;
		else
			hi = mid;
	}
	lo -= hot;
	return lo < s->n ? &s->blocks[lo] : NULL;
}

/* Is it in the code of translate_enter()? */
static COLD bool find_enter(struct agent *a, const struct stretch *s, u64 at,
		       struct translate_state *state)
{
	u8 code[TRANSLATE_ENTER];
	struct translate t = stretch_enter(a, s, code);

	t.find = at;
	translate_enter(&t, 0);
	*state = t.state;
	return t.found;
}

COLD bool cache_find(struct agent *a, u64 at, struct translate_state *state)
{
	struct stretch *s = stretch_at(a, at);
	const struct block *b = s ? block_at(s, at - s->at) : NULL;
	struct scratch scratch;
	struct translate t;

	if (s && at - s->at - s->middle < TRANSLATE_ENTER)
		return find_enter(a, s, at, state);
	if (!b)
		return false;
	*state = (struct translate_state){ .ip = b->ip };
	if (b->kind == BRIDGE)
		return true;
	again(&t, a, s, b, &scratch);
	t.find = at;
	if (b->kind == BLOCK)
		translate_block(&t);
	else
		translate_stub(&t, 0);
	*state = t.state;
	return t.found;
}

/* Code that changes: see guard.c. */

COLD bool cache_has(const struct agent *a, u64 from, u64 to)
{
	u64 n, page = first_page(from, to, &n);

	for (; n; n--, page++)
		if (a->pages[page % N_PAGES].blocks)
			return true;
	return false;
}

COLD void cache_forget(struct agent *a, u64 from, u64 to)
{
	forget(a, from, to, false);
}

/* Opening. */

COLD void cache_close(struct agent *a)
{
	if (REUSE)
		reuse_close(a);
	drop_all(a);
	sys_unmap(a->targets, TABLES_SIZE);
}

COLD bool cache_open(struct agent *a, u64 ip)
{
	struct stretch *s;
	u64 at = 0x7f000000;

	while (!sys_map_at(at, TABLES_SIZE, RW)) {
		at -= 0x1000000;
		if (at <= 0x10000000)
			return false;
	}
	a->targets = (u64 *)at;
	a->blocks = (u32 *)(a->targets + N_TARGETS);
	a->ranges = (struct range *)(a->blocks + N_BLOCKS);
	a->near = (struct reuse_near *)(a->ranges + N_RANGES);
	/* If there are no huge pages, map only the table of targets: fill_targets() writes it. */
	if (CONFIG_SOFT_SPEED && !a->less)
		sys_try(NR_MADVISE, at, TABLES_SIZE, HUGEPAGE, 0);
	sys_try(NR_MADVISE, at, N_TARGETS * 8, POPULATE_WRITE, 0);
	maps_read(a);
	s = stretch_new(a, ip, N_STRETCHES);
	if (!s)
		return false;
	a->epoch = 1;
	fill_targets(a, s);
	if (REUSE && !a->less)
		reuse_open(a);
	return true;
}
