/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: what a trace holds, as lines.
 */
#include <errno.h>
#include <sys/stat.h>

#include <pt/command.h>
#include <pt/config/CMD_DUMP.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/PARALLEL.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/made.h>
#include <pt/print_record.h>
#include <pt/print_run.h>
#include <pt/print_short.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include "dump.h"
#include "input.h"
#include "script.h"

static const PACKED(help) =
	"usage: pt script [OPTIONS] [-i FILE]\n"
	"\n"
	"Print what FILE (perf.data) holds: samples, and what its trace says was\n"
	"executed. FILE may also be a bare trace; '-' is standard input.\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -D, --dump-raw-trace  print records and packets as they lie there: pt -D\n"
	"      --insn-trace      every instruction\n"
	"      --call-trace      calls, indented by depth\n"
	"      --call-ret-trace  calls and returns\n"
	"      --itrace[=OPTS]   which samples are made of the trace: --help=itrace\n"
	"  -F, --fields LIST     which columns: --help=fields\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide            perf's lines on a terminal, too, not short ones\n")
	"      --ns              nine digits of a second\n"
	"      --strict          exit status 3 if the decode had gaps\n"
	"\n"
	"More: --help=code (where code and names are), --help=select (which part),\n"
	"--help=show (more lines), --help=raw (bare traces)"
	HELP_IF(CONFIG_PARALLEL, ", --help=parallel") ".\n"
	"\n"
	"Examples:\n"
	"  pt script --call-trace | head -40     what was called first\n"
	"  pt script --itrace=be --time 10%-20%  all branches of that time, and gaps\n"
	"  pt script --insn-trace -F +symoff     every instruction\n"
	/* pt report shares the next three pages. */
	"\f"
	"code: where code and names are\n"
	"\n"
	"      --symfs DIR       files are below DIR\n"
	"      --vdso FILE       the vDSO of the machine that was traced\n"
	"  -k, --vmlinux FILE    the kernel\n"
	"      --kallsyms FILE   its symbols\n"
	"      --kcore FILE      its code: a copy of /proc/kcore\n"
	"      --mem SIZE        forget decoded code when it takes more than this\n"
	"\f"
	"select: which part of the file\n"
	"\n"
	"  -C, --cpu LIST        only these CPUs: 0,2-3\n"
	"      --time RANGE      only this time: 1.5,2.5 or ,3 or 10%/2 or 0%-5%\n"
	"  -c, --comms LIST      only these commands\n"
	"      --pid LIST        only these processes\n"
	"      --tid LIST        only these threads\n"
	"      --dsos LIST       only from code in these files\n"
	"  -S, --symbols LIST    only from these functions\n"
	"\f"
	"raw: bare traces, without a perf.data around them\n"
	"\n"
	"      --map FILE[:OFF[-END]]@ADDR   bytes of FILE are code at ADDR; repeatable\n"
	"      --nom-freq N      TSC frequency in 100 MHz: lines have the time, by TSC\n"
	"      --tsc-ratio N/D   TSC ticks per tick of the crystal clock: by MTC, too\n"
	"      --mtc N           period of MTC packets: 2^N ticks of the crystal clock\n"
	"      --no-retcomp      returns are not compressed\n"
	"      --event-trace     event trace was on: the interrupt flag is known\n"
	"      --addr-filter F   only this was recorded, e.g. 'filter 0x1000/0x200'\n"
	"      --cpu-model F/M[/S] CPU family, model, stepping (hexadecimal with 0x)\n"
	"\f"
	"itrace: --itrace=OPTS, letters in any order\n"
	"\n"
	"  b   branches              c   calls          r   returns\n"
	"  i   instructions, e.g. i1i each, i100us one in 100 us (the default), i1000t\n"
	"  e   gaps; e-o not overflows, e-l not what the recorder lost\n"
	"  x   transactions          w   PTWRITE        p   power, frequency, PSB\n"
	"  I   interrupts (event trace)                 sN  skip the first N events\n"
	"  A   approximate IPC       Z   do not use time\n"
	"  gN  call chains of up to N entries with instructions (16)\n"
	"  q   quick: only addresses in packets, code is not needed; qq: from PSB to PSB\n"
	"\n"
	"Without a list: all of them. Without --itrace: cxwpIe. Several --itrace add up;\n"
	"--call-trace is cewp, --call-ret-trace crewp, --insn-trace i0nse.\n"
	"\n"
	"      --no-itrace       decode nothing\n"
	"      --max-samples N   stop after N lines of samples\n"
	"\f"
	"fields: -F LIST, -F +ADD,-REMOVE, -F TYPE:LIST\n"
	"\n"
	"  comm pid tid cpu time event period ip sym symoff dso addr flags insn\n"
	"  insnlen callindent ipc synth weight phys_addr\n"
	"\n"
	"TYPE is hw, sw, trace, raw, break or synth. Branches and instructions are of\n"
	"type hw; what p, w and I make is synth.\n"
	HELP_IF(CONFIG_PARALLEL,
	"\f"
	"parallel: on several processors, or machines\n"
	"\n"
	"  -j, --jobs N          N processes decode; the lines are the same\n"
	"      --shard I/N       the I-th of N parts; 'cat' of all is the whole\n"
	"\n"
	"IPC without CYC packets, trace in samples, snapshots and threads without time\n"
	"gain nothing of -j. A shard goes through all that is before its part, without\n"
	"lines. Pipes, terminals and --max-samples have one process.\n")
	"\f"
	"show: more lines\n"
	"\n"
	"      --header          the file's header first\n"
	"      --header-only     only that\n"
	"  -G, --hide-call-graph no call chains of recorded samples\n"
	"      --show-task-events    comm, fork, exit\n"
	"      --show-mmap-events    what was mapped\n"
	"      --show-switch-events  context switches\n"
	"      --show-lost-events    what the kernel could not record\n"
	"      --show-namespace-events  namespaces of processes\n"
	"      --show-cgroup-events  control groups\n"
	"      --show-bpf-events     BPF programs coming and going\n"
	"      --show-text-poke-events  kernel code being changed\n"
	"      --show-round-events   ends of rounds of writing\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --baud N          how fast the line is that takes the output, if the\n"
	"                        terminal is none itself: says how long that takes\n");

