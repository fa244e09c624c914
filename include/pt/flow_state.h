/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of a flow that depends on earlier trace: a digest, to compare two flows that reached
 * the same place in different ways; and resetting it, to continue at another place.
 */
#ifndef PT_FLOW_STATE_H
#define PT_FLOW_STATE_H

#include <pt/flow.h>

/* Add to the digest 'h' all state that later steps may depend on. Counters are included relative to
 * the last time or event, so that flows which began at different places can agree. 'cycles': cycle
 * counts are part of the output. Returns 0 if the state cannot be compared now. */
u64 flow_state(const struct flow *f, u64 h, bool cycles);

/* The same of what was counted since 'last', the last step that it gave. */
u64 flow_state_since(const struct flow *f, const struct step *last, u64 h, bool cycles);

/* Reset the state, and search for a PSB in 'rest', which is at offset 'off' of the trace. The
 * buffer was recorded at 'reference' (TSC). */
void flow_state_jump(struct flow *f, struct bytes rest, u64 off, u64 reference);

/* The state stays as it is, but the trace that follows is in 'rest' now, at offset 'off'. */
static inline void flow_state_move(struct flow *f, struct bytes rest, u64 off)
{
	f->in.rest = rest;
	f->in.off = off;
}

/* How far the trace is read. */
static inline u64 flow_state_place(const struct flow *f)
{
	return f->in.off;
}

/* Is that f->stop or after it, and are all results of the TNT packet used? */
static inline bool flow_state_stopped(const struct flow *f)
{
	return !f->arch.tnt_n && f->in.off >= f->stop;
}

/* How many instructions, cycles and ends of tracing there were so far. */
struct flow_totals { u64 insns, cycles; u32 breaks; };

static inline struct flow_totals flow_state_totals(const struct flow *f)
{
	return (struct flow_totals){ f->insns, f->step_cycles, f->breaks };
}

#endif
