/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Items to entries.
 *
 * listing_next() is a coroutine: 'phase' says where in its loop the last call returned.
 *
 *	READ --item--> KNOWN --> TAKEN --a record----> MEMBERS of its group
 *	  ^                        |-----a step------> RUN -----> SAMPLES of it
 *	  |                        `-----many runs---> BATCH ---> RUN -----> SAMPLES of one
 *	  |                                              ^-----------------------'
 *	  `------- at the end of an item
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CYCLE_SAMPLES.h>
#include <pt/config/DECODE_LOG.h>
#include <pt/config/GUESTS.h>
#include <pt/config/PEBS.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/UNWIND.h>
#include <pt/config/WINDOW.h>
#include <pt/listing.h>
#include <pt/out.h>

enum phase { READ, KNOWN, TAKEN, BATCH, RUN, SAMPLES, MEMBERS };

/* Selection */

static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && !strncmp(list, name, n))
			return true;
	}
	return false;
}

static bool number_in_list(const char *list, i32 v)
{
	char text[16];

	fmt_str(text, sizeof(text), "%d", v);
	return in_list(list, text);
}

/* Remember that at least one sample matched the option. */
static bool passes(struct listing *l, u32 by, bool does)
{
	if (does)
		l->passed |= 1u << by;
	return does;
}

static bool wants_dso(const struct listing *l, const struct map *map)
{
	return !l->dsos || (map && (in_list(l->dsos, map->dso->name) ||
				    in_list(l->dsos, map->dso->short_name)));
}

static bool wants_symbol(struct listing *l, const struct map *map, u64 ip)
{
	const struct symbol *sym = l->symbols ? session_symbol_at(&l->session, map, ip) : NULL;

	return !l->symbols || (sym && symbol_in_list(sym, l->symbols)) ||
	       (CONFIG_SCRIPT_MORE && map && choice_has_address(&l->choice, l->symbols, ip));
}

static bool wants_place(struct listing *l, struct thread *t, u64 ip)
{
	const struct map *map;
	bool dso;

	if (!l->dsos && !l->symbols)
		return true;
	map = session_map_at(&l->session, t, ip);
	dso = passes(l, LISTING_DSO, wants_dso(l, map));
	return passes(l, LISTING_SYMBOL, wants_symbol(l, map, ip)) && dso;
}

static bool wants_cpu(struct listing *l, i32 cpu)
{
	const struct session_options *o = &l->options;

	return !o->cpus || passes(l, LISTING_CPU, cpu < 0 || ((u32)cpu < o->n_cpus &&
							      o->cpus[cpu / 64] >> cpu % 64 & 1));
}

static bool wants_time(struct listing *l, i32 cpu, u64 time)
{
	return (!l->time || passes(l, LISTING_TIME, ranges_have(&l->ranges, time))) &&
	       wants_cpu(l, cpu);
}

/* Test all options, also after one did not match, until each has matched a sample. The message at
 * the end names options that never matched; it then does not depend on the order of the tests. */
static bool wants(struct listing *l, struct thread *t, i32 pid, i32 tid, u64 ip)
{
	const u32 places = 1u << LISTING_DSO | 1u << LISTING_SYMBOL;
	bool fits = true;

	if (l->comms)
		fits &= passes(l, LISTING_COMM, t && in_list(l->comms, t->comm));
	if (l->pids)
		fits &= passes(l, LISTING_PID, number_in_list(l->pids, pid));
	if (l->tids)
		fits &= passes(l, LISTING_TID, number_in_list(l->tids, tid));
	if (fits || (l->passed & places) != places)
		fits &= wants_place(l, t, ip);
	return fits;
}

bool listing_wants_thread(struct listing *l, struct thread *t)
{
	return !l->chooses || (t && wants_cpu(l, t->cpu) && wants(l, t, t->pid, t->tid, 0));
}

bool listing_by_sample(const struct listing *l)
{
	return l->time || l->dsos || l->symbols || (CONFIG_WINDOW && window_any(&l->window)) ||
	       (CONFIG_SCRIPT_MORE && choice_any(&l->choice));
}

