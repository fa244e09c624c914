/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Timing packets to TSC values.
 *
 * A TSC packet gives the time, TMA ties it to the crystal clock, MTC continues the crystal clock,
 * and CYC counts cycles from the last of these. The length of a cycle in ticks is measured from
 * one MTC to the next if both follow a CYC; otherwise it comes from the core:bus ratio. Time never
 * goes backwards.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Tracing and timing".
 */
#include <pt/clock.h>

/* A TSC packet can overtake an MTC: a step back of less than this is not a wrap-around. */
enum { SLIP = 0x10000 };

#define TOP_BYTE (0xffULL << 56)
#define WRAP (1ULL << 56)

void clock_reset(struct clock *c, u64 reference)
{
	c->tsc = 0;
	c->have_tma = false;
	c->reference = reference;
}

/* Complete the 56 bits of a TSC packet to the value nearest to 'reference'. */
static u64 near_reference(u64 tsc, u64 reference)
{
	tsc |= reference & TOP_BYTE;
	if (tsc < reference && reference - tsc > WRAP / 2)
		return tsc + WRAP;
	if (tsc > reference && tsc - reference > WRAP / 2)
		return tsc - WRAP;
	return tsc;
}

static void set(struct clock *c, u64 tsc)
{
	c->tsc = tsc;
	c->updates++;
}

static void later_tsc(struct clock *c, u64 tsc)
{
	tsc |= c->tsc & TOP_BYTE;
	c->tsc_packet = tsc;
	if (tsc < c->tsc) {
		if (c->tsc - tsc < SLIP) {
			tsc = c->tsc;
		} else if (!c->buffer_reference || tsc + WRAP < c->buffer_reference) {
			tsc += WRAP;
			c->tsc_packet = tsc;
		} else {
			tsc = c->tsc;
		}
	}
	set(c, tsc);
}

static void count_from_here(struct clock *c)
{
	c->cyc_ref = c->tsc;
	c->cyc_n = 0;
	c->cyc_ticks = 0;
}

COLD void clock_tsc(struct clock *c, u64 tsc, bool after_cyc)
{
	c->have_tma = false;
	if (c->reference) {
		c->tsc_packet = near_reference(tsc, c->reference);
		c->reference = 0;
		set(c, c->tsc_packet);
	} else if (c->tsc) {
		later_tsc(c, tsc);
	}
	if (after_cyc)
		count_from_here(c);
}

/* Ticks of the crystal clock (CTC), converted to TSC ticks. */
static u64 ctc_ticks(const struct clock_setup *s, u64 ctc)
{
	if (s->ctc_n % s->ctc_d == 0)
		return ctc * (s->ctc_n / s->ctc_d);
	return ctc / s->ctc_d * s->ctc_n + ctc % s->ctc_d * s->ctc_n / s->ctc_d;
}

/* 0 if 'v' is not a possible time: a trace may contain any number of cycles. */
static u64 whole(double v)
{
	return v < 1ULL << 63 ? (u64)v : 0;
}

/* Without CYC packets, cycles are estimated from the ticks and the core's frequency. */
static void cycles_by_time(struct clock *c, bool on)
{
	u64 cycles;

	if (c->have_cyc)
		return;
	c->cycles_new = true;
	if (!on || c->tsc <= c->mtc_cyc_tsc || !c->setup.max_nonturbo)
		return;
	cycles = whole(c->mtc_cyc_base +
		       (c->tsc - c->mtc_cyc_tsc) * ((double)c->cbr / c->setup.max_nonturbo));
	if (cycles > c->cycles)
		c->cycles = cycles;
}

void clock_on(struct clock *c)
{
	if (c->have_cyc)
		return;
	c->mtc_cyc_tsc = c->tsc;
	c->mtc_cyc_base = c->cycles;
}

COLD void clock_tma(struct clock *c, u32 ctc, u32 fast, bool on, bool in_psb)
{
	u32 rest = ctc & ((1U << c->setup.mtc_shift) - 1);

	if (!c->setup.ctc_n || !c->setup.ctc_d)
		return;
	if (on && !in_psb)
		clock_on(c);
	else
		cycles_by_time(c, on);
	c->last_mtc = ctc >> c->setup.mtc_shift & 0xff;
	c->ctc_tsc = c->tsc_packet - fast - ctc_ticks(&c->setup, rest);
	c->ctc_delta = 0;
	c->have_tma = true;
	c->fix_mtc = true;
}

