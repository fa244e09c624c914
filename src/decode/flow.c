/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets and code to steps.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions" and
 * "Packet generation scenarios".
 */
#include <pt/config/PEBS.h>
#include "flow.h"

const char *flow_gap_text(enum gap gap)
{
	static const char *const texts[] = {
		[GAP_INTERNAL] = "Internal error",
		[GAP_BAD_PACKET] = "Bad packet",
		[GAP_NO_CODE] = "Failed to get instruction",
		[GAP_MISMATCH] = "Trace doesn't match instruction",
		[GAP_OVERFLOW] = "Overflow packet",
		[GAP_LOST] = "Lost trace data",
		[GAP_LOOP] = "Never-ending loop (refer perf config intel-pt.max-loops)",
		[GAP_EPTW] = "Broken emulated ptwrite",
	};

	return gap < N_ELEM(texts) && texts[gap] ? texts[gap] : "Unknown error!";
}

COLD void flow_start(struct flow *f, const struct flow_setup *setup,
		     const struct flow_source *source, struct runs *runs)
{
	f->setup = *setup;
	f->source = *source;
	f->runs = runs;
	f->clock.setup = setup->clock;
	f->in.errata = setup->errata;
	runs->needs = setup->needs;
	runs->noted = setup->note;
	f->whole = true;
	f->stop = ~0ULL;
}

u64 flow_estimate(const struct flow *f)
{
	u64 ticks = (f->insns - f->step_insns) * 2;

	if (f->clock.cbr && f->setup.clock.max_nonturbo)
		ticks = ticks * f->setup.clock.max_nonturbo / f->clock.cbr;
	return f->arch.step_tsc + ticks;
}

static int take_pge(struct flow *f, struct step *s)
{
	f->arch.on = true;
	f->arch.overflow = false;
	clock_on(&f->clock);
	flow_walk_nr(f);
	if (!f->pkt.count)
		return AGAIN;
	change_iflag_if(f, s);
	if (read_ip(f))
		go_there(f);
	s->to = f->arch.ip;
	s->what |= STEP_BEGIN;
	flow_event_at_branch(f, s);
	if (f->setup.hop)
		f->arch.state = RESAMPLE;
	return DONE;
}

/* A PSB while the address is unknown: after a gap or an overflow, or before anything was traced. */
static int psb_gives_ip(struct flow *f, struct step *s)
{
	int err;

	flow_psb_resets(f);
	err = flow_psb_plus(f, s, true);
	f->arch.overflow = f->arch.overflow && !f->arch.on;
	if (err && f->arch.searching)
		go(f, 0);
	if (err)
		return err;
	if (!f->arch.searching) {
		/* After an overflow this PSB gives the address where tracing continues. */
		f->arch.state = f->arch.on && f->arch.ip ? BEGINS : IN_SYNC;
		return flow_event_here(f, s, STEP_PSB);
	}
	flow_walk_found(f);
	if (!f->arch.ip)
		tracing_stops(f);
	s->what = STEP_PSB;
	s->from = 0;
	s->to = f->arch.ip;
	return DONE;
}

static int take_psb(struct flow *f, struct step *s)
{
	int err;

	f->values.psb_off = f->in.off - f->pkt.size;
	f->arch.psb_ip = 0;
	if (f->setup.hop) {
		flow_walk_found(f);
		err = flow_psb_plain(f, s);
		if (!err && f->arch.psb_ip) {
			s->what |= STEP_INSN_AT;
			go(f, f->arch.psb_ip);
		}
		return err;
	}
	if (!f->arch.ip && !f->setup.no_branches)
		return psb_gives_ip(f, s);
	if (!f->setup.no_branches && flow_psb_has_fup(f)) {
		f->arch.state = AT_FUP_PSB;
		return flow_psb_at_fup(f, s);
	}
	return flow_psb_plain(f, s);
}

/* A transaction began, ended or aborted, and no FUP says at which instruction. */
static int tsx_here(struct flow *f, struct step *s, u8 tx)
{
	bool news = tx != f->arch.tx;

	f->arch.tx = tx & TX_IN;
	if (!news)
		return AGAIN;
	return flow_event_here(f, s, STEP_TX | (tx & TX_IN ? STEP_IN_TX : 0) |
				     (tx & TX_ABORT ? STEP_ABORT : 0));
}

static int take_tsx(struct flow *f, struct step *s)
{
	u8 tx = f->pkt.payload & (TX_IN | TX_ABORT);
	int err;

	if (!f->arch.on)
		return tsx_here(f, s, tx);
	err = flow_read_packet(f);
	if (err)
		return err;
	f->again = true;
	if (f->pkt.kind != PACKET_FUP)
		return tsx_here(f, s, tx);
	f->arch.fup_tx = tx;
	f->arch.pending |= STEP_TX;
	return AGAIN;
}

