/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps to samples.
 *
 * The samples of a step come in order: first those of the instructions and direct branches of its
 * stretch, then those of the event at its end. samples_next() returns one at a time; 'stage'
 * remembers the place.
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CMD_REPORT.h>
#include <pt/config/GUESTS.h>
#include <pt/config/PEBS.h>

#include "sampler.h"

enum { IDLE, STRETCH, EVENT };

/* The order of samples within an event. */
enum { DO_BLOCK, DO_EVT, DO_IFLAG, DO_PSB, DO_CBR, DO_MWAIT, DO_PWRE, DO_EXSTOP, DO_PWRX, DO_INSN,
       DO_TX, DO_PTW, DO_BRANCH, DO_BRANCH_2, DONE };

const u32 samples_flags[N_INSN_KINDS] = {
	[INSN_JUMP] = FLAG_BRANCH,
	[INSN_CALL] = FLAG_BRANCH | FLAG_CALL,
	[INSN_COND] = FLAG_BRANCH | FLAG_COND,
	[INSN_RET] = FLAG_BRANCH | FLAG_RETURN,
	[INSN_JUMP_INDIRECT] = FLAG_BRANCH,
	[INSN_CALL_INDIRECT] = FLAG_BRANCH | FLAG_CALL,
	[INSN_FAR_CALL] = FLAG_BRANCH | FLAG_CALL,
	[INSN_FAR_JUMP] = FLAG_BRANCH,
	[INSN_FAR_RET] = FLAG_BRANCH | FLAG_RETURN,
	[INSN_INT] = FLAG_BRANCH | FLAG_CALL | FLAG_INT,
	[INSN_IRET] = FLAG_BRANCH | FLAG_RETURN | FLAG_INT,
	[INSN_SYSCALL] = FLAG_BRANCH | FLAG_CALL | FLAG_SYSCALL,
	[INSN_SYSRET] = FLAG_BRANCH | FLAG_RETURN | FLAG_SYSCALL,
	[INSN_VMENTRY] = FLAG_BRANCH | FLAG_CALL | FLAG_VMENTRY,
	[INSN_VMCALL] = FLAG_BRANCH | FLAG_CALL,
};

COLD void samples_start(struct samples *s, struct session *session, const struct itrace *itrace,
			bool use_calls)
{
	*s = (struct samples){ .itrace = *itrace, .session = session };
	s->use_calls = use_calls || itrace->callchain || itrace->callchain_others;
	if (CONFIG_BRANCH_STACKS && (itrace->branch_stack || itrace->branch_stack_others)) {
		s->use_calls = true;
		s->branches = arena_alloc(&session->arena, BRANCH_STACK_MAX * BRANCH_SIZE);
	}
	s->none = !(s->use_calls || itrace->branches || itrace->instructions || itrace->power ||
		    itrace->transactions || itrace->ptwrites || itrace->interrupts ||
		    (CONFIG_PEBS && itrace->pebs));
	s->omits = itrace->instructions && !itrace->branches && !itrace->skip &&
		   !itrace->quick && !session->options.from && !s->branches;
}

static void set_period(struct samples *s, struct sampler *q)
{
	u64 period = s->itrace.period;

	if (s->itrace.unit == ITRACE_NS)
		period = clock_ticks(&s->session->scale, period);
	if (s->itrace.unit == ITRACE_INSNS || !period)
		return;
	/* A power of two, so that a crossing is a change of the upper bits. */
	q->period_ticks = 1ULL << (63 - __builtin_clzll(period));
	q->period_mask = ~(q->period_ticks - 1);
}

