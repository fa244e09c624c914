/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the kernel to text.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { LINE = 16 };	/* bytes */

void print_record_bytes(struct out *out, const struct perf_record *rec, const char *path)
{
	PRINT_WORDS(out, "\n%X00@", rec->off);
	out_name(out, path);
	PRINT_WORDS(out, " [%X00]: event: %u08\n.\n. ... raw event: size %U00 bytes\n",
		    rec->raw.len, rec->type);
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

/* The text after the name of a record, with fields as print_fields() takes them. NULL if the record
 * needs code. */
static const char *simple_text(const struct perf_record *rec)
{
	enum { COMM_EXEC = 1 << 13 };

	switch (rec->type) {
	case PERF_COMM:
		return rec->misc & COMM_EXEC ? " exec: %s08:%d00/%d04\n" : ": %s08:%d00/%d04\n";
	case PERF_FORK:
	case PERF_EXIT:
		return "(%d00:%d08):(%d04:%d0c)\n";
	case PERF_ITRACE_START:
		return " pid: %u00 tid: %u04\n";
	case PERF_KSYMBOL:
		return " addr %x00 len %u08 type %h0c flags 0x%k0e name %s10\n";
	case PERF_BPF_EVENT:
		return " type %h00, flags %h02, id %u04\n";
	case PERF_CGROUP:
		return " cgroup: %U00 %s08\n";
	case PERF_AUX_OUTPUT_HW_ID:
		return " hw_id: %X00\n";
	}
	return NULL;
}

/* Print a mask as letters: one of 'set' for each bit that is set, else one of 'unset'. */
static char *put_letters(char *p, u32 mask, const char *set, const char *unset)
{
	u32 i;

	for (i = 0; set[i]; i++)
		if (mask >> i & 1 || *unset)
			*p++ = mask >> i & 1 ? set[i] : unset[i];
	return p;
}

static void print_mmap2(struct out *out, const struct perf_record *rec, struct bytes b)
{
	enum { BUILD_ID = 1 << 14 };
	u32 prot = bytes_take32(&(struct bytes){ b.at + 0x38, b.len < 0x40 ? 0 : 8 });
	u32 flags = bytes_take32(&(struct bytes){ b.at + 0x3c, b.len < 0x40 ? 0 : 4 });
	u32 i, size;
	char *p;

	if (rec->misc & BUILD_ID) {
		size = b.len < 0x38 ? 0 : MIN(b.at[0x20], 20);
		p = put_str(out_room(out, 64), " <");
		for (i = 0; i < size; i++)
			p = put_byte(p, b.at[0x24 + i]);
		out_done(out, put_char(p, '>'));
	} else {
		print_fields(out, b, " %b20:%b24 %U28 %U30");
	}
	p = put_letters(put_str(out_room(out, 64), "]: "), prot, "rwx", "---");
	out_done(out, put_letters(p, flags, "s", "p"));
	print_fields(out, b, " %s40\n");
}

static void print_mmap(struct out *out, const struct perf_record *rec, struct bytes b)
{
	enum { MMAP_DATA = 1 << 13 };

	print_fields(out, b, " %d00/%d04: [%X08(%X10) @ %X18");
	if (rec->type == PERF_MMAP2)
		print_mmap2(out, rec, b);
	else
		print_fields(out, b, rec->misc & MMAP_DATA ? "]: r %s20\n" : "]: x %s20\n");
}

static void print_aux(struct out *out, struct bytes b)
{
	print_fields(out, b, " offset: %X00 size: %X08 flags: %X10 [");
	out_done(out, put_letters(out_room(out, 64), b.len < 24 ? 0 : b.at[16], "TOP", ""));
	out_str(out, "]\n");
}

static void print_switch(struct out *out, const struct perf_record *rec, struct bytes b)
{
	enum { OUT = 1 << 13, PREEMPT = 1 << 14 };
	bool left = rec->misc & OUT;
	char *p = out_room(out, 128), *tid;

	p = put_str(p, !left ? " IN         " :
		    rec->misc & PREEMPT ? " OUT preempt" : " OUT        ");
	if (rec->type == PERF_SWITCH_CPU_WIDE) {
		p = put_str(p, left ? "  next pid/tid: " : "  prev pid/tid: ");
		tid = put_char(put_int_w(p, (i32)bytes_take32(&b), 5), '/');
		p = put_int(tid, (i32)bytes_take32(&b));
		p = put_fill(p, ' ', 5 - (p - tid));
	}
	out_line(out, p);
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

static void print_text_poke(struct out *out, struct bytes b, const char *place)
{
	u16 n_old, n_new;

	print_fields(out, b, " %x00 ");
	out_str(out, place);
	print_fields(out, b, " old len %h08 new len %h0a\n");
	bytes_take64(&b);
	n_old = bytes_take16(&b);
	n_new = bytes_take16(&b);
	print_poke_bytes(out, "Old", bytes_first(b, n_old));
	print_poke_bytes(out, "New", bytes_first(bytes_skip(b, n_old), n_new));
}

static void print_namespaces(struct out *out, struct bytes b)
{
	static const char names[][8] = {
		"net", "uts", "ipc", "pid", "user", "mnt", "cgroup", "UNKNOWN",
	};
	u32 n, i;

	print_fields(out, b, " %d00/%d04 - nr_namespaces: %u08\n\t\t[");
	b = bytes_skip(b, 8);
	n = bytes_take64(&b);
	n = MIN(n, b.len / 16);
	for (i = 0; i < n; i++) {
		if (i)
			out_str(out, i % 4 ? ", " : ", \n\t\t ");
		out_fmt(out, "%u/%s: ", i, names[MIN(i, N_ELEM(names) - 1)]);
		print_fields(out, b, "%U00/%X08");
		b = bytes_skip(b, 16);
	}
	out_str(out, "]\n");
}

/* Print perf's text after the name of the record, in dumps and in side-band lines. */
static bool print_body(struct out *out, const struct perf_record *rec, struct bytes b)
{
	const char *text = simple_text(rec);

	if (text) {
		print_fields(out, b, text);
		return true;
	}
	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2:
		print_mmap(out, rec, b);
		return true;
	case PERF_AUX:
		print_aux(out, b);
		return true;
	case PERF_SWITCH:
	case PERF_SWITCH_CPU_WIDE:
		print_switch(out, rec, b);
		return true;
	case PERF_NAMESPACES:
		print_namespaces(out, b);
		return true;
	case PERF_TEXT_POKE:
		print_text_poke(out, b, "");
		return true;
	}
	return false;
}

void print_side_band(struct out *out, const struct perf_record *rec)
{
	struct bytes b = bytes_skip(rec->raw, 8);

	out_str(out, "PERF_RECORD_");
	out_str(out, record_name(rec->type));
	if (!print_body(out, rec, b))
		print_fields(out, b, rec->type == PERF_LOST ? " lost %U08\n" : "\n");
}

void print_side_band_poke(struct out *out, const struct perf_record *rec, const char *place)
{
	out_str(out, "PERF_RECORD_TEXT_POKE");
	print_text_poke(out, bytes_skip(rec->raw, 8), place);
}

/* Like perf, print a READ record as if it had all fields that read_format can select. */
static void print_read(struct out *out, struct bytes b, const struct perf_sample *s)
{
	static const char fields[][25] = {
		"... time enabled : %U10\n", "... time running : %U18\n",
		"... id           : %U20\n", "", "... lost         : %U28\n",
	};
	size_t i;

	print_fields(out, b, ": %d00 %d04 ");
	out_name(out, s->event ? s->event->name : "unknown");
	print_fields(out, b, " %U08\n");
	for (i = 0; s->event && i < N_ELEM(fields); i++)
		if (s->event->attr.read_format >> i & 1)
			print_fields(out, b, fields[i]);
	out_str(out, ": unhandled!\n");
}

void print_record_body(struct out *out, const struct perf_record *rec, const struct perf_sample *s)
{
	const u64 has_id = 1 << PERF_S_ID | 1 << PERF_S_IDENTIFIER;
	struct bytes b = bytes_skip(rec->raw, 8);

	switch (rec->type) {
	case PERF_LOST:
		return print_fields(out, b, ": id:%U00: lost:%U08\n");
	case PERF_LOST_SAMPLES:
		out_fmt(out, ": id:%llu", s->fields & has_id ? s->id : UINT64_MAX);
		return print_fields(out, b, ": lost samples :%U00\n");
	case PERF_READ:
		return print_read(out, b, s);
	}
	print_body(out, rec, b);
}
