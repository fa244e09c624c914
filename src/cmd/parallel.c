/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script -j, --shard: one trace, several processes.
 *
 * The trace of the largest queue is cut into segments: at PSBs, or, where the lines
 * between two PSBs would be more than can wait in memory, at any taken branch.
 *
 *     process 0   |=== truth ====|--compare
 *     process 1        ~~~~|======== kept ======|--compare
 *     process 2                      ~~~~|======== kept =======|
 *                 0              1               2               trace ->
 *
 * Each process takes the next free segment, starts to decode a little before it (~) with
 * no knowledge of what was before, and keeps its lines. One process holds the truth: it
 * came from the beginning of the trace, and only it writes. At the end of its segment it
 * compares a digest of its whole state (flow, clock, queues, threads, samples) with the
 * digests that the next process took at the first places of its segment. If they are
 * equal, the truth passes on, and the lines kept from there on are written. If none is
 * equal, the next process drops its lines, and the truth decodes on through that segment.
 * A wrong guess therefore costs time, and never changes a line.
 *
 * Where every Nth instruction is sampled, one more process runs ahead and counts
 * instructions.
 *
 * -j gains nothing where state cannot become equal (cycles estimated from time), or where
 * decoding cannot start in the middle (snapshots, trace in samples, queues without time).
 * Lines indented by the depth of calls come from one process: the depth is known only
 * after everything before, and to indent the lines then takes as long as to make them.
 *
 * On two processors, --insn-trace is 1.5 times as fast: its lines are copied from the
 * texts of runs, and to copy them to where they wait takes 1.6 times as long as to the
 * small buffer of a single process, which stays in the L1 cache. Traces of three CPUs are
 * 1.4 times as fast: the way to a segment is up to a PSB period of each queue, and takes
 * a fifth of the time. Two independent processes are 1.9 to 2.0 times as fast at once as
 * one after the other (Intel Emerald Rapids).
 *
 * With --shard a process decodes what is before its part without printing, prints its
 * part, and ends.
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <pt/config/CYCLE_SAMPLES.h>
#include <pt/command.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/digest.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/part.h>
#include "board.h"
#include "script.h"

enum {
	MAX_JOBS = 256,
	SEGMENT_MIN = 4 << 10, SEGMENT = 64 << 10, SEGMENT_MAX = 1 << 20,
	FINE_MIN = 64, FINE = 4 << 10,	/* if they need not begin at a PSB */
};

/* Print a warning, unless another process has printed it already. */
static void say(void *who, const char *what)
{
	struct script *s = who;
	struct parallel *p = s->parallel;
	u32 len = strlen(what) + 1, h = digest_bytes(1, what, len) | 1, i = 0;

	if ((s->out->gate || !board_has_truth(p)) && len <= sizeof(p->unsaid) - p->n_unsaid) {
		memcpy(p->unsaid + p->n_unsaid, what, len);
		p->n_unsaid += len;
		return;
	}
	board_lock(p);
	while (i < N_ELEM(p->board->said) && p->board->said[i] && p->board->said[i] != h)
		i++;
	if (i == N_ELEM(p->board->said) || !p->board->said[i]) {
		if (i < N_ELEM(p->board->said))
			p->board->said[i] = h;
		warn(0, "%s", what);
	}
	board_unlock(p);
}

static u64 place(const struct item *item)
{
	return part_place(item->queue);
}

/* The part ends at the first PSB from 'at' on, or, if segments need not begin at a PSB, at the
 * first taken branch. */
static void cut_at(struct script *s, u64 at)
{
	s->cut = at;
	part_stop(s->cut_queue, s->parallel && s->parallel->fine ? at : ~0ULL);
}

/* Take the segment from b->next on and return its end. The board is locked. A process that begins
 * at a PSB need not decode the trace before its segment. The last segments are shorter, so that no
 * process waits long for the last one. */
