/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks that another process of this recording has translated. A shell script starts the same
 * programs and libraries again and again, and half of its time was spent on translating them.
 *
 * pt makes one file for all traced processes, in memory. A block is found there by the bytes of the
 * program's code, so it does not matter from which file these are. It is copied, and the addresses
 * in it are changed for the new place. Which these are is found by translating the block once more,
 * as if everything were elsewhere:
 *
 *	in its place	jne 5f 02 00 00		mov 80 4e 2b 00, %rax
 *	elsewhere	jne 7f 02 00 00		mov 00 9e 2b 00, %rax
 *	difference	    20: cold - hot	    4f80: program - hot
 *
 * This costs time, so it is done only when a block is translated for the third time: each hash has
 * two bits. (A shell and its only command have a libc in common: to keep it for a third process
 * took a tenth of all time.)
 *
 *	+------+------+-------+-----------------------------------+
 *	| used | bits | table | known, known, ...                 |
 *	+------+------+-------+-----------------------------------+
 *
 * All traced processes may write there, but the kernel lets only those open the file that might
 * trace pt, and a process that gives up rights leaves (reuse_close()). A sum protects from a
 * program that overwrites memory by mistake.
 */
#include "own.h"

enum {
	SIZE = AGENT_REUSE, N_BITS = 1 << 18, N_TABLE = 1 << 17, OFFSET_BITS = 22, TRIES = 4,
	MOST = 4000,		/* bytes of a block: an offset has 12 bits, and parts are padded */
	MOST_FIXES = 256,
	FIRST = 1 << 12, PARTS = 3,	/* of the table: entries of the first part */
	NR_OPEN = 2, NR_CLOSE = 3, NR_MMAP = 9, NR_MADVISE = 28,
	OPEN_FLAGS = 02000002, MAP_FLAGS = 0x100001, DONTDUMP = 16,
};

#define FACTOR 0x9e3779b97f4a7c15

struct reuse {
	u64 used;		/* words of 'known' */
	u32 bits[N_BITS / 32];	/* by hash, twice: such a block was translated once, twice */
	u32 table[N_TABLE];	/* by hash: a tag, and an index in 'known' plus 1; 0: none. It has
				 * parts, from FIRST, 4 FIRST and 16 FIRST. A block is in the
				 * first part that had a place for it: few blocks use few pages */
	u64 known[];
};

enum { KNOWN_WORDS = (SIZE - sizeof(struct reuse)) / 8 };

/* A block that was made; its hot and its cold part follow, then the fixes. A fix adds the
 * difference between two places of the block to an address: its kind, and the offset of the address
 * in both parts. */
struct known {
	u64 sum;		/* of all other words */
	u64 at;			/* of its stretch */
	struct block b;
	u16 words, n_hot, n_cold, n_fixes;
	u32 n_exits;
	u16 exits[TRANSLATE_EXITS + 2];		/* offsets in the cold part */
};

enum fix {
	COLD_HOT, ENTER_HOT, ENTER_COLD, HOT_COLD, ENTER, LOW_COLD,
	PROGRAM_HOT, PROGRAM_LOW,
	PROGRAM, MINUS_PROGRAM, N_FIX	/* these have 64 bits */
};
enum { FIX_BITS = 12, FIX_AT = (1 << FIX_BITS) - 1 };
enum { MOST_WORDS = (sizeof(struct known) + MOST + 2 * MOST_FIXES + 7) / 8 };

/* What each kind adds if these move so far: the program, the stretch, and both parts in it. */
static void fix_by(i64 by[N_FIX], u64 program, u64 at, i32 hot, i32 cold)
{
	by[COLD_HOT] = cold - hot;
	by[ENTER_HOT] = -hot;
	by[ENTER_COLD] = -cold;
	by[HOT_COLD] = hot - cold;
	by[ENTER] = at;
	by[LOW_COLD] = at + cold;
	by[PROGRAM_HOT] = program - at - hot;
	by[PROGRAM_LOW] = by[PROGRAM] = program;
	by[MINUS_PROGRAM] = -program;
}

