/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs to lines.
 *
 * A line consists of two texts. The first stays the same while thread, CPU and time do. The second
 * belongs to a branch or an instruction of a run, and is cached with the run (run_text.c). A line
 * is then two copies, in blocks of 16 or 32 bytes.
 */
#include <pt/config/GUESTS.h>
#include <pt/print_run.h>

#include "run_text.h"

enum { START_MAX = 512 };

struct line_start {
	const char *comm;
	i32 pid, tid, cpu;
	u64 tsc, second;
	u32 shown;		/* of the second: ns or us */
	u32 len, after_time;
	char text[START_MAX + KEPT_SLACK];
};

COLD void print_run_start(struct sample_printer *pr, const struct itrace *it)
{
	u32 fields = pr->fields.of[FIELDS_HW];
	bool each = it->instructions &&
		    (it->unit == ITRACE_INSNS ? it->period <= 1 : !it->period);
	bool branches = it->branches && !it->instructions &&
			!(fields & (FIELD_INSN | FIELD_INSNLEN | FIELD_DISASM | FIELD_SRCLINE));

	pr->by_run = BY_SAMPLE;
	if (it->skip || it->quick || it->callchain || it->callchain_others ||
	    fields & (FIELD_IPC | FIELD_SRCCODE) || !fields || pr->since_first || pr->since_last)
		return;
	pr->calls = it->only & FLAG_CALL;
	pr->returns = it->only & FLAG_RETURN;
	if (it->only)
		pr->by_run = branches && !(it->only & ~(ITRACE_CALLS | ITRACE_RETURNS)) ?
			CALLS : BY_SAMPLE;
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

/* The part of 'ns' that is printed after the decimal point. */
static u32 part_of_second(const struct sample_printer *pr, u64 ns)
{
	return pr->ns ? ns : ns / 1000;
}

/* If only the time has changed, and not the second, rewrite the digits that differ. */
static bool renew_time(struct sample_printer *pr, u64 tsc)
{
	struct line_start *l = pr->start;
	u64 ns = session_time(pr->session, tsc), rest = ns - l->second * NS;
	u32 old = l->shown, now = part_of_second(pr, rest);
	char *p = l->text + l->after_time - 2;

	if (!(pr->fields.of[FIELDS_HW] & FIELD_TIME) || rest >= NS || l->len == START_MAX)
		return false;
	l->tsc = tsc;
	for (l->shown = now; now != old; now /= 10, old /= 10)
		*--p = '0' + now % 10;
	return true;
}

static COLD void render_start(struct sample_printer *pr, const struct item *item, u64 tsc,
			      const char *comm)
{
	struct line_start *l = pr->start;
	const struct queue *q = item->queue;
	struct sample_start s = { comm, q->pid, q->tid, q->now_cpu,
				  session_time(pr->session, tsc) };
	char *p = out_room(pr->out, SAMPLE_LINE), *end, *after_time;

	end = sample_put_start(p, pr, pr->by_run == INSNS ? SAMPLE_INSN : SAMPLE_BRANCH, &s, 1,
			       &after_time);
	l->comm = comm;
	l->pid = q->pid;
	l->tid = q->tid;
	l->cpu = q->now_cpu;
	l->tsc = tsc;
	l->second = s.time / NS;
	l->shown = part_of_second(pr, s.time - l->second * NS);
	l->after_time = after_time - p;
	l->len = MIN((u32)(end - p), (u32)START_MAX);
	memcpy(l->text, p, l->len);
}

/* Set the first text of the next lines. Not inline: it changes rarely. */
static __attribute__((noinline)) void set_start(struct sample_printer *pr,
						const struct item *item, u64 tsc)
{
	const struct queue *q = item->queue;
	const char *comm = item->thread->comm;
	struct line_start *l = pr->start;

	if (l->comm != comm || l->tid != q->tid || l->pid != q->pid || l->cpu != q->now_cpu ||
	    (l->tsc != tsc && !renew_time(pr, tsc)))
		render_start(pr, item, tsc, comm);
}

/* Make room for a line and write its first text for this time. */
static __attribute__((noinline)) char *new_line(struct sample_printer *pr,
						const struct item *item, char *p, u64 tsc)
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
	return run->kept ? run->kept != &run_text_never : run_text_make(pr, item->thread, run);
}

