/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt diff: the first place where two recordings of a program differ.
 *
 * Threads are compared by their order. Each file is read once, for sums over the branches of each
 * thread, and once more for the branches around the first place where these sums differ.
 */
#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/paint.h>
#include <pt/print_ways.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include "ask.h"
#include "diff.h"

PACKED(help) =
	"usage: pt diff [OPTIONS] [A [B]]\n"
	"\n"
	"Where do two recordings of one program differ? Print, for each thread, the first\n"
	"branch at which A (perf.data.old) and B (perf.data) go different ways, and what\n"
	"led to it; then the functions whose numbers of calls differ most. Of two\n"
	"profiles (pt record -e cycles, ...): shares in A, and differences in B.\n"
	"\n"
	"      --ignore LIST     leave out branches in these files and functions\n"
	"      --no-ignore       compare the runtime linker and the vDSO, too\n"
	HELP_IF(CONFIG_PROGRESS,
	"  -q, --quiet           no progress, no count of gaps\n")
	"\n"
	"Threads are compared in the order of their starts, without interrupts. What\n"
	"depends on addresses or time differs: ignore it, or record with 'setarch -R'.\n"
	"--help=profiles: columns, order, more than two files. --help=select and\n"
	"--help=code: as pt script. Status: 0 if both went the same way.\n"
	"\n"
	"Examples:\n"
	"  pt record ./a.out 1; pt record ./a.out 2; pt diff\n"
	"  pt diff good.data bad.data --ignore libc.so.6,malloc\n"
	"  pt diff --time 0%-50% good.data bad.data\n"
	"\f"
	"profiles: pt diff A B [C...]: A is the baseline of all others\n"
	"\n"
	"  -c, --compute METHOD  delta-abs (default: by its size), delta, ratio, or\n"
	"                        wdiff:W1,W2 (B * W2 - A * W1)\n"
	"  -s, --sort KEYS       comm, dso, symbol (default: dso,symbol)\n"
	"  -o, --order N         sort by the differences of file N (default 1), 0: by A\n"
	"  -b, --baseline-only   only functions of A that another file has, too\n"
	"  -p, --period          print the periods\n"
	"  -F, --formula         print how each difference is computed\n"
	"  -t, --field-separator SEP   between columns\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf diff without effect, since pt does so anyway\n"
	"\n"
	"  -f, --force\n"
	"  -m, --modules\n"
	"  -v, --verbose\n");

/* One pass over a file. */
struct side {
	struct listing list;
	struct ask ask;
	struct ways ways;
};

struct diff {
	struct listing list;	/* as the options have it */
	struct ask ask;
	const char *ignore;
	bool whole;		/* --no-ignore */
	struct diff_method how;
	const char *path[DIFF_FILES];
	u32 n_files;
	struct side first[2], second[2];
	bool parts;
	struct out *out;
};

static const char *take_order(struct diff *d, const char *arg)
{
	u64 v;

	if (!num_parse(arg, &v) || v >= DIFF_FILES)
		return "-o takes the number of a file, 0 for the first one";
	d->how.order = v;
	return NULL;
}

static const char *take(struct diff *d, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "ignore", offsetof(struct diff, ignore), true },
		{ "no-ignore", offsetof(struct diff, whole) },
		{ "baseline-only", offsetof(struct diff, how.both) },
		{ "period", offsetof(struct diff, how.periods) },
		{ "formula", offsetof(struct diff, how.formula) },
		{ "field-separator", offsetof(struct diff, how.separator), true },
		{ 0 },
	};

	if (!strcmp(name, "compute"))
		return diff_take_method(&d->how, o->no ? "delta-abs" : o->arg) ? NULL :
		       "-c takes delta, delta-abs, ratio or wdiff:A,B";
	if (!strcmp(name, "order"))
		return take_order(d, o->no ? "1" : o->arg);
	if (!strcmp(name, "sort"))
		return diff_take_keys(&d->how, o->no ? "dso,symbol" : o->arg) ? NULL :
		       "-s takes keys of comm, dso, symbol, with commas";
	return opt_set(o, name, members, d) ? NULL : ask_take(&d->ask, o, name);
}

