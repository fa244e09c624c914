/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A digest of the state of a flow.
 */
#include <pt/digest.h>
#include <pt/flow_state.h>
#include "flow.h"

#define F(name) FIELD(flow, name)

/* Members that are taken as they are. All others are taken in another form, or are caches. */
static const struct field fields[] = {
	F(last_ip.ip), F(last_ip.known), F(pkt.kind), F(before), F(state), F(mode), F(mode_next),
	F(on), F(in_psb), F(overflow), F(searching), F(defers), F(results_lost), F(pips), F(tx),
	F(fup_tx), F(nr), F(next_nr), F(pip_nr),
	F(iflag_next), F(tnt_n), F(eptw), F(ip), F(psb_ip), F(told.cbr),
	F(step_tsc), F(new_buffer), F(led_by_cyc), F(told.iflag_from), F(told.iflag),
	F(in.off), F(in.item), F(clock.tsc), F(clock.tsc_packet), F(clock.reference),
	F(clock.buffer_reference), F(clock.cbr), F(clock.cbr_payload), F(clock.have_cyc),
	F(clock.cycles_new), F(clock.have_tma), F(clock.fix_mtc), F(clock.last_mtc),
	F(clock.ctc_tsc), F(clock.ctc_delta), F(clock.cyc_ref), F(clock.cyc_n), F(clock.cyc_ticks),
};

u64 flow_state(const struct flow *f, u64 h, bool cycles)
{
	const struct clock *c = &f->clock;
	u32 i;

	if (f->pending || f->told.n_evd || f->evd_due || f->again || f->n_long)
		return 0;
	h = digest_fields(h, f, fields, N_ELEM(fields));
	if (f->tnt_n)
		h = digest(digest(h, f->tnt & ((1ULL << f->tnt_n) - 1)), f->tnt_fresh);
	if (f->state != IN_SYNC)
		h = digest(h, f->fup_ip);
	h = digest(h, f->insns - f->step_insns);
	h = digest(h, c->updates == f->clock_updates ? f->insns - f->insns_at_time : ~0ULL);
	for (i = 1; i <= f->ret_n; i++)
		h = digest(h, f->ret[(f->ret_top - i) % FLOW_RET_STACK].ip);
	if (!cycles)
		return h;
	/* Without CYCs, cycles are computed from time, and rounded. */
	if (!c->have_cyc)
		h = digest(digest(digest(h, c->cycles), c->mtc_cyc_tsc), c->mtc_cyc_base);
	return digest(h, c->cycles - f->step_cycles);
}

void flow_state_jump(struct flow *f, struct bytes rest, u64 off)
{
	f->in.rest = rest;
	f->in.off = off;
	f->in.item = 0;
	f->whole = f->eptw = f->again = f->overflow = f->results_lost = false;
	f->searching = f->in_hole = false;
	f->state = NO_PSB;
	f->tnt_n = f->pending = f->told.n_evd = f->evd_due = 0;
	go(f, 0);
}
