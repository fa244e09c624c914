/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for the code cache, in stretches near the code that they are for.
 */
#include <pt/config/SOFT_FILTERS.h>

#include "own.h"

enum { MB = 1 << 20, HUGE = 2 * MB, RW = 3, RX = 5, RWX = 7, NEAR = 0x70000000 };
enum { NR_MPROTECT = 10, NR_MREMAP = 25, NR_MADVISE = 28 };
enum { HUGEPAGE = 14, POPULATE_WRITE = 23, REMAP_FIXED = 3, ENOSYS = 38, TWICE = 1 };
enum { CHUNK = 64 << 10 };	/* bytes of code that are mapped at once */
enum { BLOCKS_CHUNK = 512 };	/* entries of stretch.blocks that are mapped at once */
enum { BLOCKS_MORE = 4 };	/* entries that must be mapped before a block is made */

const struct translate_offsets stretch_offsets = {
	.ring = offsetof(struct agent_thread, ring), .limit = offsetof(struct agent_thread, limit),
	.below = offsetof(struct agent_thread, below), .r11 = offsetof(struct agent_thread, r11),
	.spill = offsetof(struct agent_thread, spill),
	.calls = offsetof(struct agent_thread, calls), .top = offsetof(struct agent_thread, top),
	.gs = offsetof(struct agent_thread, gs),
};

/* For 32-bit code it is below the agent's own memory. */
#define LOWEST (SYS_OWN_32 - N_STRETCHES * STRETCH_SIZE)

/* Emitted code expects that all of it has the same upper 32 bits. If memory that is executed may
 * not be written (PR_SET_MDWE, or a filter), it is shared memory, which can be mapped once more. */
static COLD u64 map_at(u64 at, u64 size)
{
	if ((at ^ (at + size - 1)) >> 32)
		return 0;
	if (sys_map_at(at, size, RWX))
		return at;
	return sys_map_at(at, size, RX) ? at + TWICE : 0;
}

/* Find free memory near 'ip' in a place that the program will hardly use: above libraries, between
 * them and the stack, or else far below. The last resort is any gap: Java has little else, since
 * each of its threads may reserve 64 MiB. */
static COLD u64 room_find(u64 ip, u64 size)
{
	u64 base = ip & ~(u64)(HUGE - 1), at, step;

	if (TRANSLATE_NARROW) {
		for (at = SYS_OWN_32 - size; !sys_map_at(at, size, RWX); at -= size)
			if (at < LOWEST)
				return 0;
		return at;
	}
	for (step = 4 * MB; step < 100 * (u64)MB; step += 8 * MB)
		if (ip >> 40 == 0x7f && (at = map_at(base + step, size)))
			return at;
	for (step = 64 * MB; step < NEAR; step += 64 * MB) {
		if (base > step + 16 * MB && (at = map_at(base - step, size)))
			return at;
		if (ip >> 40 != 0x7f && (at = map_at(base + NEAR - step, size)))
			return at;
	}
	for (step = 4 * MB; step < NEAR - size; step += 4 * MB)
		if ((base > step + 16 * MB && (at = map_at(base - step, size))) ||
		    (at = map_at(base + step, size)))
			return at;
	return 0;
}

static bool reaches(const struct stretch *s, u64 ip)
{
	u64 lo = MIN(s->at, ip), hi = MAX(s->at + s->size, ip);

	return TRANSLATE_NARROW || hi - lo < NEAR;
}

struct translate stretch_enter(struct agent *a, const struct stretch *s, u8 *to)
{
	return (struct translate){ .hot = { s->at + s->middle, to }, .enter = s->at + s->middle,
				   .off = stretch_offsets, .table = (u32)(u64)a->targets };
}

static u32 most_blocks(u64 size)
{
	return size / (STRETCH_SIZE / STRETCH_BLOCKS);
}

static COLD void unmap_stretch(struct stretch *s, u32 size)
{
	sys_unmap((void *)s->at, size);
	if (s->to != s->at)
		sys_unmap((void *)s->to, size);
	sys_unmap(s->blocks, most_blocks(size) * sizeof(struct block));
	s->at = s->to = 0;
}

/* Map the memory. False if there is none. */
static COLD bool map_stretch(struct agent *a, struct stretch *s, u64 ip, u32 size)
{
	u64 at = room_find(ip, size);
	bool twice = at % PAGE;

	s->at = s->to = at - twice;
	s->blocks = at ? sys_map(most_blocks(size) * sizeof(struct block)) : NULL;
	if (twice)		/* a filter may send a signal for mremap() */
		s->to = sys_try(NR_MREMAP, 0, 0, 0, 0) == -ENOSYS ? 0 :
			sys_call(NR_MREMAP, s->at, 0, size, REMAP_FIXED, (u64)sys_map(size), 0);
	a->twice |= twice;
	if (s->blocks && (!twice || !sys_call(NR_MPROTECT, s->to, size, RW, 0, 0, 0)))
		return true;
	unmap_stretch(s, size);
	return false;
}

