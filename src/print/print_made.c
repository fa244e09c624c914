/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The texts of events that pt inject, or perf, has made of a trace: " IP: 0 payload: 0x123  ".
 */
#include <pt/made_sample.h>
#include "sample_line.h"

char *sample_put_made(char *p, const struct sample_printer *pr, const struct perf_sample *s)
{
	enum { TEXT_WIDTH = 34 };
	char *start = p;
	struct sample made;
	struct event_values values;

	if (!made_from(s, &values, &made))
		return p;
	/* The frequencies are those of the processor that was traced. */
	if (made.kind == SAMPLE_CBR)
		p = sample_put_cbr(p, made.value, made.value >> 16, made.value >> 32);
	else
		p = sample_put_text(p, pr, &made);
	return put_fill(p, ' ', TEXT_WIDTH - (p - start));
}