COLD struct sampler *samples_sampler(struct samples *s, const struct queue *queue)
{
	struct arena *arena = &s->session->arena;
	u32 i = queue->index;

	if (i >= s->n_samplers) {
		u32 room = MAX(s->session->n_queues, i + 1);

		s->samplers = arena_grow(arena, s->samplers, sizeof(*s->samplers), s->n_samplers,
					 room);
		s->n_samplers = room;
	}
	if (!s->samplers[i]) {
		s->samplers[i] = NEW(arena, struct sampler, 1);
		s->samplers[i]->cbr_seen = ~0U;
		s->samplers[i]->seen = ~0ULL;
		set_period(s, s->samplers[i]);
	}
	return s->samplers[i];
}

/* Periods */

/* Time passes only where packets say so. */
static bool is_stamped(const struct samples *s)
{
	return CONFIG_CMD_REPORT && s->session->setup.stamped;
}

/* The number of instructions up to and including the next sample, counted from instruction
 * s->walk.i of the stretch. */
static u64 next_due(struct samples *s)
{
	const struct step *step = s->item.step;
	struct sampler *q = s->now;
	u64 at, masked;

	if (!q->period_ticks)
		return MAX(s->itrace.unit == ITRACE_INSNS ? s->itrace.period : 1, 1ULL) -
		       q->period_insns;
	if (q->breaks != step->breaks) {
		q->breaks = step->breaks;
		q->continuous = false;
		q->began = true;
	}
	at = step->walk_tsc + step->walk_insns + s->walk.i;
	masked = at & q->period_mask;
	if (q->continuous) {
		if (masked > q->last_masked)
			return is_stamped(s) ? samples_ahead(s, masked) : 1;
	} else {
		masked = ++at & q->period_mask;
		if (masked > q->last_masked) {
			q->last_masked = masked;
			q->continuous = true;
		}
	}
	if (masked < q->last_masked)
		return q->period_ticks;
	return q->period_ticks - (at - masked);
}

/* Start a new period: instruction s->walk.i of the stretch was sampled. */
static void sampled(struct samples *s)
{
	const struct step *step = s->item.step;
	struct sampler *q = s->now;
	u64 masked;

	q->period_insns = 0;
	if (!q->period_ticks)
		return;
	masked = (step->walk_tsc + step->walk_insns + s->walk.i) & q->period_mask;
	q->periods = 1;
	if (masked <= q->last_masked)
		masked = q->last_masked + q->period_ticks;
	else if (!q->began)
		q->periods = (masked - q->last_masked) / q->period_ticks;
	q->began = false;
	q->last_masked = masked;
}

/* Making samples */

/* Like perf, make no samples and no call stacks before the start of --time. */
static bool too_early(const struct samples *s, u64 tsc)
{
	return tsc < s->session->from;
}

/* Code of a guest gives no samples: its addresses do not belong to the host's process, so any
 * symbol would be wrong. A bare trace has no symbols, so there they are shown. */
static bool is_guest(const struct samples *s, u64 from)
{
	return unlikely(s->item.step->what & (from ? STEP_FROM_NR : STEP_TO_NR)) &&
	       s->session->source->threads && !(CONFIG_GUESTS && s->session->guests.any);
}

static bool skips(struct samples *s)
{
	return s->itrace.skip && s->skipped++ < s->itrace.skip;
}

static void fill(struct samples *s, struct sample *sample, u8 kind, u64 tsc, u64 ip, u64 addr,
		 u32 flags)
{
	const struct item *item = &s->item;

	*sample = (struct sample){ .kind = kind, .flags = flags, .pid = item->queue->pid,
				   .tid = item->queue->tid, .cpu = item->queue->now_cpu,
				   .thread = item->thread, .ip = ip, .addr = addr, .period = 1,
				   .time = session_time(s->session, tsc),
				   .values = item->queue->values,
				   .insn_len = s->now->len, .insn_ip = s->now->ip,
				   .insn_thread = s->now->thread };
	if (CONFIG_GUESTS && s->session->guests.n_vcpus && item->thread && item->thread->guest) {
		sample->pid = item->thread->pid;
		sample->tid = item->thread->tid;
	}
	if (CONFIG_BRANCH_STACKS && s->itrace.branch_stack && kind != SAMPLE_BRANCH)
		sample->branches = branches_of(sample->thread, sample->cpu,
					       s->itrace.branch_stack, s->branches);
}

