/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report: a profile of the samples in a file and of those made from its trace.
 *
 * It reads and selects like pt script (see ask.h), but counts samples instead of printing them.
 */
#include <pt/command.h>
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/GUESTS.h>
#include <pt/config/HEADER_INFO.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/REPORT_MORE.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/SEVERAL.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/config/UNWIND.h>
#include <pt/config/WINDOW.h>
#include <pt/fail.h>
#include <pt/made.h>
#include <pt/num.h>
#include <pt/paint.h>
#include <pt/print_report.h>
#include <pt/print_sample.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include <pt/text.h>
#include "report.h"

PACKED(help) =
	"usage: pt report [OPTIONS] [-i FILE]\n"
	"\n"
	"Print the share of each command, file and function in the samples of FILE\n"
	"(perf.data, or a bare trace) and in the samples made from its trace.\n"
	"\n"
	"  -i, --input FILE      read FILE"
	HELP_IF(CONFIG_SEVERAL, "; several -i, or a folder: as one file") "\n"
	"      --itrace[=OPTS]   which samples to make: pt script --help=itrace; default:\n"
	"                        i100us with call chains, and all but branches\n"
	"  -s, --sort KEYS       columns; equal ones are one entry: --help=columns"
	HELP_IF(CONFIG_REPORT_MORE, ", keys") "\n"
	"      --children        add the share of called functions to the caller\n"
	"                        (the default; else --no-children)\n"
	"  -g, --call-graph[=WORDS]  how to draw call chains: --help=chains\n"
	"  -n, --show-nr-samples     a column with the number of samples\n"
	"      --percent-limit N     leave out entries below N percent\n"
	"  -d, --dsos LIST       only code in these files; more: --help=select\n"
	"  -q, --quiet           entries only\n"
	"      --strict          exit status 3 if there were gaps\n"
	"\n"
	"--help=select, --help=code and --help=raw: as in pt script.\n"
	"\n"
	"Examples:\n"
	"  pt report --no-children               what took the time, and who called it\n"
	"  pt report --itrace=b -s dso,sym       which functions have branches\n"
	"  pt report -g caller -s comm           what ran, from the top down\n"
	"\f"
	"columns: KEYS of --sort and --fields, with commas\n"
	"\n"
	"  comm dso symbol pid cpu"
	HELP_IF(CONFIG_TRACEPOINT_TEXT, " trace") "               make an entry\n"
	"  overhead overhead_children overhead_sys overhead_us sample period\n"
	HELP_IF(CONFIG_GUESTS,
	"  overhead_guest_sys overhead_guest_us   of virtual machines\n")
	"\n"
	"  -F, --fields KEYS     columns, in this order; +KEYS: more of them\n"
	"      --show-total-period   a column with the sum of periods\n"
	"      --show-cpu-utilization   separate columns for kernel and user\n"
	"  -t, --field-separator SEP   between columns, without padding\n"
	"      --header          the file's header first\n"
	"      --header-only     only that\n"
	HELP_IF(CONFIG_HEADER_INFO,
	"  -I, --show-info       with all of it: topology, memory, caches\n")
	"      --group           all events in one table, not only recorded groups;\n"
	"                        --no-group: each in its own\n"
	"      --stdio           the default\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide            perf's lines on a terminal, not ones that fit\n")
	"\f"
	"chains: WORDS of --call-graph, with commas\n"
	"\n"
	"  graph fractal flat folded none   form of the tree; fractal: shares of the\n"
	"                                   caller, not of all\n"
	"  caller callee                    which end comes first\n"
	HELP_IF(CONFIG_REPORT_MORE,
	"  function address srcline         which callers are the same\n")
	HELP_IF(CONFIG_BRANCH_HISTORY,
	"  branch                           branches before the sample, too\n")
	"  percent period count             the number beside each\n"
	"  NUMBER                           lowest percentage to show (0.5); a second\n"
	"                                   NUMBER: how many to show\n"
	"\n"
	"  -G, --inverted        the outermost caller comes first\n"
	"      --max-stack N     at most N functions of a chain\n"
	HELP_IF(CONFIG_REPORT_MORE,
	"      --ignore-callees REGEX   what such functions call counts as theirs\n"
	"\f"
	"keys: further KEYS of --sort and --fields\n"
	"\n"
	"  tid time addr srcline srcfile parent socket symbol_size dso_size cgroup\n"
	"  cgroup_id weight local_weight ins_lat local_ins_lat transaction code_page_size\n"
	HELP_IF(CONFIG_TRACEPOINT_TEXT,
	"  [EVENT.]FIELD[/raw]   a field of tracepoints; trace_fields: all (only -s);\n"
	"                        raw: its number, not its text\n"
	"      --raw-trace       all fields raw, and the key trace shows them all\n"))
	HELP_IF(CONFIG_BRANCH_STACKS,
	"\n"
	"  -b, --branch-stack    count the branches before each sample: --itrace=ibl; the\n"
	"                        default if there are any (--no-branch-stack). Their KEYS:\n"
	"  symbol_from symbol_to dso_from dso_to srcline_from srcline_to addr_from addr_to\n"
	"  mispredict in_tx abort cycles\n")
	HELP_IF(CONFIG_BRANCH_HISTORY,
	"      --branch-history  put the branches before each sample into its call chain\n"
	"      --total-cycles    a table of blocks of code, by the cycles of branches (LBR)\n")
	HELP_IF(CONFIG_REPORT_MORE,
	"\n"
	"      --hierarchy       a tree with a level for each key\n"
	"      --group-sort-idx N    sort groups by event N (0: the first one)\n"
	"  -w, --column-widths LIST  width of each column; 0: that of its contents\n"
	"      --ns              times with nine decimals\n"
	"      --time-quantum TIME   steps of the key time: 10ms, 100us (100ms)\n"
	"      --full-source-path    srcline, srcfile: with folders\n"
	"\f"
	"entries: what counts\n"
	"\n"
	"  -p, --parent REGEX    a column: the caller whose name matches\n"
	"  -x, --exclude-other   leave out what has no such caller\n"
	"  -U, --hide-unresolved     ... what is in no known function\n"
	"      --symbol-filter TEXT  only functions with TEXT in their name\n"
	"      --socket-filter N     only on this socket\n"
	HELP_IF(CONFIG_GUESTS,
	"      --guest           only virtual machines; with --host: they and the host\n"
	"      --host\n")
	"      --percentage HOW      relative: of what these and -d, -S, ... select;\n"
	"                            absolute: of all (the default)\n"
	"\n"
	"  -T, --threads         after the profile, the counts of each thread (record -s)\n"
	"      --pretty STYLE    raw: a line for each count\n"
	"\n"
	"In place of a profile:\n"
	"      --stats           how many records there are of each type\n"
	"      --tasks           processes and threads\n"
	"      --mmaps           the same, with what each process mapped\n"
	"\f"
	"perf: other options of perf report\n"
	"\n"
	"Without effect, since pt does so anyway; --no-inline, too:\n"
	"  -f, --force\n"
	"      --skip-empty\n"
	"      --ignore-vmlinux\n"
	"  -m, --modules\n"
	"      --stdio-color MODE    never, auto\n"
	"      --samples N\n"
	"      --disable-order\n"
	"\f"
	"refused: options of perf report that pt does not have; pt says what to use\n"
	"\n"
	"      --tui\n"
	"      --inline\n"
	"  -v, --verbose\n"
	"      --mem-mode\n"
	"      --show-ref-call-graph\n"
	"      --stitch-lbr\n"
	"      --demangle-kernel\n"
	"      --objdump PATH\n"
	"      --percent-type TYPE\n");