/* Events and columns */

static int check_fields(struct script *s, const struct perf_attr *attr, const char *name)
{
	enum { FEATURE_AUXTRACE = 18 };
	bool made = s->session.raw || s->session.file.features[0] >> FEATURE_AUXTRACE & 1;
	enum fields_type type = fields_type(attr->type);
	const char *missing = fields_check(&s->printer.fields, type, attr->sample_type, made);

	if (s->printer.fields.set[type] && !(s->printer.fields.unset & FIELD_SYM) &&
	    (s->printer.fields.of[type] & (FIELD_SYM | FIELD_SYMOFF)) == FIELD_SYMOFF)
		return fail(0, "-F symoff: an offset needs its symbol; use -F sym,symoff");
	if (missing)
		return fail(0, "samples of '%s' have no '%s': it cannot be printed", name, missing);
	return 0;
}

static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == 1 && attr->config == 9;
}

/* Columns and names, by the events of the file and those that are made. */
static bool makes_samples(const struct script *s)
{
	return !s->dump && (s->session.have_pt || s->session.raw);
}

/* Of a tracepoint with a call chain its places are shown, unless -F says otherwise. */
static void show_tracepoint_chains(struct script *s, const struct perf_attr *attr)
{
	struct fields *f = &s->printer.fields;

	if (s->printer.any_callchain && fields_type(attr->type) == FIELDS_TRACEPOINT &&
	    attr->sample_type >> PERF_S_CALLCHAIN & 1 && !f->set[FIELDS_TRACEPOINT])
		f->of[FIELDS_TRACEPOINT] |= FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO;
}

/* Chains of --call-graph dwarf are a copy of the stack, which only debug information unwinds. */
static void say_dwarf(struct script *s, const struct perf_attr *attr)
{
	if (s->said_dwarf || s->printer.no_callchains ||
	    !(attr->sample_type >> PERF_S_STACK_USER & 1))
		return;
	s->said_dwarf = true;
	warn(0, "%s: stacks of user code (--call-graph dwarf) are not unwound: call chains have "
		"only kernel functions; record with -g, or use perf", s->path);
}