/* Instructions and cycles since the last sample of this kind. */
static void set_ipc(struct sample *sample, u64 insns, u64 cycles, u64 *last_insns, u64 *last_cycles)
{
	sample->cyc_cnt = cycles - *last_cycles;
	if (!sample->cyc_cnt)
		return;
	sample->insn_cnt = insns - *last_insns;
	*last_insns = insns;
	*last_cycles = cycles;
}

/* The thread of the host, or of the guest, to which a branch goes. */
static struct thread *thread_at_end(const struct samples *s)
{
	struct queue *q = s->item.queue;

	return s->item.step->what & STEP_TO_NR && q->tid != -1 ? guest_thread_of(q) : q->thread;
}

/* Apply a branch to the call stack. */
static void follow_branch(struct samples *s, u64 tsc, u64 from, u64 to, u32 flags)
{
	struct arena *arena = &s->session->arena;
	struct thread *t = s->item.thread;

	if (CONFIG_BRANCH_STACKS && s->branches && !too_early(s, tsc) && !is_guest(s, from))
		branches_follow(arena, t, s->item.queue, MAX(s->itrace.branch_stack,
				s->itrace.branch_stack_others), from, to,
				s->itrace.mispredicted ? flags | BRANCH_MISPREDICTED : flags);
	if (s->use_calls && t && !too_early(s, tsc) && !is_guest(s, from))
		calls_branch(arena, calls_of(arena, t, s->item.queue->now_cpu), flags, from, to,
			     s->now->len, s->item.queue->trace_nr);
}

static bool make_branch(struct samples *s, struct sample *sample, u64 tsc, u64 from, u64 to,
			u32 flags, bool ipc, u64 insns, u64 cycles)
{
	if (too_early(s, tsc) || is_guest(s, from) || !s->itrace.branches ||
	    (s->itrace.only && !(flags & s->itrace.only)) || skips(s))
		return false;
	fill(s, sample, SAMPLE_BRANCH, tsc, from, to, flags);
	if (ipc)
		set_ipc(sample, insns, cycles, &s->now->branch_insns, &s->now->branch_cycles);
	return true;
}

static bool make_insn(struct samples *s, struct sample *sample, u64 tsc, u64 ip, u64 addr,
		      u32 flags, bool ipc, u64 insns, u64 cycles)
{
	struct sampler *q = s->now;

	s->sampled = MAX(s->sampled, tsc);
	if (too_early(s, tsc) || is_guest(s, ip) || skips(s))
		return false;
	fill(s, sample, SAMPLE_INSN, tsc, ip, addr, flags);
	if (!s->itrace.quick)
		sample->period = insns - q->insns_at_sample;
	sample->periods = q->periods;
	q->insns_at_sample = insns;
	if (ipc)
		set_ipc(sample, insns, cycles, &q->insn_insns, &q->insn_cycles);
	return true;
}

/* The stretch */

/* The flags of an instruction of the stretch, of kind 'kind'. */
static u32 flags_of(const struct samples *s, u32 kind)
{
	const struct step *step = s->item.step;
	const struct event_values *values = s->item.queue->values;
	u32 flags = samples_flags[kind];

	if (step->in_tx)
		flags |= FLAG_IN_TX;
	if (s->session->pt.cap_event_trace &&
	    !(step->what & STEP_IFLAG ? values->iflag_from : values->iflag))
		flags |= FLAG_INTR_OFF;
	return flags;
}

/* The number of instructions of the stretch before the one at which the event happens. */
static u32 inner(const struct step *step)
{
	return step->n - (step->n && step->kind != INSN_OTHER);
}

/* Without CYC packets, direct branches inside the stretch may get IPC values, too. */
static bool inner_ipc(const struct samples *s)
{
	return s->itrace.approximate_ipc || !s->item.step->have_cyc;
}

