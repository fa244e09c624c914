/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Declarations shared by the files of the flow decoder. They call each other in this order:
 *
 *	flow -> flow_psb, flow_search -> flow_fup, flow_event -> flow_walk -> flow_due -> flow_look
 *	  '---> flow_skip -> flow_chain -> flow_skip_time
 *		    '-----------'------------------------------------------------------------^
 *
 * and all of them call flow_read.
 *
 * Packets drive the decoder: each packet that tells about control flow is answered by walking the
 * code up to the place where it applies. Between steps 'state' says which packet is being
 * answered. An internal function returns DONE if '*s' is a step to hand out, AGAIN to read the
 * next packet, or the gap that it met.
 */
#ifndef FLOW_H
#define FLOW_H

#include <pt/flow.h>

enum state {
	NO_PSB,		/* look for a PSB */
	RESYNC,		/* a gap was met: start to search for an address */
	IN_SYNC,	/* 'ip' is known, or searched for; tnt_n results are left */
	AT_TIP,		/* walk to the branch that the TIP in 'pkt' answers */
	AT_PGD,		/* the same for a TIP.PGD */
	AT_FUP,		/* walk to fup_ip; a TIP follows */
	AT_FUP_ALONE,	/* walk to fup_ip; no TIP follows */
	AT_FUP_PSB,	/* the same, and then there is a PSB+ */
	RESAMPLE,	/* hop mode: 'ip' was reached */
	BEGINS,		/* tracing continues at 'ip' */
};

enum { DONE = 0, AGAIN = -1, REPOSITION = -2, NO_DATA = -3, PASS = -4 };

enum { TX_IN = 1, TX_ABORT = 2 };	/* MODE.TSX */

/* What else the next FUP completes: a CFE whose FUP gives the address, and a TRIG, for which
 * there is no step. */
enum { PENDING_CFE_IP = 1 << 30, PENDING_TRIG = 1 << 29 };

/* Addresses, returns */

/* Instructions executed since the clock was set, as ticks: perf, and hence pt, lets each of them
 * take one. */
static inline u64 ticks_of(const struct flow *f, u64 insns)
{
	return (insns - f->insns_at_time) & ~f->setup.stamped;
}

static inline void go(struct flow *f, u64 ip)
{
	f->arch.ip = ip;
	f->run = NULL;
	f->link = NULL;
	f->back = NULL;
}

/* Take the address of the IP packet in 'pkt'. False if it has none. */
static inline bool read_ip(struct flow *f)
{
	u64 ip;

	return last_ip_update(&f->last_ip, &f->pkt, &ip);
}

/* The mode that was announced takes effect. */
static inline void take_mode_next(struct flow *f)
{
	if (unlikely(f->arch.mode != f->arch.mode_next))
		flow_forget(f);
	f->arch.mode = f->arch.mode_next;
}

/* Go to the address that was read last, in the mode announced for it. */
static inline void go_there(struct flow *f)
{
	take_mode_next(f);
	go(f, f->last_ip.ip);
}

/* If returns are not compressed, the stack is not needed; without it the
 * trace of a shell is decoded 1.2 times as fast. */
static inline void push(struct flow *f, struct call *call)
{
	if (f->setup.no_compression)
		return;
	f->ret[f->ret_top++ % FLOW_RET_STACK] = (struct ret){ call->back, call };
	if (f->ret_n < FLOW_RET_STACK)
		f->ret_n++;
}

/* 0 if the stack is empty. */
static inline u64 pop(struct flow *f)
{
	if (!f->ret_n)
		return 0;
	f->ret_n--;
	return f->ret[--f->ret_top % FLOW_RET_STACK].ip;
}

static inline void tracing_stops(struct flow *f)
{
	f->arch.on = false;
	f->breaks++;
}

/* Status packets */

static inline void take_mode(struct flow *f)
{
	u64 m = f->pkt.payload;

	f->arch.mode_next = m & 1 ? INSN_64 : m & 2 ? INSN_32 : INSN_16;
	f->arch.iflag_next = m >> 2 & 1;
}

