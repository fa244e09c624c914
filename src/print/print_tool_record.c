/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the perf tool to text: the part after their names. Records for which perf prints
 * nothing, not even a line end, are not here.
 */
#include <pt/out.h>
#include <pt/print_record.h>

/* Collects CPU numbers and prints them as "0-3,6". */
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
	u64 n = bytes_take64(&b), i;
	struct bytes guest = b;

	n = MIN(n, b.len / 32);
	guest = bytes_skip(b, b.len / 48 >= n ? 32 * n : b.len);
	out_fmt(out, " nr: %llu\n", n);
	for (i = 0; i < n; i++) {
		print_fields(out, b, " ... id: %U00  idx: %U08  cpu: %D10  tid: %D18");
		if (guest.len)
			print_fields(out, guest, "  machine_pid: %D00  vcpu: %U08");
		out_newline(out);
		b = bytes_skip(b, 32);
		guest = bytes_skip(guest, 16);
	}
}

/* The fields of AUXTRACE_INFO for intel_pt. Older versions of perf write fewer of them. */
static const struct { u8 need; const char *text; } pt_info[] = {
	{ 0x58, "  PMU Type            %D08\n"
		"  Time Shift          %U10\n"
		"  Time Muliplier      %U18\n"
		"  Time Zero           %U20\n"
		"  Cap Time Zero       %D28\n"
		"  TSC bit             %X30\n"
		"  NoRETComp bit       %X38\n"
		"  Have sched_switch   %D40\n"
		"  Snapshot mode       %D48\n"
		"  Per-cpu maps        %D50\n" },
	{ 0x80, "  MTC bit             %X58\n"
		"  MTC freq bits       %X60\n"
		"  TSC:CTC numerator   %U68\n"
		"  TSC:CTC denominator %U70\n"
		"  CYC bit             %X78\n" },
	{ 0x88, "  Max non-turbo ratio %U80\n" },
	{ 0x90, "  Filter string len.  %U88\n"
		"  Filter string       " },
};

static void print_auxtrace_info(struct out *out, struct bytes b)
{
	u64 len;
	u32 i;

	print_fields(out, b, " type: %u00\n");
	if (b.len < 8 || get32(b.at) != PERF_AUXTRACE_INTEL_PT)
		return;
	for (i = 0; i < N_ELEM(pt_info); i++) {
		if (b.len < pt_info[i].need)
			return;
		print_fields(out, b, pt_info[i].text);
	}
	b = bytes_skip(b, 0x88);
	len = bytes_take64(&b);
	print_fields(out, b, len ? "%s00\n" : "\n");
	b = bytes_skip(b, len ? round_up(MIN(len, b.len) + 1, 8) : 0);
	if (b.len)
		print_fields(out, b, "  Cap Event Trace     %d00\n");
}

static void print_auxtrace_error(struct out *out, struct bytes b)
{
	u32 fmt = b.len < 0x70 ? 0 : get32(b.at + 0x14);
	u64 time = fmt ? get64(b.at + 0x20) : 0;

	out_str(out, b.len && *b.at == 1 ? " instruction trace" : " unknown AUX");
	print_fields(out, b, " error type %u00");
	if (time)
		out_fmt(out, " time %llu.%09llu", time / 1000000000, time % 1000000000);
	else
		out_str(out, " time 0");
	if (fmt >= 2 && get32(b.at + 0x68))
		print_fields(out, b, " machine_pid %d68 vcpu %d6c");
	print_fields(out, b, " cpu %d08 pid %d0c tid %d10 ip %X18 code %u04: ");
	print_fields(out, b, fmt ? "%s28\n" : "%s20\n");
}

/* Print a factor like "%f"; perf's factors are small numbers with few digits. */
static void print_scale(struct out *out, u64 bits)
{
	u64 millionths;
	double v;

	memcpy(&v, &bits, sizeof(v));
	if (v < 0)
		out_char(out, '-');
	v = v < 0 ? -v : v;
	millionths = v < 1e12 ? v * 1000000 + .5 : 0;
	out_fmt(out, "%llu.%06llu\n", millionths / 1000000, millionths % 1000000);
}

static void print_event_update(struct out *out, struct bytes b)
{
	enum { UNIT, SCALE, NAME, CPUS };

	print_fields(out, b, "\n... id:    %U08\n... ");
	switch (bytes_take64(&(struct bytes){ b.at, b.len })) {
	case UNIT:
		return print_fields(out, b, "unit:  %s10\n");
	case SCALE:
		out_str(out, "scale: ");
		b = bytes_skip(b, 16);
		return print_scale(out, bytes_take64(&b));
	case NAME:
		return print_fields(out, b, "name:  %s10\n");
	case CPUS:
		return print_cpus(out, bytes_skip(b, 16));
	}
	out_str(out, "unknown type\n");
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
		return print_fields(out, b, " size: %X00  offset: %X08  ref: %X10"
				    "  idx: %u18  tid: %d1c  cpu: %d20\n");
	case PERF_AUXTRACE_ERROR:
		return print_auxtrace_error(out, b);
	case PERF_THREAD_MAP:
		return print_threads(out, b);
	case PERF_CPU_MAP:
		out_str(out, ": ");
		return print_cpus(out, b);
	case PERF_EVENT_UPDATE:
		return print_event_update(out, b);
	case PERF_FINISHED_ROUND:
		return out_newline(out);
	case PERF_TIME_CONV:
		print_fields(out, b, "\n... Time Shift      %U00\n"
			     "... Time Muliplier  %U08\n"
			     "... Time Zero       %U10\n");
		if (b.len > 24)
			print_fields(out, b, "... Time Cycles     %U18\n"
				     "... Time Mask       %X20\n"
				     "... Cap Time Zero   %c28\n"
				     "... Cap Time Short  %c29\n");
		/* fall through */
	case PERF_FINISHED_INIT:
	case PERF_COMPRESSED:
	case PERF_COMPRESSED2:
		out_str(out, ": unhandled!\n");
	}
}