/* The next direct branch inside the stretch, from segment to segment. */
static bool walk_segments(struct samples *s, struct sample *sample)
{
	const struct step *step = s->item.step;
	const struct run *run = step->run;
	u32 n = inner(step), flags;
	u64 to;

	while (s->segment < run->n_segments && run->rest->segments[s->segment].n <= n) {
		const struct segment *g = &run->rest->segments[s->segment++];

		if (g->kind != INSN_JUMP && g->kind != INSN_CALL)
			continue;
		s->now->kind = g->kind;
		s->now->len = g->branch_len;
		s->now->ip = g->ip + g->bytes - g->branch_len;
		s->now->thread = s->item.thread;
		to = run_branch_target(run, s->segment - 1);
		flags = flags_of(s, g->kind);
		follow_branch(s, s->item.tsc_in, s->now->ip, to, flags);
		if (make_branch(s, sample, s->item.tsc_in, s->now->ip, to, flags, inner_ipc(s),
				step->first + g->n, s->now->cycles))
			return true;
	}
	return false;
}

/* The next sample inside the stretch, of instructions and direct branches. */
static bool walk_stretch(struct samples *s, struct sample *sample)
{
	const struct step *step = s->item.step;
	struct run *run = step->run;
	u32 n = inner(step), flags;
	u64 to;

	if (!s->walking) {
		if (!s->due_known)
			s->due = next_due(s);
		s->due_known = false;
		s->walking = true;
		s->branch_due = false;
		/* No instruction of the stretch becomes a sample. */
		s->passing = s->due > n + 1;
		if (s->passing) {
			s->due -= n;
			s->now->period_insns += n;
		} else {
			s->walk = run_walk(&s->session->runs, run, n);
		}
	}
	if (s->passing)
		return walk_segments(s, sample);
	for (;;) {
		if (s->branch_due) {
			s->branch_due = false;
			to = run_branch_target(run, s->walk.segment);
			flags = flags_of(s, s->walk.kind);
			follow_branch(s, s->item.tsc_in, s->walk.ip, to, flags);
			if (make_branch(s, sample, s->item.tsc_in, s->walk.ip, to, flags,
					inner_ipc(s), step->first + s->walk.i, s->now->cycles))
				return true;
		}
		if (!run_walk_next(&s->walk))
			return false;
		s->now->period_insns++;
		s->now->ip = s->walk.ip;
		s->now->thread = s->item.thread;
		s->now->len = s->walk.len;
		s->now->kind = s->walk.kind;
		to = 0;
		s->branch_due = s->walk.kind != INSN_OTHER;
		flags = flags_of(s, s->walk.kind);
		if (s->branch_due)
			to = run_branch_target(run, s->walk.segment);
		if (!--s->due) {
			bool made;

			sampled(s);
			made = make_insn(s, sample, s->item.tsc_in, s->walk.ip, to, flags,
					  inner_ipc(s), step->first + s->walk.i, s->now->cycles);

			s->due = next_due(s);
			if (made)
				return true;
		} else if (s->branch_due && s->now->period_ticks && !is_stamped(s)) {
			s->due = next_due(s);
		}
	}
}

static bool next_in_stretch(struct samples *s, struct sample *sample)
{
	const struct step *step = s->item.step;

	if (!step->run || !step->n)
		return false;
	if (s->itrace.instructions)
		return walk_stretch(s, sample);
	if (step->run->n_segments == 1)
		return false;
	return walk_segments(s, sample);
}

/* The stretch ends without a branch. Is that because a PSB+ is at the target of the direct branch
 * before it? */
static COLD bool is_psb_at_branch(const struct step *step)
{
	const struct segment *g = step->run->rest->segments;

	if (!(step->what & STEP_PSB))
		return false;
	while (g->n < step->n)
		g++;
	return g->n == step->n && g->kind != INSN_OTHER;
}

