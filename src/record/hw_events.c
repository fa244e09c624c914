/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events of a recording: Intel PT first, then sampled events, then two events that count
 * nothing and only write side-band records.
 *
 * Decoding a trace needs the side-band: which task ran on a CPU (switches), and which files were
 * mapped (tracking). Switches are recorded for all tasks if the user may see all of them, else only
 * for the traced tasks. To find out which flags this kernel supports, an event with just that flag
 * is opened.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/config/RECORD_SAMPLES.h>
#include <pt/counter.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

#include "hw.h"

enum { READ_ID = 1 << 2, READ_LOST = 1 << 4 };
enum { SAMPLE_MAX = 60 << 10, SAMPLE_DEFAULT = 4096 };

#define FLAG(name) (1ull << PERF_F_##name)
#define SAMPLE(name) (1ull << PERF_S_##name)

static struct perf_attr dummy_attr(u64 flags)
{
	return (struct perf_attr){
		.type = EVENT_SOFTWARE, .config = SW_DUMMY, .size = HW_ATTR_SIZE, .period = 1,
		.read_format = READ_ID,
		.flags = flags | FLAG(EXCLUDE_KERNEL) | FLAG(EXCLUDE_HV) | FLAG(SAMPLE_ID_ALL),
	};
}

static bool can_open(struct perf_attr attr, i32 tid, i32 cpu)
{
	int fd = counter_open(&attr, tid, cpu, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Flags, the newest first: an old kernel lacks those at the front. */
static const struct { u64 flag; const char *name; } newer[] = {
	{ FLAG(TEXT_POKE), "text_poke" }, { FLAG(KSYMBOL), "ksymbol" },
	{ FLAG(BPF_EVENT), "bpf_event" }, { FLAG(NAMESPACES), "namespaces" },
	{ FLAG(CONTEXT_SWITCH), "context_switch" }, { FLAG(COMM_EXEC), "comm_exec" },
	{ FLAG(MMAP2), "mmap2" }, { FLAG(EXCLUDE_GUEST), "exclude_guest" },
};

/* Find out which flags this kernel lacks. -ENODEV if it has no perf events. */
static int probe(struct hw *h)
{
	struct perf_attr lost = dummy_attr(0);
	size_t i;

	if (!can_open(dummy_attr(0), 0, -1)) {
		if (counter_open(&lost, 0, -1, -1) != -ENOSYS)
			return 0;
		if (!h->traces)
			record_say(h->r, 0, "this kernel was built without perf events");
		return h->traces ? -ENODEV : -ENOSYS;
	}
	for (i = 0; i < N_ELEM(newer); i++) {
		if (can_open(dummy_attr(newer[i].flag), 0, -1))
			continue;
		record_say(h->r, 1, "this kernel has no %s", newer[i].name);
		h->missing |= newer[i].flag;
	}
	lost.read_format |= READ_LOST;
	h->read_format = can_open(lost, 0, -1) ? READ_ID | READ_LOST : READ_ID;
	return 0;
}

static struct hw_event *add_dummy(struct hw *h, enum hw_role role, u64 flags)
{
	struct event_spec spec = { .name = "dummy:u", .attr = dummy_attr(flags) };

	return hw_add(h, &spec, role);
}

/* The user's events */

static bool is_trace(const struct event_spec *spec)
{
	return spec->pmu && !strcmp(spec->pmu, HW_PMU);
}

/* Apply the filter of the i-th -e to its tracepoints. */
static bool filter_specs(struct hw *h, struct event_list *list, u32 from, u32 i)
{
	const char *filter = h->r->filters[i];

	for (; from < list->n; from++) {
		struct event_spec *spec = &list->at[from];

		if (spec->attr.type != EVENT_TRACEPOINT) {
			record_say(h->r, 0, "--filter '%s' follows -e %s: only tracepoints and "
				   HW_PMU " take one", filter, spec->name);
			return false;
		}
		spec->filter = filter;
	}
	return true;
}

static int parse(struct hw *h, struct event_list *list)
{
	static const char *const usual[] = { "intel_pt//u", NULL };
	const char *const *text = h->r->events ? h->r->events : usual;
	struct event_error e;
	u32 from, i;

	for (i = 0; text[i]; i++) {
		from = list->n;
		if (event_spec_parse(list, &h->env, text[i], &e)) {
			record_say(h->r, 0, "%s: %s%s%s", text[i], e.what, *e.hint ? "; " : "",
				   e.hint);
			return -EINVAL;
		}
		if (h->r->events && h->r->filters[i] && !filter_specs(h, list, from, i))
			return -EINVAL;
	}
	if (CONFIG_RECORD_MORE && h->r->group && list->n > 1)
		hw_group(list);
	for (i = 0; CONFIG_RECORD_MORE && i < list->n; i++) {
		hw_set_machines(h->r, &list->at[i]);
		if (CONFIG_RECORD_SAMPLES && hw_check_terms(h, &list->at[i]))
			return -EINVAL;
	}
	for (i = 0; CONFIG_RECORD_SAMPLES && !h->traces && i < list->n; i++)
		if (hw_sample_alone(h, &list->at[i]))
			return -EINVAL;
	if (h->traces && list->n > HW_EVENTS) {
		record_say(h->r, 0, "at most %d events can be recorded", HW_EVENTS);
		return -EINVAL;
	}
	return 0;
}

static bool with_trace(const struct hw *h, const struct event_spec *spec)
{
	return is_trace(spec) || spec->aux_output || spec->aux_sample_size ||
	       spec->aux_action || h->r->sample_size;
}

/* Move the Intel PT event to the front. It leads the events of its group, and events with trace in
 * their samples. Members of a group follow their leader. */
static int take_specs(struct hw *h, const struct event_list *list)
{
	bool first[HW_EVENTS] = { 0 };
	u32 place[HW_EVENTS], i, n = 1;
	int trace = -1;

	for (i = 0; i < list->n; i++) {
		if (with_trace(h, &list->at[i]))
			first[list->at[i].leader] = true;
		if (!is_trace(&list->at[i]))
			continue;
		if (trace >= 0) {
			record_say(h->r, 0, "There may be only one " HW_PMU " event");
			return -EINVAL;
		}
		trace = i;
	}
	for (i = 0; i < 2 * list->n; i++) {
		const struct event_spec *spec = &list->at[i % list->n];

		if (is_trace(spec))
			place[trace] = 0;
		else if (first[spec->leader] == (i < list->n))
			place[i % list->n] = n++;
	}
	if (trace < 0) {
		record_say(h->r, 0, "no " HW_PMU " event; add -e " HW_PMU "//u");
		return -EINVAL;
	}
	h->n_events = list->n;
	for (i = 0; i < list->n; i++) {
		struct hw_event *e = &h->events[place[i]];
		const struct event_spec *spec = &list->at[i];

		e->spec = *spec;
		e->filter = spec->filter;
		e->role = (int)i == trace ? HW_TRACE : HW_SAMPLED;
		e->group = first[spec->leader] ? 0 : (int)place[spec->leader];
		if (e->group == (int)place[i])
			e->group = -1;
		else
			h->events[e->group].members++;
	}
	return 0;
}

static int wrong(struct hw *h, const char *what)
{
	record_say(h->r, 0, "%s", what);
	return -EINVAL;
}

static int choose_samples(struct hw *h)
{
	u32 i, outputs = 0, samples = 0;

	for (i = 1; i < h->n_events; i++) {
		struct hw_event *e = &h->events[i];

		if (h->r->sample_size && !(e->spec.given & EVENT_GIVEN_AUX_SAMPLE_SIZE))
			e->spec.aux_sample_size = h->r->sample_size;
		if (e->spec.aux_sample_size > SAMPLE_MAX)
			return wrong(h, "a trace sample has at most 60 KiB");
		outputs += e->spec.aux_output;
		samples += e->spec.aux_sample_size != 0;
	}
	if (outputs > 1)
		return wrong(h, HW_PMU " supports at most one event with aux-output");
	if (samples && h->r->mode == RECORD_SNAPSHOT)
		return wrong(h, "-S and --aux-sample exclude each other");
	if (h->r->mode == RECORD_SAMPLE && !samples)
		return wrong(h, "--aux-sample needs an event to sample: "
			     "-e '{intel_pt//u,branch-misses:u}'");
	if (samples)
		h->r->mode = RECORD_SAMPLE;
	return 0;
}

/* Attributes. */

static void set_sample(struct hw *h, struct hw_event *e)
{
	struct perf_attr *attr = &e->spec.attr;

	attr->read_format = h->read_format;
	attr->size = HW_ATTR_SIZE;
	attr->sample_type = SAMPLE(IDENTIFIER) | SAMPLE(IP) | SAMPLE(TID) | SAMPLE(TIME);
	if (!h->per_thread || h->r->switch_events)	/* perf records the CPU of switches */
		attr->sample_type |= SAMPLE(CPU);
	if (e->role == HW_SAMPLED || attr->type == EVENT_TRACEPOINT)
		attr->sample_type |= SAMPLE(PERIOD);
	if (attr->type == EVENT_TRACEPOINT)
		attr->sample_type |= SAMPLE(RAW);
	if (e->spec.aux_sample_size) {
		attr->sample_type |= SAMPLE(AUX);
		attr->aux_sample_size = e->spec.aux_sample_size;
	}
	if (e->role == HW_SAMPLED && CONFIG_RECORD_SAMPLES)
		hw_sample_more(h, e);
	attr->aux_action = e->spec.aux_action;
	if (e->spec.aux_output)
		attr->flags |= FLAG(AUX_OUTPUT);
}

/* With pt_mode=1 KVM gives guests their own trace, which is not part of ours. */
static void set_guest(struct hw_event *e)
{
	u64 mode;

	if (e->spec.guest_given)
		return;
	e->spec.attr.flags &= ~FLAG(EXCLUDE_GUEST);
	if (!textfile_value("/sys/module/kvm_intel/parameters/pt_mode", 10, &mode) && mode == 1)
		e->spec.attr.flags |= FLAG(EXCLUDE_GUEST);
}

/* Side-band. */

/* Choose the event for context switches: of all tasks if the user may see them, else of the traced
 * tasks only. */
static int choose_switches(struct hw *h, u64 *tracking)
{
	struct perf_attr attr = dummy_attr(FLAG(CONTEXT_SWITCH));
	struct event_list list = { 0 };
	struct event_error e;
	struct hw_event *switches;

	if (h->missing & FLAG(CONTEXT_SWITCH)) {
		if (event_spec_parse(&list, &h->env, "sched:sched_switch", &e))
			return 0;
		switches = hw_add(h, &list.at[0], HW_SWITCHES);
		switches->wide = switches->now = true;
		return 1;
	}
	if (h->on_cpus || !can_open(attr, -1, h->rings[0].cpu)) {
		*tracking |= FLAG(CONTEXT_SWITCH);
		return h->on_cpus ? 3 : 2;
	}
	switches = add_dummy(h, HW_SWITCHES, FLAG(CONTEXT_SWITCH));
	switches->wide = switches->now = true;
	if (h->sees_kernel)
		switches->spec.attr.flags |= FLAG(KSYMBOL) | FLAG(BPF_EVENT) | FLAG(TEXT_POKE);
	return 3;
}

static void add_side_band(struct hw *h)
{
	bool timed = h->events[0].spec.attr.config & hw_term_bits(h, "tsc");
	u64 flags = FLAG(MMAP) | FLAG(COMM) | FLAG(TASK) | FLAG(MMAP2) | FLAG(COMM_EXEC) |
		    FLAG(KSYMBOL) | FLAG(BPF_EVENT) | FLAG(NAMESPACES);
	struct hw_event *tracking;

	if (timed && !h->per_thread)
		h->have_switches = choose_switches(h, &flags);
	else if (h->r->switch_events)
		flags |= FLAG(CONTEXT_SWITCH);
	if (h->sees_kernel && h->on_cpus)
		flags |= FLAG(TEXT_POKE);
	flags = (flags | h->r->samples.track) & ~h->r->samples.no_track;
	tracking = add_dummy(h, HW_TRACKING, flags);
	tracking->now = h->on_cpus || flags & FLAG(CONTEXT_SWITCH) ||
			(h->r->delay_ms && !h->workload);
	tracking->everywhere = h->r->target.cpus != NULL;
}

/* Without records of switches the decoder cannot know which task ran on a CPU. */
static void warn_of_switches(struct hw *h)
{
	if (!h->have_switches && !h->per_thread && !h->workload &&
	    !perf_attr_flag(&h->events[0].spec.attr, PERF_F_EXCLUDE_USER))
		record_say(h->r, 0, "without records of context switches, user space cannot be "
			   "decoded");
}

static int choose_trace(struct hw *h)
{
	struct event_spec *trace = &h->events[0].spec;
	int err;

	if (trace->given & (EVENT_GIVEN_PERIOD | EVENT_GIVEN_FREQ))
		return wrong(h, "leave period= and freq= out: " HW_PMU " is not sampled");
	if (h->n_events == 1 && (h->r->count || h->r->freq || h->r->samples.asked))
		record_say(h->r, 0, "%s has no effect: no event is sampled beside " HW_PMU,
			   h->r->samples.asked ? h->r->samples.asked : "-c and -F");
	hw_config_defaults(h, trace);
	err = hw_config_check(h, trace);
	if (err)
		return err;
	set_guest(&h->events[0]);
	if (h->r->filter)
		err = filter_translate(h->r, h->r->filter, !h->on_cpus, &h->filter);
	h->events[0].filter = h->filter;
	return err;
}

int hw_choose_events(struct hw *h)
{
	struct event_list list = { 0 };
	int err = probe(h);
	u32 i;

	if (!err)
		err = parse(h, &list);
	if (err)
		return err;
	h->events = NEW(h->arena, struct hw_event, list.n + HW_ADDED);
	if (CONFIG_RECORD_SAMPLES && !h->traces)
		return hw_choose_sampled(h, &list);
	err = take_specs(h, &list);
	if (!err)
		err = choose_samples(h);
	if (!err)
		err = choose_trace(h);
	if (err)
		return err;
	for (i = 0; i < h->n_events; i++)
		h->sees_kernel |= !perf_attr_flag(&h->events[i].spec.attr, PERF_F_EXCLUDE_KERNEL);
	add_side_band(h);
	for (i = 0; i < h->n_events; i++) {
		hw_set_period(h, &h->events[i]);
		set_sample(h, &h->events[i]);
		hw_set_flags(h, &h->events[i]);
	}
	warn_of_switches(h);
	return 0;
}
