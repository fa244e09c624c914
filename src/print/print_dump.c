/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * 'pt -D': for each record its bytes, then its contents as text, then the packets of its trace.
 */
#include <pt/config/CMD_SCRIPT.h>
#include <pt/out.h>
#include <pt/print.h>
#include <pt/print_record.h>
#include <pt/term.h>

enum { CALL_STACK = 1 << 11, HW_INDEX = 1 << 17 };	/* branch_sample_type */

static bool has(u64 type, unsigned int bit)
{
	return type >> bit & 1;
}

static void print_nth(struct out *out, u64 n, u64 addr)
{
	PRINT_WORDS(out, "..... %n00: %q08\n", n, addr);
}

static void print_callchain(struct out *out, struct bytes chain)
{
	u64 i, n = chain.len / 8;

	out_fmt(out, "... FP chain: nr:%llu\n", n);
	for (i = 0; i < n; i++)
		print_nth(out, i, get64(chain.at + 8 * i));
}

/* The branch records are a call stack (--call-graph lbr). Print the user part of the call chain,
 * which follows the kernel's part. */
static void print_lbr_chain(struct out *out, const struct perf_sample *s)
{
	const u64 user = -512;	/* the marker PERF_CONTEXT_USER */
	u64 kernel = 0, n = s->branches.len / 24, i;

	while (kernel < s->callchain.len / 8 && get64(s->callchain.at + 8 * kernel) != user)
		kernel++;
	if (kernel == s->callchain.len / 8 || !n)
		return;
	kernel++;
	out_fmt(out, "... LBR call chain: nr:%llu\n", kernel + n + 1);
	for (i = 0; i < kernel; i++)
		print_nth(out, i, get64(s->callchain.at + 8 * i));
	print_nth(out, kernel, get64(s->branches.at + 8));
	for (i = 0; i < n; i++)
		print_nth(out, kernel + 1 + i, get64(s->branches.at + 24 * i));
}

static const char branch_types[] =
	"\0COND\0UNCOND\0IND\0CALL\0IND_CALL\0RET\0SYSCALL\0SYSRET\0COND_CALL\0COND_RET\0ERET\0"
	"IRQ\0SERROR\0NO_TX\0";
static const char new_branch_types[] =
	"FAULT_ALGN\0FAULT_DATA\0FAULT_INST\0ARCH_1\0ARCH_2\0ARCH_3\0ARCH_4\0ARCH_5\0";

static const char *branch_type(u64 flags)
{
	enum { EXTENDED = 15 };
	u32 type = flags >> 20 & 15, n = type == EXTENDED ? flags >> 26 & 15 : type;
	const char *name = type == EXTENDED ? new_branch_types : branch_types;
	size_t size = type == EXTENDED ? sizeof(new_branch_types) : sizeof(branch_types);
	const char *end = name + size;

	for (; n && name < end; n--)
		name += strlen(name) + 1;
	return name < end - 1 ? name : "(null)";
}

static void print_branch(struct out *out, u64 i, const u8 *at)
{
	u64 flags = get64(at + 16);

	PRINT_WORDS(out, "..... %n00: %q08 -> %q10 %h18 cycles ", i, get64(at), get64(at + 8),
		    flags >> 4);
	out_fmt(out, "%c%c%c%c %x %s\n", flags & 1 ? 'M' : ' ', flags & 2 ? 'P' : ' ',
		flags & 8 ? 'A' : ' ', flags & 4 ? 'T' : ' ', (u32)(flags >> 33),
		branch_type(flags));
}

static void print_branches(struct out *out, const struct perf_sample *s)
{
	bool stack = s->event->attr.branch_sample_type & CALL_STACK;
	u64 i, n = s->branches.len / 24;

	out_fmt(out, "... branch %sstack: nr:%llu\n", stack ? "call" : "", n + stack);
	for (i = 0; i < n; i++) {
		if (!stack) {
			print_branch(out, i, s->branches.at + 24 * i);
			continue;
		}
		if (!i)
			print_nth(out, 0, get64(s->branches.at + 8));
		print_nth(out, i + 1, get64(s->branches.at + 24 * i));
	}
}

static const char *reg_name(unsigned int i, char name[8])
{
	static const char names[][6] = {
		"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS",
		"ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
	};

	if (i < N_ELEM(names))
		return names[i];
	if (i < 32)
		return "unknown";
	fmt_str(name, 8, "XMM%u", (i - 32) / 2);
	return name;
}

static void print_regs(struct out *out, const char *whose, u64 mask, u64 abi, struct bytes regs)
{
	static const char abis[][8] = { "none", "32-bit", "64-bit" };
	unsigned int i;
	char name[8];

	if (!abi)
		return;
	out_fmt(out, "... %s regs: mask 0x%llx ABI %s\n", whose, mask,
		abi < N_ELEM(abis) ? abis[abi] : "unknown");
	for (i = 0; i < 64; i++)
		if (mask >> i & 1)
			out_fmt(out, ".... %-5s 0x%016llx\n", reg_name(i, name),
				bytes_take64(&regs));
}

