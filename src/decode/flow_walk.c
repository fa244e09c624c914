/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walk the code, up to the place where a packet applies.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Change of Flow Instruction (COFI) Tracing".
 */
#include "flow.h"

COLD void flow_walk_found(struct flow *f)
{
	if (f->no_code)
		f->unread_ticks += f->clock.tsc - f->no_code_tsc;
	f->arch.searching = f->no_code = false;
}

void flow_walk_nr(struct flow *f)
{
	if (unlikely(f->arch.nr != f->arch.pip_nr))
		flow_forget(f);
	f->arch.nr = f->arch.next_nr = f->arch.pip_nr;
}

COLD int flow_walk_overflow(struct flow *f, struct step *s)
{
	f->arch.tx = 0;
	flow_walk_nr(f);
	f->insns_at_time = f->insns;
	f->arch.state = IN_SYNC;
	s->from = f->arch.ip;
	go(f, 0);
	f->arch.on = false;
	forget_pending(f);
	f->arch.overflow = true;
	f->arch.results_lost = false;
	flow_walk_found(f);
	f->ret_n = 0;
	return GAP_OVERFLOW;
}

static inline struct run *here(struct flow *f)
{
	if (unlikely(!f->run))
		f->run = flow_look_up(f);
	return f->run;
}

/* A walk begins: store what a sampler needs of this moment. */
static inline void begin(struct flow *f, struct step *s)
{
	if (unlikely(f->clock_updates != f->clock.updates)) {
		f->clock_updates = f->clock.updates;
		f->insns_at_time = f->insns;
	}
	s->walked = true;
	s->first = f->insns;
	s->walk_tsc = f->clock.tsc;
	s->walk_insns = ticks_of(f, f->insns);
	s->breaks = f->breaks;
}

/* Execute the first 'n' instructions of the current run. */
static inline void take(struct flow *f, struct step *s, u32 n)
{
	struct run *r = f->run;
	unsigned int i, call = 0;

	begin(f, s);
	s->run = r;
	s->n = n;
	f->insns += n;
	f->n_long = 0;
	if (unlikely(f->arch.tx & TX_IN)) {
		s->what |= STEP_IN_TX;
		s->in_tx = true;
	}
	if (likely(!r->n_calls))
		return;
	if (n == r->n) {
		for (i = 0; i < r->n_calls; i++)
			push(f, &run_calls(r)[i]);
		return;
	}
	for (i = 0; i < r->n_segments && r->rest->segments[i].n <= n; i++) {
		const struct segment *g = &r->rest->segments[i];
		u64 back = g->ip + g->bytes;

		if (g->kind != INSN_CALL || run_branch_target(r, i) == back)
			continue;
		push(f, &run_calls(r)[call++]);
	}
}

struct run *flow_walk_here(struct flow *f)
{
	return here(f);
}

void flow_walk_begin(struct flow *f, struct step *s)
{
	begin(f, s);
}

COLD void flow_walk_take(struct flow *f, struct step *s, u32 n)
{
	take(f, s, n);
}

/* Execute all of the run, with the branch that ends it. */
static inline void take_all(struct flow *f, struct step *s)
{
	struct run *r = f->run;

	take(f, s, r->n);
	s->from = run_end_ip(r);
	s->kind = r->end;
	s->len = r->end_len;
	if (r->end == INSN_CALL_INDIRECT || r->end == INSN_FAR_CALL)
		push(f, &run_calls(r)[r->n_calls]);
}

/* The address is unknown from here on. The packet that could not be answered is read again,
 * because it may tell where the trace continues. */
int flow_walk_lost(struct flow *f, int gap)
{
	f->again |= f->arch.state >= AT_TIP && f->arch.state <= AT_FUP_PSB;
	f->arch.results_lost |= f->arch.defers && f->arch.tnt_n;
	f->arch.state = RESYNC;
	f->arch.tnt_n = 0;
	f->arch.eptw = false;
	return gap;
}

/* The trace does not match the branch that ends the current run, or does not tell its target. */
COLD int flow_walk_unfit(struct flow *f, struct step *s)
{
	struct run *r = here(f);

	if (r->end >= RUN_GAP)
		return flow_walk_odd_end(f, s);
	take(f, s, r->n - 1);
	f->insns++;
	s->len = r->end_len;
	go(f, run_end_ip(r));
	return flow_walk_lost(f, GAP_MISMATCH);
}

/* Has a walk along direct branches come back to an earlier address? A program could not leave such
 * a loop, so it did not go there. One target is remembered, and replaced by a later one after 1, 2,
 * 3 ... more branches, so that any cycle is found. */
static COLD bool is_stuck(struct flow *f, u64 to)
{
	if (to == f->stuck_ip)
		return true;
	if (!--f->stuck_count) {
		f->stuck_count = ++f->stuck_period;
		f->stuck_ip = to;
	}
	return false;
}

