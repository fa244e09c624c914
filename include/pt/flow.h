/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the CPU executed: packets and code to runs, and the event at the end of each.
 *
 * A step is a stretch of instructions, the first 'n' of a run, followed by an event: the branch
 * that ended it, an interrupt, the start or end of tracing, a PTWRITE, a gap. Either part may be
 * empty. Damage is an event like the others.
 *
 * Manual: SDM volume 3, "Intel Processor Trace".
 */
#ifndef PT_FLOW_H
#define PT_FLOW_H

#include <pt/clock.h>
#include <pt/last_ip.h>
#include <pt/packet.h>
#include <pt/runs.h>

/* What happened: struct step.what. Several bits may be set. */
enum {
	STEP_BRANCH = 1 << 0, /* from -> to; either is 0 if it is unknown */
	STEP_BEGIN = 1 << 1, /* tracing began at 'to' */
	STEP_END = 1 << 2, /* tracing ended at 'from' */
	STEP_ASYNC = 1 << 3, /* an interrupt or fault: no instruction branched */
	STEP_ABORT = 1 << 4, /* of a transaction */
	STEP_TX = 1 << 5, /* a transaction began, ended or aborted */
	STEP_PTW = 1 << 6, /* a PTWRITE; flow.values has its contents, and those of events below */
	STEP_MWAIT = 1 << 7,
	STEP_PWRE = 1 << 8,
	STEP_EXSTOP = 1 << 9,
	STEP_PWRX = 1 << 10,
	STEP_CBR = 1 << 11, /* the frequency changed */
	STEP_PSB = 1 << 12,
	STEP_EVT = 1 << 13, /* a CFE, with its EVDs */
	STEP_IFLAG = 1 << 14, /* the interrupt flag: from iflag_from to iflag */
	STEP_BLOCK = 1 << 15, /* a PEBS record is complete */
	STEP_NOT_TAKEN = 1 << 16, /* a conditional branch at 'from' was not taken: no event */
	STEP_INSN_AT = 1 << 17, /* hop mode: 'from' was executed */
	STEP_GAP = 1 << 18, /* a gap: 'gap' is the reason, 'from' the place */
	/* Properties of the events above: */
	STEP_IN_TX = 1 << 24,
	STEP_WITH_IP = 1 << 25, /* PTW, EXSTOP, CFE: a FUP gave 'from' */
	STEP_IPC = 1 << 26, /* cycles and instructions are exact here */
	STEP_FROM_NR = 1 << 27, /* 'from' ('to') is in VMX non-root mode */
	STEP_TO_NR = 1 << 28,
	STEP_AT_FUP = 1 << 30,	/* a FUP was walked to: no instruction ends the stretch */
	STEP_NEW_BUFFER = 1 << 29, /* first step of a trace that does not continue the last one */
};

/* Why there is a gap. The numbers are those of perf's errors. */
enum gap {
	GAP_INTERNAL = 2,	/* an impossible state */
	GAP_BAD_PACKET = 3,
	GAP_NO_CODE = 5,	/* no bytes at 'from', or none that decode */
	GAP_MISMATCH = 6,	/* trace and code do not match */
	GAP_OVERFLOW = 7,	/* the CPU lost packets */
	GAP_LOST = 8,		/* the recorder lost bytes */
	GAP_LOOP = 10,		/* endless direct branches */
	GAP_EPTW = 11,		/* an emulated PTWRITE without its 64 bits */
};

const char *flow_gap_text(enum gap gap);

struct evd { u8 type; u64 payload; };

enum { FLOW_MAX_EVD = 64 };

/* The groups of a PEBS record in the trace, and the items of each, by their numbers in packets. */
enum block_group {
	BLOCK_REGISTERS, BLOCK_BASIC, BLOCK_MEMORY, BLOCK_BRANCHES, BLOCK_BRANCHES_2,
	BLOCK_BRANCHES_3, BLOCK_VECTORS, N_BLOCK_GROUPS, BLOCK_ITEMS = 32
};

/* A PEBS record: STEP_BLOCK. Without the option PEBS it is not kept. */
struct pebs_block {
	bool open;		/* items may follow */
	bool is_32;		/* the registers are those of 32-bit code */
	u8 group;		/* of the next items */
	u32 has[N_BLOCK_GROUPS];	/* a bit for each item of a group */
	u64 items[N_BLOCK_GROUPS][BLOCK_ITEMS];
};

/* The contents of the last packet of each kind of event. */
struct event_values {
	u64 psb_off, ptw, mwait, pwre, pwrx;
	u32 cbr, cbr_payload;
	u8 cfe_type, cfe_vector, n_evd;
	bool iflag_from, iflag;
	struct evd evd[FLOW_MAX_EVD];
	struct pebs_block block;
};

