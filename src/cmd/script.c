/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: the contents of a trace as lines.
 */
#include <sys/stat.h>

#include <pt/command.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CAPTURE.h>
#include <pt/config/CMD_DUMP.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/CYCLE_SAMPLES.h>
#include <pt/config/DECODE_LOG.h>
#include <pt/config/DEMANGLE.h>
#include <pt/config/DISASM.h>
#include <pt/config/GUESTS.h>
#include <pt/config/HEADER_INFO.h>
#include <pt/config/PARALLEL.h>
#include <pt/config/PEBS.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/ROWS.h>
#include <pt/config/SAMPLE_COLUMNS.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/SEVERAL.h>
#include <pt/config/SRCLINE.h>
#include <pt/config/UNWIND.h>
#include <pt/config/WINDOW.h>
#include <pt/fail.h>
#include <pt/paint.h>
#include <pt/print_run.h>
#include <pt/print_short.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include "dump.h"
#include "script.h"

PACKED(help) =
	"usage: pt script [OPTIONS] [-i FILE]\n"
	"\n"
	"Print the samples in FILE (perf.data), and what was executed according to its\n"
	"trace. FILE may also be a bare trace; '-' is standard input.\n"
	"\n"
	"  -i, --input FILE      read FILE"
	HELP_IF(CONFIG_SEVERAL, "; several -i, or a folder: as one file") "\n"
	"  -D, --dump-raw-trace  print raw records and packets, as pt -D does\n"
	"      --insn-trace[=HOW] every instruction; HOW: raw (bytes)"
	HELP_IF(CONFIG_DISASM, ", disasm") "\n"
	"      --call-trace      calls, indented by depth\n"
	"      --call-ret-trace  calls and returns\n"
	"      --itrace[=OPTS]   which samples to make from the trace: --help=itrace\n"
	"  -F, --fields LIST     which columns: --help=fields\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide            perf's lines on a terminal, not short ones\n")
	"      --ns              times with nine decimals\n"
	HELP_IF(CONFIG_PROGRESS,
	"  -q, --quiet           no progress, no estimate, no count of gaps\n")
	"      --strict          exit status 3 if there were gaps\n"
	"\n"
	"More: --help=code (where to find code and names), --help=select (which part),\n"
	"--help=show (more lines), --help=raw (bare trace)"
	HELP_IF(CONFIG_PARALLEL, ", --help=parallel")
	HELP_IF(CONFIG_SCRIPT_MORE, ", --help=more") ".\n"
	"\n"
	"Examples:\n"
	"  pt script --call-trace | head -40     the first calls\n"
	"  pt script --itrace=be --time 0%-50%   branches and gaps in that time\n"
	"  pt script --insn-trace -F +symoff     every instruction\n"
	/* pt report shares the next three pages. */
	"\f"
	"code: where to find code and names\n"
	"\n"
	"      --symfs DIR       files are below DIR\n"
	"      --vdso FILE       the vDSO of the machine that was traced\n"
	"  -k, --vmlinux FILE    the kernel\n"
	"      --kallsyms FILE   its symbols\n"
	"      --kcore FILE      its code: a copy of /proc/kcore\n"
	HELP_IF(CONFIG_GUESTS,
	"      --guestkallsyms FILE  symbols of a virtual machine's kernel; its kcore and\n"
	"                        modules are beside it\n"
	"      --guestvmlinux FILE   its kernel\n"
	"      --guestmodules FILE   a copy of its /proc/modules\n"
	"      --guestmount DIR  DIR/PID is its root folder; process PID runs it\n"
	"      --guest-code      it has no kernel: it runs code of its process\n")
	HELP_IF(CONFIG_DEMANGLE,
	"      --demangle        names of C++ and Rust as in the source (the default)\n")
	HELP_IF(CONFIG_PERF_OPTIONS,
	"      --config FILE     perf's configuration, not that in PERF_CONFIG; pt only\n"
	"                        reads intel-pt.mispred-all\n")
	"      --mem SIZE        keep at most SIZE of decoded code in memory (default:\n"
	"                        a quarter of all memory), and at most SIZE of what a\n"
	"                        pipe brings: the rest goes to TMPDIR\n"
	HELP_IF(CONFIG_PROGRESS,
	"      --no-eta          no progress on a terminal; SIGUSR1 prints it\n")
	"\f"
	"select: which part of the file\n"
	"\n"
	"  -C, --cpu LIST        only these CPUs: 0,2-3\n"
	"      --time RANGE      only this time: 1.5,2.5 (s) or ,3 or 10%/2 (the second\n"
	"                        10 %) or 0%-5%\n"
	"  -c, --comms LIST      only these commands\n"
	"      --pid LIST        only these processes\n"
	"      --tid LIST        only these threads\n"
	"      --dsos LIST       only code in these files\n"
	"  -S, --symbols LIST    only these functions\n"
	HELP_IF(CONFIG_SCRIPT_MORE,
	"      --addr-range N    in LIST, a number selects N bytes from that address on\n"
	"      --switch-on EVENT     nothing before the first EVENT ...\n"
	"      --switch-off EVENT    ... and nothing after EVENT, up to the next start\n"
	"      --show-on-off-events  also these events\n")
	HELP_IF(CONFIG_WINDOW,
	"      --head TIME       only the first 10ms, 2s, ...; pt script: or N lines\n"
	"      --tail TIME       only the last; pt script: or N lines\n"
	"      --last TIME       the same; script, export: or 100calls, 1000insns\n"
	"      --depth N         leave out what is N or more calls deep\n"
	"      --from-symbol F   from each start of this function on\n"
	"      --to-symbol F     up to each start of this one\n"
	"      --who-calls F     only the calls of this function\n")
	"\f"
	"raw: bare traces, without a perf.data file\n"
	"\n"
	"      --map FILE[:OFF[-END]]@ADDR   bytes of FILE are code at ADDR; repeatable\n"
	HELP_IF(CONFIG_CAPTURE,
	"      --map @LIST       the same, from a file with one on each line\n")
	"      --nom-freq N      TSC frequency in 100 MHz: prints times, from TSC\n"
	"      --tsc-ratio N/D   TSC ticks per tick of the crystal clock: for MTC\n"
	"      --mtc N           period of MTC packets: 2^N ticks of the crystal clock\n"
	"      --no-retcomp      returns are not compressed\n"
	"      --event-trace     event trace was on: report the interrupt flag\n"
	"      --addr-filter F   the recording was filtered, e.g. 'filter 0x1000/0x200'\n"
	"      --cpu-model F/M[/S] CPU family, model, stepping (hexadecimal with 0x)\n"
	"\f"
	"itrace: --itrace=OPTS, letters in any order\n"
	"\n"
	"  b   branches              c   calls          r   returns\n"
	"  i   instructions: i1i: all, i100us: one each 100 us (the default), i9t: ticks\n"
	"  e   gaps; e-o: no overflows, e-l: no data lost by the recorder\n"
	"  x   transactions          w   PTWRITE        p   power, frequency, PSB\n"
	"  I   interrupts (event trace)                 sN  skip the first N events\n"
	HELP_IF(CONFIG_PEBS,
	"  o   PEBS records in the trace (pt record -e EVENT/aux-output/)\n")
	HELP_IF(CONFIG_CYCLE_SAMPLES,
	"  y   cycles, with a period as i, of CYC packets (yA: estimated)\n")
	"  A   approximate IPC       Z   do not use time\n"
	"  gN  call chains of up to N entries (default 16) with instructions\n"
	HELP_IF(CONFIG_BRANCH_STACKS,
	"  lN  the last N branches (64) before each sample: -F +brstack, pt report\n"
	"  LN  the same for recorded samples\n")
	HELP_IF(CONFIG_DECODE_LOG,
	"  d   a log of decoding, intel_pt.log: packets, records and gaps; d+e: only the\n"
	"      last packets before each gap; d+o: in the output; d+a: all records\n")
	"  q   quick: only addresses in packets, needs no code; qq: one for each PSB\n"
	"\n"
	"Without a list: cxwpIe, as without --itrace. Several --itrace add up;\n"
	"--call-trace is cewp, --call-ret-trace crewp, --insn-trace i0nse.\n"
	"\n"
	"      --no-itrace       decode nothing\n"
	"      --max-samples N   stop after N samples\n"
	"\f"
	"fields: -F LIST, -F +ADD,-REMOVE, -F TYPE:LIST\n"
	"\n"
	"  comm pid tid cpu time event period ip sym symoff dso addr flags insn\n"
	"  insnlen callindent ipc synth weight phys_addr\n"
	HELP_IF(CONFIG_SAMPLE_COLUMNS,
	"  iregs uregs data_src ins_lat retire_lat data_page_size code_page_size tod\n"
	"  brstack brstacksym brstackoff dsoff bpf-output cgroup (record --all-cgroups)\n"
	HELP_IF(CONFIG_BRANCH_STACKS,
	"  brstackinsn brstackinsnlen (their instructions)\n")
	HELP_IF(CONFIG_GUESTS,
	"  machine_pid vcpu (of guests whose records are in the file)\n"))
	HELP_IF(CONFIG_SRCLINE,
	"  srcline, srccode (the source line itself, where it changes)\n"
	"\n"
	"      --full-source-path    srcline with folders\n")
	HELP_IF(CONFIG_DISASM,
	"\n"
	"      --xed             instructions as text, not bytes: -F -insn,+disasm\n")
	"\n"
	"TYPE is hw, sw, trace, raw, break or synth. Branches and instructions are of\n"
	"type hw; samples of p, w and I are synth.\n"
	HELP_IF(CONFIG_ROWS, "--help=rows: the same as JSON or TSV, for programs.\n")
	HELP_IF(CONFIG_ROWS,
	"\f"
	"rows: lines for programs\n"
	"\n"
	"      --json            an object of JSON on each line\n"
	"      --tsv             columns between tabs; the first line has their names\n"
	"\n"
	"The fields are those of -F, by the same names:\n"
	"  comm pid tid cpu time event period ip sym symoff dso addr flags callindent\n"
	"  insn insnlen disasm srcline\n"
	"and addr_sym addr_symoff addr_dso (what is at addr), insns cycles (of ipc), text\n"
	"(of synth). Times are seconds with nine digits; ip and addr hexadecimal text,\n"
	"symoff is decimal; callindent is the number of open calls. A field that a sample\n"
	"does not have is left out in JSON, and empty in TSV, where \\t, \\n, \\\\ and \\xNN\n"
	"stand for a tab, a newline, a backslash and other control bytes. A gap (with\n"
	"--itrace=e) has the event \"gap\", and its reason as text. Later versions may add\n"
	"fields, but keep these. Examples:\n"
	"  pt script --json --itrace=c -F comm,tid,time,ip,sym,addr | jq -r .addr_sym\n"
	"  pt script --tsv --itrace=be -F time,ip,sym,symoff,addr,flags > branches.tsv\n")
	HELP_IF(CONFIG_PARALLEL,
	"\f"
	"parallel: on several processors, or machines\n"
	"\n"
	"  -j, --jobs N          decode in N processes; the output is the same\n"
	"      --shard I/N       part I of N; 'cat' of all parts is the whole\n"
	"\n"
	"-j gains nothing for IPC without CYC packets, trace in samples, snapshots, and\n"
	"threads without time. Two processors are 1.6 to 2 times as fast as one, but at\n"
	"most 1.5 times for --insn-trace (mostly copying) and for several CPUs.\n"
	"A shard also decodes what is before its part. -j has no effect on pipes, on\n"
	"terminals, and with --call-trace, call chains, --max-samples, --reltime,\n"
	"--deltatime, --itrace=s, --tail and --json.\n")
	"\f"
	"show: more lines\n"
	"\n"
	"      --header          the file's header first\n"
	"      --header-only     only that\n"
	HELP_IF(CONFIG_HEADER_INFO,
	"  -I, --show-info       with all of it: topology, memory, caches\n")
	"  -G, --hide-call-graph no call chains of recorded samples\n"
	"      --max-stack N     at most N functions in a call chain\n"
	HELP_UNLESS(CONFIG_PARALLEL,
	"  -j, --jobs N          no effect: this pt lacks PARALLEL\n")
	"      --reltime         times since the first line\n"
	"      --deltatime       times since the line before\n"
	"      --show-task-events    comm, fork, exit\n"
	"      --show-mmap-events    mapped files\n"
	"      --show-switch-events  context switches\n"
	"      --show-lost-events    records that the kernel lost\n"
	"      --show-namespace-events  namespaces of processes\n"
	"      --show-cgroup-events  control groups\n"
	"      --show-bpf-events     BPF programs loaded and unloaded\n"
	"      --show-text-poke-events  changes of kernel code\n"
	"      --show-round-events   FINISHED_ROUND records\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --baud N          speed of the serial line that carries the output: pt\n"
	"                        first says how long printing takes\n")
	HELP_IF(CONFIG_SCRIPT_MORE,
	"\f"
	"more: further options of perf script\n"
	"\n"
	"      --graph-function LIST only these functions and what they call: with\n"
	"                            --call-trace, --call-ret-trace or --itrace=b\n"
	"      --stop-bt LIST        call chains end at these functions\n"
	"      --max-blocks N        at most N blocks of -F brstackinsn\n"
	"      --per-event-dump      the samples of each event in FILE.EVENT.dump\n"
	"      --show-kernel-path    the file of --vmlinux, not [kernel.kallsyms]\n"
	"  -L, --Latency         the command in eight characters, the CPU in three\n"
	"  -d, --debug-mode          print no samples, but how many are not in order\n"
	"\n"
	"Example:\n"
	"  pt script --call-trace --graph-function main\n")
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf script without effect, since pt does so anyway\n"
	"\n"
	"  -f, --force\n"
	"  -v, --verbose\n"
	"  -a, --all-cpus\n"
	"      --no-inline\n");

