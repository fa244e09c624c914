/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets and code to steps.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions" and
 * "Packet generation scenarios".
 */
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
	runs->heed = setup->heed;
	runs->noted = setup->note;
	f->whole = true;
	f->stop = ~0ULL;
}

void flow_space(struct flow *f, u64 key, u64 kernel_key)
{
	if (key == f->key && kernel_key == f->kernel_key)
		return;
	f->key = key;
	f->kernel_key = kernel_key;
	flow_forget(f);
}

COLD void flow_forget(struct flow *f)
{
	u32 i;

	f->run = NULL;
	f->link = NULL;
	f->back = NULL;
	for (i = 1; i <= f->ret_n; i++)
		f->ret[(f->ret_top - i) % FLOW_RET_STACK].call = &f->no_call;
}

u64 flow_estimate(const struct flow *f)
{
	u64 ticks = (f->insns - f->step_insns) * 2;

	if (f->clock.cbr && f->setup.clock.max_nonturbo)
		ticks = ticks * f->setup.clock.max_nonturbo / f->clock.cbr;
	return f->step_tsc + ticks;
}

/* The next packet is a FUP that belongs to the one before: 'what' happens there. */
static int bound_fup(struct flow *f, u32 what, bool *alone)
{
	int err = flow_read_packet(f);

	if (err)
		return err;
	if (f->pkt.kind == PACKET_FUP) {
		f->pending |= what;
		*alone = true;
	}
	return DONE;
}

static int event_here(struct flow *f, struct step *s, u32 what)
{
	s->what = what;
	s->from = f->ip;
	s->to = 0;
	return DONE;
}

static int take_pge(struct flow *f, struct step *s)
{
	f->on = true;
	f->overflow = false;
	clock_on(&f->clock);
	take_nr(f);
	if (!f->pkt.count)
		return AGAIN;
	change_iflag_if(f, s);
	if (read_ip(f))
		go_there(f);
	s->to = f->ip;
	s->what |= STEP_BEGIN;
	if (f->setup.hop)
		f->state = RESAMPLE;
	return DONE;
}

static int take_fup(struct flow *f, struct step *s, bool *alone)
{
	bool is_alone = *alone || f->pending & STEP_MWAIT;

	*alone = false;
	if (!read_ip(f))
		return AGAIN;
	if (f->setup.no_branches || !f->on) {
		go_there(f);
		return flow_fup_meet(f, s) ? DONE : AGAIN;
	}
	f->fup_ip = f->last_ip.ip;
	f->state = is_alone ? AT_FUP_ALONE : AT_FUP;
	return flow_fup_to(f, s);
}

static int take_psb(struct flow *f, struct step *s)
{
	int err;

	f->psb_off = f->in.off - f->pkt.size;
	f->psb_ip = 0;
	if (f->setup.hop) {
		err = flow_psb_plain(f, s);
		if (!err && f->psb_ip) {
			s->what |= STEP_INSN_AT;
			go(f, f->psb_ip);
		}
		return err;
	}
	if (!f->ip && !f->setup.no_branches) {
		/* Between an overflow and what tells where it ended. */
		flow_psb_resets(f);
		err = flow_psb_plus(f, s, true);
		if (!err)
			event_here(f, s, STEP_PSB);
		f->overflow = f->overflow && !f->on;
		return err;
	}
	if (!f->setup.no_branches && flow_psb_has_fup(f)) {
		f->state = AT_FUP_PSB;
		return flow_psb_at_fup(f, s);
	}
	return flow_psb_plain(f, s);
}

static int take_tsx(struct flow *f, bool *alone)
{
	u8 tx = f->pkt.payload & (TX_IN | TX_ABORT);
	int err;

	err = flow_read_packet(f);
	if (err)
		return err;
	if (f->pkt.kind != PACKET_FUP) {
		f->tx = tx & TX_IN;
		return DONE;
	}
	f->fup_tx = tx;
	f->pending |= STEP_TX;
	if (!(tx & TX_ABORT))
		*alone = true;
	return DONE;
}

static int take_cfe(struct flow *f, struct step *s, bool *alone)
{
	int err;

	f->cfe_type = f->pkt.payload;
	f->cfe_vector = f->pkt.extra;
	if (!f->pkt.ip) {
		f->pending |= STEP_EVT;
		if (f->on)
			return AGAIN;
		flow_fup_meet(f, s);
		return DONE;
	}
	err = bound_fup(f, STEP_EVT | PENDING_CFE_IP, alone);
	return err ? err : 1;
}

