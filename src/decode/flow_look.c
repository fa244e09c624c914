/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The current address: the run there, and an address that is no longer known.
 */
#include "flow.h"

COLD void flow_space(struct flow *f, const u64 key[3])
{
	if (!memcmp(f->key, key, sizeof(f->key)))
		return;
	memcpy(f->key, key, sizeof(f->key));
	flow_forget(f);
}

COLD void flow_forget(struct flow *f)
{
	u32 i;

	f->run = NULL;
	f->link = NULL;
	f->back = NULL;
	for (i = 1; i <= f->ret_n; i++)
		f->ret[(f->ret_top - i) % FLOW_RET_STACK].call = &f->no_call;
}

u64 flow_key(const struct flow *f, u64 ip)
{
	/* Code of a guest is in another address space. */
	return f->key[ip >> 63 ? 2 : area_has(&f->runs->made, ip)] | (u64)f->arch.nr << 40;
}

struct run *flow_look_up(struct flow *f)
{
	struct run *r = runs_find(f->runs, flow_key(f, f->arch.ip), f->arch.mode, f->arch.ip);

	if (r->end < RUN_GAP) {
		if (f->link && !runs_border(f->runs, run_of_link(f->link)->ip, r->ip))
			*f->link = r;
		/* A call before runs.made may end at its begin. */
		if (f->back && f->back != &f->no_call && r->ip != f->runs->made.at)
			f->back->run = r->id + 1;
	}
	f->link = NULL;
	f->back = NULL;
	return r;
}

void flow_lose_ip(struct flow *f)
{
	go(f, 0);
	f->ret_n = 0;
	f->arch.searching = true;
}