/* Read 's' to its end. The memory of the options' listing stays its own. */
static int read_side(struct diff *d, struct side *s, const char *path)
{
	struct entry e;
	int err, status;

	s->list = d->list;
	s->list.session.arena = (struct arena){ 0 };
	s->list.path = path;
	s->ask = d->ask;
	s->ask.list = &s->list;
	s->ask.itrace_set = s->ask.sums_up = true;
	s->ways.ignore = d->ignore;
	s->ways.whole = d->whole;
	ways_setup(&s->ways, &s->list);
	if ((status = ask_open(&s->ask)) || (status = ask_start(&s->ask)))
		return status;
	while ((err = listing_next(&s->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&s->ask);
		if (e.kind != ENTRY_EVENTS)
			ways_add(&s->ways, &e);
	}
	return ask_read(&s->ask, err);
}

/* Print where threads 'a' and 'b' differ. */
static int compare(struct diff *d, const struct way *a, const struct way *b)
{
	struct ways_page page = { .out = d->out, .a = &d->first[0].ways, .b = &d->first[1].ways };
	u64 from;
	u32 i;

	if (a && b && a->n == b->n && a->sum == b->sum) {
		print_ways_same(&page, a, b);
		return 0;
	}
	d->parts = true;
	if (!a || !b) {
		print_ways_one(&page, a, b);
		return 0;
	}
	from = ways_common(a, b);
	for (i = 0; i < 2; i++) {
		struct side *s = &d->second[i];
		int status;

		*s = (struct side){ .ways = { .thread = a->index, .from = from } };
		s->ways.kept = NEW(&d->list.session.arena, struct way_branch,
				   WAYS_BEFORE + 2 * WAYS_CHUNK);
		status = read_side(d, s, d->path[i]);
		if (status)
			return status;
	}
	page.a = &d->second[0].ways;
	page.b = &d->second[1].ways;
	print_ways_part(&page, a, b);
	return 0;
}

/* Has the first file samples, and no trace? */
static bool is_profile(const struct diff *d)
{
	const struct listing *l = &d->first[0].list;

	return !d->first[0].ways.first && !l->session.have_pt && l->session.source->threads &&
	       l->n_samples;
}

static int run(struct diff *d)
{
	const struct way *a, *b;
	struct ways_page page = { .out = d->out, .a = &d->first[0].ways, .b = &d->first[1].ways };
	int status;
	u32 i;

	for (i = 0; i < 2; i++) {
		status = read_side(d, &d->first[i], d->path[i]);
		if (status)
			return status;
		if (!i && is_profile(d)) {
			d->how.no_heads = CONFIG_PROGRESS && d->ask.quiet;
			return diff_profiles(&d->ask, &d->how, d->path, d->n_files, d->out);
		}
		if (d->n_files > 2)
			return fail(0, "%s: pt diff compares two recordings of a trace",
				    d->path[2]);
		if (!d->first[i].ways.first)
			return ask_end(&d->first[i].ask,
				       fail(0, "%s: there are no branches", d->path[i]), true);
	}
	a = d->first[0].ways.first;
	b = d->first[1].ways.first;
	for (; a || b; a = a ? a->next : NULL, b = b ? b->next : NULL) {
		status = compare(d, a, b);
		if (status)
			return status;
	}
	if (d->parts)
		print_ways_functions(&page);
	return d->parts ? STATUS_FAILED : STATUS_DONE;
}

static struct diff the;

static int diff(struct opt *o, struct out *out)
{
	const char *name;

	script_help(o);
	the.how.order = 1;
	ask_begin(&the.ask, &the.list, out);
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	the.list.path = "perf.data.old";
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	the.path[0] = the.list.path;
	for (the.n_files = 1; the.n_files < DIFF_FILES; the.n_files++)
		if (!(the.path[the.n_files] = opt_word(o)))
			break;
	if (the.n_files == DIFF_FILES && (name = opt_word(o)))
		return fail(0, "%s: pt diff compares %u profiles at most", name, DIFF_FILES);
	if (the.n_files == 1)
		the.path[the.n_files++] = "perf.data";
	if (the.how.order >= the.n_files)
		return fail(0, "-o %u: there are %u files, the first one is 0", the.how.order,
			    the.n_files);
	the.out = out;
	if (CONFIG_CONSOLE && out->lines)
		term_fit(out);
	paint(out, PAINT_TRACE);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_diff = { "diff", "show where two recordings differ", help, diff, true };