int script_settle(struct script *s)
{
	bool seen[N_FIELDS_TYPES] = { false };
	int width = 0, err = 0;
	u32 i;

	for (i = 0; i < s->session.file.n_events && !err; i++) {
		const struct perf_event *e = s->session.file.events[i];
		enum fields_type type = fields_type(e->attr.type);

		width = MAX(width, (int)strlen(e->name));
		if (e->attr.sample_type >> PERF_S_CALLCHAIN & 1)
			s->printer.any_callchain = !s->printer.no_callchains;
		show_tracepoint_chains(s, &e->attr);
		say_dwarf(s, &e->attr);
		if (s->options.cpus && !(e->attr.sample_type >> PERF_S_CPU & 1))
			return fail(0, "-C: %s was recorded without CPU numbers (by software, or "
				    "per thread): use --tid, or leave -C out", s->path);
		if (is_dummy(&e->attr) || seen[type])
			continue;
		seen[type] = true;
		err = check_fields(s, &e->attr, e->name);
	}
	for (i = 0; i < N_SAMPLE_KINDS && !err && makes_samples(s); i++) {
		struct perf_attr attr = made_attr(&s->session, i);
		enum fields_type type = fields_type(attr.type);
		const char *name = made_name(&s->session, i);

		/* A damaged trace may hold what it was not recorded with. */
		s->printer.names[i] = name;
		if (!made_is(&s->session, &s->itrace, i))
			continue;
		width = MAX(width, (int)strlen(name));
		if (seen[type])
			continue;
		seen[type] = true;
		err = check_fields(s, &attr, name);
		/* perf has these wherever there are call chains. */
		if (s->printer.any_callchain ||
		    (s->itrace.callchain && i != SAMPLE_BRANCH && !s->session.raw))
			s->printer.fields.of[type] |= (FIELD_IP | FIELD_SYM) &
						      ~s->printer.fields.unset;
	}
	for (i = 0; i < N_FIELDS_TYPES && s->session.raw; i++)
		s->printer.fields.of[i] &= ~FIELD_COMM;
	/* As in perf, the events that are known at the first line of a sample count. */
	if (!s->n_samples)
		s->printer.name_width = width;
	s->named = true;
	s->made_named = makes_samples(s);
	return err;
}

/* The loop */

static bool count_step(struct script *s, const struct item *item)
{
	const struct step *step = item->step;
	struct passed b = { .run = step->run, .to = step->what & STEP_BRANCH ? step->to : 0 };

	if (!s->count_branches(s, item, &b, 1))
		return false;
	samples_pass(item);
	return true;
}

static void show_steps(struct script *s, const struct item *item)
{
	struct sample sample;
	bool wanted;

	if (!samples_owe(&s->samples, item->queue) && samples_simple(item->step) &&
	    (s->count_branches ? count_step(s, item) : print_run(&s->printer, item)))
		return;
	if (samples_omit(&s->samples, item))
		return;
	samples_item(&s->samples, item);
	while (samples_next(&s->samples, &sample)) {
		if (!script_wants_time(s, sample.cpu, sample.time))
			continue;
		if (CONFIG_CONSOLE && print_short_omits(&s->printer, &sample))
			continue;
		wanted = script_wants(s, sample.thread, sample.pid, sample.tid, sample.ip);
		if (s->count)
			s->count(s, &sample, NULL, sample.thread, wanted);
		if (!wanted)
			continue;
		if (!sample.insn_len)
			session_looked_at(&s->session, sample.thread, sample.ip);
		if (!s->printer.mute && !s->count)
			print_sample(&s->printer, &sample);
		if (++s->n_samples == s->max_samples)
			return;
	}
}

/* How many of those from the 'i'th on need no sample. */
static u32 take_passed(struct script *s, const struct item *passed, u32 i)
{
	const struct flow *f = passed->queue->flow;

	if (s->printer.by_run)
		return print_passed(&s->printer, passed, i);
	return s->count_branches ?
	       s->count_branches(s, passed, &f->passed[i], f->n_passed - i) : 0;
}

/* What comes behind has to find the last branch as the flow left it. */
static void show_passed(struct script *s, const struct item *passed)
{
	struct skipped *at = &passed->queue->flow->skipped, last = *at;
	struct step step;
	struct item item;
	u32 i;

	session_passed_begin(passed, &step, &item);
	for (i = 0; ; i++) {
		if (!samples_owe(&s->samples, passed->queue))
			i += take_passed(s, passed, i);
		if (!session_passed(passed, i, &step, &item))
			break;
		show_steps(s, &item);
		if (s->samples.omits)
			i += samples_omit_passed(&s->samples, passed, i + 1);
	}
	*at = last;
}

