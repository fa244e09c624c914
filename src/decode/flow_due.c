/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events that were read and wait for the instruction or the branch to which they belong.
 */
#include "flow.h"

enum { TOLD = STEP_EVT | STEP_PTW | STEP_MWAIT | STEP_PWRE | STEP_EXSTOP | STEP_BLOCK };

int flow_event_here(struct flow *f, struct step *s, u32 what)
{
	s->what = what;
	s->from = f->arch.ip;
	s->to = 0;
	return DONE;
}

static void take_cfe(struct flow *f)
{
	f->arch.pending &= ~(STEP_EVT | PENDING_CFE_IP);
	f->values.n_evd = f->evd_due;
	f->evd_due = 0;
}

/* Events that wait for a FUP happen now, without one. AGAIN if there is none. */
int flow_event_flush(struct flow *f, struct step *s)
{
	u32 what = f->arch.pending & TOLD;

	if (!what)
		return AGAIN;
	if (what & STEP_EVT)
		take_cfe(f);
	f->arch.pending &= ~(what | PENDING_TRIG);
	return flow_event_here(f, s, what);
}

/* The event of a CFE without a FUP belongs to the branch of '*s'. */
void flow_event_at_branch(struct flow *f, struct step *s)
{
	if (likely(!(f->arch.pending & STEP_EVT)))
		return;
	take_cfe(f);
	s->what |= STEP_EVT | STEP_WITH_IP;
}