static void print_page_size(struct out *out, const char *what, u64 size)
{
	const char *unit = "BKMG";

	if (!size) {
		out_fmt(out, " .. %s page size: N/A\n", what);
		return;
	}
	for (; size / 1024 > 1 && *unit != 'G'; unit++)
		size /= 1024;
	out_fmt(out, " .. %s page size: %llu%c\n", what, size, *unit);
}

static void print_read_value(struct out *out, u64 id, u64 value, bool has_lost, u64 lost)
{
	PRINT_WORDS(out, "..... id %q00, value %q08", id, value);
	if (has_lost)
		out_fmt(out, ", lost %llu", lost);
	out_newline(out);
}

static void print_read_block(struct out *out, struct bytes b, u64 format)
{
	enum { ENABLED = 1, RUNNING = 2, GROUP = 8, LOST = 16 };
	u64 first = bytes_take64(&b), id, value;

	out_str(out, "... sample_read:\n");
	if (format & ENABLED)
		out_fmt(out, "...... time enabled %016llx\n", bytes_take64(&b));
	if (format & RUNNING)
		out_fmt(out, "...... time running %016llx\n", bytes_take64(&b));
	if (!(format & GROUP)) {
		id = bytes_take64(&b);
		print_read_value(out, id, first, format & LOST, bytes_take64(&b));
		return;
	}
	out_fmt(out, ".... group nr %llu\n", first);
	for (; first && b.len; first--) {
		value = bytes_take64(&b);
		id = bytes_take64(&b);
		print_read_value(out, id, value, format & LOST,
				 format & LOST ? bytes_take64(&b) : 0);
	}
}

static void print_weight(struct out *out, const struct perf_sample *s)
{
	if (has(s->fields, PERF_S_WEIGHT_STRUCT))
		out_fmt(out, "... weight: %llu,0x%x,0x%x\n", s->weight & 0xffffffff,
			(u16)(s->weight >> 32), 0);
	else
		out_fmt(out, "... weight: %llu\n", s->weight);
}

/* Like the line of the sample, these need a build that can read samples. */
static void print_sample_fields(struct out *out, const struct perf_record *rec,
				const struct perf_sample *s)
{
	const struct perf_attr *attr = &s->event->attr;
	u64 type = s->fields;

	if (has(type, PERF_S_CALLCHAIN)) {
		if (attr->branch_sample_type & CALL_STACK)
			print_lbr_chain(out, s);
		print_callchain(out, s->callchain);
	}
	if (has(type, PERF_S_BRANCH_STACK))
		print_branches(out, s);
	if (has(type, PERF_S_REGS_USER))
		print_regs(out, "user", attr->regs_user, s->abi_user, s->regs_user);
	if (has(type, PERF_S_REGS_INTR))
		print_regs(out, "intr", attr->regs_intr, s->abi_intr, s->regs_intr);
	if (has(type, PERF_S_STACK_USER))
		out_fmt(out, "... ustack: size %llu, offset 0x%x\n", s->stack_user_dyn,
			(u32)(s->stack_user.at - 8 - rec->raw.at));
	if (has(type, PERF_S_WEIGHT) || has(type, PERF_S_WEIGHT_STRUCT))
		print_weight(out, s);
	if (has(type, PERF_S_DATA_SRC))
		out_fmt(out, " . data_src: 0x%llx\n", s->data_src);
	if (has(type, PERF_S_PHYS_ADDR))
		out_fmt(out, " .. phys_addr: 0x%llx\n", s->phys_addr);
	if (has(type, PERF_S_DATA_PAGE_SIZE))
		print_page_size(out, "data", s->data_page_size);
	if (has(type, PERF_S_CODE_PAGE_SIZE))
		print_page_size(out, "code", s->code_page_size);
	if (has(type, PERF_S_TRANSACTION))
		out_fmt(out, "... transaction: %llx\n", s->transaction);
	if (has(type, PERF_S_READ))
		print_read_block(out, s->read, attr->read_format);
}

/* Print CPU and time if any event of the file has them. At a HEADER_ATTR record its own event does
 * not yet count. */
static void print_stamp(struct out *out, const struct perf_file *f, const struct perf_record *rec,
			const struct perf_sample *s)
{
	u32 n = f->n_events - (rec->type == PERF_HEADER_ATTR && f->n_events), i;
	u64 types = n == f->n_events ? f->sample_types : 0;
	u64 time = has(s->fields, PERF_S_TIME) ? s->time : UINT64_MAX;
	bool tool = rec->type >= PERF_HEADER_ATTR;
	char *p = out_room(out, 64);

	for (i = 0; n < f->n_events && i < n; i++)
		types |= f->events[i]->attr.sample_type;
	if (!n || (rec->type != PERF_SAMPLE &&
		   !perf_attr_flag(&f->events[0]->attr, PERF_F_SAMPLE_ID_ALL))) {
		out_done(out, put_str(p, "-1 -1 "));
		return;
	}
	if (has(types, PERF_S_CPU))
		p = put_char(put_dec(p, tool ? 0 : (u32)s->cpu), ' ');
	if (has(types, PERF_S_TIME))
		p = put_char(put_dec(p, tool ? 0 : time), ' ');
	out_done(out, p);
}

