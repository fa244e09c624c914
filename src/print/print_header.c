/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The header of a perf.data file in the lines of perf's --header.
 *
 * A struct bytes marks the unread rest of a section. Fields beyond the end of a truncated section
 * are zero or empty.
 */
#include <pt/date.h>
#include <pt/out.h>
#include <pt/config/HEADER_INFO.h>
#include <pt/print_record.h>

/* Read a string: a 32-bit length, then the bytes. */
static const char *take_text(struct bytes *b, struct arena *a)
{
	u32 len = bytes_take32(b);
	struct bytes text = bytes_first(*b, len);

	*b = bytes_skip(*b, len);
	return arena_strn(a, text.at, strnlen((const char *)text.at, text.len));
}

static void print_text_line(struct out *out, const char *what, const char *text)
{
	out_fmt(out, "# %s : ", what);
	out_name(out, text);
	out_newline(out);
}

/* perf prints a single quote as \', so that the line can be pasted into a shell. */
static void print_cmdline(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b);
	const char *word, *quote;

	out_str(out, "# cmdline : ");
	for (; n && b.len; n--) {
		word = take_text(&b, a);
		while ((quote = strchr(word, '\''))) {
			out_name(out, arena_strn(a, word, quote - word));
			out_str(out, "\\'");
			word = quote + 1;
		}
		out_name(out, word);
		out_char(out, ' ');
	}
	out_newline(out);
}

struct bit_name { u8 bit; char name[19]; };

static const struct bit_name sample_types[] = {
	{ PERF_S_IP, "IP" }, { PERF_S_TID, "TID" }, { PERF_S_TIME, "TIME" },
	{ PERF_S_ADDR, "ADDR" }, { PERF_S_READ, "READ" }, { PERF_S_CALLCHAIN, "CALLCHAIN" },
	{ PERF_S_ID, "ID" },
	{ PERF_S_CPU, "CPU" }, { PERF_S_PERIOD, "PERIOD" }, { PERF_S_STREAM_ID, "STREAM_ID" },
	{ PERF_S_RAW, "RAW" }, { PERF_S_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_S_REGS_USER, "REGS_USER" }, { PERF_S_STACK_USER, "STACK_USER" },
	{ PERF_S_IDENTIFIER, "IDENTIFIER" }, { PERF_S_REGS_INTR, "REGS_INTR" },
	{ PERF_S_DATA_SRC, "DATA_SRC" }, { PERF_S_WEIGHT, "WEIGHT" },
	{ PERF_S_PHYS_ADDR, "PHYS_ADDR" }, { PERF_S_AUX, "AUX" }, { PERF_S_CGROUP, "CGROUP" },
	{ PERF_S_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" }, { PERF_S_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_S_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
};

static const struct bit_name read_formats[] = {
	{ 0, "TOTAL_TIME_ENABLED" }, { 1, "TOTAL_TIME_RUNNING" }, { 2, "ID" }, { 3, "GROUP" },
	{ 4, "LOST" },
};

static const struct bit_name branch_types[] = {
	{ 0, "USER" }, { 1, "KERNEL" }, { 2, "HV" }, { 3, "ANY" }, { 4, "ANY_CALL" },
	{ 5, "ANY_RETURN" }, { 6, "IND_CALL" }, { 7, "ABORT_TX" }, { 8, "IN_TX" }, { 9, "NO_TX" },
	{ 10, "COND" }, { 11, "CALL_STACK" }, { 12, "IND_JUMP" }, { 13, "CALL" },
	{ 14, "NO_FLAGS" }, { 15, "NO_CYCLES" }, { 16, "TYPE_SAVE" }, { 17, "HW_INDEX" },
	{ 18, "PRIV_SAVE" },
};

/* Names by bit number of perf_attr.flags; "" if perf prints none. */
static const char flags[][25] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", "", "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};

static void print_number(struct out *out, const char *name, u64 v)
{
	if (v)
		out_fmt(out, ", %s = %llu", name, v);
}

static void print_hex(struct out *out, const char *name, u64 v)
{
	if (v)
		out_fmt(out, ", %s = 0x%llx", name, v);
}

