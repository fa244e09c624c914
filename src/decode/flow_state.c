/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A digest of the state of a flow.
 */
#include <pt/digest.h>
#include <pt/flow_state.h>
#include "flow.h"

#define F(name) FIELD(flow, name)

/* Members of the other parts that are taken as they are. */
static const struct field fields[] = {
	F(last_ip.ip), F(last_ip.known), F(pkt.kind), F(before), F(in.off), F(in.item),
	F(values.cbr), F(values.iflag_from), F(values.iflag), F(clock.tsc), F(clock.tsc_packet),
	F(clock.reference), F(clock.buffer_reference), F(clock.cbr), F(clock.cbr_payload),
	F(clock.have_cyc), F(clock.cycles_new), F(clock.have_tma), F(clock.fix_mtc),
	F(clock.last_mtc), F(clock.ctc_tsc), F(clock.ctc_delta), F(clock.cyc_ref),
	F(clock.cyc_n), F(clock.cyc_ticks),
};

/* The same state always has the same bytes. */
static struct flow_arch canonical(const struct flow_arch *from)
{
	struct flow_arch a = *from;

	_Static_assert(sizeof(a) == offsetof(struct flow_arch, unused) + 1, "there is padding");
	a.tnt &= (1ULL << a.tnt_n) - 1;
	a.tnt_fresh &= a.tnt_n > 0;
	if (a.state == IN_SYNC)
		a.fup_ip = 0;
	return a;
}

u64 flow_state(const struct flow *f, u64 h, bool cycles)
{
	const struct flow_arch arch = canonical(&f->arch);
	const struct clock *c = &f->clock;
	u32 i;

	if (arch.pending || f->values.n_evd || f->evd_due || f->again || f->n_long)
		return 0;
	h = digest_bytes(h, &arch, sizeof(arch));
	h = digest_fields(h, f, fields, N_ELEM(fields));
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

u64 flow_state_since(const struct flow *f, const struct step *last, u64 h, bool cycles)
{
	h = digest(h, f->insns - last->insns);
	h = digest(h, f->no_code ? f->no_code_tsc : 0);
	if (last->walked)
		h = digest(digest(h, f->insns - last->first), f->breaks - last->breaks);
	return cycles ? digest(h, f->step_cycles - last->cycles) : h;
}

void flow_state_jump(struct flow *f, struct bytes rest, u64 off, u64 reference)
{
	flow_state_move(f, rest, off);
	f->clock.buffer_reference = reference;
	f->in.item = 0;
	f->whole = f->arch.eptw = f->again = f->arch.overflow = f->arch.results_lost = false;
	f->arch.searching = f->no_code = false;
	f->arch.state = NO_PSB;
	f->arch.tnt_n = f->arch.pending = f->values.n_evd = f->evd_due = 0;
	go(f, 0);
}
