/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sampled events: the contents of their samples, and recordings without Intel PT.
 *
 * Without Intel PT the first event also writes the side-band. If that event starts later or does
 * not cover all CPUs, a dummy event, which counts nothing, writes it. This is the same as in perf,
 * so that the files of both are alike.
 */
#include <errno.h>

#include "hw.h"

enum { READ_GROUP = 1 << 3 };
enum { LBR_USER = 1 << 0, LBR_CALL_STACK = 1 << 11, LBR_NO_FLAGS = 1 << 14, LBR_NO_CYCLES = 1 << 15,
       LBR_HW_INDEX = 1 << 17 };

#define FLAG(name) (1ull << PERF_F_##name)
#define SAMPLE(name) (1ull << PERF_S_##name)

static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == EVENT_SOFTWARE && attr->config == SW_DUMMY;
}

/* Call chains from the processor's call stack (LBR), which is recorded for user space only. */
static void choose_lbr(struct hw *h, struct perf_attr *attr)
{
	const u64 stack = LBR_USER | LBR_CALL_STACK | LBR_NO_FLAGS | LBR_NO_CYCLES | LBR_HW_INDEX;

	if (h->r->samples.branches == stack && perf_attr_flag(attr, PERF_F_EXCLUDE_USER)) {
		record_say(h->r, 0, "LBR callstack option is only available to get user callchain "
			   "information. Falling back to framepointers.");
		attr->sample_type &= ~SAMPLE(BRANCH_STACK);
		attr->branch_sample_type = 0;
	}
}

void hw_sample_more(struct hw *h, struct hw_event *e)
{
	const struct record_samples *s = &h->r->samples;
	struct perf_attr *attr = &e->spec.attr;

	attr->sample_type |= s->sample_type;
	attr->read_format |= s->read_format;
	attr->flags |= s->flags;
	attr->clockid = s->clockid;
	attr->stack_user = s->stack;
	attr->wakeup = s->unbuffered;
	if (s->flags & FLAG(EXCLUDE_KERNEL))
		attr->flags &= ~FLAG(EXCLUDE_USER);
	if (s->flags & FLAG(EXCLUDE_USER))
		attr->flags &= ~FLAG(EXCLUDE_KERNEL);
	attr->regs_user = s->regs_user;
	attr->regs_intr = s->regs_intr;
	attr->branch_sample_type = s->branches;
	if (is_dummy(attr)) {
		attr->branch_sample_type = attr->regs_intr = 0;
		attr->sample_type &= ~(SAMPLE(BRANCH_STACK) | SAMPLE(REGS_INTR));
		if (!s->stack) {
			attr->regs_user = 0;
			attr->sample_type &= ~SAMPLE(REGS_USER);
		}
	}
	choose_lbr(h, attr);
}

/* The samples of a group with :S contain the counts of all members; only the leader samples. */
static void set_read(struct hw *h, struct hw_event *e)
{
	struct hw_event *leader = e->group < 0 ? e : &h->events[e->group];
	struct perf_attr *attr = &e->spec.attr;

	if (!e->spec.sample_read && !leader->spec.sample_read)
		return;
	attr->sample_type |= SAMPLE(READ) | SAMPLE(ID);
	if (leader->members) {
		attr->read_format |= READ_GROUP;
		attr->flags &= ~FLAG(INHERIT);
	}
	if (e == leader || !leader->spec.sample_read)
		return;
	attr->period = 0;
	attr->flags &= ~FLAG(FREQ);
	attr->sample_type = leader->spec.attr.sample_type;
}

/* A term that has no meaning without a trace; the kernel would refuse the event without words. */
bool hw_sample_alone(struct hw *h, const struct event_spec *spec)
{
	const char *term = spec->aux_output ? "aux-output" : spec->aux_sample_size ?
			   "aux-sample-size" : spec->aux_action ? "aux-action" : NULL;

	if (term)
		record_say(h->r, 0, "%s: %s is for events in a group of Intel PT: "
			   "-e '{intel_pt//u,%s}'", spec->name, term, spec->name);
	return term;
}

