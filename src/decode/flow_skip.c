/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fast path: skip branches for which the caller needs no step.
 *
 * All of this is optional: flow_next() does the same, step by step, and takes over at anything but
 * conditional and indirect branches with their packets, and when time reaches 'until'. The
 * resulting state is the same. To follow a conditional branch takes one load, through a link. So
 * does a return, because the call pushed the address of the link to the run there.
 *
 * A caller that needs branches, but no steps, has them written to its notes: branches and
 * calls are listed three times as fast as by steps.
 */
#include "flow_skip.h"

static bool ready(const struct flow *f)
{
	const struct flow_arch *a = &f->arch;

	return a->on && a->ip && f->clock.tsc < f->until && f->in.off < f->stop && !f->again &&
	       !f->in.item && !a->eptw && !a->results_lost && !a->overflow && !a->pending &&
	       !a->new_buffer && !f->setup.hop && !f->setup.no_branches &&
	       (f->setup.note ? !(a->tx & TX_IN) : f->setup.needs != NEED_ALL) &&
	       f->clock.cbr == f->values.cbr && f->values.iflag == a->iflag_next &&
	       a->mode == a->mode_next && a->nr == a->next_nr && a->nr == a->pip_nr;
}

/* Time advances with the first branch that a packet reports; the way there was before that. */
static inline void note(struct skip *k, struct run *r, u64 to, bool first)
{
	const struct flow *f = k->f;
	u64 tsc = f->clock.tsc;

	/* The caller does not need notes now: flow_need(). */
	if (unlikely(!k->note))
		return;
	*k->note++ = (struct passed){ r, to, first ? f->arch.step_tsc : tsc, tsc,
				      k->insns, tsc + ticks_of(f, k->insns) };
}

static inline void leave(struct skip *k, struct run *r)
{
	struct flow *f = k->f;
	u32 i;

	k->insns += r->n;
	k->last = r;
	for (i = 0; i < r->n_calls; i++)
		push(f, &run_calls(r)[i]);
}

/* Go to 'ip'. '*run', if not NULL, is the run there unless the space changed. */
static inline void enter(struct skip *k, u64 ip, struct run **run)
{
	struct run *r = *run;

	if (likely(r && r->ip == ip)) {
		k->run = r;
		return;
	}
	k->run = NULL;
	k->f->arch.ip = ip;
	k->f->link = run;
}

/* A compressed return. False if it is not one, or must not be skipped. */
static inline bool skip_return(struct skip *k, struct run *r, u32 n)
{
	struct flow *f = k->f;
	struct ret *ret;

	if (way(r) != QUICK_RET || !(f->ret_n + r->n_calls) || f->setup.no_compression)
		return false;
	if (r->quick & QUICK_NEEDED) {
		u64 to = r->n_calls ? run_calls(r)[r->n_calls - 1].back :
				      f->ret[(f->ret_top - 1) % FLOW_RET_STACK].ip;

		if (!to || (to ^ r->ip) >> 63)
			return false;
		note(k, r, to, n == k->fresh);
	}
	leave(k, r);
	f->ret_n--;
	ret = &f->ret[--f->ret_top % FLOW_RET_STACK];
	k->run = run_after(f->runs, ret->call);
	if (unlikely(!k->run))
		skip_go_back(f, ret);
	return true;
}

/* Follow conditional branches as long as their links are known, with a few machine instructions
 * each. 'bits' are the results, the next one in the top bit. Returns how many are left. */
static inline u32 skip_linked(struct skip *k, u64 *bits, u32 n, u64 stop_at)
{
	struct run *r = k->run, *next, *last = k->last;
	u64 left = *bits, insns = k->insns;

	while (n && r->quick == QUICK_COND && !(left >> 63 & stop_at)) {
		next = r->link[left >> 63];
		if (unlikely(!next))
			break;
		insns += r->n;
		left <<= 1;
		n--;
		last = r;
		r = next;
	}
	k->insns = insns;
	k->run = r;
	k->last = last;
	*bits = left;
	return n;
}

/* Use one of 'n' results, for whatever branch it is. False if it must not be skipped. */
static inline bool skip_result(struct skip *k, bool taken, u64 stop_at, u32 n)
{
	struct flow *f = k->f;
	struct run *r = k->run;

	if (way(r) != QUICK_COND && way(r) != QUICK_COND_CALLS)
		return taken && skip_return(k, r, n);
	if (taken & stop_at && !k->note)
		return false;
	if (r->quick & QUICK_NEEDED || taken & stop_at)
		note(k, r, taken, n == k->fresh);
	leave(k, r);
	k->run = r->link[taken];
	if (unlikely(!k->run)) {
		f->arch.ip = taken ? r->rest->target : run_end_ip(r) + r->end_len;
		f->link = &r->link[taken];
	}
	return true;
}

