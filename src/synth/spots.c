/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks and samples to instructions and functions.
 */
#include <elf.h>

#include <pt/arch.h>
#include <pt/sort.h>
#include <pt/spots.h>

void spots_add(struct spots *s, struct arena *arena, struct dso *dso, u64 addr, u64 off, u64 n,
	       u64 weight)
{
	u64 hash = hash_mix(hash_mix(1, (uintptr_t)dso), addr);
	struct hashed *in;
	struct spot *spot;

	s->n += n;
	s->weight += weight;
	for (in = hash_first(&s->table, hash); in; in = in->next) {
		spot = (struct spot *)in;
		if (spot->dso == dso && spot->addr == addr)
			goto found;
	}
	spot = NEW(arena, struct spot, 1);
	spot->in.hash = hash;
	spot->dso = dso;
	spot->addr = addr;
	spot->off = off;
	hash_put(arena, &s->table, &spot->in);
found:
	spot->n += n;
	spot->weight += weight;
}

bool spots_narrow(struct images *im, struct dso *dso)
{
	struct bytes file = dso ? dso_bytes(im, dso, 0) : (struct bytes){ 0 };

	return file.len > EI_CLASS && !memcmp(file.at, ELFMAG, SELFMAG) &&
	       file.at[EI_CLASS] == ELFCLASS32;
}

void spots_blocks(struct spots *s, struct images *im, struct arena *arena,
		  const struct blocks *blocks)
{
	const struct block *b;
	struct insn insn;

	for (b = blocks->first; b; b = b->next) {
		enum insn_mode mode = spots_narrow(im, b->dso) ? INSN_32 : INSN_64;
		struct bytes code = b->dso ? dso_bytes(im, b->dso, b->off) : (struct bytes){ 0 };
		u32 at = 0, i;

		for (i = 0; i + 1 < b->n && insn_decode(&insn, mode, code) > 0; i++) {
			spots_add(s, arena, b->dso, b->addr + at, b->off + at, b->count, b->count);
			code = bytes_skip(code, insn.len);
			at += insn.len;
		}
		/* The last one, and all that cannot be read. */
		spots_add(s, arena, b->dso, b->addr + at, b->off + at, b->count * (b->n - i),
			  b->count * (b->n - i));
	}
}

/* Sort 'n' items, and return the objects at 'from' in that order. */
static void order(struct sort_item *items, u32 n, struct arena *arena, struct spot **from,
		  struct spot **to)
{
	u32 i;

	sort_items(items, n, NEW(arena, struct sort_item, n));
	for (i = 0; i < n; i++)
		to[i] = from[items[i].index];
}

/* By DSO, and by address. */
static void sort_spots(struct spots *s, struct arena *arena)
{
	u32 n = s->table.n, i, k = 0;
	struct spot **at = NEW(arena, struct spot *, n);
	struct sort_item *items = NEW(arena, struct sort_item, n);
	struct hashed *in;

	s->sorted = NEW(arena, struct spot *, n);
	for (i = 0; i < s->table.room; i++)
		for (in = s->table.at[i]; in; in = in->next)
			at[k++] = (struct spot *)in;
	for (i = 0; i < n; i++)
		items[i] = (struct sort_item){ at[i]->addr, i };
	order(items, n, arena, at, s->sorted);
	memcpy(at, s->sorted, n * sizeof(*at));
	for (i = 0; i < n; i++)
		items[i] = (struct sort_item){ at[i]->dso ? at[i]->dso->index + 1 : 0, i };
	order(items, n, arena, at, s->sorted);
}

void spots_sort(struct spots *s, struct images *im, struct arena *arena)
{
	struct spot_function *all = NEW(arena, struct spot_function, s->table.n), *f = NULL;
	struct sort_item *items;
	u32 i, n = 0;

	sort_spots(s, arena);
	for (i = 0; i < s->table.n; i++) {
		struct spot *spot = s->sorted[i];
		const struct symbol *sym = spot->dso ? dso_symbol(im, spot->dso, spot->addr) : NULL;

		if (!f || f->dso != spot->dso || f->sym != sym) {
			f = &all[n++];
			*f = (struct spot_function){ .dso = spot->dso, .sym = sym, .first = i };
		}
		f->n += spot->n;
		f->weight += spot->weight;
		f->n_spots++;
	}
	items = NEW(arena, struct sort_item, n);
	for (i = 0; i < n; i++)
		items[i] = (struct sort_item){ ~all[i].weight, i };
	sort_items(items, n, NEW(arena, struct sort_item, n));
	s->functions = NEW(arena, struct spot_function, n);
	for (i = 0; i < n; i++)
		s->functions[i] = all[items[i].index];
	s->n_functions = n;
}
