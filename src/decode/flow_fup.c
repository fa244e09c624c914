/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * FUPs: walk the code up to the place of an event, and report the event.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Flow Update (FUP) Packet" and "Packet generation
 * scenarios".
 */
#include "flow.h"

/* Does the next FUP only name an instruction? Otherwise it is the source of a branch that a TIP
 * ends. */
bool flow_fup_is_alone(const struct flow *f)
{
	const u32 named = STEP_PTW | STEP_MWAIT | STEP_EXSTOP | STEP_BLOCK | STEP_IFLAG |
			  PENDING_CFE_IP | PENDING_TRIG;

	return f->arch.pending & named ||
	       (f->arch.pending & STEP_TX && !(f->arch.fup_tx & TX_ABORT));
}

/* The FUP's address was reached: events that waited for it happen now. True if there was any. */
bool flow_fup_meet(struct flow *f, struct step *s)
{
	u32 what = s->what, due = f->arch.pending & ~PENDING_TRIG;

	/* A CFE without an address waits for the FUP of an interrupt. */
	if (f->arch.on && flow_fup_is_alone(f) && !(due & PENDING_CFE_IP))
		due &= ~STEP_EVT;
	/* A flag that does not change is not an event, although perf prints one. */
	if (due & STEP_IFLAG && f->values.iflag == f->arch.iflag_next)
		due &= ~STEP_IFLAG;
	f->arch.pending &= ~(due | STEP_IFLAG | PENDING_TRIG);
	s->what &= ~STEP_BRANCH;
	s->what |= STEP_AT_FUP;
	if (due & STEP_EVT) {
		s->what |= STEP_EVT;
		f->values.n_evd = f->evd_due;
		f->evd_due = 0;
		if (!(due & PENDING_CFE_IP) && f->arch.on)
			s->what |= STEP_BRANCH;
		if (due & PENDING_CFE_IP || f->arch.on)
			s->what |= STEP_WITH_IP;
	}
	if (due & STEP_IFLAG)
		change_iflag(f, s);
	if (due & STEP_TX) {
		f->arch.tx = f->arch.fup_tx;
		s->what |= STEP_TX;
		s->what &= ~STEP_IN_TX;
		if (f->arch.fup_tx & TX_IN)
			s->what |= STEP_IN_TX;
		if (f->arch.fup_tx & TX_ABORT)
			s->what |= STEP_BRANCH | STEP_ABORT;
	}
	if (due & (STEP_PTW | STEP_EXSTOP))
		s->what |= STEP_WITH_IP;
	s->what |= due & (STEP_PTW | STEP_MWAIT | STEP_PWRE | STEP_EXSTOP | STEP_BLOCK);
	if (f->arch.overflow) {
		f->arch.overflow = false;
		if (!due && !f->arch.on) {
			f->arch.on = true;
			s->what |= STEP_BRANCH | STEP_BEGIN;
			if (f->setup.hop) {
				s->what = STEP_BRANCH | STEP_BEGIN;
				f->arch.state = RESAMPLE;
			}
			s->from = 0;
			s->to = f->arch.ip;
			return true;
		}
	}
	if (!due) {
		s->what = what | STEP_AT_FUP;
		return false;
	}
	s->from = f->arch.ip;
	s->to = 0;
	s->kind = INSN_OTHER;
	s->len = 0;
	return true;
}

