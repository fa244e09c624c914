/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Trace bytes to packets, buffer by buffer.
 */
#include "flow.h"

static bool refill(struct flow *f)
{
	if (!f->whole)
		f->whole = !f->source.more(f->source.who, &f->in);
	return f->in.rest.len;
}

static COLD int next_buffer(struct flow *f)
{
	bool joined = false;
	u64 reference = 0;

	if (!f->source.next(f->source.who, &f->in, &joined, &reference))
		return NO_DATA;
	f->whole = false;
	f->clock.buffer_reference = reference;
	if (joined)
		return DONE;
	go(f, 0);
	f->arch.state = NO_PSB;
	f->arch.tnt_n = 0;
	f->arch.eptw = false;
	f->arch.new_buffer = true;
	clock_reset(&f->clock, reference);
	return REPOSITION;
}

static int bad_packet(struct flow *f)
{
	f->arch.tx = 0;
	f->clock.have_tma = false;
	return GAP_BAD_PACKET;
}

/* Read the next packet except PADs into 'pkt'. */
int flow_read_packet(struct flow *f)
{
	int err;

	f->before = f->pkt.kind;
	if (f->again) {
		f->again = false;
		return f->pkt.kind == PACKET_BAD ? bad_packet(f) : DONE;
	}
	for (;;) {
		if (unlikely(f->in.rest.len < FLOW_LOOK))
			refill(f);
		if (likely(packet_next(&f->in, &f->pkt))) {
			if (f->pkt.kind == PACKET_PAD)
				continue;
			break;
		}
		if (f->in.rest.len) {	/* the trace ends inside a packet */
			f->in.off += f->in.rest.len;
			f->in.rest = bytes_skip(f->in.rest, f->in.rest.len);
			f->pkt = (struct packet){ .kind = PACKET_BAD, .size = 1 };
			break;
		}
		err = next_buffer(f);
		if (err)
			return err;
	}
	return f->pkt.kind == PACKET_BAD ? bad_packet(f) : DONE;
}

COLD int flow_read_to_psb(struct flow *f)
{
	size_t at, skip;
	int err;

	f->again = false;
	for (;;) {
		if (f->in.rest.len < FLOW_LOOK)
			refill(f);
		if (!f->in.rest.len) {
			err = next_buffer(f);
			if (err)
				return err;
			continue;
		}
		at = sync_find(f->in.rest);
		skip = at;
		if (at == f->in.rest.len && !f->whole)
			skip = at - MIN(at, (size_t)PACKET_MAX - 1);
		f->in.rest = bytes_skip(f->in.rest, skip);
		f->in.off += skip;
		f->in.item = 0;
		if (at != skip || !f->in.rest.len)
			continue;
		return flow_read_packet(f);
	}
}

/* While other processes run, a trace has long sequences of MTCs and nothing else. One by one, they
 * would take 33 % of the decoding time of a trace of three CPUs. */
static void pass_mtcs(struct flow *f)
{
	size_t n = clock_mtcs(&f->clock, f->in.rest);

	if (!n)
		return;
	packet_step(&f->in, n);
	f->before = PACKET_MTC;
}

/* Handle the packets of time. False if it is another packet. */
bool flow_read_time(struct flow *f)
{
	switch (f->pkt.kind) {
	case PACKET_CYC:
		clock_cyc(&f->clock, f->pkt.payload, f->arch.on);
		return true;
	case PACKET_MTC:
		if (clock_mtc(&f->clock, f->pkt.payload, f->before == PACKET_CYC, f->arch.on))
			clock_measure(&f->clock, f->in, PACKET_CYC);
		if (!f->arch.on && !f->in.item)
			pass_mtcs(f);
		return true;
	case PACKET_TSC:
		clock_tsc(&f->clock, f->pkt.payload, f->before == PACKET_CYC);
		return true;
	case PACKET_TMA:
		if (f->pkt.size < 8)
			clock_tma(&f->clock, f->pkt.payload, f->pkt.extra, f->arch.on,
				  f->arch.in_psb);
		return true;
	case PACKET_CBR:
		clock_cbr(&f->clock, f->pkt.payload, f->arch.on);
		return true;
	}
	return false;
}
