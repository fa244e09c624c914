/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Made samples to samples of a file, and back.
 *
 * What only pt knows of an event (the value of a PTWRITE, the frequency) is in the field 'raw', in
 * the format of perf's events of type 80000000h: one word of flags, then 64-bit values.
 */
#include <pt/made_sample.h>

enum { SYNTH = 0x80000000u };

/* Numbers of those events: perf_event_attr.config. */
static const u8 numbers[N_SAMPLE_KINDS] = {
	[SAMPLE_PTW] = 0, [SAMPLE_MWAIT] = 1, [SAMPLE_PWRE] = 2, [SAMPLE_EXSTOP] = 3,
	[SAMPLE_PWRX] = 4, [SAMPLE_CBR] = 5, [SAMPLE_PSB] = 6, [SAMPLE_EVT] = 7,
	[SAMPLE_IFLAG] = 8,
};

/* Samples of these have a period. */
static bool is_counted(u32 kind)
{
	return kind == SAMPLE_BRANCH || kind == SAMPLE_INSN || kind == SAMPLE_CYCLES;
}

static u64 period_of(const struct session *s, const struct itrace *it, u32 kind)
{
	if (kind != SAMPLE_INSN && kind != SAMPLE_CYCLES)
		return 1;
	return it->unit == ITRACE_NS ? clock_ticks(&s->scale, it->period) : it->period;
}

struct perf_attr made_file_attr(const struct session *s, const struct itrace *it, u32 kind)
{
	const u64 flags = 1ULL << PERF_F_EXCLUDE_USER | 1ULL << PERF_F_EXCLUDE_KERNEL |
			  1ULL << PERF_F_EXCLUDE_HV | 1ULL << PERF_F_EXCLUDE_HOST |
			  1ULL << PERF_F_EXCLUDE_GUEST | 1ULL << PERF_F_SAMPLE_ID_ALL;
	enum { HW_INDEX = 1 << 17 };
	struct perf_attr known = made_attr(s, kind);
	struct perf_attr attr = {
		.type = known.type, .config = known.config, .sample_type = known.sample_type,
		.read_format = known.read_format, .flags = known.flags & flags,
		.period = period_of(s, it, kind),
	};

	if (attr.type == SYNTH) {
		attr.config = numbers[kind];
		attr.sample_type |= 1ULL << PERF_S_RAW;
	}
	if (!is_counted(kind))
		attr.sample_type &= ~(1ULL << PERF_S_PERIOD);
	if (kind == SAMPLE_BRANCH)
		return attr;
	if (it->callchain)
		attr.sample_type |= 1ULL << PERF_S_CALLCHAIN;
	if (it->branch_stack) {
		attr.sample_type |= 1ULL << PERF_S_BRANCH_STACK;
		attr.branch_sample_type |= HW_INDEX;
	}
	return attr;
}

/* The words of 'raw': returns how many bytes. */
static size_t put_raw(const struct session *s, const struct sample *from, struct made_room *room)
{
	const struct event_values *values = from->values;
	u8 *bytes = room->raw.bytes;
	u32 cbr = from->value & 0xff, i;

	room->raw.word = 0;
	set64(bytes, from->value);
	switch (from->kind) {
	case SAMPLE_PTW:
		room->raw.word = from->with_ip;
		break;
	case SAMPLE_EXSTOP:
		room->raw.word = from->with_ip;
		return 4;
	case SAMPLE_CBR:
		room->raw.word = (from->value & 0xffff) | s->max_nonturbo << 16;
		set64(bytes, cbr * s->khz_per_cbr);
		break;
	case SAMPLE_EVT:
		room->raw.word = (values->cfe_type & 31) | (u32)from->with_ip << 7 |
				 (u32)values->cfe_vector << 8 | (u32)values->n_evd << 16;
		for (i = 0; i < values->n_evd; i++) {
			set64(bytes + 16 * i, values->evd[i].type);
			set64(bytes + 16 * i + 8, values->evd[i].payload);
		}
		return 4 + 16 * values->n_evd;
	case SAMPLE_IFLAG:
		room->raw.word = (from->value & 1) | (u32)from->via_branch << 1;
		set64(bytes, from->via_branch ? from->addr : 0);
		break;
	}
	return 12;
}

u16 made_sample(const struct session *s, const struct sample *from, const u64 *chain, u32 n_chain,
		struct made_room *room, struct perf_sample *to)
{
	enum { KERNEL = 1, USER, GUEST_KERNEL = 4, GUEST_USER };
	bool kernel = (from->ip ? from->ip : from->addr) >> 63;
	bool guest = from->thread && from->thread->guest;

	*to = (struct perf_sample){
		.ip = from->ip, .addr = from->addr, .time = from->time, .pid = from->pid,
		.tid = from->tid, .cpu = from->cpu, .branches = from->branches,
		.period = is_counted(from->kind) ? made_weight(s, from) : 1,
		.branch_hw_idx = -1,
		.callchain = calls_mark(chain, n_chain, room->chain),
	};
	if (from->kind > SAMPLE_TX)
		to->raw = (struct bytes){ (const u8 *)&room->raw, put_raw(s, from, room) };
	if (guest)
		return kernel ? GUEST_KERNEL : GUEST_USER;
	return kernel ? KERNEL : USER;
}

static u32 kind_of(const struct perf_sample *from)
{
	u32 kind;

	for (kind = SAMPLE_TX + 1; kind < N_SAMPLE_KINDS; kind++)
		if (numbers[kind] == from->event->attr.config)
			return kind;
	return N_SAMPLE_KINDS;
}

static void take_evt(struct bytes raw, struct event_values *values)
{
	u32 word = get32(raw.at), i;

	values->cfe_type = word & 31;
	values->cfe_vector = word >> 8;
	values->n_evd = MIN(word >> 16, (u32)FLOW_MAX_EVD);
	raw = bytes_skip(raw, 4);
	for (i = 0; i < values->n_evd; i++) {
		if (raw.len < 16) {
			values->n_evd = i;
			return;
		}
		values->evd[i] = (struct evd){ get64(raw.at), get64(raw.at + 8) };
		raw = bytes_skip(raw, 16);
	}
}

bool made_from(const struct perf_sample *from, struct event_values *values, struct sample *to)
{
	struct bytes raw = from->raw;
	u32 kind = kind_of(from);

	if (from->event->attr.type != SYNTH || kind == N_SAMPLE_KINDS || raw.len < 4 ||
	    (raw.len < 12 && kind != SAMPLE_EXSTOP && kind != SAMPLE_EVT))
		return false;
	*to = (struct sample){ .kind = kind, .values = values, .with_ip = get32(raw.at) & 1 };
	if (raw.len >= 12)
		to->value = get64(raw.at + 4);
	switch (kind) {
	case SAMPLE_CBR:
		to->value = get64(raw.at);
		break;
	case SAMPLE_EVT:
		to->with_ip = get32(raw.at) >> 7 & 1;
		take_evt(raw, values);
		break;
	case SAMPLE_IFLAG:
		to->value = get32(raw.at) & 1;
		to->via_branch = get32(raw.at) >> 1 & 1;
	}
	return true;
}
