/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code cache: from the program's addresses to the cache's, and back.
 *
 * Code with RIP-relative operands must be within 2 GiB of them, so each group of modules of the
 * program has its own stretch of the cache. In a stretch, blocks grow up from the start; code that
 * rarely runs, exits and constants grow down from the end.
 *
 * When the cache is full, a new epoch begins in other stretches. All blocks are unlinked, so that
 * every thread calls the agent at the end of its block. Each thread has the epoch of the code that
 * it may run. Old stretches are unmapped when all threads have a later epoch.
 */
#include "own.h"

enum { MB = 1 << 20, RW = 3, RWX = 7, NEAR = 0x70000000 };
enum { UNSURE_MAX = 8, AHEAD = 32 << 10 };
enum { NR_MADVISE = 28, DONTNEED = 4, POPULATE_WRITE = 23 };

static const struct translate_offsets offsets = {
	.ring = offsetof(struct agent_thread, ring), .limit = offsetof(struct agent_thread, limit),
	.below = offsetof(struct agent_thread, below), .r11 = offsetof(struct agent_thread, r11),
	.spill = offsetof(struct agent_thread, spill),
	.calls = offsetof(struct agent_thread, calls), .top = offsetof(struct agent_thread, top),
};

/* -- Stretches ----------------------------------------------------------------------- */

/* Find free memory near 'ip' in a place that the program will hardly use: above libraries, between
 * them and the stack, or else far below. */
static u64 find_room(u64 ip, u64 size)
{
	u64 base = ip & ~(u64)(MB - 1), at, step;

	for (step = 4 * MB; step < 100 * (u64)MB; step += 8 * MB)
		if (ip >> 40 == 0x7f && (at = sys_map_at(base + step, size, RWX)))
			return at;
	for (step = 64 * MB; step < NEAR; step += 64 * MB) {
		if (base > step + 16 * MB && (at = sys_map_at(base - step, size, RWX)))
			return at;
		if (ip >> 40 != 0x7f && (at = sys_map_at(base + NEAR - step, size, RWX)))
			return at;
	}
	return 0;
}

static bool reaches(const struct stretch *s, u64 ip)
{
	u64 lo = MIN(s->at, ip), hi = MAX(s->at + s->size, ip);

	return hi - lo < NEAR;
}

static struct translate enter_of(struct agent *a, const struct stretch *s, u8 *to)
{
	return (struct translate){ .hot = { s->at, to }, .enter = s->at, .off = offsets,
				   .table = (u32)(u64)a->targets };
}

static struct stretch *new_stretch(struct agent *a, u64 ip)
{
	struct stretch *s = a->stretches;
	struct translate t;

	while (s < a->stretches + N_STRETCHES && s->size)
		s++;
	if (s == a->stretches + N_STRETCHES)
		return NULL;
	s->at = find_room(ip, STRETCH_SIZE);
	if (!s->at)
		return NULL;
	s->blocks = sys_map(STRETCH_BLOCKS * sizeof(struct block));
	if (!s->blocks) {
		sys_unmap((void *)s->at, STRETCH_SIZE);
		return NULL;
	}
	s->size = STRETCH_SIZE;
	s->old = s->n = 0;
	a->n_stretches = MAX(a->n_stretches, s - a->stretches + 1);
	s->hot = TRANSLATE_ENTER;
	s->cold = s->cold_pages = s->size;
	s->hot_pages = 0;
	t = enter_of(a, s, (u8 *)s->at);
	s->enter = translate_enter(&t, (u64)agent_text);
	return s;
}

static bool has_room(const struct stretch *s)
{
	return s->cold - s->hot > TRANSLATE_HOT + TRANSLATE_COLD && s->n < STRETCH_BLOCKS - 2;
}

static bool is_used(const struct stretch *s)
{
	return s->size && !s->old;
}

static struct stretch *stretch_for(struct agent *a, u64 ip)
{
	u32 i;

