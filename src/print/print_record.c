/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the kernel to text: what a line says about each.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { LINE = 16 };	/* bytes */

/* As "%#x" has it: no 0x before a zero. */
static char *put_hex_alt(char *p, u64 v)
{
	return v ? put_hex(put_bytes(p, "0x", 2), v) : put_char(p, '0');
}

void print_record_bytes(struct out *out, const struct perf_record *rec, const char *path)
{
	char *p = out_room(out, 64);

	p = put_char(put_hex_alt(put_char(p, '\n'), rec->off), '@');
	out_done(out, p);
	out_name(out, path);
	p = put_str(out_room(out, 128), " [");
	p = put_str(put_hex_alt(p, rec->raw.len), "]: event: ");
	p = put_str(put_dec(p, rec->type), "\n.\n. ... raw event: size ");
	out_done(out, put_str(put_dec(p, rec->raw.len), " bytes\n"));
	print_bytes(out, rec->raw, 0, 4);
	out_newline(out);
}

static const char kernel_names[][19] = {
	"MMAP", "LOST", "COMM", "EXIT", "THROTTLE", "UNTHROTTLE", "FORK", "READ", "SAMPLE",
	"MMAP2", "AUX", "ITRACE_START", "LOST_SAMPLES", "SWITCH", "SWITCH_CPU_WIDE", "NAMESPACES",
	"KSYMBOL", "BPF_EVENT", "CGROUP", "TEXT_POKE", "AUX_OUTPUT_HW_ID", "CALLCHAIN_DEFERRED",
};
static const char tool_names[][15] = {
	"ATTR", "EVENT_TYPE", "TRACING_DATA", "BUILD_ID", "FINISHED_ROUND", "ID_INDEX",
	"AUXTRACE_INFO", "AUXTRACE", "AUXTRACE_ERROR", "THREAD_MAP", "CPU_MAP", "STAT_CONFIG",
	"STAT", "STAT_ROUND", "EVENT_UPDATE", "TIME_CONV", "FEATURE", "COMPRESSED",
	"FINISHED_INIT", "COMPRESSED2",
};

const char *record_name(u32 type)
{
	if (type - PERF_MMAP < N_ELEM(kernel_names))
		return kernel_names[type - PERF_MMAP];
	if (type - PERF_HEADER_ATTR < N_ELEM(tool_names))
		return tool_names[type - PERF_HEADER_ATTR];
	return "UNKNOWN";
}

/* " 12/34" or "(12:34" */
static char *put_ids(char *p, char first, i32 pid, char between, i32 tid)
{
	p = put_int(put_char(p, first), pid);
	return put_int(put_char(p, between), tid);
}

/* Which file it is: its build-id, or its device and inode. */
static char *put_file_id(char *p, const struct perf_mmap *m)
{
	int i;

	if (m->build_id) {
		p = put_char(p, '<');
		for (i = 0; i < m->build_id_size; i++)
			p = put_byte(p, m->build_id[i]);
		return put_char(p, '>');
	}
	p = put_char(put_hex_0(p, m->maj, 2), ':');
	p = put_char(put_hex_0(p, m->min, 2), ' ');
	p = put_char(put_dec(p, m->ino), ' ');
	return put_dec(p, m->ino_generation);
}

static void print_mmap(struct out *out, const struct perf_record *rec)
{
	enum { MMAP_DATA = 1 << 13, READ = 1, WRITE = 2, EXEC = 4, SHARED = 1 };
	struct perf_mmap m;
	char *p = out_room(out, 256);

	if (!perf_get_mmap(rec, &m))
		return out_newline(out);
	p = put_str(put_ids(p, ' ', m.pid, '/', m.tid), ": [");
	p = put_char(put_hex_alt(p, m.start), '(');
	p = put_str(put_hex_alt(p, m.len), ") @ ");
	p = put_hex_alt(p, m.pgoff);
	if (rec->type == PERF_MMAP2)
		p = put_file_id(put_char(p, ' '), &m);
	p = put_str(p, "]: ");
	if (rec->type == PERF_MMAP) {
		p = put_char(p, rec->misc & MMAP_DATA ? 'r' : 'x');
	} else {
		p = put_char(p, m.prot & READ ? 'r' : '-');
		p = put_char(p, m.prot & WRITE ? 'w' : '-');
		p = put_char(p, m.prot & EXEC ? 'x' : '-');
		p = put_char(p, m.flags & SHARED ? 's' : 'p');
	}
	out_done(out, put_char(p, ' '));
	out_name(out, m.name);
	out_newline(out);
}

