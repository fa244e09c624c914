/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hash tables. An object in a table begins with a struct hashed. Objects are never removed.
 */
#ifndef PT_HASH_H
#define PT_HASH_H

#include <pt/base.h>

struct hashed { struct hashed *next; u64 hash; };
struct hash_table { struct hashed **at; u32 n, room; };

/* Mix 'v', or a text, into the hash 'h'. */
static inline u64 hash_mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

u64 hash_text(u64 h, const char *s);

/* The first object of the chain for 'hash'; follow 'next'. The chain also has objects with other
 * hashes. */
static inline struct hashed *hash_first(const struct hash_table *t, u64 hash)
{
	return t->room ? t->at[hash & (t->room - 1)] : NULL;
}

/* Insert 'new', whose 'hash' is set. */
void hash_put(struct arena *arena, struct hash_table *t, struct hashed *new);

#endif