void script_help(struct opt *o)
{
	char first[PACKED_MAX], *end = first;
	const char *more;
	int i;

	o->room += PACKED_MAX;
	while (opt_more(o))
		;
	more = packed_page(o->words, &end, help);
	*o->end++ = '\f';
	for (i = 0; i < 3; i++)
		more = packed_page(o->words, &o->end, more);
}

/* Lines */

static void show_record(struct script *s, const struct entry *e)
{
	ask_record(&s->ask, e);
	if (CONFIG_SAMPLE_COLUMNS && e->item->record->type == PERF_CGROUP)
		print_sample_cgroup(&s->printer, e->item->record);
	if (e->wanted)
		script_side_band(s, e);
	if (e->item->record->type == PERF_FINISHED_ROUND && s->live)
		out_flush(s->out);
}

/* Not for each entry, since there may be many queues. */
static void note_undecoded(struct script *s, u32 n)
{
	enum { EACH = 32 };

	if (s->undecoded && !(n % EACH))
		*s->undecoded = session_undecoded(&s->list.session);
}

static int show(struct script *s, const struct entry *e)
{
	if (CONFIG_SCRIPT_MORE && script_more_entry(s, e))
		return 0;
	switch (e->kind) {
	case ENTRY_EVENTS:
		return script_settle(s);
	case ENTRY_RUNS:
		listing_took(&s->list, print_runs(&s->printer, e->item, e->runs, e->n_runs));
		break;
	case ENTRY_SAMPLE:
		if (CONFIG_ROWS && s->rows.pr)
			print_row(&s->rows, e);
		else if (!s->printer.mute)
			print_sample(&s->printer, e->sample);
		break;
	case ENTRY_RECORDED:
		if (CONFIG_ROWS && s->rows.pr)
			print_row(&s->rows, e);
		else if (!CONFIG_PEBS || !e->sample || !s->printer.mute)
			script_recorded(s, e);
		break;
	case ENTRY_RECORD:
		show_record(s, e);
		break;
	case ENTRY_GAP:
		if (!e->wanted)
			break;
		if (CONFIG_ROWS && s->rows.pr)
			print_row(&s->rows, e);
		else
			print_gap(&s->printer, e->item, e->gap);
		s->n_shown++;
	}
	return 0;
}

