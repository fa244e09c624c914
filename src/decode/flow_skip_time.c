/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time while branches are skipped.
 *
 * The clock is read where a time is needed: at 'until', and at the end. Before that, cycles are
 * only added up.
 */
#include "flow_skip.h"

void skip_set_stop(struct skip *k)
{
	if (!k->note)
		k->cyc_stop = clock_cycles_to(&k->f->clock, k->f->until, !k->unmeasured);
}

/* The kind of the last packet, as the measurement of a cycle needs it. */
static u8 last_kind(const struct skip *k)
{
	return k->f->pkt.kind == PACKET_MTC ? k->unmeasured : k->f->pkt.kind;
}

void skip_catch_up(struct skip *k)
{
	struct flow *f = k->f;

	skip_sync_in(k, k->at);
	if (k->unmeasured) {
		clock_measure(&f->clock, f->in, last_kind(k));
		k->unmeasured = 0;
		skip_set_stop(k);
	}
	if (!k->late)
		return;
	if (k->step_cyc)
		f->arch.step_tsc = clock_at_cycle(&f->clock, k->step_cyc, f->arch.step_tsc);
	if (k->taken_cyc)
		f->skipped_tsc = clock_at_cycle(&f->clock, k->taken_cyc, f->skipped_tsc);
	clock_catch_up(&f->clock);
	f->clock_updates = f->clock.updates;
	k->late = false;
}

bool skip_time(struct skip *k)
{
	struct flow *f = k->f;
	const struct packet_byte *b = &packet_bytes[*k->at];
	struct packets ahead;
	struct packet pkt;

	/* Measure up to the next MTC with a CYC, if the time in between is not needed: a look ahead
	 * from each MTC would read every packet twice. */
	if (b->kind == PACKET_MTC && k->unmeasured &&
	    clock_measured(&f->clock, packet_mtc(k->at), last_kind(k) == PACKET_CYC))
		k->unmeasured = 0;
	if (b->kind == PACKET_MTC ? !k->unmeasured : k->unmeasured | k->late)
		skip_catch_up(k);
	if (b->kind == PACKET_CYC && b->size) {
		f->before = f->pkt.kind;
		f->pkt.kind = PACKET_CYC;
		k->at++;
		clock_cyc(&f->clock, b->bits, true);
		return skip_is_early(k);
	}
	skip_sync_in(k, k->at);
	ahead = f->in;
	/* A CYC that does not end is damage. */
	if (!packet_next(&ahead, &pkt) || !packet_in(PACKET_SET(PACKET_TIME), pkt.kind))
		return false;
	skip_apply_threshold(f);
	f->before = f->pkt.kind;
	f->pkt = pkt;
	f->in = ahead;
	k->at = f->in.rest.at;
	if (pkt.kind != PACKET_MTC)
		flow_read_time(f);
	else if (clock_mtc(&f->clock, pkt.payload, f->before == PACKET_CYC, true))
		k->unmeasured = PACKET_CYC;
	else if (k->unmeasured)
		k->unmeasured = PACKET_MTC;
	skip_set_stop(k);
	return skip_is_early(k);
}
