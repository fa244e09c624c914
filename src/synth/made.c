/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kinds of samples to events, with the attributes that perf inject would write.
 */
#include <pt/config/CYCLE_SAMPLES.h>
#include <pt/made.h>

static const char *const names[N_SAMPLE_KINDS] = {
	[SAMPLE_TX] = "transactions", [SAMPLE_PTW] = "ptwrite", [SAMPLE_CBR] = "cbr",
	[SAMPLE_PSB] = "psb", [SAMPLE_MWAIT] = "mwait", [SAMPLE_PWRE] = "pwre",
	[SAMPLE_EXSTOP] = "exstop", [SAMPLE_PWRX] = "pwrx", [SAMPLE_EVT] = "evt",
	[SAMPLE_IFLAG] = "iflag",
};

bool made_is(const struct session *s, const struct itrace *it, u32 kind)
{
	enum { PT_PWR_EVT = 1 << 4 };
	u64 config = s->pt_event ? s->pt_event->attr.config : ~0ULL;

	switch (kind) {
	case SAMPLE_BRANCH: return it->branches;
	case SAMPLE_INSN: return it->instructions && !(CONFIG_CYCLE_SAMPLES && it->only_cycles);
	case SAMPLE_CYCLES: return CONFIG_CYCLE_SAMPLES && it->cycles;
	case SAMPLE_TX: return it->transactions;
	case SAMPLE_PTW: return it->ptwrites;
	case SAMPLE_CBR:
	case SAMPLE_PSB: return it->power;
	case SAMPLE_EVT: return it->interrupts && config >> 31 & 1;
	case SAMPLE_IFLAG: return it->interrupts && s->pt.cap_event_trace;
	}
	return it->power && config & PT_PWR_EVT;
}

struct perf_attr made_attr(const struct session *s, u32 kind)
{
	const u64 kept = 1 << PERF_S_IP | 1 << PERF_S_TID | 1 << PERF_S_TIME | 1 << PERF_S_ADDR |
			 1 << PERF_S_ID | 1 << PERF_S_STREAM_ID | 1 << PERF_S_CPU |
			 1 << PERF_S_PERIOD | 1 << PERF_S_IDENTIFIER;
	enum { INSTRUCTIONS = 1, BRANCHES = 4 };
	struct perf_attr attr = { 0 };

	if (s->pt_event)
		attr = s->pt_event->attr;
	else
		attr.flags = 1ULL << PERF_F_EXCLUDE_GUEST;
	attr.type = kind <= SAMPLE_TX ? 0 : 0x80000000u;
	attr.config = kind == SAMPLE_BRANCH ? BRANCHES : INSTRUCTIONS;
	if (CONFIG_CYCLE_SAMPLES && kind == SAMPLE_CYCLES)
		attr.config = 0;
	attr.sample_type = (attr.sample_type & kept) | 1 << PERF_S_IP | 1 << PERF_S_TID |
			   1 << PERF_S_PERIOD;
	if (!s->source->threads)
		attr.sample_type &= ~(1ULL << PERF_S_TID);
	if (kind == SAMPLE_BRANCH)
		attr.sample_type |= 1 << PERF_S_ADDR;
	attr.sample_type &= ~(1ULL << PERF_S_TIME);
	if (session_has_time(s))
		attr.sample_type |= 1 << PERF_S_TIME;
	if (!s->pt.per_cpu)
		attr.sample_type &= ~(1ULL << PERF_S_CPU);
	return attr;
}

const char *made_name(struct session *s, u32 kind)
{
	struct perf_attr attr;

	if (names[kind])
		return names[kind];
	attr = made_attr(s, kind);
	return perf_event_name(&s->arena, &attr);
}

/* The time of a sample is one period; if it seems to be more, the thread waited for a CPU. Only
 * single steps take several periods for a few instructions. */
u64 made_weight(const struct session *s, const struct sample *made)
{
	enum { FEW = 64 };

	if (!made->periods || s->pt.pmu_type != PERF_SOFT_PMU)
		return made->period;
	return made->period < FEW ? MIN(made->periods, made->period) : 1;
}
