/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * After a gap: read packets until one tells an address at which decoding can continue.
 *
 * If code is missing or does not match, no packet was lost. Therefore the last IP holds, and the
 * packet that could not be answered is the first that may lead on. Other state does not hold:
 * calls and returns were missed, so a return that the trace compresses against one of those calls
 * is a gap, too.
 */
#include "flow.h"

int flow_search_start(struct flow *f, struct step *s)
{
	f->arch.state = IN_SYNC;
	f->arch.overflow = false;
	f->values.iflag = f->arch.iflag_next;
	if (f->setup.no_branches) {
		f->again = false;	/* without branches there is no address to search for */
		s->what = 0;
		return DONE;
	}
	flow_lose_ip(f);
	return AGAIN;
}

/* Decoding continues at the address that was read last. */
static int found(struct flow *f, struct step *s)
{
	f->arch.on = true;
	flow_walk_found(f);
	f->values.iflag = f->values.iflag_from = f->arch.iflag_next;
	flow_walk_nr(f);
	go_there(f);
	f->arch.state = f->setup.hop ? RESAMPLE : IN_SYNC;
	s->from = 0;
	s->to = f->arch.ip;
	return DONE;
}

/* Is the FUP that was read the source of a branch that a TIP ends? */
static bool has_tip(struct packets ahead)
{
	const u64 between = PACKET_SET(PACKET_NO_FLOW) | PACKET_ONE(PIP) | PACKET_ONE(MODE_EXEC) |
			    PACKET_ONE(CBR) | PACKET_ONE(MTC) | PACKET_ONE(CYC);
	struct packet pkt;

	do {
		if (!packet_next(&ahead, &pkt))
			return false;
	} while (packet_in(between, pkt.kind));
	return packet_in(PACKET_ONE(TIP) | PACKET_ONE(TIP_PGD), pkt.kind);
}

static int fup(struct flow *f, struct step *s)
{
	bool alone = flow_fup_is_alone(f) || !has_tip(f->in);

	if (!read_ip(f))
		return AGAIN;
	found(f, s);
	if (f->setup.hop)
		return DONE;
	f->arch.fup_ip = f->arch.ip;
	f->arch.state = alone ? AT_FUP_ALONE : AT_FUP;
	return DONE;
}

static int pgd(struct flow *f, struct step *s)
{
	tracing_stops(f);
	flow_walk_found(f);
	if (!read_ip(f))
		return flow_event_flush(f, s);
	go_there(f);
	flow_event_at_branch(f, s);
	s->what |= STEP_END;
	s->to = f->arch.ip;
	return DONE;
}

/* Handle a packet while the address is unknown. PASS: handle it as usual. */
int flow_search(struct flow *f, struct step *s)
{
	switch (f->pkt.kind) {
	case PACKET_TNT:
		f->unread += f->no_code ? f->pkt.count : 0;
		/* Some of its results may be for branches after the next TIP. */
		f->arch.results_lost = f->arch.defers;
		return AGAIN;
	case PACKET_TIP:
		f->unread += f->no_code;
		if (!read_ip(f))
			return AGAIN;
		flow_event_at_branch(f, s);
		return found(f, s);
	case PACKET_TIP_PGD:
		return pgd(f, s);
	case PACKET_FUP:
		return fup(f, s);
	case PACKET_TIP_PGE:
	case PACKET_TRACESTOP:
		flow_walk_found(f);
		break;
	}
	return PASS;
}
