/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to JSON and TSV.
 *
 * An object has the fields of its sample; a row has all columns, some of them empty. Addresses
 * are text, "0x401000", because programs read numbers of more than 53 bits wrong.
 */
#include <pt/print_rows.h>
#include <pt/json.h>
#include "sample_line.h"

enum column {
	COMM, PID, TID, CPU, TIME, EVENT, PERIOD, IP, SYM, SYMOFF, DSO, ADDR, ADDR_SYM,
	ADDR_SYMOFF, ADDR_DSO, FLAGS, DEPTH, INSN, INSNLEN, DISASM, SRCLINE, INSNS, CYCLES, TEXT,
	N_COLUMNS
};

/* Of which fields they are: all of these; 0: there is always one. */
static const struct { const char *name; u64 fields; } columns[N_COLUMNS] = {
	[COMM] = { "comm", FIELD_COMM }, [PID] = { "pid", FIELD_PID }, [TID] = { "tid", FIELD_TID },
	[CPU] = { "cpu", FIELD_CPU }, [TIME] = { "time", FIELD_TIME },
	[EVENT] = { "event", FIELD_EVENT }, [PERIOD] = { "period", FIELD_PERIOD },
	[IP] = { "ip", FIELD_IP }, [SYM] = { "sym", FIELD_SYM },
	[SYMOFF] = { "symoff", FIELD_SYMOFF }, [DSO] = { "dso", FIELD_DSO },
	[ADDR] = { "addr", FIELD_ADDR }, [ADDR_SYM] = { "addr_sym", FIELD_ADDR | FIELD_SYM },
	[ADDR_SYMOFF] = { "addr_symoff", FIELD_ADDR | FIELD_SYMOFF },
	[ADDR_DSO] = { "addr_dso", FIELD_ADDR | FIELD_DSO },
	[FLAGS] = { "flags", 0 }, [DEPTH] = { "callindent", FIELD_CALLINDENT },
	[INSN] = { "insn", FIELD_INSN }, [INSNLEN] = { "insnlen", FIELD_INSNLEN },
	[DISASM] = { "disasm", FIELD_DISASM }, [SRCLINE] = { "srcline", FIELD_SRCLINE },
	[INSNS] = { "insns", FIELD_IPC }, [CYCLES] = { "cycles", FIELD_IPC },
	[TEXT] = { "text", FIELD_SYNTH },
};

/* What a line is of. */
struct row {
	const struct thread *thread;
	const char *comm, *event, *text;
	const struct sample *sample;	/* made; or NULL */
	i32 pid, tid, cpu;
	u64 time, period, ip, addr;
	u32 flags;
	u64 has;		/* bits of enum column */
};

static bool is_shown(const struct row_printer *r, u32 c)
{
	if (c == FLAGS)
		return r->pr->fields.flags;
	return (r->columns & columns[c].fields) == columns[c].fields;
}

/* What is before a value; false: there is none. */
static bool begin(struct row_printer *r, const struct row *row, u32 c)
{
	struct out *out = r->pr->out;
	bool has = row->has >> c & 1;

	if (!is_shown(r, c) || (!r->tsv && !has))
		return false;
	if (!r->first)
		out_char(out, r->tsv ? '\t' : ',');
	r->first = false;
	if (!r->tsv)
		out_fmt(out, "\"%s\":", columns[c].name);
	return has;
}

/* In a cell: what ends it, and control bytes, are escaped. */
static void put_cell(struct out *out, const char *s)
{
	char *p = out_room(out, 3 * SAMPLE_NAME), *end = p + 3 * SAMPLE_NAME - 8;

	for (; *s && p < end; s++) {
		if (*s == '\t' || *s == '\n' || *s == '\\')
			p = put_char(put_char(p, '\\'), *s == '\t' ? 't' : *s == '\n' ? 'n' : '\\');
		else if (*s >= 0 && *s < ' ')
			p = put_byte(put_bytes(p, "\\x", 2), *s);
		else
			p = put_char(p, *s);
	}
	out_done(out, p);
}

static void put_text(struct row_printer *r, const char *s)
{
	if (r->tsv)
		put_cell(r->pr->out, s);
	else
		json_text(r->pr->out, s);
}

static void put_address(struct row_printer *r, u64 v)
{
	struct out *out = r->pr->out;
	char *p = out_room(out, 32);

	p = put_hex(put_str(p, r->tsv ? "0x" : "\"0x"), v);
	out_done(out, r->tsv ? p : put_char(p, '"'));
}

