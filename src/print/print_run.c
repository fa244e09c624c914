/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs to lines.
 *
 * Two texts make a line: its start, which stays the same while thread, CPU and
 * time do, and the rest, which belongs to a branch or an instruction of a run
 * and is kept there. Lines are then copies of 16 or 32 bytes at a time.
 */
#include <pt/print_run.h>

#include "run_text.h"

enum { START_MAX = 512 };

struct line_start {
	const char *comm;
	i32 pid, tid, cpu;
	u64 tsc, second;
	u32 len, behind_time;
	char text[START_MAX + KEPT_SLACK];
};

void print_run_start(struct sample_printer *pr, const struct itrace *it)
{
	u32 fields = pr->fields.of[FIELDS_HW];
	bool each = it->instructions &&
		    (it->unit == ITRACE_INSNS ? it->period <= 1 : !it->period);
	bool branches = it->branches && !it->instructions &&
			!(fields & (FIELD_INSN | FIELD_INSNLEN));

	pr->by_run = BY_SAMPLE;
	if (it->skip || it->quick || it->callchain || it->callchain_others ||
	    fields & FIELD_IPC || !fields)
		return;
	pr->calls = it->calls;
	pr->returns = it->returns;
	if (it->calls || it->returns)
		pr->by_run = branches ? CALLS : BY_SAMPLE;
	else if (fields & FIELD_CALLINDENT)
		return;
	else if (branches)
		pr->by_run = BRANCHES;
	else if (each && !it->branches && !pr->fields.flags &&
		 !(fields & (FIELD_PERIOD | FIELD_ADDR)))
		pr->by_run = INSNS;
	pr->start = NEW(&pr->session->arena, struct line_start, 1);
	pr->start->tsc = ~0ULL;
}

enum { NS = 1000000000 };

/* Only time went on, and not to another second: new digits behind its point. */
static bool renew_time(struct sample_printer *pr, u64 tsc)
{
	struct line_start *l = pr->start;
	u64 ns = session_time(pr->session, tsc), rest = ns - l->second * NS;
	u32 digits = pr->ns ? 9 : 6;

	if (!(pr->fields.of[FIELDS_HW] & FIELD_TIME) || rest >= NS || l->len == START_MAX)
		return false;
	put_dec_0(l->text + l->behind_time - 2 - digits, pr->ns ? rest : rest / 1000, digits);
	l->tsc = tsc;
	return true;
}

static void render_start(struct sample_printer *pr, const struct item *item, u64 tsc,
			 const char *comm)
{
	struct line_start *l = pr->start;
	const struct queue *q = item->queue;
	struct sample_start s = { comm, q->pid, q->tid, q->now_cpu,
				  session_time(pr->session, tsc) };
	char *p = out_room(pr->out, SAMPLE_LINE), *end, *behind_time;

	end = sample_put_start(p, pr, pr->by_run == INSNS ? SAMPLE_INSN : SAMPLE_BRANCH, &s, 1,
			       &behind_time);
	l->comm = comm;
	l->pid = q->pid;
	l->tid = q->tid;
	l->cpu = q->now_cpu;
	l->tsc = tsc;
	l->second = s.time / NS;
	l->behind_time = behind_time - p;
	l->len = MIN((u32)(end - p), (u32)START_MAX);
	memcpy(l->text, p, l->len);
}

/* The start of lines that come now, at this time. */
static inline void set_start(struct sample_printer *pr, const struct item *item, u64 tsc)
{
	const struct queue *q = item->queue;
	const char *comm = item->thread->comm;
	struct line_start *l = pr->start;

	if (unlikely(l->comm != comm || l->tid != q->tid || l->pid != q->pid ||
		     l->cpu != q->now_cpu))
		render_start(pr, item, tsc, comm);
	else if (l->tsc != tsc && !renew_time(pr, tsc))
		render_start(pr, item, tsc, comm);
}

static inline char *put_line_start(char *p, struct sample_printer *pr, const struct item *item,
				   u64 tsc)
{
	set_start(pr, item, tsc);
	return put_kept(p, pr->start->text, pr->start->len);
}

static inline void print_rest(struct sample_printer *pr, const struct item *item, u64 tsc,
			      const struct rest *rests, u32 i)
{
	char *p = out_room(pr->out, SAMPLE_LINE);

	pr->n_lines++;
	p = put_line_start(p, pr, item, tsc);
	out_done(pr->out, put_kept(p, run_text(rests, i), rests[i].len));
}