/* A run that continues in the next one, unless there are too many. */
static COLD int long_run(struct flow *f, struct step *s)
{
	enum { MAX_LONG = 512 };	/* 2 M instructions or more */
	struct run *r = f->run;
	u32 n_long = f->n_long, i;

	if (!n_long) {
		f->stuck_ip = ~0ULL;
		f->stuck_period = 0;
		f->stuck_count = 2;
	}
	for (i = 0; i + 1 < r->n_segments; i++) {
		if (!is_stuck(f, r->rest->segments[i + 1].ip))
			continue;
		take(f, s, r->rest->segments[i].n - 1);
		go(f, f->stuck_ip);
		return flow_walk_lost(f, GAP_LOOP);
	}
	take(f, s, r->n);
	s->what = 0;
	go(f, run_end_ip(r));
	if (n_long == MAX_LONG)
		return flow_walk_lost(f, GAP_LOOP);
	f->n_long = n_long + 1;
	return DONE;
}

/* The run does not end with a branch. DONE: it continues in the next one. */
COLD int flow_walk_odd_end(struct flow *f, struct step *s)
{
	struct run *r = f->run;
	int gap = GAP_NO_CODE;
	u32 n = r->n;

	switch (r->end) {
	case RUN_EPTW:
	case RUN_STOP:
		take(f, s, n);
		s->from = run_end_ip(r);
		s->to = r->rest->target;
		s->kind = r->rest->segments[r->n_segments - 1].kind;
		s->len = r->end_len;
		go(f, r->rest->target);
		return DONE;
	case RUN_LONG:
		return long_run(f, s);
	}
	take(f, s, n);
	if (!f->setup.each_insn && r->n_segments)
		f->insns -= n - (r->n_segments > 1 ? r->rest->segments[r->n_segments - 2].n : 0);
	go(f, run_end_ip(r));
	if (f->setup.known_gap && f->setup.known_gap(f->setup.who, run_end_ip(r)))
		gap = REPOSITION;
	f->no_code = true;
	f->no_code_tsc = f->clock.tsc;
	f->unread += f->arch.tnt_n;
	return flow_walk_lost(f, gap);
}

/* An emulated PTWRITE: the next 64 results are its value. */
static int emulated_ptwrite(struct flow *f, struct step *s)
{
	struct packets ahead = f->in;
	u64 value = f->arch.tnt & ((1ULL << f->arch.tnt_n) - 1);
	u32 n = f->arch.tnt_n, more;
	struct packet pkt;

	f->arch.eptw = false;
	while (n < 64) {
		if (!packet_next(&ahead, &pkt) ||
		    packet_in(PACKET_SET(PACKET_CUTS) | PACKET_ONE(TIP) | PACKET_ONE(TIP_PGE) |
			      PACKET_ONE(TIP_PGD), pkt.kind))
			return GAP_EPTW;
		if (pkt.kind != PACKET_TNT)
			continue;
		more = MIN(64 - n, (u32)pkt.count);
		value = value << more | pkt.payload >> (pkt.count - more);
		n += more;
	}
	f->values.ptw = value;
	s->what = STEP_PTW;
	s->from = f->arch.ip;
	return DONE;
}

/* The data ends before it tells the target of the branch: undo the branch, which is met again with
 * the next data. */
static void untake_branch(struct flow *f, struct step *s)
{
	s->n--;
	f->insns--;
	if (s->kind == INSN_CALL_INDIRECT || s->kind == INSN_FAR_CALL)
		pop(f);
	s->kind = INSN_OTHER;
	s->len = 0;
}

/* A branch whose target is in the next packet, a TIP, although results are left. */
static int deferred_tip(struct flow *f, struct step *s)
{
	int err;

	take_all(f, s);
	err = flow_read_packet(f);
	if (err) {
		if (err == NO_DATA)
			untake_branch(f, s);
		go(f, s->from);
		return err;
	}
	if (f->pkt.kind != PACKET_TIP || !read_ip(f)) {
		f->again = true;
		go(f, s->from);
		return flow_walk_lost(f, GAP_MISMATCH);
	}
	f->arch.defers = true;
	s->to = f->last_ip.ip;
	go_there(f);
	f->arch.next_nr = f->arch.pip_nr;
	change_iflag_if(f, s);
	return DONE;
}

static int compressed_return(struct flow *f, struct step *s)
{
	u64 to;

	take_all(f, s);
	to = pop(f);
	if (f->setup.no_compression || !to || !(f->arch.tnt >> (f->arch.tnt_n - 1) & 1)) {
		go(f, s->from);
		return flow_walk_lost(f, GAP_MISMATCH);
	}
	f->arch.tnt_n--;
	f->arch.tnt_fresh = false;
	s->to = to;
	go(f, to);
	return DONE;
}

