/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of pt report that few need: further sort keys, parents, and which samples count.
 */
#include <regex.h>
#include <pt/config/BRANCH_HISTORY.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/text.h>
#include "report.h"

enum { QUANTUM = 100000000 };

struct pattern { regex_t regex; bool set; };

static struct pattern parent, ignored;

static const char *take_pattern(struct pattern *to, const struct opt *o, const char *wrong)
{
	if (to->set)
		regfree(&to->regex);
	to->set = false;
	if (o->unset)
		return NULL;
	to->set = !regcomp(&to->regex, o->arg, REG_EXTENDED | REG_NOSUB);
	return to->set ? NULL : wrong;
}

static bool matches(const struct pattern *p, const char *name)
{
	return p->set && !regexec(&p->regex, name, 0, NULL, 0);
}

static bool is_parent(void *who, const char *name)
{
	return matches(&parent, name);
}

/* A time like 10ms, with a unit. */
static const char *take_quantum(struct report_more *m, const char *arg)
{
	static const struct { char unit[4]; u64 ns; } units[] = {
		{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 },
	};
	const char *end;
	u64 v;
	u32 i;

	end = num_read(arg, 10, &v);
	for (i = 0; end && i < N_ELEM(units); i++)
		if (!strcmp(end, units[i].unit) && v && v < ~0ULL / units[i].ns) {
			m->keys.quantum = v * units[i].ns;
			return NULL;
		}
	return "--time-quantum takes a time: 10ms, 100us, ...";
}

static const char *take_percentage(struct report_more *m, const char *arg)
{
	size_t n = strlen(arg);

	m->relative = !strncmp(arg, "relative", n);
	return n && (m->relative || !strncmp(arg, "absolute", n)) ? NULL :
		"--percentage takes relative or absolute";
}

static const char *take_pretty(struct report_more *m, const char *arg)
{
	m->raw = !strcmp(arg, "raw");
	return m->raw || !strcmp(arg, "normal") ? NULL : "--pretty takes raw or normal";
}

/* Sort groups by this event. As in perf, one that a group does not have is ignored. */
static const char *take_event(struct report *r, const char *arg)
{
	u64 v;

	if (!num_parse(arg, &v) || v > 0xffff)
		return "--group-sort-idx takes the number of an event, 0 for the first one";
	r->style.hist.event = v;
	return NULL;
}

static const char *take_socket(struct report_more *m, const char *arg)
{
	u64 v;

	if (!num_parse(arg, &v) || v > 0xffff)
		return "--socket-filter takes a number";
	m->socket = v;
	m->by_socket = true;
	return NULL;
}

/* Options of perf report that change nothing here (NULL), or that pt does not have: why. */
static const struct { const char *name, *why; } others[] = {
	{ "force", NULL }, { "skip-empty", NULL }, { "ignore-vmlinux", NULL },
	{ "modules", NULL }, { "stdio-color", NULL }, { "samples", NULL },
	{ "disable-order", NULL },
	{ "inline", "pt prints no inlined functions" },
	{ "tui", "pt has no TUI, only text" },
	{ "verbose", "pt report -s srcline,addr,dso_size has more of each entry" },
	{ "mem-mode", "pt script -F addr,data_src prints memory accesses" },
	{ "show-ref-call-graph", "record call chains of all events" },
	{ "stitch-lbr", "pt does not join call stacks of LBR" },
	{ "demangle-kernel", "names of the kernel are printed as they are" },
	{ "objdump", "pt annotate prints code" },
	{ "percent-type", "pt annotate prints code" },
};

static bool take_other(struct opt *o, const char *name, const char **wrong)
{
	static char text[120];
	u32 i;

	for (i = 0; i < N_ELEM(others); i++) {
		if (strcmp(name, others[i].name))
			continue;
		fmt_str(text, sizeof(text), "--%s: %s", name, others[i].why ? others[i].why : "");
		*wrong = others[i].why && !o->no ? text : NULL;
		if (o->arg && !strcmp(name, "stdio-color") && !strcmp(o->arg, "always"))
			*wrong = "--stdio-color: a profile has no colours";
		return true;
	}
	return false;
}

bool report_more_take(struct report *r, struct opt *o, const char *name, const char **wrong)
{
	static const struct opt_member members[] = {
		{ "exclude-other", offsetof(struct report, more.exclude_other) },
		{ "hide-unresolved", offsetof(struct report, more.hide_unresolved) },
		{ "full-source-path", offsetof(struct report, more.keys.full_path) },
		{ "ns", offsetof(struct report, style.ns) },
		{ "stats", offsetof(struct report, stats) },
		{ "tasks", offsetof(struct report, tasks) },
		{ "threads", offsetof(struct report, more.threads) },
		{ "mmaps", offsetof(struct report, mmaps) },
		{ "guest", offsetof(struct report, list.session.guests.asked) },
		{ "host", offsetof(struct report, more.host) },
		{ "raw-trace", offsetof(struct report, more.raw_trace) },
		{ "hierarchy", offsetof(struct report, style.hierarchy) },
		{ "column-widths", offsetof(struct report, style.widths), true },
		{ "symbol-filter", offsetof(struct report, more.part), true },
		{ 0 },
	};
	struct report_more *m = &r->more;

	*wrong = NULL;
	if (opt_set(o, name, members, r))
		return true;
	if (!strcmp(name, "parent")) {
		*wrong = take_pattern(&parent, o, "--parent takes a regular expression");
		m->asked_parent = parent.set;
	} else if (!strcmp(name, "ignore-callees")) {
		*wrong = take_pattern(&ignored, o, "--ignore-callees takes a regular expression");
	} else if (!strcmp(name, "time-quantum") || !strcmp(name, "percentage") ||
		   !strcmp(name, "socket-filter") || !strcmp(name, "pretty") ||
		   !strcmp(name, "group-sort-idx")) {
		*wrong = opt_refuse(o, name) ? o->error :
			 *name == 't' ? take_quantum(m, o->arg) :
			 *name == 'g' ? take_event(r, o->arg) :
			 !strcmp(name, "pretty") ? take_pretty(m, o->arg) :
			 *name == 'p' ? take_percentage(m, o->arg) : take_socket(m, o->arg);
	} else {
		return take_other(o, name, wrong);
	}
	return true;
}

