/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a thread did, to the packets a processor would have sent about it.
 */
#ifndef RECORD_EMIT_H
#define RECORD_EMIT_H

#include <pt/arch.h>

enum {
	EMIT_BUFFER = 32 << 10,
	EMIT_SLACK = 256,	/* more than the packets between two looks at the room */
	EMIT_CALLS = 64,	/* return addresses that a processor remembers */
};

/* What the time packets of a recording are made by. */
struct emit_clock {
	u64 config;		/* bits of enum pt_config */
	u32 ctc_n, ctc_d;	/* TSC ticks per tick of the crystal's counter */
	u8 cbr;
};

/* One stream of packets: one thread's. */
struct emit {
	const struct emit_clock *clock;
	u8 *buf;		/* EMIT_BUFFER bytes */
	u32 fill;
	u64 off;		/* of buf[0] in the stream */
	/* Takes what is in the buffer. */
	void (*full)(void *who, struct emit *e);
	void *who;

	bool on;		/* packets are enabled: the thread runs code that is traced */
	u8 mode;		/* enum insn_mode of that code */
	u8 mode_sent;		/* ... as last said, + 1; 0: not since the PSB */
	u32 tnt, n_tnt;		/* branches not sent yet, the newest in bit 0 */
	u64 last_ip;
	u64 psb_at;		/* where in the stream the next PSB is due */
	u64 calls[EMIT_CALLS];	/* a ring */
	u32 top, depth;
	u64 tsc;		/* as last said, by TSC or MTC */
	u64 mtc;		/* MTC periods then */
	u64 cyc;		/* ticks at the last CYC */
	bool timed;		/* some TSC was sent */
};

/* Begin a stream; buf, clock, full and who are set. */
void emit_start(struct emit *e);

/* Execution goes on at 'ip' in 'mode', is about to leave (a system call, a far
 * branch), or is interrupted before the instruction at 'ip'. */
void emit_begin(struct emit *e, u64 ip, enum insn_mode mode);
void emit_end(struct emit *e);
void emit_interrupt(struct emit *e, u64 ip);

/* Branches. 'next' is the address behind the call. */
void emit_cond(struct emit *e, bool taken);
void emit_indirect(struct emit *e, u64 to);
void emit_call(struct emit *e, u64 next);
void emit_ret(struct emit *e, u64 to);

/* A far branch, perhaps to code of another mode. */
void emit_far(struct emit *e, u64 to, enum insn_mode mode);

/* Another program begins: calls of before do not return. */
void emit_forget(struct emit *e);

/* Something was lost; emit_begin() comes next. */
void emit_overflow(struct emit *e);

/* Between two instructions, 'ip' being the next: room, PSBs and time are seen
 * to. At least once in EMIT_SLACK bytes of packets. */
static inline bool emit_due(const struct emit *e)
{
	return e->fill >= EMIT_BUFFER - 2 * EMIT_SLACK || e->off + e->fill >= e->psb_at;
}
void emit_sync(struct emit *e, u64 ip);

/* Time has passed: say so, if it is as long as the packets asked for can tell.
 * 'now': whatever happened meanwhile, say the exact time. */
void emit_time(struct emit *e, bool now);

/* Hand out what is there: the stream ends, or somebody waits for it. */
void emit_flush(struct emit *e);

#endif
