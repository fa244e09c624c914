/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One event of a recording: how often it is sampled, when it starts, and whether children inherit
 * it.
 */
#include <pt/config/RECORD_MORE.h>
#include <pt/textfile.h>

#include "hw.h"

enum { FREQ_DEFAULT = 4000 };

#define FLAG(name) (1ull << PERF_F_##name)

struct hw_event *hw_add(struct hw *h, const struct event_spec *spec, enum hw_role role)
{
	struct hw_event *e = &h->events[h->n_events++];

	e->spec = *spec;
	e->role = role;
	e->group = -1;
	return e;
}

/* Limit a frequency to perf_event_max_sample_rate. */
u64 hw_limit_freq(struct hw *h, u64 freq)
{
	u64 most;

	if (textfile_value("/proc/sys/kernel/perf_event_max_sample_rate", 10, &most) ||
	    freq <= most)
		return freq;
	if (!CONFIG_RECORD_MORE || (freq != RECORD_FREQ_MAX && !h->r->samples.strict_freq))
		record_say(h->r, 0, "-F %llu is more than perf_event_max_sample_rate: using %llu",
			   freq, most);
	return most;
}

void hw_set_period(struct hw *h, struct hw_event *e)
{
	struct perf_attr *attr = &e->spec.attr;
	bool each = attr->type == EVENT_TRACEPOINT || attr->type == EVENT_BREAKPOINT ||
		    (CONFIG_RECORD_MORE && hw_is_software(attr, SW_BPF_OUTPUT));

	attr->period = 1;
	if (e->role != HW_SAMPLED)
		return;
	if (e->spec.given & EVENT_GIVEN_PERIOD) {
		attr->period = e->spec.period;
	} else if (h->r->count) {
		attr->period = h->r->count;
	} else if (e->spec.given & EVENT_GIVEN_FREQ || h->r->freq || !each) {
		u64 freq = e->spec.given & EVENT_GIVEN_FREQ ? e->spec.freq : h->r->freq;

		attr->period = hw_limit_freq(h, freq ? freq : FREQ_DEFAULT);
		attr->flags |= FLAG(FREQ);
	}
}

void hw_set_flags(struct hw *h, struct hw_event *e)
{
	struct perf_attr *attr = &e->spec.attr;
	bool inherit = !(h->on_cpus && h->traces) && !h->per_thread && !h->r->no_inherit;
	bool waits = h->r->delay_ms && e->role != HW_TRACKING;

	if (e->spec.given & EVENT_GIVEN_INHERIT)
		inherit = e->spec.inherit && !h->per_thread;
	attr->flags |= FLAG(SAMPLE_ID_ALL);
	if (inherit && !e->wide)
		attr->flags |= FLAG(INHERIT);
	if (!e->now && e->group < 0)
		attr->flags |= FLAG(DISABLED);
	if (!e->now && e->group < 0 && h->workload && !waits)
		attr->flags |= FLAG(ENABLE_ON_EXEC);
	attr->flags &= ~h->missing;
}