/* At the end of the stretch, the branch that ends it is the last instruction. */
static void end_stretch(struct samples *s)
{
	const struct step *step = s->item.step;
	struct sampler *q = s->now;
	/* A branch that does not match the trace is not executed, but counts as an instruction. */
	bool unfit = step->what & STEP_GAP && step->run && step->insns > step->first + step->n;

	if (step->what & STEP_AT_FUP) {
		q->kind = INSN_OTHER;
		q->len = 0;
	}
	if (!unfit && (!step->run || !step->n))
		return;
	if (step->kind != INSN_OTHER || !is_psb_at_branch(step)) {
		q->kind = step->kind;
		q->len = step->len;
		q->ip = step->from;
		q->thread = s->item.thread;
	}
	if (!s->itrace.instructions)
		return;
	s->walk.i = inner(step);
	if (step->kind == INSN_OTHER && !unfit)
		return;
	q->period_insns++;
	s->walk.i++;
	if (--s->due)
		return;
	sampled(s);
	q->insn_due = !(step->what & STEP_GAP);
}

/* The event */

static COLD u32 event_flags(const struct samples *s)
{
	const struct step *step = s->item.step;
	const struct event_values *values = s->item.queue->values;
	u32 flags;

	if (step->what & STEP_ABORT)
		flags = FLAG_BRANCH | FLAG_ABORT;
	else if (step->what & STEP_ASYNC && !step->to)
		flags = FLAG_BRANCH | FLAG_ASYNC | FLAG_END;
	else if (step->what & STEP_ASYNC)
		flags = FLAG_BRANCH | FLAG_CALL | FLAG_ASYNC |
			(step->what & STEP_FROM_NR && !(step->what & STEP_TO_NR) ? FLAG_VMEXIT
										 : FLAG_INT);
	else
		flags = (step->from ? samples_flags[s->now->kind] : FLAG_BRANCH | FLAG_BEGIN) |
			(step->what & STEP_IN_TX ? FLAG_IN_TX : 0);
	if (step->what & STEP_BEGIN)
		flags |= FLAG_BEGIN;
	/* A MOV to CR3, which is not a branch, may end tracing if CR3 is filtered. */
	if (step->what & STEP_END)
		flags |= FLAG_BRANCH | FLAG_END;
	if (!s->session->pt.cap_event_trace)
		return flags;
	if (step->what & STEP_IFLAG) {
		if (!values->iflag_from)
			flags |= FLAG_INTR_OFF;
		if (values->iflag_from != values->iflag)
			flags |= FLAG_INTR_CHANGE;
	} else if (!values->iflag) {
		flags |= FLAG_INTR_OFF;
	}
	return flags;
}

static COLD bool make_event(struct samples *s, struct sample *sample, u8 kind, u64 value)
{
	const struct step *step = s->item.step;

	if (too_early(s, s->item.tsc) || is_guest(s, step->from) ||
	    (!(CONFIG_PEBS && kind == SAMPLE_BLOCK) && skips(s)))
		return false;
	fill(s, sample, kind, s->item.tsc, step->from, step->to, s->flags);
	/* Here the lack of an address does not mean that a trace begins. */
	if (!sample->ip)
		sample->flags = 0;
	sample->value = value;
	sample->with_ip = step->what & STEP_WITH_IP;
	return true;
}

/* A branch between host and guest gives two samples: the end of one, the start of the other. */
static bool make_last_branch(struct samples *s, struct sample *sample, bool second)
{
	const struct step *step = s->item.step;
	bool ipc = step->what & STEP_IPC || s->itrace.approximate_ipc;
	bool crosses = !(step->what & STEP_FROM_NR) != !(step->what & STEP_TO_NR) && step->from &&
		       step->to;
	u64 from = second ? 0 : step->from, to = crosses && !second ? 0 : step->to;
	bool shown = CONFIG_GUESTS && s->session->guests.any;

	if (second && !crosses)
		return false;
	if (!second)
		follow_branch(s, s->item.tsc, from, shown ? step->to : to, s->flags);
	else if (shown)
		s->item.thread = thread_at_end(s);
	return make_branch(s, sample, s->item.tsc, from, to, s->flags, ipc, step->insns,
			   cycles_at(s->now, step->cycles));
}