	for (i = 0; i < a->n_stretches; i++)
		if (is_used(&a->stretches[i]) && reaches(&a->stretches[i], ip) &&
		    has_room(&a->stretches[i]))
			return &a->stretches[i];
	return new_stretch(a, ip);
}

static struct stretch *stretch_at(struct agent *a, u64 at)
{
	u32 i;

	for (i = 0; i < a->n_stretches; i++)
		if (at - a->stretches[i].at < a->stretches[i].size)
			return &a->stretches[i];
	return NULL;
}

/* -- The table of blocks ------------------------------------------------------------- */

static u32 *place_of(const struct agent *a, u64 ip)
{
	u32 i = (ip / 8 ^ ip >> 24) % N_BLOCKS;		/* neighbours share pages of the table */

	for (;; i = (i + 1) % N_BLOCKS) {
		u32 v = a->blocks[i];

		if (!v || a->stretches[v >> 24].blocks[(v & 0xffffff) - 1].ip == ip)
			return &a->blocks[i];
	}
}

static struct block *block_of(const struct agent *a, u64 ip, struct stretch **s)
{
	u32 v = *place_of(a, ip);
	struct block *b;

	if (!v)
		return NULL;
	*s = (struct stretch *)&a->stretches[v >> 24];
	b = &(*s)->blocks[(v & 0xffffff) - 1];
	return b->dead ? NULL : b;
}

static struct block *remember(struct agent *a, struct stretch *s, struct block b)
{
	s->blocks[s->n++] = b;
	*place_of(a, b.ip) = (u32)(s - a->stretches) << 24 | s->n;
	return &s->blocks[s->n - 1];
}

/* -- Translating --------------------------------------------------------------------- */

static struct bytes fetch(void *who, u64 ip)
{
	return maps_code(who, ip);
}

static bool stop(void *who, u64 ip)
{
	struct stretch *s;

	return block_of(who, ip, &s);
}

static struct translate setup(struct agent *a, const struct stretch *s, u64 ip)
{
	return (struct translate){
		.ip = ip, .enter = s->at, .table = (u32)(u64)a->targets, .max = TRANSLATE_MAX,
		.hot = { s->at + s->hot, (u8 *)s->at + s->hot },
		.cold = { s->at + s->cold, (u8 *)s->at + s->cold }, .off = offsets,
		.calls = !(a->shared->flags & AGENT_NOCALLS), .fetch = fetch, .stop = stop,
		.who = a,
	};
}

static u32 sum_of(const struct block *b)
{
	const u8 *code = (const u8 *)b->ip;
	u32 sum = 1, i;

	for (i = 0; i < b->span; i++)
		sum = sum * 31 + code[i];
	return sum;
}

/* -- Beginning anew ------------------------------------------------------------------ */

/* Clear the table of indirect branches. */
static void fill_targets(struct agent *a, const struct stretch *s)
{
	u32 i;

	for (i = 0; i < N_TARGETS; i++)
		__atomic_store_n(&a->targets[i], s->at + s->enter.miss, __ATOMIC_RELAXED);
	a->no_call = s->at + s->enter.no_call;
}

/* Unlink all exits that lead to the block. Threads inside run to its end. */
static void kill_block(struct agent *a, struct block *b)
{
	struct translate_exit *x, *next;

	for (x = (struct translate_exit *)b->links; x; x = next) {
		next = (struct translate_exit *)x->next;
		x->linked = false;
		translate_unlink(x);
	}
	b->links = 0;
	b->dead = true;
	a->live[b->ip / PAGE % N_PAGES]--;
}

static void leave_stretch(struct agent *a, struct stretch *s)
{
	u32 i;

	for (i = 0; i < s->n; i++)
		if (s->blocks[i].kind == BLOCK && !s->blocks[i].dead)
			kill_block(a, &s->blocks[i]);
	s->old = a->epoch;
	a->n_old++;
}