/* A TIP at k->at. False if it must not be skipped. */
static inline __attribute__((always_inline)) bool skip_tip(struct skip *k, bool first)
{
	struct flow *f = k->f;
	const struct packet_byte *b = &packet_bytes[*k->at];
	struct packet pkt = { .kind = PACKET_TIP, .count = b->count,
			      .payload = get64(k->at + 1) & packet_masks[b->size] };
	struct last_ip last = f->last_ip;
	struct run *r = k->run;
	u64 ip = 0;

	if (!last_ip_update(&last, &pkt, &ip) || !ip)
		return false;
	if (unlikely(!r)) {
		k->run = flow_look_up(k->f);
		r = k->run;
	}
	if (way(r) < QUICK_RET || (ip ^ r->ip) >> 63)
		return false;
	f->last_ip = last;
	if (first)
		skip_apply_threshold(f);
	f->pkt.kind = PACKET_TIP;
	k->at += b->size;
	if (r->quick & QUICK_NEEDED)
		note(k, r, ip, first);
	leave(k, r);
	if (r->end == INSN_RET)
		pop(f);
	else if (r->end == INSN_CALL_INDIRECT)
		push(f, &run_calls(r)[r->n_calls]);
	enter(k, ip, &r->link[1]);
	return true;
}

/* A branch whose TIP follows although results are left: most TIPs of real CPUs are like that. */
static __attribute__((noinline)) bool skip_deferred(struct skip *k)
{
	if (way(k->run) != QUICK_INDIRECT || k->at >= k->end || k->note >= k->full ||
	    packet_bytes[*k->at].kind != PACKET_TIP || !skip_tip(k, false))
		return false;
	k->f->arch.defers = true;
	return true;
}

/* None of 'n' results from 'r' on is taken: is there a jump after the first branch? A jump before
 * it has the time of the step before, if that is not the time of this one. */
static COLD __attribute__((noinline)) bool jumps(struct skip *k, const struct run *r, u32 n)
{
	bool later = !k->f->arch.tnt_fresh, any = false;

	for (; n && r; r = r->link[0], n--, later = true) {
		if (r->n_segments == 1)
			continue;
		any |= later;
		if (later)
			continue;
		k->f->skipped_tsc = k->f->arch.step_tsc;
		k->taken_cyc = k->step_cyc;
	}
	return any;
}

/* Of 'n' results that are left, give back those of packets after the next one. Returns how many
 * they are. */
static u32 give_back(struct skip *k, u32 n)
{
	u32 had, all = 0;

	for (; (had = packet_bytes[k->at[-1]].count) < n - all && k->n_more; k->n_more--) {
		all += had;
		k->at--;
	}
	k->n_more = 0;
	k->fresh = had;
	return all;
}

/* Use the results at hand, at least one. True if all were used. */
static inline bool skip_results(struct skip *k, u64 results, u32 count)
{
	struct flow *f = k->f;
	u64 stop_at = k->stop_at, bits = results << (64 - count);
	bool first = bits >> 63, deferred = false, taken;
	const struct run *start;
	u32 n = count, back;

	k->fresh = f->arch.tnt_fresh ? n : 0;
	if (unlikely(!k->run))
		k->run = flow_look_up(k->f);
	start = k->run;
	while (n) {
		if (unlikely(!k->run))
			k->run = flow_look_up(k->f);
		if (k->run->quick == QUICK_COND)
			n = skip_linked(k, &bits, n, stop_at);
		if (!n)
			break;
		if (skip_result(k, bits >> 63, stop_at, n)) {
			bits <<= 1;
			n--;
		} else {
			if (k->n_more) {
				back = give_back(k, n);
				results >>= back;
				count -= back;
				n -= back;
			}
			deferred = n != k->fresh && skip_deferred(k);
			if (!deferred)
				break;
		}
	}
	if (n < count) {
		taken = deferred || results >> n;
		if (!taken && skip_needs_jumps(f))
			taken = jumps(k, start, count - n);
		skip_set_time(k, first || f->setup.each_insn, taken);
	}
	if (likely(!n))
		return true;
	if (n < count)
		f->arch.tnt_fresh = n == k->fresh;
	f->arch.tnt = results;
	f->arch.tnt_n = n;
	return false;
}