/* Inside a PSB+ the packet reports the current mode, not a change. */
static inline void take_mode_now(struct flow *f)
{
	take_mode(f);
	take_mode_next(f);
	f->values.iflag = f->values.iflag_from = f->arch.iflag_next;
}

static inline void forget_pending(struct flow *f)
{
	f->arch.pending = 0;
	f->evd_due = 0;
	f->values.iflag = f->arch.iflag_next;
}

/* The interrupt flag takes its new value. */
static inline void change_iflag(struct flow *f, struct step *s)
{
	s->what |= STEP_IFLAG;
	f->values.iflag_from = f->values.iflag;
	f->values.iflag = f->arch.iflag_next;
}

static inline void change_iflag_if(struct flow *f, struct step *s)
{
	if (f->values.iflag != f->arch.iflag_next)
		change_iflag(f, s);
}

/* flow_look.c: the key of code at 'ip'; the run at the current address; the pointers that led to
 * it are set. The address is unknown from here on, and searched for. */
u64 flow_key(const struct flow *f, u64 ip);
struct run *flow_look_up(struct flow *f);
void flow_lose_ip(struct flow *f);

/* flow_read.c: read the next packet except PADs into 'pkt'; the first packet of the next PSB+. */
int flow_read_packet(struct flow *f);
int flow_read_to_psb(struct flow *f);

/* Take 'pkt' if it tells the time. False if it does not. */
bool flow_read_time(struct flow *f);

/* flow_walk.c: use one TNT result; walk to the branch of a TIP; and the parts of a walk: the run
 * at the current address, execution of its first 'n' instructions, an end that is not a branch. */
int flow_walk_tnt(struct flow *f, struct step *s);
int flow_walk_tip(struct flow *f, struct step *s);
struct run *flow_walk_here(struct flow *f);
void flow_walk_begin(struct flow *f, struct step *s);
void flow_walk_take(struct flow *f, struct step *s, u32 n);
int flow_walk_odd_end(struct flow *f, struct step *s);
int flow_walk_unfit(struct flow *f, struct step *s);
int flow_walk_lost(struct flow *f, int gap);
int flow_walk_overflow(struct flow *f, struct step *s);

/* An address is known again, or none is needed. */
void flow_walk_found(struct flow *f);

/* The branch leads to where the last PIP says: into a guest, or out of one. */
void flow_walk_nr(struct flow *f);

/* flow_fup.c: whether no TIP follows the next FUP; take a FUP packet; walk to the FUP at fup_ip;
 * the same, and handle what happens there; the events that wait for the FUP; the same without a
 * walk. */
bool flow_fup_is_alone(const struct flow *f);
int flow_fup(struct flow *f, struct step *s);
int flow_fup_walk(struct flow *f, struct step *s);
int flow_fup_to(struct flow *f, struct step *s);
bool flow_fup_meet(struct flow *f, struct step *s);
int flow_fup_hop(struct flow *f, struct step *s);

/* flow_event.c: take a packet about an event that is not control flow. */
int flow_event(struct flow *f, struct step *s);

/* flow_due.c: the event 'what' happens at the current address; a CFE takes place at the branch of
 * '*s'; report events that wait for a FUP without one. */
int flow_event_here(struct flow *f, struct step *s, u32 what);
void flow_event_at_branch(struct flow *f, struct step *s);
int flow_event_flush(struct flow *f, struct step *s);

/* flow_skip.c: continue up to the next step that the caller needs. */
void flow_skip(struct flow *f);

/* flow_psb.c: PSB+, and the way back into sync. */
bool flow_psb_has_fup(struct flow *f);
int flow_psb_plus(struct flow *f, struct step *s, bool syncing);
void flow_psb_resets(struct flow *f);
int flow_psb_plain(struct flow *f, struct step *s);
int flow_psb_at_fup(struct flow *f, struct step *s);
int flow_psb_sync(struct flow *f, struct step *s);

/* flow_search.c: search for an address after a gap; handle each packet during the search: PASS if
 * it is handled as usual. */
int flow_search_start(struct flow *f, struct step *s);
int flow_search(struct flow *f, struct step *s);

#endif