static void show_gap(struct script *s, const struct item *item, enum gap gap)
{
	u64 time =
		item->kind == ITEM_LOST ? item->sample->time : session_time(&s->session, item->tsc);

	if (!ranges_have(&s->ranges, time))
		return;
	/* They count whether or not --itrace asks for their lines. */
	s->gaps += !s->out->drop;
	if (s->count || !s->itrace.errors || (gap == GAP_OVERFLOW && s->itrace.no_overflows) ||
	    (gap == GAP_LOST && s->itrace.no_losts))
		return;
	print_gap(&s->printer, item, gap);
	s->n_shown++;
}

static void print_side_band_line(struct script *s, const struct item *item)
{
	const struct perf_record *rec = item->record;
	struct perf_sample sample = *item->sample;
	const char *comm = ":-1";
	i32 pid, tid;

	if (!script_wants_cpu(s, sample.cpu))
		return;
	s->n_shown++;
	perf_whose(rec, &sample, &pid, &tid);
	if (tid != -1)
		comm = process_thread(&s->session.processes, pid, tid)->comm;
	if (sample.event && !perf_attr_flag(&sample.event->attr, PERF_F_SAMPLE_ID_ALL)) {
		sample.cpu = 0;
		sample.time = 0;
		sample.pid = pid;
		sample.tid = tid;
	}
	if (sample.event)
		print_record_start(&s->printer, fields_type(sample.event->attr.type), comm,
				   &sample);
	print_side_band(s->out, rec);
}

void script_side_band(struct script *s, const struct item *item)
{
	u32 type = item->record->type;

	if (type < 64 && s->show >> type & 1)
		print_side_band_line(s, item);
	else if (type == PERF_FINISHED_ROUND && s->show_round)
		print_side_band(s->out, item->record);
}

void script_sample(struct script *s, const struct perf_sample *sample)
{
	struct thread *t = NULL;
	bool wanted;

	if (!sample->event || sample->bad)
		return;
	if (sample->tid != -1)
		t = process_thread(&s->session.processes, sample->pid, sample->tid);
	if (!script_wants_time(s, sample->cpu, sample->time))
		return;
	wanted = script_wants(s, t, sample->pid, sample->tid, sample->ip);
	if (wanted && s->printer.fields.of[fields_type(sample->event->attr.type)])
		session_looked_at(&s->session, t, sample->ip);
	if (s->count)
		s->count(s, NULL, sample, t, wanted);
	else if (wanted)
		print_recorded(&s->printer, sample, t);
	s->n_samples += wanted;
}

static void show_samples(struct script *s, const struct perf_sample *sample)
{
	struct perf_members m = perf_members_start(sample);

	while (perf_members_next(&s->session.file, &m))
		script_sample(s, &m.sample);
}

static void show_record(struct script *s, const struct item *item)
{
	u32 type = item->record->type;

	if (type == PERF_LOST_SAMPLES && item->record->raw.len >= 16)
		s->n_lost += get64(item->record->raw.at + 8);
	if (type == PERF_AUXTRACE_INFO)
		s->foreign = perf_foreign_trace(item->record);
	if (type == PERF_SAMPLE)
		show_samples(s, item->sample);
	else if (type == PERF_HEADER_FEATURE && s->header && item->record->raw.len >= 16)
		print_feature(s->out, &s->session.file, get64(item->record->raw.at + 8));
	else
		script_side_band(s, item);
	if (type == PERF_FINISHED_ROUND && s->live)
		out_flush(s->out);
}

/* Not with each item: there may be many queues. */
static void note_behind(struct script *s, u32 n)
{
	enum { EACH = 32 };

	if (s->behind && !(n % EACH))
		*s->behind = session_behind(&s->session);
}

