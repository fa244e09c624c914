/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report -b: each branch before a sample is an entry.
 */
#include <pt/fail.h>
#include "report.h"

int report_branches_start(struct report *r)
{
	const struct listing *l = &r->list;
	bool any = l->itrace.branch_stack || l->itrace.branch_stack_others ||
		   l->session.file.sample_types >> PERF_S_BRANCH_STACK & 1;

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
