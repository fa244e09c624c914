/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to lines.
 *
 * A line is assembled in the output buffer without format strings, which is faster.
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CMD_INJECT.h>
#include <pt/config/GUESTS.h>
#include <pt/config/PEBS.h>
#include <pt/config/SAMPLE_COLUMNS.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/SRCLINE.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/config/UNWIND.h>
#include <pt/event_spec.h>
#include <pt/print_tracepoint.h>
#include "sample_fields.h"
#include "sample_line.h"

enum { LINE = SAMPLE_LINE, SHORT_COMM = 8 };

/* The time since the first line (--reltime) or since the line before (--deltatime). */
static u64 relative_time(struct sample_printer *pr, u64 t)
{
	u64 base = pr->base ? pr->base : t;

	if (!pr->base || pr->since_last)
		pr->base = t;
	return t - base;
}

static char *put_time(char *p, u64 t, bool ns)
{
	u64 s = t / 1000000000, rest = t % 1000000000;

	if (ns) {
		p = put_dec_w(p, s, 5);
		p = put_char(p, '.');
		p = put_dec_0(p, rest, 9);
	} else {
		char *start = p;
		int len;

		p = put_dec_w(p, s, 5);
		p = put_char(p, '.');
		p = put_dec_0(p, rest / 1000, 6);
		len = p - start;
		if (len < 12) {
			memmove(start + 12 - len, start, len);
			put_fill(start, ' ', 12 - len);
			p = start + 12;
		}
	}
	return put_bytes(p, ": ", 2);
}

