/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt list: the events of this machine, and whether they can be counted here.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/counter.h>
#include <pt/event_name.h>
#include <pt/fail.h>
#include <pt/print_caps.h>
#include <pt/term.h>
#include <pt/textfile.h>

PACKED(help) =
	"usage: pt list [KIND | GLOB]...\n"
	"\n"
	"List the events for -e of pt stat and pt record on this machine.\n"
	"\n"
	"  hw, sw, cache, tool, pmu, tracepoint   events of that kind\n"
	"  pt                                     what Intel PT can do here\n"
	"  GLOB                                   names that match, or contain the word\n"
	"\n"
	"The last column says whether the event can be opened: yes; u, for user space\n"
	"only; or no, with the number of the reason below the list. Tracepoints are not\n"
	"tried one by one: all of them depend on the same rights.\n"
	"\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide               all events on a terminal, not by KIND\n"
	"\n")
	"  pt list                  all events\n"
	"  pt list cache 'sched:*'  cache events, and the scheduler's tracepoints\n"
	"  pt list pt               abilities of Intel PT here\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf list without effect, since pt does so anyway\n"
	"\n"
	"  -d, --desc\n"
	"  -v, --long-desc\n"
	"      --details\n"
	"      --deprecated\n");

enum kind { HW = 1, SW = 2, CACHE = 4, TOOL = 8, PMU = 16, TRACEPOINT = 32, PT = 64, ALL = 127 };

static const struct { const char *name; enum kind kind; } kinds[] = {
	{ "hw", HW }, { "hardware", HW }, { "sw", SW }, { "software", SW }, { "cache", CACHE },
	{ "hwcache", CACHE }, { "tool", TOOL }, { "pmu", PMU }, { "tracepoint", TRACEPOINT },
	{ "pt", PT }, { "intel_pt", PT },
};

enum { MAX_REASONS = 32 };

struct list {
	struct out *out;
	struct arena arena;
	struct event_env env;
	int kinds;
	char **globs;
	u32 n_globs;
	u64 matched;		/* bits: which globs match an event, modulo 64 */
	char *reasons[MAX_REASONS];
	u32 n_reasons;
	bool user_only;		/* some events can only be opened without the kernel */
	bool counts;		/* events are counted, not listed: */
	u32 n, n_open;
};

static bool matches(const char *glob, const char *name)
{
	char around[256];

	fmt_str(around, sizeof(around), event_name_is_pattern(glob) ? "%s" : "*%s*", glob);
	return event_name_glob(around, name);
}

static bool wanted(struct list *l, enum kind kind, const char *name, const char *alias)
{
	bool is = l->kinds & kind;
	u32 i;

	for (i = 0; i < l->n_globs; i++)
		if (matches(l->globs[i], name) || (alias && matches(l->globs[i], alias))) {
			l->matched |= 1ull << i % 64;
			is = true;
		}
	return is;
}

/* The number of a reason, beginning with 1. */
static u32 number_of(struct list *l, const char *why)
{
	u32 i;

	for (i = 0; i < l->n_reasons; i++)
		if (!strcmp(l->reasons[i], why))
			return i + 1;
	if (i == MAX_REASONS)
		return i;
	l->reasons[l->n_reasons++] = arena_str(&l->arena, why);
	return l->n_reasons;
}

/* Try to open the event: "yes", "u" or "no N". */
static void try(struct list *l, struct event_spec *spec, char *to, size_t size)
{
	bool on_cpu = spec->uncore && spec->cpus;
	u64 flags = spec->attr.flags;
	char why[256];
	int fd;

	fd = counter_open_fitting(spec, &l->arena, on_cpu ? -1 : 0,
				  on_cpu ? spec->cpus->cpu[0] : -1, -1);
	if (fd >= 0) {
		close(fd);
		l->user_only |= (spec->attr.flags & ~flags) != 0;
		fmt_str(to, size, spec->attr.flags & ~flags ? "u" : "yes");
		return;
	}
	counter_why(why, sizeof(why), spec, fd, on_cpu, &l->env);
	fmt_str(to, size, "no %u", number_of(l, why));
}