/* Room for a line that begins with this time. */
static char *new_line(struct sample_printer *pr, const struct item *item, char *p, u64 tsc)
{
	out_done(pr->out, p);
	set_start(pr, item, tsc);
	return out_room(pr->out, SAMPLE_LINE);
}

static inline char *put_branch_to(char *p, struct sample_printer *pr, const struct thread *t,
				  u64 to)
{
	u32 fields = pr->fields.of[FIELDS_HW];
	const struct place *place = NULL;

	if (fields & FIELD_ADDR || !pr->fields.set[FIELDS_HW])
		place = sample_place(p, pr, t, to, fields | PLACE_ADDRESS);
	if (unlikely(!place))
		return sample_put_branch_to(p, pr, t, to);
	return put_long(put_bytes(p, " => ", 4), place->text, place->len);
}

static inline bool is_kept(struct sample_printer *pr, const struct item *item, struct run *run)
{
	return run->text ? run->text != &run_text_never : run_text_make(pr, item->thread, run);
}

/* Returns the first that cannot be. */
static const struct passed *print_branches(struct sample_printer *pr, const struct item *item,
					   const struct passed *b,
					   const struct passed *end)
{
	enum { AHEAD = 8 };
	struct out *out = pr->out;
	const struct line_start *start = pr->start;
	u64 n_lines = 0;
	u32 i, last;
	char *p;

	if (b == end)
		return b;
	set_start(pr, item, b->tsc_in);
	p = out->at;
	for (; b < end; b++) {
		struct run *run = b->run;
		const struct rest *rests;

		/* A compiler's lines are in no near cache. */
		if (end - b > AHEAD) {
			const char *text = b[AHEAD].run->text;

			__builtin_prefetch(text);
			__builtin_prefetch(text + 64);
			__builtin_prefetch(text + 128);
		}
		if (unlikely(!run->text || run->text == &run_text_never)) {
			bool kept;

			out_done(out, p);
			kept = is_kept(pr, item, run);
			p = out->at;
			if (!kept)
				break;
		}
		rests = run->text;
		last = run->n_segments - 1;
		for (i = 0; i < last && item->halves & STEP_STRETCH; i++) {
			if (unlikely(start->tsc != b->tsc_in || out->end - p < SAMPLE_LINE))
				p = new_line(pr, item, p, b->tsc_in);
			p = put_kept(p, start->text, start->len);
			p = put_long(p, run_text(rests, i), rests[i].len);
			n_lines++;
		}
		if (!b->to || !(item->halves & STEP_EVENT))
			continue;
		if (unlikely(start->tsc != b->tsc || out->end - p < SAMPLE_LINE))
			p = new_line(pr, item, p, b->tsc);
		p = put_kept(p, start->text, start->len);
		p = put_long(p, run_text(rests, last), rests[last].len);
		if (run->end != INSN_COND) {
			p = put_branch_to(p, pr, item->thread, b->to);
			p = put_char(p, '\n');
		}
		n_lines++;
	}
	pr->n_lines += n_lines;
	out_done(out, p);
	return b;
}

static void print_call(struct sample_printer *pr, const struct item *item, struct calls *calls,
		       const struct run *run, u64 tsc, u32 i, u64 from, u64 to, u8 kind, u8 len)
{
	const struct rest *rests = run->text;
	struct rest r = rests[i];
	const char *kept = run_text(rests, i);
	bool ret = kind == INSN_RET, indent = pr->fields.of[FIELDS_HW] & FIELD_CALLINDENT;
	char *p, *name;
	int blanks;

	if (indent)
		calls_branch(&pr->session->arena, pr->out, calls, samples_flags[kind], from, to,
			     len, item->queue->trace_nr);
	if (!(ret ? pr->returns : pr->calls))
		return;
	p = out_room(pr->out, SAMPLE_LINE);
	if (unlikely(pr->blind)) {
		blanks = kind == INSN_CALL_INDIRECT ?
			 sample_put_call_name(p, pr, item->thread, to) - p : r.name;
		sample_spacing(pr, (calls->n + ret) * 4 + blanks);
		return;
	}
	pr->n_lines++;
	p = put_line_start(p, pr, item, tsc);
	p = put_kept(p, kept, r.front);
	kept += r.front;
	if (indent) {
		/* A return was taken off before. */
		name = sample_put_indent(p, pr, calls, ret, &blanks);
		p = kind == INSN_CALL_INDIRECT ? sample_put_call_name(name, pr, item->thread, to)
					       : put_kept(name, kept, r.name);
		p = sample_put_spacing(p, pr, blanks, p - name);
	}
	r.len -= r.front + r.name;
	kept += r.name;
	if (kind == INSN_CALL) {
		out_done(pr->out, put_kept(p, kept, r.len));
		return;
	}
	p = put_kept(p, kept, r.len - 1);
	p = sample_put_branch_to(p, pr, item->thread, to);
	out_done(pr->out, put_char(p, '\n'));
}

