/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What pt script was asked: its options.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/config/CONSOLE.h>
#include <pt/config/PARALLEL.h>
#include <pt/fail.h>
#include <pt/mounts.h>
#include <pt/num.h>
#include "input.h"
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
			s->show |= shows[i].records;
			return true;
		}
	return false;
}

#define FLAG(name, what) { name, offsetof(struct script, what) }
#define TEXT(name, what) { name, offsetof(struct script, what), true }

static const struct opt_member members[] = {
	FLAG("ns", printer.ns), FLAG("header", header), FLAG("header-only", header_only),
	FLAG("dump-raw-trace", dump), FLAG("strict", strict),
	FLAG("hide-call-graph", printer.no_callchains), FLAG("show-round-events", show_round),
	FLAG("wide", wide), FLAG("no-retcomp", raw.flow.no_compression),
	FLAG("event-trace", raw.event_trace), TEXT("addr-filter", raw.filter),
	TEXT("input", path), TEXT("time", time), TEXT("comms", comms), TEXT("pid", pids),
	TEXT("tid", tids), TEXT("dsos", dsos), TEXT("symbols", symbols),
	TEXT("symfs", session.images.symfs), TEXT("vdso", session.images.vdso),
	TEXT("vmlinux", session.images.vmlinux), TEXT("kallsyms", session.images.kallsyms),
	TEXT("kcore", session.images.kcore),
	{ 0 },
};

bool script_preset(struct script *s, const char *name)
{
	static const struct { const char *name, *fields, *itrace; int dso_width; } presets[] = {
		{ "insn-trace", "+insn,-event,-period", "i0nse", 0 },
		{ "call-trace", "-ip,-addr,-event,-period,+callindent", "cewp", 50 },
		{ "call-ret-trace", "-ip,-addr,-event,-period,+callindent,+flags", "crewp", 0 },
		{ "branches", "-event,-period", "be", 0 },
	};
	size_t i;

	for (i = 0; i < N_ELEM(presets); i++) {
		if (strcmp(name, presets[i].name))
			continue;
		fields_parse(&s->printer.fields, presets[i].fields);
		itrace_parse(&s->itrace, presets[i].itrace);
		s->itrace.off = false;
		s->itrace_set = true;
		s->printer.ns = true;
		s->printer.dso_width = MAX(s->printer.dso_width, presets[i].dso_width);
		return true;
	}
	return false;
}

/* 'sampled': without letters it means what a profile needs. */
const char *script_take_itrace(struct script *s, const struct opt *o, bool sampled)
{
	s->itrace_set = true;
	s->itrace.off = o->no;
	s->itrace.ignored = 0;
	if (!o->no && !o->arg)
		itrace_add_usual(&s->itrace, sampled);
	if (o->arg && !itrace_parse(&s->itrace, o->arg))
		return script_wrong(s, "--itrace=%s: '%c' is not one of the letters, or what "
				    "follows it is wrong: --help=itrace", o->arg, s->itrace.wrong);
	if (s->itrace.ignored)
		warn(0, "--itrace: '%c' is ignored: branch stacks, PEBS and logs are not made",
		     s->itrace.ignored);
	return NULL;
}

const char *script_wrong(struct script *s, const char *fmt, ...)
{
	char line[300];
	va_list ap;

	va_start(ap, fmt);
	fmt_vstr(line, sizeof(line), fmt, ap);
	va_end(ap);
	return arena_str(&s->session.arena, line);
}

static const char *take_number(struct script *s, const char *name, const char *arg)
{
	u64 v;

	if (!strcmp(name, "mem"))
		return num_parse_size(arg, &s->options.mem) ? NULL : "--mem takes a size: 64M";
	if (!num_parse(arg, &v)) {
		return script_wrong(s, "--%s takes a number", name);
	}
	if (!strcmp(name, "max-samples"))
		s->max_samples = v;
	else if (!strcmp(name, "jobs"))
		s->jobs = v;
	else if (!strcmp(name, "mtc"))
		s->raw.flow.clock.mtc_shift = MIN(v, 15ULL);
	else
		s->raw.flow.clock.max_nonturbo = v;
	return NULL;
}

