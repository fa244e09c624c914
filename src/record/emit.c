/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a thread did, to the packets a processor would have sent about it.
 *
 * A packet that names an address says only the bytes that changed; branches
 * wait until six fill a TNT; a return to where its call came from is one taken
 * branch. The processor forgets calls when a return did not match: readers
 * differ in what such a return pops, and agree on what was called after it.
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions" and
 * "RET Compression".
 */
#include <pt/host.h>
#include <pt/num.h>
#include <pt/packet.h>
#include <pt/record.h>

#include "emit.h"

static const u8 exec_bits[] = { [INSN_64] = 1, [INSN_32] = 2, [INSN_16] = 0 };

static void put(struct emit *e, const struct packet *pkt)
{
	e->fill += packet_encode(e->buf + e->fill, pkt);
}

static void put_kind(struct emit *e, enum packet_kind kind, u64 payload)
{
	put(e, &(struct packet){ .kind = kind, .payload = payload });
}

static unsigned int config_field(const struct emit *e, unsigned int shift)
{
	return e->clock->config >> shift & 15;
}

/* CYC goes in front of the packets that say where execution went. */
static void put_cyc(struct emit *e)
{
	unsigned int threshold = config_field(e, PT_CFG_CYC_THRESH);
	u64 now;

	if (!(e->clock->config & PT_CFG_CYC))
		return;
	now = host_tsc();
	if (threshold && now - e->cyc < 1ULL << (threshold - 1))
		return;
	put_kind(e, PACKET_CYC, now - e->cyc);
	e->cyc = now;
}

static void flush_tnt(struct emit *e)
{
	if (!e->n_tnt)
		return;
	put_cyc(e);
	put(e, &(struct packet){ .kind = PACKET_TNT, .count = e->n_tnt, .payload = e->tnt });
	e->n_tnt = 0;
	e->tnt = 0;
}

/* The shortest of the forms of 'ip' behind last_ip. */
static unsigned int ip_form(u64 last, u64 ip)
{
	if (last >> 16 == ip >> 16)
		return 1;
	if (last >> 32 == ip >> 32)
		return 2;
	if (ip == (u64)((i64)(ip << 16) >> 16))
		return 3;
	return 6;
}

static void put_ip(struct emit *e, enum packet_kind kind, u64 ip)
{
	struct packet pkt = { .kind = kind, .count = ip_form(e->last_ip, ip), .payload = ip };

	put(e, &pkt);
	e->last_ip = ip;
}

static void put_mode(struct emit *e)
{
	put_kind(e, PACKET_MODE_EXEC, exec_bits[e->mode]);
	e->mode_sent = e->mode + 1;
}

static u64 ctc_of(const struct emit_clock *c, u64 tsc)
{
	return num_scale(tsc, c->ctc_d, c->ctc_n);
}

/* TSC, and TMA, which ties the crystal's counter to it. */
static void put_tsc(struct emit *e)
{
	const struct emit_clock *c = e->clock;
	u64 tsc = host_tsc(), ctc;

	if (!(c->config & PT_CFG_TSC))
		return;
	put_kind(e, PACKET_TSC, tsc & ~(0xffULL << 56));
	e->tsc = tsc;
	e->timed = true;
	if (!(c->config & PT_CFG_MTC))
		return;
	ctc = ctc_of(c, tsc);
	put(e, &(struct packet){ .kind = PACKET_TMA, .payload = ctc & 0xffff,
		.extra = tsc - num_scale(ctc, c->ctc_n, c->ctc_d) });
	e->mtc = ctc >> config_field(e, PT_CFG_MTC_PERIOD);
}

/* The address in a PSB+ is a full one: perf has not yet forgotten the last one
 * when it looks at it. */
static void put_psb(struct emit *e, bool on, u64 ip)
{
	put_kind(e, PACKET_PSB, 0);
	e->last_ip = 0;
	e->depth = 0;
	e->mode_sent = 0;
	put_tsc(e);
	put_kind(e, PACKET_CBR, e->clock->cbr);
	if (on) {
		put_mode(e);
		e->last_ip = ~ip;
		put_ip(e, PACKET_FUP, ip);
	}
	put_kind(e, PACKET_PSBEND, 0);
	e->psb_at = e->off + e->fill + (2048ULL << config_field(e, PT_CFG_PSB_PERIOD));
}

