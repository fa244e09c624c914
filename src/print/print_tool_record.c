/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the perf tool to text: what a dump says behind their names. Those
 * that perf prints nothing for, not even a line end, are not here.
 */
#include <pt/out.h>
#include <pt/print_record.h>

static void print_text(struct out *out, const char *what, struct bytes b)
{
	out_str(out, what);
	if (b.len && memchr(b.at, 0, b.len))
		out_name(out, (const char *)b.at);
	out_newline(out);
}

/* CPUs as they come, printed as "0-3,6". */
struct ranges {
	struct out *out;
	i32 first, last;
	bool any, printed;
};

static void end_range(struct ranges *r)
{
	if (!r->any)
		return;
	out_fmt(r->out, "%s%d", r->printed ? "," : "", r->first);
	if (r->last != r->first)
		out_fmt(r->out, "-%d", r->last);
	r->printed = true;
}

static void add_cpu(struct ranges *r, i32 cpu)
{
	if (!r->any || cpu != r->last + 1) {
		end_range(r);
		r->first = cpu;
		r->any = true;
	}
	r->last = cpu;
}

static void add_mask(struct ranges *r, struct bytes b)
{
	u32 n = bytes_take16(&b), size = bytes_take16(&b), i, bit;
	u64 word;

	if (size != 4)
		b = bytes_skip(b, 4);
	for (i = 0; i < n && b.len; i++) {
		word = size == 4 ? bytes_take32(&b) : bytes_take64(&b);
		for (bit = 0; bit < 64; bit++)
			if (word >> bit & 1)
				add_cpu(r, i * size * 8 + bit);
	}
}

static void print_cpus(struct out *out, struct bytes b)
{
	enum { LIST, MASK, RANGE };
	struct ranges r = { out };
	u32 kind = bytes_take16(&b), n, cpu;

	switch (kind) {
	case LIST:
		for (n = bytes_take16(&b); n && b.len >= 2; n--)
			add_cpu(&r, (i16)bytes_take16(&b));
		break;
	case MASK:
		add_mask(&r, b);
		break;
	case RANGE:
		if (bytes_take16(&b) & 0xff)
			add_cpu(&r, -1);
		cpu = bytes_take16(&b);
		for (n = bytes_take16(&b); cpu <= n; cpu++)
			add_cpu(&r, cpu);
		break;
	default:
		out_str(out, "failed to get cpumap from event\n");
		return;
	}
	end_range(&r);
	out_newline(out);
}

static void print_threads(struct out *out, struct bytes b)
{
	u64 n = bytes_take64(&b), i;

	n = MIN(n, b.len / 24);
	out_fmt(out, " nr: %d thread%s: ", (int)n, n > 1 ? "s" : "");
	for (i = 0; i < n; i++, b = bytes_skip(b, 24))
		out_fmt(out, "%s%d", i ? ", " : "", get32(b.at));
	out_newline(out);
}

static void print_id_index(struct out *out, struct bytes b)
{
	u64 n = bytes_take64(&b), i, id, idx, cpu;
	struct bytes guest = { 0 };

	n = MIN(n, b.len / 32);
	if (b.len / 48 >= n)
		guest = bytes_skip(b, 32 * n);
	out_fmt(out, " nr: %llu\n", n);
	for (i = 0; i < n; i++) {
		id = bytes_take64(&b);
		idx = bytes_take64(&b);
		cpu = bytes_take64(&b);
		out_fmt(out, " ... id: %llu  idx: %llu  cpu: %lld  tid: %lld", id, idx, cpu,
			bytes_take64(&b));
		if (guest.len) {
			id = bytes_take64(&guest);
			out_fmt(out, "  machine_pid: %lld  vcpu: %llu", id, bytes_take64(&guest));
		}
		out_newline(out);
	}
}

/* The words of AUXTRACE_INFO for intel_pt, in their order: is the number
 * decimal or hexadecimal, and how many words does a record need to show it. */
static const struct { char name[20]; char base; u8 need; } pt_words[] = {
	{ "PMU Type", 'd', 0 }, { "Time Shift", 'd', 0 }, { "Time Muliplier", 'd', 0 },
	{ "Time Zero", 'd', 0 }, { "Cap Time Zero", 'd', 0 }, { "TSC bit", 'x', 0 },
	{ "NoRETComp bit", 'x', 0 }, { "Have sched_switch", 'd', 0 }, { "Snapshot mode", 'd', 0 },
	{ "Per-cpu maps", 'd', 0 }, { "MTC bit", 'x', 15 }, { "MTC freq bits", 'x', 15 },
	{ "TSC:CTC numerator", 'd', 15 }, { "TSC:CTC denominator", 'd', 15 },
	{ "CYC bit", 'x', 15 }, { "Max non-turbo ratio", 'd', 16 },
	{ "Filter string len.", 'd', 17 },
};