/* "0,2-3" to a mask. */
static const char *take_cpus(struct script *s, const char *list)
{
	enum { MAX_CPUS = 1 << 16 };
	static const char wrong[] = "-C takes a list of CPUs: 0,2-3";
	u64 *mask = NEW(&s->session.arena, u64, MAX_CPUS / 64), from, to;
	const char *p = list;

	while (*p) {
		p = num_read(p, 10, &from);
		to = from;
		if (p && *p == '-')
			p = num_read(p + 1, 10, &to);
		if (!p || to < from || to >= MAX_CPUS || (*p && *p != ','))
			return wrong;
		for (; from <= to; from++)
			mask[from / 64] |= 1ULL << from % 64;
		p += *p == ',';
	}
	s->options.cpus = mask;
	s->cpu_list = list;
	s->options.n_cpus = MAX_CPUS;
	return NULL;
}

/* --help=raw has these; a perf.data says itself what they say. */
static void note_raw_option(struct script *s, const struct opt *o, const char *name)
{
	static const char *const raw[] = { "map", "tsc-ratio", "mtc", "nom-freq", "no-retcomp",
					   "cpu-model" };
	size_t i;

	for (i = 0; i < N_ELEM(raw) && !o->no; i++)
		if (!strcmp(name, raw[i]))
			s->raw_option = raw[i];
}

const char *script_take(struct script *s, struct opt *o, const char *name)
{
	note_raw_option(s, o, name);
	if (opt_set(o, name, members, s) || take_show(s, name) || script_preset(s, name))
		return NULL;
	if (opt_refuse(o, name))
		return o->error;
	if (!strcmp(name, "itrace"))
		return script_take_itrace(s, o, false);
	if (!strcmp(name, "no-itrace")) {
		s->itrace.off = s->itrace_set = true;
		return NULL;
	}
	if (!strcmp(name, "cpu"))
		return take_cpus(s, o->arg);
	if (!strcmp(name, "fields")) {
		s->fields_set = true;
		return fields_parse(&s->printer.fields, o->arg);
	}
	if (CONFIG_PARALLEL && !strcmp(name, "shard"))
		return parallel_shard(s, o->arg);
	if (CONFIG_CONSOLE && !strcmp(name, "baud"))
		return script_baud(s, o->arg);
	if (!strcmp(name, "map"))
		return script_raw_map(s, o->arg);
	if (!strcmp(name, "cpu-model"))
		return script_raw_model(s, o->arg);
	if (!strcmp(name, "tsc-ratio"))
		return script_raw_ratio(s, o->arg);
	return take_number(s, name, o->arg);
}

/* "12,34" */
static bool is_numbers(const char *list)
{
	u64 v;

	while (list && *list) {
		list = num_read(list, 10, &v);
		if (!list || (*list && *list != ','))
			return false;
		list += *list == ',';
	}
	return true;
}

/* What the options name has to be there, and to be what it should be. */
static int check(struct script *s)
{
	const struct images *im = &s->session.images;
	const struct { const char *name, *path; } files[] = {
		{ "symfs", im->symfs }, { "vdso", im->vdso }, { "vmlinux", im->vmlinux },
		{ "kallsyms", im->kallsyms }, { "kcore", im->kcore },
	};
	const char *missing;
	size_t i;

	for (i = 0; i < N_ELEM(files); i++) {
		if (!files[i].path || !access(files[i].path, R_OK))
			continue;
		missing = mounts_missing(files[i].path);
		return missing ? fail(0, "--%s %s: %s", files[i].name, files[i].path, missing) :
			fail(-errno, "--%s %s", files[i].name, files[i].path);
	}
	if (!is_numbers(s->pids) || !is_numbers(s->tids))
		return fail(0, "--%s takes numbers: 12,34", is_numbers(s->pids) ? "tid" : "pid");
	return 0;
}

bool script_ask(struct script *s, struct opt *o,
		const char *(*take)(struct script *s, struct opt *o, const char *name))
{
	const char *name;
	char *word;

	while ((name = opt_next(o)) && !o->error)
		o->error = take(s, o, name);
	if (opt_stopped(o))
		return false;
	if (check(s))
		return false;
	word = opt_word(o);
	if (word)
		s->path = word;
	else if (!s->path)
		s->path = input_usual();
	return true;
}