struct step {
	struct run *run;	/* its first n instructions were executed; NULL if none */
	u32 n;
	u32 what;
	u64 from, to;
	u8 kind;		/* enum insn_kind of the branch at 'from', INSN_OTHER if none */
	u8 len;			/* of that instruction */
	u8 gap;			/* enum gap */
	bool in_tx;		/* the stretch is inside of a transaction */
	bool walked;		/* code was walked, although 'n' may be 0 */
	bool have_cyc;		/* cycles are counted, not computed from time */
	u64 first;		/* instructions executed before the stretch */
	u64 walk_tsc;		/* the clock when the stretch was walked ... */
	u32 walk_insns;		/* ... and the instructions since it was set */
	u32 breaks;		/* number of ends of tracing so far */
	u64 tsc_in;		/* time of the event inside of the stretch */
	u64 tsc;		/* time of the event; 0 if it is unknown */
	u64 insns;		/* executed so far; approximate after gaps */
	u64 cycles;		/* counted so far */
	u64 new_cycles;		/* the same if this instruction is sampled; 0: as 'cycles' */
};

/* A whole run and the branch at its end, if a step is nothing else. */
struct passed {
	struct run *run;
	u64 to;			/* 1: a conditional branch that was taken, 0: one that was not */
	u64 tsc_in, tsc;	/* as in struct step */
	u64 first;		/* the same */
	u64 at;			/* walk_tsc + walk_insns */
};

/* As in struct step. */
static inline u64 passed_to(const struct passed *p)
{
	return p->to && p->run->end == INSN_COND ? p->run->rest->target : p->to;
}

enum { FLOW_RET_STACK = 1024, FLOW_LOOK = 64 << 10, FLOW_PASSED = 192 };

/* The branches that were noted before a step: memory of the caller, which may change it. */
struct notes {
	u32 n, breaks;		/* 'breaks' is as in struct step, before them */
	struct passed runs[FLOW_PASSED];
};

/* The source of the bytes. Buffers that follow each other are one trace. */
struct flow_source {
	/* Append more of the buffer to the rest in in->rest, which may be moved. False at the end
	 * of the buffer. */
	bool (*more)(void *who, struct packets *in);
	/* The next buffer: put its front into in->rest (in->off stays). Returns false if there is
	 * none (yet). '*joined' is set if it continues where the last one ended; '*reference' is
	 * the TSC when it was recorded, 0 if unknown. */
	bool (*next)(void *who, struct packets *in, bool *joined, u64 *reference);
	void *who;
};

/* Properties of the recording. */
struct flow_setup {
	struct clock_setup clock;
	bool no_branches;	/* BranchEn was 0: there is no flow */
	bool no_compression;	/* returns are never compressed */
	bool cyc_threshold;	/* not every packet has a CYC */
	bool hop;		/* do not walk code: use addresses in packets only */
	bool leap;		/* not even those: PSB to PSB */
	bool approximate;	/* each time sets the cycles, also without a new CYC */
	bool each_insn;		/* instructions before a gap in the code are counted */
	u32 needs;		/* NEED_*: branches for which steps are needed */
	u8 errata;		/* enum packet_errata */
	u64 stamped;		/* ~0: the time changes only at packets with a time;
				 * 0: it also advances with each instruction */
	bool note;		/* these branches are noted instead: see flow_next() */
	bool fup_next_ip;	/* erratum: an interrupt at an indirect branch gives the next IP */
	bool abort_astray;	/* erratum: the branch before an abort is logged wrongly */
	bool stray_fup;		/* erratum: an overflow that ends while tracing is off has a FUP */
	bool vmentry_fup;	/* erratum: a VM entry that ends tracing has a FUP */
	/* Is the target 'to' of a branch outside of the address filters? NULL if there are none. */
	bool (*leaves)(void *who, u64 to);
	/* Was the missing code at 'ip' reported before? May be NULL. */
	bool (*known_gap)(void *who, u64 ip);
	void *who;
};

/* A return address, and the call that pushed it. */
struct ret {
	u64 ip;
	struct call *call;
};

/* The last branch without a step before the present one, and the cycles counted then. */
struct skipped {
	bool any;
	u8 kind, len;
	u64 ip, cycles;
};

/* What the packets read so far say about later steps, except the clock, the last IP and the
 * return addresses. It has no padding, because it is compared as bytes. */