/* Text that other columns are made of: without blanks around it. */
static void put_trimmed(struct row_printer *r, char *at, char *end)
{
	while (end > at && end[-1] == ' ')
		end--;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	*end = 0;
	put_text(r, at);
}

static void put_place(struct row_printer *r, struct row *row, u64 ip, u32 sym_column)
{
	struct session *s = r->pr->session;
	const struct map *map = session_map_at(s, row->thread, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);

	row->has |= (u64)(sym != NULL) << sym_column | (u64)(sym != NULL) << (sym_column + 1) |
		    (u64)(map != NULL) << (sym_column + 2);
	if (begin(r, row, sym_column))
		put_text(r, sym->name);
	if (begin(r, row, sym_column + 1))
		out_fmt(r->pr->out, "%llu", map_addr(&s->images, map, ip) - sym->start);
	if (begin(r, row, sym_column + 2))
		put_text(r, map->dso->name);
}

static void put_code(struct row_printer *r, struct row *row)
{
	const struct sample *s = row->sample;
	bool insn = s && s->insn_len;
	char text[2 * SAMPLE_NAME + 400], *end;

	row->has |= insn ? 7ull << INSN : 0;
	if (begin(r, row, INSN)) {
		end = sample_put_code(text, r->pr, s);
		put_trimmed(r, text, end);
	}
	if (begin(r, row, INSNLEN))
		out_fmt(r->pr->out, "%u", s->insn_len);
	if (begin(r, row, DISASM)) {
		end = sample_put_disasm(text, r->pr, s);
		put_trimmed(r, text, end);
	}
	end = text;
	if (is_shown(r, SRCLINE))
		end = sample_put_srcline(text, r->pr, row->thread, row->ip, "");
	row->has |= (u64)(end > text) << SRCLINE;
	if (begin(r, row, SRCLINE))
		put_trimmed(r, text, end);
}

static void put_branch(struct row_printer *r, struct row *row)
{
	const struct sample *s = row->sample;
	const struct calls *calls = s && s->thread ? calls_if_any(s->thread, s->cpu) : NULL;
	char text[200];

	row->has |= (u64)(calls != NULL) << DEPTH;
	if (begin(r, row, FLAGS))
		put_trimmed(r, text, sample_put_flag_words(text, row->flags));
	if (begin(r, row, DEPTH))
		out_fmt(r->pr->out, "%u", calls->n);
}

static void put_row(struct row_printer *r, struct row *row)
{
	const struct sample *s = row->sample;
	struct out *out = r->pr->out;
	char text[64];

	r->first = true;
	if (!r->tsv)
		out_char(out, '{');
	if (begin(r, row, COMM))
		put_text(r, row->comm);
	if (begin(r, row, PID))
		out_fmt(out, "%d", row->pid);
	if (begin(r, row, TID))
		out_fmt(out, "%d", row->tid);
	if (begin(r, row, CPU))
		out_fmt(out, "%d", row->cpu);
	if (begin(r, row, TIME)) {
		*put_fixed(text, row->time, 1000000000, 9) = 0;
		out_str(out, text);
	}
	if (begin(r, row, EVENT))
		put_text(r, row->event);
	if (begin(r, row, PERIOD))
		out_fmt(out, "%llu", row->period);
	if (begin(r, row, IP))
		put_address(r, row->ip);
	put_place(r, row, row->has >> IP & 1 ? row->ip : 0, SYM);
	if (begin(r, row, ADDR))
		put_address(r, row->addr);
	put_place(r, row, row->has >> ADDR & 1 ? row->addr : 0, ADDR_SYM);
	put_branch(r, row);
	put_code(r, row);
	row->has |= s && s->cyc_cnt ? 3ull << INSNS : 0;
	if (begin(r, row, INSNS))
		out_fmt(out, "%llu", s->insn_cnt);
	if (begin(r, row, CYCLES))
		out_fmt(out, "%llu", s->cyc_cnt);
	if (begin(r, row, TEXT))
		put_text(r, row->text);
	if (!r->tsv)
		out_char(out, '}');
	out_newline(out);
}

static void put_header(struct row_printer *r)
{
	struct row none = { 0 };
	u32 c;

	for (r->first = true, c = 0; c < N_COLUMNS; c++) {
		if (!is_shown(r, c))
			continue;
		begin(r, &none, c);
		out_str(r->pr->out, columns[c].name);
	}
	out_newline(r->pr->out);
}