static void print_calls(struct sample_printer *pr, const struct item *item,
			const struct passed *b)
{
	const struct run *run = b->run;
	struct calls *calls = calls_of(&pr->session->arena, item->thread, item->queue->now_cpu);
	u32 i, last = run->n_segments - 1;

	if (item->halves & STEP_STRETCH && run->n_calls)
		for (i = 0; i < last; i++) {
			const struct segment *g = &run->segments[i];
			u64 behind = g->ip + g->bytes;

			if (g->kind == INSN_CALL)
				print_call(pr, item, calls, run, b->tsc_in, i,
					   behind - g->branch_len, run_branch_target(run, i),
					   INSN_CALL, g->branch_len);
		}
	if (item->halves & STEP_EVENT && (run->end == INSN_RET || run->end == INSN_CALL_INDIRECT))
		print_call(pr, item, calls, run, b->tsc, last, run->end_ip, b->to, run->end,
			   run->end_len);
}

static void print_insns(struct sample_printer *pr, const struct item *item,
			const struct passed *b)
{
	const struct rest *rests = b->run->text;
	u32 i, n = b->run->n, all = rests[n - 1].at + rests[n - 1].len - rests[0].at;
	char *p;

	if (item->halves == (STEP_STRETCH | STEP_EVENT) && all < SAMPLE_LINE / 2) {
		p = out_room(pr->out, SAMPLE_LINE);
		if (put_line_start(p, pr, item, b->tsc) == p) {
			out_done(pr->out, put_kept(p, run_text(rests, 0), all));
			pr->n_lines += n;
			return;
		}
	}
	if (item->halves & STEP_STRETCH)
		for (i = 0; i + 1 < n; i++)
			print_rest(pr, item, b->tsc_in, rests, i);
	if (item->halves & STEP_EVENT)
		print_rest(pr, item, b->tsc, rests, n - 1);
}

/* Has the flags column nothing to say but what the branch is? */
static bool is_plain(const struct sample_printer *pr, const struct step *step)
{
	return !pr->fields.flags ||
	       (!(step->what & STEP_IN_TX) && !pr->session->pt.cap_event_trace);
}

/* How many could be printed, of which nobody wants to know more than is kept. */
static u32 print_kept(struct sample_printer *pr, const struct item *item,
		      const struct passed *first, const struct passed *end)
{
	const struct passed *b = first;

	if (pr->by_run == BRANCHES) {
		b = print_branches(pr, item, first, end);
	} else {
		for (; b < end && is_kept(pr, item, b->run); b++)
			(pr->by_run == CALLS ? print_calls : print_insns)(pr, item, b);
	}
	if (unlikely(pr->out->lines))
		out_flush(pr->out);
	return b - first;
}

bool print_run(struct sample_printer *pr, const struct item *item)
{
	const struct step *step = item->step;
	struct passed b = { .run = step->run, .to = step->what & STEP_BRANCH ? step->to : 0,
			    .tsc_in = item->tsc_in, .tsc = item->tsc };

	if (!pr->by_run || !item->thread || !is_plain(pr, step) ||
	    !(pr->mute || print_kept(pr, item, &b, &b + 1)))
		return false;
	samples_pass(item);
	return true;
}

u32 print_passed(struct sample_printer *pr, const struct item *passed, u32 i)
{
	struct flow *f = passed->queue->flow;
	const struct passed *start = f->passed + i, *end = f->passed + f->n_passed, *b;

	if (pr->mute || !passed->thread)
		return 0;
	b = start + print_kept(pr, passed, start, end);
	if (b > start)
		f->skipped = (struct skipped){ true, b[-1].run->end, b[-1].run->end_len,
					       b[-1].run->end_ip, 0 };
	return b - start;
}
