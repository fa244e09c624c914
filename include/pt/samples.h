/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps to samples: the events that --itrace selects, one at a time.
 */
#ifndef PT_SAMPLES_H
#define PT_SAMPLES_H

#include <pt/calls.h>
#include <pt/itrace.h>
#include <pt/session.h>

/* The kinds of samples, in the order in which perf numbers their events. */
enum sample_kind {
	SAMPLE_BRANCH, SAMPLE_INSN, SAMPLE_CYCLES, SAMPLE_TX, SAMPLE_PTW, SAMPLE_CBR, SAMPLE_PSB,
	SAMPLE_MWAIT, SAMPLE_PWRE, SAMPLE_EXSTOP, SAMPLE_PWRX, SAMPLE_EVT, SAMPLE_IFLAG,
	N_SAMPLE_KINDS,
	SAMPLE_BLOCK = N_SAMPLE_KINDS,	/* a PEBS record, of an event of the file: <pt/pebs.h> */
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
	u64 periods;		/* of time, that passed while the program was traced; or 0 */
	u64 insn_cnt, cyc_cnt;	/* since the last of this kind: instructions a cycle */
	u64 value;		/* PTW, MWAIT, PWRE, PWRX, CBR, PSB offset */
	struct bytes branches;	/* before it, the newest first: 24 bytes each */
	const struct event_values *values;	/* EVT, IFLAG: details */
	bool with_ip;
	bool via_branch;	/* IFLAG */
};

struct samples {
	struct itrace itrace;
	struct session *session;
	bool use_calls;		/* keep call stacks */
	bool none;		/* no samples are selected: for example only gaps */
	u64 skipped;
	/* The current item, and the place in it. */
	struct item item;
	u8 stage;
	struct run_walk walk;
	bool walking, passing, branch_due, due_known;
	bool omits;		/* instructions are sampled, and no branches */
	u32 segment, event;
	u32 flags;		/* of the event */
	u64 due;		/* instructions up to the next sample */
	u64 sampled;		/* the last time of a sample of an instruction, for item.sampled */
	struct sampler **samplers;	/* by queue */
	u32 n_samplers;
	u8 *branches;		/* of the last sample */
	struct sampler *now;
};

/* Initialize '*s'. 'session' is open and stays valid. 'use_calls': keep call stacks. */
void samples_start(struct samples *s, struct session *session, const struct itrace *itrace,
		   bool use_calls);

/* The FLAG_* of each kind of branch. */
extern const u32 samples_flags[N_INSN_KINDS];

/* Which branches have to come as steps for these samples: NEED_*. */
u32 samples_needs(const struct itrace *itrace, bool use_calls);

/* Does the next event of 'queue' give a sample in any case (the first CBR)? */
bool samples_cbr_due(const struct samples *s, const struct queue *queue);

/* Add all state that later samples depend on to the digest 'h', see part_state(). 'cycles',
 * 'periods' and 'code' say whether the output depends on cycles, on periods of instructions and on
 * the code of the last instruction. Call stacks are not included. */
u64 samples_state(const struct samples *s, const struct item *item, u64 h, bool cycles,
		  bool periods, bool code);

/* Is the step a whole run with an ordinary branch at its end, without any other event? */
bool samples_simple(const struct step *step);

/* The consumer printed some such runs, of the queue and thread of 'item', without samples. 'last'
 * is the last of them. */
void samples_took(struct samples *s, const struct item *item, const struct passed *last);

/* All steps of an ITEM_PASSED were handled, or the item is skipped. */
void samples_pass(struct samples *s, const struct item *item);

/* True if no part of 'item', an ITEM_STEP, becomes a sample. The item is then finished. This is
 * four times as fast as samples_item() and samples_next(). */
bool samples_omit(struct samples *s, const struct item *item);

/* The same for runs 'i' and up of an ITEM_PASSED: returns how many of them are finished. Run i - 1
 * was handled in another way. */
u32 samples_omit_passed(struct samples *s, const struct item *passed, u32 i);

/* Start at 'item'. insns[i] is the number of instructions that queue i has executed since its last
 * sample; NULL: 0 each. samples_insns() fills this array in a process that has seen all items, if
 * the period is in instructions. */
void samples_begin(struct samples *s, const struct item *item, const u64 *insns);
void samples_insns(struct samples *s, const struct item *item, u64 *insns);

/* Start on an item of kind ITEM_STEP. */
void samples_item(struct samples *s, const struct item *item);

/* The next sample of the item; false when there are no more. */
bool samples_next(struct samples *s, struct sample *sample);

#endif