static void put(struct list *l, const char *name, const char *alias, const char *kind,
		const char *opens)
{
	char both[256], bracket[48];
	bool fits;

	if (l->counts) {
		l->n++;
		l->n_open += *opens == 'y' || *opens == 'u';
		return;
	}
	fmt_str(both, sizeof(both), alias ? "%s OR %s" : "%s", name, alias);
	fmt_str(bracket, sizeof(bracket), "[%s]", kind);
	out_str(l->out, "  ");
	out_name(l->out, both);
	out_fill(l->out, ' ', 50 - (int)strlen(both));
	/* 22: "[Hardware cache event]" */
	fits = !term_fits(l->out) ||
	       MAX(strlen(both), (size_t)50) + 26 + strlen(opens) <= l->out->width;
	if (fits)
		out_fmt(l->out, *opens ? " %-22s %s\n" : " %s\n", bracket, opens);
	else
		out_fmt(l->out, " %s\n", *opens ? opens : bracket);
}

/* Print an event by its name. On a machine with several CPU types only the first type is tried. */
static void put_event(struct list *l, const char *name, const char *alias, const char *kind,
		      const char *text)
{
	struct event_list events = { 0 };
	struct event_error err;
	char opens[16] = "";

	if (!event_spec_parse(&events, &l->env, text, &err) && events.n)
		try(l, &events.at[0], opens, sizeof(opens));
	else
		fmt_str(opens, sizeof(opens), "no %u", number_of(l, err.what));
	put(l, name, alias, kind, opens);
}

struct line {
	const char *name, *alias;
};

/* Sort by name, with a shell sort. */
static void sort_lines(struct line *lines, u32 n)
{
	u32 gap, i, k;

	for (gap = n / 2; gap; gap /= 2)
		for (i = gap; i < n; i++) {
			struct line line = lines[i];

			k = i;
			while (k >= gap && strcmp(lines[k - gap].name, line.name) > 0) {
				lines[k] = lines[k - gap];
				k -= gap;
			}
			lines[k] = line;
		}
}

/* List the events of a type, sorted by name; of two names of an event the longer one comes
 * first. */
static void list_plain(struct list *l, u32 type, enum kind kind, const char *what)
{
	struct line lines[64];
	struct event_name e;
	u32 i, n = 0;

	for (i = 0; event_name_nth(i, &e) && n < N_ELEM(lines); i++) {
		bool swap = e.alias && strlen(e.alias) > strlen(e.name);
		const char *name = arena_str(&l->arena, e.name);

		if (e.type == type && wanted(l, kind, e.name, e.alias))
			lines[n++] = (struct line){ swap ? e.alias : name, swap ? name : e.alias };
	}
	sort_lines(lines, n);
	for (i = 0; i < n; i++)
		put_event(l, lines[i].name, lines[i].alias, what, lines[i].name);
}

static void list_tools(struct list *l)
{
	static const char *const tools[] = { "duration_time", "user_time", "system_time" };
	size_t i;

	for (i = 0; i < N_ELEM(tools); i++)
		if (wanted(l, TOOL, tools[i], NULL))
			put(l, tools[i], NULL, "Tool event", "yes");
}

static void list_pmu_events(struct list *l)
{
	const struct event_pmu *pmu;
	char name[256];
	u32 i;

	for (pmu = event_pmu_all(&l->env); pmu; pmu = pmu->next) {
		for (i = 0; i < pmu->n_aliases; i++) {
			fmt_str(name, sizeof(name), "%s/%s/", pmu->name, pmu->aliases[i].name);
			if (wanted(l, PMU, name, NULL))
				put_event(l, name, NULL, "Kernel PMU event", name);
		}
		fmt_str(name, sizeof(name), "%s//", pmu->name);
		if (!strcmp(pmu->name, "intel_pt") && wanted(l, PMU, name, NULL))
			put_event(l, name, NULL, "Kernel PMU event", name);
	}
}

