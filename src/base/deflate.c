/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Deflate: repeated strings become references, and everything bits of a
 * Huffman code made for the block.
 *
 * Two passes over a block: the first finds references and keeps them as
 * symbols, the second writes the code and then the symbols in it. zlib does
 * this in 30 kB; this is a tenth of that, and its output a few percent larger.
 * Source: RFC 1950, RFC 1951.
 */
#include <pt/deflate.h>

enum {
	WINDOW = 32 << 10,
	HASH = 1 << 15,
	CHAIN = 48,		/* places that are looked at for a longer match */
	MATCH_MIN = 3, MATCH_MAX = 258,
	BLOCK = 32 << 10,	/* symbols in a block */
	N_LITERALS = 286, N_DISTANCES = 30, N_LENGTHS = 19,
	END = 256,
	CODE_MAX = 15,
};

/* A literal byte (distance 0), or a match. */
struct symbol { u16 value, distance; };

struct deflater {
	struct bytes in;
	u32 at;
	u32 *head, *prev;	/* where a hash was seen last, and before that; + 1 */
	struct symbol *symbols;
	u32 n;
	u8 *to, *end;		/* output; 'full' once it does not fit */
	bool full;
	u64 bits;
	unsigned int n_bits;
};

/* Bits, the lowest first. */
static void put_bits(struct deflater *d, u32 v, unsigned int n)
{
	d->bits |= (u64)v << d->n_bits;
	for (d->n_bits += n; d->n_bits >= 8; d->n_bits -= 8) {
		if (d->to == d->end)
			d->full = true;
		else
			*d->to++ = d->bits;
		d->bits >>= 8;
	}
}

/* Finding matches. */

static u32 hash(const u8 *p)
{
	return ((p[0] | p[1] << 8 | (u32)p[2] << 16) * 2654435761u) >> 17;
}

static void note(struct deflater *d, u32 at)
{
	u32 *head;

	if (at + MATCH_MIN > d->in.len)
		return;
	head = &d->head[hash(d->in.at + at)];
	d->prev[at % WINDOW] = *head;
	*head = at + 1;
}

static u32 match_length(const u8 *a, const u8 *b, u32 most)
{
	u32 n = 0;

	while (n < most && a[n] == b[n])
		n++;
	return n;
}

/* The longest match for what is at 'at', 0 if there is none. */
static u32 find(const struct deflater *d, u32 at, u32 *distance)
{
	const u8 *p = d->in.at;
	u32 most = MIN(d->in.len - at, (size_t)MATCH_MAX), best = 0, from, i;

	if (most < MATCH_MIN)
		return 0;
	from = d->head[hash(p + at)];
	for (i = 0; from && i < CHAIN && at + 1 - from <= WINDOW - MATCH_MAX; i++) {
		u32 n = match_length(p + from - 1, p + at, most);

		if (n > best) {
			best = n;
			*distance = at + 1 - from;
		}
		if (best == most)
			break;
		from = d->prev[(from - 1) % WINDOW];
	}
	return best >= MATCH_MIN ? best : 0;
}

static void add(struct deflater *d, u32 value, u32 distance)
{
	d->symbols[d->n++] = (struct symbol){ value, distance };
}

/* A match waits if the next byte begins a longer one. */
static void find_symbols(struct deflater *d)
{
	u32 distance, later, n, skip;

	for (d->n = 0; d->at < d->in.len && d->n < BLOCK - 1; ) {
		n = find(d, d->at, &distance);
		note(d, d->at);
		if (n && n < 32 && find(d, d->at + 1, &later) > n)
			n = 0;
		if (n)
			add(d, n, distance);
		else
			add(d, d->in.at[d->at], 0);
		for (skip = 1; skip < n; skip++)
			note(d, d->at + skip);
		d->at += MAX(n, 1u);
	}
}

/* Lengths and distances: a symbol, and so many bits of what it leaves open. */

struct range { u16 symbol; u8 extra; u16 rest; };

static struct range length_range(u32 n)
{
	unsigned int bits;