static void print_bits(struct out *out, const char *name, u64 v, const struct bit_name *names,
		       size_t n)
{
	const char *between = "";
	size_t i;

	if (!v)
		return;
	out_fmt(out, ", %s = ", name);
	for (i = 0; i < n; i++) {
		if (!(v >> names[i].bit & 1))
			continue;
		out_str(out, between);
		out_str(out, names[i].name);
		between = "|";
	}
}

void print_event_attr(struct out *out, const struct perf_attr *a)
{
	size_t i;

	print_number(out, "type", a->type);
	print_number(out, "size", a->size);
	print_hex(out, "config", a->config);
	print_number(out, "{ sample_period, sample_freq }", a->period);
	print_bits(out, "sample_type", a->sample_type, sample_types, N_ELEM(sample_types));
	print_bits(out, "read_format", a->read_format, read_formats, N_ELEM(read_formats));
	for (i = 0; i < N_ELEM(flags); i++)
		if (*flags[i])
			print_number(out, flags[i],
				     a->flags >> i & (i == PERF_F_PRECISE ? 3 : 1));
	print_number(out, "{ wakeup_events, wakeup_watermark }", a->wakeup);
	print_number(out, "bp_type", a->bp_type);
	print_hex(out, "{ bp_addr, config1 }", a->config1);
	print_hex(out, "{ bp_len, config2 }", a->config2);
	print_bits(out, "branch_sample_type", a->branch_sample_type, branch_types,
		   N_ELEM(branch_types));
	print_hex(out, "sample_regs_user", a->regs_user);
	print_number(out, "sample_stack_user", a->stack_user);
	if (a->clockid)
		out_fmt(out, ", clockid = %d", a->clockid);
	print_hex(out, "sample_regs_intr", a->regs_intr);
	print_number(out, "aux_watermark", a->aux_watermark);
	print_number(out, "sample_max_stack", a->max_stack);
	print_number(out, "aux_sample_size", a->aux_sample_size);
	print_number(out, "sig_data", a->sig_data);
}

static void print_event_desc(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b), size = bytes_take32(&b), n_ids, i;

	for (; n && b.len; n--) {
		struct perf_attr attr = { 0 };
		struct bytes at = bytes_first(b, size);

		memcpy(&attr, at.at, MIN(at.len, sizeof(attr)));
		b = bytes_skip(b, size);
		n_ids = bytes_take32(&b);
		out_str(out, "# event : name = ");
		out_name(out, take_text(&b, a));
		out_str(out, n_ids ? ", , id = {" : ", ");
		for (i = 0; i < n_ids && b.len; i++)
			out_fmt(out, "%s %llu", i ? "," : "", bytes_take64(&b));
		if (n_ids)
			out_str(out, " }");
		print_event_attr(out, &attr);
		out_newline(out);
	}
}

static void print_pmus(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b), i, type;

	out_str(out, "# pmu mappings: ");
	if (!n)
		out_str(out, "not available");
	for (i = 0; i < n && b.len; i++) {
		type = bytes_take32(&b);
		out_str(out, i ? ", " : "");
		out_name(out, take_text(&b, a));
		out_fmt(out, " = %u", type);
	}
	out_newline(out);
}

static void print_groups(struct out *out, struct bytes b, const struct perf_file *f)
{
	u32 n = bytes_take32(&b), i, first, members;
	const char *name;

	for (; n && b.len; n--) {
		name = take_text(&b, f->arena);
		first = bytes_take32(&b);
		members = bytes_take32(&b);
		if (members < 2)
			continue;
		out_str(out, "# group: ");
		out_name(out, strcmp(name, "{anon_group}") ? name : "");
		for (i = 0; i < members && first + i < f->n_events; i++) {
			out_char(out, i ? ',' : '{');
			out_name(out, f->events[first + i]->name);
		}
		out_str(out, "}\n");
	}
}

/* "name=value, ..." */
static void print_caps(struct out *out, struct bytes b, const char *pmu, struct arena *a)
{
	u32 n = bytes_take32(&b), i;

	out_str(out, "# ");
	out_name(out, pmu);
	out_str(out, n ? " pmu capabilities: " : " pmu capabilities: not available");
	for (i = 0; i < n && b.len; i++) {
		out_str(out, i ? ", " : "");
		out_name(out, take_text(&b, a));
		out_char(out, '=');
		out_name(out, take_text(&b, a));
	}
	out_newline(out);
}

