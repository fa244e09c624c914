/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps to samples: the events that --itrace asks for, one at a time.
 */
#ifndef PT_SAMPLES_H
#define PT_SAMPLES_H

#include <pt/calls.h>
#include <pt/itrace.h>
#include <pt/session.h>

/* The kinds of samples, in the order in which perf numbers their events. */
enum sample_kind {
	SAMPLE_BRANCH, SAMPLE_INSN, SAMPLE_TX, SAMPLE_PTW, SAMPLE_CBR, SAMPLE_PSB, SAMPLE_MWAIT,
	SAMPLE_PWRE, SAMPLE_EXSTOP, SAMPLE_PWRX, SAMPLE_EVT, SAMPLE_IFLAG, N_SAMPLE_KINDS
};

struct sample {
	u8 kind;		/* enum sample_kind */
	u8 insn_len;		/* of the instruction at insn_ip, 0 if there is none to show */
	u32 flags;		/* FLAG_* */
	i32 pid, tid, cpu;
	struct thread *thread;	/* NULL: not known */
	u64 time;		/* ns; 0: not known */
	u64 ip, addr;		/* from, to */
	u64 insn_ip;
	struct thread *insn_thread;	/* whose code that is */
	u64 period;
	u64 insn_cnt, cyc_cnt;	/* since the last of this kind: instructions a cycle */
	u64 value;		/* PTW, MWAIT, PWRE, PWRX, CBR, PSB offset */
	const struct told *told;	/* EVT, IFLAG: details */
	bool with_ip;
	bool via_branch;	/* IFLAG */
};

struct samples {
	struct itrace itrace;
	struct session *session;
	struct out *out;	/* where what is done to them may wait: see calls_branch() */
	bool use_calls;		/* keep call stacks */
	bool none;		/* nothing is asked for: only gaps, say */
	u32 branch_filter;	/* FLAG_*: branches without any of these are left out */
	u64 skipped;
	/* The item at hand, and how far it was gone through. */
	struct item item;
	u8 stage;
	struct run_walk walk;
	bool walking, passing, branch_due, due_known;
	bool omits;		/* instructions are sampled, and no branches */
	u32 segment, event;
	u32 flags;		/* of the event */
	u64 due;		/* instructions up to the next sample */
	struct sampler **samplers;	/* by queue */
	u32 n_samplers;
	struct sampler *now;
};

void samples_start(struct samples *s, struct session *session, const struct itrace *itrace,
		   bool use_calls);

/* What each kind of branch is: FLAG_*. */
extern const u32 samples_flags[N_INSN_KINDS];

/* Which branches have to come as steps for these samples: HEED_*. */
u32 samples_heed(const struct itrace *itrace, bool use_calls);

/* Is there to be a sample of the next event, whatever it is? */
bool samples_owe(const struct samples *s, const struct queue *queue);

/* 'h' with what later samples depend on, see part_state(): on cycles, periods of
 * instructions and the last one's code, where they matter. Call stacks are not among it. */
u64 samples_state(const struct samples *s, const struct item *item, u64 h, bool cycles,
		  bool periods, bool code);

/* A whole run with an ordinary branch at its end, which is all that happened? */
bool samples_simple(const struct step *step);

/* The last of some such runs, all of the queue and thread of 'item', that were shown without
 * samples. */
void samples_took(struct samples *s, const struct item *item, const struct passed *last);

/* All steps of an ITEM_PASSED were taken up, or an item is not wanted at all. */
void samples_pass(struct samples *s, const struct item *item);

/* Is nothing of the item, an ITEM_STEP, to be a sample? Then it is done with; four times as
 * fast as to find that out one instruction and event after the other. */
bool samples_omit(struct samples *s, const struct item *item);

/* How many of those from the 'i'th on that an ITEM_PASSED holds are such. One before was
 * shown by other means. */
u32 samples_omit_passed(struct samples *s, const struct item *passed, u32 i);

/* Begin at 'item', when of each queue insns[its index] instructions were executed since the
 * last one that was sampled, NULL: none; how many these are for whoever has taken up all
 * items, with a period of instructions. */
void samples_begin(struct samples *s, const struct item *item, const u64 *insns);
void samples_insns(struct samples *s, const struct item *item, u64 *insns);

/* Take up an item of kind ITEM_STEP. */
void samples_item(struct samples *s, const struct item *item);

/* The next sample of the item; false when there are no more. */
bool samples_next(struct samples *s, struct sample *sample);

#endif