static u32 hash_of(u64 ip, const u8 *code)
{
	return ((get64(code) ^ ip % PAGE << 20) * FACTOR) >> 32;
}

static bool was_set(struct reuse *r, u32 hash)
{
	u32 *word = &r->bits[hash / 32 % N_ELEM(r->bits)], bit = 1u << hash % 32;

	return __atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit;
}

/* Was such a block translated twice before? */
static bool was_seen(struct reuse *r, u32 hash)
{
	return was_set(r, hash) && was_set(r, hash * (u32)FACTOR);
}

static u64 sum_of(const struct known *k)
{
	const u64 *w = &k->sum, *end = w + k->words;
	u64 sum = 0;

	while (++w < end)
		sum = (sum ^ *w) * FACTOR;
	return sum;
}

/* The block at index 'at' if it is of this code, else NULL. A copy of the program's code is the end
 * of the cold part, at its lowest address. Programs below 2 GiB have shorter addresses.
 *
 * Processes use blocks in about the same order, so the kernel copies many of them at once: in
 * virtual machines, each page takes 12 us when a process first uses it. */
static const struct known *take(struct agent *a, u32 at, u64 ip, struct bytes code)
{
	struct reuse_near *near = a->near;
	const struct known *k;

	if (at >= a->reuse->used || at > KNOWN_WORDS - REUSE_NEAR)
		return NULL;
	if (at < near->from || at >= near->end) {
		near->from = at;
		near->end = MIN(a->reuse->used, at + REUSE_NEAR - MOST_WORDS);
		sys_read(near->known, (u64)&a->reuse->known[at], sizeof(near->known));
	}
	k = (const struct known *)&near->known[at - near->from];
	if (k->words - 1u >= MOST_WORDS || (k->b.ip ^ ip) % PAGE ||
	    !(k->b.ip >> 31) != !(ip >> 31) || k->b.span - 1u >= code.len ||
	    k->sum != sum_of(k) ||
	    !sys_equal((const u8 *)(k + 1) + k->n_hot, code.at, k->b.span))
		return NULL;
	near->next = at + k->words;
	return k;
}

/* Place 'i' of those where a block with this hash may be. The last one is always empty. */
static u32 *place(struct reuse *r, u32 hash, u32 i)
{
	u32 n = FIRST << i / TRIES * 2;

	return &r->table[i < PARTS * TRIES ? n + (hash + i) % n : 0];
}

static const struct known *find(struct agent *a, u32 hash, u64 ip, struct bytes code)
{
	const struct known *k;
	u32 i, entry;

	for (i = 0; (entry = __atomic_load_n(place(a->reuse, hash, i), __ATOMIC_ACQUIRE)); i++) {
		if ((entry ^ hash) >> OFFSET_BITS)
			continue;
		k = take(a, (entry & ((1 << OFFSET_BITS) - 1)) - 1, ip, code);
		if (k)
			return k;
	}
	return NULL;
}

/* Change the addresses. False if an operand is out of reach. */
static bool fix(const struct known *k, const i64 *by, u8 *hot, u8 *cold)
{
	const u16 *f = (const u16 *)((const u8 *)(k + 1) + k->n_hot + k->n_cold);
	const u16 *end = f + k->n_fixes;

	for (; f < end; f++) {
		u32 at = *f & FIX_AT, kind = *f >> FIX_BITS;
		u8 *to = at < k->n_hot ? hot + at : cold + at - k->n_hot;
		i64 v = (i32)get32(to) + by[kind];

		if (kind >= PROGRAM)
			set64(to, get64(to) + by[kind]);
		else if (kind >= PROGRAM_HOT && v != (i32)v)
			return false;
		else
			set32(to, v);
	}
	return true;
}