/* The results of a TNT at k->at, which is then passed; 0 if it is not a TNT. */
static inline u32 read_results(struct skip *k, u64 *results)
{
	const struct packet_byte *b = &packet_bytes[*k->at];
	u32 n;

	k->n_more = 0;
	if (likely(b->kind == PACKET_TNT)) {
		*results = b->bits;
		n = b->count;
		for (k->at++; k->several && n <= 48 && k->at < k->end; k->at++, k->n_more++) {
			b = &packet_bytes[*k->at];
			if (b->kind != PACKET_TNT)
				break;
			*results = *results << b->count | b->bits;
			n += b->count;
		}
		return n;
	}
	n = packet_long_tnt(k->at, results);
	k->at += n ? PACKET_LONG_TNT : 0;
	return n;
}

/* May a chain pass a packet that begins with this byte? PADs, CYCs, short TNTs and TIPs. */
static inline bool has_chains(u8 b)
{
	return b & 1 ? packet_is_cyc(b) || packet_is_tip(b) : b != PACKET_EXTENDED;
}

static void skip(struct skip *k, bool chains)
{
	struct flow *f = k->f;
	u64 results;
	u32 n;

	while (k->note < k->full) {
		if (chains && !f->arch.tnt_n && k->at < k->end && has_chains(*k->at) &&
		    !skip_needs_jumps(f) && !skip_chains(k))
			return;
		if (f->arch.tnt_n) {
			results = f->arch.tnt;
			n = f->arch.tnt_n;
			f->arch.tnt_n = 0;
			k->n_more = 0;
		} else if (k->at >= k->end) {
			return;
		} else if ((n = read_results(k, &results))) {
			skip_apply_threshold(f);
			f->pkt.kind = PACKET_TNT;
			f->arch.tnt_fresh = true;
		} else if (!*k->at) {
			k->at++;
			continue;
		} else if (packet_bytes[*k->at].kind == PACKET_TIP) {
			if (!skip_tip(k, true))
				return;
			skip_set_time(k, true, true);
			continue;
		} else if (skip_time(k)) {
			continue;
		} else {
			return;
		}
		if (!skip_results(k, results, n))
			return;
		f->arch.tnt_fresh = false;
	}
}

/* Chains touch much memory. In a short trace, and while most code is new, they cost more time than
 * they save (20 % of the decoding time of small programs). There are none until this many bytes
 * were decoded. */
static u32 before_chains(const struct runs *runs)
{
	enum { CHAINS_FROM = 8 << 10, BYTES_A_RUN = 16 };
	u32 from = MAX((u32)CHAINS_FROM, runs->n_runs * BYTES_A_RUN);

	return runs->chains || runs->n_unchained >= from ? 0 : from - runs->n_unchained;
}

void flow_skip(struct flow *f)
{
	enum { SURE = 16 };	/* any packet that is handled here fits in this many bytes */
	size_t keep = f->whole ? SURE : FLOW_LOOK, rest = f->in.rest.len;
	/* If the caller needs taken branches, most chains would end at once. */
	bool stop_at = f->setup.needs & NEED_TAKEN,
	     chains = !f->setup.note && f->last_ip.known && !stop_at && !f->runs->no_chains;
	u32 before = chains ? before_chains(f->runs) : 0;
	const u8 *start = f->in.rest.at;
	struct skip k = { .f = f, .at = start, .run = f->run, .insns = f->insns,
			  .stop_at = stop_at,
			  .full = (void *)f };	/* an address that is never reached */

	if (!ready(f))
		return;
	f->skipped_nr = f->arch.nr;
	if (f->setup.note) {
		k.note = f->notes->runs;
		k.full = k.note + FLOW_PASSED - 64;
		f->notes->breaks = f->breaks;
		skip_is_early(&k);
	}
	skip_set_stop(&k);
	rest = rest > keep ? MIN(rest - keep, f->stop - f->in.off) : 0;
	k.end = k.at + (before ? MIN(rest, before) : rest);
	chains &= !before;
	k.several = !chains && (k.note || !stop_at);
	skip(&k, chains);
	skip_catch_up(&k);
	if (before)
		f->runs->n_unchained += k.at - start;
	f->arch.led_by_cyc = k.at != start && f->pkt.kind == PACKET_CYC;
	skip_sync_in(&k, k.at);
	f->insns = k.insns;
	if (k.note)
		f->notes->n = k.note - f->notes->runs;
	f->run = k.run;
	if (k.run)
		f->arch.ip = k.run->ip;
	if (!k.last)
		return;
	f->n_long = 0;
	f->arch.pips = 0;
	f->skipped = (struct skipped){ true, k.last->end, k.last->end_len, run_end_ip(k.last),
				       f->step_cycles };
}
