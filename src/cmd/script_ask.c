/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of pt script.
 */
#include <pt/config/CONSOLE.h>
#include <pt/config/DISASM.h>
#include <pt/config/PARALLEL.h>
#include <pt/config/ROWS.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/WINDOW.h>
#include <pt/num.h>
#include "script.h"

#define BIT(type) (1ULL << (type))

static const struct { const char *option; u64 records; } shows[] = {
	{ "show-task-events", BIT(PERF_COMM) | BIT(PERF_FORK) | BIT(PERF_EXIT) },
	{ "show-mmap-events", BIT(PERF_MMAP) | BIT(PERF_MMAP2) },
	{ "show-switch-events", BIT(PERF_SWITCH) | BIT(PERF_SWITCH_CPU_WIDE) },
	{ "show-lost-events", BIT(PERF_LOST) | BIT(PERF_LOST_SAMPLES) },
	{ "show-namespace-events", BIT(PERF_NAMESPACES) },
	{ "show-cgroup-events", BIT(PERF_CGROUP) },
	{ "show-bpf-events", BIT(PERF_KSYMBOL) | BIT(PERF_BPF_EVENT) },
	{ "show-text-poke-events", BIT(PERF_KSYMBOL) | BIT(PERF_TEXT_POKE) },
};

static bool take_show(struct script *s, const char *name)
{
	size_t i;

	for (i = 0; i < N_ELEM(shows); i++)
		if (!strcmp(name, shows[i].option)) {
			s->list.show |= shows[i].records;
			return true;
		}
	return false;
}

static const struct opt_member members[] = {
	{ "ns", offsetof(struct script, printer.ns) },
	{ "full-source-path", offsetof(struct script, printer.full_path) },
	{ "reltime", offsetof(struct script, printer.since_first) },
	{ "deltatime", offsetof(struct script, printer.since_last) },
	{ "dump-raw-trace", offsetof(struct script, dump) },
	{ "xed", offsetof(struct script, xed) },
	{ "hide-call-graph", offsetof(struct script, printer.no_callchains) },
	{ "show-round-events", offsetof(struct script, list.show_round) },
	{ 0 },
};

bool script_preset(struct script *s, const char *name)
{
	static const struct { const char *name, *fields, *itrace; int dso_width; } presets[] = {
		{ "insn-trace", "+insn,-event,-period", "i0nse", 0 },
		{ "insn-trace=raw", "+insn,-event,-period", "i0nse", 0 },
		{ "insn-trace=disasm", "+disasm,-event,-period", "i0nse", 0 },
		{ "call-trace", "-ip,-addr,-event,-period,+callindent", "cewp", 50 },
		{ "call-ret-trace", "-ip,-addr,-event,-period,+callindent,+flags", "crewp", 0 },
		{ "branches", "-event,-period", "be", 0 },
	};
	size_t i;

	for (i = 0; i < N_ELEM(presets); i++) {
		if (strcmp(name, presets[i].name))
			continue;
		fields_parse(&s->printer.fields, presets[i].fields);
		itrace_parse(&s->list.itrace, presets[i].itrace);
		s->list.itrace.off = false;
		s->ask.itrace_set = true;
		s->printer.ns = true;
		s->printer.dso_width = MAX(s->printer.dso_width, presets[i].dso_width);
		return true;
	}
	return false;
}

static const char *take_number(struct script *s, struct opt *o, const char *name)
{
	u64 v;

	if (!num_parse(o->arg, &v))
		return opt_wrong(o, "--%s takes a number", name);
	if (!strcmp(name, "jobs"))
		s->jobs = v;
	else if (!strcmp(name, "max-stack"))
		s->printer.no_frames = !(s->printer.max_stack = v);
	else
		s->max_samples = v;
	return NULL;
}

static const char *take_insn_trace(struct script *s, struct opt *o)
{
	char name[40];

	if (!CONFIG_DISASM && !strcmp(o->arg, "disasm"))
		return fields_parse(&s->printer.fields, "+disasm");
	fmt_str(name, sizeof(name), "insn-trace=%s", o->arg);
	return script_preset(s, name) ? NULL :
		opt_wrong(o, "--insn-trace=%s: neither raw nor disasm", o->arg);
}

/* Take an option with an argument. */
static const char *take_argument(struct script *s, struct opt *o, const char *name)
{
	if (!strcmp(name, "fields")) {
		s->fields_set = true;
		return fields_parse(&s->printer.fields, o->arg);
	}
	if (CONFIG_PARALLEL && !strcmp(name, "shard"))
		return parallel_shard(s, o->arg);
	if (CONFIG_CONSOLE && !strcmp(name, "baud"))
		return script_baud(s, o->arg);
	return take_number(s, o, name);
}

const char *script_take(struct script *s, struct opt *o, const char *name)
{
	static const char *const own[] = { "fields", "shard", "baud", "jobs", "max-samples",
					   "max-stack" };
	const char *wrong;
	size_t i = 0;

	if (CONFIG_SCRIPT_MORE && script_more(s, o, name, &wrong))
		return wrong;
	if (CONFIG_ROWS && !strcmp(name, "json")) {
		s->json = !o->no;
		return NULL;
	}
	if (CONFIG_ROWS && !strcmp(name, "tsv")) {
		s->rows.tsv = !o->no;
		return NULL;
	}
	if (CONFIG_WINDOW && script_window(s, o, name))
		return NULL;
	if (!strcmp(name, "insn-trace") && o->arg)
		return take_insn_trace(s, o);
	if (opt_set(o, name, members, s) || take_show(s, name) || script_preset(s, name))
		return NULL;
	while (i < N_ELEM(own) && strcmp(name, own[i]))
		i++;
	if (i == N_ELEM(own))
		return ask_take(&s->ask, o, name);
	return opt_refuse(o, name) ? o->error : take_argument(s, o, name);
}