COLD struct stretch *stretch_new(struct agent *a, u64 ip, u32 most)
{
	u32 size = STRETCH_SIZE >> a->less;
	struct stretch *s = a->stretches;
	struct translate t;

	if (CONFIG_SOFT_FILTERS && a->mute)
		return NULL;
	while (s < a->stretches + most && s->size)
		s++;
	if (s == a->stretches + most || !map_stretch(a, s, ip, size))
		return NULL;
	s->middle = size / 2 + size / 16;
	s->ready_cold = s->ready_hot = s->middle;
	/* The only one of small programs, or a part of a large one's. */
	if (!a->less && (!a->n_stretches || maps_code(a, ip).len > MB)) {
		s->ready_cold -= HUGE / 2;
		s->ready_hot += HUGE / 2;
		sys_try(NR_MADVISE, s->to + s->ready_cold, HUGE, HUGEPAGE, 0);
	}
	s->size = size;
	s->old = s->n = s->ready_n = 0;
	a->n_stretches = MAX(a->n_stretches, s - a->stretches + 1);
	s->cold = s->middle;
	s->hot = s->middle + TRANSLATE_ENTER;
	t = stretch_enter(a, s, stretch_code(s, s->middle).to);
	s->enter = translate_enter(&t, OWN_ENTRY(agent_enter));
	return s;
}

/* Map memory before it is used. In some virtual machines (PVM), the fault for a page takes 20 us,
 * and the first use of a page that is mapped already 12 us. A huge page takes only 150 us there,
 * or 7 ms if the host has to find memory for it: use one where all of it will be used. */
static COLD void ready(u64 at, u32 size)
{
	if (size == HUGE)
		sys_try(NR_MADVISE, at, size, HUGEPAGE, 0);
	sys_try(NR_MADVISE, at, size, POPULATE_WRITE, 0);
}

/* The first MiB of both parts is in small pages, or in the page of stretch_new(). */
void stretch_prepare(struct stretch *s)
{
	const u8 *at = (const u8 *)s->to;
	u32 i, size;

	if (s->hot + TRANSLATE_HOT > s->ready_hot) {
		size = s->ready_hot % HUGE ? CHUNK : HUGE;
		ready(s->to + s->ready_hot, size);
		s->ready_hot += size;
	}
	if (s->cold - TRANSLATE_COLD < s->ready_cold) {
		size = s->ready_cold % HUGE ? CHUNK : HUGE;
		s->ready_cold -= size;
		ready(s->to + s->ready_cold, size);
	}
	if (s->n + BLOCKS_MORE > s->ready_n) {
		ready((u64)(s->blocks + s->ready_n), BLOCKS_CHUNK * sizeof(struct block));
		s->ready_n += BLOCKS_CHUNK;
	}
	for (i = 0; i < 256; i += 64) {
		__builtin_prefetch(at + s->hot + i, 1);
		__builtin_prefetch(at + s->cold - 64 - i, 1);
	}
	__builtin_prefetch(&s->blocks[s->n + 2], 1);
}

bool stretch_has_room(const struct stretch *s)
{
	return s->size - s->hot > TRANSLATE_HOT && s->cold > TRANSLATE_COLD + PAGE_CODE &&
	       s->n < most_blocks(s->size) - 2;
}

u32 stretch_cold(const struct stretch *s, u32 n)
{
	return n ? s->blocks[n - 1].cold : s->middle;
}

bool stretch_is_used(const struct stretch *s)
{
	return s->size && !s->old;
}

/* One near 'ip' if possible: then operands relative to RIP are copied as they are. One is left for
 * the next epoch. */
struct stretch *stretch_for(struct agent *a, u64 ip)
{
	struct stretch *far = NULL, *s;
	u32 i;

	for (i = 0; i < a->n_stretches; i++) {
		s = &a->stretches[i];
		if (!stretch_is_used(s) || !stretch_has_room(s))
			continue;
		if (reaches(s, ip))
			return s;
		far = s;
	}
	s = stretch_new(a, ip, N_STRETCHES - 1);
	return s ? s : far;
}

struct stretch *stretch_at(struct agent *a, u64 at)
{
	u32 i;

	for (i = 0; i < a->n_stretches; i++)
		if (at - a->stretches[i].at < a->stretches[i].size)
			return &a->stretches[i];
	return NULL;
}

COLD void stretch_drop(struct stretch *s)
{
	if (s->size)
		unmap_stretch(s, s->size);
	s->size = s->old = s->n = 0;
}

/* The earliest epoch whose code a thread may run. */
static u32 first_epoch(const struct agent *a)
{
	u32 n = agent_taken(a), first = a->epoch, i;

	for (i = 0; i < n; i++) {
		const struct agent_thread *t = agent_slot(a->shared, i);

		if (t->space == a->space && t->state != SLOT_FREE)
			first = MIN(first, __atomic_load_n(&t->epoch, __ATOMIC_ACQUIRE));
	}
	return first;
}

COLD void stretch_give_back(struct agent *a)
{
	u32 first = first_epoch(a), i;

	for (i = 0; i < a->n_stretches; i++) {
		struct stretch *s = &a->stretches[i];

		if (!s->old || s->old > first)
			continue;
		stretch_drop(s);
		a->n_old--;
	}
}

COLD u64 stretch_used(const struct agent *a)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < a->n_stretches; i++) {
		const struct stretch *s = &a->stretches[i];

		if (stretch_is_used(s))
			n += s->hot - s->cold + s->n * sizeof(struct block);
	}
	return n;
}