static void print_pmu_caps(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b), i, texts;

	for (; n && b.len; n--) {
		struct bytes caps = b;

		texts = bytes_take32(&b);
		for (i = 0; i < texts && b.len; i++) {
			take_text(&b, a);
			take_text(&b, a);
		}
		print_caps(out, caps, take_text(&b, a), a);
	}
}

static void print_seconds(struct out *out, const char *what, u64 ns)
{
	out_fmt(out, "# %s : %llu.%06llu\n", what, ns / 1000000000, ns % 1000000000 / 1000);
}

static void print_sample_time(struct out *out, struct bytes b)
{
	u64 first = bytes_take64(&b), last = bytes_take64(&b);
	char *p;
	char ms[32];

	print_seconds(out, "time of first sample", first);
	print_seconds(out, "time of last sample", last);
	p = put_fixed(ms, last - first, 1000000, 3);
	*p = 0;
	out_fmt(out, "# sample duration : %10s ms\n", ms);
}

static const char *clock_name(u32 id)
{
	static const char names[][14] = {
		"realtime", "monotonic", "", "", "monotonic_raw", "", "", "boottime", "",
		"", "", "tai",
	};

	return id < N_ELEM(names) && *names[id] ? names[id] : "(not found)";
}

static void print_clock(struct out *out, struct bytes b)
{
	u32 version = bytes_take32(&b), id = bytes_take32(&b);
	u64 day = bytes_take64(&b), ns = bytes_take64(&b);
	i64 seconds = day / 1000000000;
	u32 us = day % 1000000000 / 1000;
	struct tm t;

	if (version != 1) {
		out_str(out, "# reference time disabled\n");
		return;
	}
	t = date_local(seconds);
	out_fmt(out, "# clockid: %s (%u)\n", clock_name(id), id);
	out_fmt(out, "# reference time: %d-%02d-%02d %02d:%02d:%02d.%06u = %lld.%06u (TOD) = ",
		t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, us,
		seconds, us);
	out_fmt(out, "%llu.%09llu (%s)\n", ns / 1000000000, ns % 1000000000, clock_name(id));
}

static void print_btf(struct out *out, struct bytes b)
{
	u32 n = bytes_take32(&b), size;

	for (; n && b.len; n--) {
		out_fmt(out, "# btf info of id %u\n", bytes_take32(&b));
		size = bytes_take32(&b);
		b = bytes_skip(b, size);
	}
}

enum {
	HOSTNAME = 3, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CMDLINE,
	EVENT_DESC, BRANCH_STACK = 15, PMU_MAPPINGS, GROUP_DESC, AUXTRACE, STAT, SAMPLE_TIME = 21,
	CLOCKID = 23, DIR_FORMAT, BPF_BTF = 26, COMPRESSED, CPU_PMU_CAPS, CLOCK_DATA,
	PMU_CAPS = 31, N_KNOWN,
};

/* Features by bit number. A '+' marks those that perf prints only with -I. */
static const char names[N_KNOWN][18] = {
	"", "TRACING_DATA", "BUILD_ID", "HOSTNAME", "OSRELEASE", "VERSION", "ARCH", "NRCPUS",
	"CPUDESC", "CPUID", "TOTAL_MEM", "CMDLINE", "EVENT_DESC", "+CPU_TOPOLOGY",
	"+NUMA_TOPOLOGY", "BRANCH_STACK", "PMU_MAPPINGS", "GROUP_DESC", "AUXTRACE", "STAT",
	"+CACHE", "SAMPLE_TIME", "+MEM_TOPOLOGY", "CLOCKID", "DIR_FORMAT", "BPF_PROG_INFO",
	"BPF_BTF", "COMPRESSED", "CPU_PMU_CAPS", "CLOCK_DATA", "+HYBRID_TOPOLOGY", "PMU_CAPS",
};

