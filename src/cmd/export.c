/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt export: what a trace holds, in the formats of other programs.
 *
 * A format is a row of 'formats' and a file in src/print.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/EXPORT_FOLDED.h>
#include <pt/config/EXPORT_SVG.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/print_tree.h>
#include <pt/sandbox.h>
#include "ask.h"

static const PACKED(help) =
	"usage: pt export --FORMAT [OPTIONS] [-i FILE]\n"
	"\n"
	"Write what FILE (perf.data) holds for other programs. FILE may also be a bare\n"
	"trace; '-' is standard input.\n"
	"\n"
	HELP_IF(CONFIG_EXPORT_FOLDED,
	"      --folded          call stacks, a line each, for flame graphs\n")
	HELP_IF(CONFIG_EXPORT_SVG,
	"      --svg             a flame graph: one file, for a browser\n")
	"      --weight=WHAT     what is counted: instructions, as usual, or time (ns)\n"
	"  -i, --input FILE      read FILE\n"
	"  -o, --output FILE     write to FILE, not to standard output\n"
	"      --strict          exit status 3 if the decode had gaps\n"
	"\n"
	"All instructions count, each for the function that it is of. [gap] is where\n"
	"the trace could not be followed: calls that were open there end.\n"
	"\n"
	"--help=select, --help=code and --help=raw are those of pt script.\n"
	"\n"
	"Examples:\n"
	HELP_IF(CONFIG_EXPORT_SVG,
	"  pt export --svg -o flame.svg       for a browser: zoom, search, keys\n")
	"  pt export --folded -o stacks       flamegraph.pl, speedscope, grep read them\n"
	"  pt export --folded --comms ls      of one command\n"
	"  pt export --folded --weight=time   of nanoseconds, not instructions\n";

struct export {
	struct listing list;
	struct ask ask;
	struct tree tree;
	struct out file;
	const char *output;
	const struct format *format;
	u8 weight;		/* enum tree_weight */
};

static const struct format {
	const char *name;
	void (*print)(struct out *out, const struct tree *tree, enum tree_weight weight);
} formats[] = {
	{ "folded", CONFIG_EXPORT_FOLDED ? print_folded : NULL },
	{ "svg", CONFIG_EXPORT_SVG ? print_svg : NULL },
};

static const char *take_weight(struct export *x, const char *arg)
{
	static const char *const names[N_TREE_WEIGHTS] = { "instructions", "time" };

	for (x->weight = 0; x->weight < N_TREE_WEIGHTS; x->weight++)
		if (!strncmp(names[x->weight], arg, strlen(arg)))
			return NULL;
	return "--weight is instructions or time";
}

static const char *take(struct export *x, struct opt *o, const char *name)
{
	size_t i;

	for (i = 0; i < N_ELEM(formats); i++)
		if (!strcmp(name, formats[i].name)) {
			x->format = o->no ? NULL : &formats[i];
			return NULL;
		}
	if (!strcmp(name, "output")) {
		x->output = o->arg;
		return NULL;
	}
	if (strcmp(name, "weight"))
		return ask_take(&x->ask, o, name);
	return opt_refuse(o, name) ? o->error : take_weight(x, o->arg);
}

/* Before the sandbox, in which no file is made. */
static int open_output(struct export *x)
{
	enum { SIZE = 2 * OUT_ROOM };
	int fd = open(x->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		return fail(-errno, "cannot write %s", x->output);
	out_open(&x->file, fd, NEW(&x->list.session.arena, char, SIZE), SIZE);
	return 0;
}

static int read_all(struct export *x)
{
	struct entry e;
	int err, status = 0;

	while (!status && (err = listing_next(&x->list, &e)) > 0) {
		if (e.kind == ENTRY_EVENTS)
			status = ask_events(&x->ask, false);
		else
			tree_add(&x->tree, &e);
	}
	return status ? status : ask_read(&x->ask, err);
}

static int run(struct export *x, struct out *out)
{
	int status;

	tree_setup(&x->tree, &x->list);
	x->ask.itrace_set = x->ask.sums_up = true;
	if ((status = ask_open(&x->ask)) || (status = ask_start(&x->ask)))
		return status;
	status = ask_end(&x->ask, read_all(x), false);
	if (status && status != STATUS_HOLES)
		return status;
	if (!x->tree.total[TREE_INSNS])
		return fail(0, "%s: there is no trace", x->list.path);
	if (!x->tree.total[x->weight])
		return fail(0, "%s: its trace has no times: leave --weight=time out", x->list.path);
	tree_layout(&x->tree, x->weight);
	x->format->print(out, &x->tree, x->weight);
	if (x->output && out_flush(out))
		return fail(out->err, "cannot write %s", x->output);
	return status;
}

static struct export the;

static int export(struct opt *o, struct out *out)
{
	const char *name;

	ask_help(o);
	ask_begin(&the.ask, &the.list, out);
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (!the.format)
		return fail(0, "which format? e.g. pt export --%s", formats[0].name);
	if (the.output && open_output(&the))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the, the.output ? &the.file : out);
}

const struct command cmd_export = {
	"export", "write what a trace holds for other programs", help, export, true
};
