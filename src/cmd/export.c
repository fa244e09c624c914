/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt export: write a trace in the formats of other programs.
 *
 * A format is a row of 'formats' and a file in src/print. It gets either a tree of call stacks at
 * the end of the trace, or calls in the order of the trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/EXPORT_CALLGRIND.h>
#include <pt/config/EXPORT_CHROME.h>
#include <pt/config/EXPORT_CONSOLE.h>
#include <pt/config/EXPORT_DRCOV.h>
#include <pt/config/EXPORT_FOLDED.h>
#include <pt/config/EXPORT_HTML.h>
#include <pt/config/EXPORT_LCOV.h>
#include <pt/config/EXPORT_PERFETTO.h>
#include <pt/config/EXPORT_PPROF.h>
#include <pt/config/EXPORT_SPEEDSCOPE.h>
#include <pt/config/EXPORT_SPLIT.h>
#include <pt/config/EXPORT_SVG.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/SEVERAL.h>
#include <pt/config/SRCLINE.h>
#include <pt/config/WINDOW.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/print_tree.h>
#include <pt/sandbox.h>
#include <pt/timeline.h>
#include "ask.h"
#include "console.h"
#include "split.h"

PACKED(help) =
	"usage: pt export --FORMAT [OPTIONS] [-i FILE]\n"
	"\n"
	"Convert FILE (perf.data, or a bare trace; '-' is standard input) to a format:\n"
	"\n"
	HELP_IF(CONFIG_EXPORT_FOLDED,
	"      --folded          call stacks, a line each, for flame graphs\n")
	HELP_IF(CONFIG_EXPORT_SVG,
	"      --svg             a flame graph: one file, for a browser\n")
	HELP_IF(CONFIG_EXPORT_HTML,
	"      --html            the same, a timeline and tables: one page\n")
	HELP_IF(CONFIG_EXPORT_CALLGRIND,
	"      --callgrind       functions, lines and calls, for KCachegrind\n")
	HELP_IF(CONFIG_EXPORT_SPEEDSCOPE,
	"      --speedscope      call stacks of each thread, for speedscope.app\n")
	HELP_IF(CONFIG_EXPORT_PPROF,
	"      --pprof           the same for pprof\n")
	HELP_IF(CONFIG_EXPORT_CHROME,
	"      --chrome          each call with its times, as JSON: ui.perfetto.dev\n")
	HELP_IF(CONFIG_EXPORT_PERFETTO,
	"      --perfetto        the same as a smaller, binary file\n")
	HELP_IF(CONFIG_EXPORT_LCOV,
	"      --lcov            how often each source line was executed, for genhtml\n")
	HELP_IF(CONFIG_EXPORT_DRCOV,
	"      --drcov           the executed code, for Lighthouse and others\n")
	"  -i, --input FILE      read FILE"
	HELP_IF(CONFIG_SEVERAL, "; several -i, or a folder: as one file") "\n"
	"  -o, --output FILE     write to FILE, not to standard output\n"
	"\n"
	"More: --help=formats" HELP_IF(CONFIG_EXPORT_CONSOLE, " and console")
	"; --help=select, code and raw: as pt script.\n"
	"\n"
	"Examples:\n"
	HELP_IF(CONFIG_EXPORT_HTML,
	"  pt export --html -o run.html       open it in a browser\n")
	"  pt export --folded -o stacks       flamegraph.pl, speedscope, grep read them\n"
	"  pt export --folded --comms ls      only one command\n"
	"  pt export --folded --weight=time   count nanoseconds, not instructions\n"
	"\f"
	"formats: options and contents\n"
	"\n"
	"      --weight=WHAT     count instructions, time (ns) or cycles\n"
	"      --per-thread      call stacks of each thread by itself\n"
	HELP_IF(CONFIG_EXPORT_CHROME,
	"      --per-cpu         also which thread each CPU ran: chrome, perfetto\n")
	HELP_IF(CONFIG_EXPORT_SPLIT,
	"      --split SIZE      write -o FILE as FILE.1, FILE.2, ..., each SIZE (100M)\n"
	"                        and complete: of folded, chrome and perfetto\n")
	HELP_IF(CONFIG_PROGRESS,
	"  -q, --quiet           no progress, no count of gaps\n")
	"      --strict          exit status 3 if the decode had gaps\n"
	"\n"
	"Every instruction is counted, in its own function. The default is time for\n"
	"formats that have calls in their order, and instructions for others. Cycles\n"
	"need CYC packets in the trace.\n"
	"\n"
	"[gap] is a part that pt could not decode: open calls end there; it counts as one\n"
	"instruction, but not in html, chrome and perfetto. [not traced] is time outside\n"
	"the trace: the thread waited, or was in a system call.\n"
	"\n"
	"Examples:\n"
	HELP_IF(CONFIG_EXPORT_CHROME,
	"  pt export --chrome -o run.json     ui.perfetto.dev opens it\n")
	HELP_IF(CONFIG_EXPORT_CALLGRIND,
	"  pt export --callgrind -o cg.out    callgrind_annotate cg.out; kcachegrind\n")
	HELP_IF(CONFIG_EXPORT_PPROF,
	"  pt export --pprof -o run.pb.gz     go tool pprof -http=: run.pb.gz\n")
	HELP_IF(CONFIG_EXPORT_LCOV,
	"  pt export --lcov -o run.info       genhtml -o coverage run.info\n")
	"  pt export --folded --per-thread    stacks begin with command and thread\n"
	HELP_IF(CONFIG_EXPORT_CONSOLE,
	"\f"
	"console: through a serial line\n"
	"\n"
	"      --console         FILE as text. Log what the console shows; read the log\n"
	"                        elsewhere: pt script -i LOG. One lost line of nine does\n"
	"                        not matter; if more are lost, the rest is used\n"
	"      --limit SIZE      send at most 100K of text, or what takes 60s, ...: what\n"
	"                        decoding needs, then the newest trace\n"
	"      --baud N          the speed of the line (its own, or 115200)\n"
	"\n"
	"How long it takes is printed first. Example:\n"
	"  pt record --bundle -o b.data ls; pt export --console --limit 60s -i b.data\n");