/* Starting */

COLD void listing_setup(struct listing *l)
{
	const struct itrace *it = &l->itrace;
	struct session_options *o = &l->options;

	if (CONFIG_WINDOW && window_any(&l->window)) {
		l->use_calls |= l->window.depth > 0;
		/* A function's begin is a branch. */
		if (it->instructions && !it->branches) {
			l->itrace.branches = true;
			l->omits |= 1 << SAMPLE_BRANCH;
		}
		if (l->window.callee)
			l->itrace.only = 0;
	}
	if (CONFIG_SCRIPT_MORE)
		l->use_calls |= l->choice.functions != NULL;
	l->takes_runs &= !listing_by_sample(l);
	if (CONFIG_CYCLE_SAMPLES && it->cycles) {
		l->takes_runs = false;
		l->cycles = true;
	}
	if (CONFIG_BRANCH_STACKS && (it->branch_stack || it->branch_stack_others))
		l->takes_runs = false;
	l->chooses = listing_by_sample(l) || o->cpus || l->comms || l->pids || l->tids;
	o->no_decode |= it->off;
	o->timeless = it->timeless;
	o->quick = it->quick;
	o->insns = it->instructions;
	o->approximate = it->approximate_ipc;
	o->each_insn = it->instructions &&
		       (!it->period || (it->unit == ITRACE_INSNS && it->period == 1));
	o->needs = samples_needs(it, l->use_calls);
	o->mutable = l->takes_runs;
	/* Notes of the flow (struct passed) have no cycles. */
	o->note = l->takes_runs || (it->instructions && !l->cycles);
	if (CONFIG_BRANCH_STACKS && (it->branch_stack || it->branch_stack_others))
		o->note = false;
}

COLD void listing_times(struct listing *l, u64 *first, u64 *last)
{
	enum { FEATURE_SAMPLE_TIME = 21 };
	struct bytes b = perf_feature(&l->session.file, FEATURE_SAMPLE_TIME);

	*first = b.len >= 16 ? get64(b.at) : 0;
	*last = b.len >= 16 ? get64(b.at + 8) : 0;
}

static COLD const char *set_time(struct listing *l)
{
	struct session_options *o = &l->session.options;
	const char *wrong;
	u64 first, last;

	listing_times(l, &first, &last);
	wrong = ranges_parse(&l->ranges, l->time, first, last);
	o->from = l->ranges.at[0].start;
	/* Side-band records are shown at any time. */
	if (!(l->show | l->show_round | l->cuts))
		o->to = ranges_end(&l->ranges);
	return wrong;
}

COLD const char *listing_start(struct listing *l)
{
	const char *wrong = l->time ? set_time(l) : NULL;

	samples_start(&l->samples, &l->session, &l->itrace, l->use_calls);
	return wrong;
}

bool listing_makes(const struct listing *l)
{
	return !l->options.no_decode && l->session.have_pt;
}

/* Entries */

/* In a pipe the attributes of events come as records, and the record that announces a trace may
 * come after them. True if more is known than at the last ENTRY_EVENTS. */
static bool knows_more(struct listing *l)
{
	u8 known = 1 + listing_makes(l);

	if (known <= l->known ||
	    (l->item.kind == ITEM_RECORD && l->item.record->type >= PERF_HEADER_ATTR))
		return false;
	l->known = known;
	return true;
}

static int give(struct listing *l, struct entry *e, u8 kind, u8 phase)
{
	e->kind = kind;
	e->wanted = true;
	e->item = &l->item;
	l->phase = phase;
	return 1;
}

/* Can a single step be offered like a run of a batch? If so, l->run describes it. */
static bool is_plain(struct listing *l)
{
	const struct item *item = &l->item;
	const struct step *step = item->step;

	if (!samples_simple(step) || step->what & STEP_IN_TX)
		return false;
	l->run = (struct passed){ .run = step->run, .tsc_in = item->tsc_in, .tsc = item->tsc,
				  .to = step->what & STEP_BRANCH ? step->to : 0 };
	return true;
}