static void print_comm(struct out *out, const struct perf_record *rec)
{
	struct perf_comm c;

	if (!perf_get_comm(rec, &c))
		return out_newline(out);
	out_str(out, c.exec ? " exec: " : ": ");
	out_name(out, c.name);
	out_line(out, put_ids(out_room(out, 64), ':', c.pid, '/', c.tid));
}

static void print_task(struct out *out, const struct perf_record *rec)
{
	struct perf_task t;
	char *p = out_room(out, 64);

	if (!perf_get_task(rec, &t))
		return out_newline(out);
	p = put_ids(p, '(', t.pid, ':', t.tid);
	p = put_ids(put_str(p, "):"), '(', t.ppid, ':', t.ptid);
	out_line(out, put_char(p, ')'));
}

static void print_aux(struct out *out, const struct perf_record *rec)
{
	enum { TRUNCATED = 1, OVERWRITE = 2, PARTIAL = 4 };
	struct perf_aux a;

	if (!perf_get_aux(rec, &a))
		return out_newline(out);
	out_fmt(out, " offset: %#llx size: %#llx flags: %#llx [%s%s%s]\n", a.off, a.size, a.flags,
		a.flags & TRUNCATED ? "T" : "", a.flags & OVERWRITE ? "O" : "",
		a.flags & PARTIAL ? "P" : "");
}

static void print_switch(struct out *out, const struct perf_record *rec)
{
	struct perf_switch s;
	char *p = out_room(out, 128), *tid;

	if (!perf_get_switch(rec, &s))
		return out_newline(out);
	p = put_str(p, !s.out ? " IN         " : s.preempt ? " OUT preempt" : " OUT        ");
	if (s.cpu_wide) {
		p = put_str(p, s.out ? "  next pid/tid: " : "  prev pid/tid: ");
		tid = put_char(put_int_w(p, s.pid, 5), '/');
		p = put_int(tid, s.tid);
		p = put_fill(p, ' ', 5 - (p - tid));
	}
	out_line(out, p);
}

static void print_ksymbol(struct out *out, const struct perf_record *rec)
{
	struct perf_ksymbol k;

	if (!perf_get_ksymbol(rec, &k))
		return out_newline(out);
	out_fmt(out, " addr %llx len %u type %u flags 0x%x name ", k.addr, k.len, k.type, k.flags);
	out_name(out, k.name);
	out_newline(out);
}

static void print_poke_bytes(struct out *out, const char *what, struct bytes b)
{
	size_t i;

	for (i = 0; i < b.len; i++) {
		if (i % LINE == 0)
			out_fmt(out, "            %s bytes:", what);
		out_fmt(out, " %02x", b.at[i]);
		if (i % LINE == LINE - 1 || i == b.len - 1)
			out_newline(out);
	}
}

static void print_text_poke(struct out *out, const struct perf_record *rec)
{
	struct perf_text_poke t;

	if (!perf_get_text_poke(rec, &t))
		return out_newline(out);
	out_fmt(out, " %llx  old len %zu new len %zu\n", t.addr, t.old.len, t.new.len);
	print_poke_bytes(out, "Old", t.old);
	print_poke_bytes(out, "New", t.new);
}

static void print_namespaces(struct out *out, struct bytes b)
{
	static const char names[][8] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	i32 pid = bytes_take32(&b), tid = bytes_take32(&b);
	u64 n = bytes_take64(&b), i, dev;

	out_fmt(out, " %d/%d - nr_namespaces: %u\n\t\t[", pid, tid, (u32)n);
	for (i = 0; i < n && b.len >= 16; i++) {
		if (i && i % 4 == 0)
			out_str(out, "\n\t\t ");
		dev = bytes_take64(&b);
		out_fmt(out, "%u/%s: %llu/%#llx%s", (u32)i,
			i < N_ELEM(names) ? names[i] : "UNKNOWN", dev, bytes_take64(&b),
			i + 1 < n ? ", " : "]\n");
	}
	if (i < n)
		out_newline(out);
}

