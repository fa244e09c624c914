/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the CPU executed: packets and code to runs, and what happened at the
 * end of each.
 *
 * A step is a stretch of instructions, the first 'n' of a run, and then an
 * event: the branch that ended it, an interrupt, the begin or end of tracing, a
 * PTWRITE, a gap. Either part may be empty. Damage is an event like others.
 *
 * Manual: SDM volume 3, "Intel Processor Trace".
 */
#ifndef PT_FLOW_H
#define PT_FLOW_H

#include <pt/clock.h>
#include <pt/last_ip.h>
#include <pt/packet.h>
#include <pt/runs.h>

/* What happened: struct step.what. Several may at once. */
enum {
	STEP_BRANCH = 1 << 0, /* from -> to; either is 0 if it is not known */
	STEP_BEGIN = 1 << 1, /* tracing began at 'to' */
	STEP_END = 1 << 2, /* tracing ended at 'from' */
	STEP_ASYNC = 1 << 3, /* an interrupt or fault: no instruction branched */
	STEP_ABORT = 1 << 4, /* of a transaction */
	STEP_TX = 1 << 5, /* a transaction began, ended or aborted */
	STEP_PTW = 1 << 6, /* a PTWRITE: flow.ptw */
	STEP_MWAIT = 1 << 7, /* flow.mwait */
	STEP_PWRE = 1 << 8, /* flow.pwre */
	STEP_EXSTOP = 1 << 9,
	STEP_PWRX = 1 << 10, /* flow.pwrx */
	STEP_CBR = 1 << 11, /* the frequency changed: flow.clock.cbr */
	STEP_PSB = 1 << 12, /* flow.psb_off */
	STEP_EVT = 1 << 13, /* a CFE: flow.cfe, flow.evd */
	STEP_IFLAG = 1 << 14, /* the interrupt flag: flow.iflag_from, flow.iflag */
	STEP_BLOCK = 1 << 15, /* a PEBS record is complete */
	STEP_NOT_TAKEN = 1 << 16, /* a conditional branch at 'from' was not taken: no event */
	STEP_INSN_AT = 1 << 17, /* hop mode: 'from' was executed */
	STEP_GAP = 1 << 18, /* something is missing: 'gap' says what, 'from' where */
	/* About the above: */
	STEP_IN_TX = 1 << 24,
	STEP_WITH_IP = 1 << 25, /* PTW, EXSTOP, CFE: a FUP gave 'from' */
	STEP_IPC = 1 << 26, /* cycles and instructions are exact here */
	STEP_FROM_NR = 1 << 27, /* 'from' ('to') is in VMX non-root mode */
	STEP_TO_NR = 1 << 28,
	STEP_AT_FUP = 1 << 30,	/* a FUP was walked to: no instruction ends the stretch */
	STEP_NEW_BUFFER = 1 << 29, /* first step of a trace that does not go on from the last */
};

/* Why something is missing. The numbers are those of perf's errors. */
enum gap {
	GAP_INTERNAL = 2,	/* a state that cannot be */
	GAP_BAD_PACKET = 3,
	GAP_NO_CODE = 5,	/* no bytes, or none that decode, at 'from' */
	GAP_MISMATCH = 6,	/* trace and code do not fit */
	GAP_OVERFLOW = 7,	/* the CPU lost packets */
	GAP_LOST = 8,		/* the recorder lost bytes */
	GAP_LOOP = 10,		/* direct branches for ever */
	GAP_EPTW = 11,		/* an emulated PTWRITE without its 64 bits */
};

const char *flow_gap_text(enum gap gap);