static int show_all(struct script *s)
{
	struct item item;
	int err, status = 0;
	u32 n = 0;

	while (!status && (err = session_next(&s->session, &item)) > 0) {
		note_behind(s, n++);
		if (item.kind != ITEM_RECORD || item.record->type < PERF_HEADER_ATTR) {
			/* A file may say only after its first records that it has a trace. */
			if (!s->named || (!s->made_named && makes_samples(s)))
				status = script_settle(s);
			if (status)
				break;
		}
		if (CONFIG_PARALLEL && s->cut_queue) {
			enum taking taking = parallel_take(s, &item);

			if (taking == TAKE_NO_MORE)
				break;
			if (taking == TAKE_NOT)
				continue;
		}
		if (item.kind == ITEM_STEP) {
			show_steps(s, &item);
			if (item.halves & STEP_EVENT && item.step->what & STEP_GAP)
				show_gap(s, &item, item.step->gap);
		} else if (item.kind == ITEM_PASSED) {
			show_passed(s, &item);
		} else if (item.kind == ITEM_LOST) {
			show_gap(s, &item, GAP_LOST);
		} else {
			show_record(s, &item);
		}
		if ((s->max_samples && s->n_samples >= s->max_samples) || s->out->err)
			break;
	}
	if (status || (CONFIG_PARALLEL && !parallel_ends(s)))
		return status;
	if (err < 0) {
		out_flush(s->out);
		return fail(s->session.why ? 0 : err, "%s: %s", s->path,
			    s->session.why ? s->session.why : "cannot read it");
	}
	return 0;
}

void script_times(struct script *s, u64 *first, u64 *last)
{
	enum { FEATURE_SAMPLE_TIME = 21 };
	struct bytes b = perf_feature(&s->session.file, FEATURE_SAMPLE_TIME);

	*first = b.len >= 16 ? get64(b.at) : 0;
	*last = b.len >= 16 ? get64(b.at + 8) : 0;
}

static int set_time(struct script *s)
{
	const char *wrong;
	u64 first, last;

	script_times(s, &first, &last);
	wrong = ranges_parse(&s->ranges, s->time, first, last);

	s->session.options.from = s->ranges.at[0].start;
	/* Side-band is shown whenever it was. */
	if (!(s->show | s->show_round | s->jobs | s->n_shards))
		s->session.options.to = ranges_end(&s->ranges);
	return wrong ? fail(0, "--time %s: %s", s->time, wrong) : 0;
}

/* Called in the middle of a line, too: 'out' is not to be touched. */
static void say(void *who, const char *what)
{
	warn(0, "%s", what);
}

static int open_it(struct script *s)
{
	int err = session_open(&s->session, s->path, &s->options), raw = err;

	if (err == -EBADMSG && !s->session.file.known)
		raw = session_open_raw(&s->session, s->path, &s->raw, &s->options);
	if (!raw)
		return 0;
	if (raw == -EINVAL)
		return fail(0, "%s", s->session.why);
	if (err == -EBADMSG && !s->session.file.known && s->session.file.size)
		return input_not_trace(s->path);
	return err ? input_fail(err, s->path, s->session.why) : 0;
}

static void show_header(struct script *s)
{
	if (CONFIG_CONSOLE && term_fits(s->out))
		script_header(s);
	else
		print_header(s->out, &s->session.file);
}

static void say_gaps(const struct script *s)
{
	bool listed = s->itrace.errors && !s->count;

	warn(0, "%llu gap%s in the trace%s", s->gaps, s->gaps == 1 ? "" : "s",
	     listed ? "" : "; pt script --itrace=e lists what is missing");
}

