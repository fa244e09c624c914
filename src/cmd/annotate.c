/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt annotate: how often each instruction was executed, or sampled.
 */
#include <pt/command.h>
#include <pt/config/DISASM.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/SRCLINE.h>
#include <pt/fail.h>
#include <pt/made.h>
#include <pt/num.h>
#include <pt/print_annotate.h>
#include <pt/sandbox.h>
#include <pt/tree.h>
#include "ask.h"

PACKED(help) =
	"usage: pt annotate [OPTIONS] [SYMBOL]\n"
	"\n"
	"Print the code of functions, and beside each instruction how often it was\n"
	"executed according to the trace of FILE (perf.data, or a bare trace), and how\n"
	"many samples of each recorded event it has. The most frequent comes first.\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"      --itrace[=OPTS]   count samples made from the trace, not all executions\n"
	"      --percent-limit N     without functions below N percent (0.5)\n"
	"      --percent-type TYPE   local-period (default) or global-; -hits: samples\n"
	"      --show-total-period   periods in place of numbers of samples\n"
	"      --stdio2          shares only, and labels for the targets of jumps\n"
	HELP_IF(CONFIG_DISASM,
	"      --asm-raw         with the bytes of instructions\n")
	"  -d, --dsos LIST       only code in these files\n"
	HELP_IF(CONFIG_SRCLINE,
	"      --source          with lines of the source (the default; --no-source)\n")
	HELP_IF(CONFIG_PROGRESS,
	"  -q, --quiet           no progress, no count of gaps\n")
	"      --strict          exit status 3 if there were gaps\n"
	"\n"
	"Sums are those of pt report --itrace=i1i. --help=select, =code: as in pt script.\n"
	"\n"
	"Examples:\n"
	"  pt annotate _start            this function\n"
	"  pt annotate -c ls --time 0%-10%\n"
	"  pt annotate --percent-limit 0 --no-source      all code, without its source\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf annotate without effect, since pt does so anyway\n"
	"\n"
	"  -f, --force\n"
	"      --stdio\n"
	"  -m, --modules\n"
	"  -l, --print-line\n"
	"  -n, --show-nr-samples\n"
	"  -v, --verbose\n"
	"  -P, --full-paths\n"
	"      --skip-missing\n"
	"      --ignore-vmlinux\n"
	"      --stdio-color MODE    never, auto\n"
	"\n"
	"  -s, --symbol SYMBOL   the same as SYMBOL alone\n");

struct annotate {
	struct listing list;
	struct ask ask;
	struct tree tree;
	struct blocks blocks;
	struct out *out;
	const char *symbol;
	double least;		/* percent */
	/* As in struct annotate_page. */
	bool no_source, labels, bytes, periods, by_number, of_all;
	bool by_samples;	/* --itrace */
	struct spots executed;
	struct spots made[N_SAMPLE_KINDS];
	struct spots *sampled;	/* by event */
	u32 n_sampled;
	bool found;
};

static const char *take_limit(struct annotate *a, const struct opt *o)
{
	const char *end;
	double unit = 1;
	u64 v;

	end = num_read(o->arg, 10, &v);
	if (!end)
		return "--percent-limit takes a number: 0.5";
	a->least = v;
	if (*end == '.')
		while (*++end >= '0' && *end <= '9')
			a->least += (*end - '0') * (unit /= 10);
	return *end ? "--percent-limit takes a number: 0.5" : NULL;
}

/* Two words, in any order. */
static const char *take_type(struct annotate *a, const struct opt *o)
{
	static const char *const types[] = {
		"local-period", "global-period", "local-hits", "global-hits",
		"period-local", "period-global", "hits-local", "hits-global",
	};
	u32 i;

	for (i = 0; i < N_ELEM(types) && strcmp(o->arg, types[i]); i++)
		;
	a->of_all = i & 1;
	a->by_number = i & 2;
	return i < N_ELEM(types) ? NULL : "--percent-type: see pt annotate --help";
}

static const char *take(struct annotate *a, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "asm-raw", offsetof(struct annotate, bytes) },
		{ "show-total-period", offsetof(struct annotate, periods) },
		{ "stdio2", offsetof(struct annotate, labels) },
		{ 0 },
	};

	if (opt_set(o, name, members, a))
		return NULL;
	if (!strcmp(name, "stdio-color"))
		return o->arg && !strcmp(o->arg, "always") ?
			"--stdio-color: annotated code has no colours" : NULL;
	if (!strcmp(name, "percent-type"))
		return opt_refuse(o, name) ? o->error : take_type(a, o);
	if (!strcmp(name, "percent-limit"))
		return opt_refuse(o, name) ? o->error : take_limit(a, o);
	if (!strcmp(name, "symbol")) {
		a->symbol = o->arg;
		return NULL;
	}
	if (!strcmp(name, "source")) {
		a->no_source = o->no;
		return NULL;
	}
	if (!strcmp(name, "itrace")) {
		a->by_samples = !o->no;
		return ask_itrace(&a->ask, o, true);
	}
	return ask_take(&a->ask, o, name);
}

