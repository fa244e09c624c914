/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --itrace: which samples to make from a trace.
 */
#ifndef PT_ITRACE_H
#define PT_ITRACE_H

#include <pt/calls.h>

enum { ITRACE_CHAIN_MAX = 1024 };	/* callchain, callchain_others */

enum itrace_unit { ITRACE_INSNS, ITRACE_TICKS, ITRACE_NS };

/* The branches that c and r select. */
enum {
	ITRACE_CALLS = FLAG_CALL | FLAG_ASYNC | FLAG_END,
	ITRACE_RETURNS = FLAG_RETURN | FLAG_BEGIN,
};

struct itrace {
	bool off;		/* --no-itrace: decode nothing */
	bool instructions, branches, transactions, ptwrites, power, interrupts;
	u32 only;		/* branches with any of these FLAG_*; 0: all branches */
	bool errors, no_overflows, no_losts;
	bool pebs;		/* PEBS records in the trace */
	bool cycles;		/* cycles, at each sample of 'instructions' ... */
	bool only_cycles;	/* ... in place of it */
	bool approximate_ipc, timeless;
	u32 quick;
	u64 period;		/* of 'instructions', in 'unit' */
	u8 unit;		/* enum itrace_unit */
	u64 skip;		/* the number of events to skip at the start */
	u32 callchain;		/* entries for made samples, 0: none */
	u32 callchain_others;	/* for samples that were recorded */
	u32 branch_stack;	/* branches before each made sample, 0: none */
	u32 branch_stack_others;	/* for samples that were recorded */
	bool log, log_all, log_errors, log_stdout;	/* d, with +a, +e, +o */
	bool mispredicted;	/* branches in branch stacks count as mispredicted */
	char wrong;		/* the letter at which itrace_parse() stopped */
	char ignored;		/* a letter without effect that was read: o, d, l or L; or 0 */
};

/* The default without the option: for 'sampled' (report) or not (script). */
void itrace_default(struct itrace *it, bool sampled);

/* Add the default for --itrace without letters. */
void itrace_add_usual(struct itrace *it, bool sampled);

/* Add the letters of 'text'; several lists add up. False if 'text' is wrong: see 'wrong'. */
bool itrace_parse(struct itrace *it, const char *text);

#endif
