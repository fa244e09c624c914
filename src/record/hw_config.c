/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The terms of an Intel PT event: their defaults, and whether this processor supports them.
 *
 * The bits of each term come from format/ in sysfs, the capabilities from caps/. Terms that are not
 * known here are passed on unchanged.
 */
#include <errno.h>

#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>

#include "hw.h"

static u64 cap(struct hw *h, const char *name, u64 otherwise)
{
	char path[64];
	u64 v;

	fmt_str(path, sizeof(path), "caps/%s", name);
	return event_pmu_value(&h->env, HW_PMU, path, 16, &v) ? otherwise : v;
}

u64 hw_term_bits(struct hw *h, const char *name)
{
	const struct pmu_format *f = event_pmu_format(event_pmu_find(&h->env, HW_PMU), name);

	return f && !f->word ? f->bits : 0;
}

/* The highest value in the mask that is not above 'wanted', or else the lowest. */
static int pick(u64 mask, unsigned int wanted)
{
	u64 below = mask & ((2ull << wanted) - 1);

	return below ? 63 - __builtin_clzll(below) : __builtin_ctzll(mask);
}

/* Set 'name' to 'v' unless the user has. */
static void set_default(struct hw *h, struct event_spec *spec, const char *name, u64 v)
{
	u64 bits = hw_term_bits(h, name);

	if (bits && !(spec->config_given & bits))
		spec->attr.config = (spec->attr.config & ~bits) | event_pmu_pack(bits, v);
}

void hw_config_defaults(struct hw *h, struct event_spec *spec)
{
	u64 mtc = cap(h, "mtc", 1) ? cap(h, "mtc_periods", 0) : 0;
	u64 psb = mtc && cap(h, "psb_cyc", 1) ? cap(h, "psb_periods", 0) : 0;

	set_default(h, spec, "tsc", 1);
	if (mtc) {
		set_default(h, spec, "mtc", 1);
		set_default(h, spec, "mtc_period", pick(mtc, 3));
	}
	if (psb)
		set_default(h, spec, "psb_period", h->r->mode == RECORD_SAMPLE ? 0 : pick(psb, 3));
	if (hw_term_bits(h, "pt") && hw_term_bits(h, "branch")) {
		set_default(h, spec, "pt", 1);
		set_default(h, spec, "branch", 1);
	}
	record_say(h->r, 2, "intel_pt config: %#llx", spec->attr.config);
}

/* Write the values of a mask: "0,3,6,9" or "0-5". */
static void put_values(char *to, size_t size, u64 mask)
{
	unsigned int from, last, len = 0;

	*to = 0;
	for (from = 0; from < 64 && len < size; from = last + 1) {
		last = from;
		if (!(mask >> from & 1))
			continue;
		while (last < 63 && mask >> (last + 1) & 1)
			last++;
		len += fmt_str(to + len, size - len, len ? ",%u" : "%u", from);
		if (last > from && len < size)
			len += fmt_str(to + len, size - len, last > from + 1 ? "-%u" : ",%u", last);
	}
}

/* Terms with a list of values, and the capability that they need. */
static const struct { const char *term, *values, *needs; } listed[] = {
	{ "cyc_thresh", "cycle_thresholds", "psb_cyc" },
	{ "mtc_period", "mtc_periods", "mtc" },
	{ "psb_period", "psb_periods", "psb_cyc" },
};

static int check_values(struct hw *h, u64 config)
{
	char values[200];
	size_t i;

	for (i = 0; i < N_ELEM(listed); i++) {
		u64 mask = cap(h, listed[i].needs, 1) ? cap(h, listed[i].values, 0) | 1 : 1;
		u64 v = event_pmu_unpack(hw_term_bits(h, listed[i].term), config);

		if (v < 64 && mask >> v & 1)
			continue;
		put_values(values, sizeof(values), mask);
		record_say(h->r, 0, "Invalid %s for " HW_PMU ". Valid values are: %s",
			   listed[i].term, values);
		return -EINVAL;
	}
	return 0;
}

/* Terms that are on or off, and the capability that they need. */
static const struct { const char *term, *needs; } switches[] = {
	{ "cyc", "psb_cyc" }, { "mtc", "mtc" }, { "ptw", "ptwrite" }, { "fup_on_ptw", "ptwrite" },
	{ "pwr_evt", "power_event_trace" }, { "event", "event_trace" }, { "notnt", "tnt_disable" },
};

static int check_switches(struct hw *h, u64 config)
{
	size_t i;

	for (i = 0; i < N_ELEM(switches); i++) {
		if (!(config & hw_term_bits(h, switches[i].term)) || cap(h, switches[i].needs, 1))
			continue;
		record_say(h->r, 0, "this processor's Intel PT has no '%s' (caps/%s is 0)",
			   switches[i].term, switches[i].needs);
		return -EINVAL;
	}
	return 0;
}

int hw_config_check(struct hw *h, struct event_spec *spec)
{
	u64 pt = hw_term_bits(h, "pt");
	int err;

	if (pt && !(spec->attr.config & pt)) {
		record_say(h->r, 0, "pt=0 makes no sense: pt=1 is used");
		spec->attr.config |= pt;
	}
	err = check_values(h, spec->attr.config);
	if (!err)
		err = check_switches(h, spec->attr.config);
	if (!err && spec->attr.config & hw_term_bits(h, "fup_on_ptw") &&
	    !(spec->attr.config & hw_term_bits(h, "ptw"))) {
		record_say(h->r, 0, "fup_on_ptw needs ptw: intel_pt/ptw,fup_on_ptw/");
		err = -EINVAL;
	}
	return err;
}

u64 hw_psb_bytes(struct hw *h, const struct event_spec *spec)
{
	if (!cap(h, "psb_cyc", 0))
		return 0;
	return 2048ull << event_pmu_unpack(hw_term_bits(h, "psb_period"), spec->attr.config);
}

void hw_fill_info(struct hw *h)
{
	struct perf_pt_info *info = &h->info;
	char *ratio;
	u64 v, d;

	info->type = PERF_AUXTRACE_INTEL_PT;
	info->pmu_type = h->events[0].spec.attr.type;
	info->tsc_bit = hw_term_bits(h, "tsc");
	info->noretcomp_bit = hw_term_bits(h, "noretcomp");
	info->mtc_bit = hw_term_bits(h, "mtc");
	info->mtc_freq_bits = hw_term_bits(h, "mtc_period");
	info->cyc_bit = hw_term_bits(h, "cyc");
	info->have_sched_switch = h->have_switches;
	info->snapshot = h->r->mode == RECORD_SNAPSHOT;
	info->per_cpu = !h->per_thread;
	info->filter = h->filter;
	info->cap_event_trace = cap(h, "event_trace", 0);
	if (!event_pmu_value(&h->env, HW_PMU, "max_nonturbo_ratio", 10, &v))
		info->max_nonturbo = v;
	host_tsc_ratio(&info->tsc_ctc_n, &info->tsc_ctc_d);
	if (!event_pmu_text(&h->env, HW_PMU, "tsc_art_ratio", &ratio)) {
		const char *at = num_read(ratio, 10, &v);

		if (at && *at == ':' && num_read(at + 1, 10, &d) && v && d) {
			info->tsc_ctc_n = v;
			info->tsc_ctc_d = d;
		}
	}
}
