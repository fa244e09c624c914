/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records of a ring to packets.
 *
 * A conditional branch is a byte of 0 or 1. One multiplication converts eight bytes to eight bits.
 * The bits are collected in a register until 47 fill a long TNT, or until an address needs a TIP.
 * After sixteen branches there are often many more: three vectors convert the next 47. What takes
 * time is to find the next record, since this waits for a load of the record before it: its length
 * is found by as few instructions as possible, without vectors.
 *
 * Only slow records have a time. Between two of them, the time is distributed evenly over the
 * branches: the writer leaves space for an MTC (and a CYC) at some places. When the next time is
 * known, it fills the space, or leaves PADs there.
 *
 *	records   ON ..........................  STAMP
 *	packets   PGE TNT.. [   ] TNT.. [   ] TNT..  TSC or MTC
 *	time      t0     t0+1/3     t0+2/3           t1
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions" and "RET Compression".
 */
#include <tmmintrin.h>

#include <pt/encode.h>
#include <pt/num.h>
#include <pt/record.h>

#include "trans_pack.h"

enum {
	MARK_MTC = 2, MARK_CYC = 3,	/* bytes of space */
	MOST_CYC = (1 << 19) - 1,	/* cycles of a CYC of three bytes */
	MTC_REACH = 200,		/* periods: an MTC has eight bits */
	WINDOW = 24,			/* sixteen branches, or fifteen and an address */
	AHEAD = 1024,			/* records come from the cache of another processor */
};

static void put(struct trans_pack *p, const struct packet *pkt)
{
	p->at += packet_encode(p->at, pkt);
}

static void put_kind(struct trans_pack *p, enum packet_kind kind, u64 payload)
{
	put(p, &(struct packet){ .kind = kind, .payload = payload });
}

static bool has(const struct trans_pack *p, u64 bit)
{
	return p->clock->config & bit;
}

static unsigned int config_field(const struct trans_pack *p, unsigned int shift)
{
	return p->clock->config >> shift & 15;
}

/* Branches and their targets. Results wait in 'tnt': see <pt/encode.h>. */

static COLD void flush_tnt(struct trans_pack *p)
{
	p->at = encode_tnts(p->at, p->tnt);
	p->tnt = 1;
}

static void put_ip(struct trans_pack *p, enum packet_op op, u64 ip)
{
	p->at = encode_ip(p->at, op, p->last_ip << 8, ip << 8);
	p->last_ip = ip;
}

#define ODD 0xfefefefefefefefeull	/* set in a byte that is not a conditional branch */

/* The lowest bits of eight bytes; the first byte gives the highest bit. */
static inline u32 pack_bits(u64 w)
{
	return (w & 0x0101010101010101) * 0x8040201008040201 >> 56;
}

/* The number of branches before the next place for time packets. It varies, so that this place is
 * not always at the same instruction of a loop. */
static u32 step(struct trans_pack *p)
{
	u32 work = has(p, PT_CFG_CYC) ? PACK_STEP_CYC : PACK_STEP;

	p->seed = p->seed * 1103515245 + 12345;
	return work / 2 + ((p->seed >> 16) * work >> 16);
}

/* May space for an MTC be left at 'to', before the results in 'tnt'? */
static bool may_mark(const struct trans_pack *p, const u8 *to)
{
	return p->timed && has(p, PT_CFG_MTC) && !has(p, PT_CFG_CYC) &&
		p->n_marks < PACK_MARKS && to < p->buf + PACK_BUFFER - PACK_SLACK;
}

/* Convert branches to long TNTs, while the TNT_LONG bytes at 'at' are before 'end' and all of them
 * are conditional branches. '*tnt' has fewer than TNT_LONG results. */