static void start(struct row_printer *r)
{
	u32 i;

	for (i = 0; i < N_FIELDS_TYPES; i++)
		r->columns |= i == FIELDS_HW || i == FIELDS_SYNTH || r->pr->fields.set[i] ?
			      r->pr->fields.of[i] : 0;
	/* perf prints both as one column. */
	if (r->columns & FIELD_TID)
		r->columns |= FIELD_PID;
	r->begun = true;
	if (r->tsv)
		put_header(r);
}

#define BIT(column) (1ull << (column))

static void print_made(struct row_printer *r, const struct sample *s)
{
	char text[300], *end = sample_put_text(text, r->pr, s), *at = text;
	struct row row = {
		.thread = s->thread, .comm = s->thread ? s->thread->comm : ":-1", .sample = s,
		.event = r->pr->names[s->kind], .pid = s->pid, .tid = s->tid, .cpu = s->cpu,
		.time = s->time, .period = s->period, .ip = s->ip, .addr = s->addr,
		.flags = s->flags, .text = text,
		.has = BIT(COMM) | BIT(PID) | BIT(TID) | BIT(EVENT) | BIT(PERIOD),
	};

	while (end > at && end[-1] == ' ')
		end--;
	*end = 0;
	while (*at == ' ')
		row.text = ++at;
	row.has |= s->time ? BIT(TIME) : 0;
	row.has |= s->cpu >= 0 ? BIT(CPU) : 0;
	row.has |= s->kind == SAMPLE_BRANCH && s->flags & FLAG_BEGIN && !s->ip ? 0 : BIT(IP);
	if (s->kind == SAMPLE_BRANCH)
		row.has |= BIT(FLAGS) | (s->flags & FLAG_END && !s->addr ? 0 : BIT(ADDR));
	row.has |= *row.text ? BIT(TEXT) : 0;
	put_row(r, &row);
}

static void print_of_file(struct row_printer *r, const struct perf_sample *s,
			  const struct thread *thread)
{
	u64 type = s->event->attr.sample_type;
	struct row row = {
		.thread = thread, .comm = thread ? thread->comm : ":-1", .event = s->event->name,
		.pid = s->pid, .tid = s->tid, .cpu = s->cpu, .time = s->time, .period = s->period,
		.ip = s->ip, .addr = s->addr, .has = BIT(COMM) | BIT(EVENT),
	};

	row.has |= type >> PERF_S_TID & 1 ? BIT(PID) | BIT(TID) : 0;
	row.has |= type >> PERF_S_CPU & 1 ? BIT(CPU) : 0;
	row.has |= type >> PERF_S_TIME & 1 ? BIT(TIME) : 0;
	row.has |= type >> PERF_S_PERIOD & 1 ? BIT(PERIOD) : 0;
	row.has |= type >> PERF_S_IP & 1 ? BIT(IP) : 0;
	row.has |= type >> PERF_S_ADDR & 1 ? BIT(ADDR) : 0;
	put_row(r, &row);
}

static void print_gap_row(struct row_printer *r, const struct entry *e)
{
	const struct item *item = e->item;
	bool step = item->kind == ITEM_STEP;
	struct row row = {
		.thread = e->thread, .comm = e->thread ? e->thread->comm : ":-1", .event = "gap",
		.text = flow_gap_text(e->gap), .cpu = -1,
		.has = BIT(EVENT) | BIT(TEXT),
	};

	if (e->thread) {
		row.pid = e->thread->pid;
		row.tid = e->thread->tid;
		row.has |= BIT(COMM) | BIT(PID) | BIT(TID);
	}
	row.time = step ? session_time(r->pr->session, item->tsc) : item->sample->time;
	row.ip = step ? item->step->from : 0;
	row.has |= (row.time ? BIT(TIME) : 0) | (row.ip ? BIT(IP) : 0);
	put_row(r, &row);
}

void print_row(struct row_printer *r, const struct entry *e)
{
	if (!r->begun)
		start(r);
	if (e->kind == ENTRY_SAMPLE)
		print_made(r, e->sample);
	else if (e->kind == ENTRY_RECORDED)
		print_of_file(r, e->recorded, e->thread);
	else if (e->kind == ENTRY_GAP)
		print_gap_row(r, e);
}
