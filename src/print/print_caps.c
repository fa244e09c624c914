/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Capabilities of intel_pt and terms of any PMU, in words.
 * Manual: SDM volume 3, "Intel Processor Trace", "Enumeration".
 */
#include <pt/num.h>
#include <pt/print_caps.h>

static const struct cap {
	const char *name, *what;
	const char *values;	/* the file with the mask of values that 'term' takes */
	const char *term;
} caps[] = {
	{ "psb_cyc", "cycle counts; PSBs more or less often", "psb_periods", "psb_period" },
	{ "cycle_thresholds", "cycle counts farther apart", "cycle_thresholds", "cyc_thresh" },
	{ "mtc", "time between TSC packets", "mtc_periods", "mtc_period" },
	{ "ip_filtering", "--filter: only some addresses" },
	{ "num_address_ranges", "address ranges for --filter" },
	{ "cr3_filtering", "only one address space" },
	{ "ptwrite", "values written by the PTWRITE instruction" },
	{ "power_event_trace", "C-states and their ends" },
	{ "event_trace", "interrupts and other events, with their vectors" },
	{ "tnt_disable", "notnt: no conditional branches" },
	{ "topa_output", "buffers of several pieces" },
	{ "topa_multiple_entries", "pieces of different sizes" },
	{ "single_range_output", "buffers of one piece" },
	{ "output_subsys", "output to a debug port" },
	{ "payloads_lip", "addresses are linear: with the base of CS" },
};

void print_caps_values(char *to, size_t size, u64 mask)
{
	size_t len = 0;
	int i;

	*to = 0;
	for (i = 0; i < 64 && len < size; i++)
		if (mask >> i & 1)
			len += fmt_str(to + len, size - len, len ? ",%d" : "%d", i);
}

static void print_cap(struct out *o, struct event_env *env, const struct cap *cap)
{
	char path[64], values[160];
	u64 v, mask;

	fmt_str(path, sizeof(path), "caps/%s", cap->name);
	if (event_pmu_value(env, "intel_pt", path, 16, &v))
		return;
	out_fmt(o, "  %-3s %-22s %s", v ? "yes" : "no", cap->name, cap->what);
	if (v > 1 && !cap->values)
		out_fmt(o, ": %llu", v);
	fmt_str(path, sizeof(path), "caps/%s", cap->values ? cap->values : "");
	if (v && cap->values && !event_pmu_value(env, "intel_pt", path, 16, &mask) && mask) {
		print_caps_values(values, sizeof(values), mask);
		out_fmt(o, ":\n      %s=%s", cap->term, values);
	}
	out_newline(o);
}

void print_caps(struct out *o, struct event_env *env)
{
	u64 type;
	size_t i;

	if (event_pmu_value(env, "intel_pt", "type", 10, &type))
		return;
	for (i = 0; i < N_ELEM(caps); i++)
		print_cap(o, env, &caps[i]);
}

/* "umask=0-0xff" */
static int term_text(char *to, size_t size, const struct pmu_format *f)
{
	int width = num_ones(f->bits);

	if (width == 1)
		return fmt_str(to, size, "%s", f->name);
	return fmt_str(to, size, width > 6 ? "%s=0-%#llx" : "%s=0-%llu", f->name,
		       width < 64 ? (1ull << width) - 1 : ~0ull);
}

void print_caps_terms(struct out *o, const struct event_pmu *pmu)
{
	enum { WIDTH = 79, INDENT = 4 };
	char term[96];
	int column = WIDTH + 1, len;
	u32 i;

	for (i = 0; i < pmu->n_formats; i++) {
		len = term_text(term, sizeof(term), &pmu->formats[i]);
		if (column + 1 + len > WIDTH) {
			out_str(o, i ? "\n    " : "    ");
			column = INDENT;
		} else {
			out_char(o, ' ');
			column++;
		}
		out_name(o, term);
		column += len;
	}
	if (i)
		out_newline(o);
}