struct export {
	struct listing list;
	struct ask ask;
	struct tree tree;
	struct spans spans;
	struct blocks blocks;
	struct timeline timeline;
	struct out file;
	struct split split;
	const char *output;	/* NULL: standard output */
	const struct format *format;
	bool to_console;	/* --console */
	struct console console;
	u8 weight;		/* enum tree_weight; N_TREE_WEIGHTS: the default */
	bool begun;
};

/* Properties of a format. */
enum {
	BINARY = 1,		/* not for a terminal */
	OF_BLOCKS = 2,		/* also needs tree.blocks ... */
	OF_LINES = 4,		/* ... with source lines */
	ONLY_LINES = 8,		/* empty without source lines */
	OF_TIMELINE = 16,	/* also needs tree.timeline */
	BY_THREAD = 32,		/* each thread by itself */
};

/* Each has one of the three functions, or none if it was not built. */
static const struct format {
	const char *name;
	void (*print)(struct out *out, const struct tree *tree, enum tree_weight weight);
	const struct print_spans *spans;
	u8 is;
	void (*stack)(struct out *out, const struct tree_node *node, u64 weight);
} formats[] = {
	{ "folded", .stack = CONFIG_EXPORT_FOLDED ? print_folded : NULL },
	{ "svg", CONFIG_EXPORT_SVG ? print_svg : NULL },
	{ "callgrind", CONFIG_EXPORT_CALLGRIND ? print_callgrind : NULL, NULL,
	  OF_BLOCKS | OF_LINES },
	{ "html", CONFIG_EXPORT_HTML ? print_html : NULL, NULL,
	  OF_BLOCKS | OF_LINES | OF_TIMELINE },
	{ "speedscope", CONFIG_EXPORT_SPEEDSCOPE ? print_speedscope : NULL, NULL, BY_THREAD },
	{ "drcov", CONFIG_EXPORT_DRCOV ? print_drcov : NULL, NULL, BINARY | OF_BLOCKS },
	{ "lcov", CONFIG_EXPORT_LCOV ? print_lcov : NULL, NULL,
	  OF_BLOCKS | OF_LINES | ONLY_LINES },
	{ "pprof", CONFIG_EXPORT_PPROF ? print_pprof : NULL, NULL,
	  BINARY | BY_THREAD | OF_BLOCKS | OF_LINES },
	{ "chrome", NULL, CONFIG_EXPORT_CHROME ? &print_chrome : NULL },
	{ "perfetto", NULL, CONFIG_EXPORT_PERFETTO ? &print_perfetto : NULL, BINARY },
};

