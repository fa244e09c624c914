/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options that all commands which read a trace share, and opening their file.
 */
#include <errno.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CAPTURE.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/DEMANGLE.h>
#include <pt/config/GUESTS.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/DECODE_LOG.h>
#include <pt/config/HEADER_INFO.h>
#include <pt/config/PEBS.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/SEVERAL.h>
#include <pt/config/UNWIND.h>
#include <pt/config/WINDOW.h>
#include <pt/fail.h>
#include <pt/mounts.h>
#include <pt/num.h>
#include <pt/print_record.h>
#include <pt/term.h>
#include "ask.h"
#include "capture.h"
#include "input.h"
#include "several.h"

void ask_begin(struct ask *a, struct listing *l, struct out *out)
{
	a->list = l;
	a->out = out;
}

/* Options */

#define FLAG(type, name, what) { name, offsetof(struct type, what) }
#define TEXT(name, what) { name, offsetof(struct listing, what), true }

static const struct opt_member of_ask[] = {
	FLAG(ask, "header", header), FLAG(ask, "header-only", header_only),
	FLAG(ask, "strict", strict), FLAG(ask, "wide", wide),
	FLAG(ask, "show-info", show_info),
	{ 0 },
}, of_listing[] = {
	FLAG(listing, "no-retcomp", raw.flow.no_compression),
	FLAG(listing, "event-trace", raw.event_trace), TEXT("addr-filter", raw.filter),
	TEXT("input", path), TEXT("time", time), TEXT("comms", comms), TEXT("pid", pids),
	TEXT("tid", tids), TEXT("dsos", dsos), TEXT("symbols", symbols),
	TEXT("symfs", session.images.symfs), TEXT("vdso", session.images.vdso),
	TEXT("vmlinux", session.images.vmlinux), TEXT("kallsyms", session.images.kallsyms),
	TEXT("kcore", session.images.kcore),
	{ 0 },
}, of_choice[] = {
	FLAG(choice, "show-on-off-events", show_switches),
	{ "switch-on", offsetof(struct choice, on), true },
	{ "switch-off", offsetof(struct choice, off), true },
	{ 0 },
}, of_guests[] = {
	FLAG(guests, "guest-code", code),
	{ "guestkallsyms", offsetof(struct guests, kallsyms), true },
	{ "guestmodules", offsetof(struct guests, modules), true },
	{ "guestvmlinux", offsetof(struct guests, vmlinux), true },
	{ "guestmount", offsetof(struct guests, mount), true },
	{ 0 },
};

const char *ask_itrace(struct ask *a, struct opt *o, bool sampled)
{
	struct itrace *it = &a->list->itrace;

	a->itrace_set = true;
	it->off = o->no;
	it->ignored = 0;
	if (!o->no && !o->arg)
		itrace_add_usual(it, sampled);
	if (o->arg && !itrace_parse(it, o->arg))
		return opt_wrong(o, "--itrace=%s: unknown letter '%c', or a wrong number "
				 "after it; see --help=itrace", o->arg, it->wrong);
	if (it->ignored)
		warn(0, "--itrace: '%c' is ignored: this pt makes no %s%slogs", it->ignored,
		     CONFIG_BRANCH_STACKS ? "" : "branch stacks, ",
		     CONFIG_PEBS ? "" : "PEBS, ");
	return NULL;
}

static const char *take_number(struct ask *a, struct opt *o, const char *name)
{
	struct clock_setup *clock = &a->list->raw.flow.clock;
	u64 v;

	if (!strcmp(name, "mem"))
		return num_parse_size(o->arg, &a->list->options.mem) ? NULL :
								      "--mem takes a size: 64M";
	if (!num_parse(o->arg, &v))
		return opt_wrong(o, "--%s takes a number", name);
	if (CONFIG_SCRIPT_MORE && !strcmp(name, "addr-range")) {
		a->list->choice.range = v;
		return NULL;
	}
	if (!strcmp(name, "mtc"))
		clock->mtc_shift = MIN(v, 15ULL);
	else
		clock->max_nonturbo = v;
	return NULL;
}

/* Read "0,2-3" into a mask. */
static const char *take_cpus(struct ask *a, const char *list)
{
	enum { MAX_CPUS = 1 << 16 };
	static const char wrong[] = "-C takes a list of CPUs: 0,2-3";
	u64 *mask = NEW(&a->list->session.arena, u64, MAX_CPUS / 64), from, to;
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
	a->list->options.cpus = mask;
	a->list->options.n_cpus = MAX_CPUS;
	a->cpu_list = list;
	return NULL;
}

