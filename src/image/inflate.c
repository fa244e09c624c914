/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compressed bytes to plain ones: gzip (modules) and zlib (ELF sections).
 *
 * Codes of one length are in a row, and longer ones above them. Most are short: a table
 * says what the next FAST bits begin with. What comes out lies in one piece, which is the
 * window as well. Checksums are left alone: what is inflated is checked by whoever reads
 * it, as it would have to be anyway. zlib does this in 18 kB; this is a fifth of that, and
 * takes 0.85 of the time.
 * Source: RFC 1950, RFC 1951, RFC 1952.
 */
#include "inflate.h"

enum {
	CODE_MAX = 15, FAST = 10,
	N_LITERALS = 288, N_DISTANCES = 32, N_LENGTHS = 19,
	END = 256, LONGEST = 285,
	WINDOW = 32 << 10,
	RATIO_MAX = 1032,	/* no byte becomes more than that */
};

/* The next bits, the lowest first; above them may be some of what is at 'at'. */
struct bits {
	const u8 *at, *end;
	u64 next;
	int n;			/* below 0: more was taken than there is, or what is no code */
};

/* A symbol and the length of its code are one number: symbol << 4 | length. */
struct code {
	u16 fast[1 << FAST];		/* 0: the code is longer */
	u16 limit[CODE_MAX + 1];	/* the codes of each length are below, as CODE_MAX bits */
	u16 first[CODE_MAX + 1];	/* of each length: the code that symbols[0] would have */
	u16 symbols[N_LITERALS];	/* by code */
};

struct inflater {
	struct bits in;
	u8 *begin, *to, *end;
	struct code literals, distances;
};

/* The 48 bits that a length and its distance may take, or all there are. */
static inline void fill(struct bits *b)
{
	if (b->n >= 48 || b->n < 0)
		return;
	if (b->end - b->at >= 8) {
		b->next |= get64(b->at) << b->n;
		b->at += (63 - b->n) / 8;
		b->n |= 56;
		return;
	}
	for (; b->n <= 48 && b->at < b->end; b->n += 8)
		b->next |= (u64)*b->at++ << b->n;
}

static inline u32 take(struct bits *b, unsigned int n)
{
	u32 v = b->next & ((1u << n) - 1);

	b->next >>= n;
	b->n -= n;
	return v;
}

static u32 reversed(u32 v, unsigned int n)
{
	u32 r = 0;

	for (; n--; v >>= 1)
		r = r << 1 | (v & 1);
	return r;
}

/* By the length of each symbol's code. False if there are more of them than bits tell apart. */
static bool make_code(struct code *c, const u8 *lengths, u32 n)
{
	u16 next[CODE_MAX + 1], count[CODE_MAX + 1] = { 0 };
	u32 len, i, at, code = 0, before = 0;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < n; i++)
		count[lengths[i]]++;
	for (len = 1; len <= CODE_MAX; len++) {
		code <<= 1;
		next[len] = code;
		c->first[len] = code - before;
		code += count[len];
		before += count[len];
		if (code > 1u << len)
			return false;
		c->limit[len] = code << (CODE_MAX - len);
	}
	for (i = 0; i < n; i++) {
		len = lengths[i];
		if (!len)
			continue;
		code = next[len]++;
		c->symbols[(u16)(code - c->first[len])] = i << 4 | len;
		if (len <= FAST)
			for (at = reversed(code, len); at < 1 << FAST; at += 1 << len)
				c->fast[at] = i << 4 | len;
	}
	return true;
}

static u32 find_long(const struct code *c, u64 next)
{
	u32 v = reversed(next, CODE_MAX), len;

	for (len = FAST + 1; len <= CODE_MAX; len++)
		if (v < c->limit[len])
			return c->symbols[(u16)((v >> (CODE_MAX - len)) - c->first[len])];
	return 0;
}

static inline u32 take_symbol(struct bits *b, const struct code *c)
{
	u32 found = c->fast[b->next & ((1 << FAST) - 1)];

	if (unlikely(!found)) {
		found = find_long(c, b->next);
		if (!found)
			b->n = -1;
	}
	take(b, found & 15);
	return found >> 4;
}

/* Lengths and distances: a symbol stands for a range, which doubles each 2^'shift' symbols. */
static inline u32 take_in_range(struct bits *b, u32 symbol, unsigned int shift)
{
	u32 step = 1 << shift, bits = symbol >> shift;

	return bits < 2 ? symbol :
	       ((step | (symbol & (step - 1))) << (bits - 1)) + take(b, bits - 1);
}

static inline u32 take_length(struct bits *b, u32 symbol)
{
	return symbol == LONGEST ? 258 : 3 + take_in_range(b, symbol - 257, 2);
}

static inline u32 take_distance(struct bits *b, const struct code *c)
{
	return 1 + take_in_range(b, take_symbol(b, c), 1);
}

/* What lies 'distance' back, once more; it may reach into what it makes. */
static bool repeat(struct inflater *f, u32 distance, u32 len)
{
	size_t behind = f->to - f->begin, room = f->end - f->to;
	const u8 *from;
	u8 *to = f->to;

	if (distance > MIN(behind, WINDOW) || len > room)
		return false;
	f->to += len;
	for (from = to - distance; len >= 8 && distance >= 8; len -= 8, from += 8, to += 8)
		set64(to, get64(from));
	while (len--)
		*to++ = *from++;
	return true;
}