static const char *take_weight(struct export *x, const char *arg)
{
	static const char *const names[N_TREE_WEIGHTS] = { "instructions", "time", "cycles" };

	for (x->weight = 0; x->weight < N_TREE_WEIGHTS; x->weight++)
		if (!strncmp(names[x->weight], arg, strlen(arg)))
			return NULL;
	return "--weight is instructions, time or cycles";
}

static const char *take_split(struct export *x, const char *arg)
{
	enum { LEAST = 4096 };

	return num_parse_size(arg, &x->split.limit) && x->split.limit >= LEAST ? NULL :
	       "--split takes a size of at least 4K: 100M";
}

/* The options of --help=console. False: it is another one. */
static bool take_console(struct export *x, struct opt *o, const char *name, const char **wrong)
{
	*wrong = NULL;
	if (!strcmp(name, "console"))
		x->to_console = !o->no;
	else if (!strcmp(name, "limit"))
		*wrong = opt_refuse(o, name) ? o->error : console_limit(&x->console, o->arg);
	else if (!strcmp(name, "baud"))
		*wrong = opt_refuse(o, name) ? o->error :
			num_parse(o->arg, &x->console.baud) && x->console.baud / 10 ? NULL :
			"--baud takes a number: 115200";
	else
		return false;
	return true;
}

static const char *take(struct export *x, struct opt *o, const char *name)
{
	const char *wrong;
	size_t i;

	if (CONFIG_EXPORT_CONSOLE && take_console(x, o, name, &wrong))
		return wrong;

	for (i = 0; i < N_ELEM(formats); i++)
		if (!strcmp(name, formats[i].name)) {
			x->format = o->no ? NULL : &formats[i];
			return NULL;
		}
	if (!strcmp(name, "output"))
		x->output = o->arg && strcmp(o->arg, "-") ? o->arg : NULL;
	else if (CONFIG_EXPORT_SPLIT && !strcmp(name, "split"))
		return opt_refuse(o, name) ? o->error : take_split(x, o->arg);
	else if (!strcmp(name, "per-thread"))
		x->tree.by_thread = !o->no;
	else if (CONFIG_EXPORT_CHROME && !strcmp(name, "per-cpu"))
		x->tree.by_cpu = !o->no;
	else if (!strcmp(name, "weight"))
		return opt_refuse(o, name) ? o->error : take_weight(x, o->arg);
	else
		return ask_take(&x->ask, o, name);
	return NULL;
}

/* Called before the sandbox, which forbids creating files. What a file contains is kept until the
 * input is opened. */