static void print_cgroup(struct out *out, struct bytes b)
{
	u64 id = bytes_take64(&b);

	out_fmt(out, " cgroup: %llu ", id);
	if (b.len && memchr(b.at, 0, b.len))
		out_name(out, (const char *)b.at);
	out_newline(out);
}

/* What perf's own texts say behind the record's name, here and in side-band lines. */
static bool print_body(struct out *out, const struct perf_record *rec)
{
	struct bytes b = bytes_skip(rec->raw, 8);
	u32 x, y;

	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2:
		print_mmap(out, rec);
		break;
	case PERF_COMM:
		print_comm(out, rec);
		break;
	case PERF_FORK:
	case PERF_EXIT:
		print_task(out, rec);
		break;
	case PERF_AUX:
		print_aux(out, rec);
		break;
	case PERF_ITRACE_START:
		x = bytes_take32(&b);
		out_fmt(out, " pid: %u tid: %u\n", x, bytes_take32(&b));
		break;
	case PERF_SWITCH:
	case PERF_SWITCH_CPU_WIDE:
		print_switch(out, rec);
		break;
	case PERF_NAMESPACES:
		print_namespaces(out, b);
		break;
	case PERF_KSYMBOL:
		print_ksymbol(out, rec);
		break;
	case PERF_BPF_EVENT:
		x = bytes_take16(&b);
		y = bytes_take16(&b);
		out_fmt(out, " type %u, flags %u, id %u\n", x, y, bytes_take32(&b));
		break;
	case PERF_CGROUP:
		print_cgroup(out, b);
		break;
	case PERF_TEXT_POKE:
		print_text_poke(out, rec);
		break;
	case PERF_AUX_OUTPUT_HW_ID:
		out_fmt(out, " hw_id: %#llx\n", bytes_take64(&b));
		break;
	default:
		return false;
	}
	return true;
}

void print_side_band(struct out *out, const struct perf_record *rec)
{
	struct bytes b = bytes_skip(rec->raw, 8);

	out_str(out, "PERF_RECORD_");
	out_str(out, record_name(rec->type));
	if (rec->type == PERF_LOST) {
		bytes_take64(&b);
		out_fmt(out, " lost %llu\n", bytes_take64(&b));
	} else if (!print_body(out, rec)) {
		out_newline(out);
	}
}

/* READ is printed as if it had the fields of its read_format at fixed places. */
static void print_read(struct out *out, struct bytes b, const struct perf_sample *s)
{
	static const struct { u8 bit; char text[16]; } fields[] = {
		{ 0, "time enabled" }, { 1, "time running" }, { 2, "id          " },
		{ 4, "lost        " },
	};
	i32 pid = bytes_take32(&b), tid = bytes_take32(&b);
	size_t i;
	u64 v;

	out_fmt(out, ": %d %d ", pid, tid);
	out_name(out, s->event ? s->event->name : "unknown");
	out_fmt(out, " %llu\n", bytes_take64(&b));
	for (i = 0; s->event && i < N_ELEM(fields); i++) {
		v = bytes_take64(&b);
		if (s->event->attr.read_format >> fields[i].bit & 1)
			out_fmt(out, "... %s : %llu\n", fields[i].text, v);
	}
	out_str(out, ": unhandled!\n");
}

void print_record_body(struct out *out, const struct perf_record *rec, const struct perf_sample *s)
{
	struct bytes b = bytes_skip(rec->raw, 8);
	u64 v;

	switch (rec->type) {
	case PERF_LOST:
		v = bytes_take64(&b);
		out_fmt(out, ": id:%llu: lost:%llu\n", v, bytes_take64(&b));
		break;
	case PERF_LOST_SAMPLES:
		v = s->fields & (1 << PERF_S_ID | 1 << PERF_S_IDENTIFIER) ? s->id : UINT64_MAX;
		out_fmt(out, ": id:%llu: lost samples :%llu\n", v, bytes_take64(&b));
		break;
	case PERF_READ:
		print_read(out, b, s);
		break;
	default:
		print_body(out, rec);
	}
}