static int show_all(struct script *s)
{
	struct entry e;
	int err, status = 0;
	u32 n = 0;

	while (!status && (err = listing_next(&s->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&s->ask);
		note_undecoded(s, n++);
		if (CONFIG_PARALLEL && unlikely(e.kind == ENTRY_CUT)) {
			enum taking taking = parallel_take(s, e.item);

			if (taking == TAKE_NO_MORE)
				break;
			if (taking == TAKE_NOT)
				listing_drop(&s->list);
			continue;
		}
		status = show(s, &e);
		if (CONFIG_WINDOW && s->tail)
			script_window_entry(s, &e);
		if ((s->max_samples && s->list.n_samples >= s->max_samples) || s->out->err)
			break;
	}
	if (status || (CONFIG_PARALLEL && !parallel_ends(s)))
		return status;
	return ask_read(&s->ask, err);
}

/* Set the options of listing and printer. */
static void set_up(struct script *s)
{
	struct listing *l = &s->list;
	bool brief = CONFIG_CONSOLE && script_is_short(s), alone = false;

	if (CONFIG_ROWS && (s->json || s->rows.tsv)) {
		s->rows.pr = &s->printer;
		s->ask.wide = true;
		alone = true;
		brief = false;
	}
	if (!s->ask.itrace_set && CONFIG_WINDOW && l->window.callee)
		itrace_parse(&l->itrace, "c");
	else if (!s->ask.itrace_set)
		itrace_default(&l->itrace, false);
	if ((CONFIG_DECODE_LOG && s->ask.log) ||
	    (CONFIG_WINDOW && (s->tail_n || window_any(&l->window))) ||
	    (CONFIG_SCRIPT_MORE && (s->dumps || s->debug || choice_any(&l->choice))))
		alone = true;
	if (CONFIG_PARALLEL && alone)
		parallel_alone(s);
	s->printer.chain_size = l->itrace.callchain;
	if (s->printer.max_stack || s->printer.no_frames)
		s->printer.max_stack = MAX(s->printer.max_stack, l->itrace.callchain);
	s->printer.no_frames &= !s->printer.max_stack;
	s->printer.late_chain_size = l->itrace.callchain_others;
	s->printer.no_callchains &= !(l->itrace.callchain | l->itrace.callchain_others);
	if (CONFIG_UNWIND && !s->printer.no_callchains)
		l->unwind = s->printer.max_stack ? s->printer.max_stack : UNWOUND_USUAL;
	s->printer.out = s->out;
	s->printer.session = &l->session;
	if (!s->max_samples && !brief && !listing_by_sample(l) &&
	    !(CONFIG_SCRIPT_MORE && (s->dumps || s->debug)) && !(CONFIG_WINDOW && s->tail_n) &&
	    !(CONFIG_ROWS && s->rows.pr))
		print_run_start(&s->printer, &l->itrace);
	l->takes_runs = s->printer.by_run;
	l->use_calls = s->printer.fields.of[FIELDS_HW] & FIELD_CALLINDENT;
	l->cycles = s->printer.fields.of[FIELDS_HW] & FIELD_IPC;
	l->cuts = CONFIG_PARALLEL && (s->jobs || s->n_shards);
	l->options.no_decode = s->dump;
	s->ask.part = s->n_shards;
	s->ask.later = s->shard > 1;
	/* PSB and CBR are properties of the trace, not of the program. */
	if (brief)
		l->omits = 1 << SAMPLE_PSB | 1 << SAMPLE_CBR;
}

static int run(struct script *s)
{
	int status;

	set_up(s);
	status = ask_open(&s->ask);
	if (status)
		return status;
	if (CONFIG_CONSOLE && s->out->lines)
		script_terminal(s);
	status = ask_start(&s->ask);
	if (status || s->ask.header_only)
		return status;
	if (s->dump)
		return script_dump_all(s);
	if (CONFIG_CONSOLE)
		script_say_long(s, session_undecoded(&s->list.session));
	if (CONFIG_PARALLEL && s->list.cuts) {
		status = parallel_start(s);
		if (status)
			return status;
	}
	if (CONFIG_WINDOW && s->tail_n)
		script_window_start(s);
	status = show_all(s);
	if (CONFIG_WINDOW && s->tail)
		script_window_end(s);
	if (CONFIG_SCRIPT_MORE)
		status = script_more_end(s, status);
	if (s->live) {
		out_flush(s->out);
		return status;
	}
	return CONFIG_PARALLEL ? parallel_end(s, status) : ask_end(&s->ask, status, s->n_shown);
}

static struct script the;

static void begin(struct script *s, struct out *out)
{
	s->out = out;
	ask_begin(&s->ask, &s->list, out);
	fields_default(&s->printer.fields);
}

/* Dump a file with samples. Their lines need threads, maps and symbols, as in a script. */
static int dump_samples(struct dumper *d, struct out *out, const char *path, int fd,
			struct bytes seen)
{
	the.list.path = path;
	the.list.options.seen_fd = fd;
	the.list.options.seen = seen;
	return run(&the);
}

/* Dump a file. Without samples it needs no session. */
static int dump_any(struct dumper *d, struct out *out, const char *path, int fd,
		    struct bytes seen)
{
	bool asks = the.ask.header || the.ask.header_only || the.list.itrace.off ||
		    the.list.show || the.list.show_round || the.list.time;
	bool all = asks || seen.len || dump_may_have_samples(path);

	return (all ? dump_samples : dump_perf)(d, out, path, fd, seen);
}

int script_live(const struct live *live, struct out *out)
{
	int status;
	u64 n;

	begin(&the, out);
	the.list.path = "-";
	the.live = the.list.options.live = true;
	the.ask.wide = live->wide;
	the.undecoded = live->undecoded;
	script_preset(&the, live->preset);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	status = run(&the);
	n = the.list.n_samples + the.printer.n_lines;
	if (!status)
		warn(0, "%llu line%s, %llu gap%s", n, n == 1 ? "" : "s", the.list.gaps,
		     the.list.gaps == 1 ? "" : "s");
	return status;
}

/* 0 if it is not a regular file. */
static u64 file_size(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) ? st.st_size : 0;
}