/* The TIP or TIP.PGD that ends the branch of a FUP. */
static int tip(struct flow *f, struct step *s)
{
	int err;

	if (f->arch.tx & TX_ABORT) {
		f->arch.tx = 0;
		s->what = (s->what & ~STEP_IN_TX) | STEP_ABORT;
	} else {
		s->what |= STEP_ASYNC;
	}
	for (;;) {
		err = flow_read_packet(f);
		if (err)
			return err;
		switch (f->pkt.kind) {
		case PACKET_TIP:
			s->from = f->arch.ip;
			if (read_ip(f))
				go_there(f);
			else
				flow_lose_ip(f);
			s->to = f->arch.ip;
			f->arch.next_nr = f->arch.pip_nr;
			change_iflag_if(f, s);
			return DONE;
		case PACKET_TIP_PGD:
			s->from = f->arch.ip;
			s->to = 0;
			if (read_ip(f)) {
				go_there(f);
				s->to = f->arch.ip;
			}
			tracing_stops(f);
			s->what |= STEP_END;
			f->arch.next_nr = f->arch.pip_nr;
			return DONE;
		case PACKET_TIP_PGE:
			f->arch.on = true;
			s->from = 0;
			s->to = 0;
			if (read_ip(f)) {
				go_there(f);
				s->to = f->arch.ip;
			}
			s->what |= STEP_BEGIN;
			flow_walk_nr(f);
			return DONE;
		case PACKET_OVF:
			return flow_walk_overflow(f, s);
		case PACKET_PIP:
			f->arch.pip_nr = f->pkt.ip;
			break;
		case PACKET_MODE_EXEC:
			take_mode(f);
			break;
		case PACKET_CBR:
		case PACKET_MTC:
		case PACKET_CYC:
			flow_read_time(f);
			break;
		default:
			if (packet_in(PACKET_SET(PACKET_NO_FLOW), f->pkt.kind))
				break;
			f->again = true;
			return flow_walk_lost(f, GAP_MISMATCH);
		}
	}
}

/* An erratum: the result or target of the branch before an abort may be wrong. The walk then does
 * not reach the FUP, and the instructions on the way were not executed. */
static bool is_astray(const struct flow *f, bool reached, u32 n)
{
	enum { FAR = 256 };	/* instructions; a FUP that is farther away is reached by chance */

	return f->setup.abort_astray && f->arch.tx & TX_IN && f->arch.pending & STEP_TX &&
	       f->arch.fup_tx & TX_ABORT && !(reached && n <= FAR);
}

/* Walk to fup_ip. AGAIN: it was reached, and '*s' has the way there. */
int flow_fup_walk(struct flow *f, struct step *s)
{
	struct run *r;
	bool reached;
	u32 n;
	int err;

	if (f->arch.ip == f->arch.fup_ip) {
		/* A PSB+ where tracing begins is not a walk: it does not start a period of time. */
		if (f->arch.state != AT_FUP_PSB)
			flow_walk_begin(f, s);
		return AGAIN;
	}
	r = flow_walk_here(f);
	reached = run_count_to(f->runs, r, f->arch.fup_ip, &n);
	if (unlikely(is_astray(f, reached, n))) {
		flow_walk_begin(f, s);
		go(f, f->arch.fup_ip);
		return AGAIN;
	}
	if (reached) {
		flow_walk_take(f, s, n);
		go(f, f->arch.fup_ip);
		return AGAIN;
	}
	if (r->end >= RUN_GAP) {
		err = flow_walk_odd_end(f, s);
		if (err)
			f->arch.pending &= ~STEP_TX;
		return err;
	}
	if (f->setup.fup_next_ip && r->end > INSN_COND &&
	    f->arch.fup_ip == run_end_ip(r) + r->end_len) {
		flow_walk_take(f, s, r->n - 1);
		go(f, run_end_ip(r));
		return AGAIN;
	}
	f->arch.pending &= ~STEP_TX;
	flow_walk_take(f, s, r->n - 1);
	f->insns++;
	s->len = r->end_len;
	if (r->end == INSN_CALL_INDIRECT)
		push(f, &run_calls(r)[r->n_calls]);
	else if (r->end == INSN_RET)
		pop(f);
	go(f, run_end_ip(r));
	return flow_walk_lost(f, GAP_MISMATCH);
}

