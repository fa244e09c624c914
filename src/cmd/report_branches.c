/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report -b: each branch before a sample is an entry. --branch-history: they are its call chain.
 */
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/fail.h>
#include "report.h"

int report_branches_start(struct report *r)
{
	const struct listing *l = &r->list;
	bool any = l->itrace.branch_stack || l->itrace.branch_stack_others ||
		   l->session.file.sample_types >> PERF_S_BRANCH_STACK & 1;

	if (CONFIG_BRANCH_HISTORY && r->history) {
		r->past = r->style.counts = any;
		r->style.hist.key = CHAIN_BY_ADDRESS;
		if (!r->sort)
			r->sort = "srcline,symbol,dso";
		return 0;
	}
	r->past &= any;
	if ((r->branches == BRANCHES_ASKED || r->total_cycles) && !any)
		return fail(0, "%s: %s has no branch stacks; use --itrace=il, or record with -b",
			    r->total_cycles ? "--total-cycles" : "-b", l->path);
	r->style.branches = any && (r->branches != BRANCHES_NONE || r->total_cycles);
	if (!r->style.branches)
		return 0;
	if (r->total_cycles)
		r->sort = NULL;
	r->style.hist.children = false;
	r->no_chains = true;
	return 0;
}

/* Are all branches recorded? Else what runs from the target of one to the next one is no block. */
static bool all_branches(const struct perf_file *f)
{
	enum { ANY = 8 };
	u64 types = 0;
	u32 i;

	for (i = 0; i < f->n_events; i++)
		types |= f->events[i]->attr.branch_sample_type;
	return types & ANY;
}

static u64 cycles_at(struct bytes b)
{
	return get64(b.at + 16) >> 4 & 0xffff;
}

/* The block that ends with the first branch of 'b', the newest; the next one is before it. */
static void add_block(struct report *r, const struct thread *t, struct bytes b, bool whole)
{
	struct images *im = &r->list.session.images;
	struct frame from = report_place(r, t, get64(b.at)), start;

	r->blocks.cycles += cycles_at(b);
	whole = whole && b.len >= 2 * BRANCH_SIZE;
	if (whole)
		start = report_place(r, t, get64(b.at + BRANCH_SIZE + 8));
	if (from.sym && (!whole || start.map))
		branch_blocks_add(&r->blocks, &from, map_addr(im, from.map, from.ip),
				  whole ? &start : NULL,
				  whole ? map_addr(im, start.map, start.ip) : 0, cycles_at(b));
}

static void add_blocks(struct report *r, const struct thread *t, struct bytes b)
{
	bool whole = all_branches(&r->list.session.file);

	/* If the newest branch has no cycles, none has. */
	if (b.len < BRANCH_SIZE || !cycles_at(b))
		return;
	r->blocks.arena = &r->list.session.arena;
	for (; b.len >= BRANCH_SIZE; b = bytes_skip(b, BRANCH_SIZE))
		add_block(r, t, b, whole);
}

void report_branches(struct report *r, struct hist *h, const struct hist_sample *s,
		     struct bytes b, bool wanted)
{
	struct hist_keys *k = &r->more.keys;

	if (CONFIG_BRANCH_HISTORY && r->total_cycles && wanted)
		add_blocks(r, s->thread, b);
	for (; b.len >= BRANCH_SIZE; b = bytes_skip(b, BRANCH_SIZE)) {
		struct hist_sample one = *s;
		u64 to = get64(b.at + 8);

		k->branch.from = report_place(r, s->thread, get64(b.at));
		k->branch.to = report_place(r, s->thread, to);
		k->branch.flags = get64(b.at + 16);
		if (CONFIG_BRANCH_HISTORY && wanted)
			branch_types_add(&r->branch_types, get64(b.at), to, k->branch.flags);
		one.period = 1;
		one.kernel = to >> 63;
		report_sample(r, h, &one, to, 0, wanted);
	}
}

void report_blocks(struct report *r, struct hist *h, const char *name)
{
	branch_blocks_sort(&r->blocks, h);
	if (!r->style.no_heads)
		print_report_title(r->out, h, &r->style, name);
	print_branch_blocks(r->out, &r->blocks, &r->more.keys, &r->style);
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