static __attribute__((noinline, target("ssse3"))) const u8 *
many_branches(u8 **to, u64 *tnt, const u8 *at, const u8 *end)
{
	const __m128i turn = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m128i last = _mm_set1_epi8(1), none = _mm_setzero_si128();
	u32 n = 63 - __builtin_clzll(*tnt);
	u8 *p = *to;

	for (; end - at >= TNT_LONG; at += TNT_LONG) {
		__m128i a = _mm_loadu_si128((const void *)at);
		__m128i b = _mm_loadu_si128((const void *)(at + 16));
		__m128i c = _mm_loadu_si128((const void *)(at + TNT_LONG - 16));
		__m128i more = _mm_subs_epu8(_mm_or_si128(_mm_or_si128(a, b), c), last);
		u64 bits;

		__builtin_prefetch(at + AHEAD);
		if (_mm_movemask_epi8(_mm_cmpeq_epi8(more, none)) != 0xffff)
			break;
		bits = (u64)_mm_movemask_epi8(_mm_slli_epi16(_mm_shuffle_epi8(a, turn), 7)) << 31 |
			(u32)_mm_movemask_epi8(_mm_slli_epi16(_mm_shuffle_epi8(b, turn), 7)) << 15 |
			(u32)_mm_movemask_epi8(_mm_slli_epi16(_mm_shuffle_epi8(c, turn), 7));
		encode_long_tnt(p, *tnt << (TNT_LONG - n) | bits >> n);
		p += PACKET_LONG_TNT;
		*tnt = 1ull << n | (bits & ((1ull << n) - 1));
	}
	*to = p;
	return at;
}

/* Convert branches, at most 'most' of them, with the state in registers. Stops at a slow record, or
 * if fewer than WINDOW bytes are left. */
static const u8 *branches(struct trans_pack *p, const u8 *at, const u8 *end, u64 most)
{
	u64 tnt = p->tnt, last = p->last_ip << 8;
	i64 left = most;
	u32 n_tips = 0;
	u8 *to = p->at;

	while (end - at >= WINDOW && left > 0) {
		u64 w = get64(at), w2 = get64(at + 8), odd = w & ODD;
		u32 n;

		__builtin_prefetch(at + AHEAD);
		if (odd) {
			n = __builtin_ctzll(odd) / 8;
			tnt = tnt << n | pack_bits(w) >> (8 - n);
		} else if ((odd = w2 & ODD)) {
			n = 8 + __builtin_ctzll(odd) / 8;
			tnt = tnt << n | (pack_bits(w) << 8 | pack_bits(w2)) >> (16 - n);
		} else {
			tnt = tnt << 16 | pack_bits(w) << 8 | pack_bits(w2);
			at += 16;
			left -= 16;
			if (tnt >> TNT_LONG && left >= 0) {
				tnt = encode_oldest(to, tnt);
				to += PACKET_LONG_TNT;
			}
			while (left >= TNT_LONG && p->clock->vectors) {
				const u8 *from = at;
				u32 next;

				at = many_branches(&to, &tnt, at, at + MIN(left, end - at));
				left -= at - from;
				if (left >= TNT_LONG || !may_mark(p, to))
					break;
				/* The next mark is near. In a long run it may be here as well. */
				p->mark[p->n_marks] = to - p->buf;
				p->marked[p->n_marks++] = p->since + most - left;
				set16(to, 0);
				to += MARK_MTC;
				next = step(p);
				most += next - left;
				left = next;
				p->mark_at = p->since + most;
			}
			continue;
		}
		at += n;
		w = get64(at);
		left -= n + 1;
		if (unlikely(left < 0) || (u8)w != REC_INDIRECT) {
			left++;
			break;
		}
		at += 8;
		w -= REC_INDIRECT;
		to = encode_ip(encode_tnts(to, tnt), PACKET_OP_TIP, last, w);
		tnt = 1;
		last = w;
		n_tips++;
	}
	if (left < 0) {		/* these were too many */
		tnt >>= -left;
		at += left;
		left = 0;
	}
	if (tnt >> TNT_LONG) {
		tnt = encode_oldest(to, tnt);
		to += PACKET_LONG_TNT;
	}
	p->n_tips += n_tips;
	p->n_bits += most - left - n_tips;
	p->since += most - left;
	p->tnt = tnt;
	p->last_ip = (i64)last >> 8;
	p->at = to;
	return at;
}

/* Time. */

/* The MTC periods at p->tsc. */
static u64 mtc_now(const struct trans_pack *p)
{
	return p->ctc >> config_field(p, PT_CFG_MTC_PERIOD);
}

