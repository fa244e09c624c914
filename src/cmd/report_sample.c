/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report: count one sample, with its place and its call chain.
 */
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/REPORT_MORE.h>
#include "report.h"

/* May there be call chains, as far as is known before the first sample? */
static bool has_chains(const struct report *r)
{
	const struct session *s = &r->list.session;
	const struct itrace *it = &r->list.itrace;

	if (s->file.sample_types >> PERF_S_CALLCHAIN & 1)
		return true;
	return (it->callchain || it->callchain_others) &&
	       (r->itrace_set || session_may_trace(s));
}

static void start(struct report *r)
{
	struct hist_style *hist = &r->style.hist;

	r->started = true;
	r->has_chains = has_chains(r);
	hist->chains = !r->no_chains && (r->has_chains || r->list.itrace.callchain ||
					 (CONFIG_BRANCH_HISTORY && r->past));
	if (r->has_chains || !hist->children)
		return;
	hist->children = r->style.self = false;
	report_no_children(r);
}

struct frame report_place(struct report *r, const struct thread *t, u64 ip)
{
	struct session *s = &r->list.session;
	const struct space *space = session_space_at(s, t, ip);
	struct frame frame = { .ip = ip };
	struct place *place;
	u32 id;

	if (!space)
		return frame;
	id = space_id(space, ip);
	place = &r->places[((ip ^ (u64)id << 40) * 0x9e3779b97f4a7c15) >> 52];
	if (place->frame.map && place->space == id && place->frame.ip == ip)
		return place->frame;
	frame.map = session_map_at(s, t, ip);
	frame.sym = session_symbol_at(s, frame.map, ip);
	if (CONFIG_REPORT_MORE && r->style.hist.key)
		frame.line = report_more_line(r, &frame);
	*place = (struct place){ id, frame };
	return frame;
}

u32 report_cut_chain(struct report *r, u32 n)
{
	u32 most = r->max_stack;

	if (r->no_frames)
		return 0;
	if (!most || n <= most)
		return n;
	if (r->style.hist.caller)
		memmove(r->ips, r->ips + n - most, most * sizeof(*r->ips));
	return most;
}

struct hist_entry *report_sample(struct report *r, struct hist *h, struct hist_sample *s, u64 ip,
				 u32 n_chain, bool wanted)
{
	static const struct thread unknown = { .pid = -1, .tid = -1, .comm = ":-1" };
	struct session *session = &r->list.session;
	const struct thread *t = s->thread;
	const u64 *ips = CONFIG_BRANCH_HISTORY && s->branches ? r->branch_chain.ips : r->ips;
	bool chains;

	if (!r->started)
		start(r);
	h->arena = &session->arena;
	h->style = &r->style.hist;
	s->thread = t ? t : &unknown;
	s->at = report_place(r, t, ip);
	if (s->at.map && !(CONFIG_BRANCH_STACKS && r->style.branches))
		s->at.ip = map_addr(&session->images, s->at.map, ip);
	s->chain = r->chain;
	/* --children needs the chain even if chains are not printed. */
	chains = h->style->chains || h->style->children || (CONFIG_REPORT_MORE && r->more.chains);
	for (; chains && s->n < n_chain; s->n++)
		r->chain[s->n] = report_place(r, t, ips[s->n]);
	if (CONFIG_REPORT_MORE) {
		r->more.keys.ip = ip;
		if (!report_more_sample(r, s, &wanted))
			return NULL;
	}
	return hist_add(h, s, wanted);
}
