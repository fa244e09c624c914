/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records of a thread's ring (see <pt/agent.h>) to the packets that a processor would have
 * sent of the same branches.
 */
#ifndef RECORD_TRANS_PACK_H
#define RECORD_TRANS_PACK_H

#include <pt/agent.h>

/* What the time packets of a recording are made by. */
struct pack_clock {
	u64 config;		/* bits of enum pt_config */
	u32 ctc_n, ctc_d;	/* TSC ticks per tick of the crystal's counter */
	u8 cbr;
};

enum {
	PACK_SLACK = 32 << 10,	/* room that one stretch of records may take, at most */
	PACK_BUFFER = 256 << 10,
	PACK_MARKS = 64,	/* places in a stretch where time may be told */
	PACK_TIP = 2,		/* branches that one with an address takes as long as */
	/* Branches between two places where MTC, or CYC, may tell the time, on average. */
	PACK_STEP = 256, PACK_STEP_CYC = 16,
};

/* One stream of packets: one thread's. 'buf' may be lent to one stream after the other when
 * trans_pack() has returned and trans_pack_flush() has emptied it. */
struct trans_pack {
	const struct pack_clock *clock;
	u8 *buf, *at;		/* PACK_BUFFER bytes; filled up to 'at' */
	u64 off;		/* of buf[0] in the stream */
	/* Takes what is in the buffer. */
	void (*full)(void *who, struct trans_pack *p);
	/* Told of records that make no packets: maps, names, code. */
	void (*tell)(void *who, struct trans_pack *p, const struct agent_slow *slow,
		     const u8 *words);
	void *who;

	bool on;		/* packets are enabled */
	bool timed;		/* some TSC was sent */
	u8 mode;		/* MODE.Exec of the code: 1, or 2 if it has 32 bits */
	u8 mode_sent;		/* ... as last said since the PSB; 0: it was not */
	u32 n_tnt;
	u64 tnt;		/* branches not sent yet, the newest in bit 0 */
	u64 last_ip;
	u64 psb_at;		/* where in the stream the next PSB is due */

	u64 tsc;		/* of the last record that told it */
	u64 mtc;		/* periods, as last said by MTC or TSC */
	u64 cyc;		/* TSC at the last CYC */
	u32 mark[PACK_MARKS];	/* offsets in buf of room for time packets */
	u64 marked[PACK_MARKS];	/* work that was before it */
	u32 n_marks;
	u32 seed;
	u64 since;		/* work since 'tsc' */
	u64 mark_at;		/* ... when the time may be told next */

	u64 n_bytes, n_slow;	/* read so far */
	u64 n_bits, n_tips;	/* branches among them */
};

/* Begin a stream; clock, buf, full, tell and who are set. */
void trans_pack_start(struct trans_pack *p);

/* Take the records in 'in'. Eight bytes beyond its end may be read. Returns how many bytes were
 * taken: not all if it ends inside a record, or the border of a quarter is reached (SLOW_PAD),
 * where '*pad' is set. Whatever the records are, memory is safe: a program may write to them. */
size_t trans_pack(struct trans_pack *p, struct bytes in, bool *pad);

/* Hand out what is there. */
void trans_pack_flush(struct trans_pack *p);

/* The records end here, at 'tsc', inside a stretch. One that had none says the time at least. */
void trans_pack_end(struct trans_pack *p, u64 tsc);

#endif