static COLD bool make_cbr(struct samples *s, struct sample *sample)
{
	const struct event_values *values = s->item.queue->values;

	if (s->now->cbr_seen == values->cbr || too_early(s, s->item.tsc) ||
	    !(s->item.step->what & STEP_CBR || s->now->cbr_seen == ~0U || s->itrace.skip) ||
	    (s->item.step->what & STEP_NOT_TAKEN && !s->now->insn_due))
		return false;
	if (s->itrace.skip && s->skipped + 4 < s->itrace.skip)
		return false;
	s->now->cbr_seen = values->cbr;
	fill(s, sample, SAMPLE_CBR, s->item.tsc, s->item.step->from, s->item.step->to, s->flags);
	if (!sample->ip)
		sample->flags = 0;
	sample->value = values->cbr_payload;
	return true;
}

/* Make sample 'which' (DO_*) of the event, if it is selected. */
static bool make(struct samples *s, struct sample *sample, u32 which)
{
	const struct step *step = s->item.step;
	const struct itrace *it = &s->itrace;
	const struct event_values *values = s->item.queue->values;
	struct sampler *q = s->now;
	u32 what = step->what;

	switch (which) {
	case DO_BLOCK:
		return CONFIG_PEBS && what & STEP_BLOCK && it->pebs &&
		       make_event(s, sample, SAMPLE_BLOCK, 0);
	case DO_EVT:
		return what & STEP_EVT && it->interrupts && make_event(s, sample, SAMPLE_EVT, 0);
	case DO_IFLAG:
		if (!(what & STEP_IFLAG) || !it->interrupts || !s->session->pt.cap_event_trace ||
		    !make_event(s, sample, SAMPLE_IFLAG, values->iflag))
			return false;
		sample->via_branch = what & STEP_BRANCH;
		sample->flags = s->flags;
		return true;
	case DO_PSB:
		if (!(what & STEP_PSB) || !it->power ||
		    !make_event(s, sample, SAMPLE_PSB, values->psb_off))
			return false;
		sample->flags = 0;
		return true;
	case DO_CBR:
		return it->power && make_cbr(s, sample);
	case DO_MWAIT:
		return what & STEP_MWAIT && it->power &&
		       make_event(s, sample, SAMPLE_MWAIT, values->mwait);
	case DO_PWRE:
		return what & STEP_PWRE && it->power &&
		       make_event(s, sample, SAMPLE_PWRE, values->pwre);
	case DO_EXSTOP:
		return what & STEP_EXSTOP && it->power && make_event(s, sample, SAMPLE_EXSTOP, 0);
	case DO_PWRX:
		return what & STEP_PWRX && it->power &&
		       make_event(s, sample, SAMPLE_PWRX, values->pwrx);
	case DO_INSN:
		if (!it->instructions || !(q->insn_due || what & STEP_INSN_AT))
			return false;
		q->insn_due = false;
		q->exact = MAX(q->exact, step->new_cycles);
		return make_insn(s, sample, s->item.tsc, step->from,
				 what & STEP_NOT_TAKEN ? 0 : step->to, s->flags,
				 what & STEP_IPC || it->approximate_ipc || step->new_cycles,
				 step->insns, cycles_at(q, step->cycles));
	case DO_TX:
		return what & STEP_TX && it->transactions && make_event(s, sample, SAMPLE_TX, 0);
	case DO_PTW:
		return what & STEP_PTW && it->ptwrites &&
		       make_event(s, sample, SAMPLE_PTW, values->ptw);
	case DO_BRANCH:
		return what & STEP_BRANCH && make_last_branch(s, sample, false);
	case DO_BRANCH_2:
		return what & STEP_BRANCH && make_last_branch(s, sample, true);
	}
	return false;
}

