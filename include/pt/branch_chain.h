/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The branches before a sample, and then its callers, as one call chain.
 */
#ifndef PT_BRANCH_CHAIN_H
#define PT_BRANCH_CHAIN_H

#include <pt/branches.h>
#include <pt/hist.h>
#include <pt/itrace.h>

enum { BRANCH_CHAIN_BRANCHES = 127,	/* as in perf; older ones are left out */
       BRANCH_CHAIN_MAX = 2 * BRANCH_CHAIN_BRANCHES + ITRACE_CHAIN_MAX };

/* Room for a chain. */
struct branch_chain {
	u32 n;
	u64 ips[BRANCH_CHAIN_MAX];
	struct frame_branch at[BRANCH_CHAIN_MAX];	/* of ips[] */
};

/* Set '*c' from a branch stack and a call chain with its markers, as perf.data has them. Either may
 * be empty. 'caller': the oldest comes first. 'most' limits the branches and the callers. */
void branch_chain(struct branch_chain *c, struct bytes branches, struct bytes callers, bool caller,
		  u32 most);

#endif
