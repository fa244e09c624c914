/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs to lines.
 *
 * Two texts make a line: its start, which stays the same while thread, CPU and
 * time do, and the rest, which belongs to a branch or an instruction of a run
 * and is kept there. Lines are then copies of 16 bytes at a time.
 */
#include <pt/print_run.h>

#include "sample_line.h"

enum { BY_SAMPLE, BRANCHES, INSNS, CALLS };	/* by_run */

enum { SLACK = 16, START_MAX = 512, PARTS_MAX = 1024, MEMORY = 128 << 20 };

struct line_start {
	const char *comm;
	i32 pid, tid, cpu;
	u64 tsc, second;
	u32 len, behind_time;
	char text[START_MAX + SLACK];
};

/* The kept rest of a line; 'len' 0: it cannot be kept. In a list of calls it has a front
 * that goes before the indent, and a name. */
struct rest { u32 at; u16 len, front, name; };

struct run_text {
	char *text;
	struct rest rest[];
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

static inline char *put_line_start(char *p, struct sample_printer *pr, const struct item *item,
				   u64 tsc)
{
	const struct queue *q = item->queue;
	const char *comm = item->thread ? item->thread->comm : ":-1";
	struct line_start *l = pr->start;

	if (unlikely(l->comm != comm || l->tid != q->tid || l->pid != q->pid ||
		     l->cpu != q->now_cpu))
		render_start(pr, item, tsc, comm);
	else if (l->tsc != tsc && !renew_time(pr, tsc))
		render_start(pr, item, tsc, comm);
	return put_kept(p, l->text, l->len);
}

/* What is rendered for a run goes with it. */
struct writer {
	struct arena *arena;
	struct run_text *to;
	u32 n, room;
};

static void keep(struct writer *w, u32 i, const char *text, u32 len)
{
	u32 room = w->room;

	while (w->n + len + SLACK > room)
		room = room ? room * 2 : 64;
	if (room > w->room)
		w->to->text = arena_grow(w->arena, w->to->text, 1, w->n, room);
	w->room = room;
	memcpy(w->to->text + w->n, text, len);
	w->to->rest[i] = (struct rest){ .at = w->n, .len = len };
	w->n += len;
}

static struct writer new_text(struct sample_printer *pr, u32 n)
{
	struct arena *arena = &pr->session->runs.arena;
	struct run_text *to = arena_alloc(arena, sizeof(*to) + n * sizeof(*to->rest));

	return (struct writer){ arena, to, 0, 0 };
}

/* Of a branch that can go to one place both ends are kept, else only where it is. */
static void keep_branch(struct sample_printer *pr, struct writer *w, u32 i,
			const struct thread *t, u64 from, u64 to, u8 kind)
{
	char *p = out_room(pr->out, SAMPLE_LINE), *end;
	bool one_place = kind == INSN_JUMP || kind == INSN_CALL || kind == INSN_COND;

	end = sample_put_call_front(p, pr, t, from, samples_flags[kind]);
	end = sample_put_branch_from(end, pr, t, from);
	if (one_place) {
		if (!sample_map(pr->session, t, to))
			return;
		end = sample_put_branch_to(end, pr, t, to);
		end = put_char(end, '\n');
	}
	keep(w, i, p, end - p);
}

static struct run_text *branch_text(struct sample_printer *pr, const struct thread *t,
				    struct run *run)
{
	u32 i, n = run->n_segments;
	struct writer w = new_text(pr, n);

	for (i = 0; i + 1 < n; i++) {
		const struct segment *g = &run->segments[i];

		keep_branch(pr, &w, i, t, g->ip + g->bytes - g->branch_len,
			    run_branch_target(run, i), g->kind);
	}
	keep_branch(pr, &w, n - 1, t, run->end_ip, run->target, run->end);
	return w.to;
}

static struct run_text *insn_text(struct sample_printer *pr, const struct thread *t,
				  struct run *run)
{
	struct writer w = new_text(pr, run->n);
	struct run_walk walk = run_walk(&pr->session->runs, run, run->n);
	char *p, *end;

	while (run_walk_next(&walk)) {
		p = out_room(pr->out, SAMPLE_LINE);
		end = sample_put_insn(p, pr, t, walk.ip, walk.len);
		end = put_char(end, '\n');
		keep(&w, walk.i - 1, p, end - p);
	}
	return w.to;
}

/* The same of a call or return. */
static void keep_call(struct sample_printer *pr, struct writer *w, u32 i, const struct thread *t,
		      u64 from, u64 to, u8 kind)
{
	char *start = out_room(pr->out, SAMPLE_LINE), *p, *front, *name;
	bool ret = kind == INSN_RET, one_place = kind == INSN_CALL;

	p = front = sample_put_call_front(start, pr, t, from, samples_flags[kind]);
	if (ret || one_place)
		p = sample_put_call_name(p, pr, t, ret ? from : to);
	name = p;
	if (!sample_map(pr->session, t, from) || (one_place && !sample_map(pr->session, t, to)))
		return;
	p = sample_put_branch_from(p, pr, t, from);
	if (one_place)
		p = sample_put_branch_to(p, pr, t, to);
	keep(w, i, start, put_char(p, '\n') - start);
	w->to->rest[i].front = front - start;
	w->to->rest[i].name = name - front;
}

static struct run_text *call_text(struct sample_printer *pr, const struct thread *t,
				  struct run *run)
{
	u32 i, n = run->n_segments;
	struct writer w = new_text(pr, n);