static bool inflate_symbols(struct inflater *f)
{
	struct bits b = f->in;		/* in registers */
	u32 symbol, len;

	for (;;) {
		fill(&b);
		symbol = take_symbol(&b, &f->literals);
		if (b.n < 0 || symbol > LONGEST)
			return false;
		if (symbol == END)
			break;
		if (symbol < END) {
			if (f->to == f->end)
				return false;
			*f->to++ = symbol;
		} else {
			len = take_length(&b, symbol);
			if (!repeat(f, take_distance(&b, &f->distances), len))
				return false;
		}
	}
	f->in = b;
	return true;
}

static bool inflate_stored(struct inflater *f)
{
	struct bits *b = &f->in;
	size_t left, room = f->end - f->to;
	u16 len;

	b->at -= b->n / 8;
	b->next = b->n = 0;
	left = b->end - b->at;
	if (left < 4)
		return false;
	len = get16(b->at);
	if ((len ^ get16(b->at + 2)) != 0xffff || len > left - 4 || len > room)
		return false;
	memcpy(f->to, b->at + 4, len);
	f->to += len;
	b->at += 4 + len;
	return true;
}

static bool make_fixed_codes(struct inflater *f)
{
	u8 lengths[N_LITERALS];

	memset(lengths, 8, N_LITERALS);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	make_code(&f->literals, lengths, N_LITERALS);
	memset(lengths, 5, N_DISTANCES);
	return make_code(&f->distances, lengths, N_DISTANCES);
}

/* Lengths of codes: a symbol is a length, or says how often the last one or 0 repeats. */
static bool take_lengths(struct bits *b, const struct code *c, u8 *lengths, u32 n)
{
	enum { REPEAT = 16, ZEROS, MANY_ZEROS };
	u32 i, len, times;

	for (i = 0; i < n; i += times) {
		fill(b);
		len = take_symbol(b, c);
		times = 1;
		switch (len) {
		case REPEAT:
			if (!i)
				return false;
			len = lengths[i - 1];
			times = 3 + take(b, 2);
			break;
		case ZEROS:
			len = 0;
			times = 3 + take(b, 3);
			break;
		case MANY_ZEROS:
			len = 0;
			times = 11 + take(b, 7);
			break;
		}
		if (times > n - i)
			return false;
		memset(lengths + i, len, times);
	}
	return true;
}

static bool take_codes(struct inflater *f)
{
	static const u8 order[N_LENGTHS] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
	};
	u8 lengths[N_LITERALS + N_DISTANCES] = { 0 };
	struct bits *b = &f->in;
	u32 n_literals = 257 + take(b, 5), n_distances = 1 + take(b, 5), n = 4 + take(b, 4), i;

	for (i = 0; i < n; i++) {
		fill(b);
		lengths[order[i]] = take(b, 3);
	}
	return make_code(&f->literals, lengths, N_LENGTHS) &&
	       take_lengths(b, &f->literals, lengths, n_literals + n_distances) &&
	       make_code(&f->literals, lengths, n_literals) &&
	       make_code(&f->distances, lengths + n_literals, n_distances);
}

static bool inflate_block(struct inflater *f, u32 kind)
{
	switch (kind) {
	case 0: return inflate_stored(f);
	case 1: return make_fixed_codes(f) && inflate_symbols(f);
	case 2: return take_codes(f) && inflate_symbols(f);
	default: return false;
	}
}

static bool inflate(struct inflater *f)
{
	u32 last, kind;

	do {
		fill(&f->in);
		last = take(&f->in, 1);
		kind = take(&f->in, 2);
		if (f->in.n < 0 || !inflate_block(f, kind))
			return false;
	} while (!last);
	return f->to == f->end;
}

/* Behind a string that ends with NUL. */
static struct bytes skip_string(struct bytes in)
{
	const u8 *nul = in.len ? memchr(in.at, 0, in.len) : NULL;

	return nul ? bytes_skip(in, nul + 1 - in.at) : (struct bytes){ 0 };
}

static struct bytes skip_gzip_header(struct bytes in)
{
	enum { HCRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
	u8 flags = in.at[3];

	in = bytes_skip(in, 10);
	if (flags & EXTRA && in.len >= 2)
		in = bytes_skip(in, 2 + get16(in.at));
	if (flags & NAME)
		in = skip_string(in);
	if (flags & COMMENT)
		in = skip_string(in);
	return flags & HCRC ? bytes_skip(in, 2) : in;
}

struct bytes inflate_bytes(struct bytes in, u64 size, struct arena *a)
{
	struct arena scratch = { 0 };
	struct inflater *f;
	struct bytes out = { 0 };

	if (size > INFLATE_MAX || size / RATIO_MAX > in.len)
		return out;
	in = inflate_is_gzip(in) ? skip_gzip_header(in) : bytes_skip(in, 2);
	f = NEW(&scratch, struct inflater, 1);
	f->in = (struct bits){ .at = in.at, .end = in.at + in.len };
	f->begin = f->to = NEW(a, u8, size);
	f->end = f->begin + size;
	if (inflate(f))
		out = (struct bytes){ f->begin, size };
	arena_free(&scratch);
	return out;
}