/* Options */

/* Read a decimal number. Returns its end, or NULL if there is none. */
static const char *take_percent(const char *p, double *to)
{
	double unit = 1;
	u64 v;

	p = num_read(p, 10, &v);
	if (!p)
		return NULL;
	*to = v;
	if (*p == '.')
		while (*++p >= '0' && *p <= '9')
			*to += (*p - '0') * (unit /= 10);
	return p;
}

static bool is_word(const char *p, size_t len, const char *word)
{
	return len && len <= strlen(word) && !strncmp(p, word, len);
}

static const char *take_chains(struct report *r, const char *p)
{
	static const char *const words[] = {
		"graph", "fractal", "flat", "folded", "caller", "callee", "function",
		CONFIG_REPORT_MORE ? "address" : "", CONFIG_REPORT_MORE ? "srcline" : "",
		CONFIG_BRANCH_HISTORY ? "branch" : "", "percent", "period", "count", "none"
	};
	enum { CALLER = CHAIN_FOLDED + 1, CALLEE, FUNCTION, BRANCH = FUNCTION + 3, PERCENT,
	       NONE = PERCENT + 3 };
	bool second = false;
	size_t len, i;
	u64 v;

	r->asked_chains = true;
	for (; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		for (i = 0; i < N_ELEM(words) && !is_word(p, len, words[i]); i++)
			;
		if (i == NONE) {
			r->no_chains = true;
		} else if (i == CALLER || i == CALLEE) {
			r->style.hist.caller = i == CALLER;
			r->order_set = true;
		} else if (i >= PERCENT && i < NONE) {
			r->style.value = i - PERCENT;
		} else if (i < CALLER) {
			r->style.hist.mode = i;
		} else if (CONFIG_BRANCH_HISTORY && i == BRANCH) {
			r->past = true;
		} else if (CONFIG_REPORT_MORE && i >= FUNCTION && i < BRANCH) {
			r->style.hist.key = i - FUNCTION;
		} else if (second && num_read(p, 10, &v) == p + len) {
			r->style.max_chains = v;
		} else if (i != FUNCTION) {
			second = true;
			if (take_percent(p, &r->style.hist.least) != p + len)
				return "-g: unknown word: see --help=chains";
		}
	}
	return NULL;
}

