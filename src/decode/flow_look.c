/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The current address: the run there, and an address that is no longer known.
 */
#include "flow.h"

void flow_space(struct flow *f, u64 key, u64 kernel_key)
{
	if (key == f->key && kernel_key == f->kernel_key)
		return;
	f->key = key;
	f->kernel_key = kernel_key;
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

struct run *flow_look_up(struct flow *f)
{
	u64 key = f->arch.ip >> 63 ? f->kernel_key : f->key;
	/* Code of a guest is in another address space. */
	struct run *r = runs_find(f->runs, key | (u64)f->arch.nr << 40, f->arch.mode, f->arch.ip);

	if (r->end < RUN_GAP) {
		if (f->link)
			*f->link = r;
		if (f->back && f->back != &f->no_call)
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