/* If a FUP follows, only the interrupt flag changed; otherwise the packet belongs to a branch. */
static int take_mode_exec(struct flow *f)
{
	int err;

	take_mode(f);
	err = flow_read_packet(f);
	if (err)
		return err;
	f->again = true;
	if (f->pkt.kind == PACKET_FUP)
		f->arch.pending |= STEP_IFLAG;
	return AGAIN;
}

/* Is this between an overflow and the packet that tells the address where it ended? */
static bool is_lost(const struct flow *f)
{
	return f->arch.overflow && !f->arch.ip;
}

static int take_tnt(struct flow *f, struct step *s)
{
	if (is_lost(f))
		return AGAIN;
	f->arch.tnt = f->pkt.payload;
	f->arch.tnt_n = f->pkt.count;
	f->arch.tnt_fresh = true;
	f->arch.pips = 0;
	if (!f->arch.tnt_n)
		return AGAIN;
	return unlikely(f->arch.results_lost) ? flow_walk_unfit(f, s) : flow_walk_tnt(f, s);
}

static int take_tip(struct flow *f, struct step *s)
{
	read_ip(f);
	f->arch.pips &= -(f->pkt.kind == PACKET_TIP_PGD);
	/* Errata: the packet that tells where an overflow ended may be missing. Then a TIP tells
	 * where. */
	if (!is_lost(f)) {
		f->arch.state = f->pkt.kind == PACKET_TIP ? AT_TIP : AT_PGD;
		return flow_walk_tip(f, s);
	}
	if (f->pkt.kind == PACKET_TIP)
		return take_pge(f, s);
	tracing_stops(f);
	f->arch.overflow = false;
	return AGAIN;
}

/* Handle the packet read last. AGAIN: read on. */
static int take_packet(struct flow *f, struct step *s)
{
	switch (f->pkt.kind) {
	case PACKET_TNT:
		return take_tnt(f, s);
	case PACKET_TIP:
	case PACKET_TIP_PGD:
		return take_tip(f, s);
	case PACKET_TIP_PGE:
		return take_pge(f, s);
	case PACKET_FUP:
		return flow_fup(f, s);
	case PACKET_OVF:
		if (flow_event_flush(f, s) == AGAIN)
			return flow_walk_overflow(f, s);
		f->again = true;
		return DONE;
	case PACKET_TRACESTOP:
		tracing_stops(f);
		f->arch.tx = 0;
		f->clock.have_tma = false;
		return AGAIN;
	case PACKET_PSB:
		return take_psb(f, s);
	case PACKET_PIP:
		f->arch.pip_nr = f->pkt.ip;
		f->arch.pips++;
		return AGAIN;
	case PACKET_CBR:
		flow_read_time(f);
		if (f->clock.cbr == f->values.cbr)
			return AGAIN;
		s->what = 0;
		return DONE;
	case PACKET_MODE_EXEC:
		return take_mode_exec(f);
	case PACKET_MODE_TSX:
		return take_tsx(f, s);
	}
	return flow_event(f, s);
}

/* The results of a TNT are for branches before a packet of this kind, whatever lies between. */
static bool ends_results(u8 kind)
{
	return !packet_in(PACKET_SET(PACKET_TIME) | PACKET_ONE(TNT) | PACKET_ONE(TIP) |
			  PACKET_ONE(CBR), kind);
}

/* In sync, or searching for an address, and no results left: read on. */
static int walk_trace(struct flow *f, struct step *s)
{
	u8 last = f->arch.led_by_cyc ? PACKET_CYC : PACKET_PAD;
	int err;

	f->arch.led_by_cyc = false;
	for (;;) {
		err = flow_read_packet(f);
		if (err)
			return err;
		if (f->setup.cyc_threshold) {
			if (last != PACKET_CYC)
				f->clock.cycles_new = false;
			last = f->pkt.kind;
		}
		if (unlikely(f->arch.results_lost) && ends_results(f->pkt.kind))
			f->arch.results_lost = false;
		err = unlikely(f->arch.searching) ? flow_search(f, s) : PASS;
		if (err == PASS && f->setup.hop) {
			if (f->pkt.kind == PACKET_TNT && !f->setup.leap)
				continue;
			err = flow_fup_hop(f, s);
			if (err == AGAIN)
				continue;
		}
		if (err != PASS)
			return err;
		if (packet_in(PACKET_SET(PACKET_TIME), f->pkt.kind)) {
			flow_read_time(f);
			continue;
		}
		if (CONFIG_PEBS && unlikely(f->values.block.open) &&
		    packet_in(PACKET_SET(PACKET_CLOSES), f->pkt.kind))
			f->values.block.open = false;
		err = take_packet(f, s);
		if (err != PASS)
			return err;
	}
}

/* Does time advance in this state, or only after the packet is answered? */
static bool time_goes_on(const struct flow *f)
{
	if (f->arch.state == IN_SYNC)
		return !f->arch.tnt_n || !f->arch.tnt_fresh;
	return f->arch.state < AT_TIP || f->arch.state >= RESAMPLE;
}

