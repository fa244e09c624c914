/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a flow has learned of the past: to compare two that came to the same
 * place on different ways, and to leave all that behind.
 */
#ifndef PT_FLOW_STATE_H
#define PT_FLOW_STATE_H

#include <pt/flow.h>

/* 'h' with all of the flow's state that what follows may depend on. Counters are
 * taken as what they are more than at the last time or event, so that those who began
 * elsewhere agree; 'cycles' says that cycles matter at all. 0 if no two should be said
 * to agree: something is under way. */
u64 flow_state(const struct flow *f, u64 h, bool cycles);

/* Forget where it was, and look for a PSB in 'rest', which is at 'off' of the trace. */
void flow_state_jump(struct flow *f, struct bytes rest, u64 off);

#endif