static void print_compressed(struct out *out, struct bytes b)
{
	u32 type, level;

	bytes_take32(&b);
	type = bytes_take32(&b);
	level = bytes_take32(&b);
	out_fmt(out, "# compressed : %s, level = %d, ratio = %d\n", type == 1 ? "Zstd" : "Unknown",
		level, bytes_take32(&b));
}

static void print_cpus(struct out *out, struct bytes b)
{
	u32 avail = bytes_take32(&b);

	out_fmt(out, "# nrcpus online : %u\n", bytes_take32(&b));
	out_fmt(out, "# nrcpus avail : %u\n", avail);
}

void print_feature(struct out *out, struct perf_file *f, unsigned int bit)
{
	static const char texts[][13] = {
		"hostname", "os release", "perf version", "arch", "", "cpudesc", "cpuid",
	};
	struct bytes b = perf_feature(f, bit);
	struct arena *a = f->arena;

	if (bit >= N_KNOWN)
		return;
	if (CONFIG_HEADER_INFO && f->show_info && names[bit][0] == '+')
		return print_machine(out, f, bit);
	if (names[bit][0] == '+') {
		out_fmt(out, "# %s info available, use -I to display\n", names[bit] + 1);
		return;
	}
	switch (bit) {
	case HOSTNAME:
	case OSRELEASE:
	case VERSION:
	case ARCH:
	case CPUDESC:
	case CPUID:
		return print_text_line(out, texts[bit - HOSTNAME], take_text(&b, a));
	case NRCPUS:
		return print_cpus(out, b);
	case TOTAL_MEM:
		out_fmt(out, "# total memory : %llu kB\n", bytes_take64(&b));
		return;
	case CMDLINE:
		return print_cmdline(out, b, a);
	case EVENT_DESC:
		return print_event_desc(out, b, a);
	case BRANCH_STACK:
		return out_str(out, "# contains samples with branch stack\n");
	case PMU_MAPPINGS:
		return print_pmus(out, b, a);
	case GROUP_DESC:
		return print_groups(out, b, f);
	case AUXTRACE:
		return out_str(out, "# contains AUX area data (e.g. instruction trace)\n");
	case STAT:
		return out_str(out, "# contains stat data\n");
	case SAMPLE_TIME:
		return print_sample_time(out, b);
	case CLOCKID:
		out_fmt(out, "# clockid frequency: %llu MHz\n", bytes_take64(&b) * 1000);
		return;
	case DIR_FORMAT:
		out_fmt(out, "# directory data version : %llu\n", bytes_take64(&b));
		return;
	case BPF_BTF:
		return print_btf(out, b);
	case COMPRESSED:
		return print_compressed(out, b);
	case CPU_PMU_CAPS:
		return print_caps(out, b, "cpu", a);
	case CLOCK_DATA:
		return print_clock(out, b);
	case PMU_CAPS:
		return print_pmu_caps(out, b, a);
	}
}

static void print_captured(struct out *out, i64 mtime)
{
	char date[DATE_SIZE];

	out_fmt(out, "# captured on    : %s\n", date_text(date, mtime));
}

static bool has_feature(const struct perf_file *f, u32 bit)
{
	return f->features[bit / 64] >> bit % 64 & 1;
}

void print_header(struct out *out, struct perf_file *f)
{
	u32 bit;

	out_str(out, "# ========\n");
	print_captured(out, perf_mtime(f));
	out_str(out, "# header version : 1\n");
	out_fmt(out, "# data offset    : %llu\n", f->data_off);
	out_fmt(out, "# data size      : %llu\n", f->data_size);
	out_fmt(out, "# feat offset    : %llu\n", f->data_off + f->data_size);
	for (bit = 0; !f->pipe && bit < N_KNOWN; bit++)
		if (has_feature(f, bit))
			print_feature(out, f, bit);
	if (!f->pipe) {
		out_str(out, "# missing features: ");
		for (bit = 1; bit < N_KNOWN; bit++)
			if (!has_feature(f, bit))
				out_fmt(out, "%s ", names[bit] + (names[bit][0] == '+'));
		out_newline(out);
	}
	out_str(out, "# ========\n#\n");
}