static int open_output(struct export *x)
{
	enum { SIZE = 2 * OUT_ROOM };
	char *buf = NEW(&x->list.session.arena, char, SIZE);
	int fd, err;

	if (CONFIG_EXPORT_SPLIT && x->split.limit) {
		err = split_open(&x->split, x->output, &x->file, buf, SIZE);
		return err ? fail(err, "cannot start a process") : 0;
	}
	fd = open(x->output, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(-errno, "cannot write %s", x->output);
	out_open(&x->file, fd, buf, SIZE);
	return 0;
}

static int close_output(struct export *x, struct out *out)
{
	u32 nr = 1;
	int err;

	if (CONFIG_EXPORT_SPLIT && x->split.limit) {
		err = split_end(&x->split, out, &nr);
		return err ? fail(err, "cannot write %s.%u", x->output, nr) : 0;
	}
	if (!out_flush(out))
		return 0;
	/* A part of the file is useless. */
	ftruncate(out->fd, 0);
	return fail(out->err, "cannot write %s", x->output);
}

/* Continue in the next file: open calls end in this one and begin in the next. */
static void split_spans(struct export *x, struct out *out)
{
	struct span span;

	while (spans_suspend(&x->spans, &span))
		x->format->spans->span(out, &span);
	x->format->spans->end(out);
	split_next(&x->split, out);
	x->format->spans->begin(out);
	while (spans_resume(&x->spans, &span))
		x->format->spans->span(out, &span);
	/* Open calls alone may reach the limit: count from here. */
	x->split.begun = split_position(out);
}

static void print_stacks(struct export *x, struct out *out)
{
	const struct tree_node *node;
	bool due = false;

	for (node = x->tree.first; node && !out->err; node = node->next) {
		if (!node->weight[x->weight])
			continue;
		if (due)
			split_next(&x->split, out);
		x->format->stack(out, node, node->weight[x->weight]);
		due = CONFIG_EXPORT_SPLIT && split_due(&x->split, out);
	}
}

/* Take the calls that the tree has so far. */
static void take_spans(struct export *x, struct out *out)
{
	struct span span;

	while (spans_next(&x->spans, &span)) {
		if (CONFIG_EXPORT_HTML && x->tree.timeline) {
			timeline_add(&x->timeline, &span);
			continue;
		}
		if (!x->begun)
			x->format->spans->begin(out);
		x->begun = true;
		x->format->spans->span(out, &span);
		if (CONFIG_EXPORT_SPLIT && split_due(&x->split, out))
			split_spans(x, out);
	}
}

/* After Ctrl-C pt exports what it has read so far, as a complete file. The second Ctrl-C ends pt at
 * once. */
static volatile sig_atomic_t stopped;

static void stop(int signo)
{
	stopped = signo;
}

static void catch_stop(void)
{
	struct sigaction now = { .sa_handler = stop, .sa_flags = SA_RESETHAND }, old;

	sigaction(SIGINT, &now, &old);
	/* It may be ignored, as by nohup. */
	if (old.sa_handler == SIG_IGN)
		sigaction(SIGINT, &old, NULL);
}

static int read_all(struct export *x, struct out *out)
{
	struct entry e;
	int err, status = 0;

	while (!status && !stopped && !out->err && (err = listing_next(&x->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&x->ask);
		if (e.kind == ENTRY_EVENTS) {
			status = ask_events(&x->ask, false);
			continue;
		}
		tree_add(&x->tree, &e);
		if (x->tree.use_moves)
			take_spans(x, out);
	}
	return status ? status : out->err || stopped ? 0 : ask_read(&x->ask, err);
}

/* Refuse a weight that the trace does not have. */
static int check(const struct export *x)
{
	const char *path = x->list.path;

	if (!x->tree.total[TREE_INSNS])
		return fail(0, x->list.chooses ? "%s: the options select no instruction" :
						 "%s: there is no trace", path);
	if (x->format->is & ONLY_LINES && !x->blocks.n_lines)
		return fail(0, "%s: no line of the source is known; compile with -g", path);
	if (x->tree.total[x->weight] || (x->begun && session_has_time(&x->list.session)))
		return 0;
	if (x->weight == TREE_CYCLES)
		return fail(0, "%s: its trace has no cycles; add cyc to its event", path);
	return fail(0, "%s: its trace has no times; leave --weight=time out", path);
}

/* At the end of the trace, with exit status 'status': complete the output in any case. */
static int print_rest(struct export *x, struct out *out, int status)
{
	const struct format *format = x->format;
	bool whole = !status || status == STATUS_GAPS;

	if (x->tree.use_moves) {
		tree_finish(&x->tree);
		take_spans(x, out);
	}
	if (x->begun)
		format->spans->end(out);
	if (whole && check(x))
		return STATUS_FAILED;
	if (format->print && whole) {
		tree_layout(&x->tree, x->weight);
		format->print(out, &x->tree, x->weight);
	}
	if (format->stack && whole)
		print_stacks(x, out);
	if (x->output && close_output(x, out))
		return STATUS_FAILED;
	return stopped ? 128 + stopped : status;
}

static int run(struct export *x, struct out *out)
{
	int status;

	tree_setup(&x->tree, &x->list);
	x->tree.by_thread |= x->format->is & BY_THREAD;
	x->tree.use_moves = x->format->spans || x->format->is & OF_TIMELINE;
	x->spans.tree = &x->tree;
	x->blocks = (struct blocks){ .session = &x->list.session,
				     .lines = x->format->is & OF_LINES };
	x->tree.blocks = x->format->is & OF_BLOCKS ? &x->blocks : NULL;
	x->timeline.arena = &x->list.session.arena;
	x->tree.timeline = x->format->is & OF_TIMELINE ? &x->timeline : NULL;
	/* Only samples have cycles. */
	x->list.cycles = x->weight == TREE_CYCLES;
	x->list.takes_runs = !x->list.cycles;
	x->ask.itrace_set = x->ask.sums_up = true;
	x->ask.prints = !x->output && x->format->spans;
	if ((status = ask_open(&x->ask)) || (status = ask_start(&x->ask)))
		return status;
	if (x->output)
		ftruncate(out->fd, 0);
	if (x->weight == N_TREE_WEIGHTS)
		x->weight = x->format->spans && session_has_time(&x->list.session) ? TREE_NS :
										      TREE_INSNS;
	x->spans.by_insns = x->tree.timeline ? !session_has_time(&x->list.session) :
					       x->weight == TREE_INSNS;
	x->timeline.by_insns = x->spans.by_insns;
	catch_stop();
	return print_rest(x, out, ask_end(&x->ask, read_all(x, out), false));
}

/* Bytes of a file, which are not decoded. */
static int run_console(struct export *x, struct out *out)
{
	int status;

	if (x->output && open_output(x))
		return STATUS_FAILED;
	out = x->output ? &x->file : out;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	status = console_export(&x->console, x->list.path, out);
	if (x->output && out_flush(out))
		return fail(out->err, "cannot write %s", x->output);
	return status;
}

static struct export the;

static int export(struct opt *o, struct out *out)
{
	const char *name;

	script_help(o);
	ask_begin(&the.ask, &the.list, out);
	the.ask.counts = true;
	the.weight = N_TREE_WEIGHTS;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_EXPORT_CONSOLE && the.to_console)
		return run_console(&the, out);
	if (!the.format)
		return fail(0, "give a format: pt export --%s", formats[0].name);
	if ((the.format->spans || the.format->is & OF_TIMELINE) && the.weight == TREE_CYCLES)
		return fail(0, "--%s: --weight is time or instructions", the.format->name);
	if (CONFIG_EXPORT_CHROME && the.tree.by_cpu && !the.format->spans)
		return fail(0, "--per-cpu is for --chrome and --perfetto");
	if (!CONFIG_SRCLINE && the.format->is & ONLY_LINES)
		return fail(0, "--%s: this pt reads no DWARF (SRCLINE)", the.format->name);
	if (the.format->is & BINARY && !the.output && out->lines)
		return fail(0, "--%s is not for a terminal; add -o FILE", the.format->name);
	if (CONFIG_EXPORT_SPLIT && the.split.limit &&
	    (!the.output || !(the.format->spans || the.format->stack)))
		return fail(0, the.output ? "--split: --%s is one document; "
						  "--folded, --chrome and --perfetto can be split" :
					    "--split: --%s needs -o FILE", the.format->name);
	if (CONFIG_WINDOW && ask_count(&the.ask))
		return STATUS_FAILED;
	if (the.output && open_output(&the))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the, the.output ? &the.file : out);
}

const struct command cmd_export = {
	"export", "write a trace in the formats of other programs", help, export, true
};
