/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PSB+: its contents, when nothing is known and when all is.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Stream Boundary (PSB) Packet".
 */
#include "flow.h"

/* Find the address in the PSB+ that follows, if it is valid: because of an erratum it may have
 * one although tracing begins only with the TIP.PGE after it. */
bool flow_psb_has_fup(struct flow *f)
{
	const u64 ends = PACKET_SET(PACKET_CUTS) | PACKET_ONE(TNT) | PACKET_ONE(TIP) |
			 PACKET_ONE(TIP_PGD) | PACKET_ONE(PSB);
	struct packets ahead = f->in;
	struct last_ip zero = { 0, true };
	struct packet pkt;
	int later = 0;		/* packets to look at after the PSBEND */
	bool found = false;

	while (packet_next(&ahead, &pkt)) {
		if (pkt.kind == PACKET_PAD)
			continue;
		if (pkt.kind == PACKET_FUP) {
			if (later || found || !last_ip_update(&zero, &pkt, &f->arch.fup_ip))
				return found;
			found = true;
			continue;
		}
		if (pkt.kind == PACKET_PSBEND) {
			if (!found)
				return false;
			later = 6;
			continue;
		}
		if (pkt.kind == PACKET_TIP_PGE)
			return found && !later;
		if (packet_in(ends, pkt.kind) ||
		    (!later && !packet_in(PACKET_SET(PACKET_STATE), pkt.kind)))
			return found;
		if (later && !--later)
			return found;
	}
	return found;
}

/* A packet that cannot be in a PSB+. */
static int stray_in_psb(struct flow *f, bool syncing)
{
	u8 kind = f->pkt.kind;

	if (!syncing) {
		f->clock.have_tma = false;
		f->again = true;
		return AGAIN;
	}
	if (kind == PACKET_TRACESTOP) {
		tracing_stops(f);
		f->arch.tx = 0;
	}
	if (kind == PACKET_TRACESTOP || kind == PACKET_TNT) {
		f->clock.have_tma = false;
		if (!f->arch.ip)
			return flow_walk_lost(f, GAP_MISMATCH);
	}
	return GAP_MISMATCH;
}

/* Read the status packets after a PSB, up to PSBEND. 'syncing': nothing is known, so go to the
 * address that they give. Otherwise AGAIN means that the packet is read again outside of the
 * PSB+. */
int flow_psb_plus(struct flow *f, struct step *s, bool syncing)
{
	int err;

	f->arch.in_psb = true;
	for (;;) {
		err = flow_read_packet(f);
		if (err)
			break;
		switch (f->pkt.kind) {
		case PACKET_PSBEND:
			f->arch.in_psb = false;
			return DONE;
		case PACKET_FUP:
			f->arch.on = true;
			if (!read_ip(f))
				break;
			f->arch.psb_ip = f->last_ip.ip;
			if (syncing)
				go(f, f->arch.psb_ip);
			break;
		case PACKET_PIP:
			f->arch.pip_nr = f->pkt.ip;
			flow_walk_nr(f);
			break;
		case PACKET_MODE_EXEC:
			take_mode_now(f);
			break;
		case PACKET_MODE_TSX:
			f->arch.tx = f->pkt.payload & TX_IN;
			break;
		case PACKET_OVF:
			f->arch.in_psb = false;
			return flow_walk_overflow(f, s);
		case PACKET_PSB:
			if (syncing)
				break;
			/* fall through */
		default:
			if (flow_read_time(f) ||
			    packet_in(PACKET_SET(PACKET_NO_FLOW), f->pkt.kind))
				break;
			f->arch.in_psb = false;
			return stray_in_psb(f, syncing);
		}
	}
	f->arch.in_psb = false;
	return err;
}

void flow_psb_resets(struct flow *f)
{
	last_ip_reset(&f->last_ip);
	f->arch.psb_ip = 0;
	f->ret_n = 0;
}

int flow_psb_plain(struct flow *f, struct step *s)
{
	int err;

	flow_psb_resets(f);
	err = flow_psb_plus(f, s, false);
	if (err)
		return err;
	s->what = (s->what & STEP_IN_TX) | STEP_PSB;
	s->from = f->arch.psb_ip;
	s->to = 0;
	return DONE;
}

/* A PSB+ with an address: walk there first, because a PSB resets all state. */
int flow_psb_at_fup(struct flow *f, struct step *s)
{
	int err = flow_fup_walk(f, s);

	if (err != AGAIN)
		return err;
	/* The PSB+ then comes next: nothing is pending any more. */
	if (f->arch.pending && flow_fup_meet(f, s))
		return DONE;
	f->arch.state = IN_SYNC;
	err = flow_psb_plain(f, s);
	if (err == REPOSITION || err == NO_DATA || err == GAP_OVERFLOW || !err)
		return err;
	return flow_walk_lost(f, GAP_MISMATCH);
}

int flow_psb_sync(struct flow *f, struct step *s)
{
	int err;

	tracing_stops(f);
	forget_pending(f);
	f->arch.overflow = f->arch.results_lost = false;
	flow_walk_found(f);
	f->last_ip = (struct last_ip){ 0 };
	flow_psb_resets(f);
	f->last_ip.known = false;
	go(f, 0);
	err = flow_read_to_psb(f);
	if (err)
		return err;
	f->last_ip.known = true;
	f->arch.state = IN_SYNC;
	err = flow_psb_plus(f, s, true);
	if (err)
		return err;
	if (f->setup.hop && f->arch.ip)
		f->arch.state = RESAMPLE;
	s->what = STEP_PSB;
	s->from = f->arch.psb_ip;
	return DONE;
}
