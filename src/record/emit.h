/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a thread did, to the packets a processor would have sent about it.
 */
#ifndef RECORD_EMIT_H
#define RECORD_EMIT_H

#include <pt/arch.h>

#include "timing.h"

enum {
	EMIT_BUFFER = 32 << 10,
	EMIT_STAGE = 16 << 10,
	EMIT_MARKS = 4096,
	EMIT_SLACK = 256,	/* more than the packets between two looks at the room */
	EMIT_CALLS = 64,	/* return addresses that a processor remembers */
};

/* Packets since the TSC was last read, and the places among them where time packets may go:
 * what they say is known when it is read again. */
struct emit_stage {
	u8 bytes[EMIT_STAGE];
	struct emit_mark {
		u32 at;		/* offset in 'bytes' */
		u32 work;	/* done before it */
	} mark[EMIT_MARKS];
};

/* One stream of packets: one thread's. */
struct emit {
	u8 *buf;		/* EMIT_BUFFER bytes */
	u32 fill;
	u64 off;		/* of buf[0] in the stream */
	/* Takes what is in the buffer. */
	void (*full)(void *who, struct emit *e);
	void *who;

	struct timing timing;
	struct emit_stage *stage;
	u32 n_staged, n_marks;
	bool paused;		/* no time passes until emit_resume() */
	u64 since;		/* TSC when the stage was empty */
	u64 work;		/* units done, ever: the caller counts them */
	u64 work_since;		/* ... when the stage was empty */
	u64 mark_at;		/* the work at which the time is to be told next */
	u32 seed;

	bool on;		/* packets are enabled: the thread runs code that is traced */
	u8 mode;		/* enum insn_mode of that code */
	u8 mode_sent;		/* ... as last said, + 1; 0: not since the PSB */
	u32 tnt, n_tnt;		/* branches not sent yet, the newest in bit 0 */
	u64 last_ip;
	u64 psb_at;		/* where in the stream the next PSB is due */
	u64 calls[EMIT_CALLS];	/* a ring */
	u32 top, depth;
};

/* Begin a stream; buf, stage, timing.clock, full and who are set. */
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

/* PTWRITE at 'ip' of 'size' bytes, if those are asked for. */
void emit_ptwrite(struct emit *e, u64 ip, u64 value, u32 size);

/* A far branch, perhaps to code of another mode. */
void emit_far(struct emit *e, u64 to, enum insn_mode mode);

/* Another program begins: calls of before do not return. */
void emit_forget(struct emit *e);

/* Something was lost; emit_begin() comes next. */
void emit_overflow(struct emit *e);

/* Between two instructions, 'ip' being the next: make room, and write a PSB if one is
 * due. To be called at least once in EMIT_SLACK bytes of packets. */
static inline bool emit_due(const struct emit *e)
{
	return e->n_staged >= EMIT_STAGE - 2 * EMIT_SLACK ||
	       e->n_marks >= EMIT_MARKS - EMIT_SLACK ||
	       e->off + e->fill + e->n_staged >= e->psb_at;
}
void emit_sync(struct emit *e, u64 ip);

/* Time. It passes with e->work, which the caller counts up before it tells a branch, unless
 * the thread waits:
 * pause: it did nothing since the TSC was 'tsc', because it waits or another one runs.
 * resume: it goes on now; the time is told. Nothing happens if it was not paused.
 * exact: say the very time, because the file was told of something that happened just before. */
void emit_pause(struct emit *e, u64 tsc);
void emit_resume(struct emit *e);
void emit_exact(struct emit *e);

/* Hand out what is there: the stream ends, or somebody waits for it. */
void emit_flush(struct emit *e);

#endif