static inline const struct passed *all_runs(const struct listing *l)
{
	return l->batch ? l->item.runs : &l->run;
}

static void pass(struct listing *l, u32 n)
{
	l->i += n;
	samples_took(&l->samples, &l->item, all_runs(l) + l->i - 1);
}

/* Offer the rest of the item's runs. All of them belong to one thread, so the selection accepts all
 * or none. */
static bool offer(struct listing *l, struct entry *e)
{
	const struct item *item = &l->item;
	const struct queue *q = item->queue;

	if (!l->takes_runs || samples_cbr_due(&l->samples, q) || !(l->batch || is_plain(l)))
		return false;
	give(l, e, ENTRY_RUNS, RUN);
	e->runs = all_runs(l) + l->i;
	e->n_runs = l->n - l->i;
	l->wanted = true;
	if (likely(!l->chooses))
		return true;
	e->wanted = wants_cpu(l, q->now_cpu) && wants(l, item->thread, q->pid, q->tid, 0);
	l->wanted = e->wanted;
	if (e->wanted || l->all)
		return true;
	/* Without call stacks, skipped runs change nothing that later entries depend on. */
	if (!l->use_calls)
		pass(l, e->n_runs);
	return false;
}

void listing_took(struct listing *l, u32 n)
{
	if (!n)
		return;
	if (l->wanted)
		l->n_runs += n;
	pass(l, n);
}

void listing_drop(struct listing *l)
{
	samples_pass(&l->samples, &l->item);
	l->phase = READ;
}

/* The next sample of a PEBS record. */
static COLD bool next_of_pebs(struct listing *l, struct entry *e)
{
	while (pebs_next(&l->pebs, l->itrace.callchain, &l->members.sample)) {
		if (l->samples.skipped < l->itrace.skip) {
			l->samples.skipped++;
			continue;
		}
		if (!listing_recorded(l, &l->members.sample, e))
			continue;
		e->item = &l->item;
		e->sample = &l->sample;
		return true;
	}
	return false;
}

/* The sample of cycles that comes with one of instructions: after it, or in its place. */
static COLD bool next_cycles(struct listing *l)
{
	struct sample *s = &l->sample;

	if (!l->cycles_due)
		return false;
	l->cycles_due = false;
	s->kind = SAMPLE_CYCLES;
	s->period = s->cyc_cnt;
	s->periods = 0;
	return true;
}

static bool next_made(struct listing *l)
{
	struct sample *s = &l->sample;

	if (!CONFIG_CYCLE_SAMPLES || !l->itrace.cycles)
		return samples_next(&l->samples, s);
	if (next_cycles(l))
		return true;
	while (samples_next(&l->samples, s)) {
		l->cycles_due = s->kind == SAMPLE_INSN && s->cyc_cnt;
		if (s->kind != SAMPLE_INSN || !l->itrace.only_cycles || next_cycles(l))
			return true;
	}
	return false;
}

static bool next_sample(struct listing *l, struct entry *e)
{
	struct sample *s = &l->sample;

	if (CONFIG_PEBS && unlikely(l->pebs.any) && next_of_pebs(l, e))
		return true;
	while (next_made(l)) {
		if (CONFIG_WINDOW && window_any(&l->window) &&
		    !window_wants(&l->window, &l->session, s))
			continue;
		if (CONFIG_PEBS && unlikely(s->kind == SAMPLE_BLOCK)) {
			pebs_start(&l->pebs, &l->session, l->item.queue, s);
			if (next_of_pebs(l, e))
				return true;
			continue;
		}
		if (l->omits >> s->kind & 1 || (l->chooses && !wants_time(l, s->cpu, s->time)))
			continue;
		e->wanted = !l->chooses || wants(l, s->thread, s->pid, s->tid, s->ip);
		if (CONFIG_WINDOW && window_any(&l->window))
			e->wanted = e->wanted && window_is_late(&l->window, s);
		if (!e->wanted && !l->all)
			continue;
		if (CONFIG_SCRIPT_MORE && choice_any(&l->choice) &&
		    !choice_wants(&l->choice, &l->session, s, NULL, s->thread))
			continue;
		if (e->wanted) {
			l->n_samples++;
			if (!s->insn_len)
				session_looked_at(&l->session, s->thread, s->ip);
		}
		e->kind = ENTRY_SAMPLE;
		e->item = &l->item;
		e->sample = s;
		e->thread = s->thread;
		return true;
	}
	return false;
}