static u64 take_next(struct script *s)
{
	struct parallel *p = s->parallel;
	struct board *b = p->board;
	u64 size = MIN(b->size, (s->trace_size - b->next) / s->jobs / 2 + FINE), psb;

	b->next += size;
	psb = p->fine ? part_psb(s->cut_queue, b->next, (LONG - 1) * size) : 0;
	if (psb)
		b->next = psb;
	if (b->next >= s->trace_size)
		b->next = ~0ULL;
	return b->next;
}

/* Set the size of later segments. The decoded part of this segment gave 'made' bytes of lines. With
 * several queues, segments are longer, since the way to each of them begins at a PSB of each
 * queue. */
static void set_size(struct script *s, u64 made)
{
	struct parallel *p = s->parallel;
	u64 len = part_place(s->cut_queue) - p->slot->start, *size = &p->board->size;
	u64 many = s->list.session.n_queues > 1 ? 2 * MANY : MANY;
	u64 want = len * many / MAX(made, 1ULL);

	want = MIN(MAX(want, *size / 2), *size * 2);
	*size = MIN(MAX(want, (u64)(p->fine ? FINE_MIN : SEGMENT_MIN)), (u64)SEGMENT_MAX);
}

/* The holder of the truth adds what was lost in each file to the sums on the board, 'times' 'lost':
 * 1, or ~0 to subtract. */
static void add_lost(struct script *s, const struct dso_lost *lost, u64 times)
{
	const u64 *from = &lost->gaps;
	u64 *to = &s->parallel->board->lost->gaps;
	u32 i, n = MIN(s->list.session.images.n_dsos, (u32)DSOS) * sizeof(*lost) / sizeof(*to);

	for (i = 0; i < n; i++)
		to[i] += from[i] * times;
}

/* Called when the output buffer is full: lines that may not yet be written wait, or are dropped if
 * they never will be. */
static void gate(struct out *out)
{
	struct script *s = out->who;
	struct parallel *p = s->parallel;
	const struct mark *from;
	u32 i;

	if (!board_has_truth(p)) {
		board_lock(p);
		p->slot->n = MARKS;
		while (!board_has_truth(p) && !board_in_vain(p))
			board_wait(p);
		board_unlock(p);
	}
	out->drop = !board_has_truth(p) || p->board->over;
	out->gate = NULL;
	out->end = out->buf + OUT_BUFFER;
	if (out->drop)
		return;
	cut_at(s, s->cut);
	set_size(s, out->at - out->buf);
	for (i = 0; i < p->n_unsaid; i += strlen(p->unsaid + i) + 1)
		say(s, p->unsaid + i);
	p->n_unsaid = 0;
	from = &p->slot->marks[p->board->from];
	out->buf += from->kept;
	out->end = out->buf + OUT_BUFFER;
	s->list.gaps -= from->gaps;
	add_lost(s, p->lost[p->board->from], ~0ULL);
}

/* Segments */

static bool prints(const struct script *s, u32 fields)
{
	return (s->printer.fields.of[FIELDS_HW] | s->printer.fields.of[FIELDS_SYNTH]) & fields;
}

static bool counts_cycles(const struct script *s)
{
	return prints(s, FIELD_IPC) || (CONFIG_CYCLE_SAMPLES && s->list.itrace.cycles);
}

static u64 state_at(struct script *s, const struct item *item)
{
	bool cycles = counts_cycles(s);
	u64 h = part_state(&s->list.session, item, 1, cycles);

	return h ? samples_state(&s->list.samples, item, h, cycles,
				 s->list.itrace.instructions && !s->printer.by_run,
				 prints(s, FIELD_INSN | FIELD_DISASM)) : 0;
}

/* Reset the counts for the messages at the end. */
static void count_from_here(struct script *s)
{
	struct listing *l = &s->list;

	l->gaps = l->n_samples = l->n_runs = s->n_shown = 0;
	l->passed = 0;
}

/* Add the counts of lines that were or will be written. The board is locked. */
static void add_counts(struct script *s, struct board *b)
{
	struct dso_lost (*lost)[DSOS] = s->parallel->lost;
	struct listing *l = &s->list;

	b->gaps += l->gaps;
	b->lines += l->n_samples + l->n_runs + s->n_shown;
	b->passed |= l->passed;
	part_lost(&l->session, *lost, DSOS);
	add_lost(s, *lost, 1);
}

