/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Construction of a symbol table: symbols go in as they are found; a sorted table, with each
 * address assigned to one of them, comes out.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <pt/image.h>

/* Symbols by address. Where some overlap, 'pieces' say which symbol has which addresses. */
struct symbols {
	struct symbol *at;
	struct piece *pieces;
	u32 n, n_pieces;
};

enum symbol_bind { BIND_LOCAL, BIND_GLOBAL, BIND_WEAK };

/* A symbol that was found. */
struct found {
	u64 start, end;
	const char *name;	/* borrowed until symtab_finish() */
	u32 len;
	u32 other;		/* symbol that was erased at this address, + 1, or 0 */
	u8 bind;		/* enum symbol_bind */
	bool in_module;		/* of a kallsyms line with [module] */
};

struct symtab {
	struct arena scratch;	/* freed by symtab_finish() */
	struct found *at;
	u32 n, room;
	struct sort_item *order, *spare;	/* those that were not erased, by address */
	u32 n_order, n_known, order_room;
	struct erased { u32 index, n; } *erased;	/* in this order, and how many symbols
							 * there were at that time */
	u32 n_erased, erased_room;
};

/* Make room for 'n' in total; this only affects speed and memory. */
void symtab_reserve(struct symtab *t, u32 n);

/* Add [start, start+size). */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, size_t len,
		enum symbol_bind bind);

/* Give an end to symbols without a size, and keep one at each address, as perf does; of the others
 * only the names stay. 'kernel': kallsyms, where modules are separate from the rest. */
void symtab_fix(struct symtab *t, bool kernel);

/* Create the table in 'a'; NULL if it is empty. Frees 't'. */
struct symbols *symtab_finish(struct symtab *t, struct arena *a);

/* Does a symbol start in [start, end)? */
bool symtab_starts_in(const struct symbols *s, u64 start, u64 end);

const struct symbol *symtab_find(const struct symbols *s, u64 addr);

#endif
