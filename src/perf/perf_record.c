/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bytes of a record to its contents: fields of a sample, and bodies.
 *
 * Everything is read through a struct bytes that only shrinks. If it becomes too short, 'bad' is
 * set, and all further reads return zeros.
 *
 * Layout: linux/perf_event.h, "enum perf_event_type".
 */
#include "perf_input.h"

struct in {
	struct bytes b;
	bool bad;
};

static struct bytes take(struct in *in, u64 n)
{
	struct bytes got = bytes_first(in->b, n);

	if (n > in->b.len)
		in->bad = true;
	in->b = bytes_skip(in->b, n);
	return got;
}

static u64 take64(struct in *in)
{
	struct bytes b = take(in, 8);

	return bytes_take64(&b);
}

/* A count, followed by that many elements of 'size' bytes. */
static struct bytes take_array(struct in *in, u64 n, size_t size)
{
	return take(in, n > PERF_RECORD_BYTES ? UINT64_MAX : n * size);
}

/* Text up to its NUL, which must be there. */
static const char *take_text(struct in *in)
{
	const char *text = (const char *)in->b.at;

	if (!in->b.len || !memchr(text, 0, in->b.len)) {
		in->bad = true;
		return "";
	}
	return text;
}

static struct in body(const struct perf_record *rec)
{
	return (struct in){ bytes_skip(rec->raw, 8) };
}