static void take_counts(struct script *s, const struct board *b)
{
	struct listing *l = &s->list;
	struct dso *dso;

	l->gaps = b->gaps;
	l->n_samples = b->lines;
	l->passed = b->passed;
	for (dso = l->session.images.dsos; dso; dso = dso->next)
		if (dso->index < DSOS) {
			dso->lost = b->lost[dso->index];
			dso->missing |= dso->lost.gaps > 0;
		}
}

static void be_mute(struct script *s, bool mute)
{
	bool depend = s->list.samples.use_calls;

	s->out->gate = NULL;
	s->out->drop = true;
	out_flush(s->out);
	s->out->drop = mute;
	s->printer.mute = mute && !depend;
	s->printer.blind = mute && depend;
	count_from_here(s);
	part_mute(&s->list.session, s->printer.mute);
}

/* The process is free, at 'at' of the trace. Take another segment and go to its start. */
static enum taking take_segment(struct script *s, u64 at)
{
	struct parallel *p = s->parallel;
	struct board *b = p->board;
	struct slot *slot = p->slot;

	board_lock(p);
	/* Its state did not match: it did not know enough there. */
	if (slot->state == REFUSED)
		p->before = MIN(p->before * 2 + SEGMENT_MIN,
				p->fine ? (u64)SEGMENT : b->size / 4);
	if (b->next == ~0ULL || b->over) {
		slot->state = FREE;
		while (!b->over && !p->me)
			board_wait(p);
		board_unlock(p);
		if (p->me)
			_exit(0);
		return TAKE_NO_MORE;
	}
	slot->start = b->next = MAX(b->next, at);
	slot->end = take_next(s);
	slot->state = ON_THE_WAY;
	slot->counted = false;
	part_take_gaps(&s->list.session, b->dso_gaps, b->n_dso_gaps);
	board_unlock(p);
	be_mute(s, true);
	cut_at(s, slot->start);
	if (p->seeks)
		part_seek(&s->list.session, s->cut_queue,
			  s->cut + PSB_BYTES - MIN(s->cut, p->before));
	return TAKE_NOT;
}

static enum taking at_end(struct script *s, const struct item *item);

/* Segments may be shorter than the distance between PSBs. */
static enum taking go_on(struct script *s, const struct item *item)
{
	return place(item) < s->cut ? TAKE_IT : at_end(s, item);
}

/* Store the state at one of the first places of the segment where another part may end. */
static void set_mark(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;
	struct slot *slot = p->slot;

	if (slot->n == MARKS)
		return;
	slot->marks[slot->n] = (struct mark){ place(item), state_at(s, item),
					      s->out->at - p->kept, s->list.gaps };
	part_lost(&s->list.session, p->lost[slot->n], DSOS);
	board_lock(p);
	if (++slot->n == MARKS)
		cut_at(s, slot->end);
	if (slot->state == ON_THE_WAY)
		slot->state = BEGUN;
	board_unlock(p);
}

/* The process that only counts instructions. It stays within segments that were taken. */
static enum taking count(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;
	struct board *b = p->board;
	u64 at = place(item);
	struct slot *slot;

	board_lock(p);
	for (;; board_wait(p)) {
		for (slot = b->slots; slot < b->slots + b->n; slot++)
			if (slot->state == ON_THE_WAY && slot->start <= at && !slot->counted) {
				samples_insns(&s->list.samples, item, slot->insns);
				slot->counted = true;
			}
		if (b->over || at < b->next)
			break;
	}
	board_unlock(p);
	return TAKE_IT;
}

static void settle(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;

	if (p->counts) {
		board_lock(p);
		while (!p->slot->counted && !p->board->counted && !board_in_vain(p))
			board_wait(p);
		board_unlock(p);
	}
	samples_begin(&s->list.samples, item, p->counts ? p->slot->insns : NULL);
}