static int ask_and_run(struct opt *o, struct out *out)
{
	const char *name;

	while ((name = opt_next(o)) && !o->error)
		o->error = script_take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (the.dump && the.ask.raw_option)
		return fail(0, "-D does not take --%s", the.ask.raw_option);
	if (CONFIG_DISASM && the.xed)
		fields_parse(&the.printer.fields, "-insn,+disasm");
	if (CONFIG_ROWS && the.json && the.rows.tsv)
		return fail(0, "--json and --tsv exclude each other");
	if (CONFIG_ROWS && the.dump && (the.json || the.rows.tsv))
		return fail(0, "-D takes neither --json nor --tsv");
	if (the.printer.since_first && the.printer.since_last)
		return fail(0, "--reltime and --deltatime exclude each other");
	if (CONFIG_PARALLEL && CONFIG_WINDOW && the.n_shards &&
	    (the.tail_n || window_any(&the.list.window)))
		return fail(0, "--shard takes no --tail, --last, --depth, "
			    "--who-calls, --from-symbol, --to-symbol");
	if (CONFIG_SCRIPT_MORE && the.dump_events && (the.dump || the.tail_n || the.n_shards))
		return fail(0, "--per-event-dump takes no -D, --tail, --last, --shard");
	if (CONFIG_SCRIPT_MORE && the.n_shards && choice_any(&the.list.choice))
		return fail(0, "--shard takes no --graph-function, --switch-on, "
			    "--switch-off");
	if (CONFIG_SCRIPT_MORE && the.dump_events)
		o->error = script_dumps_open(&the);
	if (o->error)
		return STATUS_FAILED;
	if (CONFIG_PARALLEL && the.dump && the.n_shards)
		return fail(0, "-D does not take --shard");
	if (CONFIG_CONSOLE && out->lines && !the.baud)
		the.baud = term_baud(out->fd);
	if (CONFIG_SANDBOX)
		sandbox_enter(the.jobs);
	if (CONFIG_CONSOLE && the.dump && !the.ask.wide && !the.fields_set)
		term_fit(out);
	if (the.dump)
		paint(out, PAINT_PACKETS);
	if (CONFIG_CONSOLE && the.dump && !the.ask.header_only && !the.list.itrace.off)
		script_say_long(&the, file_size(the.list.path));
	if (CONFIG_CMD_DUMP && the.dump)
		return dump_file(&(struct dumper){ dump_any }, out, the.list.path);
	return run(&the);
}

static int script(struct opt *o, struct out *out)
{
	begin(&the, out);
	return ask_and_run(o, out);
}

int script_dump(struct opt *o, struct out *out)
{
	begin(&the, out);
	the.dump = true;
	return ask_and_run(o, out);
}

const struct command cmd_script = { "script", "print the contents of a trace", help, script, true };
