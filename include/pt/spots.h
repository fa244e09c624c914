/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How often each instruction was executed, or how many samples it has; and of which functions they
 * are.
 */
#ifndef PT_SPOTS_H
#define PT_SPOTS_H

#include <pt/blocks.h>

/* An instruction. */
struct spot {
	struct hashed in;
	struct dso *dso;	/* NULL: not known */
	u64 addr, off;		/* as in struct block */
	u64 n, weight;		/* executions, or samples and the sum of their periods */
};

/* A function: its spots are spots->sorted[first] and the 'n_spots' - 1 after it. */
struct spot_function {
	struct dso *dso;
	const struct symbol *sym;	/* NULL: all of the DSO that is in no known function */
	u64 n, weight;
	u32 first, n_spots;
};

/* All executions, or all samples of one event. Begin with zero. */
struct spots {
	struct hash_table table;
	u64 n, weight;
	/* spots_sort(): */
	struct spot **sorted;
	struct spot_function *functions;	/* the greatest weight first */
	u32 n_functions;
};

void spots_add(struct spots *s, struct arena *arena, struct dso *dso, u64 addr, u64 off, u64 n,
	       u64 weight);

/* Add each instruction of each block. */
void spots_blocks(struct spots *s, struct images *im, struct arena *arena,
		  const struct blocks *blocks);

/* After the last one. */
void spots_sort(struct spots *s, struct images *im, struct arena *arena);

/* Is it 32-bit code? The class of the ELF file decides. */
bool spots_narrow(struct images *im, struct dso *dso);

#endif
