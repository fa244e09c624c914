/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What AUXTRACE_INFO and the events say of a recording: its clocks, and what the decoder needs to
 * know of the PMU.
 */
#include <errno.h>

#include "session.h"

static bool is_pt_event(const struct session *s, const struct perf_event *e)
{
	return e->attr.type == s->pt.pmu_type;
}

static bool is_timeless(const struct session *s)
{
	bool timeless = true;
	u32 i;

	if (!s->pt.tsc_bit || !s->pt.cap_user_time_zero || s->options.timeless)
		return true;
	for (i = 0; i < s->file.n_events; i++) {
		const struct perf_event *e = s->file.events[i];

		if (!(e->attr.sample_type >> PERF_S_TIME & 1))
			return true;
		if (!is_pt_event(s, e))
			continue;
		if (!(e->attr.config & s->pt.tsc_bit))
			return true;
		timeless = false;
	}
	return timeless;
}

static void find_events(struct session *s)
{
	u32 i;

	for (i = 0; i < s->file.n_events; i++) {
		const struct perf_event *e = s->file.events[i];

		if (is_pt_event(s, e) && !s->pt_event)
			s->pt_event = e;
		if (e->name && !strcmp(e->name, "sched:sched_switch"))
			s->sched_event = e;
	}
	/* The offset of 'next_pid' in the sample, which is the same in every kernel. */
	s->sched_next_pid_off = 56;
}

/* config bits of the PMU */
enum { PT_PASS_THROUGH = 1 << 0, PT_BRANCH = 1 << 13, PT_CYC_THRESH_SHIFT = 19 };
#define PT_NO_TNT (1ULL << 55)

static u32 mtc_shift(const struct session *s, u64 config)
{
	u64 bits = s->pt.mtc_freq_bits;

	/* The PMU's field has four bits, whatever the file says. */
	return bits ? (config & bits) >> __builtin_ctzll(bits) & 15 : 0;
}

static void set_up_flow(struct session *s)
{
	u64 config = s->pt_event ? s->pt_event->attr.config : 0;
	struct flow_setup *f = &s->setup;

	f->clock = (struct clock_setup){ s->pt.tsc_ctc_n, s->pt.tsc_ctc_d, mtc_shift(s, config),
					 s->max_nonturbo };
	f->no_compression = s->pt.noretcomp_bit && config & s->pt.noretcomp_bit;
	f->no_branches = config & PT_PASS_THROUGH && !(config & PT_BRANCH);
	f->cyc_threshold = config & s->pt.cyc_bit && config >> PT_CYC_THRESH_SHIFT & 15;
	f->hop = s->options.quick || (!f->no_branches && config & PT_NO_TNT);
	f->leap = s->options.quick > 1;
	errata_find(s);
}

static void set_up_scale(struct session *s)
{
	u64 hz;

	s->scale = (struct timescale){ .shift = s->pt.time_shift & 63, .mult = s->pt.time_mult,
					.zero = s->pt.time_zero };
	s->timeless = is_timeless(s);
	if (s->timeless && !s->scale.mult)
		s->scale.mult = 1;
	hz = clock_ticks(&s->scale, 1000000000);
	s->max_nonturbo = s->pt.max_nonturbo;
	if (!s->max_nonturbo)
		s->max_nonturbo = (hz + 50000000) / 100000000;
	if (s->max_nonturbo)
		s->khz_per_cbr = hz / s->max_nonturbo / 1000;
}

COLD int setup_take(struct session *s, const struct perf_record *rec)
{
	if (s->have_pt || !perf_get_pt_info(rec, &s->pt, &s->arena))
		return 0;
	if (s->pt.type != PERF_AUXTRACE_INTEL_PT)
		return 0;
	s->have_pt = true;
	find_events(s);
	set_up_scale(s);
	set_up_flow(s);
	if (!s->pt.filter || !*s->pt.filter || s->options.no_decode)
		return 0;
	if (filter_parse(s, s->pt.filter))
		return -EBADMSG;
	if (s->filters)
		s->setup.leaves = filter_leave;
	return 0;
}