static void print_auxtrace_info(struct out *out, struct bytes b)
{
	u32 type = bytes_take64(&b), i;
	size_t words = b.len / 8;
	u64 v = 0;

	out_fmt(out, " type: %u\n", type);
	if (type != PERF_AUXTRACE_INTEL_PT || words < 10)
		return;
	for (i = 0; i < N_ELEM(pt_words); i++) {
		if (words < pt_words[i].need)
			return;
		v = bytes_take64(&b);
		out_fmt(out, pt_words[i].base == 'x' ? "  %-19s %#llx\n" : "  %-19s %llu\n",
			pt_words[i].name, v);
	}
	/* 'v' is the length of the filter. */
	print_text(out, "  Filter string       ", v ? b : (struct bytes){ 0 });
	b = bytes_skip(b, v ? round_up(MIN(v, b.len) + 1, 8) : 0);
	if (b.len)
		out_fmt(out, "  Cap Event Trace     %d\n", (int)bytes_take64(&b));
}

static void print_auxtrace(struct out *out, const struct perf_record *rec)
{
	struct perf_auxtrace a;

	if (!perf_get_auxtrace(rec, &a))
		return out_newline(out);
	out_fmt(out, " size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d  cpu: %d\n", a.size,
		a.off, a.reference, a.idx, a.tid, a.cpu);
}

static void print_auxtrace_error(struct out *out, struct bytes b)
{
	u32 type = bytes_take32(&b), code = bytes_take32(&b);
	i32 cpu = bytes_take32(&b), pid = bytes_take32(&b), tid = bytes_take32(&b);
	u32 fmt = bytes_take32(&b);
	u64 ip = bytes_take64(&b), time = fmt ? bytes_take64(&b) : 0;
	struct bytes more = bytes_skip(b, 64);
	i32 machine = fmt >= 2 ? bytes_take32(&more) : 0;

	out_fmt(out, " %s error type %u", type == 1 ? "instruction trace" : "unknown AUX", type);
	if (time)
		out_fmt(out, " time %llu.%09llu", time / 1000000000, time % 1000000000);
	else
		out_str(out, " time 0");
	if (machine)
		out_fmt(out, " machine_pid %d vcpu %d", machine, bytes_take32(&more));
	out_fmt(out, " cpu %d pid %d tid %d ip %#llx code %u", cpu, pid, tid, ip, code);
	print_text(out, ": ", b);
}

/* As "%f": what perf scales by are small numbers of few digits. */
static void print_scale(struct out *out, u64 bits)
{
	double v;
	char *p = out_room(out, 64);

	memcpy(&v, &bits, sizeof(v));
	if (v < 0)
		p = put_char(p, '-');
	v = v < 0 ? -v : v;
	p = v < 1e12 ? put_fixed(p, v * 1000000 + .5, 1000000, 6) : put_str(p, "inf");
	out_line(out, p);
}

static void print_event_update(struct out *out, struct bytes b)
{
	enum { UNIT, SCALE, NAME, CPUS };
	u64 what = bytes_take64(&b);

	out_fmt(out, "\n... id:    %llu\n", bytes_take64(&b));
	switch (what) {
	case UNIT:
		return print_text(out, "... unit:  ", b);
	case SCALE:
		out_str(out, "... scale: ");
		return print_scale(out, bytes_take64(&b));
	case NAME:
		return print_text(out, "... name:  ", b);
	case CPUS:
		out_str(out, "... ");
		return print_cpus(out, b);
	}
	out_str(out, "... unknown type\n");
}

static void print_time_conv(struct out *out, struct bytes b)
{
	static const char names[][18] = {
		"Time Shift      ", "Time Muliplier  ", "Time Zero       ", "Time Cycles     ",
		"Time Mask       ",
	};
	u32 i, n = b.len > 24 ? 5 : 3;

	out_newline(out);
	for (i = 0; i < n; i++)
		out_fmt(out, i == 4 ? "... %s%#llx\n" : "... %s%llu\n", names[i], bytes_take64(&b));
	if (n == 3)
		return;
	i = bytes_take16(&b);
	out_fmt(out, "... Cap Time Zero   %d\n... Cap Time Short  %d\n", (u8)i, (u8)(i >> 8));
}

void print_tool_record(struct out *out, const struct perf_record *rec)
{
	struct bytes b = bytes_skip(rec->raw, 8);

	switch (rec->type) {
	case PERF_ID_INDEX:
		return print_id_index(out, b);
	case PERF_AUXTRACE_INFO:
		return print_auxtrace_info(out, b);
	case PERF_AUXTRACE:
		return print_auxtrace(out, rec);
	case PERF_AUXTRACE_ERROR:
		return print_auxtrace_error(out, b);
	case PERF_THREAD_MAP:
		return print_threads(out, b);
	case PERF_CPU_MAP:
		out_str(out, ": ");
		return print_cpus(out, b);
	case PERF_EVENT_UPDATE:
		return print_event_update(out, b);
	case PERF_TIME_CONV:
		print_time_conv(out, b);
		out_str(out, ": unhandled!\n");
		return;
	case PERF_FINISHED_ROUND:
		return out_newline(out);
	case PERF_FINISHED_INIT:
	case PERF_COMPRESSED:
	case PERF_COMPRESSED2:
		out_str(out, ": unhandled!\n");
	}
}