int script_run(struct script *s)
{
	bool calls = s->printer.fields.of[FIELDS_HW] & FIELD_CALLINDENT;
	int status, nothing;

	if (!s->itrace_set)
		itrace_default(&s->itrace, false);
	s->options.no_decode = s->itrace.off || s->header_only || s->dump;
	s->options.timeless = s->itrace.timeless;
	s->options.quick = s->itrace.quick;
	s->options.insns = s->itrace.instructions;
	s->options.approximate = s->itrace.approximate_ipc;
	s->options.each_insn = s->itrace.instructions &&
			       (!s->itrace.period || (s->itrace.unit == ITRACE_INSNS &&
						      s->itrace.period == 1));
	s->options.heed = samples_heed(&s->itrace, calls);
	s->session.images.say = say;
	s->printer.chain_size = s->itrace.callchain;
	s->printer.late_chain_size = s->itrace.callchain_others;
	s->printer.no_callchains &= !(s->itrace.callchain | s->itrace.callchain_others);
	s->printer.out = s->out;
	s->printer.session = &s->session;
	if (s->time || s->options.cpus || s->comms || s->pids || s->tids || s->dsos || s->symbols)
		s->count_branches = NULL;
	else if (!s->max_samples && !s->count && !(CONFIG_CONSOLE && script_is_short(s)))
		print_run_start(&s->printer, &s->itrace);
	s->options.mutable = s->printer.by_run;
	/* Cycles are not noted. */
	s->options.note = s->printer.by_run || s->count_branches ||
			  (s->itrace.instructions &&
			   !(s->printer.fields.of[FIELDS_HW] & FIELD_IPC));
	status = open_it(s);
	if (status)
		return status;
	if (s->raw_option && !s->session.raw)
		return fail(0, "--%s is only for bare traces: %s is a perf.data, which has that "
			    "itself; leave the option out", s->raw_option, s->path);
	if (CONFIG_CONSOLE && s->out->lines)
		script_terminal(s);
	if ((s->header || s->header_only) && !s->session.raw && s->shard < 2)
		show_header(s);
	if (s->header_only)
		return 0;
	if (s->time && (status = set_time(s)))
		return status;
	if (s->dump)
		return script_dump_all(s);
	if (CONFIG_CONSOLE)
		script_say_long(s, session_behind(&s->session));
	samples_start(&s->samples, &s->session, &s->itrace, calls);
	if (CONFIG_PARALLEL && (s->n_shards || s->jobs)) {
		status = parallel_start(s);
		if (status)
			return status;
	}
	status = show_all(s);
	if (CONFIG_PARALLEL)
		status = parallel_end(s, status);
	out_flush(s->out);
	if (s->gaps && !s->live)
		say_gaps(s);
	nothing = s->live ? 0 : script_say_nothing(s);
	if (status || !s->strict || !s->gaps)
		return status ? status : nothing;
	return STATUS_HOLES;
}

static struct script the;

void script_begin(struct script *s, struct out *out)
{
	s->out = out;
	fields_default(&s->printer.fields);
}

/* The records of a file that has samples: their lines want all that a script wants. */
static int dump_samples(struct dumper *d, struct out *out, const char *path, int fd,
			struct bytes seen)
{
	the.path = path;
	the.options.seen_fd = fd;
	the.options.seen = seen;
	return script_run(&the);
}

/* Records alone need no session: no threads, maps and symbols. */
static int dump_any(struct dumper *d, struct out *out, const char *path, int fd,
		    struct bytes seen)
{
	bool asks = the.header || the.header_only || the.itrace.off || the.show ||
		    the.show_round || the.time;
	bool all = asks || seen.len || dump_may_have_samples(path);

	return (all ? dump_samples : dump_perf)(d, out, path, fd, seen);
}

int script_live(const struct live *live, struct out *out)
{
	int status;
	u64 n;

	script_begin(&the, out);
	the.path = "-";
	the.live = the.options.live = true;
	the.wide = live->wide;
	the.behind = live->behind;
	script_preset(&the, live->preset);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	status = script_run(&the);
	n = the.n_samples + the.printer.n_lines;
	if (!status)
		warn(0, "%llu line%s, %llu gap%s", n, n == 1 ? "" : "s", the.gaps,
		     the.gaps == 1 ? "" : "s");
	return status;
}

/* 0: it is none that has a size. */
static u64 file_size(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) ? st.st_size : 0;
}

static int ask_and_run(struct opt *o, struct out *out)
{
	if (!script_ask(&the, o, script_take))
		return STATUS_FAILED;
	if (the.dump && the.raw_option)
		return fail(0, "--%s is not for -D", the.raw_option);
	if (CONFIG_PARALLEL && the.dump && the.n_shards)
		return fail(0, "--shard is not for -D");
	if (CONFIG_CONSOLE && out->lines && !the.baud)
		the.baud = term_baud(out->fd);
	if (CONFIG_SANDBOX)
		sandbox_enter(the.jobs);
	if (CONFIG_CONSOLE && the.dump && !the.wide && !the.fields_set)
		term_fit(out);
	if (CONFIG_CONSOLE && the.dump && !the.header_only && !the.itrace.off)
		script_say_long(&the, file_size(the.path));
	if (CONFIG_CMD_DUMP && the.dump)
		return dump_file(&(struct dumper){ dump_any }, out, the.path);
	return script_run(&the);
}

static int script(struct opt *o, struct out *out)
{
	script_begin(&the, out);
	return ask_and_run(o, out);
}

int script_dump(struct opt *o, struct out *out)
{
	script_begin(&the, out);
	the.dump = true;
	return ask_and_run(o, out);
}

const struct command cmd_script = { "script", "print what a trace holds", help, script, true };