static inline void set_time(struct flow *f, struct step *s)
{
	f->arch.step_tsc = f->clock.tsc;
	if (unlikely(f->clock_updates != f->clock.updates)) {
		f->clock_updates = f->clock.updates;
		f->insns_at_time = f->insns;
	}
	f->step_insns = f->insns_at_time;
}

/* Set the members that every step has. */
static void complete(struct flow *f, struct step *s)
{
	if (unlikely(f->clock.cbr != f->values.cbr)) {
		f->values.cbr = f->clock.cbr;
		f->values.cbr_payload = f->clock.cbr_payload;
		if (!s->what)
			s->from = f->arch.ip;
		s->what |= STEP_CBR;
	}
	if (time_goes_on(f)) {
		set_time(f, s);
		if (s->what & STEP_NOT_TAKEN && !f->setup.each_insn) {
			s->new_cycles = f->clock.cycles_new ? f->clock.cycles : 0;
			f->clock.cycles_new = false;
		}
		if (f->setup.approximate)
			f->step_cycles = f->clock.cycles;
		if (f->clock.cycles_new) {
			f->step_cycles = f->clock.cycles;
			s->what |= STEP_IPC;
			f->clock.cycles_new = false;
		}
	}
	if (!f->clock.have_cyc)
		s->what |= STEP_IPC;
	if (s->what & STEP_PSB && f->clock.tsc_packet)
		f->arch.step_tsc = f->clock.tsc_packet;
	if (f->arch.nr)
		s->what |= STEP_FROM_NR;
	if (f->arch.next_nr)
		s->what |= STEP_TO_NR;
	if (unlikely(f->arch.nr != f->arch.next_nr)) {
		f->arch.nr = f->arch.next_nr;
		flow_forget(f);
	}
}

static void complete_gap(struct flow *f, struct step *s, int gap)
{
	s->what = (s->what & STEP_IN_TX) | STEP_GAP | (f->arch.nr ? STEP_FROM_NR : 0);
	s->gap = gap;
	if (gap != GAP_OVERFLOW)
		s->from = f->arch.ip;
	s->to = 0;
	set_time(f, s);
	f->step_cycles = f->clock.cycles;
	flow_walk_nr(f);
}

static int advance(struct flow *f, struct step *s)
{
	switch (f->arch.state) {
	case NO_PSB:
		return flow_psb_sync(f, s);
	case RESYNC:
		return flow_search_start(f, s);
	case AT_TIP:
	case AT_PGD:
		return flow_walk_tip(f, s);
	case AT_FUP:
	case AT_FUP_ALONE:
		return flow_fup_to(f, s);
	case AT_FUP_PSB:
		return flow_psb_at_fup(f, s);
	case BEGINS:
		f->arch.state = IN_SYNC;
		s->what |= STEP_BEGIN;
		s->to = f->arch.ip;
		return DONE;
	case RESAMPLE:
		f->arch.state = IN_SYNC;
		s->what = STEP_INSN_AT;
		s->from = f->arch.ip;
		return DONE;
	}
	if (f->arch.tnt_n)
		return flow_walk_tnt(f, s);
	return walk_trace(f, s);
}

/* Is the next result certainly one that the caller needs as a step? */
static inline bool is_needed(const struct flow *f)
{
	return f->setup.needs & NEED_TAKEN && !f->setup.note && f->arch.tnt_n &&
	       f->arch.tnt >> (f->arch.tnt_n - 1) & 1;
}

bool flow_next(struct flow *f, struct step *s, struct notes *notes, u64 until)
{
	int err;

	f->until = until;
	f->notes = notes;
	if (notes)
		notes->n = 0;
	f->skipped_tsc = 0;
	f->skipped.any = false;
	f->arch.led_by_cyc = false;
	if (f->arch.state == IN_SYNC && !is_needed(f))
		flow_skip(f);
	*s = (struct step){ .what = STEP_BRANCH, .tsc_in = f->arch.step_tsc };
	if (f->arch.tnt_n && !f->arch.tnt_fresh)
		s->tsc_in = f->clock.tsc;
	do {
		err = advance(f, s);
		if ((err == AGAIN || err == REPOSITION) && s->n) {
			/* The way there is a step of its own. */
			s->what = 0;
			break;
		}
		if (err == AGAIN || err == REPOSITION)
			*s = (struct step){ .what = STEP_BRANCH, .tsc_in = f->arch.step_tsc };
	} while (err == AGAIN || err == REPOSITION);
	if (err == NO_DATA && !s->n)
		return false;
	if (err > 0)
		complete_gap(f, s, err);
	else if (err == NO_DATA || err == REPOSITION || !s->what || s->what & STEP_NOT_TAKEN)
		s->what &= ~STEP_BRANCH;
	if (err <= 0)
		complete(f, s);
	if (f->arch.new_buffer) {
		s->what |= STEP_NEW_BUFFER;
		f->arch.new_buffer = false;
	}
	s->tsc = f->arch.step_tsc;
	s->insns = f->insns;
	s->cycles = f->step_cycles;
	s->have_cyc = f->clock.have_cyc;
	return true;
}