/* Walk to the FUP, and report what happens there. */
int flow_fup_to(struct flow *f, struct step *s)
{
	bool alone = f->arch.state == AT_FUP_ALONE;
	int err = flow_fup_walk(f, s);

	if (err != AGAIN)
		return err;
	f->arch.state = IN_SYNC;
	if (flow_fup_meet(f, s) && alone)
		return DONE;
	if (!alone)
		return tip(f, s);
	s->what &= ~STEP_BRANCH;
	return s->n ? DONE : AGAIN;
}

/* The next packet about control flow. PACKET_PSB: a PSB+ says that tracing is on. */
static u8 next_flow(struct packets ahead)
{
	struct packet pkt;

	while (packet_next(&ahead, &pkt)) {
		if (pkt.kind == PACKET_FUP)
			return PACKET_PSB;
		/* A PSB+ without a FUP: tracing is off. */
		if (pkt.kind == PACKET_PSBEND)
			return PACKET_TIP_PGE;
		if (!packet_in(PACKET_SET(PACKET_STATE) | PACKET_ONE(PSB), pkt.kind))
			return pkt.kind;
	}
	return PACKET_BAD;
}

/* Errata: a FUP that has no meaning. */
static bool is_stray(struct flow *f)
{
	const struct run *r;

	if (f->setup.stray_fup && f->arch.overflow && !f->arch.on)
		return next_flow(f->in) == PACKET_TIP_PGE;
	if (!f->setup.vmentry_fup || !f->arch.on || f->arch.pending ||
	    next_flow(f->in) != PACKET_TIP_PGD)
		return false;
	r = runs_find(f->runs, flow_key(f, f->last_ip.ip), f->arch.mode, f->last_ip.ip);
	return r->n == 1 && r->end == INSN_VMENTRY;
}

/* Handle a FUP packet. */
int flow_fup(struct flow *f, struct step *s)
{
	bool alone = flow_fup_is_alone(f);

	if (!read_ip(f) || is_stray(f))
		return AGAIN;
	if (f->setup.no_branches || !f->arch.on) {
		go_there(f);
		return flow_fup_meet(f, s) ? DONE : AGAIN;
	}
	f->arch.fup_ip = f->last_ip.ip;
	f->arch.state = alone ? AT_FUP_ALONE : AT_FUP;
	return flow_fup_to(f, s);
}

/* Hop mode: the address in a packet is one where an instruction was executed; the code between is
 * not walked. PASS: the packet is of another kind. */
int flow_fup_hop(struct flow *f, struct step *s)
{
	bool alone;
	int err;

	if (f->setup.leap && f->pkt.kind != PACKET_PSB) {
		err = flow_read_to_psb(f);
		if (err)
			return err;
	}
	switch (f->pkt.kind) {
	case PACKET_TNT:
		return AGAIN;
	case PACKET_TIP:
	case PACKET_TIP_PGD:
	case PACKET_FUP:
		break;
	default:
		return PASS;
	}
	if (f->pkt.kind == PACKET_TIP_PGD)
		f->arch.on = false;
	if (!read_ip(f)) {
		if (f->pkt.kind != PACKET_FUP)
			flow_walk_nr(f);
		return AGAIN;
	}
	go_there(f);
	s->from = f->arch.ip;
	if (f->pkt.kind == PACKET_FUP) {
		alone = flow_fup_is_alone(f) || f->setup.no_branches || !f->arch.on;
		if (alone)
			s->what = STEP_INSN_AT;
		flow_fup_meet(f, s);
		if (alone)
			return DONE;
		s->what |= STEP_INSN_AT | STEP_BRANCH;
		err = tip(f, s);
		if (!err && s->to)
			f->arch.state = RESAMPLE;
		return err;
	}
	f->arch.next_nr = f->arch.pip_nr;
	if (f->pkt.kind == PACKET_TIP_PGD) {
		s->from = 0;
		s->to = f->arch.ip;
		s->what |= STEP_END;
		return DONE;
	}
	s->what = STEP_INSN_AT;
	change_iflag_if(f, s);
	return DONE;
}