bool reuse_block(struct agent *a, struct stretch *s, struct block *b, struct bytes code)
{
	const struct known *k;
	i64 by[N_FIX];
	u8 *hot, *cold;
	u32 hash, i;

	a->share = false;
	if (!a->reuse || code.len < 8)
		return false;
	k = take(a, a->near->next, b->ip, code);
	if (!k) {
		hash = hash_of(b->ip, code.at);
		a->share = was_seen(a->reuse, hash);
		k = a->share ? find(a, hash, b->ip, code) : NULL;
	}
	if (!k)
		return false;
	hot = stretch_code(s, s->hot).to;
	cold = stretch_code(s, s->cold - k->n_cold).to;
	own_copy(hot, (const u8 *)(k + 1), k->n_hot);
	own_copy(cold, (const u8 *)(k + 1) + k->n_hot, k->n_cold);
	fix_by(by, b->ip - k->b.ip, s->at - k->at, s->hot - k->b.hot,
	       s->cold - (k->b.cold + k->n_cold));
	if (!fix(k, by, hot, cold))
		return false;
	code.at = (const u8 *)b->ip;
	*b = k->b;
	b->ip = (u64)code.at;
	b->hot = s->hot;
	b->cold = s->cold -= k->n_cold;
	s->hot += k->n_hot;
	a->n_exits = k->n_exits;
	for (i = 0; i < k->n_exits; i++)
		a->exits[i] = (struct translate_exit *)(s->at + b->cold + k->exits[i]);
	return true;
}

/* New ones. */

/* How far the second translation is away. The lowest bytes of all differences differ, and are not
 * 0, except those of the program's move, which is whole pages. */
enum { AT_BY = 112, HOT_BY = 16, COLD_BY = 48, PROGRAM_BY = 5 * PAGE };

/* The code of a block, as if it were elsewhere. */
struct moved {
	u64 ip;
	struct bytes code;
};

static struct bytes fetch(void *who, u64 ip)
{
	const struct moved *m = who;

	return bytes_skip(m->code, MIN(ip - m->ip, m->code.len));
}

static u64 never(void *who, u64 ip)
{
	return ~0ULL;
}

/* Is nothing known of the flags but what the block's code tells? If they are not dead, it does not
 * matter. */
static bool has_own_flags(struct translate t)
{
	u32 span = t.span;

	t.may_change = true;
	return t.flags != TRANSLATE_DEAD || (translate_flags_are_dead(&t) && t.span <= span);
}

/* Find the addresses in 'n' bytes of both translations, a multiple of 8; their offsets begin at
 * 'start'. False if there is a difference of another kind. */
static bool find_fixes(struct known *k, u16 *fixes, const u8 *was, const u8 *is, u32 n, u32 start)
{
	u32 unused = k->b.ip >> 31 ? PROGRAM_LOW : PROGRAM, at, kind;
	i64 by[N_FIX];

	fix_by(by, PROGRAM_BY, AT_BY, HOT_BY, COLD_BY);
	for (at = 0; at < n; at += kind < PROGRAM ? 4 : 8) {
		u64 differs;

		while (!(differs = get64(was + at) ^ get64(is + at)))
			if ((at = (at | 7) + 1) >= n)
				return true;
		at += __builtin_ctzll(differs) / 8;
		if (at >= n)
			return true;
		for (kind = 0; kind < N_FIX; kind++) {
			u32 from = at - (kind >= PROGRAM_LOW);
			u64 by_here = get64(is + from) - get64(was + from) - by[kind];

			if (kind != unused && !(kind < PROGRAM ? (u32)by_here : by_here))
				break;
		}
		if (kind == N_FIX || k->n_fixes == MOST_FIXES)
			return false;
		at -= kind >= PROGRAM_LOW;
		fixes[k->n_fixes++] = (start + at) | kind << FIX_BITS;
	}
	return true;
}