static const char *take_separator(struct report *r, const char *arg)
{
	if (!*arg || *arg == '.')
		return "-t takes any separator but '.'";
	r->style.separators = arg;
	r->style.separator = *arg;
	return NULL;
}

static const char *take_own(struct report *r, struct opt *o, const char *name)
{
	const char *end;

	if (!strcmp(name, "call-graph")) {
		/* The next word is the argument unless it is an option. */
		if (!o->arg && !o->no && *o->argv && **o->argv != '-')
			o->arg = *o->argv++;
		r->no_chains = o->no;
		if (!o->arg)
			r->style.hist.caller = r->order_set = r->asked_chains = !o->no;
		return o->arg ? take_chains(r, o->arg) : NULL;
	}
	if (!strcmp(name, "percent-limit")) {
		end = take_percent(o->arg, &r->style.least);
		r->style.hist.least = r->style.least;
		return end && !*end ? NULL : "--percent-limit takes a number: 0.5";
	}
	return take_separator(r, o->arg);
}

static const char *take(struct report *r, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "children", offsetof(struct report, style.hist.children) },
		{ "inverted", offsetof(struct report, inverted) },
		{ "show-nr-samples", offsetof(struct report, samples) },
		{ "quiet", offsetof(struct report, style.no_heads) },
		{ "show-total-period", offsetof(struct report, periods) },
		{ "show-cpu-utilization", offsetof(struct report, shares) },
		{ "stdio", offsetof(struct report, stdio) },
		{ "branch-history", offsetof(struct report, history) },
		{ "total-cycles", offsetof(struct report, total_cycles) },
		{ "sort", offsetof(struct report, sort), true },
		{ "fields", offsetof(struct report, fields), true },
		{ 0 },
	};
	const char *wrong;
	u64 most;

	if (opt_set(o, name, members, r))
		return NULL;
	if (!strcmp(name, "max-stack") && !o->unset)
		return num_parse(o->arg, &most) ? (r->no_frames = !(r->max_stack = most), NULL) :
			"--max-stack takes a number";
	if (CONFIG_REPORT_MORE && report_more_take(r, o, name, &wrong))
		return wrong;
	if (CONFIG_BRANCH_STACKS && !strcmp(name, "branch-stack")) {
		r->branches = o->no ? BRANCHES_NONE : BRANCHES_ASKED;
		return NULL;
	}
	if (!strcmp(name, "group")) {
		r->group = o->no ? GROUP_NONE : GROUP_ALL;
		return NULL;
	}
	if (!strcmp(name, "itrace"))
		return ask_itrace(&r->ask, o, true);
	if (!strcmp(name, "call-graph") || !strcmp(name, "percent-limit") ||
	    !strcmp(name, "field-separator"))
		return opt_refuse(o, name) ? o->error : take_own(r, o, name);
	return ask_take(&r->ask, o, name);
}

/* Counting */

static struct hist *hist_of_event(struct report *r, u32 event)
{
	u32 room = MAX(event + 1, r->list.session.file.n_events);

	if (event >= r->n_events) {
		r->events = arena_grow(&r->list.session.arena, r->events, sizeof(*r->events),
				       r->n_events, room);
		r->n_events = room;
	}
	return &r->events[event];
}