/* Advance the CTC to the edge that 'mtc' reports. Returns its TSC. */
static u64 step_mtc(struct clock *c, u32 mtc)
{
	/* A TMA has 16 bits of the CTC. If MTC's 8 bits lie above them, the missing bits are
	 * those of this first MTC, or one less. */
	if (c->setup.mtc_shift > 8 && c->fix_mtc) {
		u32 missing = 1U << (16 - c->setup.mtc_shift);

		c->last_mtc |= mtc & ~(missing - 1);
		if (c->last_mtc >= mtc)
			c->last_mtc = (c->last_mtc - missing) & 0xff;
	}
	c->fix_mtc = false;
	c->ctc_delta += (u64)(mtc > c->last_mtc ? mtc - c->last_mtc : mtc + 256 - c->last_mtc)
			<< c->setup.mtc_shift;
	c->last_mtc = mtc;
	return c->ctc_tsc + ctc_ticks(&c->setup, c->ctc_delta);
}

/* Step over packets that only report control flow, by their first byte, and add up the cycles
 * between them; a look ahead consists mostly of these. Returns the kind of the last packet, or
 * 'before' if there was none. */
static u8 pass_branches(struct packets *p, u64 *cycles, u8 before)
{
	const u64 passed = PACKET_ONE(TNT) | PACKET_ONE(TIP) | PACKET_ONE(TIP_PGE) |
			   PACKET_ONE(FUP) | PACKET_ONE(CYC) | PACKET_ONE(PAD);
	const u8 *at = p->rest.at, *end = at + p->rest.len;
	const struct packet_byte *b;
	u32 size;
	u64 n;

	while (!p->item && end - at > PACKET_MAX) {
		b = &packet_bytes[*at];
		size = b->size;
		n = 0;
		if (b->kind == PACKET_CYC)
			size = packet_cyc(get64(at), &n);
		if (!size || !packet_in(passed, b->kind))
			break;
		*cycles += n;
		if (b->kind != PACKET_PAD)
			before = b->kind;
		at += size;
	}
	packet_step(p, at - p->rest.at);
	return before;
}

/* From one MTC that follows a CYC to the next such MTC, at 'at', 'n' cycles were counted. */
static void set_cycle(struct clock *c, u64 at, u64 n, u32 cbr)
{
	double ticks = (double)(at - c->cyc_ref) / n;

	if (!cbr)
		cbr = c->cbr;
	/* Much slower than the frequency says: the core slept in between. (A cycle is then never
	 * twice max_nonturbo long: clock_cycles_to().) */
	if (cbr && ticks > (double)c->setup.max_nonturbo / cbr &&
	    ticks / ((double)c->setup.max_nonturbo / cbr) > 1.25)
		return;
	c->cyc_ticks = ticks;
}

void clock_measure(struct clock *c, struct packets ahead, u8 before)
{
	struct clock until = *c;
	struct packet pkt;
	u32 cbr = 0;
	u64 n = c->cyc_n, at = 0;

	for (;; before = pkt.kind) {
		before = pass_branches(&ahead, &n, before);
		do {
			if (!packet_next(&ahead, &pkt))
				return;
		} while (pkt.kind == PACKET_PAD);
		if (packet_in(PACKET_SET(PACKET_UNCOUNTED), pkt.kind))
			return;
		if (pkt.kind == PACKET_CYC)
			n += pkt.payload;
		if (pkt.kind == PACKET_CBR) {
			if (cbr && cbr != pkt.payload)
				return;
			cbr = pkt.payload;
		}
		if (pkt.kind != PACKET_MTC || !until.have_tma)
			continue;
		at = step_mtc(&until, pkt.payload);
		if (at < until.tsc)
			return;
		if (before == PACKET_CYC)
			break;
		until.tsc = at;
	}
	if (n)
		set_cycle(c, at, n, cbr);
}

bool clock_measured(struct clock *c, u32 mtc, bool after_cyc)
{
	struct clock until = *c;
	u64 at = step_mtc(&until, mtc);

	if (at < c->tsc)
		return true;
	if (after_cyc && c->cyc_n)
		set_cycle(c, at, c->cyc_n, 0);
	return after_cyc;
}