/* Write TSC, and TMA, which relates the crystal clock to it. */
static COLD void put_tsc(struct trans_pack *p)
{
	const struct pack_clock *c = p->clock;

	if (!has(p, PT_CFG_TSC))
		return;
	put_kind(p, PACKET_TSC, p->tsc & ~(0xffull << 56));
	p->timed = true;
	if (!has(p, PT_CFG_MTC))
		return;
	put(p, &(struct packet){ .kind = PACKET_TMA, .payload = p->ctc & 0xffff,
		.extra = p->tsc - num_scale(p->ctc, c->ctc_n, c->ctc_d) });
	p->mtc = mtc_now(p);
}

/* Write a CYC for the time 'tsc' at 'to', if it is due and has at most 'most' cycles. Returns its
 * end. */
static COLD u8 *put_cyc(struct trans_pack *p, u8 *to, u64 tsc, u64 most)
{
	struct packet cyc = { .kind = PACKET_CYC, .payload = tsc - p->cyc };
	unsigned int threshold = config_field(p, PT_CFG_CYC_THRESH);

	if (!has(p, PT_CFG_CYC) || tsc <= p->cyc || cyc.payload > most ||
	    (threshold && cyc.payload < 1ull << (threshold - 1)))
		return to;
	p->cyc = tsc;
	return to + packet_encode(to, &cyc);
}

static COLD void put_cyc_now(struct trans_pack *p)
{
	p->at = put_cyc(p, p->at, p->tsc, ~0ull);
}

/* Leave space for time packets here: the time is not known yet. */
static COLD void mark(struct trans_pack *p)
{
	u32 room = (has(p, PT_CFG_MTC) ? MARK_MTC : 0) + (has(p, PT_CFG_CYC) ? MARK_CYC : 0);

	if (!p->timed || !room || p->n_marks == PACK_MARKS)
		return;
	flush_tnt(p);
	p->mark[p->n_marks] = p->at - p->buf;
	p->marked[p->n_marks++] = p->since;
	set64(p->at, 0);
	p->at += room;
}

/* Fill these spaces: 'passed' ticks have passed since the last time. A branch took 'each' / 65536
 * ticks, and 'each_ctc' / 65536 ticks of the crystal. */
static COLD void fill_marks(struct trans_pack *p, u64 passed)
{
	u64 each = (MIN(passed, 1ull << 48) << 16) / MAX(p->since, 1), mtc;
	u64 each_ctc = num_scale(each, p->clock->ctc_d, p->clock->ctc_n);
	u32 i;

	for (i = 0; i < p->n_marks; i++) {
		u8 *to = p->buf + p->mark[i];

		if (has(p, PT_CFG_CYC))
			to = put_cyc(p, to, p->tsc + (each * p->marked[i] >> 16), MOST_CYC);
		mtc = (p->ctc + (each_ctc * p->marked[i] >> 16)) >>
			config_field(p, PT_CFG_MTC_PERIOD);
		if (has(p, PT_CFG_MTC) && mtc > p->mtc && mtc - p->mtc <= MTC_REACH) {
			encode_mtc(to, mtc);
			p->mtc = mtc;
		}
	}
	p->n_marks = 0;
}

/* The time is now 'tsc': divide the time since the last stamp among the records in between. The
 * counters of CPUs may differ slightly; time must not go back. */
static COLD void now(struct trans_pack *p, u64 tsc)
{
	tsc = MAX(tsc, p->tsc);
	if (p->n_marks)
		fill_marks(p, tsc - p->tsc);
	p->since = 0;
	p->mark_at = step(p);
	p->tsc = tsc;
	p->ctc = num_scale(tsc, p->clock->ctc_d, p->clock->ctc_n);
}

/* Write the time if it differs from the last one in the resolution of the selected packets. */
static COLD void put_time(struct trans_pack *p)
{
	u64 mtc;

	flush_tnt(p);
	put_cyc_now(p);
	if (!p->timed || !has(p, PT_CFG_MTC))
		return;
	mtc = mtc_now(p);
	if (mtc - p->mtc > MTC_REACH)
		put_tsc(p);
	else if (mtc != p->mtc)
		put_kind(p, PACKET_MTC, mtc & 0xff);
	p->mtc = mtc;
}