static const struct calls *calls_at(const struct thread *t, i32 cpu)
{
	return t ? calls_if_any(t, cpu) : NULL;
}

/* May the trace give call chains? Not without a trace, and not with -g none. */
static bool traced_chains(const struct report *r)
{
	const struct session *s = &r->list.session;

	return !r->no_chains && s->have_pt;
}

static u32 recorded_chain(struct report *r, const struct perf_sample *s, const struct thread *t)
{
	/* As in perf, --max-stack limits both parts of a chain that was made of a copy of the
	 * stack. */
	u32 most = CONFIG_UNWIND && s->stack_user.len ? 2 * r->list.unwind : 127, n = 0;
	struct bytes chain = s->callchain;

	if (!(s->fields >> PERF_S_CALLCHAIN & 1)) {
		n = traced_chains(r) ? r->list.itrace.callchain_others : 0;
		if (n)
			n = calls_chain_late(calls_at(t, s->cpu), s->ip, n, r->ips);
		return report_cut_chain(r, n);
	}
	for (; chain.len >= 8 && n < most; chain = bytes_skip(chain, 8))
		if (get64(chain.at) < ~0ULL - 4094)
			r->ips[n++] = get64(chain.at);
	return CONFIG_UNWIND && s->stack_user.len ? n : report_cut_chain(r, n);
}

static void count_recorded(struct report *r, const struct entry *e)
{
	const struct perf_sample *recorded = e->recorded;
	struct hist_sample s = { .thread = e->thread, .cpu = recorded->cpu,
				 .kernel = recorded->ip >> 63, .period = recorded->period };
	enum { CPUMODE = 7, GUEST_KERNEL = 4 };
	u32 n;

	if (CONFIG_GUESTS && e->thread && e->thread->guest)
		s.kernel = (recorded->misc & CPUMODE) == GUEST_KERNEL;
	if (CONFIG_TRACEPOINT_TEXT && memchr(r->style.fields, HIST_TRACE, r->style.n_fields))
		s.trace = report_trace_text(r, recorded);
	if (CONFIG_REPORT_MORE) {
		r->more.keys.recorded = recorded;
		r->more.keys.made = NULL;
	}
	if (CONFIG_BRANCH_STACKS && r->style.branches) {
		report_branches(r, hist_of_event(r, recorded->event->index), &s,
				recorded->branches, e->wanted);
		return;
	}
	n = recorded_chain(r, recorded, e->thread);
	if (CONFIG_BRANCH_HISTORY && r->past)
		n = report_past(r, &s, recorded->branches, recorded->callchain, n);
	report_sample(r, hist_of_event(r, recorded->event->index), &s, recorded->ip, n, e->wanted);
}

static void count_made(struct report *r, const struct entry *e)
{
	const struct sample *made = e->sample;
	struct hist_sample s = { .thread = e->thread, .cpu = made->cpu,
				 .period = made_weight(&r->list.session, made),
				 .kernel = (made->ip ? made->ip : made->addr) >> 63 };
	u32 n = r->list.itrace.callchain;

	if (CONFIG_REPORT_MORE) {
		r->more.keys.recorded = NULL;
		r->more.keys.made = made;
	}
	if (CONFIG_BRANCH_STACKS && r->style.branches) {
		u64 branch[] = { made->ip, made->addr, 0 };

		report_branches(r, &r->made[made->kind], &s, made->kind == SAMPLE_BRANCH ?
				(struct bytes){ (u8 *)branch, sizeof(branch) } : made->branches,
				e->wanted);
		return;
	}
	if (n && !r->no_chains && made->kind != SAMPLE_BRANCH)
		n = calls_chain(calls_at(e->thread, made->cpu), made->ip, n, r->ips);
	else
		n = 0;
	n = report_cut_chain(r, n);
	if (CONFIG_BRANCH_HISTORY && r->past)
		n = report_past(r, &s, made->branches, (struct bytes){ 0 }, n);
	report_sample(r, &r->made[made->kind], &s, made->ip, n, e->wanted);
}

/* Are branches the only samples, and only thread and place needed? */
static bool only_branches(const struct itrace *it)
{
	return it->branches && !(it->only || it->instructions || it->skip || it->quick ||
				 it->callchain || it->callchain_others);
}

/* The loop */