static bool has_room(const struct emit *e)
{
	return e->fill < EMIT_BUFFER - 2 * EMIT_SLACK;
}

static void make_room(struct emit *e)
{
	if (!has_room(e))
		emit_flush(e);
}

void emit_start(struct emit *e)
{
	e->fill = e->n_tnt = e->tnt = e->depth = 0;
	e->off = e->last_ip = e->psb_at = 0;
	e->on = e->timed = false;
	e->cyc = host_tsc();
}

void emit_begin(struct emit *e, u64 ip, enum insn_mode mode)
{
	make_room(e);
	if (e->off + e->fill >= e->psb_at)
		put_psb(e, false, 0);
	e->mode = mode;
	if (e->mode_sent != mode + 1)
		put_mode(e);
	put_cyc(e);
	put_ip(e, PACKET_TIP_PGE, ip);
	e->on = true;
}

void emit_end(struct emit *e)
{
	flush_tnt(e);
	put_cyc(e);
	put(e, &(struct packet){ .kind = PACKET_TIP_PGD });
	e->on = false;
}

void emit_interrupt(struct emit *e, u64 ip)
{
	flush_tnt(e);
	put_ip(e, PACKET_FUP, ip);
	emit_end(e);
}

void emit_cond(struct emit *e, bool taken)
{
	e->tnt = e->tnt << 1 | taken;
	if (++e->n_tnt == 6)
		flush_tnt(e);
}

void emit_indirect(struct emit *e, u64 to)
{
	flush_tnt(e);
	put_cyc(e);
	put_ip(e, PACKET_TIP, to);
}

void emit_call(struct emit *e, u64 next)
{
	e->calls[e->top++ % EMIT_CALLS] = next;
	if (e->depth < EMIT_CALLS)
		e->depth++;
}

void emit_ret(struct emit *e, u64 to)
{
	bool matches = e->depth && e->calls[(e->top - 1) % EMIT_CALLS] == to;

	if (matches && !(e->clock->config & PT_CFG_NORETCOMP)) {
		e->top--;
		e->depth--;
		emit_cond(e, true);
		return;
	}
	e->depth = 0;
	emit_indirect(e, to);
}

void emit_far(struct emit *e, u64 to, enum insn_mode mode)
{
	flush_tnt(e);
	e->mode = mode;
	if (e->mode_sent != mode + 1)
		put_mode(e);
	emit_indirect(e, to);
}

void emit_forget(struct emit *e)
{
	e->depth = 0;
}

void emit_overflow(struct emit *e)
{
	make_room(e);
	flush_tnt(e);
	put_kind(e, PACKET_OVF, 0);
	e->depth = 0;
	e->on = false;
}

void emit_sync(struct emit *e, u64 ip)
{
	if (e->off + e->fill >= e->psb_at) {
		flush_tnt(e);
		make_room(e);
		put_psb(e, true, ip);
	}
	make_room(e);
}

void emit_time(struct emit *e, bool now)
{
	const struct emit_clock *c = e->clock;
	u64 tsc = host_tsc(), mtc;

	make_room(e);
	if (!e->timed || !(c->config & PT_CFG_TSC))
		return;
	if (now || (!(c->config & PT_CFG_MTC) && tsc - e->tsc > 1 << 20)) {
		flush_tnt(e);
		put_tsc(e);
		return;
	}
	if (!(c->config & PT_CFG_MTC))
		return;
	mtc = ctc_of(c, tsc) >> config_field(e, PT_CFG_MTC_PERIOD);
	if (mtc == e->mtc)
		return;
	flush_tnt(e);
	if (mtc - e->mtc > 100) {	/* eight bits are sent: a whole turn must not be missed */
		put_tsc(e);
		return;
	}
	put_cyc(e);
	put_kind(e, PACKET_MTC, mtc & 0xff);
	e->mtc = mtc;
	e->tsc = tsc;
}

void emit_flush(struct emit *e)
{
	while (e->fill & 7)
		e->buf[e->fill++] = 0;
	if (e->fill)
		e->full(e->who, e);
	e->off += e->fill;
	e->fill = 0;
}
