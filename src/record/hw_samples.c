/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sampled events: the contents of their samples, and recordings without Intel PT.
 *
 * Without Intel PT the first event also writes the side-band. If that event starts later or does
 * not cover all CPUs, a dummy event, which counts nothing, writes it. This is the same as in perf,
 * so that the files of both are alike.
 */
#include <errno.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/num.h>
#include <pt/text.h>
#include <pt/textfile.h>

#include "hw.h"

enum { READ_GROUP = 1 << 3 };
enum { BRANCH_USER = 1 << 0, BRANCH_RINGS = 7, BRANCH_ANY = 1 << 3, BRANCH_CALL_STACK = 1 << 11,
       BRANCH_NO_FLAGS = 1 << 14, BRANCH_NO_CYCLES = 1 << 15, BRANCH_HW_INDEX = 1 << 17,
       BRANCH_LBR = BRANCH_USER | BRANCH_CALL_STACK | BRANCH_NO_FLAGS | BRANCH_NO_CYCLES |
		    BRANCH_HW_INDEX };

#define FLAG(name) (1ull << PERF_F_##name)
#define SAMPLE(name) (1ull << PERF_S_##name)

/* perf_attr.branch_sample_type, by bit number. */
const char record_branch_words[] =
	"u\0k\0hv\0any\0any_call\0any_ret\0ind_call\0abort_tx\0in_tx\0no_tx\0cond\0stack\0"
	"ind_jmp\0call\0no_flags\0no_cycles\0save_type\0hw_index\0priv\0";

bool record_branches(struct record_samples *s, const char *list)
{
	s->sample_type |= SAMPLE(BRANCH_STACK);
	if (!text_bits(record_branch_words, list, &s->branches))
		return false;
	if (!(s->branches & ~(u64)BRANCH_RINGS))
		s->branches |= BRANCH_ANY;
	return true;
}

/* The kernel refuses more frames than it allows, which is the default. */
static bool read_frames(struct record_samples *s, const char *text)
{
	u64 n, most;

	if (!num_parse(text, &n))
		return false;
	if (!textfile_value("/proc/sys/kernel/perf_event_max_stack", 10, &most) && n < most)
		s->max_stack = n;
	return true;
}

const char *record_call_graph(struct record_samples *s, const char *how)
{
	enum { STACK = 8192, STACK_MAX = 65528 };
	u64 size = STACK;

	s->sample_type |= SAMPLE(CALLCHAIN);
	if (!strcmp(how, "fp") ||
	    (CONFIG_RECORD_MORE && !strncmp(how, "fp,", 3) && read_frames(s, how + 3)))
		return NULL;
	if (!strcmp(how, "lbr")) {
		s->sample_type |= SAMPLE(BRANCH_STACK);
		s->branches = BRANCH_LBR;
		return NULL;
	}
	if (strncmp(how, "dwarf", 5) || (how[5] && how[5] != ','))
		return "--call-graph: fp, lbr, or dwarf[,BYTES], not";
	if (how[5] && (!num_parse_size(how + 6, &size) || !size || size > STACK_MAX))
		return "--call-graph dwarf: not a size up to 65528:";
	s->sample_type |= SAMPLE(REGS_USER) | SAMPLE(STACK_USER) | SAMPLE(ADDR) | SAMPLE(DATA_SRC);
	s->flags |= FLAG(EXCLUDE_CALLCHAIN_USER);
	s->track |= FLAG(MMAP_DATA);
	s->regs_user |= RECORD_REGISTERS;
	s->stack = round_up(size, 8);
	return NULL;
}

/* The terms of one event, which replace the options for all. */

static void forget_chains(struct record_samples *s)
{
	s->sample_type &= ~(SAMPLE(CALLCHAIN) | SAMPLE(REGS_USER) | SAMPLE(STACK_USER));
	if (s->branches == BRANCH_LBR) {
		s->sample_type &= ~SAMPLE(BRANCH_STACK);
		s->branches = 0;
	}
	s->flags &= ~FLAG(EXCLUDE_CALLCHAIN_USER);
	s->regs_user = s->stack = s->max_stack = 0;
}