/* Use one result, or report what comes before it can be used. */
int flow_walk_tnt(struct flow *f, struct step *s)
{
	struct run *r;
	bool taken;

	if (unlikely(f->arch.eptw))
		return emulated_ptwrite(f, s);
	r = here(f);
	if (unlikely(r->end != INSN_COND)) {
		if (r->end == INSN_RET)
			return compressed_return(f, s);
		if (r->end < RUN_GAP)
			return deferred_tip(f, s);
		f->arch.eptw = r->end == RUN_EPTW;
		return flow_walk_odd_end(f, s);
	}
	take(f, s, r->n);
	taken = f->arch.tnt >> --f->arch.tnt_n & 1;
	f->arch.tnt_fresh = false;
	s->from = run_end_ip(r);
	s->kind = INSN_COND;
	s->len = r->end_len;
	if (taken) {
		s->to = r->rest->target;
	} else {
		s->what ^= STEP_BRANCH | STEP_NOT_TAKEN;
	}
	f->arch.ip = taken ? r->rest->target : run_end_ip(r) + r->end_len;
	f->run = r->link[taken];
	f->link = &r->link[taken];
	return DONE;
}

/* Does the branch to 'to' end the trace? Only an address filter ends the trace at a direct
 * branch, and only then a TIP.PGD has an address. If the filters are unknown, that address
 * decides. */
static bool leaves(const struct flow *f, u64 to)
{
	if (f->setup.leaves)
		return f->setup.leaves(f->setup.who, to);
	return f->pkt.count && to == f->last_ip.ip;
}

/* Does a direct branch on the way leave the address filter? */
static bool leaves_on_the_way(struct flow *f, struct step *s)
{
	struct run *r = f->run;
	unsigned int i;

	for (i = 0; i < r->n_segments; i++) {
		const struct segment *g = &r->rest->segments[i];

		if (g->kind != INSN_JUMP && g->kind != INSN_CALL)
			continue;
		s->to = run_branch_target(r, i);
		if (!leaves(f, s->to))
			continue;
		take(f, s, g->n);
		s->from = g->ip + g->bytes - g->branch_len;
		s->kind = g->kind;
		s->len = g->branch_len;
		return true;
	}
	s->to = 0;
	return false;
}

static int end_of_trace(struct flow *f, struct step *s, u64 to)
{
	tracing_stops(f);
	f->arch.state = IN_SYNC;
	s->what |= STEP_END;
	s->to = to;
	flow_event_at_branch(f, s);
	go(f, to ? to : s->from);
	f->arch.next_nr = f->arch.pip_nr;
	return DONE;
}

/* Does a MOV to CR3 end the trace, where tracing is filtered by CR3? A MOV that does not end it
 * has a PIP. */
static COLD bool ends_at_cr3(struct flow *f, struct step *s)
{
	struct run *r = f->run;
	u64 ip;
	u32 n;

	if (f->pkt.count || !run_find(f->runs, r, INSN_MOV_CR3, f->arch.pips, &n, &ip))
		return false;
	take(f, s, n);
	s->from = ip;
	s->len = run_lens(f->runs, r)[n - 1];
	return true;
}

/* Walk to the branch that a TIP or TIP.PGD answers. */
int flow_walk_tip(struct flow *f, struct step *s)
{
	bool end = f->arch.state == AT_PGD;
	struct run *r = here(f);

	if (end && unlikely(r->holds & RUN_HOLDS_CR3) && ends_at_cr3(f, s))
		return end_of_trace(f, s, 0);
	if (end && leaves_on_the_way(f, s))
		return end_of_trace(f, s, s->to);
	if (r->end >= RUN_GAP)
		return flow_walk_odd_end(f, s);
	f->arch.next_nr = f->arch.pip_nr;
	change_iflag_if(f, s);
	if (r->end == INSN_COND) {
		u64 next = run_end_ip(r) + r->end_len, target = r->rest->target;
		u64 to = leaves(f, target) ? target : next;

		if (end && leaves(f, to)) {
			take_all(f, s);
			return end_of_trace(f, s, to);
		}
		return flow_walk_unfit(f, s);
	}
	take_all(f, s);
	if (r->end == INSN_RET || r->end == INSN_FAR_RET)
		pop(f);
	s->to = f->pkt.count ? f->last_ip.ip : 0;
	if (end) {
		u64 from = s->from;

		end_of_trace(f, s, s->to);
		if (!s->to)
			go(f, from);
		take_mode_next(f);
		return DONE;
	}
	f->arch.state = IN_SYNC;
	flow_event_at_branch(f, s);
	if (f->pkt.count)
		go_there(f);
	else
		flow_lose_ip(f);
	return DONE;
}