	for (i = 0; i < n; i++) {
		const struct segment *g = &run->segments[i];
		bool last = i + 1 == n;
		u8 kind = last ? run->end : g->kind;

		if (kind == INSN_CALL || kind == INSN_CALL_INDIRECT || kind == INSN_RET)
			keep_call(pr, &w, i, t, g->ip + g->bytes - g->branch_len,
				  last ? 0 : run_branch_target(run, i), kind);
		else
			keep(&w, i, "", 1);
	}
	return w.to;
}

static inline void print_rest(struct sample_printer *pr, const struct item *item, u64 tsc,
			      const struct run_text *text, u32 i)
{
	char *p = out_room(pr->out, SAMPLE_LINE);

	pr->n_lines++;
	p = put_line_start(p, pr, item, tsc);
	p = put_kept(p, text->text + text->rest[i].at, text->rest[i].len);
	out_done(pr->out, p);
}

static void print_branches(struct sample_printer *pr, const struct item *item)
{
	const struct step *step = item->step;
	const struct run_text *text = step->run->text;
	u32 i, last = step->run->n_segments - 1;
	char *p;

	if (item->halves & STEP_STRETCH)
		for (i = 0; i < last; i++)
			print_rest(pr, item, item->tsc_in, text, i);
	if (!(item->halves & STEP_EVENT) || !(step->what & STEP_BRANCH))
		return;
	if (step->kind == INSN_COND) {
		print_rest(pr, item, item->tsc, text, last);
		return;
	}
	pr->n_lines++;
	p = out_room(pr->out, SAMPLE_LINE);
	p = put_line_start(p, pr, item, item->tsc);
	p = put_kept(p, text->text + text->rest[last].at, text->rest[last].len);
	p = sample_put_branch_to(p, pr, item->thread, step->to);
	out_done(pr->out, put_char(p, '\n'));
}

static void print_call(struct sample_printer *pr, const struct item *item, struct calls *calls,
		       u64 tsc, u32 i, u64 from, u64 to, u8 kind, u8 len)
{
	const struct run_text *text = item->step->run->text;
	struct rest r = text->rest[i];
	const char *kept = text->text + r.at;
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

static void print_calls(struct sample_printer *pr, const struct item *item)
{
	const struct step *step = item->step;
	const struct run *run = step->run;
	struct calls *calls = calls_of(&pr->session->arena, item->thread, item->queue->now_cpu);
	u32 i, last = run->n_segments - 1;

	if (item->halves & STEP_STRETCH && run->n_calls)
		for (i = 0; i < last; i++) {
			const struct segment *g = &run->segments[i];
			u64 behind = g->ip + g->bytes;

			if (g->kind == INSN_CALL)
				print_call(pr, item, calls, item->tsc_in, i,
					   behind - g->branch_len, run_branch_target(run, i),
					   INSN_CALL, g->branch_len);
		}
	if (item->halves & STEP_EVENT &&
	    (step->kind == INSN_RET || step->kind == INSN_CALL_INDIRECT))
		print_call(pr, item, calls, item->tsc, last, step->from, step->to, step->kind,
			   step->len);
}

static void print_insns(struct sample_printer *pr, const struct item *item)
{
	const struct step *step = item->step;
	const struct run_text *text = step->run->text;
	u32 i, n = step->n, all = text->rest[n - 1].at + text->rest[n - 1].len;
	char *p;

	if (item->halves == (STEP_STRETCH | STEP_EVENT) && all < SAMPLE_LINE / 2) {
		p = out_room(pr->out, SAMPLE_LINE);
		if (put_line_start(p, pr, item, item->tsc) == p) {
			out_done(pr->out, put_kept(p, text->text, all));
			pr->n_lines += n;
			return;
		}
	}
	if (item->halves & STEP_STRETCH)
		for (i = 0; i + 1 < n; i++)
			print_rest(pr, item, item->tsc_in, text, i);
	if (item->halves & STEP_EVENT)
		print_rest(pr, item, item->tsc, text, n - 1);
}

/* Has the flags column nothing to say but what the branch is? */
static bool is_plain(const struct sample_printer *pr, const struct step *step)
{
	return !pr->fields.flags ||
	       (!(step->what & STEP_IN_TX) && !pr->session->pt.cap_event_trace);
}

static bool make_text(struct sample_printer *pr, const struct item *item)
{
	struct run *run = item->step->run;

	if (run->n > PARTS_MAX || pr->session->runs.arena.total > MEMORY)
		return false;
	run->text = (pr->by_run == BRANCHES ? branch_text :
		     pr->by_run == CALLS ? call_text : insn_text)(pr, item->thread, run);
	return true;
}

/* Can all be printed from what was kept? */
static bool is_kept(const struct run *run, u32 n)
{
	const struct run_text *text = run->text;
	u32 i;

	for (i = 0; i < n; i++)
		if (!text->rest[i].len)
			return false;
	return true;
}

bool print_run(struct sample_printer *pr, const struct item *item)
{
	const struct step *step = item->step;
	struct run *run = step->run;

	if (!samples_simple(step) || !item->thread || !is_plain(pr, step))
		return false;
	if (pr->mute) {
		samples_pass(item);
		return true;
	}
	if (unlikely(!run->text)) {
		if (!make_text(pr, item))
			return false;
		run->marks = is_kept(run, pr->by_run == INSNS ? run->n : run->n_segments);
	}
	if (!run->marks)
		return false;
	if (pr->by_run == BRANCHES)
		print_branches(pr, item);
	else if (pr->by_run == CALLS)
		print_calls(pr, item);
	else
		print_insns(pr, item);
	if (unlikely(pr->out->lines))
		out_flush(pr->out);
	samples_pass(item);
	return true;
}
