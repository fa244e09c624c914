/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cycles of branches to those of blocks.
 */
#include <pt/branch_blocks.h>

struct function {
	struct hashed in;
	const struct symbol *sym;
	struct branch_block *blocks;
	bool listed;
};

static struct function *function_of(struct branch_blocks *b, const struct symbol *sym, bool add)
{
	u64 hash = hash_mix(0, (uintptr_t)sym);
	struct function *f;
	struct hashed *in;

	for (in = hash_first(&b->functions, hash); in; in = in->next) {
		f = (struct function *)in;
		if (f->sym == sym)
			return f;
	}
	if (!add)
		return NULL;
	f = NEW(b->arena, struct function, 1);
	f->in.hash = hash;
	f->sym = sym;
	hash_put(b->arena, &b->functions, &f->in);
	return f;
}

static struct branch_block *block_of(struct branch_blocks *b, const struct frame *from, u64 end)
{
	u64 hash = hash_mix(hash_mix(0, (uintptr_t)from->sym), end);
	struct branch_block *block;
	struct function *f;
	struct hashed *in;

	for (in = hash_first(&b->blocks, hash); in; in = in->next) {
		block = (struct branch_block *)in;
		if (block->sym == from->sym && block->end == end)
			return block;
	}
	block = NEW(b->arena, struct branch_block, 1);
	block->in.hash = hash;
	block->map = from->map;
	block->sym = from->sym;
	block->end = end;
	f = function_of(b, from->sym, true);
	block->next = f->blocks;
	f->blocks = block;
	hash_put(b->arena, &b->blocks, &block->in);
	return block;
}

void branch_blocks_add(struct branch_blocks *b, const struct frame *from, u64 addr,
		       const struct frame *start, u64 start_addr, u64 cycles)
{
	bool started = start && start->sym == from->sym && start_addr < addr;
	struct branch_block *block;
	u64 at;

	if (!cycles || !from->sym)
		return;
	block = block_of(b, from, addr - from->sym->start);
	block->cycles += cycles;
	block->n++;
	at = started ? start_addr - from->sym->start : 0;
	if (!started || (block->started && block->start <= at))
		return;
	block->started = true;
	block->start = at;
}

/* Shares are compared as perf does, in thousandths of a percent. */
static i64 share(const struct branch_blocks *b, const struct branch_block *x)
{
	return b->cycles ? (double)x->cycles / (double)b->cycles * 100000.0 : 0;
}

static i64 compare(const struct branch_blocks *b, const struct branch_block *x,
		   const struct branch_block *y)
{
	i64 less = share(b, y) - share(b, x);

	if (!less)
		less = strcmp(y->sym->name, x->sym->name);
	if (!less)
		less = x->start < y->start ? -1 : x->start > y->start;
	return less ? less : x->end < y->end ? -1 : x->end > y->end;
}

/* Heap sort: 'at' is above smaller ones. */
static void sift(const struct branch_blocks *b, u32 at, u32 n)
{
	struct branch_block **all = b->sorted, *block = all[at];
	u32 below;

	while ((below = 2 * at + 1) < n) {
		if (below + 1 < n && compare(b, all[below], all[below + 1]) < 0)
			below++;
		if (compare(b, all[below], block) <= 0)
			break;
		all[at] = all[below];
		at = below;
	}
	all[at] = block;
}

static void sort(struct branch_blocks *b)
{
	struct branch_block *last;
	u32 i;

	for (i = b->n / 2; i--;)
		sift(b, i, b->n);
	for (i = b->n; i-- > 1;) {
		last = b->sorted[i];
		b->sorted[i] = b->sorted[0];
		b->sorted[0] = last;
		sift(b, 0, i);
	}
}

void branch_blocks_sort(struct branch_blocks *b, const struct hist *h)
{
	struct branch_block *block;
	struct function *f;
	struct hashed *in;
	u32 i;

	b->n = b->average = 0;
	b->sorted = NEW(b->arena, struct branch_block *, b->blocks.n);
	for (i = 0; i < b->functions.room; i++)
		for (in = b->functions.at[i]; in; in = in->next)
			((struct function *)in)->listed = false;
	for (i = 0; i < h->entries.n; i++) {
		f = function_of(b, h->sorted[i]->at.sym, false);
		if (!f || f->listed)
			continue;
		f->listed = true;
		for (block = f->blocks; block; block = block->next) {
			b->sorted[b->n++] = block;
			b->average += block->cycles / block->n;
		}
	}
	sort(b);
}