bool clock_mtc(struct clock *c, u32 mtc, bool after_cyc, bool on)
{
	u64 tsc;

	if (!c->have_tma)
		return false;
	tsc = step_mtc(c, mtc);
	if (tsc >= c->tsc)
		c->tsc = tsc;
	c->updates++;
	cycles_by_time(c, on);
	if (after_cyc)
		count_from_here(c);
	return after_cyc;
}

size_t clock_mtcs(struct clock *c, struct bytes in)
{
	u32 last = c->last_mtc, steps = 0;
	size_t at;

	if (c->have_cyc)
		return 0;
	for (at = 0; at + 1 < in.len && packet_bytes[in.at[at]].kind == PACKET_MTC; at += 2) {
		steps += ((in.at[at + 1] - last - 1) & 0xff) + 1;
		last = in.at[at + 1];
	}
	if (!at || !c->have_tma)
		return at;
	c->last_mtc = last;
	c->ctc_delta += (u64)steps << c->setup.mtc_shift;
	set(c, MAX(c->tsc, c->ctc_tsc + ctc_ticks(&c->setup, c->ctc_delta)));
	return at;
}

/* TSC ticks per cycle. */
static double cycle(const struct clock *c)
{
	return c->cyc_ticks > 0 ? c->cyc_ticks : c->cbr_ticks;
}

u64 clock_at_cycle(const struct clock *c, u64 n, u64 least)
{
	u64 tsc = whole(c->cyc_ref + n * cycle(c));

	return MAX(tsc, least);
}

void clock_cyc(struct clock *c, u64 cycles, bool on)
{
	c->have_cyc = true;
	c->cyc_n += cycles;
	if (on)
		c->cycles += cycles;
	c->cycles_new = true;
	if (c->cyc_ref && (c->cyc_ticks > 0 || c->cbr))
		set(c, clock_at_cycle(c, c->cyc_n, c->tsc));
}

u64 clock_cycles_to(const struct clock *c, u64 until, bool measured)
{
	/* 'slack' is the largest rounding error of a double, 'most' is longer than any trace. */
	const u64 slack = 1 << 10, most = 1ULL << 50;
	double ticks = measured ? cycle(c) : c->cbr ? 2.0 * c->setup.max_nonturbo : 0, n;

	if (!c->have_cyc || !c->cyc_ref || c->cyc_ref >> 58 || !(ticks > 0) ||
	    until < c->cyc_ref + slack)
		return 0;
	n = (until - c->cyc_ref - slack) / ticks;
	return n < most ? (u64)n : most;
}

void clock_catch_up(struct clock *c)
{
	set(c, clock_at_cycle(c, c->cyc_n, c->tsc));
}

COLD void clock_cbr(struct clock *c, u32 payload, bool on)
{
	u32 cbr = payload & 0xff;

	c->cbr_payload = payload;
	if (c->cbr == cbr)
		return;
	c->cbr = cbr;
	c->cbr_ticks = cbr ? (double)c->setup.max_nonturbo / cbr : 0;
	c->cyc_ref = c->tsc;
	c->cyc_n = 0;
	if (on)
		clock_on(c);
}

u64 clock_from_tsc(const struct timescale *t, u64 tsc)
{
	u64 low;

	if (t->is_short)
		tsc = t->cycles + ((tsc - t->cycles) & t->mask);
	low = tsc & ((1ULL << t->shift) - 1);
	return t->zero + (tsc >> t->shift) * t->mult + (low * t->mult >> t->shift);
}

u64 clock_ticks(const struct timescale *t, u64 ns)
{
	if (!t->mult)
		return 0;
	return (ns / t->mult << t->shift) + (ns % t->mult << t->shift) / t->mult;
}

u64 clock_to_tsc(const struct timescale *t, u64 ns)
{
	return clock_ticks(t, ns - t->zero);
}

COLD u64 clock_first_tsc(const struct timescale *t, u64 ns)
{
	enum { MOST = 64 };	/* ticks per ns, and more: a file may claim a frequency that is
				 * never reached */
	u64 tsc = clock_to_tsc(t, ns);
	u32 n;

	for (n = 0; n < MOST && clock_from_tsc(t, tsc) >= ns; n++)
		tsc--;
	for (n = 0; n < MOST && clock_from_tsc(t, tsc) < ns; n++)
		tsc++;
	return tsc;
}