static COLD void put_mode(struct trans_pack *p)
{
	if (p->mode_sent != p->mode)
		put_kind(p, PACKET_MODE_EXEC, p->mode);
	p->mode_sent = p->mode;
}

/* The address in a PSB+ is written in full, because perf has not yet reset its last IP when it
 * reads the PSB+. */
static COLD void put_psb(struct trans_pack *p, u64 ip)
{
	flush_tnt(p);
	/* The TSC in the PSB+ is the current time: cycles up to it must be written before it. */
	if (p->timed)
		put_cyc_now(p);
	else
		p->cyc = p->from = p->tsc;
	put_kind(p, PACKET_PSB, 0);
	p->last_ip = 0;
	put_tsc(p);
	put_kind(p, PACKET_CBR, p->clock->cbr);
	p->mode_sent = 0;
	if (p->on) {
		put_mode(p);
		put(p, &(struct packet){ .kind = PACKET_FUP, .count = 6, .payload = ip });
		p->last_ip = ip;
	}
	put_kind(p, PACKET_PSBEND, 0);
	p->psb_at = p->off + (p->at - p->buf) +
		(2048ull << config_field(p, PT_CFG_PSB_PERIOD));
}

static void put_psb_if_due(struct trans_pack *p, u64 ip)
{
	if (p->off + (p->at - p->buf) >= p->psb_at)
		put_psb(p, ip);
}

/* Slow records: each kind has a function, which gets the words after the TSC. */

static COLD void off(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	if (!p->on)
		return;
	put_time(p);
	put(p, &(struct packet){ .kind = PACKET_TIP_PGD });
	p->on = false;
}

static COLD void interrupt(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	if (p->on && !p->trapped) {
		put_time(p);
		put_ip(p, PACKET_OP_FUP, get64(words));
	}
	p->trapped = false;
	off(p, s, words);
}

static u8 mode_of(const struct agent_slow *s)
{
	return s->more & AGENT_NARROW ? 2 : 1;
}

static COLD void go_to(struct trans_pack *p, enum packet_op op, const struct agent_slow *s,
		       const u8 *words)
{
	bool code = s->kind == SLOW_CODE;

	put_time(p);
	/* The time of new code must not be before that of its map. */
	if (p->timed && (code || s->more & AGENT_NEW_CODE))
		put_tsc(p);
	if (!code)
		p->mode = mode_of(s);
	put_mode(p);
	put_ip(p, op, get64(words));
}

static COLD void on(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	off(p, s, words);
	if ((s->more & AGENT_FORGOT && s->kind == SLOW_ON) || !p->psb_at)
		put_psb_if_due(p, 0);
	go_to(p, PACKET_OP_PGE, s, words);
	p->on = true;
}

static COLD void far(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	go_to(p, PACKET_OP_TIP, s, words);
}

static COLD void gap(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	flush_tnt(p);
	put_kind(p, PACKET_OVF, 0);
	p->on = false;
}

static COLD void ptwrite(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	bool fup = has(p, PT_CFG_FUP_ON_PTW);

	if (!has(p, PT_CFG_PTW))
		return;
	put_time(p);
	put(p, &(struct packet){ .kind = PACKET_PTW, .ip = fup, .extra = s->more == 8 ? 8 : 4,
		.payload = get64(words + 8) });
	if (fup)
		put_ip(p, PACKET_OP_FUP, get64(words));
}

static COLD void others(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	if (p->side_band)
		p->side_band(p->who, p, s, words);
}

/* The code that runs next has just been made, or mapped by another thread. Decoders use a new map
 * only where a trace begins, so an interrupt is recorded here. */
static COLD void code(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	bool was = p->on;

	interrupt(p, s, words);
	others(p, s, words);
	if (was)
		on(p, s, words);
}

static COLD void stamp(struct trans_pack *p, const struct agent_slow *s, const u8 *words)
{
	if (s->more & AGENT_NEW_CODE)
		code(p, s, words);
	else
		put_time(p);
	if (p->on && s->more & AGENT_FORGOT)
		put_psb_if_due(p, get64(words));
}