/* At the start of the segment. */
static enum taking begin_segment(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;

	be_mute(s, false);
	s->out->buf = s->out->at = p->kept;
	s->out->end = p->kept + KEPT;
	s->out->gate = gate;
	p->slot->n = 0;
	if (p->settles)
		settle(s, item);
	set_mark(s, item);
	/* If parts may end at branches, each step may set a mark. */
	if (p->fine)
		s->cut = p->slot->end;
	else
		cut_at(s, p->slot->end);
	return go_on(s, item);
}

/* Continue from 'at' into a segment that no process has begun. The board is locked. */
static bool extend(struct script *s, struct parallel *p, u64 at)
{
	struct board *b = p->board;

	if (b->next != s->cut)
		return false;
	b->next = MAX(b->next, at);
	p->slot->end = take_next(s);
	cut_at(s, b->next);
	return true;
}

/* The first segment from 'start' on that a process decodes. */
static struct slot *first_from(struct board *b, u64 start)
{
	struct slot *first = NULL, *slot;

	for (slot = b->slots; slot < b->slots + b->n; slot++)
		if (slot->start >= start && slot->state != FREE && slot->state != REFUSED &&
		    (!first || slot->start < first->start))
			first = slot;
	return first;
}

/* May this process still set marks at or before 'at'? */
static bool is_coming(const struct slot *slot, u64 at)
{
	return slot->state == ON_THE_WAY ||
	       (slot->state == BEGUN && slot->n < MARKS && at < slot->end &&
		slot->marks[slot->n - 1].at < at);
}

/* The truth has reached the end of its segment: compare it with the next process. The board is
 * locked; this function unlocks it. */
static enum taking hand_over(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;
	struct board *b = p->board;
	u64 state = state_at(s, item), at = place(item);
	struct slot *next;
	u32 i;

	b->n_dso_gaps = part_put_gaps(&s->list.session, b->dso_gaps, sizeof(b->dso_gaps));
	while ((next = first_from(b, s->cut)) && next->start <= at && is_coming(next, at))
		board_wait(p);
	if (next && next->start > at) {
		p->slot->end = next->start;
		cut_at(s, next->start);
		board_unlock(p);
		return TAKE_IT;
	}
	if (next && next->state == BEGUN) {
		i = 0;
		while (i < next->n && (next->marks[i].at < at ||
				       (next->marks[i].at == at && next->marks[i].state != state)))
			i++;
		if (i < next->n && next->marks[i].at == at && state) {
			/* The next holder waits for the truth, and its lines wait, too. */
			board_unlock(p);
			out_flush(s->out);
			board_lock(p);
			add_counts(s, b);
			p->slot->state = FREE;
			b->from = i;
			b->truth = next - b->slots;
			board_unlock(p);
			return take_segment(s, at + 1);
		}
		if (i + 1 < MARKS) {
			/* Every step may be compared. */
			if (i < next->n && p->fine)
				part_stop(s->cut_queue, next->marks[i].at - 1);
			board_unlock(p);
			return TAKE_IT;
		}
	}
	if (next)
		next->state = REFUSED;
	p->slot->end = next ? next->end : ~0ULL;
	cut_at(s, p->slot->end);
	board_unlock(p);
	return go_on(s, item);
}

static enum taking at_end(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;
	u64 at = place(item) + 1;

	board_lock(p);
	while (!board_has_truth(p)) {
		if (board_in_vain(p)) {
			board_unlock(p);
			return take_segment(s, at);
		}
		if (s->out->at - s->out->buf < KEPT / 2 && extend(s, p, at)) {
			board_unlock(p);
			return go_on(s, item);
		}
		p->slot->n = MARKS;
		board_wait(p);
	}
	if (extend(s, p, at)) {
		board_unlock(p);
		return go_on(s, item);
	}
	if (s->out->gate) {
		board_unlock(p);
		out_flush(s->out);
		board_lock(p);
	}
	return hand_over(s, item);
}

/* Starting */