static bool give_gap(struct listing *l, struct entry *e, enum gap gap)
{
	const struct itrace *it = &l->itrace;
	const struct perf_sample *lost = l->item.kind == ITEM_LOST ? l->item.sample : NULL;
	u64 time = lost ? lost->time : session_time(&l->session, l->item.tsc);

	if (!ranges_have(&l->ranges, time))
		return false;
	if (CONFIG_DECODE_LOG && l->note_item)
		l->note_item(l->who, &l->item, gap);
	/* Gaps count even if --itrace selects no lines for them. */
	l->gaps++;
	give(l, e, ENTRY_GAP, READ);
	e->gap = gap;
	e->thread = lost ? process_find(&l->session.processes, lost->tid) : l->item.thread;
	e->wanted = it->errors && !(gap == GAP_OVERFLOW && it->no_overflows) &&
		    !(gap == GAP_LOST && it->no_losts);
	return true;
}

/* The sample with a call chain, if it has a copy of the stack to make one. */
static const struct perf_sample *with_chain(struct listing *l, const struct perf_sample *sample,
					    struct thread *t)
{
	if (!l->unwound && sample->stack_user.len)
		l->unwound = NEW(&l->session.arena, struct unwound, 1);
	return unwound(l->unwound, &l->session, t, sample, l->unwind, &l->recorded) ?
		&l->recorded : sample;
}

bool listing_recorded(struct listing *l, const struct perf_sample *sample, struct entry *e)
{
	enum { CPUMODE = 7, GUEST_KERNEL = 4, GUEST_USER = 5 };
	u32 mode = sample->misc & CPUMODE;
	bool guest = CONFIG_GUESTS && (mode == GUEST_KERNEL || mode == GUEST_USER);
	bool shown = guest ? l->session.guests.any : !l->session.guests.only;
	struct thread *t = NULL;

	if (!sample->event || sample->bad || (!shown && !l->all))
		return false;
	if (guest && shown && sample->tid != -1)
		t = guest_thread(&l->session, sample->pid, sample->tid);
	else if (sample->tid != -1)
		t = process_thread(&l->session.processes, sample->pid, sample->tid);
	if (!wants_time(l, sample->cpu, sample->time))
		return false;
	if (CONFIG_BRANCH_STACKS && l->itrace.branch_stack_others && !sample->in_trace &&
	    !(sample->fields >> PERF_S_BRANCH_STACK & 1)) {
		l->recorded = *sample;
		sample = &l->recorded;
		l->recorded.branches = branches_of_late(t, sample->cpu, sample->ip,
							l->itrace.branch_stack_others,
							l->samples.branches);
		l->recorded.fields |= 1ull << PERF_S_BRANCH_STACK;
	}
	e->kind = ENTRY_RECORDED;
	e->sample = NULL;
	e->wanted = wants(l, t, sample->pid, sample->tid, sample->ip) && shown;
	if (CONFIG_SCRIPT_MORE && (e->wanted || l->all) && choice_any(&l->choice) &&
	    !choice_wants(&l->choice, &l->session, NULL, sample, t))
		return false;
	if (CONFIG_UNWIND && l->unwind && (e->wanted || l->all))
		sample = with_chain(l, sample, t);
	e->recorded = sample;
	e->thread = t;
	l->n_samples += e->wanted;
	return e->wanted || l->all;
}