/* Options of --help=raw are refused for a perf.data file, which has the same information. */
static void note_raw_option(struct ask *a, const struct opt *o, const char *name)
{
	static const char *const raw[] = { "map", "tsc-ratio", "mtc", "nom-freq", "no-retcomp",
					   "cpu-model" };
	size_t i;

	for (i = 0; i < N_ELEM(raw) && !o->no; i++)
		if (!strcmp(name, raw[i]))
			a->raw_option = raw[i];
}

const char *ask_take(struct ask *a, struct opt *o, const char *name)
{
	const char *wrong;

	note_raw_option(a, o, name);
	if (CONFIG_PROGRESS && !strcmp(name, "no-eta")) {
		a->no_eta = !o->no;
		return NULL;
	}
	if (CONFIG_PROGRESS && !strcmp(name, "quiet")) {
		a->no_eta = a->quiet = !o->no;
		return NULL;
	}
	if (CONFIG_WINDOW && ask_window(a, o, name, &wrong))
		return wrong;
	if (CONFIG_GUESTS && opt_set(o, name, of_guests, &a->list->session.guests))
		return NULL;
	if (CONFIG_SCRIPT_MORE && opt_set(o, name, of_choice, &a->list->choice))
		return NULL;
	if (CONFIG_SEVERAL && !strcmp(name, "input") && !o->no)
		several_add(a->list, o->arg);
	if (opt_set(o, name, of_ask, a) || opt_set(o, name, of_listing, a->list))
		return NULL;
	if (opt_refuse(o, name))
		return o->error;
	if (!strcmp(name, "itrace"))
		return ask_itrace(a, o, false);
	if (!strcmp(name, "no-itrace")) {
		a->list->itrace.off = a->itrace_set = true;
		return NULL;
	}
	if (CONFIG_PERF_OPTIONS && !strcmp(name, "config")) {
		a->config = o->arg;
		return NULL;
	}
	if (CONFIG_DEMANGLE && !strcmp(name, "demangle")) {
		a->list->session.images.mangled = o->no;
		return NULL;
	}
	if (!strcmp(name, "cpu"))
		return take_cpus(a, o->arg);
	if (!strcmp(name, "map"))
		return ask_raw_map(a, o);
	if (!strcmp(name, "cpu-model"))
		return ask_raw_model(a, o->arg);
	if (!strcmp(name, "tsc-ratio"))
		return ask_raw_ratio(a, o->arg);
	return take_number(a, o, name);
}

/* Is this a list like "12,34"? */
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

/* Check that files and folders in options exist, and that lists of numbers are numbers. */
static int check(const struct listing *l)
{
	const struct images *im = &l->session.images;
	const struct guests *guests = &l->session.guests;
	const struct { const char *name, *path; } files[] = {
		{ "symfs", im->symfs }, { "vdso", im->vdso }, { "vmlinux", im->vmlinux },
		{ "kallsyms", im->kallsyms }, { "kcore", im->kcore },
		{ "guestkallsyms", guests->kallsyms }, { "guestmodules", guests->modules },
		{ "guestvmlinux", guests->vmlinux }, { "guestmount", guests->mount },
	};
	const char *missing;
	size_t i;

	for (i = 0; i < N_ELEM(files) - (CONFIG_GUESTS ? 0 : 4); i++) {
		if (!files[i].path || !access(files[i].path, R_OK))
			continue;
		missing = mounts_missing(files[i].path);
		return missing ? fail(0, "--%s %s: %s", files[i].name, files[i].path, missing) :
			fail(-errno, "--%s %s", files[i].name, files[i].path);
	}
	if (!is_numbers(l->pids) || !is_numbers(l->tids))
		return fail(0, "--%s takes numbers: 12,34", is_numbers(l->pids) ? "tid" : "pid");
	return 0;
}

/* A trace of many processes takes much memory: a minute of a guest that started programs all the
 * time took 900 MB. */
static void limit_memory(struct session_options *o)
{
	struct sysinfo s;

	if (!o->mem && !sysinfo(&s))
		o->mem = (u64)s.totalram * s.mem_unit / 4;
}

bool ask_done(struct ask *a, struct opt *o)
{
	const char **symfs = &a->list->session.images.symfs;
	char *word;

	/* The root folder is not another system: its kernel is that of the files. */
	if (CONFIG_PERF_OPTIONS && *symfs && !strcmp(*symfs, "/"))
		*symfs = NULL;
	if (opt_stopped(o) || check(a->list) || (CONFIG_PERF_OPTIONS && !ask_config(a)))
		return false;
	word = opt_word(o);
	if (word)
		a->list->path = word;
	else if (!a->list->path)
		a->list->path = input_usual();
	if (CONFIG_SEVERAL && several_join(a->list))
		return false;
	if (CONFIG_CAPTURE)	/* in the sandbox there is no new file */
		capture_path(a->list->path);
	input_spool_file(&a->list->options.spool, a->list->path, a->list->options.mem);
	limit_memory(&a->list->options);
	if (CONFIG_DECODE_LOG && !ask_log_open(a))
		return false;
	return true;
}

