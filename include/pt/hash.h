/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hash tables. What is in one begins with a struct hashed, and nothing is ever taken out.
 */
#ifndef PT_HASH_H
#define PT_HASH_H

#include <pt/base.h>

struct hashed { struct hashed *next; u64 hash; };
struct hash_table { struct hashed **at; u32 n, room; };

/* 'h' with 'v', or with a text. */
static inline u64 hash_mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

u64 hash_text(u64 h, const char *s);

/* Where those with this hash are, and others: follow 'next'. */
static inline struct hashed *hash_first(const struct hash_table *t, u64 hash)
{
	return t->room ? t->at[hash & (t->room - 1)] : NULL;
}

/* Put in 'new', whose 'hash' is set. */
void hash_put(struct arena *arena, struct hash_table *t, struct hashed *new);

#endif
