/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instruction a sample is of, if time passes only where packets say so.
 */
#include "sampler.h"

/* The longest distance: some hundred instructions, so that a loop is passed more than once. */
enum { AHEAD = 1024 };

u64 samples_ahead(const struct samples *s, u64 period)
{
	u32 from = s->walk.i, any = s->item.step->first * 0x9e3779b97f4a7c15ull >> 32, at;
	const struct step *step = s->item.step;
	struct sampler *q = s->now;

	if (!step->run)
		return 1;
	if (!q->ahead) {
		q->ahead = 1 + any % AHEAD;
		q->ahead_since = period;
	} else if (period != q->ahead_since) {
		q->ahead = 0;
		return 1;
	}
	at = run_ahead(&s->session->runs, step->run, from, step->n, &q->ahead);
	return at ? at - from : step->n + 2;
}
