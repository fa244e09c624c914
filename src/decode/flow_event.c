/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets about events that are not control flow: PTWRITE, power, PEBS, event trace.
 *
 * Some name their instruction: a FUP follows, and the event happens when the walk reaches its
 * address. The contents are reported in any case, without an address if the FUP is missing.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Packet Definitions".
 */
#include <pt/config/PEBS.h>
#include "flow.h"

enum { CFE_SHUTDOWN = 10 };

/* The next packet is a FUP that belongs to this one: 'what' happens there. */
static int wait_for_fup(struct flow *f, struct step *s, u32 what)
{
	int err = flow_read_packet(f);

	f->arch.pending |= what;
	f->again = !err || err > 0;
	if (!err && f->pkt.kind == PACKET_FUP)
		return AGAIN;
	f->arch.pending &= ~PENDING_TRIG;
	return flow_event_flush(f, s);
}

/* A PTW packet without a FUP belongs to the next PTWRITE in the code, since no branch that has a
 * packet lies between. The walk goes past that PTWRITE, so that the next PTW finds the next one. */
static int ptwrite(struct flow *f, struct step *s)
{
	struct run *r;
	u64 ip;
	u32 n;

	if (f->setup.hop || f->setup.no_branches || !f->arch.on || !f->arch.ip)
		return flow_event_here(f, s, STEP_PTW);
	r = flow_walk_here(f);
	if (!(r->holds & RUN_HOLDS_PTWRITE) || !run_find(f->runs, r, INSN_PTWRITE, 0, &n, &ip))
		return flow_event_here(f, s, STEP_PTW);
	flow_walk_take(f, s, n);
	s->what = (s->what & STEP_IN_TX) | STEP_PTW;
	s->from = ip;
	go(f, ip + run_lens(f->runs, r)[n - 1]);
	return DONE;
}

/* While nothing is traced, an MWAIT has no FUP of its own, but shares that of an EXSTOP after
 * it. */
static bool exstop_follows(struct packets ahead)
{
	const u64 between = PACKET_SET(PACKET_TIME | PACKET_NO_FLOW) | PACKET_ONE(PWRE) |
			    PACKET_ONE(CBR);
	struct packet pkt;

	while (packet_next(&ahead, &pkt)) {
		if (pkt.kind == PACKET_EXSTOP)
			return pkt.ip;
		if (!packet_in(between, pkt.kind))
			return false;
	}
	return false;
}

static int mwait(struct flow *f, struct step *s)
{
	f->values.mwait = f->pkt.payload | (u64)f->pkt.extra << 32;
	if (!f->arch.on && !f->setup.no_branches && !exstop_follows(f->in))
		return flow_event_here(f, s, STEP_MWAIT);
	f->arch.pending |= STEP_MWAIT;
	return AGAIN;
}

static int cfe(struct flow *f, struct step *s)
{
	/* A CFE that still waits is an earlier event: report that first. */
	if (f->arch.pending & STEP_EVT) {
		f->again = true;
		return flow_event_flush(f, s);
	}
	f->values.cfe_type = f->pkt.payload;
	f->values.cfe_vector = f->pkt.extra;
	if (f->pkt.ip)
		return wait_for_fup(f, s, STEP_EVT | PENDING_CFE_IP);
	f->arch.pending |= STEP_EVT;
	/* The event belongs to the next packet: the FUP of an interrupt, or the TIP of an IRET. */
	if (f->arch.on && f->values.cfe_type != CFE_SHUTDOWN)
		return AGAIN;
	return flow_event_flush(f, s);
}

static int evd(struct flow *f)
{
	if (f->evd_due >= FLOW_MAX_EVD)
		return GAP_INTERNAL;
	f->values.evd[f->evd_due++] = (struct evd){ f->pkt.extra, f->pkt.payload };
	return AGAIN;
}

/* A BBP: the items that follow belong to a group. All groups up to the next BEP are one record. */
static int begin_group(struct flow *f)
{
	static const u8 groups[32] = {
		[1] = 1 + BLOCK_REGISTERS, [4] = 1 + BLOCK_BASIC, [5] = 1 + BLOCK_MEMORY,
		[8] = 1 + BLOCK_BRANCHES, [9] = 1 + BLOCK_BRANCHES_2,
		[10] = 1 + BLOCK_BRANCHES_3, [16] = 1 + BLOCK_VECTORS,
	};
	enum { TYPE = 31, SHORT = 1 << 7 };
	struct pebs_block *b = &f->values.block;

	if (!b->open) {
		memset(b->has, 0, sizeof(b->has));
		b->is_32 = false;
	}
	b->open = true;
	b->group = groups[f->pkt.payload & TYPE];
	if (b->group == 1 + BLOCK_REGISTERS)
		b->is_32 = f->pkt.payload & SHORT;
	return AGAIN;
}

static int take_item(struct flow *f)
{
	struct pebs_block *b = &f->values.block;

	if (!b->group)
		return AGAIN;
	b->items[b->group - 1][f->pkt.extra] = f->pkt.payload;
	b->has[b->group - 1] |= 1u << f->pkt.extra;
	return AGAIN;
}

/* PASS: the packet is not one of these. */
int flow_event(struct flow *f, struct step *s)
{
	if (CONFIG_PEBS && f->pkt.kind == PACKET_BBP)
		return begin_group(f);
	if (CONFIG_PEBS && f->pkt.kind == PACKET_BIP)
		return take_item(f);
	switch (f->pkt.kind) {
	case PACKET_PTW:
		f->values.ptw = f->pkt.payload;
		return f->pkt.ip ? wait_for_fup(f, s, STEP_PTW) : ptwrite(f, s);
	case PACKET_MWAIT:
		return mwait(f, s);
	case PACKET_PWRE:
		f->values.pwre = f->pkt.payload;
		if (!(f->arch.pending & STEP_MWAIT))
			return flow_event_here(f, s, STEP_PWRE);
		f->arch.pending |= STEP_PWRE;
		return AGAIN;
	case PACKET_PWRX:
		f->values.pwrx = f->pkt.payload;
		return flow_event_here(f, s, STEP_PWRX);
	case PACKET_EXSTOP:
		return f->pkt.ip ? wait_for_fup(f, s, STEP_EXSTOP) :
				   flow_event_here(f, s, STEP_EXSTOP);
	case PACKET_BEP:
		return f->pkt.ip ? wait_for_fup(f, s, STEP_BLOCK) :
				   flow_event_here(f, s, STEP_BLOCK);
	case PACKET_TRIG:
		return f->pkt.ip ? wait_for_fup(f, s, PENDING_TRIG) : AGAIN;
	case PACKET_CFE:
		return cfe(f, s);
	case PACKET_EVD:
		return evd(f);
	}
	return PASS;
}
