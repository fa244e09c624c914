/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report: the data of tracepoints as text.
 */
#include <pt/config/REPORT_MORE.h>
#include <pt/print_sample.h>
#include "report.h"

const char *report_trace_text(struct report *r, const struct perf_sample *s)
{
	enum { TRACEPOINT = 2 };
	struct out out;

	if (s->event->attr.type != TRACEPOINT)
		return "N/A";
	out_open(&out, -1, r->trace, sizeof(r->trace));
	if (CONFIG_REPORT_MORE && r->more.raw_trace)
		print_trace_fields(&out, &r->list.session, s);
	else
		print_trace(&out, &r->list.session, s);
	*out.at = 0;
	return r->trace;
}