enum { AHEAD = 8 };		/* texts are prefetched this many runs before they are copied */

/* The length of all lines of a run; they are adjacent in memory. */
static inline u32 run_length(const struct rest *rests, u32 last)
{
	return rests[last].at + rests[last].len - rests[0].at;
}

/* Print all branches, or all instructions. Returns the first run that cannot be printed this
 * way. */
static const struct passed *print_all(struct sample_printer *pr, const struct item *item,
				      const struct passed *b, const struct passed *end)
{
	struct out *out = pr->out;
	const struct line_start *start = pr->start;
	bool insns = pr->by_run == INSNS;
	bool as_one = insns && !start->len && item->halves == (STEP_STRETCH | STEP_EVENT);
	u64 n_lines = 0;
	u32 i, last;
	char *p = out->at;

	for (; b < end; b++) {
		struct run *run = b->run;
		const struct rest *rests;

		/* The lines of a large program do not fit into the L1 and L2 caches. */
		if (end - b > AHEAD) {
			const char *text = b[AHEAD].run->kept;

			__builtin_prefetch(text);
			__builtin_prefetch(text + 64);
			__builtin_prefetch(text + 128);
		}
		if (unlikely(!run->kept || run->kept == &run_text_never)) {
			bool kept;

			out_done(out, p);
			kept = is_kept(pr, item, run);
			p = out->at;
			if (!kept)
				break;
		}
		rests = run->kept;
		last = (insns ? run->n : run->n_segments) - 1;
		if (as_one && run_length(rests, last) < SAMPLE_LINE / 2) {
			if (unlikely(out->end - p < SAMPLE_LINE))
				p = new_line(pr, item, p, b->tsc);
			p = put_long(p, run_text(rests, 0), run_length(rests, last));
			n_lines += run->n;
			continue;
		}
		for (i = 0; i < last && item->halves & STEP_STRETCH; i++) {
			if (unlikely(start->tsc != b->tsc_in || out->end - p < SAMPLE_LINE))
				p = new_line(pr, item, p, b->tsc_in);
			p = put_kept(p, start->text, start->len);
			p = put_long(p, run_text(rests, i), rests[i].len);
			n_lines++;
		}
		if (!(insns || b->to) || !(item->halves & STEP_EVENT))
			continue;
		if (unlikely(start->tsc != b->tsc || out->end - p < SAMPLE_LINE))
			p = new_line(pr, item, p, b->tsc);
		p = put_kept(p, start->text, start->len);
		p = put_long(p, run_text(rests, last), rests[last].len);
		if (!insns && run->end != INSN_COND) {
			p = put_branch_to(p, pr, item->thread, b->to);
			p = put_char(p, '\n');
		}
		n_lines++;
	}
	pr->n_lines += n_lines;
	out_done(out, p);
	return b;
}

/* May write more than 'n' bytes. */
static inline char *put_blanks(char *p, struct sample_printer *pr, int n)
{
	int i;

	if (unlikely(n >= MANY_BLANKS))
		return sample_put_blanks(p, pr, n);
	for (i = 0; i < n; i += 32)
		memset(p + i, ' ', 32);
	return p + n;
}