	n -= MATCH_MIN;
	if (n == MATCH_MAX - MATCH_MIN)
		return (struct range){ 285, 0, 0 };
	if (n < 8)
		return (struct range){ 257 + n, 0, 0 };
	bits = 29 - __builtin_clz(n);
	return (struct range){ 257 + 4 * bits + (n >> bits), bits, n & ((1u << bits) - 1) };
}

static struct range distance_range(u32 n)
{
	unsigned int bits;

	n--;
	if (n < 4)
		return (struct range){ n, 0, 0 };
	bits = 30 - __builtin_clz(n);
	return (struct range){ 2 * bits + (n >> bits), bits, n & ((1u << bits) - 1) };
}

/* Huffman codes. */

struct code {
	u32 count[N_LITERALS];
	u8 length[N_LITERALS];
	u16 bits[N_LITERALS];	/* reversed: deflate writes codes from the top */
	u32 n;
};

/* The two lightest of the 'n' trees, in turn: those without a parent. */
static u32 lightest(const u32 *weight, const u16 *parent, u32 n)
{
	u32 i, best = n;

	for (i = 0; i < n; i++)
		if (weight[i] && !parent[i] && (best == n || weight[i] < weight[best]))
			best = i;
	return best;
}

/* How deep each symbol lies in the tree; 'deepest' of them. */
static u32 tree_depths(struct code *c, const u32 *count)
{
	u32 weight[2 * N_LITERALS] = { 0 }, n = c->n, i, a, b, deepest = 0;
	u16 parent[2 * N_LITERALS] = { 0 };

	memcpy(weight, count, c->n * sizeof(*count));
	for (;;) {
		a = lightest(weight, parent, n);
		parent[a] = n;
		b = lightest(weight, parent, n);
		if (b == n)
			break;
		parent[b] = n;
		weight[n] = weight[a] + weight[b];
		n++;
	}
	parent[n - 1] = 0;
	for (i = 0; i < c->n; i++) {
		for (c->length[i] = 0, a = i; parent[a]; a = parent[a])
			c->length[i]++;
		deepest = MAX(deepest, (u32)c->length[i]);
	}
	return deepest;
}

/* A tree that is too deep gets flatter with weights that are more alike. There
 * are always two symbols, because a code of one cannot be written. */
static void make_lengths(struct code *c, u32 limit)
{
	u32 count[N_LITERALS], i, used = 0;

	for (i = 0; i < c->n; i++)
		used += c->count[i] != 0;
	for (i = 0; used < 2; i++)
		if (!c->count[i]) {
			c->count[i] = 1;
			used++;
		}
	memcpy(count, c->count, sizeof(count));
	while (tree_depths(c, count) > limit)
		for (i = 0; i < c->n; i++)
			if (count[i])
				count[i] = count[i] / 2 + 1;
}

static u16 reversed(u32 v, unsigned int n)
{
	u32 r = 0;

	while (n--) {
		r = r << 1 | (v & 1);
		v >>= 1;
	}
	return r;
}

/* Codes by length, then by symbol. */
static void make_code(struct code *c, u32 limit)
{
	u32 next = 0, len, i;

	make_lengths(c, limit);
	for (len = 1; len <= limit; len++, next <<= 1)
		for (i = 0; i < c->n; i++)
			if (c->length[i] == len)
				c->bits[i] = reversed(next++, len);
}

static void put_symbol(struct deflater *d, const struct code *c, u32 symbol)
{
	put_bits(d, c->bits[symbol], c->length[symbol]);
}

static void count_symbols(const struct deflater *d, struct code *literals, struct code *distances)
{
	u32 i;

	for (i = 0; i < d->n; i++) {
		const struct symbol *s = &d->symbols[i];

		if (s->distance) {
			literals->count[length_range(s->value).symbol]++;
			distances->count[distance_range(s->distance).symbol]++;
		} else {
			literals->count[s->value]++;
		}
	}
	literals->count[END]++;
}