struct flow_arch {
	u64 ip;			/* the next instruction; 0: unknown */
	u64 fup_ip;		/* the address of a FUP to walk to */
	u64 psb_ip;
	u64 tnt;		/* results that are left, the next one in bit tnt_n - 1 */
	u64 step_tsc;		/* time of the last step */
	u32 tnt_n;
	u32 pips;		/* PIPs since the last packet about control flow */
	u32 pending;		/* STEP_* that the next FUP completes */
	u8 state;		/* see src/decode/flow.h */
	u8 mode, mode_next;	/* enum insn_mode: now, and after the next TIP */
	u8 tx, fup_tx;		/* bits of MODE.TSX */
	bool on;		/* tracing is enabled: PacketEn */
	bool overflow, in_psb;
	bool searching;		/* after a gap: 'ip' is unknown until a packet gives it */
	/* 'defers': some TIPs of this trace come after results of later branches. A gap may then
	 * have used results that are needed after it. */
	bool defers, results_lost;
	bool tnt_fresh;		/* no result of this packet was used yet */
	bool eptw;		/* an emulated PTWRITE begins here */
	bool nr, next_nr, pip_nr;
	bool iflag_next;
	bool led_by_cyc;	/* the last packet that was passed since the last step was a CYC */
	bool new_buffer;	/* STEP_NEW_BUFFER is due */
	u8 unused;
};

struct flow {
	/* Where it comes from. */
	struct flow_setup setup;
	struct flow_source source;
	struct runs *runs;
	/* What is read. */
	struct packets in;
	struct packet pkt;	/* the packet read last */
	u8 before;		/* kind of the packet before it, except PADs */
	bool whole;		/* 'in' contains all of this buffer */
	bool again;		/* the packet in 'pkt' is read again */
	/* What it means. */
	struct clock clock;
	struct last_ip last_ip;
	struct flow_arch arch;
	u8 evd_due;		/* EVDs that were read, but the CFE that they belong to was not */
	/* Where code is looked up. */
	struct run *run;	/* the run at 'ip', if it was looked up */
	struct run **link;	/* where to store it, or NULL */
	struct call *back;	/* the same */
	u64 key[3];		/* see flow_space() */
	/* What is counted. */
	u64 insns;		/* executed so far */
	u64 insns_at_time;	/* the same when the clock was last set ... */
	u64 clock_updates;	/* ... which these count */
	u64 step_insns, step_cycles;	/* insns_at_time at the last step, and cycles then */
	u32 breaks;		/* number of ends of tracing, for periodic sampling */
	u32 n_long;		/* consecutive runs that continue in the next one, and the check
				 * against ... */
	u32 stuck_period, stuck_count;
	u64 stuck_ip;		/* ... endless loops of them */
	/* Branches in packets that could not be followed, because code is missing, and the time
	 * of that. */
	u64 unread, unread_ticks, no_code_tsc;
	bool no_code;		/* the gap is missing code */
	/* Which steps must not be skipped: */
	u64 until;		/* those from this time (TSC) on: see flow_next() ... */
	u64 stop;		/* ... and from this place in the trace on: see flow_stop() */
	/* What was skipped: flow_skip.c. */
	struct skipped skipped;
	u64 skipped_tsc;	/* time of the last taken branch skipped before this step, or 0 */
	bool skipped_nr;	/* it, and the branches noted: in VMX non-root mode */
	struct notes *notes;	/* see flow_next() */
	/* Return addresses, a ring. Keep ret_top away from ret_n: gcc updates neighbours with one
	 * 64-bit store, and the 32-bit loads that follow then stall (20 % slower). */
	u32 ret_top;
	struct call no_call;	/* for return addresses whose call was forgotten */
	u32 ret_n;
	struct ret ret[FLOW_RET_STACK];
	struct event_values values;
};

/* '*f' must be zeroed. */
void flow_start(struct flow *f, const struct flow_setup *setup, const struct flow_source *source,
		struct runs *runs);

/* Set the address space of code from the next instruction on: keys as runs_find() takes them, for
 * the lower half of addresses, for those in runs.made, and for the upper half. runs.made is that
 * of the space. */
void flow_space(struct flow *f, const u64 key[3]);

/* Change the setup: from the next step on, steps are needed for these branches (NEED_*), or notes.
 */
static inline void flow_need(struct flow *f, u32 needs, bool note)
{
	f->setup.note = note;
	f->setup.needs = needs;
}

/* From this place in the trace on, or soon after it, no step may be skipped. */
static inline void flow_stop(struct flow *f, u64 off)
{
	f->stop = off;
}

/* The next step. Steps that are not needed may be left out up to the time 'until' (TSC). False at
 * the end of the present data; more may follow. '*notes' gets the branches before the step, or
 * before the end, if the setup says 'note'; else it may be NULL. */
bool flow_next(struct flow *f, struct step *s, struct notes *notes, u64 until);

/* An estimate of the time of the last step: two cycles for each instruction since the last known
 * time. */
u64 flow_estimate(const struct flow *f);

/* All runs have changed: look up again the run at the current address and those at return
 * addresses. */
void flow_forget(struct flow *f);

#endif