/* Begin a new epoch. If there is no memory for it, the old one continues. */
static void begin_anew(struct agent *a, u64 ip)
{
	struct stretch *s = new_stretch(a, ip);
	u32 i;

	if (!s)
		return;
	a->epoch++;
	fill_targets(a, s);
	for (i = 0; i < a->n_stretches; i++)
		if (&a->stretches[i] != s && is_used(&a->stretches[i]))
			leave_stretch(a, &a->stretches[i]);
	if (sys_call(NR_MADVISE, (u64)a->blocks, N_BLOCKS * 4, DONTNEED, 0, 0, 0))
		memset(a->blocks, 0, N_BLOCKS * 4);
}

/* The earliest epoch whose code a thread may run. */
static u32 first_epoch(const struct agent *a)
{
	u32 n = __atomic_load_n(&a->shared->taken, __ATOMIC_ACQUIRE), first = a->epoch, i;

	for (i = 0; i < n; i++) {
		const struct agent_thread *t = agent_slot(a->shared, i);

		if (t->space == a->space && t->state != SLOT_FREE)
			first = MIN(first, __atomic_load_n(&t->epoch, __ATOMIC_ACQUIRE));
	}
	return first;
}

static void drop_stretch(struct stretch *s)
{
	if (!s->size)
		return;
	sys_unmap((void *)s->at, s->size);
	sys_unmap(s->blocks, STRETCH_BLOCKS * sizeof(struct block));
	s->size = s->old = s->n = 0;
}

static void give_back(struct agent *a)
{
	u32 first = first_epoch(a), i;

	for (i = 0; i < a->n_stretches; i++) {
		struct stretch *s = &a->stretches[i];

		if (!s->old || s->old > first)
			continue;
		drop_stretch(s);
		a->n_old--;
	}
}

static u64 bytes_used(const struct agent *a)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < a->n_stretches; i++) {
		const struct stretch *s = &a->stretches[i];

		if (is_used(s))
			n += s->hot + s->size - s->cold + s->n * sizeof(struct block);
	}
	return n;
}

/* The thread will look up 'ip' and continue in the current epoch. */
static struct agent *begin(struct agent_thread *t, u64 ip)
{
	struct agent *a = t->agent;

	a->now = t;
	if (a->n_old)
		give_back(a);
	if (bytes_used(a) > CACHE_MAX)
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

/* Map pages that will be written soon: one call for eight pages, if the kernel supports it. */
static void populate(struct stretch *s)
{
	if (s->hot + TRANSLATE_HOT > s->hot_pages) {
		sys_call(NR_MADVISE, s->at + s->hot_pages, AHEAD, POPULATE_WRITE, 0, 0, 0);
		s->hot_pages += AHEAD;
	}
	if (s->cold < s->cold_pages + TRANSLATE_COLD) {
		s->cold_pages -= AHEAD;
		sys_call(NR_MADVISE, s->at + s->cold_pages, AHEAD, POPULATE_WRITE, 0, 0, 0);
	}
}

/* Translate a block of at most 'max' instructions. False if there is no code. */
static bool make(struct agent *a, u64 ip, u32 max, struct stretch **s, struct block *b)
{
	struct translate t;

	if (!maps_code(a, ip).len)
		return false;
	*s = stretch_for(a, ip);
	a->now->no_room = !*s;
	if (!*s)
		return false;
	populate(*s);
	b->ip = ip;
	b->hot = (*s)->hot;
	b->cold = (*s)->cold;
	t = setup(a, *s, ip);
	t.max = max;
	t.stores_end = b->unsure;
	if (!translate_block(&t))
		return false;
	(*s)->hot = (t.hot.at - (*s)->at + 15) & ~15u;
	(*s)->cold = t.cold.at - (*s)->at;
	b->checked = t.checked - (*s)->at - b->hot;
	b->entry = t.entry - (*s)->at - b->hot;
	b->n = t.n;
	b->span = t.span;
	if (maps_made(a, ip))
		ring_tell_code(a->now, ip, t.span);
	return true;
}

static struct block *make_block(struct agent *a, u64 ip, struct stretch **s)
{
	bool sure = !maps_writable(a, ip) || guard_page(a, ip);
	struct block b = { .unsure = !sure };