/* The lengths of both codes, themselves in a code; runs of zeros are short. */
enum { REPEAT_ZEROS = 17, REPEAT_MANY_ZEROS = 18 };

static u32 zeros_at(const u8 *lengths, u32 n)
{
	u32 run = 0;

	while (run < n && run < 138 && !lengths[run])
		run++;
	return run;
}

static u32 length_symbol(const u8 *lengths, u32 n, u32 *run)
{
	u32 zeros = zeros_at(lengths, n);

	*run = zeros >= 3 ? zeros : 1;
	return zeros >= 11 ? REPEAT_MANY_ZEROS : zeros >= 3 ? REPEAT_ZEROS : *lengths;
}

static void put_lengths(struct deflater *d, const u8 *lengths, u32 n)
{
	static const u8 order[N_LENGTHS] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
	};
	struct code c = { .n = N_LENGTHS };
	u32 i, run, symbol;

	for (i = 0; i < n; i += run)
		c.count[length_symbol(lengths + i, n - i, &run)]++;
	make_code(&c, 7);
	put_bits(d, N_LENGTHS - 4, 4);
	for (i = 0; i < N_LENGTHS; i++)
		put_bits(d, c.length[order[i]], 3);
	for (i = 0; i < n; i += run) {
		symbol = length_symbol(lengths + i, n - i, &run);
		put_symbol(d, &c, symbol);
		if (symbol == REPEAT_ZEROS)
			put_bits(d, run - 3, 3);
		else if (symbol == REPEAT_MANY_ZEROS)
			put_bits(d, run - 11, 7);
	}
}

static void put_symbols(struct deflater *d, const struct code *literals,
			const struct code *distances)
{
	struct range r;
	u32 i;

	for (i = 0; i < d->n; i++) {
		const struct symbol *s = &d->symbols[i];

		if (!s->distance) {
			put_symbol(d, literals, s->value);
			continue;
		}
		r = length_range(s->value);
		put_symbol(d, literals, r.symbol);
		put_bits(d, r.rest, r.extra);
		r = distance_range(s->distance);
		put_symbol(d, distances, r.symbol);
		put_bits(d, r.rest, r.extra);
	}
	put_symbol(d, literals, END);
}

static void put_block(struct deflater *d)
{
	struct code literals = { .n = N_LITERALS }, distances = { .n = N_DISTANCES };
	u8 lengths[N_LITERALS + N_DISTANCES];

	count_symbols(d, &literals, &distances);
	make_code(&literals, CODE_MAX);
	make_code(&distances, CODE_MAX);
	put_bits(d, d->at == d->in.len, 1);
	put_bits(d, 2, 2);
	put_bits(d, N_LITERALS - 257, 5);
	put_bits(d, N_DISTANCES - 1, 5);
	memcpy(lengths, literals.length, N_LITERALS);
	memcpy(lengths + N_LITERALS, distances.length, N_DISTANCES);
	put_lengths(d, lengths, sizeof(lengths));
	put_symbols(d, &literals, &distances);
}

static u32 adler32(struct bytes in)
{
	u32 a = 1, b = 0;
	size_t i;

	for (i = 0; i < in.len; i++) {
		a = (a + in.at[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

struct bytes deflate_bytes(struct bytes in, struct arena *a)
{
	struct arena scratch = { 0 };
	u8 *to = arena_alloc(a, in.len);
	u32 sum = adler32(in);
	struct deflater d = {
		.in = in, .to = to, .end = to + in.len,
		.head = NEW(&scratch, u32, HASH), .prev = NEW(&scratch, u32, WINDOW),
		.symbols = NEW(&scratch, struct symbol, BLOCK),
	};

	put_bits(&d, 0x0178, 16);
	while (d.at < in.len && !d.full) {
		find_symbols(&d);
		put_block(&d);
	}
	put_bits(&d, 0, -d.n_bits & 7);
	put_bits(&d, __builtin_bswap32(sum), 32);
	arena_free(&scratch);
	return d.full ? (struct bytes){ 0 } : (struct bytes){ to, d.to - to };
}