static void add(struct annotate *a, struct spots *to, const struct thread *t, u64 ip, u64 weight)
{
	struct session *s = &a->list.session;
	const struct map *map = session_map_at(s, t, ip);

	spots_add(to, &s->arena, map ? map->dso : NULL, map ? map_addr(&s->images, map, ip) : ip,
		  map ? ip - map->start + map->pgoff : ip, 1, weight);
}

static void add_recorded(struct annotate *a, const struct entry *e)
{
	struct session *s = &a->list.session;
	const struct perf_sample *sample = e->recorded;
	u32 i = sample->event->index, n = MAX(i + 1, s->file.n_events);

	if (!e->wanted || !(sample->fields >> PERF_S_IP & 1))
		return;
	if (i >= a->n_sampled) {
		a->sampled = arena_grow(&s->arena, a->sampled, sizeof(*a->sampled), a->n_sampled,
					n);
		a->n_sampled = n;
	}
	add(a, &a->sampled[i], e->thread, sample->ip, sample->period);
}

static int read_all(struct annotate *a)
{
	struct entry e;
	int err, status = 0;

	while (!status && (err = listing_next(&a->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&a->ask);
		if (e.kind == ENTRY_EVENTS)
			status = ask_events(&a->ask, false);
		else if (e.kind == ENTRY_RECORDED)
			add_recorded(a, &e);
		else if (a->by_samples && e.kind == ENTRY_SAMPLE)
			add(a, &a->made[e.sample->kind], e.thread, e.sample->ip, e.sample->period);
		else if (!a->by_samples)
			tree_add(&a->tree, &e);
	}
	return status ? status : ask_read(&a->ask, err);
}

/* Print the functions of 's', of 'event' or of the trace. */
static void print_spots(struct annotate *a, struct spots *s, const char *event)
{
	struct session *session = &a->list.session;
	struct annotate_page page = { .out = a->out, .images = &session->images,
				      .sources.images = &session->images, .event = event,
				      .no_source = !CONFIG_SRCLINE || a->no_source,
				      .labels = a->labels, .bytes = a->bytes, .periods = a->periods,
				      .by_number = a->by_number, .of_all = a->of_all };
	u32 i;

	spots_sort(s, &session->images, &session->arena);
	for (i = 0; i < s->n_functions && !a->out->err; i++) {
		const struct spot_function *f = &s->functions[i];

		if (a->symbol ? !f->sym || !symbol_is(f->sym, a->symbol, strlen(a->symbol)) :
				100.0 * f->weight < a->least * s->weight)
			continue;
		a->found = true;
		print_annotate(&page, s, f);
	}
}

static int print_all(struct annotate *a)
{
	struct session *s = &a->list.session;
	u32 i;

	for (i = 0; i < N_SAMPLE_KINDS; i++)
		if (a->made[i].n)
			print_spots(a, &a->made[i], made_name(s, i));
	spots_blocks(&a->executed, &s->images, &s->arena, &a->blocks);
	if (a->executed.n)
		print_spots(a, &a->executed, NULL);
	for (i = 0; i < a->n_sampled; i++)
		if (a->sampled[i].n)
			print_spots(a, &a->sampled[i], s->file.events[i]->name);
	if (a->found)
		return 0;
	if (a->symbol)
		return fail(0, "%s: nothing of '%s' was executed; 'pt report -s sym' lists what "
			    "was", a->list.path, a->symbol);
	if (listing_makes(&a->list))
		return fail(0, "%s: the options select no code that was executed", a->list.path);
	return fail(0, "%s: there is no trace, and there are no samples", a->list.path);
}

static int run(struct annotate *a)
{
	int status;

	if (!a->by_samples)
		tree_setup(&a->tree, &a->list);
	a->blocks.session = &a->list.session;
	a->tree.blocks = &a->blocks;
	a->ask.itrace_set = a->ask.sums_up = true;
	if ((status = ask_open(&a->ask)) || (status = ask_start(&a->ask)))
		return status;
	status = ask_end(&a->ask, read_all(a), true);
	if (status && status != STATUS_GAPS)
		return status;
	return print_all(a) ? STATUS_FAILED : status;
}

static struct annotate the;

static int annotate(struct opt *o, struct out *out)
{
	const char *name;

	script_help(o);
	ask_begin(&the.ask, &the.list, out);
	the.least = 0.5;
	the.out = out;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!opt_stopped(o) && !the.symbol)
		the.symbol = opt_word(o);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_annotate = {
	"annotate", "print code, with how often it was executed", help, annotate, true
};