static int take_evd(struct flow *f)
{
	if (f->evd_due >= FLOW_MAX_EVD)
		return GAP_INTERNAL;
	f->evd[f->evd_due++] = (struct evd){ f->pkt.extra, f->pkt.payload };
	return AGAIN;
}

/* Errata: what tells where an overflow ended may be missing. A TIP tells it then. */
static bool is_lost(const struct flow *f)
{
	return f->overflow && !f->ip;
}

/* In sync, and no results left: read on. */
static int walk_trace(struct flow *f, struct step *s)
{
	bool alone = false, reread = false;
	u8 last = f->led_by_cyc ? PACKET_CYC : PACKET_PAD;
	int err;

	f->led_by_cyc = false;
	for (;;) {
		err = reread ? DONE : flow_read_packet(f);
		if (err)
			return err;
		reread = false;
		if (f->setup.cyc_threshold) {
			if (last != PACKET_CYC)
				f->clock.cycles_new = false;
			last = f->pkt.kind;
		}
		if (f->setup.hop) {
			err = flow_fup_hop(f, s, alone);
			if (err == AGAIN)
				continue;
			if (err != HOP_NOT)
				return err;
		}
		switch (f->pkt.kind) {
		case PACKET_TNT:
			if (is_lost(f))
				break;
			f->tnt = f->pkt.payload;
			f->tnt_n = f->pkt.count;
			f->tnt_fresh = true;
			if (f->tnt_n)
				return flow_walk_tnt(f, s);
			break;
		case PACKET_TIP:
		case PACKET_TIP_PGD:
			read_ip(f);
			if (!is_lost(f)) {
				f->state = f->pkt.kind == PACKET_TIP ? AT_TIP : AT_PGD;
				return flow_walk_tip(f, s);
			}
			if (f->pkt.kind == PACKET_TIP_PGD) {
				tracing_stops(f);
				f->overflow = false;
				break;
			}
			/* fall through */
		case PACKET_TIP_PGE:
			err = take_pge(f, s);
			if (err != AGAIN)
				return err;
			break;
		case PACKET_FUP:
			err = take_fup(f, s, &alone);
			if (err != AGAIN)
				return err;
			break;
		case PACKET_OVF:
			return flow_walk_overflow(f, s);
		case PACKET_TRACESTOP:
			tracing_stops(f);
			f->tx = 0;
			f->clock.have_tma = false;
			break;
		case PACKET_PSB:
			err = take_psb(f, s);
			if (err != AGAIN)
				return err;
			reread = true;
			break;
		case PACKET_PIP:
			f->pip_nr = f->pkt.ip;
			break;
		case PACKET_CBR:
			flow_read_time(f);
			if (f->clock.cbr == f->cbr_seen)
				break;
			s->what = 0;
			return DONE;
		case PACKET_MODE_EXEC:
			take_mode(f);
			err = bound_fup(f, STEP_IFLAG, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_MODE_TSX:
			if (!f->on) {
				f->tx = f->pkt.payload & TX_IN;
				break;
			}
			err = take_tsx(f, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_PTW:
			f->ptw = f->pkt.payload;
			if (!f->pkt.ip)
				return event_here(f, s, STEP_PTW);
			err = bound_fup(f, STEP_PTW, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_MWAIT:
			f->mwait = f->pkt.payload | (u64)f->pkt.extra << 32;
			/* No FUP follows where nothing is traced. */
			if (!f->on && !f->setup.no_branches)
				return event_here(f, s, STEP_MWAIT);
			f->pending |= STEP_MWAIT;
			break;
		case PACKET_PWRE:
			f->pwre = f->pkt.payload;
			if (!(f->pending & STEP_MWAIT))
				return event_here(f, s, STEP_PWRE);
			f->pending |= STEP_PWRE;
			break;
		case PACKET_PWRX:
			f->pwrx = f->pkt.payload;
			return event_here(f, s, STEP_PWRX);
		case PACKET_EXSTOP:
			if (!f->pkt.ip)
				return event_here(f, s, STEP_EXSTOP);
			err = bound_fup(f, STEP_EXSTOP, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_BEP:
			if (!f->pkt.ip)
				return event_here(f, s, STEP_BLOCK);
			err = bound_fup(f, STEP_BLOCK, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_TRIG:
			if (!f->pkt.ip)
				break;
			err = bound_fup(f, 0, &alone);
			if (err)
				return err;
			reread = true;
			break;
		case PACKET_CFE:
			err = take_cfe(f, s, &alone);
			if (err != 1 && err != AGAIN)
				return err;
			reread = err == 1;
			break;
		case PACKET_EVD:
			err = take_evd(f);
			if (err != AGAIN)
				return err;
			break;
		default:
			flow_read_time(f);
		}
	}
}

/* Does time go on in this state, or does it wait until the packet is answered? */
static bool time_goes_on(const struct flow *f)
{
	if (f->state == IN_SYNC)
		return !f->tnt_n || !f->tnt_fresh;
	return f->state < AT_TIP || f->state == RESAMPLE;
}

static inline void set_time(struct flow *f, struct step *s)
{
	f->step_tsc = f->clock.tsc;
	if (unlikely(f->clock_updates != f->clock.updates)) {
		f->clock_updates = f->clock.updates;
		f->insns_at_time = f->insns;
	}
	f->step_insns = f->insns_at_time;
}

/* What all steps say. */
static void complete(struct flow *f, struct step *s)
{
	if (unlikely(f->clock.cbr != f->cbr_seen)) {
		f->cbr_seen = f->clock.cbr;
		if (!s->what)
			s->from = f->ip;
		s->what |= STEP_CBR;
	}
	if (time_goes_on(f)) {
		set_time(f, s);
		if (s->what & STEP_NOT_TAKEN && !f->setup.each_insn) {
			s->new_cycles = f->clock.cycles_new;
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
		f->step_tsc = f->clock.tsc_packet;
	if (f->nr)
		s->what |= STEP_FROM_NR;
	if (f->next_nr)
		s->what |= STEP_TO_NR;
	if (unlikely(f->nr != f->next_nr)) {
		f->nr = f->next_nr;
		flow_forget(f);
	}
}

static void complete_gap(struct flow *f, struct step *s, int gap)
{
	s->what = (s->what & STEP_IN_TX) | STEP_GAP;
	s->gap = gap;
	if (gap != GAP_OVERFLOW)
		s->from = f->ip;
	s->to = 0;
	set_time(f, s);
	f->step_cycles = f->clock.cycles;
	take_nr(f);
}

static int advance(struct flow *f, struct step *s)
{
	switch (f->state) {
	case NO_PSB:
		return flow_psb_sync(f, s);
	case NO_IP:
	case RESYNC:
		return flow_psb_resync(f, s);
	case AT_TIP:
	case AT_PGD:
		return flow_walk_tip(f, s);
	case AT_FUP:
	case AT_FUP_ALONE:
		return flow_fup_to(f, s);
	case AT_FUP_PSB:
		return flow_psb_at_fup(f, s);
	case RESAMPLE:
		f->state = IN_SYNC;
		s->what = STEP_INSN_AT;
		s->from = f->ip;
		return DONE;
	}
	if (f->tnt_n)
		return flow_walk_tnt(f, s);
	return walk_trace(f, s);
}

/* Is the next result one that is heeded, for sure? */
static inline bool is_heeded(const struct flow *f)
{
	return f->setup.heed & HEED_TAKEN && !f->setup.note && f->tnt_n &&
	       f->tnt >> (f->tnt_n - 1) & 1;
}

bool flow_next(struct flow *f, struct step *s)
{
	int err;

	f->n_passed = 0;
	f->skipped_tsc = 0;
	f->led_by_cyc = false;
	if (f->state == IN_SYNC && !is_heeded(f))
		flow_skip(f);
	*s = (struct step){ .what = STEP_BRANCH, .tsc_in = f->step_tsc };
	if (f->tnt_n && !f->tnt_fresh)
		s->tsc_in = f->clock.tsc;
	do {
		err = advance(f, s);
		if ((err == AGAIN || err == REPOSITION) && s->n) {
			/* The way there is a step of its own. */
			s->what = 0;
			break;
		}
		if (err == AGAIN || err == REPOSITION)
			*s = (struct step){ .what = STEP_BRANCH, .tsc_in = f->step_tsc };
	} while (err == AGAIN || err == REPOSITION);
	if (err == NO_DATA && !s->n)
		return false;
	if (err > 0)
		complete_gap(f, s, err);
	else if (err == NO_DATA || err == REPOSITION || !s->what || s->what & STEP_NOT_TAKEN)
		s->what &= ~STEP_BRANCH;
	if (err <= 0)
		complete(f, s);
	if (f->new_buffer) {
		s->what |= STEP_NEW_BUFFER;
		f->new_buffer = false;
	}
	s->tsc = f->step_tsc;
	s->insns = f->insns;
	s->cycles = f->step_cycles;
	return true;
}
