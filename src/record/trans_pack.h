/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Convert the records of a thread's ring (see <pt/agent.h>) to the packets that a processor would
 * have sent for the same branches.
 */
#ifndef RECORD_TRANS_PACK_H
#define RECORD_TRANS_PACK_H

#include <pt/agent.h>

/* What the time packets of a recording are made by. */
struct pack_clock {
	u64 config;		/* bits of enum pt_config */
	u32 ctc_n, ctc_d;	/* TSC ticks per tick of the crystal's counter */
	u8 cbr;
	bool vectors;		/* the processor has SSSE3; asking it again takes 60 us in some
				 * virtual machines */
};

enum {
	PACK_SLACK = 32 << 10,	/* limit of the packets of one stretch of records */
	PACK_BUFFER = 256 << 10,
	PACK_MARKS = 64,	/* places in a stretch for time packets */
	/* Average number of branches between two places for MTC, or for CYC. */
	PACK_STEP = 512, PACK_STEP_CYC = 16,
};

/* The stream of packets of one thread. Streams may share 'buf' one after the other, after
 * trans_pack() has returned and trans_pack_flush() has emptied it. */
struct trans_pack {
	const struct pack_clock *clock;
	u8 *buf, *at;		/* PACK_BUFFER bytes; filled up to 'at' */
	u64 off;		/* of buf[0] in the stream */
	/* Called to write the buffer. */
	void (*full)(void *who, struct trans_pack *p);
	/* Called for records that make no packets: maps, names, code. */
	void (*side_band)(void *who, struct trans_pack *p, const struct agent_slow *slow,
			  const u8 *words);
	void *who;

	bool on;		/* packets are enabled */
	bool timed;		/* some TSC was sent */
	bool trapped;		/* the next interrupt is the trap of an INT3, which was executed */
	u8 mode;		/* MODE.Exec of the code: 1, or 2 if it has 32 bits */
	u8 mode_sent;		/* ... as last said since the PSB; 0: it was not */
	u64 tnt;		/* results not yet sent, the newest in bit 0, below a stop bit */
	u64 last_ip;
	u64 psb_at;		/* offset in the stream of the next PSB */

	u64 tsc, ctc;		/* of the last record with a time; and the crystal's ticks then */
	u64 from;		/* the time at the start of buf */
	u64 mtc;		/* MTC periods at the last MTC or TSC */
	u64 cyc;		/* TSC at the last CYC */
	u32 mark[PACK_MARKS];	/* offsets in buf of space for time packets */
	u64 marked[PACK_MARKS];	/* the branches before each of them */
	u32 n_marks;
	u32 seed;
	u64 since;		/* branches since 'tsc' */
	u64 mark_at;		/* the value of 'since' at the next mark */

	u64 n_bytes, n_slow;	/* bytes and slow records read so far */
	u64 n_bits, n_tips;	/* branches among them */
};

/* Start a stream. The caller has set clock, buf, full, side_band and who. */
void trans_pack_start(struct trans_pack *p);

/* Convert the records in 'in'; eight bytes beyond its end must be readable. Returns the number of
 * bytes used: fewer if 'in' ends inside a record, or at the border of a quarter (SLOW_PAD), where
 * '*pad' is set. Invalid records are safe, since the traced program may write to its ring. */
size_t trans_pack(struct trans_pack *p, struct bytes in, bool *pad);

/* Write all packets. */
void trans_pack_flush(struct trans_pack *p);

/* The records end here, at 'tsc', inside a stretch. A stream without records gets a PSB and the
 * time. */
void trans_pack_end(struct trans_pack *p, u64 tsc);

#endif