static void list_forms(struct list *l)
{
	if (l->kinds != ALL)
		return;
	put(l, "rNNN", NULL, "Raw hardware event descriptor", "");
	put(l, "cpu/t1=v1[,t2=v2,t3 ...]/modifier", NULL, "Raw hardware event descriptor", "");
	put(l, "mem:<addr>[/len][:access]", NULL, "Hardware breakpoint", "");
}

/* The names in a folder of tracefs, sorted. */
struct names {
	struct line *at;
	u32 n, room;
};

static void read_names(struct list *l, struct names *names, const char *path)
{
	struct textfile_dir dir;
	const char *name;

	names->n = 0;
	if (textfile_dir_open(&dir, path))
		return;
	while ((name = textfile_dir_next(&dir))) {
		if (names->n == names->room) {
			names->room = names->room ? names->room * 2 : 64;
			names->at = arena_grow(&l->arena, names->at, sizeof(*names->at), names->n,
					       names->room);
		}
		names->at[names->n++].name = arena_str(&l->arena, name);
	}
	sort_lines(names->at, names->n);
}

/* There are thousands of tracepoints: a terminal gets one line for each system, unless the command
 * line selects names. */
static bool sums_systems(const struct list *l)
{
	return term_fits(l->out) && l->kinds & TRACEPOINT && !l->counts;
}

static void put_system(struct list *l, const char *system)
{
	char word[128];

	l->counts = false;
	fmt_str(word, sizeof(word), "'%s:*'", system);
	if (l->n)
		out_fmt(l->out, "  pt list %-34s %6u %10u\n", word, l->n, l->n_open);
}

/* Only one tracepoint is tried, for all of them. Opening thousands takes seconds, since the kernel
 * patches its code for each. */
static void list_tracepoints(struct list *l)
{
	struct names systems = { 0 }, events = { 0 };
	struct event_list one = { 0 };
	struct event_error err;
	char path[512], name[256], opens[16] = "";
	bool sums = sums_systems(l);
	u32 i, k;

	/* This also finds tracefs. */
	if (event_spec_parse(&one, &l->env, "sched:sched_switch", &err)) {
		if (!l->env.tracefs && l->kinds & TRACEPOINT)
			number_of(l, err.what);
	}
	if (!l->env.tracefs)
		return;
	fmt_str(path, sizeof(path), "%s/events", l->env.tracefs);
	read_names(l, &systems, path);
	if (sums)
		out_fmt(l->out, "%52s  open here\n", "events");
	for (i = 0; i < systems.n; i++) {
		fmt_str(path, sizeof(path), "%s/events/%s", l->env.tracefs, systems.at[i].name);
		read_names(l, &events, path);
		if (sums) {
			l->counts = true;
			l->n = l->n_open = 0;
		}
		for (k = 0; k < events.n; k++) {
			fmt_str(path, sizeof(path), "%s/events/%s/%s/id", l->env.tracefs,
				systems.at[i].name, events.at[k].name);
			fmt_str(name, sizeof(name), "%s:%s", systems.at[i].name, events.at[k].name);
			if (!wanted(l, TRACEPOINT, name, NULL) || access(path, F_OK))
				continue;
			if (!*opens && one.n)
				try(l, &one.at[0], opens, sizeof(opens));
			put(l, name, NULL, "Tracepoint event", opens);
		}
		if (sums)
			put_system(l, systems.at[i].name);
	}
}

static void list_terms(struct list *l)
{
	const struct event_pmu *pmu;
	char where[128];

	if (!(l->kinds & PMU))
		return;
	out_str(l->out, "\nPMUs and their terms, for -e PMU/TERM=VALUE,.../\n\n");
	for (pmu = event_pmu_all(&l->env); pmu; pmu = pmu->next) {
		if (!pmu->n_formats)
			continue;
		cpus_str(where, sizeof(where), &pmu->cpus);
		out_fmt(l->out, "  %s (type %u%s%s)\n", pmu->name, pmu->type,
			pmu->cpus.n ? ", CPUs " : "", where);
		print_caps_terms(l->out, pmu);
	}
}