static int count(struct report *r, const struct entry *e)
{
	switch (e->kind) {
	case ENTRY_EVENTS:
		return ask_events(&r->ask, true);
	case ENTRY_RUNS:
		if (e->wanted)
			listing_took(&r->list, report_runs(r, e->item, e->runs, e->n_runs));
		break;
	case ENTRY_SAMPLE:
		count_made(r, e);
		break;
	case ENTRY_RECORDED:
		count_recorded(r, e);
		break;
	case ENTRY_RECORD:
		if (CONFIG_REPORT_MORE)
			report_more_record(r, e->item);
		ask_record(&r->ask, e);
	}
	return 0;
}

/* With --guest alone the host's samples of a trace do not count at all. */
static bool of_host(const struct report *r, const struct entry *e)
{
	return r->list.session.guests.only && e->kind == ENTRY_SAMPLE && e->thread &&
	       !e->thread->guest;
}

static int count_all(struct report *r)
{
	struct entry e;
	int err, status = 0;

	while (!status && (err = listing_next(&r->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&r->ask);
		if (CONFIG_GUESTS && of_host(r, &e))
			continue;
		status = count(r, &e);
	}
	return status ? status : ask_read(&r->ask, err);
}

static void print_event(struct report *r, struct hist *h, const char *name)
{
	if (!h->n_samples)
		return;
	hist_sort(h);
	if (CONFIG_BRANCH_HISTORY && r->total_cycles)
		report_blocks(r, h, name);
	else
		print_report(r->out, h, &r->style, name);
}

/* The number of events in the group that event 'i' leads, from GROUP_DESC, which has the name, the
 * leader and the size of each group. */
static u32 group_size(struct report *r, u32 i, const char **name)
{
	enum { GROUP_DESC = 17 };
	struct perf_file *f = &r->list.session.file;
	struct bytes b = perf_feature(f, GROUP_DESC);
	u32 groups = bytes_take32(&b), len, leader, n;

	*name = NULL;
	/* As in perf, --no-group makes all events a group, too, which is then not shown. */
	if (r->group != GROUP_AS_RECORDED && !groups && !i)
		return f->n_events;
	for (; groups && b.len; groups--) {
		len = bytes_take32(&b);
		*name = (const char *)b.at;
		if (!memchr(*name, 0, MIN(len, b.len)))
			break;
		b = bytes_skip(b, len);
		leader = bytes_take32(&b);
		n = bytes_take32(&b);
		if (leader == i && n && n <= f->n_events - i)
			return n;
	}
	return 1;
}

/* Print a group of events in one table; its name is like "anon group { a, b }". */
static void print_group(struct report *r, u32 first, u32 n, const char *name)
{
	struct arena *arena = &r->list.session.arena;
	struct hist **group = NEW(arena, struct hist *, n);
	struct perf_event **events = r->list.session.file.events + first;
	u64 samples = 0;
	size_t size = 32, at;
	char *text;
	u32 i;

	for (i = 0; i < n; i++) {
		group[i] = &r->events[first + i];
		group[i]->arena = arena;
		group[i]->style = &r->style.hist;
		samples += group[i]->n_samples;
		size += strlen(events[i]->name) + 2;
	}
	if (!samples)
		return;
	size += name ? strlen(name) : 0;
	text = NEW(arena, char, size);
	if (name && !strcmp(name, "{anon_group}"))
		name = "anon group";
	at = name ? fmt_str(text, size, "%s { ", name) : 0;
	for (i = 0; i < n; i++)
		at += fmt_str(text + at, size - at, i ? ", %s" : "%s", events[i]->name);
	if (name)
		fmt_str(text + at, size - at, " }");
	hist_join(group, n);
	hist_sort(group[0]);
	print_report(r->out, group[0], &r->style, text);
}

static void print_all(struct report *r)
{
	struct listing *l = &r->list;
	const char *name;
	u32 i, n;

	r->style.time = l->time;
	r->style.narrow_dso = r->style.separator || l->dsos ||
			      (CONFIG_REPORT_MORE && r->style.widths);
	/* With a separator the output is for programs. */
	if (CONFIG_CONSOLE && !r->ask.wide && !r->style.separator)
		term_fit(r->out);
	paint(r->out, PAINT_SHARES);
	if (!r->ask.header && !r->style.no_heads && !term_fits(r->out))
		out_str(r->out, "# To display the perf.data header info, please use "
				"--header/--header-only options.\n#\n");
	report_hide(r);
	if (!r->style.no_heads)
		out_fmt(r->out, "#\n# Total Lost Samples: %llu\n#\n", l->n_lost);
	if (r->n_events)	/* allocate those without samples, too */
		hist_of_event(r, l->session.file.n_events - 1);
	for (i = 0; i < r->n_events; i += n) {
		n = group_size(r, i, &name);
		r->events[i].leads = n > 1;
		if (r->group == GROUP_NONE)
			n = 1;
		if (CONFIG_REPORT_MORE && CONFIG_TRACEPOINT_TEXT)
			report_fields_show(r, i);
		if (n > 1)
			print_group(r, i, n, name);
		else
			print_event(r, &r->events[i], l->session.file.events[i]->name);
	}
	/* PSB and CBR are properties of the trace, not of the program. */
	for (i = 0; i < N_SAMPLE_KINDS; i++)
		if ((i != SAMPLE_PSB && i != SAMPLE_CBR) || !term_fits(r->out))
			print_event(r, &r->made[i], made_name(&l->session, i));
}

static void set_up(struct report *r)
{
	struct listing *l = &r->list;

	if (r->style.no_heads)
		r->ask.header = r->ask.header_only = false;
	if (!r->order_set)
		r->style.hist.caller = r->style.hist.children;
	if (CONFIG_REPORT_MORE && r->style.hierarchy)
		r->style.hist.children = false;
	r->style.hist.caller |= r->inverted;
	r->itrace_set = r->ask.itrace_set;
	if (!r->itrace_set && CONFIG_WINDOW && l->window.callee)
		itrace_parse(&l->itrace, "c");
	else if (!r->itrace_set)
		itrace_default(&l->itrace, true);
	else if (r->max_stack || r->no_frames)
		r->max_stack = MAX(r->max_stack, l->itrace.callchain);
	r->no_frames &= !r->max_stack;
	if (CONFIG_UNWIND)
		l->unwind = r->max_stack ? r->max_stack : UNWOUND_USUAL;
	l->takes_runs = only_branches(&l->itrace);
	l->all = r->ask.sums_up = true;
	r->ask.no_eta |= r->style.no_heads;
	l->options.stamped = !r->itrace_set;
	if (CONFIG_GUESTS && CONFIG_REPORT_MORE)
		l->session.guests.only = l->session.guests.asked && !r->more.host;
	l->takes_runs &= !(CONFIG_GUESTS && l->session.guests.only);
}

static int run(struct report *r)
{
	struct listing *l = &r->list;
	int status;

	set_up(r);
	if (CONFIG_REPORT_MORE && (r->stats || r->tasks || r->mmaps))
		return report_stats(r);
	if ((status = ask_open(&r->ask)) ||
	    (CONFIG_BRANCH_STACKS && (status = report_branches_start(r))) ||
	    (status = report_columns(r)) ||
	    (status = ask_start(&r->ask)) || r->ask.header_only)
		return status;
	status = ask_end(&r->ask, count_all(r), false);
	if (status && status != STATUS_GAPS)
		return status;
	if (!r->started)
		return fail(0, "%s: there are no samples; use another --itrace", l->path);
	if (((r->asked_chains && !r->no_chains) || (CONFIG_REPORT_MORE && r->more.parents) ||
	     (CONFIG_BRANCH_HISTORY && r->history)) && !r->has_chains &&
	    !(CONFIG_BRANCH_HISTORY && r->past) && !l->session.file.pipe)
		return fail(0, CONFIG_BRANCH_HISTORY && r->history ?
			    "--branch-history: %s has no branch stacks; use --itrace=il, or record "
			    "with -b" :
			    "-g: %s has no call chains; use --itrace=ig, or record with -g",
			    l->path);
	if (CONFIG_BRANCH_HISTORY && r->total_cycles && !r->blocks.cycles)
		return fail(0, "--total-cycles: the branches of %s have no cycles (those of an LBR "
			    "have)", l->path);
	print_all(r);
	if (CONFIG_REPORT_MORE && r->more.threads)
		report_threads_print(r);
	if (CONFIG_BRANCH_HISTORY && r->style.branches)
		print_branch_types(r->out, &r->branch_types);
	return status;
}

static struct report the;

static int report(struct opt *o, struct out *out)
{
	const char *name;

	script_help(o);
	ask_begin(&the.ask, &the.list, out);
	the.out = out;
	the.style.hist.children = true;
	the.style.hist.least = 0.5;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_report = { "report", "print a profile", help, report, true };