static void *map(size_t size, int how)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_NORESERVE,
			-1, 0);

	if (at == MAP_FAILED)
		fail_memory();
	return at;
}

/* If every Nth instruction is sampled, the position of samples does not depend on which branches
 * come as steps. */
static bool settles(struct script *s)
{
	const struct itrace *it = &s->list.itrace;
	bool can = !s->printer.by_run && it->instructions && it->period &&
		   it->unit == ITRACE_INSNS && !it->skip && !it->callchain &&
		   !counts_cycles(s);

	if (can)
		part_mutable(&s->list.session);
	return can;
}

/* At the first step: fork the other processes. */
static enum taking begin(struct script *s)
{
	struct parallel *p = NEW(&s->list.session.arena, struct parallel, 1);
	struct board *b = map(sizeof(*b) + (s->jobs + 1) * sizeof(*b->slots), MAP_SHARED);
	pid_t parent = getpid(), pid;
	u32 i;

	p->settles = settles(s);
	p->counts = p->settles && s->list.itrace.period > 1;
	*b = (struct board){ .n = s->jobs + p->counts };
	for (i = 0; i < b->n && p->counts; i++)
		b->slots[i].insns = map(s->list.session.n_queues * 8, MAP_SHARED);
	/* In lists of calls, other branches come as steps only near a cut. With CYC packets
	 * they would change the time. */
	p->fine = s->printer.by_run && !s->list.itrace.only;
	b->size = MIN(s->trace_size / s->jobs / 2 + 2, (u64)(p->fine ? FINE : SEGMENT));
	p->board = b;
	p->slot = &b->slots[0];
	p->slot->state = BEGUN;
	p->seeks = part_seeks(&s->list.session);
	p->kept = map(KEPT + OUT_BUFFER, MAP_PRIVATE);
	p->lost = map(MARKS * sizeof(*p->lost), MAP_PRIVATE);
	s->parallel = p;
	p->slot->end = take_next(s);
	cut_at(s, b->next);
	s->list.session.images.say = say;
	s->list.session.images.who = s;
	s->list.session.options.mem /= s->jobs;
	out_flush(s->out);
	s->out->who = s;
	for (i = 1; i < b->n; i++) {
		pid = _Fork();
		if (pid < 0) {
			b->counted = true;
			break;
		}
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(STATUS_FAILED);
			p->me = i;
			p->slot = &b->slots[i];
			if (i < s->jobs)
				return take_segment(s, 0);
			be_mute(s, true);
			return TAKE_NOT;
		}
		b->slots[i].pid = pid;
	}
	return TAKE_IT;
}

const char *parallel_shard(struct script *s, const char *arg)
{
	u64 i, n;

	arg = num_read(arg, 10, &i);
	if (!arg || *arg != '/' || !num_parse(arg + 1, &n) || !i || i > n || n >> 32)
		return "--shard takes I/N: 1/4 to 4/4";
	s->shard = i;
	s->n_shards = n;
	return NULL;
}

/* 'i' n-ths of 'size'. */
static u64 share(u64 size, u32 i, u32 n)
{
	return size / n * i + size % n * i / n;
}

static bool has_stacks(const struct script *s)
{
	const struct itrace *it = &s->list.itrace;

	return CONFIG_BRANCH_STACKS && (it->branch_stack || it->branch_stack_others);
}

void parallel_alone(struct script *s)
{
	if (s->jobs > 1)
		warn(0, "-j cannot help here, one process decodes this; see --help=parallel");
	s->jobs = 0;
}

