/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hash tables of lists, twice as large each time they are full.
 */
#include <pt/hash.h>

u64 hash_text(u64 h, const char *s)
{
	while (*s)
		h = hash_mix(h, *s++);
	return h;
}

void hash_put(struct arena *arena, struct hash_table *t, struct hashed *new)
{
	struct hashed **old = t->at, *next, *in;
	u32 i, room = t->room;

	if (t->n >= room) {
		t->room = room ? room * 2 : 64;
		t->at = NEW(arena, struct hashed *, t->room);
		for (i = 0; i < room; i++)
			for (in = old[i]; in; in = next) {
				next = in->next;
				in->next = t->at[in->hash & (t->room - 1)];
				t->at[in->hash & (t->room - 1)] = in;
			}
	}
	new->next = hash_first(t, new->hash);
	t->at[new->hash & (t->room - 1)] = new;
	t->n++;
}