void listing_record(struct listing *l, const struct item *item, struct entry *e)
{
	const struct perf_record *rec = item->record;

	if (rec->type == PERF_LOST_SAMPLES && rec->raw.len >= 16)
		l->n_lost += get64(rec->raw.at + 8);
	if (rec->type == PERF_AUXTRACE_INFO)
		l->foreign = perf_foreign_trace(rec);
	e->kind = ENTRY_RECORD;
	e->item = item;
	e->wanted = rec->type < 64 ? l->show >> rec->type & 1 && wants_cpu(l, item->sample->cpu) :
				     rec->type == PERF_FINISHED_ROUND && l->show_round;
}

/* The loop */

/* Start on l->item. True if it is an entry itself. */
static bool begin(struct listing *l, struct entry *e)
{
	const struct item *item = &l->item;

	l->phase = READ;
	l->i = 0;
	l->batch = item->kind == ITEM_PASSED;
	switch (item->kind) {
	case ITEM_STEP:
		l->n = 1;
		l->phase = RUN;
		return offer(l, e);
	case ITEM_PASSED:
		l->n = item->n_runs;
		session_passed_begin(item, &l->step, &l->one);
		l->phase = BATCH;
		return false;
	case ITEM_LOST:
		return give_gap(l, e, GAP_LOST);
	}
	if (CONFIG_PEBS && item->record->type == PERF_AUX_OUTPUT_HW_ID)
		pebs_learn(&l->pebs, &l->session, item->record, item->sample);
	if (item->record->type != PERF_SAMPLE) {
		if (CONFIG_DECODE_LOG && l->note_item)
			l->note_item(l->who, item, -1);
		listing_record(l, item, e);
		return true;
	}
	l->members = perf_members_start(item->sample);
	l->phase = MEMBERS;
	return false;
}

/* Make samples of the next run that the consumer did not take. False at the end of the item. */
static bool take_step(struct listing *l)
{
	struct item *item = l->batch ? &l->one : &l->item;

	if (l->i >= l->n) {
		if (l->batch)
			samples_pass(&l->samples, &l->item);
		l->phase = READ;
		return false;
	}
	if (l->batch)
		session_passed(&l->item, l->i, &l->step, item);
	if (!samples_omit(&l->samples, item))
		samples_item(&l->samples, item);
	l->phase = SAMPLES;
	return true;
}

/* After the last sample of a run: go to the next run of the batch, or to the gap after the step. */
static bool end_step(struct listing *l, struct entry *e)
{
	const struct item *item = &l->item;

	l->phase = l->batch ? BATCH : READ;
	if (!l->batch)
		return item->halves & STEP_EVENT && item->step->what & STEP_GAP &&
		       give_gap(l, e, item->step->gap);
	l->i++;
	if (l->samples.omits)
		l->i += samples_omit_passed(&l->samples, item, l->i);
	return false;
}

int listing_next(struct listing *l, struct entry *e)
{
	int got;

	for (;;) {
		switch (l->phase) {
		case READ:
			l->item.sampled = l->samples.sampled;
			l->samples.sampled = 0;
			got = session_next(&l->session, &l->item);
			if (got <= 0)
				return got;
			if (unlikely(knows_more(l)))
				return give(l, e, ENTRY_EVENTS, KNOWN);
			/* fall through */
		case KNOWN:
			if (l->cuts && l->item.kind == ITEM_STEP)
				return give(l, e, ENTRY_CUT, TAKEN);
			/* fall through */
		case TAKEN:
			if (begin(l, e))
				return 1;
			break;
		case BATCH:
			if (l->i < l->n && offer(l, e))
				return 1;
			/* fall through */
		case RUN:
			if (!take_step(l))
				break;
			/* fall through */
		case SAMPLES:
			if (next_sample(l, e) || end_step(l, e))
				return 1;
			break;
		case MEMBERS:
			while (perf_members_next(&l->session.file, &l->members))
				if (listing_recorded(l, &l->members.sample, e))
					return 1;
			l->phase = READ;
		}
	}
}