struct step {
	struct run *run;	/* its first n instructions were executed; NULL if none */
	u32 n;
	u32 what;
	u64 from, to;
	u8 kind;		/* enum insn_kind of the branch at 'from', INSN_OTHER if none */
	u8 len;			/* of that instruction */
	u8 gap;			/* enum gap */
	bool in_tx;		/* the stretch is inside a transaction */
	bool walked;		/* code was looked at, though 'n' may be 0 */
	bool new_cycles;	/* not taken, with cycles that are exact here if it is sampled */
	u64 first;		/* instructions executed before the stretch */
	u64 walk_tsc;		/* the clock when it was walked ... */
	u32 walk_insns;		/* ... and the instructions since it was set */
	u32 breaks;		/* counts ends of tracing up to here */
	u64 tsc_in;		/* time of what happened inside the stretch */
	u64 tsc;		/* time of the event; 0 if it is not known */
	u64 insns;		/* executed up to here; approximate over gaps */
	u64 cycles;		/* counted up to here */
};

/* A whole run and the branch at its end, where that is all there is to a step. */
struct passed {
	struct run *run;
	u64 to;			/* 1: a conditional branch that was taken, 0: that was not */
	u64 tsc_in, tsc;	/* as in struct step */
	u64 first;		/* the same */
	u64 at;			/* walk_tsc + walk_insns */
};

/* As in struct step. */
static inline u64 passed_to(const struct passed *p)
{
	return p->to && p->run->end == INSN_COND ? p->run->rest->target : p->to;
}

enum { FLOW_RET_STACK = 1024, FLOW_MAX_EVD = 64, FLOW_LOOK = 64 << 10, FLOW_PASSED = 192 };

/* Where the bytes come from. Buffers that follow each other are one trace. */
struct flow_source {
	/* Append more of the buffer behind what is left in in->rest, which may be moved.
	 * False at the buffer's end. */
	bool (*more)(void *who, struct packets *in);
	/* The next buffer: put its beginning into in->rest (in->off stays). Returns false if
	 * there is none (yet). '*joined' says that it goes on where the last one ended,
	 * '*reference' is the TSC at the time it was recorded, 0 if unknown. */
	bool (*next)(void *who, struct packets *in, bool *joined, u64 *reference);
	void *who;
};

/* What the recording was like. */
struct flow_setup {
	struct clock_setup clock;
	bool no_branches;	/* BranchEn was 0: no flow at all */
	bool no_compression;	/* returns are never compressed */
	bool cyc_threshold;	/* CYCs are not on every packet */
	bool hop;		/* do not walk code: use addresses in packets only */
	bool leap;		/* not even those: PSB to PSB */
	bool approximate;	/* cycles are those of the time, new ones or not */
	bool each_insn;		/* instructions before a gap in the code count */
	u32 heed;		/* HEED_*: other branches need not be steps */
	u8 errata;		/* enum packet_errata */
	bool note;		/* nor these, if they are nothing else: see flow.passed */
	bool fup_next_ip;	/* erratum: an interrupt at an indirect branch gives the next IP */
	bool abort_astray;	/* erratum: the branch before an abort was logged wrongly */
	bool stray_fup;		/* erratum: an overflow that ends while tracing is off has a FUP */
	bool vmentry_fup;	/* erratum: a VM entry that ends tracing has a FUP */
	/* Is the branch to 'to' out of an address filter? NULL without filters. */
	bool (*leaves)(void *who, u64 to);
	/* Nothing is to be said of the hole at 'ip': it was said before. May be NULL. */
	bool (*known_hole)(void *who, u64 ip);
	void *who;
};

struct evd { u8 type; u64 payload; };

/* A return address, and the call that it is from. */
struct ret {
	u64 ip;
	struct call *call;
};

/* The last branch that was no step, if there was any since whoever looks at this
 * cleared it, and the cycles counted then. */
struct skipped {
	bool any;
	u8 kind, len;
	u64 ip, cycles;
};