static const struct slow {
	u8 words;		/* the least number of words */
	void (*take)(struct trans_pack *p, const struct agent_slow *s, const u8 *words);
} slows[N_SLOW] = {
	[SLOW_STAMP] = { 2, stamp },
	[SLOW_OFF] = { 2, off },
	[SLOW_INTERRUPT] = { 2, interrupt },
	[SLOW_ON] = { 2, on },
	[SLOW_MAP] = { 3, others },
	[SLOW_NAME] = { 1, others },
	[SLOW_CODE] = { 2, code },
	[SLOW_PTWRITE] = { 3, ptwrite },
	[SLOW_GAP] = { 1, gap },
	[SLOW_BEFORE] = { 1, stamp },
	[SLOW_FAR] = { 2, far },
};

/* An invalid record: the program has overwritten its ring. The rest is lost. */
static COLD size_t spoilt(struct trans_pack *p, struct bytes in)
{
	p->n_marks = 0;
	gap(p, NULL, NULL);
	return in.len;
}

/* Convert the slow record at the front of 'in'. Returns its size, or 0 if 'in' ends inside it. */
static COLD size_t take_slow(struct trans_pack *p, struct bytes in, bool *pad)
{
	struct agent_slow s;
	size_t size;

	if (in.len < sizeof(s))
		return 0;
	memcpy(&s, in.at, sizeof(s));
	size = sizeof(s) + 8 * s.words;
	if (in.len < size)
		return 0;
	p->n_slow++;
	if (s.kind == SLOW_PAD) {
		*pad = true;
		return size;
	}
	if (s.kind >= N_SLOW || s.words < slows[s.kind].words ||
	    (s.more & AGENT_SIZE) > 8u * s.words)
		return spoilt(p, in);
	now(p, get64(in.at + sizeof(s)));
	slows[s.kind].take(p, &s, in.at + sizeof(s) + 8);
	return size;
}

/* Convert the last few bytes, which branches() leaves. */
static COLD size_t take_rest(struct trans_pack *p, struct bytes in, u64 most)
{
	u8 rest[64];
	size_t n;

	memset(rest, 0xff, sizeof(rest));
	memcpy(rest, in.at, in.len);
	n = branches(p, rest, rest + sizeof(rest), most) - rest;
	return MIN(n, in.len);
}

/* Convert branches up to the next mark, exactly: if marks came more often after addresses than
 * elsewhere, the time would seem to be spent where indirect branches and returns lead to. */
static size_t take_branches(struct trans_pack *p, struct bytes in)
{
	u64 left = p->mark_at > p->since ? p->mark_at - p->since : 1;
	size_t n = branches(p, in.at, in.at + in.len, left) - in.at;

	if (!n)
		n = in.len < WINDOW ? take_rest(p, in, left) : 0;
	if (!n)
		return spoilt(p, in);
	if (p->since >= p->mark_at) {
		mark(p);
		p->mark_at = p->since + step(p);
	}
	return n;
}

size_t trans_pack(struct trans_pack *p, struct bytes in, bool *pad)
{
	struct bytes rest = in;
	size_t n;

	*pad = false;
	while (rest.len && !*pad) {
		if (p->at - p->buf > PACK_BUFFER - PACK_SLACK)
			trans_pack_flush(p);
		n = *rest.at == REC_SLOW ? take_slow(p, rest, pad) : take_branches(p, rest);
		if (!n)
			break;
		rest = bytes_skip(rest, n);
	}
	p->n_bytes += in.len - rest.len;
	return in.len - rest.len;
}

/* AUX data must be a multiple of eight bytes; pad it with PADs. */
COLD void trans_pack_flush(struct trans_pack *p)
{
	p->n_marks = 0;
	flush_tnt(p);
	while ((p->at - p->buf) & 7)
		*p->at++ = 0;
	if (p->at != p->buf)
		p->full(p->who, p);
	p->off += p->at - p->buf;
	p->at = p->buf;
	p->from = p->tsc;
}

COLD void trans_pack_start(struct trans_pack *p)
{
	*p = (struct trans_pack){ .clock = p->clock, .buf = p->buf, .at = p->buf, .tnt = 1,
		.full = p->full, .side_band = p->side_band,
		.who = p->who };
}

COLD void trans_pack_end(struct trans_pack *p, u64 tsc)
{
	now(p, tsc);
	if (!p->psb_at)
		put_psb(p, 0);
	put_time(p);
}
