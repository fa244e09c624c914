/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of executed code, and how often each was executed.
 */
#ifndef PT_BLOCKS_H
#define PT_BLOCKS_H

#include <pt/hash.h>
#include <pt/session.h>

/* Instructions without a branch between them, of one function; and of one source line, if lines are
 * looked up. Blocks may overlap: a branch may lead into the middle of one. */
struct block {
	struct hashed in;
	struct block *next;	/* in the order of allocation */
	const char *name;	/* of the function; the pointer is the tree's */
	struct dso *dso;	/* NULL: not known */
	u64 addr;		/* in the symbol table of the DSO, or in memory */
	u64 off;		/* in the file of the DSO, or in memory */
	u64 count;		/* number of executions */
	u32 len, n;		/* bytes, instructions */
	struct source_line line;/* .file NULL: not known. Those of equal path are the same */
};

struct blocks {
	struct session *session;
	bool lines;		/* set at the start: look up source lines */
	struct block *first;
	u64 n_lines;		/* blocks of a line that is known */
	/* Private. */
	struct block *newest;
	struct hash_table table, paths;
};

/* A sequence of instructions; zeroed: none yet. */
struct block_place {
	const char *name;
	const struct map *map;
	u64 map_end, ip;
	u32 len, n;
	struct source_line line;
};

/* Add an instruction to 'place' if it belongs to the same block; else begin a new block with it,
 * and return false. */
bool blocks_extend(struct blocks *b, struct block_place *place, const struct thread *thread,
		   const char *name, u64 ip, u32 len);

/* The block of 'place', allocated if there is none. */
struct block *blocks_get(struct blocks *b, const struct block_place *place);

#endif
