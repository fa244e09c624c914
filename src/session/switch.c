/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where one thread replaces another in the trace of a CPU that includes the kernel.
 *
 * The record of a context switch is made a little before the kernel gets to __switch_to, and its
 * time and that of the trace differ. What is before __switch_to is still the old thread's, so
 * record and trace wait for each other there:
 *
 *                 record                       __switch_to reached
 *     FOLLOWS  ------------>  AWAITS_IP  -----------------------------> FOLLOWS, the next thread
 *     FOLLOWS  ------------>  AWAITS_RECORD: the queue stops  --------> FOLLOWS, the next thread
 *              __switch_to                           record
 *
 * If the trace does not include all of the kernel, a record counts at once. After a gap in the
 * kernel it is not known whether __switch_to was in the gap; from there on, all records count at
 * once.
 */
#include <pt/config/KERNEL.h>

#include "session.h"

enum state {
	OFF,			/* nothing is traced */
	UNSURE,			/* tracing began: the record may have been written before */
	FOLLOWS,
	AWAITS_RECORD,
	AWAITS_IP,
	JUMPED,			/* decoding began in the middle: usually FOLLOWS */
};

enum { BY_TRACEPOINT = 1, CPU_WIDE = 3 };	/* have_sched_switch */

bool switch_waits(const struct queue *q)
{
	return q->switching.state == AWAITS_RECORD;
}

static bool traces_kernel(const struct session *s)
{
	u32 i;

	for (i = 0; i < s->file.n_events; i++) {
		const struct perf_event *e = s->file.events[i];

		if (e->attr.type == s->pt.pmu_type &&
		    !perf_attr_flag(&e->attr, PERF_F_EXCLUDE_KERNEL))
			return true;
	}
	return false;
}

COLD void switch_start(struct session *s)
{
	u8 by = s->pt.have_sched_switch;
	const char *begins = by == BY_TRACEPOINT ? "perf_trace_sched_switch" :
						   "__perf_event_task_sched_out";

	if (!CONFIG_KERNEL || s->switch_known)
		return;
	s->switch_known = true;
	if (!s->pt.per_cpu || s->timeless || s->in_samples ||
	    !(by == BY_TRACEPOINT || by == CPU_WIDE) || !traces_kernel(s))
		return;
	s->switch_ip = images_kernel_address(&s->images, "__switch_to");
	if (!s->switch_ip)
		return;
	s->switch_begins_ip = images_kernel_address(&s->images, begins);
	s->runs.stop[0] = s->switch_ip;
	s->runs.stop[1] = s->switch_begins_ip;
}

static bool arrives(const struct session *s, const struct step *step)
{
	return step->to == s->switch_ip && step->what & STEP_BRANCH &&
	       !(step->what & (STEP_ASYNC | STEP_ABORT)) &&
	       (!step->from || (step->kind != INSN_COND && step->kind != INSN_INT &&
				step->kind != INSN_IRET));
}

static void take_over(struct queue *q)
{
	struct switching *w = &q->switching;
	i32 tid = w->next_tid;

	if (tid == -1)
		return;
	w->next_tid = -1;
	process_switch(&q->session->processes, q->now_cpu, -1, tid);
	queue_find_thread(q);
}

void switch_step(struct queue *q)
{
	struct switching *w = &q->switching;

	w->due = true;
	w->estimated = w->state == UNSURE && !w->lost && w->next_tid == -1 &&
		       arrives(q->session, &q->step);
}

bool switch_after(struct queue *q)
{
	const struct session *s = q->session;
	const struct step *step = &q->step;
	struct switching *w = &q->switching;

	if (!w->due)
		return false;
	w->due = w->estimated = false;
	if (w->lost)
		return false;
	if (step->what & STEP_GAP) {
		w->lost = step->from >> 63;
		if (w->lost)
			take_over(q);
		return false;
	}
	if (q->tsc < s->from) {
		take_over(q);
		w->state = UNSURE;
		return false;
	}
	if (w->state == JUMPED)
		w->state = FOLLOWS;
	if (!(step->what & STEP_BRANCH))
		return false;
	if (arrives(s, step)) {
		bool waits = w->state == FOLLOWS && !s->records_end;

		if (!waits)
			take_over(q);
		w->state = waits ? AWAITS_RECORD : FOLLOWS;
		return waits;
	}
	if (!step->to)
		w->state = OFF;
	else if (w->state == OFF)
		w->state = UNSURE;
	else if (w->state == UNSURE && step->to == s->switch_begins_ip && step->kind == INSN_CALL)
		w->state = FOLLOWS;
	return false;
}

/* The trace of a CPU, or NULL. */
static struct queue *queue_of(const struct session *s, i32 cpu)
{
	u32 at = (u32)cpu < s->n_cpu_queues ? s->cpu_queues[cpu] : 0;
	struct queue *q = at ? s->queues[at - 1] : NULL;

	return q && q->flow && !q->switching.lost ? q : NULL;
}

bool switch_record(struct session *s, i32 cpu, i32 tid)
{
	struct queue *q = s->switch_ip ? queue_of(s, cpu) : NULL;
	struct switching *w = q ? &q->switching : NULL;

	if (!q)
		return false;
	if (w->state == UNSURE || w->state == FOLLOWS) {
		w->next_tid = tid;
		w->state = AWAITS_IP;
		return true;
	}
	if (w->state == AWAITS_RECORD) {
		q->tsc = MAX(q->tsc, s->until);
		heap_resume(q);
		w->state = FOLLOWS;
	}
	w->next_tid = -1;
	return false;
}

void switch_in(struct session *s, i32 cpu)
{
	struct queue *q = s->switch_ip ? queue_of(s, cpu) : NULL;

	if (!q)
		return;
	q->switching.next_tid = -1;
	if (switch_waits(q))
		heap_resume(q);
	if (switch_waits(q) || q->switching.state == AWAITS_IP)
		q->switching.state = FOLLOWS;
}

void switch_jump(struct queue *q)
{
	if (switch_waits(q))
		heap_resume(q);
	q->switching.state = JUMPED;
	q->switching.next_tid = -1;
	q->switching.due = q->switching.estimated = false;
}

void switch_records_end(struct session *s)
{
	u32 i;

	s->records_end = true;
	for (i = 0; i < s->n_queues && s->switch_ip; i++)
		if (switch_waits(s->queues[i]))
			heap_resume(s->queues[i]);
}