struct flow {
	struct flow_setup setup;
	struct flow_source source;
	struct runs *runs;
	struct packets in;
	struct clock clock;
	struct last_ip last_ip;
	struct packet pkt;	/* the last one read */
	u8 before;		/* kind of the one before, PADs left out */
	u8 state;		/* see flow.c */
	u8 mode, mode_next;	/* enum insn_mode: now, and behind the next TIP */
	bool whole;		/* all of this buffer is in 'in' */
	bool on;		/* tracing is enabled: PacketEn */
	bool again;		/* the packet in 'pkt' is to be read once more */
	/* 'defers': some TIPs of this trace come after results of later branches. A gap may then
	 * have taken results that are needed after it. */
	bool defers, results_lost;
	bool overflow, in_psb;
	bool searching;		/* after a gap: 'ip' is unknown until a packet tells it */
	bool in_hole;		/* the gap was missing code */
	u32 pips;		/* PIPs since the last packet that told where the flow went */
	u8 tx, fup_tx;		/* bits of MODE.TSX */
	bool nr, next_nr, pip_nr;
	bool iflag_next;
	u64 tnt;		/* results left, the next in bit tnt_n - 1 */
	u32 tnt_n;
	bool tnt_fresh;		/* none of this packet's was used yet */
	bool eptw;		/* an emulated PTWRITE begins */
	u64 ip;			/* next to execute; 0: unknown */
	struct run *run;	/* the one at 'ip', if it was looked up */
	struct run **link;	/* where to note it, or NULL */
	struct call *back;	/* the same */
	u64 key, kernel_key;	/* space: see flow_space() */
	u64 fup_ip;		/* where a FUP has to be met */
	u64 psb_ip;
	u32 pending;		/* STEP_* that the next FUP completes */
	u32 cbr_seen;
	u64 insns;		/* executed so far */
	u64 insns_at_time;	/* the same when the clock was last set ... */
	u64 clock_updates;	/* ... which these count */
	u64 step_tsc, step_insns;	/* time of the last step, insns_at_time then */
	u64 step_cycles;
	bool new_buffer;	/* STEP_NEW_BUFFER is due */
	u32 n_long;		/* runs in a row without an end, and what guards against ... */
	u32 stuck_period, stuck_count;
	u64 stuck_ip;		/* ... endless loops of them */
	u32 breaks;		/* counts ends of tracing, for periodic sampling */
	/* Apart: counted down as one vector they could not be read back at once (a fifth). */
	u32 ret_top;		/* of ret[] */
	struct call no_call;	/* for return addresses whose call is forgotten */
	u32 ret_n;
	u64 until;		/* no step is left out from this time (TSC) on ... */
	u64 stop;		/* ... nor from this place in the trace on, or soon behind it */
	struct skipped skipped;
	u64 skipped_tsc;	/* time of the last taken branch skipped before this step, or 0 */
	/* Branches that packets tell of and that were not followed, as code is missing, and the
	 * time of that. */
	u64 unread, unread_ticks, hole_tsc;
	bool led_by_cyc;	/* a CYC stood last in what was gone over since the last step */
	/* What the step says: */
	u64 psb_off, ptw, mwait, pwre, pwrx;
	u8 cfe_type, cfe_vector, n_evd;
	u8 evd_due;		/* read, and not yet with their CFE */
	bool iflag_from, iflag;
	/* What happened before the last step and was heeded, if the setup says 'note'. Where
	 * there was no step any more it is all that happened. */
	u32 n_passed;
	u32 passed_breaks;	/* 'breaks' then */
	/* What is large is behind what is always wanted. */
	struct ret ret[FLOW_RET_STACK];	/* ring of return addresses */
	struct evd evd[FLOW_MAX_EVD];
	struct passed *passed;	/* FLOW_PASSED of them, the caller's; before 'note' is set */
};

/* '*f' is all zeros but for 'passed'. */
void flow_start(struct flow *f, const struct flow_setup *setup, const struct flow_source *source,
		struct runs *runs);

/* The address space to fetch code from, from the next instruction on: keys as
 * runs_find() takes them, for the lower and the upper half of addresses. */
void flow_space(struct flow *f, u64 key, u64 kernel_key);

/* The next step. False at the end of the data there is; more may come. */
bool flow_next(struct flow *f, struct step *s);

/* An estimate of the time of the last step: half an instruction a cycle since
 * the last time that is known. */
u64 flow_estimate(const struct flow *f);

/* Runs are others from now on: look up anew where it goes on, and where it returns to. */
void flow_forget(struct flow *f);

#endif