int parallel_start(struct script *s)
{
	s->cut_queue = part_queue(&s->list.session, &s->trace_size);
	s->cut = ~0ULL;
	if (!s->n_shards) {
		if (!s->cut_queue || s->out->lines || s->max_samples || s->printer.since_first ||
		    s->printer.since_last || s->list.itrace.skip ||
		    s->list.use_calls || s->list.itrace.callchain || has_stacks(s))
			parallel_alone(s);
		s->jobs = MIN(s->jobs, (u32)MAX_JOBS);
		s->list.cuts = s->jobs > 1;
		return 0;
	}
	s->jobs = 0;
	if (s->printer.since_first || s->printer.since_last)
		return fail(0, "--shard excludes --reltime and --deltatime");
	if (has_stacks(s))
		return fail(0, "--shard excludes --itrace=l and L");
	if (!s->cut_queue && !s->list.session.all_buffers)
		return fail(0, "%s: --shard needs a file, not a pipe", s->list.path);
	s->list.cuts = s->cut_queue;
	if (s->shard > 1)
		be_mute(s, true);
	if (s->shard > 1 || s->n_shards > 1)
		s->cut = share(s->trace_size, s->shard - (s->shard > 1), s->n_shards);
	return 0;
}

/* At a PSB: is it the start or the end of this shard's part? */
static enum taking shard_take(struct script *s, u64 at)
{
	if (s->printer.mute) {
		settles(s);
		part_mute(&s->list.session, true);
	}
	if (at < s->cut)
		return TAKE_IT;
	if (!s->out->drop)
		return TAKE_NO_MORE;
	be_mute(s, false);
	s->cut = s->shard < s->n_shards ? share(s->trace_size, s->shard, s->n_shards) : ~0ULL;
	return at < s->cut ? TAKE_IT : TAKE_NO_MORE;
}

/* A part may end where a process that started late has the same state: at a PSB, or at a taken
 * branch, since that settles the times of the branches that were skipped before it. */
static bool can_cut(const struct parallel *p, const struct item *item)
{
	return item->step->what & STEP_PSB || (p && part_stopped(item));
}

enum taking parallel_take(struct script *s, const struct item *item)
{
	struct parallel *p = s->parallel;

	if (s->jobs > 1 && !p)
		return begin(s);
	if (!(item->halves & STEP_EVENT && item->queue == s->cut_queue) || !can_cut(p, item))
		return TAKE_IT;
	if (!p)
		return shard_take(s, item->queue->values->psb_off);
	if (p->me == s->jobs)
		return count(s, item);
	if (!board_has_truth(p) && board_in_vain(p))
		return take_segment(s, place(item) + 1);
	if (s->out->gate && board_has_truth(p))
		out_flush(s->out);
	if (s->out->gate)
		set_mark(s, item);
	if (place(item) < s->cut)
		return TAKE_IT;
	return s->out->drop ? begin_segment(s, item) : at_end(s, item);
}

/* At the end of the trace, the holder of the truth prints the final messages. */
bool parallel_ends(struct script *s)
{
	struct parallel *p = s->parallel;

	if (!p)
		return true;
	board_lock(p);
	if (p->slot->state == ON_THE_WAY)
		p->slot->state = NOT_FOUND;
	p->slot->n = MARKS;
	p->board->counted |= p->me == s->jobs;
	while (!board_has_truth(p) && !board_in_vain(p) && p->slot->state == BEGUN)
		board_wait(p);
	while (!p->me && !board_has_truth(p) && !p->board->over)
		board_wait(p);
	board_unlock(p);
	if (p->me && !board_has_truth(p))
		_exit(0);
	return board_has_truth(p) && !p->board->over;
}

int parallel_end(struct script *s, int status)
{
	struct parallel *p = s->parallel;

	/* A shard that did not reach its part has counted the lines of others. */
	if (s->out->drop && !p)
		count_from_here(s);
	if (!p)
		return ask_end(&s->ask, status, s->n_shown);
	if (board_has_truth(p) && !p->board->over) {
		out_flush(s->out);
		board_lock(p);
		add_counts(s, p->board);
		board_unlock(p);
		take_counts(s, p->board);
		status = ask_end(&s->ask, status, false);
		board_lock(p);
		p->board->status = status;
		p->board->err = s->out->err;
		p->board->over = 1;
		board_unlock(p);
	}
	if (p->me)
		_exit(0);
	s->out->err = p->board->err;
	s->out->at = s->out->buf;
	s->out->gate = NULL;
	return p->board->status;
}
