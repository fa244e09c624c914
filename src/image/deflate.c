/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes to a zlib stream: LZ77 with the fixed Huffman codes, in one block.
 *
 * zlib's own encoder is better by some percent and 34 KiB larger, which is a
 * twelfth of this program; its decoder reads what this writes.
 * Source: RFC 1950, RFC 1951 section 3.2.6.
 */
#include <pt/deflate.h>

/* zlib_crc.c */
unsigned long adler32(unsigned long sum, const u8 *bytes, unsigned int n);

enum {
	MATCH_MIN = 3, MATCH_MAX = 258, WINDOW = 32768, HASH_BITS = 15,
	TRIES = 64,		/* candidates looked at for each match */
	END_OF_BLOCK = 256, FIRST_LENGTH = 257,
};

struct encoder {
	u8 *at, *end;
	bool full;
	u64 bits;		/* not written yet, the first in bit 0 */
	unsigned int n_bits;
	const u8 *in;
	size_t len;
	i32 *head, *before;	/* the last place of a hash; the one before a place */
};

static void put_bits(struct encoder *e, u32 bits, unsigned int n)
{
	e->bits |= (u64)bits << e->n_bits;
	e->n_bits += n;
	for (; e->n_bits >= 8; e->n_bits -= 8, e->bits >>= 8) {
		if (e->at == e->end)
			e->full = true;
		else
			*e->at++ = e->bits;
	}
}

/* Huffman codes go out with their highest bit first. */
static void put_code(struct encoder *e, u32 code, unsigned int n)
{
	u32 turned = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		turned |= (code >> i & 1) << (n - 1 - i);
	put_bits(e, turned, n);
}

static void put_symbol(struct encoder *e, u32 symbol)
{
	if (symbol < 144)
		put_code(e, 0x30 + symbol, 8);
	else if (symbol < 256)
		put_code(e, 0x190 + symbol - 144, 9);
	else if (symbol < 280)
		put_code(e, symbol - 256, 7);
	else
		put_code(e, 0xc0 + symbol - 280, 8);
}

/* Lengths and distances are a code for the range and the rest in plain bits.
 * Each further 'per_size' codes have ranges twice as large. */
static u32 range(u32 v, unsigned int per_size, unsigned int *bits, u32 *rest)
{
	unsigned int size_bits = __builtin_ctz(per_size), log;

	*bits = 0;
	*rest = 0;
	if (v < 2 * per_size)
		return v;
	log = 31 - __builtin_clz(v);
	*bits = log - size_bits;
	*rest = v & ((1U << *bits) - 1);
	return (*bits << size_bits) + (v >> *bits);
}

static void put_match(struct encoder *e, u32 len, u32 distance)
{
	unsigned int bits;
	u32 rest, code;

	if (len == MATCH_MAX) {
		put_symbol(e, FIRST_LENGTH + 28);
	} else {
		code = range(len - MATCH_MIN, 4, &bits, &rest);
		put_symbol(e, FIRST_LENGTH + code);
		put_bits(e, rest, bits);
	}
	code = range(distance - 1, 2, &bits, &rest);
	put_code(e, code, 5);
	put_bits(e, rest, bits);
}

static u32 hash_at(const struct encoder *e, size_t at)
{
	u32 three = e->in[at] | e->in[at + 1] << 8 | e->in[at + 2] << 16;

	return three * 0x9e3779b1U >> (32 - HASH_BITS);
}

static void remember(struct encoder *e, size_t at)
{
	u32 h;

	if (at + MATCH_MIN > e->len)
		return;
	h = hash_at(e, at);
	e->before[at % WINDOW] = e->head[h];
	e->head[h] = at + 1;
}

static u32 same(const u8 *a, const u8 *b, u32 max)
{
	u32 n = 0;

	while (n < max && a[n] == b[n])
		n++;
	return n;
}

/* The longest match for what is at 'at'; places are kept plus one. */
static u32 find_match(const struct encoder *e, size_t at, u32 *distance)
{
	u32 best = 0, max = MIN(e->len - at, (size_t)MATCH_MAX), n;
	int tries = TRIES;
	i32 p;

	if (max < MATCH_MIN)
		return 0;
	for (p = e->head[hash_at(e, at)]; p && at - (p - 1) < WINDOW && tries--;
	     p = e->before[(p - 1) % WINDOW]) {
		n = same(e->in + p - 1, e->in + at, max);
		if (n > best) {
			best = n;
			*distance = at - (p - 1);
		}
	}
	return best >= MATCH_MIN ? best : 0;
}

static void encode(struct encoder *e)
{
	u32 len, distance = 0;
	size_t at = 0;

	put_bits(e, 0x178, 16);		/* zlib's head: deflate, 32 KiB, fast */
	put_bits(e, 3, 3);		/* the last block, of fixed codes */
	while (at < e->len && !e->full) {
		len = find_match(e, at, &distance);
		if (len)
			put_match(e, len, distance);
		else
			put_symbol(e, e->in[at]);
		for (len = MAX(len, 1u); len--; at++)
			remember(e, at);
	}
	put_symbol(e, END_OF_BLOCK);
	put_bits(e, 0, -e->n_bits & 7);
}

struct bytes deflate_bytes(struct bytes in, struct arena *a)
{
	struct arena scratch = { 0 };
	u8 *to = arena_alloc(a, in.len);
	struct encoder e = { .at = to, .end = to + in.len, .in = in.at, .len = in.len };
	u32 sum;

	if (in.len >> 31)
		return (struct bytes){ 0 };
	e.head = NEW(&scratch, i32, 1 << HASH_BITS);
	e.before = NEW(&scratch, i32, WINDOW);
	encode(&e);
	sum = adler32(1, in.at, in.len);
	put_bits(&e, __builtin_bswap32(sum) & 0xffff, 16);
	put_bits(&e, __builtin_bswap32(sum) >> 16, 16);
	arena_free(&scratch);
	return e.full ? (struct bytes){ 0 } : (struct bytes){ to, e.at - to };
}