bool samples_simple(const struct step *step)
{
	const u32 about = STEP_BRANCH | STEP_NOT_TAKEN | STEP_IPC | STEP_IN_TX | STEP_FROM_NR |
			  STEP_TO_NR;

	if (!step->run || step->n != step->run->n || step->what & ~about ||
	    !(step->what & STEP_FROM_NR) != !(step->what & STEP_TO_NR) ||
	    !(step->to || step->what & STEP_NOT_TAKEN))
		return false;
	return step->kind == INSN_COND || step->kind == INSN_RET ||
	       step->kind == INSN_JUMP_INDIRECT || step->kind == INSN_CALL_INDIRECT;
}

static void take_passed(struct sampler *q, const struct item *item, const struct passed *p)
{
	struct skipped last = { true, p->run->end, p->run->end_len, run_end_ip(p->run), 0 };

	take_skipped(q, &last, item->thread);
}

void samples_took(struct samples *s, const struct item *item, const struct passed *p)
{
	take_passed(samples_sampler(s, item->queue), item, p);
}

void samples_pass(struct samples *s, const struct item *item)
{
	if (item->skipped)
		take_skipped(samples_sampler(s, item->queue), item->skipped,
			     item->queue->skipped_thread);
}

COLD u32 samples_needs(const struct itrace *it, bool use_calls)
{
	if (it->instructions)
		return NEED_ALL;
	if ((it->branches && (!it->only || it->only & ~(ITRACE_CALLS | ITRACE_RETURNS))) ||
	    (CONFIG_BRANCH_STACKS && (it->branch_stack || it->branch_stack_others)))
		return NEED_ALL & ~NEED_NOT_TAKEN;
	if (it->branches || use_calls || it->callchain || it->callchain_others)
		return NEED_CALLS | NEED_RETURNS;
	return it->power ? NEED_TIME : 0;
}

bool samples_cbr_due(const struct samples *s, const struct queue *q)
{
	return s->itrace.power && (q->index >= s->n_samplers || !s->samplers[q->index] ||
				   s->samplers[q->index]->cbr_seen == ~0U);
}

/* Count the instructions of branches that the flow skipped since the last step. */
static void pass_periods(struct samples *s, struct sampler *q, const struct item *item)
{
	u64 before = insns_before(item), n = q->period_insns + before - q->seen;

	if (unlikely(q->seen == ~0ULL))
		q->seen = before;
	if (unlikely(before != q->seen) && s->itrace.unit == ITRACE_INSNS && s->itrace.period) {
		q->period_insns = n % s->itrace.period;
		if (n >= s->itrace.period)
			q->insns_at_sample = before - q->period_insns;
	}
	q->seen = before;
}

/* Apply the calls inside a run, and the branch to 'to' at its end (0: none), to the call stack. */
static COLD void follow_calls(struct samples *s, struct calls *calls, const struct run *run,
			      u64 to)
{
	u32 last = run->n_segments - 1, i;

	for (i = run->n_calls ? 0 : last; i < last + !!to; i++) {
		const struct segment *g = &run->rest->segments[i];
		u32 flags = samples_flags[i < last ? g->kind : run->end];

		if (flags & (FLAG_CALL | FLAG_RETURN))
			calls_follow(&s->session->arena, calls, flags,
				     g->ip + g->bytes - g->branch_len,
				     i < last ? run_branch_target(run, i) : to, g->branch_len);
	}
}

static struct calls *calls_of_item(struct samples *s, const struct item *item)
{
	struct calls *calls;

	if (!s->use_calls || !item->thread)
		return NULL;
	calls = calls_of(&s->session->arena, item->thread, item->queue->now_cpu);
	calls_trace(calls, item->queue->trace_nr);
	return calls;
}