void report_more_start(struct report *r)
{
	struct hist_style *hist = &r->style.hist;
	struct report_more *m = &r->more;
	u32 i;

	for (i = 0; i < hist->n_sorts; i++)
		if (hist->sorts[i] >= HIST_KEY)
			hist->keys[hist->n_keys++] = hist->sorts[i];
	if (m->by_socket)
		r->style.socket = &m->socket;
	hist->values = hist_keys_values;
	hist->who = &m->keys;
	if (CONFIG_TRACEPOINT_TEXT && m->n_fields) {
		hist->values = report_fields_values;
		hist->who = r;
	}
	m->keys.session = &r->list.session;
	m->keys.is_parent = is_parent;
	if (!m->keys.quantum)
		m->keys.quantum = QUANTUM;
	m->parents = memchr(hist->keys, HIST_KEY + KEY_PARENT, hist->n_keys);
	if (m->parents && !parent.set)
		parent.set = !regcomp(&parent.regex, "^sys_|^do_page_fault",
				      REG_EXTENDED | REG_NOSUB);
	m->chains = m->parents || ignored.set;
	if (memchr(hist->keys, HIST_KEY + KEY_CGROUP, hist->n_keys))
		r->list.show |= 1ULL << PERF_CGROUP;
	if (memchr(hist->keys, HIST_KEY + KEY_CGROUP_ID, hist->n_keys))
		r->list.show |= 1ULL << PERF_NAMESPACES;
	if (hist->n_keys || r->past || m->chains || m->hide_unresolved || m->by_socket || m->part)
		r->list.takes_runs = false;
}

const char *report_more_line(struct report *r, const struct frame *frame)
{
	struct line { struct hashed in; const char *text; } *line;
	struct arena *arena = &r->list.session.arena;
	struct hash_table *lines = &r->more.lines;
	const char *text = hist_keys_line(&r->more.keys, frame,
					  r->style.hist.key == CHAIN_BY_ADDRESS);
	struct hashed *in;
	u64 hash;

	if (!text)
		return NULL;
	hash = hash_text(0, text);
	for (in = hash_first(lines, hash); in; in = in->next) {
		line = (struct line *)in;
		if (in->hash == hash && !strcmp(line->text, text))
			return line->text;
	}
	line = NEW(arena, struct line, 1);
	line->in.hash = hash;
	line->text = arena_str(arena, text);
	hash_put(arena, lines, &line->in);
	return line->text;
}

/* Forget what the functions called that --ignore-callees names: the sample then is in the outermost
 * of them. */
static void forget_callees(struct report *r, struct hist_sample *s)
{
	struct images *im = &r->list.session.images;
	u32 i;

	for (i = s->n; i-- > !s->branches;) {
		struct frame *f = &s->chain[i];

		if (!f->sym || !matches(&ignored, f->sym->name))
			continue;
		s->chain = f;
		s->branches += s->branches ? i : 0;
		s->n -= i;
		s->at = *f;
		r->more.keys.ip = f->ip;
		s->at.ip = map_addr(im, f->map, f->ip);
		return;
	}
}

/* --hide-unresolved: callers that are in no function. The first of the chain is the sample. */
static void drop_unresolved(struct report *r, struct hist_sample *s)
{
	u32 i, n = s->branches ? 0 : MIN(s->n, 1u);

	for (i = n; i < s->n; i++) {
		if (!s->chain[i].sym)
			continue;
		if (CONFIG_BRANCH_HISTORY && s->branches)
			r->branch_chain.at[s->branches - r->branch_chain.at + n] = s->branches[i];
		s->chain[n++] = s->chain[i];
	}
	s->n = n;
}

static bool on_other_socket(struct report_more *m, i32 cpu)
{
	return cpu < 0 || hist_keys_socket(&m->keys, cpu) != m->socket;
}

void report_more_record(struct report *r, const struct item *item)
{
	hist_keys_record(&r->more.keys, item->record);
	if (r->more.threads)
		report_threads_record(r, item);
}

bool report_more_sample(struct report *r, struct hist_sample *s, bool *wanted)
{
	struct report_more *m = &r->more;

	if (ignored.set)
		forget_callees(r, s);
	if (m->hide_unresolved && !s->at.sym)
		return false;
	if (m->hide_unresolved)
		drop_unresolved(r, s);
	if (m->parents)
		hist_keys_parent(&m->keys, s, r->style.hist.caller && !s->branches);
	if ((m->exclude_other && m->parents && !m->keys.parent) ||
	    (m->by_socket && on_other_socket(m, s->cpu)) ||
	    (m->part && !(s->at.sym && text_after(s->at.sym->name, m->part))))
		*wanted = false;
	return *wanted || !m->relative;
}