static void list_pt(struct list *l)
{
	u64 type;

	if (!(l->kinds & PT))
		return;
	out_str(l->out, "\nIntel PT:\n\n");
	if (event_pmu_value(&l->env, "intel_pt", "type", 10, &type))
		out_str(l->out, "  this machine has no PMU intel_pt: pt info says why\n");
	else
		print_caps(l->out, &l->env);
}

static void put_words(struct out *o, const char *text, u32 indent)
{
	if (CONFIG_CONSOLE)
		term_words(o, text, indent);
	else
		out_str(o, text);
	out_newline(o);
}

static void list_reasons(struct list *l)
{
	u32 i;

	if (l->n_reasons || l->user_only)
		out_newline(l->out);
	if (l->user_only)
		out_fmt(l->out, " u: user space only, for perf_event_paranoid is %d\n",
			counter_paranoid());
	for (i = 0; i < l->n_reasons; i++) {
		out_fmt(l->out, " %u: ", i + 1);
		put_words(l->out, l->reasons[i], 4);
	}
}

static void choose(struct list *l, struct opt *o)
{
	char **words = opt_words(o), **w;
	size_t i;

	l->globs = words;
	for (w = words; *w; w++) {
		for (i = 0; i < N_ELEM(kinds) && strcmp(*w, kinds[i].name); i++)
			;
		if (i < N_ELEM(kinds))
			l->kinds |= kinds[i].kind;
		else
			l->globs[l->n_globs++] = *w;
	}
	if (w == words)
		l->kinds = ALL;
}

static void list_events(struct list *l)
{
	list_plain(l, EVENT_HARDWARE, HW, "Hardware event");
	list_plain(l, EVENT_SOFTWARE, SW, "Software event");
	list_tools(l);
	list_plain(l, EVENT_CACHE, CACHE, "Hardware cache event");
	list_pmu_events(l);
	list_forms(l);
	list_tracepoints(l);
}

/* Print one line for each kind. */
static void sum_up(struct list *l)
{
	static const struct { const char *name; enum kind kind; const char *what; } topics[] = {
		{ "hw", HW, "of the processor" }, { "sw", SW, "of the kernel" },
		{ "cache", CACHE, "of caches" }, { "tool", TOOL, "times" },
		{ "pmu", PMU, "of PMUs, with their terms" },
		{ "tracepoint", TRACEPOINT, "tracepoints" },
	};
	size_t i;

	out_str(l->out, "                     events  open here\n");
	for (i = 0; i < N_ELEM(topics); i++) {
		l->kinds = topics[i].kind;
		l->n = l->n_open = 0;
		list_events(l);
		out_fmt(l->out, "  pt list %-10s %6u %10u  %s\n", topics[i].name, l->n, l->n_open,
			topics[i].what);
	}
	out_str(l->out, "  pt list pt                            what Intel PT can do here\n"
			"  pt list WORD                          events with WORD in their names\n"
			"  pt list --wide                        all events\n");
}

/* Report words that are not a kind and match no event. */
static int say_unmatched(const struct list *l)
{
	int status = STATUS_DONE;
	u32 i;

	for (i = 0; i < l->n_globs; i++)
		if (!(l->matched >> i % 64 & 1))
			status = fail(0, "%s: no event of that name here, and not a kind: hw, "
				      "sw, cache, tool, pmu, tracepoint, pt", l->globs[i]);
	return status;
}

static int list(struct opt *o, struct out *out)
{
	struct list l = { .out = out, .env = { .sysfs = "/sys", .arena = &l.arena } };
	const char *name;
	bool wide = false;
	int status;

	while ((name = opt_next(o)))
		wide = !o->no;
	if (opt_stopped(o))
		return STATUS_FAILED;
	choose(&l, o);
	if (CONFIG_CONSOLE && !wide)
		term_fit(out);
	l.counts = term_fits(out) && l.kinds == ALL;
	if (l.counts) {
		sum_up(&l);
	} else {
		list_events(&l);
		list_terms(&l);
		list_pt(&l);
	}
	list_reasons(&l);
	out_flush(out);
	status = say_unmatched(&l);
	arena_free(&l.arena);
	return status;
}

const struct command cmd_list = {
	"list", "list the events that this machine can count", help, list
};
