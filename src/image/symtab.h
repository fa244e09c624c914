/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Making a symbol table: symbols as they are found, in; sorted, with every
 * address given to one of them, out.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <pt/image.h>

/* Symbols by address. Where some overlap, 'pieces' say which one has what. */
struct symbols {
	struct symbol *at;
	struct piece *pieces;
	u32 n, n_pieces;
};

enum symbol_bind { BIND_LOCAL, BIND_GLOBAL, BIND_WEAK };

/* One that was found. */
struct found {
	u64 start, end;
	const char *name;	/* borrowed until symtab_finish() */
	u32 len;
	u8 bind;		/* enum symbol_bind */
	bool in_module;		/* of a kallsyms line with [module] */
};

struct symtab {
	struct arena scratch;	/* freed by symtab_finish() */
	struct found *at;
	u32 n, room;
	struct sort_item *order, *spare;	/* those not erased, by address */
	u32 n_order, n_known, order_room;
	struct erased { u32 index, n; } *erased;	/* in turn, and how many there were then */
	u32 n_erased, erased_room;
	bool names_stay;	/* where they are: they need not be copied */
};

/* Make room for 'n' in all; only a matter of speed and memory. */
void symtab_reserve(struct symtab *t, u32 n);

/* Add [start, start+size). */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, size_t len,
		enum symbol_bind bind);

/* Give an end to symbols without a size, and leave one at each address: perf's
 * choice. 'kernel': kallsyms, where modules lie apart from the rest. */
void symtab_fix(struct symtab *t, bool kernel);

/* The table, in 'a'; NULL if it is empty. Ends 't'. */
struct symbols *symtab_finish(struct symtab *t, struct arena *a);

/* Whether a symbol starts in [start, end). */
bool symtab_starts_in(const struct symbols *s, u64 start, u64 end);

const struct symbol *symtab_find(const struct symbols *s, u64 addr);

#endif
