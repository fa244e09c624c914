/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time, shared out over work, to TSC, TMA, MTC and CYC packets.
 * Manual: SDM volume 3, "Intel Processor Trace", "Mini Time Counter Packet" and
 * "Cycle Count Packet".
 */
#include <pt/num.h>
#include <pt/packet.h>
#include <pt/record.h>

#include "timing.h"

enum {
	MTC_REACH = 200,	/* periods: MTC has eight bits, a whole turn must not be missed */
	TSC_EVERY = 1 << 20,	/* ticks, where TSC is all there is */
};

static unsigned int field(const struct emit_clock *c, unsigned int shift)
{
	return c->config >> shift & 15;
}

u64 timing_step(const struct emit_clock *c, u32 *seed)
{
	u32 work = c->config & PT_CFG_CYC ? TIMING_WORK_CYC : TIMING_WORK;

	*seed = *seed * 1103515245 + 12345;
	return work / 2 + (*seed >> 16) % work;
}

u64 timing_share(u64 start, u64 end, u64 done, u64 work)
{
	if (end <= start)
		return start;
	return done < work ? start + num_scale(end - start, done, work) : end;
}

static u64 ctc_of(const struct emit_clock *c, u64 tsc)
{
	return num_scale(tsc, c->ctc_d, c->ctc_n);
}

static u64 mtc_of(const struct emit_clock *c, u64 tsc)
{
	return ctc_of(c, tsc) >> field(c, PT_CFG_MTC_PERIOD);
}

u32 timing_exact(struct timing *t, u64 tsc, u8 *to)
{
	const struct emit_clock *c = t->clock;
	struct packet pkt = { .kind = PACKET_TSC, .payload = tsc & ~(0xffull << 56) };
	u64 ctc = ctc_of(c, tsc);
	u32 n;

	if (!(c->config & PT_CFG_TSC))
		return 0;
	n = packet_encode(to, &pkt);
	t->timed = true;
	t->tsc = tsc;
	t->mtc = mtc_of(c, tsc);
	if (!(c->config & PT_CFG_MTC))
		return n;
	pkt = (struct packet){ .kind = PACKET_TMA, .payload = ctc & 0xffff,
			       .extra = tsc - num_scale(ctc, c->ctc_n, c->ctc_d) };
	return n + packet_encode(to + n, &pkt);
}

u32 timing_near(struct timing *t, u64 tsc, u8 *to)
{
	struct packet pkt = { .kind = PACKET_MTC };
	u64 mtc = mtc_of(t->clock, tsc);

	if (!t->timed || tsc <= t->tsc)
		return 0;
	if (!(t->clock->config & PT_CFG_MTC))
		return tsc - t->tsc > TSC_EVERY ? timing_exact(t, tsc, to) : 0;
	if (mtc <= t->mtc)
		return 0;
	if (mtc - t->mtc > MTC_REACH)
		return timing_exact(t, tsc, to);
	pkt.payload = mtc & 0xff;
	t->mtc = mtc;
	t->tsc = tsc;
	return packet_encode(to, &pkt);
}

u32 timing_cycles(struct timing *t, u64 tsc, u8 *to)
{
	unsigned int threshold = field(t->clock, PT_CFG_CYC_THRESH);
	struct packet pkt = { .kind = PACKET_CYC, .payload = tsc - t->cyc };

	if (!(t->clock->config & PT_CFG_CYC) || tsc <= t->cyc)
		return 0;
	if (threshold && pkt.payload < 1ull << (threshold - 1))
		return 0;
	t->cyc = tsc;
	return packet_encode(to, &pkt);
}