/* The file */

/* May be called in the middle of an output line, so it must not write to 'out'. */
static void say(void *who, const char *what)
{
	warn(0, "%s", what);
}

static int open_any(struct listing *l)
{
	struct session *s = &l->session;
	const char *path = CONFIG_CAPTURE ? capture_path(l->path) : l->path;
	int err = session_open(s, path, &l->options), raw = err;

	if (err == -EBADMSG && !s->file.known)
		raw = session_open_raw(s, path, &l->raw, &l->options);
	s->file.path = l->path;
	if (!raw)
		return 0;
	if (raw == -EINVAL)
		return fail(0, "%s", s->why);
	if (err == -EBADMSG && !s->file.known && s->file.size)
		return input_not_trace(l->path);
	return err ? input_fail(err, l->path, s->why) : 0;
}

static void print_all_of_header(struct ask *a, struct perf_file *file)
{
	char buf[2 * OUT_ROOM];
	struct out *out = a->out, lines;

	if (CONFIG_HEADER_INFO)
		file->show_info = a->show_info;
	if (!CONFIG_CONSOLE || !term_fits(out)) {
		print_header(out, file);
		return;
	}
	term_wrap(&lines, out, buf, sizeof(buf));
	print_header(&lines, file);
	out_flush(&lines);
}

int ask_open(struct ask *a)
{
	struct listing *l = a->list;
	int status;

	if (CONFIG_WINDOW && ask_window_wrong(a))
		return STATUS_FAILED;
	l->options.no_decode |= a->header_only;
	l->session.images.say = say;
	if (CONFIG_PERF_OPTIONS)
		l->itrace.mispredicted = a->mispredicted;
	listing_setup(l);
	status = open_any(l);
	if (!status && a->raw_option && l->session.source->threads)
		return fail(0, "--%s is only for bare traces; %s is a perf.data file",
			    a->raw_option, l->path);
	return status;
}

int ask_start(struct ask *a)
{
	struct listing *l = a->list;
	const char *wrong;

	if ((a->header || a->header_only) && l->session.source->threads && !a->later)
		print_all_of_header(a, &l->session.file);
	if (a->header_only)
		return 0;
	if (CONFIG_WINDOW && ask_window_start(a))
		return STATUS_FAILED;
	if (CONFIG_PROGRESS)
		progress_start(a);
	wrong = listing_start(l);
	return wrong ? fail(0, "--time %s: %s", l->time, wrong) : 0;
}

/* --call-graph dwarf records a copy of the stack, which makes call chains only with UNWIND. */
static void say_dwarf(struct ask *a, const struct perf_attr *attr)
{
	if (a->said_dwarf || !(attr->sample_type >> PERF_S_STACK_USER & 1))
		return;
	a->said_dwarf = true;
	warn(0, "%s: this pt does not unwind user stacks; record with -g, or build pt with UNWIND",
	     a->list->path);
}

int ask_events(struct ask *a, bool callchains)
{
	const struct listing *l = a->list;
	const struct perf_file *file = &l->session.file;
	const char *missed, *event;
	u32 i;

	missed = CONFIG_SCRIPT_MORE ? choice_missed(&l->choice, &a->list->session, &l->itrace,
						    &event) : NULL;
	if (missed)
		return fail(0, "%s %s: %s has no such event; 'pt evlist' lists those of the file",
			    missed, event, l->path);
	for (i = 0; i < file->n_events; i++) {
		const struct perf_attr *attr = &file->events[i]->attr;

		if (!CONFIG_UNWIND && callchains)
			say_dwarf(a, attr);
		if (l->options.cpus && !(attr->sample_type >> PERF_S_CPU & 1))
			return fail(0, "-C: %s was recorded without CPU numbers (in software, or "
				    "per thread); use --tid", l->path);
	}
	return 0;
}

void ask_record(struct ask *a, const struct entry *e)
{
	const struct perf_record *rec = e->item->record;

	if (CONFIG_HEADER_INFO)
		a->list->session.file.show_info = a->show_info;
	if (rec->type == PERF_HEADER_FEATURE && a->header && rec->raw.len >= 16)
		print_feature(a->out, &a->list->session.file, get64(rec->raw.at + 8));
}

int ask_read(struct ask *a, int err)
{
	const struct listing *l = a->list;
	int status = 0;

	if (CONFIG_PROGRESS)
		progress_end(a);
	if (CONFIG_DECODE_LOG && a->log)
		status = ask_log_end(a);
	if (err >= 0)
		return status;
	out_flush(a->out);
	return fail(l->session.why ? 0 : err, "%s: %s", l->path,
		    l->session.why ? l->session.why : "cannot read it");
}