bool samples_omit(struct samples *s, const struct item *item)
{
	const struct step *step = item->step;
	struct calls *calls;

	if (!s->omits || item->halves != (STEP_STRETCH | STEP_EVENT) || !samples_simple(step) ||
	    samples_cbr_due(s, item->queue))
		return false;
	s->item = *item;
	s->now = samples_sampler(s, item->queue);
	pass_periods(s, s->now, item);
	s->walk.i = 0;
	s->due = next_due(s);
	s->due_known = s->due <= step->n + 1;
	if (s->due_known)
		return false;
	s->now->period_insns += step->n;
	s->now->seen = step->insns;
	calls = calls_of_item(s, item);
	if (calls)
		follow_calls(s, calls, step->run, step->what & STEP_BRANCH ? step->to : 0);
	take_skipped(s->now, &(struct skipped){ true, step->kind, step->len, step->from,
						step->cycles }, item->thread);
	return true;
}

/* True if certainly no instruction of the run becomes a sample. */
static inline bool is_between(const struct samples *s, const struct sampler *q,
			      const struct passed *p)
{
	u32 n = p->run->n + 1;
	u64 at = p->at + !q->continuous, masked = at & q->period_mask;

	if (!q->period_ticks)
		return q->period_insns + n < s->itrace.period;
	return masked <= q->last_masked && ((at + n) & q->period_mask) == masked;
}

u32 samples_omit_passed(struct samples *s, const struct item *passed, u32 i)
{
	const struct passed *p = passed->runs + i, *end = passed->runs + passed->n_runs, *start = p;
	struct sampler *q;
	struct calls *calls;

	if (p >= end)
		return 0;
	q = samples_sampler(s, passed->queue);
	if (q->period_ticks && q->breaks != passed->queue->passed_breaks)
		return 0;
	calls = calls_of_item(s, passed);
	for (; p < end && is_between(s, q, p); p++) {
		const struct run *run = p->run;

		q->period_insns += run->n;
		if (calls && (run->n_calls || samples_flags[run->end] & (FLAG_CALL | FLAG_RETURN)))
			follow_calls(s, calls, run, p->to);
	}
	if (p == start)
		return 0;
	q->seen = p[-1].first + p[-1].run->n;
	take_passed(q, passed, p - 1);
	return p - start;
}

void samples_item(struct samples *s, const struct item *item)
{
	/* Saves 14 % of the time on traces in which tracing often starts and stops. */
	if (s->none)
		return;
	s->item = *item;
	s->now = samples_sampler(s, item->queue);
	if (item->skipped)
		take_skipped(s->now, item->skipped, item->queue->skipped_thread);
	pass_periods(s, s->now, item);
	s->now->seen = item->step->insns;
	if (item->halves & STEP_STRETCH) {
		s->walking = false;
		s->walk.i = 0;
		s->segment = 0;
		s->now->insn_due = false;
		s->stage = STRETCH;
		if (s->itrace.instructions && !item->step->n && item->step->walked)
			s->due = next_due(s);
	} else {
		s->stage = EVENT;
		s->event = 0;
		s->flags = event_flags(s);
	}
}

bool samples_next(struct samples *s, struct sample *sample)
{
	if (s->stage == STRETCH) {
		if (next_in_stretch(s, sample))
			return true;
		end_stretch(s);
		s->stage = IDLE;
		if (!(s->item.halves & STEP_EVENT))
			return false;
		s->stage = EVENT;
		s->event = 0;
		s->flags = event_flags(s);
	}
	if (s->stage != EVENT)
		return false;
	if (!(s->item.step->what & STEP_GAP))
		while (s->event < DONE)
			if (make(s, sample, s->event++))
				return true;
	s->now->cycles = cycles_at(s->now, s->item.step->cycles);
	s->stage = IDLE;
	return false;
}