static const char *read_chain_terms(struct record_samples *s, const struct event_spec *spec)
{
	const char *how = spec->call_graph ? spec->call_graph : "fp", *why;

	if (!spec->call_graph && !spec->stack_size && !spec->max_stack)
		return NULL;
	forget_chains(s);
	if (!strcmp(how, "no") || (!spec->call_graph && !spec->max_stack))
		return NULL;
	why = record_call_graph(s, how);
	if (spec->stack_size && s->stack)
		s->stack = spec->stack_size;
	if (spec->max_stack)
		s->max_stack = spec->max_stack;
	return why;
}

static const char *read_branch_terms(struct record_samples *s, const struct event_spec *spec)
{
	if (!spec->branches)
		return NULL;
	s->sample_type &= ~SAMPLE(BRANCH_STACK);
	s->branches = 0;
	return !strcmp(spec->branches, "no") || record_branches(s, spec->branches) ? NULL :
		"branch_type: no such kind of branches:";
}

int hw_check_terms(struct hw *h, const struct event_spec *spec)
{
	struct record_samples s = h->r->samples;
	const char *value = spec->call_graph, *why = read_chain_terms(&s, spec);

	if (!why) {
		value = spec->branches;
		why = read_branch_terms(&s, spec);
	}
	if (why)
		record_say(h->r, 0, "%s: %s '%s'", spec->name, why, value);
	return why ? -EINVAL : 0;
}

/* Change an event, which was set up by the options, by its terms. */
static void apply_terms(struct hw_event *e, struct record_samples *s)
{
	struct perf_attr *attr = &e->spec.attr;

	read_chain_terms(s, &e->spec);
	read_branch_terms(s, &e->spec);
	attr->max_stack = s->max_stack;
	if (perf_attr_flag(attr, PERF_F_MMAP))
		attr->flags |= s->track & FLAG(MMAP_DATA);
	if (e->spec.given & EVENT_GIVEN_TIME)
		s->sample_type |= SAMPLE(TIME);
	if (e->spec.no_time) {
		s->sample_type &= ~SAMPLE(TIME);
		attr->sample_type &= ~SAMPLE(TIME);
	}
}

/* Call chains from the processor's call stack (LBR), which is recorded for user space only. */
static void choose_lbr(struct hw *h, struct perf_attr *attr)
{
	if (attr->branch_sample_type == BRANCH_LBR && perf_attr_flag(attr, PERF_F_EXCLUDE_USER)) {
		record_say(h->r, 0, "LBR has no kernel call chains: frame pointers are used");
		attr->sample_type &= ~SAMPLE(BRANCH_STACK);
		attr->branch_sample_type = 0;
	}
}

void hw_sample_more(struct hw *h, struct hw_event *e)
{
	const struct record_samples *s = &h->r->samples;
	struct perf_attr *attr = &e->spec.attr;
	struct record_samples own;

	if (CONFIG_RECORD_MORE) {
		own = *s;
		s = &own;
		apply_terms(e, &own);
	}
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
	if (hw_is_software(attr, SW_DUMMY)) {
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
	if (attr->type == EVENT_TRACEPOINT ||
	    (CONFIG_RECORD_MORE && hw_is_software(attr, SW_BPF_OUTPUT)))
		attr->sample_type |= SAMPLE(RAW) | SAMPLE(TIME) | SAMPLE(CPU) | SAMPLE(PERIOD);
	if (h->r->samples.none)
		attr->period = 0;
	hw_sample_more(h, e);
	hw_set_flags(h, e);
	if (h->r->target.tids && !h->r->inherit && !(e->spec.given & EVENT_GIVEN_INHERIT))
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
	if ((h->r->delay_ms || h->on_cpus) && !hw_is_software(&e->spec.attr, SW_DUMMY)) {
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

	if (!h->r->samples.strict_freq || !asked || asked == RECORD_FREQ_MAX ||
	    hw_limit_freq(h, asked) == asked)
		return 0;
	record_say(h->r, 0, "--strict-freq: -F %llu is more than perf_event_max_sample_rate",
		   asked);
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
	add_tracking(h);
	for (i = 0; i < h->n_events; i++) {
		set_event(h, &h->events[i]);
		h->sees_kernel |= !perf_attr_flag(&h->events[i].spec.attr, PERF_F_EXCLUDE_KERNEL);
	}
	set_sample_types(h);
	return err;
}