static void set_event(struct hw *h, struct hw_event *e)
{
	struct perf_attr *attr = &e->spec.attr;

	attr->size = HW_ATTR_SIZE;
	attr->read_format = h->read_format;
	attr->sample_type = SAMPLE(IP) | SAMPLE(TID);
	if (h->on_cpus)
		attr->sample_type |= SAMPLE(CPU);
	if (!h->per_thread)
		attr->sample_type |= SAMPLE(TIME);
	hw_set_period(h, e);
	if (attr->flags & FLAG(FREQ))
		attr->sample_type |= SAMPLE(PERIOD);
	if (attr->type == EVENT_TRACEPOINT)
		attr->sample_type |= SAMPLE(RAW) | SAMPLE(TIME) | SAMPLE(CPU) | SAMPLE(PERIOD);
	if (h->r->samples.none)
		attr->period = 0;
	hw_sample_more(h, e);
	hw_set_flags(h, e);
	if (h->r->target.tids && !(e->spec.given & EVENT_GIVEN_INHERIT))
		attr->flags &= ~FLAG(INHERIT);
	set_read(h, e);
}

/* Choose the event that writes the side-band: the first, or an added dummy. */
static void add_tracking(struct hw *h)
{
	static const struct event_spec dummy = { .name = "dummy:HG", .attr = {
		.type = EVENT_SOFTWARE, .config = SW_DUMMY,
	} };
	const struct record_samples *s = &h->r->samples;
	u64 flags = FLAG(MMAP) | FLAG(COMM) | FLAG(TASK) | FLAG(MMAP2) | FLAG(COMM_EXEC) |
		    FLAG(KSYMBOL) | FLAG(BPF_EVENT) | s->track;
	struct hw_event *e = &h->events[0];

	if (h->r->switch_events)
		flags |= FLAG(CONTEXT_SWITCH);
	if ((h->r->delay_ms || h->on_cpus) && !is_dummy(&e->spec.attr)) {
		e = hw_add(h, &dummy, HW_TRACKING);
		e->now = h->on_cpus || !h->workload;
	}
	e->spec.attr.flags |= flags & ~s->no_track;
}

/* With several events, each sample has the id of its event; and all have the time at the same
 * place. */
static void set_sample_types(struct hw *h)
{
	u64 first = h->events[0].spec.attr.sample_type, all = 0, more = 0;
	u32 i;

	for (i = 0; i < h->n_events; i++)
		all |= h->events[i].spec.attr.sample_type;
	if (h->n_events > 1)
		more = SAMPLE(ID);
	for (i = 1; i < h->n_events; i++)
		if (h->events[i].spec.attr.sample_type != first)
			more = SAMPLE(IDENTIFIER);
	for (i = 0; i < h->n_events; i++) {
		u64 *type = &h->events[i].spec.attr.sample_type;

		*type |= more | (all & SAMPLE(TIME));
		if (*type & SAMPLE(IDENTIFIER))
			*type &= ~SAMPLE(ID);
	}
}

static int check_freq(struct hw *h)
{
	u64 asked = h->r->freq;

	if (!h->r->samples.strict_freq || !asked || hw_limit_freq(h, asked) == asked)
		return 0;
	record_say(h->r, 0, "--strict-freq: -F %llu is not possible", asked);
	return -EINVAL;
}

int hw_choose_sampled(struct hw *h, const struct event_list *list)
{
	int err = check_freq(h);
	u32 i;

	for (i = 0; i < list->n; i++) {
		struct hw_event *e = hw_add(h, &list->at[i], HW_SAMPLED);

		e->filter = e->spec.filter;
		if (e->spec.precise_max)
			e->spec.attr.flags |= 3ull << PERF_F_PRECISE;
		if (list->at[i].leader == i)
			continue;
		e->group = list->at[i].leader;
		h->events[e->group].members++;
	}
	h->sees_kernel = true;
	add_tracking(h);
	for (i = 0; i < h->n_events; i++)
		set_event(h, &h->events[i]);
	set_sample_types(h);
	return err;
}
