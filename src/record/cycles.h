/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instructions the time between two stamps belongs to.
 *
 * A recorded program runs at several times its own time, and most of that is spent at branches. The
 * places of time packets between two stamps are therefore chosen by an estimate of what the code
 * costs when it is not recorded.
 */
#ifndef RECORD_CYCLES_H
#define RECORD_CYCLES_H

#include <pt/base.h>

struct cycles;

struct cycles *cycles_open(struct arena *a);

/* An address space. */
struct cycles_space {
	u32 id;
	/* Read code at 'ip': up to 'room' bytes; returns how many. */
	size_t (*fetch)(void *who, u64 ip, u8 *to, size_t room);
	void *who;
};

/* A thread continues at 'ip'; its next records are 'records' (see <pt/agent.h>). Choose 'n' of
 * them, with repetition, by the time of the code that ends with each. '*at' are their offsets, in
 * order. Returns false if the code is unknown. */
bool cycles_choose(struct cycles *c, const struct cycles_space *space, u64 ip,
		   struct bytes records, u32 *at, u32 n);

#endif