static void publish(struct reuse *r, struct known *k, u32 hash, const u8 *hot, const u8 *cold,
		    const u16 *fixes)
{
	u32 i, at, none;
	struct known *to;

	k->words = (sizeof(*k) + k->n_hot + k->n_cold + 2 * k->n_fixes + 7) / 8;
	at = __atomic_fetch_add(&r->used, k->words, __ATOMIC_RELAXED);
	if (at > KNOWN_WORDS - (u32)k->words)
		return;
	to = (struct known *)&r->known[at];
	*to = *k;
	own_copy((u8 *)(to + 1), hot, k->n_hot);
	own_copy((u8 *)(to + 1) + k->n_hot, cold, k->n_cold);
	own_copy((u8 *)(to + 1) + k->n_hot + k->n_cold, (const u8 *)fixes, 2 * k->n_fixes);
	to->sum = sum_of(to);
	at = (hash >> OFFSET_BITS << OFFSET_BITS) + at + 1;
	for (i = none = 0; i < PARTS * TRIES && !__atomic_compare_exchange_n(place(r, hash, i),
			&none, at, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED); i++)
		none = 0;
}

COLD void reuse_offer(struct agent *a, const struct stretch *s, const struct block *b,
		      const struct translate *made, struct bytes code)
{
	const u8 *hot = (const u8 *)s->at + b->hot, *cold = (const u8 *)s->at + b->cold;
	u32 n_hot = made->hot.at - s->at - b->hot, n_code = made->cold.at - s->at - b->cold;
	u32 cold_end = stretch_cold(s, s->n), n_cold = cold_end - b->cold;
	u8 moved_hot[TRANSLATE_HOT], moved_cold[TRANSLATE_COLD];
	u8 *end = moved_cold + sizeof(moved_cold);
	struct known k = {
		.at = s->at, .b = *b, .n_hot = s->hot - b->hot, .n_cold = n_cold,
		.n_exits = a->n_exits,
	};
	struct moved m = { b->ip + PROGRAM_BY, code };
	struct translate t = *made;
	u16 fixes[MOST_FIXES + 3];
	u32 i;

	if (!a->share || a->reuse->used >= KNOWN_WORDS || made->far || n_hot + n_cold > MOST ||
	    !has_own_flags(*made))
		return;
	/* Translation does not write all bytes of a block: begin with equal ones. */
	own_copy(moved_hot, hot, n_hot);
	own_copy(end - n_cold, cold, n_cold);
	t.ip += PROGRAM_BY;
	t.hot = (struct translate_code){ s->at + b->hot + AT_BY + HOT_BY, moved_hot };
	t.cold = (struct translate_code){ s->at + cold_end + AT_BY + COLD_BY, end };
	t.enter += AT_BY;
	t.max = made->n;
	t.exits = NULL;
	t.n_backs = t.n_sides = 0;
	t.saved = t.changed = false;
	t.fetch = fetch;
	t.border = never;
	t.who = &m;
	if (!translate_block(&t) || t.hot.to != moved_hot + n_hot ||
	    t.cold.to != end - n_cold + n_code)
		return;
	if (!find_fixes(&k, fixes, hot, moved_hot, n_hot, 0) ||
	    !find_fixes(&k, fixes, cold, end - n_cold, n_cold, k.n_hot))
		return;
	for (i = 0; i < k.n_exits; i++)
		k.exits[i] = (const u8 *)a->exits[i] - cold;
	publish(a->reuse, &k, hash_of(b->ip, code.at), hot, cold, fixes);
}

/* Opening. */

COLD void reuse_open(struct agent *a)
{
	i64 fd = sys_try(NR_OPEN, (u64)a->shared->reuse, OPEN_FLAGS, 0, 0);

	if (fd < 0)
		return;
	if ((u64)sys_call(NR_MMAP, OWN_REUSE, SIZE, 3, MAP_FLAGS, fd, 0) == OWN_REUSE) {
		a->reuse = (struct reuse *)OWN_REUSE;
		sys_try(NR_MADVISE, OWN_REUSE, SIZE, DONTDUMP, 0);
	}
	sys_call(NR_CLOSE, fd, 0, 0, 0, 0, 0);
}

COLD void reuse_close(struct agent *a)
{
	sys_unmap(a->reuse, SIZE);
	a->reuse = NULL;
}