	if (!make(a, ip, sure ? TRANSLATE_MAX : UNSURE_MAX, s, &b))
		return NULL;
	if ((ip ^ (ip + b.span - 1)) / PAGE && maps_writable(a, ip + b.span - 1))
		b.unsure |= !guard_page(a, ip + b.span - 1);
	if (b.unsure)
		b.sum = sum_of(&b);
	a->live[ip / PAGE % N_PAGES]++;
	return remember(a, *s, b);
}

u64 cache_single(struct agent_thread *t, u64 ip)
{
	struct agent *a = begin(t, ip);
	struct block b = { .dead = true };
	struct stretch *s;

	if (!make(a, ip, 1, &s, &b))
		return 0;
	s->blocks[s->n++] = b;
	return s->at + b.hot + b.entry;
}

/* The block of 'ip', translated if necessary; NULL if there is no code. */
static struct block *block_for(struct agent *a, u64 ip, struct stretch **s)
{
	struct block *b = block_of(a, ip, s);

	if (b && b->unsure && sum_of(b) != b->sum) {
		kill_block(a, b);
		b = NULL;
	}
	return b ? b : make_block(a, ip, s);
}

u64 cache_entry(struct agent_thread *t, u64 ip)
{
	struct stretch *s;
	struct block *b = block_for(begin(t, ip), ip, &s);

	return b ? s->at + b->hot + b->entry : 0;
}

/* An address within 2 GiB of 'near' that leads to 'to': 'to' itself, or a jump there. */
static u64 within_reach(struct agent *a, u64 near, u64 to, u64 ip)
{
	struct stretch *s = stretch_at(a, near);
	struct translate_code c;
	i64 far = to - near;
	u8 jump[16] = { 0xff, 0x25, 0, 0, 0, 0 };

	if (far == (i32)far && far + STRETCH_SIZE == (i32)(far + STRETCH_SIZE) &&
	    far - STRETCH_SIZE == (i32)(far - STRETCH_SIZE))
		return to;
	if (!has_room(s))
		return 0;
	s->cold -= 16;
	s->blocks[s->n++] = (struct block){
		.ip = ip, .cold = s->cold + 16, .hot = s->hot, .kind = BLOCK_BRIDGE,
	};
	c = (struct translate_code){ s->at + s->cold, (u8 *)s->at + s->cold };
	memcpy(jump + 6, &to, 8);
	memcpy(c.to, jump, sizeof(jump));
	return c.at;
}

/* Link an exit to a block. A block whose code may change unseen is checked by the agent each time,
 * so nothing links to it. If several threads come from one exit at the same time, the first links
 * it. */
static u64 link(struct agent *a, struct translate_exit *x, struct stretch *s, struct block *b)
{
	u64 entry = s->at + b->hot + b->entry, to;

	if (b->unsure || x->linked || !is_used(stretch_at(a, (u64)x)))
		return entry;
	to = x->checked ? s->at + b->hot + b->checked : entry;
	to = within_reach(a, (u64)x, to, x->ip);
	if (to) {
		x->next = b->links;
		x->linked = true;
		b->links = (u64)x;
		translate_link(x, to);
	}
	return entry;
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
	struct block *b = block_for(a, ip, &s), stub;
	struct translate t;

	if (!b)
		return 0;
	if (b->unsure || !has_room(s))
		return s->at + b->hot + b->entry;
	stub = (struct block){ .ip = ip, .hot = s->hot, .cold = s->cold, .kind = BLOCK_STUB };
	t = setup(a, s, ip);
	x = translate_stub(&t, *place);
	s->blocks[s->n++] = stub;
	s->hot = (t.hot.at - s->at + 15) & ~15u;
	s->cold = t.cold.at - s->at;
	__atomic_store_n(place, s->at + stub.hot, __ATOMIC_RELEASE);
	return link(a, x, s, b);
}

/* -- The way back -------------------------------------------------------------------- */

/* The block whose hot or cold part contains offset 'off'. */
static const struct block *block_at(const struct stretch *s, u32 off)
{
	bool hot = off < s->hot;
	u32 lo = 0, hi = s->n;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		const struct block *b = &s->blocks[mid];

		if (hot ? b->hot <= off : b->cold > off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s->blocks[lo - 1] : NULL;
}

static bool never(void *who, u64 ip)
{
	return false;
}

/* Is it in the code of translate_enter()? */
static bool find_enter(struct agent *a, const struct stretch *s, u64 at,
		       struct translate_state *state)
{
	u8 code[TRANSLATE_ENTER];
	struct translate t = enter_of(a, s, code);

	t.find = at;
	translate_enter(&t, 0);
	*state = t.state;
	return t.found;
}

bool cache_find(struct agent *a, u64 at, struct translate_state *state)
{
	u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];
	struct stretch *s = stretch_at(a, at);
	const struct block *b = s ? block_at(s, at - s->at) : NULL;
	struct translate t;

	if (s && at - s->at < TRANSLATE_ENTER)
		return find_enter(a, s, at, state);
	if (!b)
		return false;
	*state = (struct translate_state){ .ip = b->ip };
	if (b->kind == BLOCK_BRIDGE)
		return true;
	t = setup(a, s, b->ip);
	t.stop = never;
	t.hot = (struct translate_code){ s->at + b->hot, hot };
	t.cold = (struct translate_code){ s->at + b->cold, cold + sizeof(cold) };
	t.max = b->n;
	t.find = at;
	if (b->kind == BLOCK)
		translate_block(&t);
	else
		translate_stub(&t, 0);
	*state = t.state;
	return t.found;
}

/* -- Code that changes --------------------------------------------------------------- */

static bool has_blocks(const struct agent *a, u64 from, u64 to)
{
	u64 page;

	if ((to - from) / PAGE >= N_PAGES)
		return true;
	for (page = (from - INSN_MAX) / PAGE; page <= to / PAGE; page++)
		if (a->live[page % N_PAGES])
			return true;
	return false;
}

void cache_forget(struct agent *a, u64 from, u64 to)
{
	u32 i, k;

	if (!has_blocks(a, from, to))
		return;
	for (i = 0; i < a->n_stretches; i++)
		for (k = 0; k < a->stretches[i].n; k++) {
			struct block *b = &a->stretches[i].blocks[k];

			if (b->ip < to && b->ip + b->span > from && !b->dead && b->kind == BLOCK)
				kill_block(a, b);
		}
}

/* -- Opening ------------------------------------------------------------------------- */

void cache_close(struct agent *a)
{
	u32 i;

	for (i = 0; i < a->n_stretches; i++)
		drop_stretch(&a->stretches[i]);
	sys_unmap(a->targets, N_TARGETS * 8);
	sys_unmap(a->blocks, N_BLOCKS * sizeof(*a->blocks));
	sys_unmap(a->ranges, N_RANGES * sizeof(*a->ranges));
}

bool cache_open(struct agent *a, u64 ip)
{
	struct stretch *s;
	u64 at;

	for (at = 0x7f000000; !a->targets && at > 0x10000000; at -= 0x1000000)
		a->targets = (u64 *)sys_map_at(at, N_TARGETS * 8, RW);
	a->blocks = sys_map(N_BLOCKS * sizeof(*a->blocks));
	a->ranges = sys_map(N_RANGES * sizeof(*a->ranges));
	if (!a->targets || !a->blocks || !a->ranges)
		return false;
	maps_read(a);
	s = new_stretch(a, ip);
	if (!s)
		return false;
	a->epoch = 1;
	/* Map all pages of the table at once, if the kernel can: 128 faults less for each
	 * program. */
	sys_call(NR_MADVISE, (u64)a->targets, N_TARGETS * 8, POPULATE_WRITE, 0, 0, 0);
	fill_targets(a, s);
	return true;
}
