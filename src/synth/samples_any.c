/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instruction of a stretch a sample is of, if time passes only where packets say so.
 */
#include "sampler.h"

u64 samples_any(const struct samples *s)
{
	const struct step *step = s->item.step;
	u32 from = s->walk.i, part = step->first * 0x9e3779b97f4a7c15ull >> 32;

	if (!step->run || step->n <= from)
		return 1;
	return 1 + run_any(&s->session->runs, step->run, from, step->n, part) - from;
}
