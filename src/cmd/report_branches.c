/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report -b: each branch before a sample is an entry. --branch-history: they are its call chain.
 */
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/fail.h>
#include "report.h"

/* --branch-history. Exit status. */
static int start_history(struct report *r, bool any)
{
	const struct listing *l = &r->list;
	const struct perf_file *f = &l->session.file;

	if (!any && !f->pipe && !(f->sample_types >> PERF_S_CALLCHAIN & 1) &&
	    !l->itrace.callchain && !l->itrace.callchain_others)
		return fail(0, "--branch-history: %s has no branch stacks: use --itrace=il, or "
			    "record with -b", l->path);
	r->past = true;
	r->style.hist.key = CHAIN_BY_ADDRESS;
	r->style.counts = any;
	if (!r->sort)
		r->sort = "srcline,symbol,dso";
	return 0;
}

int report_branches_start(struct report *r)
{
	const struct listing *l = &r->list;
	bool any = l->itrace.branch_stack || l->itrace.branch_stack_others ||
		   l->session.file.sample_types >> PERF_S_BRANCH_STACK & 1;

	if (CONFIG_BRANCH_HISTORY && r->history)
		return start_history(r, any);
	if (r->branches == BRANCHES_ASKED && !any)
		return fail(0, "-b: %s has no branch stacks: use --itrace=il, or record with -b",
			    l->path);
	r->style.branches = any && r->branches != BRANCHES_NONE;
	if (!r->style.branches)
		return 0;
	r->style.hist.children = false;
	r->no_chains = true;
	return 0;
}

void report_branches(struct report *r, struct hist *h, const struct hist_sample *s,
		     struct bytes b, bool wanted)
{
	struct hist_keys *k = &r->more.keys;

	for (; b.len >= BRANCH_SIZE; b = bytes_skip(b, BRANCH_SIZE)) {
		struct hist_sample one = *s;
		u64 to = get64(b.at + 8);

		k->branch.from = report_place(r, s->thread, get64(b.at));
		k->branch.to = report_place(r, s->thread, to);
		k->branch.flags = get64(b.at + 16);
		one.period = 1;
		one.kernel = to >> 63;
		report_sample(r, h, &one, to, 0, wanted);
	}
}

u32 report_past(struct report *r, struct hist_sample *s, struct bytes branches, struct bytes chain,
		u32 n)
{
	u32 most = r->max_stack ? r->max_stack : MAX(r->list.itrace.callchain, 127u);

	if (!chain.len)
		chain = calls_mark(r->ips, n, r->marked);
	branch_chain(&r->branch_chain, branches, chain, r->style.hist.caller,
		     r->no_frames ? 0 : most);
	s->branches = r->branch_chain.at;
	return r->branch_chain.n;
}