/* perf's letters for the 'misc' field of a record's header. */
static char *put_misc(char *p, u32 misc, u32 type)
{
	static const struct { char letter; u8 bits; } modes[] = {
		{ 'K', 1 }, { 'U', 2 }, { 'H', 3 }, { 'G', 4 }, { 'g', 5 },
	};
	enum { EXTRA = 1 << 13, PREEMPT = 1 << 14 };
	char *start = p;
	size_t i;

	for (i = 0; i < N_ELEM(modes); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			p = put_char(p, modes[i].letter);
	if (misc & EXTRA) {
		if (type == PERF_MMAP || type == PERF_MMAP2)
			p = put_char(p, 'M');
		if (type == PERF_COMM)
			p = put_char(p, 'E');
		if (type == PERF_SWITCH || type == PERF_SWITCH_CPU_WIDE)
			p = put_str(p, misc & PREEMPT ? "Sp" : "S");
	}
	return put_fill(p, ' ', MAX(6 - (p - start), 1));
}

/* Is it a thread of a guest whose records have its numbers? */
static bool is_inner(const struct sample_printer *pr, const struct thread *t)
{
	return CONFIG_GUESTS && pr->session->guests.n_vcpus && t && t->guest && t->guest->pid;
}

static char *put_machine(char *p, const struct sample_printer *pr, const struct thread *t)
{
	u64 fields = pr->fields.of[FIELDS_HW];

	if (fields & FIELD_MACHINE_PID) {
		p = put_int_w(put_bytes(p, "VM:", 3), t->guest->pid, 5);
		p = put_char(p, ' ');
	}
	if (fields & FIELD_VCPU) {
		p = put_dec_0(put_bytes(p, "VCPU:", 5), t->vcpu, 3);
		p = put_char(p, ' ');
	}
	return p;
}

static char *put_start(char *p, const struct sample_printer *pr, u64 fields,
		       const struct sample_start *s, bool pad_comm)
{
	if (is_brief(pr))
		return short_put_start(p, pr, fields, s);
	if (is_inner(pr, s->thread))
		p = put_machine(p, pr, s->thread);
	if (fields & FIELD_COMM) {
		int width = CONFIG_SCRIPT_MORE && pr->short_comm ? SHORT_COMM : 16;
		char comm[SHORT_COMM + 1];
		const char *name = s->comm;

		if (CONFIG_SCRIPT_MORE && pr->short_comm) {
			fmt_str(comm, sizeof(comm), "%.*s", SHORT_COMM, name);
			name = comm;
			pad_comm = true;
		}
		if (pad_comm)
			p = put_fill(p, ' ', width - (int)strlen(name));
		p = sample_put_name(p, name);
		p = put_char(p, ' ');
	}
	if ((fields & (FIELD_PID | FIELD_TID)) == (FIELD_PID | FIELD_TID)) {
		char *at;

		p = put_int_w(p, s->pid, 5);
		p = put_char(p, '/');
		at = p;
		p = put_int(p, s->tid);
		p = put_fill(p, ' ', 5 - (p - at));
		p = put_char(p, ' ');
	} else if (fields & (FIELD_PID | FIELD_TID)) {
		p = put_int_w(p, fields & FIELD_PID ? s->pid : s->tid, 5);
		p = put_char(p, ' ');
	}
	if (CONFIG_SCRIPT_MORE && fields & FIELD_CPU && pr->short_comm) {
		p = put_char(put_int_w(p, s->cpu, 3), ' ');
	} else if (fields & FIELD_CPU) {
		p = put_char(p, '[');
		if (s->cpu < 0) {
			p = put_char(p, '-');
			p = put_dec_0(p, -(i64)s->cpu, 2);
		} else {
			p = put_dec_0(p, s->cpu, 3);
		}
		p = put_bytes(p, "] ", 2);
	}
	if (fields & FIELD_MISC)
		p = put_misc(p, s->misc, s->type);
	if (CONFIG_SAMPLE_COLUMNS && fields & FIELD_TOD)
		p = sample_put_day(p, pr, s->time);
	if (fields & FIELD_TIME)
		p = put_time(p, pr->since_first || pr->since_last ?
			     relative_time((struct sample_printer *)pr, s->time) : s->time, pr->ns);
	return p;
}

static char *put_event(char *p, const struct sample_printer *pr, const char *name)
{
	if (!is_brief(pr))
		p = put_fill(p, ' ', pr->name_width - (int)strlen(name));
	p = sample_put_name(p, name);
	return put_bytes(p, ": ", 2);
}

static char *put_flags(char *p, u32 flags)
{
	char *start;

	p = put_fill(p, ' ', 2);
	start = p;
	p = sample_put_flag_words(p, flags);
	p = put_fill(p, ' ', 21 - (p - start));
	return put_char(p, ' ');
}

static char *put_padded_text(char *p, const struct sample_printer *pr, const struct sample *s)
{
	enum { TEXT_WIDTH = 34 };
	char *start = p;

	p = sample_put_text(p, pr, s);
	return put_fill(p, ' ', TEXT_WIDTH - (p - start));
}

/* Calls, indented by their depth */

static char *put_call_dso(char *p, const struct sample_printer *pr, const struct thread *t,
			  u64 ip, u32 fields)
{
	const struct map *map;

	if (!(fields & FIELD_DSO) || fields & (FIELD_IP | FIELD_ADDR))
		return p;
	map = session_map_at(pr->session, t, ip);
	p = put_char(p, '(');
	p = sample_put_dso_at(p, pr, map, ip, fields);
	return put_bytes(p, ")\t", 2);
}

char *sample_put_call_front(char *p, const struct sample_printer *pr, const struct thread *t,
			    u64 from, u32 flags)
{
	u32 fields = pr->fields.of[FIELDS_HW];

	if (pr->fields.flags)
		p = put_flags(p, flags);
	return fields & FIELD_CALLINDENT ? put_call_dso(p, pr, t, from, fields) : p;
}

char *sample_put_call_name(char *p, struct sample_printer *pr, const struct thread *t, u64 ip)
{
	return sample_put_place(p, pr, t, ip, PLACE_NAME);
}

static char *put_call(char *p, struct sample_printer *pr, const struct sample *s, u32 fields)
{
	bool guest = CONFIG_GUESTS && s->thread && s->thread->guest;	/* as in perf */
	const struct calls *calls = s->thread && !guest ? calls_if_any(s->thread, s->cpu) : NULL;
	char *start;
	int blanks = 0;
	u64 ip = 0;

	if (s->flags & (FLAG_CALL | FLAG_BEGIN))
		ip = s->addr;
	else if (s->flags & (FLAG_RETURN | FLAG_END))
		ip = s->ip;
	p = put_call_dso(p, pr, s->thread, s->ip, fields);
	/* The call of a return was removed from the stack before. */
	if (ip)
		blanks = sample_indent(calls ? calls->n + !!(s->flags & FLAG_RETURN) : 0);
	p = start = sample_put_blanks(p, pr, blanks);
	if (ip)
		p = sample_put_call_name(p, pr, s->thread, ip);
	return sample_put_blanks(p, pr, sample_spacing(pr, blanks + (p - start)));
}

static char *put_ipc(char *p, const struct sample *s)
{
	u32 ipc;

	if (!s->cyc_cnt || !s->insn_cnt)
		return p;
	ipc = s->insn_cnt * 100 / s->cyc_cnt;
	p = sample_put_word(p, " \t IPC: ", ipc / 100);
	p = put_char(p, '.');
	p = put_dec_0(p, ipc % 100, 2);
	p = sample_put_word(p, " (", s->insn_cnt);
	p = sample_put_word(p, "/", s->cyc_cnt);
	return put_bytes(p, ") ", 2);
}

static inline char *put_insn(char *p, struct sample_printer *pr, const struct thread *t,
			     u64 insn_ip, u8 len, u64 ip, u32 fields)
{
	if (!(fields & (FIELD_INSN | FIELD_INSNLEN | FIELD_DISASM)))
		return p;
	return sample_put_insn_columns(p, pr, t, insn_ip, len, ip, fields);
}

static inline void put_srccode(struct sample_printer *pr, const struct thread *t, u64 ip,
			       u64 fields)
{
	if (CONFIG_SRCLINE && fields & FIELD_SRCCODE)
		print_srccode(pr, t, ip);
}

static char *put_from(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		      u32 fields)
{
	if (is_brief(pr))
		return short_put_place(p, pr, t, ip, true, pr->brief->width / 2);
	return sample_put_place(p, pr, t, ip, fields | PLACE_ADDRESS);
}

static enum fields_type type_of(const struct sample *s)
{
	return s->kind <= SAMPLE_TX ? FIELDS_HW : FIELDS_SYNTH;
}

static bool has_chain(const struct sample_printer *pr, enum sample_kind kind, u32 fields)
{
	return pr->chain_size && kind != SAMPLE_BRANCH && fields & FIELD_IP;
}

char *sample_put_start(char *p, const struct sample_printer *pr, enum sample_kind kind,
		       const struct sample_start *s, u64 period, char **after_time)
{
	u32 fields = pr->fields.of[kind <= SAMPLE_TX ? FIELDS_HW : FIELDS_SYNTH];

	p = put_start(p, pr, fields, s, !has_chain(pr, kind, fields));
	*after_time = p;
	if (is_brief(pr))
		return p;
	if (fields & FIELD_PERIOD) {
		p = put_dec_w(p, period, 10);
		p = put_char(p, ' ');
	}
	if (fields & FIELD_EVENT)
		p = put_event(p, pr, pr->names[kind]);
	return p;
}

char *sample_put_branch_from(char *p, struct sample_printer *pr, const struct thread *t, u64 from)
{
	u32 fields = pr->fields.of[FIELDS_HW];

	return fields & FIELD_IP ? put_from(put_char(p, ' '), pr, t, from, fields) : p;
}

char *sample_put_branch_to(char *p, struct sample_printer *pr, const struct thread *t, u64 to)
{
	u32 fields = pr->fields.of[FIELDS_HW];

	if (!(fields & FIELD_ADDR) && pr->fields.set[FIELDS_HW])
		return p;
	return put_from(put_bytes(p, " => ", 4), pr, t, to, fields);
}

char *sample_put_insn(char *p, struct sample_printer *pr, const struct thread *t, u64 ip, u8 len)
{
	u32 fields = pr->fields.of[FIELDS_HW];

	if (fields & FIELD_IP)
		p = put_from(put_char(p, ' '), pr, t, ip, fields);
	p = sample_put_line_of(p, pr, t, ip, fields);
	return put_insn(p, pr, t, ip, len, ip, fields);
}

static char *put_costs(char *p, struct sample_printer *pr, const struct perf_sample *s, u64 fields)
{
	return CONFIG_SAMPLE_COLUMNS ? sample_put_costs(p, pr, s, fields) :
	       fields & FIELD_WEIGHT ? put_dec_w(p, s->weight, 16) : p;
}

void print_sample(struct sample_printer *pr, const struct sample *s)
{
	enum fields_type type = type_of(s);
	u32 fields = pr->fields.of[type];
	char *p, *after_time;

	if (!pr->fields.of[type])
		return;
	p = out_room(pr->out, LINE);
	p = sample_put_start(p, pr, s->kind,
			     &(struct sample_start){ s->thread ? s->thread->comm : ":-1", s->pid,
						     s->tid, s->cpu, s->time,
						     .thread = s->thread },
			     s->period, &after_time);
	if (is_brief(pr)) {
		out_line(pr->out, short_put_sample(p, pr, s));
		if (has_chain(pr, s->kind, fields))
			print_chain_made(pr, s->thread, s->cpu, s->ip, false, fields);
		return;
	}
	if (pr->fields.flags)
		p = put_flags(p, s->flags);
	if (s->kind == SAMPLE_BRANCH) {
		if (fields & FIELD_CALLINDENT)
			p = put_call(p, pr, s, fields);
		p = sample_put_branch_from(p, pr, s->thread, s->ip);
		p = sample_put_branch_to(p, pr, s->thread, s->addr);
		if (fields & FIELD_IPC)
			p = put_ipc(p, s);
		p = sample_put_line_of(p, pr, s->thread, s->ip, fields);
		p = put_insn(p, pr, s->insn_len ? s->insn_thread : s->thread, s->insn_ip,
			     s->insn_len, s->ip, fields);
		out_line(pr->out, p);
		put_srccode(pr, s->thread, s->ip, fields);
		return;
	}
	if (type == FIELDS_SYNTH && fields & FIELD_SYNTH)
		p = put_padded_text(p, pr, s);
	if (fields & FIELD_ADDR)
		p = put_hex_w(p, s->addr, 16);
	p = put_costs(p, pr, &(struct perf_sample){ 0 }, fields);
	if (has_chain(pr, s->kind, fields)) {
		out_line(pr->out, p);
		print_chain_made(pr, s->thread, s->cpu, s->ip, false, fields);
		p = out_room(pr->out, LINE);
	} else if (fields & FIELD_IP) {
		p = put_from(put_char(p, ' '), pr, s->thread, s->ip, fields);
		p = sample_put_line_of(p, pr, s->thread, s->ip, fields);
	}
	if (CONFIG_BRANCH_STACKS && pr->fields.of[type] & FIELDS_BRSTACK)
		p = sample_put_branches(p, pr, s->branches, s->thread, pr->fields.of[type]);
	p = put_insn(p, pr, s->insn_len ? s->insn_thread : s->thread, s->insn_ip, s->insn_len,
			     s->ip, fields);
	if (CONFIG_BRANCH_STACKS && pr->fields.of[type] & FIELDS_BRSTACKINSN)
		p = print_blocks(p, pr, s->branches, s->thread, s->ip, pr->fields.of[type]);
	if (fields & FIELD_PHYS_ADDR)
		p = put_hex_w(p, 0, 16);
	if (fields & FIELD_IPC)
		p = put_ipc(p, s);
	out_line(pr->out, p);
	put_srccode(pr, s->thread, s->ip, fields);
}

void print_record_start(struct sample_printer *pr, enum fields_type type, const char *comm,
			const struct perf_sample *s)
{
	u32 fields = pr->fields.of[type];
	bool chain = fields & FIELD_IP && pr->any_callchain &&
		     s->event->attr.sample_type >> PERF_S_CALLCHAIN & 1;
	char *p = out_room(pr->out, LINE);

	p = put_start(p, pr, fields,
		      &(struct sample_start){ comm, s->pid, s->tid, s->cpu, s->time, s->misc,
					      s->type }, !chain);
	out_done(pr->out, p);
}

static const char *kernel_function(void *who, u64 addr, u64 *start)
{
	struct session *s = who;
	const struct map *map = addr >> 63 ? session_map_at(s, NULL, addr) : NULL;
	const struct symbol *sym = session_symbol_at(s, map, addr);

	if (!sym)
		return NULL;
	*start = addr - (map_addr(&s->images, map, addr) - sym->start);
	return sym->name;
}

COLD void print_trace(struct out *out, struct session *session, const struct perf_sample *s)
{
	struct event_format *format;

	if (!CONFIG_TRACEPOINT_TEXT)
		return;
	format = event_format(&session->file, s->event);
	if (format && s->raw.len)
		print_tracepoint(out, format, s->raw,
				 &(struct kernel_names){ kernel_function, session });
}

COLD void print_trace_fields(struct out *out, struct session *session, const struct perf_sample *s)
{
	struct event_format *format = event_format(&session->file, s->event);

	if (format && s->raw.len)
		print_tracepoint_fields(out, format, s->raw);
}

/* Print an address of data; with its symbol if the event is a page fault. */
static char *put_data(char *p, struct sample_printer *pr, const struct perf_sample *s,
		      const struct thread *t, u32 fields)
{
	enum { SOFTWARE = 1, FAULTS = 1 << 2 | 1 << 5 | 1 << 6 };
	const struct perf_attr *attr = &s->event->attr;

	if (attr->type != SOFTWARE || attr->config > 6 || !(FAULTS >> attr->config & 1))
		return put_hex_w(p, s->addr, 16);
	return sample_put_place(p, pr, t, s->addr, fields | PLACE_ADDRESS);
}

/* Samples of each branch: pt inject makes such an event, and so does the BTS of processors. */
static bool is_every_branch(const struct perf_attr *attr)
{
	return attr->type == EVENT_HARDWARE && attr->config == HW_BRANCHES && attr->period == 1;
}

void print_recorded(struct sample_printer *pr, const struct perf_sample *s, struct thread *t)
{
	enum fields_type type = fields_type(s->event->attr.type);
	u64 fields = pr->fields.of[type];
	bool has = s->fields >> PERF_S_CALLCHAIN & 1;
	bool made = CONFIG_PEBS && s->in_trace;
	bool late = pr->late_chain_size && pr->session->have_pt && !made;
	bool chain = fields & FIELD_IP && (has ? pr->any_callchain : late);
	char *p;

	if (!fields)
		return;
	p = out_room(pr->out, LINE);
	p = put_start(p, pr, fields,
		      &(struct sample_start){ t ? t->comm : ":-1", s->pid, s->tid, s->cpu,
					      s->time, s->misc, s->type }, !chain);
	if (fields & FIELD_PERIOD && !is_brief(pr)) {
		p = put_dec_w(p, s->period, 10);
		p = put_char(p, ' ');
	}
	if (fields & FIELD_EVENT)
		p = put_event(p, pr, s->event->name);
	if (pr->fields.flags)
		p = put_flags(p, 0);
	if (CONFIG_TRACEPOINT_TEXT && fields & FIELD_TRACE) {
		out_done(pr->out, p);
		print_trace(pr->out, pr->session, s);
		p = out_room(pr->out, LINE);
	}
	if (CONFIG_CMD_INJECT && fields & FIELD_SYNTH && type == FIELDS_SYNTH)
		p = sample_put_made(p, pr, s);
	if (CONFIG_CMD_INJECT && is_every_branch(&s->event->attr)) {
		p = sample_put_branch_from(p, pr, t, s->ip);
		if (s->fields >> PERF_S_ADDR & 1)
			p = sample_put_branch_to(p, pr, t, s->addr);
		p = sample_put_line_of(p, pr, t, s->ip, fields);
		out_line(pr->out, put_insn(p, pr, t, 0, 0, s->ip, fields));
		put_srccode(pr, t, s->ip, fields);
		return;
	}
	if (fields & FIELD_ADDR)
		p = put_data(p, pr, s, t, fields);
	p = put_costs(p, pr, s, fields);
	/* As in perf, --max-stack=0 leaves no chain of a copy of the stack, not an empty one. */
	if (CONFIG_UNWIND && pr->no_frames && s->stack_user.len)
		chain = false;
	if (chain && !(made && !s->callchain.len)) {
		out_line(pr->out, p);
		if (has)
			print_chain(pr, s, t, fields);
		else
			print_chain_made(pr, t, s->cpu, s->ip, true, fields);
		p = out_room(pr->out, LINE);
	} else if (fields & FIELD_IP) {
		p = put_from(put_char(p, ' '), pr, t, s->ip, fields);
		p = sample_put_line_of(p, pr, t, s->ip, fields);
	}
	if (CONFIG_SAMPLE_COLUMNS && fields & FIELDS_MORE)
		p = sample_put_state(p, pr, s, t, fields);
	if (CONFIG_SAMPLE_COLUMNS && fields & FIELD_BPF_OUTPUT)
		p = sample_put_bpf(p, pr, s);
	p = put_insn(p, pr, t, 0, 0, s->ip, fields);
	if (CONFIG_BRANCH_STACKS && fields & FIELDS_BRSTACKINSN)
		p = print_blocks(p, pr, s->branches, t, s->ip, fields);
	if (fields & FIELD_PHYS_ADDR)
		p = put_hex_w(p, s->phys_addr, 16);
	if (CONFIG_SAMPLE_COLUMNS)
		p = sample_put_pages(p, pr, s, fields);
	out_line(pr->out, p);
	put_srccode(pr, t, s->ip, fields);
}

static COLD void print_short_gap(struct sample_printer *pr, const struct item *item, enum gap gap,
				 u64 time)
{
	bool lost = item->kind == ITEM_LOST;
	struct sample_start s = {
		item->thread ? item->thread->comm : ":-1",
		lost ? item->sample->pid : item->queue->pid,
		lost ? item->sample->tid : item->queue->tid,
		lost ? item->sample->cpu : item->queue->now_cpu, time,
	};
	char *p = out_room(pr->out, LINE);

	p = short_put_start(p, pr, pr->fields.of[FIELDS_HW], &s);
	out_line(pr->out, short_put_gap(p, pr, item->thread, lost ? 0 : item->step->from,
					flow_gap_text(gap)));
}

void print_gap(struct sample_printer *pr, const struct item *item, enum gap gap)
{
	const struct session *s = pr->session;
	bool lost = item->kind == ITEM_LOST;
	i32 pid = lost ? item->sample->pid : item->queue->pid;
	i32 tid = lost ? item->sample->tid : item->queue->tid;
	u64 time = lost ? item->sample->time : session_time(s, item->tsc);
	char *p = out_room(pr->out, LINE);

	if (is_brief(pr)) {
		print_short_gap(pr, item, gap, time);
		return;
	}
	p = put_str(p, " instruction trace error type 1 time ");
	if (time) {
		p = put_dec(p, time / 1000000000);
		p = put_char(p, '.');
		p = put_dec_0(p, time % 1000000000, 9);
	} else {
		p = put_char(p, '0');
	}
	if (!lost && is_inner(pr, item->thread)) {
		pid = item->thread->pid;
		tid = item->thread->tid;
		p = put_int(put_str(p, " machine_pid "), item->thread->guest->pid);
		p = put_int(put_str(p, " vcpu "), item->thread->vcpu);
	}
	p = put_int(put_str(p, " cpu "), lost ? item->sample->cpu : item->queue->now_cpu);
	p = put_int(put_str(put_int(put_str(p, " pid "), pid), " tid "), tid);
	p = sample_put_0x(p, " ip ", lost ? 0 : item->step->from);
	p = put_str(sample_put_word(p, " code ", gap), ": ");
	p = put_str(p, flow_gap_text(gap));
	out_line(pr->out, p);
}
