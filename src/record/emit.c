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
	e->n_staged += packet_encode(e->stage->bytes + e->n_staged, pkt);
}

static void put_kind(struct emit *e, enum packet_kind kind, u64 payload)
{
	put(e, &(struct packet){ .kind = kind, .payload = payload });
}

static u64 config(const struct emit *e)
{
	return e->timing.clock->config;
}

/* Time. */

static void hand_out(struct emit *e)
{
	while (e->fill & 7)
		e->buf[e->fill++] = 0;
	if (e->fill)
		e->full(e->who, e);
	e->off += e->fill;
	e->fill = 0;
}

/* The packets of the stage up to 'to' go out, with room for time packets after them. */
static u32 move(struct emit *e, u32 from, u32 to)
{
	if (e->fill + (to - from) + 2 * TIMING_MOST > EMIT_BUFFER)
		hand_out(e);
	memcpy(e->buf + e->fill, e->stage->bytes + from, to - from);
	e->fill += to - from;
	return to;
}

/* The stage goes out: what was done in it was done up to 'tsc'. */
static void settle(struct emit *e, u64 tsc)
{
	u64 work = e->work - e->work_since;
	u32 i, moved = 0;

	if (e->paused)
		tsc = e->since;
	for (i = 0; i < e->n_marks; i++) {
		const struct emit_mark *m = &e->stage->mark[i];
		u64 then = timing_share(e->since, tsc, m->work, work);

		moved = move(e, moved, m->at);
		e->fill += timing_cycles(&e->timing, then, e->buf + e->fill);
		e->fill += timing_near(&e->timing, then, e->buf + e->fill);
	}
	move(e, moved, e->n_staged);
	e->n_staged = e->n_marks = 0;
	e->since = MAX(tsc, e->since);
	e->work_since = e->work;
}

/* The TSC is read in the middle of work. */
static void settle_now(struct emit *e)
{
	settle(e, host_tsc());
}

static void flush_tnt(struct emit *e)
{
	if (!e->n_tnt)
		return;
	put(e, &(struct packet){ .kind = PACKET_TNT, .count = e->n_tnt, .payload = e->tnt });
	e->n_tnt = 0;
	e->tnt = 0;
}

/* A branch ends the block in which the time is to be told: it is told in front of the
 * branch, so that a reader sees it before it goes through that block. */
static void tell_time(struct emit *e)
{
	flush_tnt(e);
	if (e->n_marks < EMIT_MARKS)
		e->stage->mark[e->n_marks++] = (struct emit_mark){
			.at = e->n_staged, .work = e->work - e->work_since };
	e->mark_at = e->work + timing_step(e->timing.clock, &e->seed);
}

static inline void branch(struct emit *e)
{
	if (unlikely(e->work >= e->mark_at))
		tell_time(e);
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

/* The stage is empty: this is the time from which on it is filled. */
static void put_tsc(struct emit *e)
{
	e->n_staged += timing_exact(&e->timing, e->since, e->stage->bytes + e->n_staged);
}

/* The address in a PSB+ is a full one: perf has not yet forgotten the last one
 * when it looks at it. */
static void put_psb(struct emit *e, bool on, u64 ip)
{
	flush_tnt(e);
	settle_now(e);
	if (e->paused)
		e->since = host_tsc();
	put_kind(e, PACKET_PSB, 0);
	e->last_ip = 0;
	e->depth = 0;
	e->mode_sent = 0;
	put_tsc(e);
	put_kind(e, PACKET_CBR, e->timing.clock->cbr);
	if (on) {
		put_mode(e);
		e->last_ip = ~ip;
		put_ip(e, PACKET_FUP, ip);
	}
	put_kind(e, PACKET_PSBEND, 0);
	e->psb_at = e->off + e->fill + e->n_staged +
		(2048ULL << (config(e) >> PT_CFG_PSB_PERIOD & 15));
}

static void make_room(struct emit *e)
{
	if (e->n_staged >= EMIT_STAGE - 2 * EMIT_SLACK || e->n_marks >= EMIT_MARKS - EMIT_SLACK)
		settle_now(e);
}

static bool is_psb_due(const struct emit *e)
{
	return e->off + e->fill + e->n_staged >= e->psb_at;
}

void emit_start(struct emit *e)
{
	e->fill = e->n_tnt = e->tnt = e->depth = 0;
	e->off = e->last_ip = e->psb_at = 0;
	e->n_staged = e->n_marks = 0;
	e->work = e->work_since = e->mark_at = 0;
	e->on = e->paused = false;
	e->since = host_tsc();
	e->timing = (struct timing){ .clock = e->timing.clock, .cyc = e->since };
}

void emit_begin(struct emit *e, u64 ip, enum insn_mode mode)
{
	make_room(e);
	if (is_psb_due(e))
		put_psb(e, false, 0);
	e->mode = mode;
	if (e->mode_sent != mode + 1)
		put_mode(e);
	put_ip(e, PACKET_TIP_PGE, ip);
	e->on = true;
}

void emit_end(struct emit *e)
{
	branch(e);
	flush_tnt(e);
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
	branch(e);
	e->tnt = e->tnt << 1 | taken;
	if (++e->n_tnt == 6)
		flush_tnt(e);
}

void emit_indirect(struct emit *e, u64 to)
{
	branch(e);
	flush_tnt(e);
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

	if (matches && !(config(e) & PT_CFG_NORETCOMP)) {
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

void emit_ptwrite(struct emit *e, u64 ip, u64 value, u32 size)
{
	bool fup = config(e) & PT_CFG_FUP_ON_PTW;

	if (!(config(e) & PT_CFG_PTW))
		return;
	branch(e);
	flush_tnt(e);
	put(e, &(struct packet){ .kind = PACKET_PTW, .payload = value, .extra = size, .ip = fup });
	if (fup)
		put_ip(e, PACKET_FUP, ip);
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
	if (is_psb_due(e))
		put_psb(e, true, ip);
	make_room(e);
}

void emit_pause(struct emit *e, u64 tsc)
{
	if (e->paused)
		return;
	flush_tnt(e);
	settle(e, tsc);
	e->paused = true;
}

void emit_resume(struct emit *e)
{
	if (!e->paused)
		return;
	flush_tnt(e);
	settle_now(e);
	e->paused = false;
	e->since = MAX(e->since, host_tsc());
	e->n_staged = timing_near(&e->timing, e->since, e->stage->bytes);
}

void emit_exact(struct emit *e)
{
	emit_resume(e);
	flush_tnt(e);
	settle_now(e);
	if (e->timing.timed)
		put_tsc(e);
}

void emit_flush(struct emit *e)
{
	settle_now(e);
	hand_out(e);
}