/* The number of bits set; a call of libgcc would take more bytes than this. */
static u32 count(u64 bits)
{
	u32 n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* read_format bits */
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

static struct bytes take_read(struct in *in, u64 format)
{
	const u8 *start = in->b.at;
	u64 n = take64(in);

	take(in, 8 * (!!(format & READ_ENABLED) + !!(format & READ_RUNNING)));
	/* The id is always there: perf asks for it together with READ. */
	if (format & READ_GROUP)
		take_array(in, n, 16 + 8 * !!(format & READ_LOST));
	else
		take(in, 8 + 8 * !!(format & READ_LOST));
	return (struct bytes){ start, in->b.at - start };
}

static struct bytes take_regs(struct in *in, u64 *abi, u64 mask)
{
	*abi = take64(in);
	return take(in, *abi ? 8 * count(mask) : 0);
}

static void take_branches(struct in *in, struct perf_sample *s, u64 branch_type)
{
	enum { HW_INDEX = 1 << 17 };
	u64 n = take64(in);

	if (branch_type & HW_INDEX)
		s->branch_hw_idx = take64(in);
	s->branches = take_array(in, n, 24);
}

static void take_stack(struct in *in, struct perf_sample *s)
{
	s->stack_user = take(in, take64(in));
	if (s->stack_user.len)
		s->stack_user_dyn = take64(in);
}

const char perf_registers[] = "AX\0BX\0CX\0DX\0SI\0DI\0BP\0SP\0IP\0FLAGS\0CS\0SS\0DS\0ES\0FS\0GS\0"
			      "R8\0R9\0R10\0R11\0R12\0R13\0R14\0R15\0";

static bool has(u64 type, unsigned int bit)
{
	return type >> bit & 1;
}

/* A field of eight bytes: its bit and its place in the struct. pid and tid are one field, and so
 * are the CPU and the reserved word after it. */
struct word { u8 bit; u16 at; };

#define WORD(bit, field) { PERF_S_##bit, offsetof(struct perf_sample, field) }

/* In the order of a sample: up to the period, around the registers, after them. */
static const struct word first_words[] = {
	WORD(IDENTIFIER, id), WORD(IP, ip), WORD(TID, pid), WORD(TIME, time), WORD(ADDR, addr),
	WORD(ID, id), WORD(STREAM_ID, stream_id), WORD(CPU, cpu), WORD(PERIOD, period), { 0, 0 },
};
static const struct word middle_words[] = {
	WORD(WEIGHT, weight), WORD(WEIGHT_STRUCT, weight), WORD(DATA_SRC, data_src),
	WORD(TRANSACTION, transaction), { 0, 0 },
};
static const struct word last_words[] = {
	WORD(PHYS_ADDR, phys_addr), WORD(CGROUP, cgroup), WORD(DATA_PAGE_SIZE, data_page_size),
	WORD(CODE_PAGE_SIZE, code_page_size), { 0, 0 },
};
/* In the order of a trailer. */
static const struct word trailer_words[] = {
	WORD(TID, pid), WORD(TIME, time), WORD(ID, id), WORD(STREAM_ID, stream_id), WORD(CPU, cpu),
	WORD(IDENTIFIER, id), { 0, 0 },
};

static void take_words(struct in *in, struct perf_sample *s, u64 type, const struct word *w)
{
	for (; w->at; w++)
		if (has(type, w->bit))
			set64((u8 *)s + w->at, take64(in));
}

static void take_sample(struct in *in, struct perf_sample *s, const struct perf_attr *attr)
{
	u64 type = attr->sample_type;
	struct bytes size;

	take_words(in, s, type, first_words);
	if (has(type, PERF_S_READ))
		s->read = take_read(in, attr->read_format);
	if (has(type, PERF_S_CALLCHAIN))
		s->callchain = take_array(in, take64(in), 8);
	if (has(type, PERF_S_RAW)) {
		size = take(in, 4);
		s->raw = take(in, bytes_take32(&size));
	}
	if (has(type, PERF_S_BRANCH_STACK))
		take_branches(in, s, attr->branch_sample_type);
	if (has(type, PERF_S_REGS_USER))
		s->regs_user = take_regs(in, &s->abi_user, attr->regs_user);
	if (has(type, PERF_S_STACK_USER))
		take_stack(in, s);
	take_words(in, s, type, middle_words);
	if (has(type, PERF_S_REGS_INTR))
		s->regs_intr = take_regs(in, &s->abi_intr, attr->regs_intr);
	take_words(in, s, type, last_words);
	if (has(type, PERF_S_AUX))
		s->aux = take(in, take64(in));
}

static const u64 trailer_fields = 1 << PERF_S_TID | 1 << PERF_S_TIME | 1 << PERF_S_ID |
	1 << PERF_S_STREAM_ID | 1 << PERF_S_CPU | 1 << PERF_S_IDENTIFIER;

/* The trailer's bytes. */
static struct in trailer(const struct perf_record *rec, u64 type)
{
	size_t len = 8 * count(type & trailer_fields);
	struct in in = body(rec);

	in.bad = len > in.b.len;
	in.b = bytes_skip(in.b, in.bad ? in.b.len : in.b.len / 8 * 8 - len);
	return in;
}

/* The size of the fields in 'bits' that are before the one that is searched for. */
static size_t words(u64 type, u64 bits)
{
	return count(type & bits);
}

/* Find the id of a record: it is at the same place for all events. */
static const struct perf_event *find_event(const struct perf_file *f, const struct perf_record *rec)
{
	const struct perf_event *first;
	struct bytes b = bytes_skip(rec->raw, 8);
	size_t n = b.len / 8, at;
	u64 type;

	if (!f->n_events || rec->type >= PERF_HEADER_ATTR)
		return NULL;
	first = f->events[0];
	type = first->attr.sample_type;
	if (f->n_events == 1)
		return first;
	if (rec->type == PERF_SAMPLE) {
		at = has(type, PERF_S_IDENTIFIER) ? 0 :
			words(type, 1 << PERF_S_IP | 1 << PERF_S_TID | 1 << PERF_S_TIME |
				    1 << PERF_S_ADDR);
	} else {
		if (!perf_attr_flag(&first->attr, PERF_F_SAMPLE_ID_ALL))
			return first;
		at = n - 1;
		if (!has(type, PERF_S_IDENTIFIER))
			at -= words(type, 1 << PERF_S_CPU | 1 << PERF_S_STREAM_ID);
	}
	if (!has(type, PERF_S_IDENTIFIER) && !has(type, PERF_S_ID))
		return first;
	return at < n ? perf_event_by_id(f, get64(b.at + 8 * at)) : NULL;
}

bool perf_record_time(const struct perf_file *f, const struct perf_record *rec, u64 *time)
{
	const struct perf_event *event = find_event(f, rec);
	struct bytes b = bytes_skip(rec->raw, 8);
	u64 type;
	size_t at;

	if (!event || !has(event->attr.sample_type, PERF_S_TIME))
		return false;
	type = event->attr.sample_type;
	if (rec->type == PERF_SAMPLE) {
		at = words(type, 1 << PERF_S_IDENTIFIER | 1 << PERF_S_IP | 1 << PERF_S_TID);
	} else {
		if (!perf_attr_flag(&event->attr, PERF_F_SAMPLE_ID_ALL))
			return false;
		at = b.len / 8 - 1 -
		     words(type, trailer_fields & ~(1 << PERF_S_TID | 1 << PERF_S_TIME));
	}
	if (at >= b.len / 8)
		return false;
	*time = get64(b.at + 8 * at);
	return true;
}

bool perf_sample(const struct perf_file *f, const struct perf_record *rec, struct perf_sample *s)
{
	struct in in;
	u64 type;

	*s = (struct perf_sample){ .pid = -1, .tid = -1, .cpu = -1,
				    .misc = rec->misc, .type = rec->type };
	if (rec->type >= PERF_HEADER_ATTR)
		return true;
	s->event = find_event(f, rec);
	if (!s->event) {
		s->bad = true;
		return false;
	}
	type = s->event->attr.sample_type;
	s->period = s->event->attr.period;
	if (rec->type == PERF_SAMPLE) {
		in = body(rec);
		s->fields = type;
		take_sample(&in, s, &s->event->attr);
	} else {
		if (!perf_attr_flag(&s->event->attr, PERF_F_SAMPLE_ID_ALL))
			return true;
		in = trailer(rec, type);
		s->fields = type & trailer_fields;
		take_words(&in, s, type, trailer_words);
	}
	s->bad = in.bad;
	return !in.bad;
}

struct perf_members perf_members_start(const struct perf_sample *s)
{
	struct perf_members m = { .sample = *s, .n = 1 };
	u64 times;

	if (s->bad || !has(s->fields, PERF_S_READ))
		return m;
	m.counts = s->read;
	m.format = s->event->attr.read_format | READ_ID;
	times = 8 * (!!(m.format & READ_ENABLED) + !!(m.format & READ_RUNNING));
	if (m.format & READ_GROUP) {
		m.n = bytes_take64(&m.counts);
		m.counts = bytes_skip(m.counts, times);
	}
	return m;
}

/* The next count and its id. */
static u64 take_count(struct perf_members *m, u64 *id)
{
	u64 count = bytes_take64(&m->counts);

	if (!(m->format & READ_GROUP))
		m->counts = bytes_skip(m->counts, 8 * (!!(m->format & READ_ENABLED) +
						       !!(m->format & READ_RUNNING)));
	*id = bytes_take64(&m->counts);
	if (m->format & READ_LOST)
		bytes_take64(&m->counts);
	return count;
}

bool perf_members_next(const struct perf_file *f, struct perf_members *m)
{
	const struct perf_event *event;
	u64 count, *last;

	if (m->n && !m->format) {
		m->n--;
		return true;
	}
	while (m->n && m->counts.len) {
		m->n--;
		count = take_count(m, &m->sample.id);
		event = event_count(f, m->sample.id, &last);
		if (!event)
			continue;
		m->sample.event = event;
		m->sample.period = count - *last;
		*last = count;
		if (m->sample.period)
			return true;
	}
	return false;
}

/* Copy the fixed part of a body, which is the same in the struct and in the file. */
static void fill(struct in *in, void *to, size_t n)
{
	struct bytes b = take(in, n);

	memcpy(to, b.at, b.len);
}

bool perf_get_mmap(const struct perf_record *rec, struct perf_mmap *m)
{
	enum { HAS_BUILD_ID = 1 << 14 };
	struct in in = body(rec);
	struct bytes id;

	*m = (struct perf_mmap){ 0 };
	fill(&in, m, offsetof(struct perf_mmap, maj));
	if (rec->type == PERF_MMAP2) {
		id = in.b;
		fill(&in, &m->maj, 24);
		if (!in.bad && rec->misc & HAS_BUILD_ID) {
			m->build_id_size = MIN(id.at[0], 20);
			m->build_id = id.at + 4;
			m->maj = m->min = m->ino = m->ino_generation = 0;
		}
		fill(&in, &m->prot, 8);
	}
	m->name = take_text(&in);
	return !in.bad && (rec->type == PERF_MMAP || rec->type == PERF_MMAP2);
}

bool perf_get_task(const struct perf_record *rec, struct perf_task *t)
{
	struct in in = body(rec);

	fill(&in, t, sizeof(*t));
	return !in.bad && (rec->type == PERF_FORK || rec->type == PERF_EXIT);
}

bool perf_get_comm(const struct perf_record *rec, struct perf_comm *c)
{
	struct in in = body(rec);

	fill(&in, c, 8);
	c->exec = rec->misc & 1 << 13;
	c->name = take_text(&in);
	return !in.bad;
}

bool perf_get_aux(const struct perf_record *rec, struct perf_aux *a)
{
	struct in in = body(rec);

	fill(&in, a, sizeof(*a));
	return !in.bad && rec->type == PERF_AUX;
}

bool perf_get_switch(const struct perf_record *rec, struct perf_switch *s)
{
	struct in in = body(rec);

	*s = (struct perf_switch){ .pid = -1, .tid = -1 };
	s->out = rec->misc & 1 << 13;
	s->preempt = rec->misc & 1 << 14;
	s->cpu_wide = rec->type == PERF_SWITCH_CPU_WIDE;
	if (s->cpu_wide)
		fill(&in, s, 8);
	return !in.bad && (s->cpu_wide || rec->type == PERF_SWITCH);
}

bool perf_get_ksymbol(const struct perf_record *rec, struct perf_ksymbol *k)
{
	struct in in = body(rec);

	fill(&in, k, 16);
	k->name = take_text(&in);
	return !in.bad && rec->type == PERF_KSYMBOL;
}

bool perf_get_text_poke(const struct perf_record *rec, struct perf_text_poke *t)
{
	struct in in = body(rec);
	struct bytes sizes;

	t->addr = take64(&in);
	sizes = take(&in, 4);
	t->old = take(&in, bytes_take16(&sizes));
	t->new = take(&in, bytes_take16(&sizes));
	return !in.bad && rec->type == PERF_TEXT_POKE;
}

bool perf_get_auxtrace(const struct perf_record *rec, struct perf_auxtrace *a)
{
	struct in in = body(rec);

	fill(&in, a, offsetof(struct perf_auxtrace, cpu) + 4);
	return !in.bad && rec->type == PERF_AUXTRACE;
}

/* TIME_CONV repeats the contents of AUXTRACE_INFO, with additions on newer kernels. */
static bool get_time_conv(struct in *in, struct perf_pt_info *info)
{
	u64 flags;

	info->time_shift = take64(in);
	info->time_mult = take64(in);
	info->time_zero = take64(in);
	if (in->bad)
		return false;
	if (in->b.len >= 24) {
		info->time_cycles = take64(in);
		info->time_mask = take64(in);
		flags = take64(in);
		info->cap_user_time_zero = flags & 0xff;
		info->cap_user_time_short = flags >> 8 & 0xff;
	}
	return true;
}

const char *perf_foreign_trace(const struct perf_record *rec)
{
	static const char *const kinds[] = {
		[PERF_AUXTRACE_NONE] = NULL, [PERF_AUXTRACE_INTEL_PT] = NULL,
		[PERF_AUXTRACE_INTEL_BTS] = "Intel BTS", "Arm CoreSight", "Arm SPE",
		"IBM s390 CPU measurement", "HiSilicon PTT", "Power VPA DTL",
	};
	struct in in = body(rec);
	u32 kind = take64(&in);

	if (rec->type != PERF_AUXTRACE_INFO || in.bad)
		return NULL;
	return kind < N_ELEM(kinds) ? kinds[kind] : "an unknown kind";
}

bool perf_get_pt_info(const struct perf_record *rec, struct perf_pt_info *info,
		      struct arena *arena)
{
	struct in in = body(rec);
	struct bytes filter;
	u64 len;

	if (rec->type == PERF_TIME_CONV)
		return get_time_conv(&in, info);
	info->filter = "";
	info->type = take64(&in);
	if (rec->type != PERF_AUXTRACE_INFO || in.bad || info->type != PERF_AUXTRACE_INTEL_PT)
		return rec->type == PERF_AUXTRACE_INFO && !in.bad;
	info->pmu_type = take64(&in);
	info->time_shift = take64(&in);
	info->time_mult = take64(&in);
	info->time_zero = take64(&in);
	info->cap_user_time_zero = take64(&in);
	info->tsc_bit = take64(&in);
	info->noretcomp_bit = take64(&in);
	info->have_sched_switch = take64(&in);
	info->snapshot = take64(&in);
	info->per_cpu = take64(&in);
	if (in.bad)
		return false;
	info->mtc_bit = take64(&in);
	info->mtc_freq_bits = take64(&in);
	info->tsc_ctc_n = take64(&in);
	info->tsc_ctc_d = take64(&in);
	info->cyc_bit = take64(&in);
	info->max_nonturbo = take64(&in);
	len = take64(&in);
	filter = take(&in, len && len < PERF_RECORD_BYTES ? round_up(len + 1, 8) : 0);
	if (filter.len)
		info->filter = arena_strn(arena, filter.at,
					  strnlen((const char *)filter.at, filter.len));
	info->cap_event_trace = take64(&in);
	return true;
}

void perf_whose(const struct perf_record *rec, const struct perf_sample *sample, i32 *pid, i32 *tid)
{
	struct perf_mmap mmap;
	struct perf_comm comm;
	struct perf_task task;

	*pid = sample->pid;
	*tid = sample->tid;
	if ((rec->type == PERF_MMAP || rec->type == PERF_MMAP2) && perf_get_mmap(rec, &mmap)) {
		*pid = mmap.pid;
		*tid = mmap.tid;
	} else if ((rec->type == PERF_COMM || rec->type == PERF_NAMESPACES) &&
		   perf_get_comm(rec, &comm)) {	/* both begin with PID and TID */
		*pid = comm.pid;
		*tid = comm.tid;
	} else if ((rec->type == PERF_FORK || rec->type == PERF_EXIT) &&
		   perf_get_task(rec, &task)) {
		*pid = task.pid;
		*tid = task.tid;
	}
}