/* Print the line of a call or return. Its effect on the stack was applied before. */
static void print_call(struct sample_printer *pr, const struct item *item, struct calls *calls,
		       const struct rest *rest, const char *kept, u64 tsc, u64 to, u8 kind)
{
	bool ret = kind == INSN_RET, indent = pr->fields.of[FIELDS_HW] & FIELD_CALLINDENT;
	char *p = out_room(pr->out, SAMPLE_LINE), *name;
	const char *end = kept + rest->len;
	int blanks;

	if (unlikely(pr->blind)) {
		blanks = kind == INSN_CALL_INDIRECT ?
			 sample_put_call_name(p, pr, item->thread, to) - p : rest->name;
		sample_spacing(pr, sample_indent(calls->n + ret) + blanks);
		return;
	}
	pr->n_lines++;
	if (unlikely(pr->start->tsc != tsc))
		p = new_line(pr, item, p, tsc);
	p = put_kept(p, pr->start->text, pr->start->len);
	p = put_long(p, kept, rest->front);
	kept += rest->front;
	if (indent) {
		blanks = sample_indent(calls->n + ret);
		p = name = put_blanks(p, pr, blanks);
		p = kind == INSN_CALL_INDIRECT ? sample_put_call_name(p, pr, item->thread, to)
					       : put_kept(p, kept, rest->name);
		p = put_blanks(p, pr, sample_spacing(pr, blanks + (p - name)));
	}
	kept += rest->name;
	if (kind == INSN_CALL) {
		out_done(pr->out, put_kept(p, kept, end - kept));
		return;
	}
	p = put_kept(p, kept, end - kept - 1);
	p = sample_put_branch_to(p, pr, item->thread, to);
	out_done(pr->out, put_char(p, '\n'));
}

/* Print calls and returns, if selected. Returns the first run that cannot be printed this way. */
static const struct passed *print_calls(struct sample_printer *pr, const struct item *item,
					const struct passed *b, const struct passed *end)
{
	struct arena *arena = &pr->session->arena;
	struct calls *calls = calls_of(arena, item->thread, item->queue->now_cpu);
	bool indent = pr->fields.of[FIELDS_HW] & FIELD_CALLINDENT;

	calls_trace(calls, item->queue->trace_nr);
	for (; b < end; b++) {
		struct run *run = b->run;
		u32 last = run->n_segments - 1, i = last;
		const struct rest *rests;

		if (end - b > AHEAD)
			__builtin_prefetch(b[AHEAD].run->kept);
		if (item->halves & STEP_STRETCH && run->n_calls)
			i = 0;
		/* A return that is not printed needs no text. */
		if ((i < last || run->end != INSN_RET || pr->returns) && !is_kept(pr, item, run))
			break;
		rests = run->kept;
		for (; i <= last; i++) {
			const struct segment *g = &run->rest->segments[i];
			u8 kind = i < last ? g->kind : run->end;
			u64 from = g->ip + g->bytes - g->branch_len;
			u64 to = i < last ? run_branch_target(run, i) : b->to;

			if ((kind != INSN_CALL && kind != INSN_RET && kind != INSN_CALL_INDIRECT) ||
			    (i == last && !(item->halves & STEP_EVENT)))
				continue;
			if (indent)
				calls_follow(arena, calls, samples_flags[kind], from, to,
					     g->branch_len);
			if (kind == INSN_RET ? pr->returns : pr->calls)
				print_call(pr, item, calls, &rests[i], run_text(rests, i),
					   i < last ? b->tsc_in : b->tsc, to, kind);
		}
	}
	return b;
}

u32 print_runs(struct sample_printer *pr, const struct item *item, const struct passed *runs, u32 n)
{
	const struct passed *end;

	/* The flags column may show more than the kind of the branch. */
	if (!pr->by_run || !item->thread || (CONFIG_GUESTS && item->thread->guest) ||
	    (pr->fields.flags && pr->session->pt.cap_event_trace))
		return 0;
	if (pr->mute)
		return n;
	set_start(pr, item, runs->tsc_in);
	end = (pr->by_run == CALLS ? print_calls : print_all)(pr, item, runs, runs + n);
	if (unlikely(pr->out->lines))
		out_flush(pr->out);
	return end - runs;
}