static void print_trace_piece(struct out *out, struct dump *d, struct packet_lines *lines, u64 at,
			      struct bytes piece)
{
	if (d->aux_type == PERF_AUXTRACE_INTEL_PT)
		print_packets(out, lines, piece);
	else
		print_bytes(out, piece, at, 8);
}

/* Print the trace after an AUXTRACE record: packets, or bytes if it is not Intel PT. */
static int print_trace(struct out *out, struct dump *d, const struct perf_record *rec)
{
	struct packet_lines lines = { 0 };
	u8 piece[4096];
	u64 at = 0;
	long n;

	if (d->aux_type == PERF_AUXTRACE_INTEL_PT && term_fits(out))
		;	/* the line of the record has its size */
	else if (d->aux_type == PERF_AUXTRACE_INTEL_PT)
		out_fmt(out, ".\n. ... Intel Processor Trace data: size %llu bytes\n",
			rec->aux_size);
	else
		out_fmt(out, ".\n. ... AUX data of type %u: size %llu bytes\n", d->aux_type,
			rec->aux_size);
	while (at < rec->aux_size && !out->err) {
		n = perf_aux_read(d->file, rec, at, piece, sizeof(piece));
		if (n < 0)
			return n;
		if (!n)
			break;	/* perf_next() reports that it is cut off */
		print_trace_piece(out, d, &lines, at, (struct bytes){ piece, n });
		at += n;
	}
	print_packets_end(out, &lines);
	return 0;
}

/* Print a piece of trace inside a sample. */
static void print_sample_trace(struct out *out, struct dump *d, struct bytes aux)
{
	struct packet_lines lines = { 0 };

	if (!aux.len || d->no_trace || d->aux_type != PERF_AUXTRACE_INTEL_PT)
		return;
	if (!term_fits(out))
		out_fmt(out, "\n. ... Intel Processor Trace data: size %llu bytes\n",
			(u64)aux.len);
	print_packets(out, &lines, aux);
	print_packets_end(out, &lines);
}

static int print_short(struct out *out, struct dump *d, const struct perf_record *rec,
		       const struct perf_sample *s)
{
	if (rec->type == PERF_AUXTRACE_INFO && rec->raw.len >= 16)
		d->aux_type = get32(rec->raw.at + 8);
	print_record_short(out, rec, s);
	print_sample_trace(out, d, s->aux);
	return rec->type == PERF_AUXTRACE && !d->no_trace ? print_trace(out, d, rec) : 0;
}

int print_dump(struct out *out, struct dump *d, const struct perf_record *rec,
	       const struct perf_sample *s)
{
	if (term_fits(out))
		return print_short(out, d, rec, s);
	if (!d->begun && !perf_ordered(d->file))
		out_str(out, "WARNING: No sample_id_all support, "
			     "falling back to unordered processing\n");
	d->begun = true;
	print_record_bytes(out, rec, perf_record_path(d->file, rec));
	print_stamp(out, d->file, rec, s);
	PRINT_WORDS(out, "%X00 [%X08]: PERF_RECORD_", rec->off, rec->raw.len);
	out_str(out, record_name(rec->type));
	if (rec->type == PERF_AUXTRACE_INFO && rec->raw.len >= 16)
		d->aux_type = get32(rec->raw.at + 8);
	if (rec->type >= PERF_HEADER_ATTR) {
		if (rec->type == PERF_FINISHED_ROUND && !perf_ordered(d->file))
			out_str(out, ": unhandled!");
		print_tool_record(out, rec);
		return rec->type == PERF_AUXTRACE && !d->no_trace ? print_trace(out, d, rec) : 0;
	}
	if (rec->type != PERF_SAMPLE) {
		print_record_body(out, rec, s);
	} else if (s->event && !s->bad) {
		PRINT_WORDS(out, "(IP, 0x%k00): %d08/%d10: %X18 period: %U20 addr: %X28\n",
			    rec->misc, s->pid, s->tid, s->ip, s->period, s->addr);
		if (CONFIG_CMD_SCRIPT)
			print_sample_fields(out, rec, s);
		if (d->sample)
			d->sample(d, out, rec, s);
	}
	print_sample_trace(out, d, s->aux);
	return 0;
}

void print_dump_end(struct out *out)
{
	if (out->at > out->buf && out->at[-1] != '\n')
		out_newline(out);
}

int print_perf(struct out *out, struct perf_file *f, const char **why)
{
	struct perf_order *order = perf_order_start(f);
	struct dump d = { .file = f };
	struct perf_record rec;
	struct perf_sample s;
	int got;

	*why = NULL;
	while ((got = perf_order_next(order, &rec, &s, why)) > 0 && !out->err) {
		got = print_dump(out, &d, &rec, &s);
		if (got)
			break;
	}
	print_dump_end(out);
	return got < 0 ? got : 0;
}
