/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject: a copy of a recording with the samples of its trace in place of the trace.
 *
 * Records keep their order, which is that of time. The head of a file has the attributes of all
 * events, so it is written when they are known: one of the first records describes the trace,
 * and in a pipe others describe the events. Records of the recorder before the kernel's first
 * one wait in 'early'.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/GUEST_DATA.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/sandbox.h>
#include "ask.h"
#include "inject.h"
#include "input.h"

PACKED(help) =
	"usage: pt inject [OPTIONS] [-i FILE] -o OUT\n"
	"\n"
	"Copy FILE (perf.data). With --itrace the samples of its trace replace the trace:\n"
	"programs that know nothing of Intel PT can read the copy.\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -o, --output OUT      write OUT; by default standard output, as a pipe\n"
	"      --itrace[=OPTS]   which samples: letters as of pt script --help=itrace; by\n"
	"                        default as for pt report. G and L change nothing\n"
	"      --strip           leave out recorded samples and context switches\n"
	"  -b, --build-ids       add the build-ids of files that have samples\n"
	"      --buildid-all     add those of all files\n"
	"  -j, --jit             add the code that programs made: --help=jit\n"
	"      --aslr[=WHAT]     change addresses, for sharing: --help=aslr\n"
	HELP_IF(CONFIG_GUEST_DATA,
	"      --guest-data WHAT  add the records of a guest: --help=guest\n"
	"      --vm-time-correlation[=WHAT]  correct the times of guests: --help=guest\n")
	"      --strict          exit status 3 if there were gaps\n"
	"\n"
	"--help=select and --help=code are those of pt script.\n"
	"\n"
	"Examples:\n"
	"  pt inject --itrace=i100us --strip -o samples.data\n"
	"  pt inject --itrace=i100usl --strip -o lbr.data    branch stacks, for AutoFDO\n"
	"  pt record -o - -e cpu-clock ls | pt inject -b > ids.data\n"
	"\f"
	"jit: code that programs made while they ran\n"
	"\n"
	"Programs such as node --perf-prof write the functions that they compile into\n"
	"jit-PID.dump. --jit puts that code and its names into OUT.jit.so, and into OUT a\n"
	"record for each function, at the time of its load. Record with -k mono, unless\n"
	"the times in the dump are in TSC ticks. pt script and perf then read OUT.\n"
	"\f"
	"aslr: a copy that can be shared\n"
	"\n"
	"Code gets other addresses, which say nothing about the old ones. Addresses of\n"
	"data, registers, copies of the stack and samples of tracepoints are left out.\n"
	"WHAT:\n"
	"  names       files and commands keep their names (the default)\n"
	"  nameless    they have numbers; there are no build-ids and no host's name\n"
	HELP_IF(CONFIG_GUEST_DATA,
	"\f"
	"guest: add the records of a guest to those of its host\n"
	"\n"
	"WHAT is FILE,PID[,OFFSET[,SCALE]]: FILE was recorded in the guest that process\n"
	"PID runs, whose TSC is that of the host, times SCALE (1), plus OFFSET (0; /sys/\n"
	"kernel/debug/kvm has it). pt script and pt report of OUT then know which program\n"
	"of the guest ran; --guestmount DIR has its files in DIR/PID.\n"
	"\n"
	"--vm-time-correlation=dry-run prints by how much the TSC of each guest (VMCS)\n"
	"differs from the host's; =\"OFFSET:VMCS,VMCS OFFSET:VMCS\" then changes the times\n"
	"in FILE itself. Traces of a guest that has no offset need neither.\n"
	"\n"
	"  guest:  pt record -a -e dummy --sample-identifier --switch-events -o g.data\n"
	"  host:   pt record -a --sample-identifier -o host.data\n"
	"  then:   pt inject -i host.data --guest-data g.data,PID -o all.data\n")
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf inject without effect, since pt does so anyway\n"
	"\n"
	"  -f, --force\n"
	"  -v, --verbose\n"
	"      --ignore-vmlinux\n");

/* The head */

/* perf gives the first made event the first id of the trace's event plus this number. */
enum { MADE_ID = 1000000000 };

static u32 add_made(struct inject *x, u32 n)
{
	struct session *s = &x->list.session;
	const struct itrace *it = &x->list.itrace;
	u64 id = s->pt_event && s->pt_event->n_ids ? s->pt_event->ids[0] + MADE_ID : 1;
	u32 kind;

	for (kind = 0; kind < N_SAMPLE_KINDS; kind++) {
		struct perf_event *e = &x->events[n];

		if (!made_is(s, it, kind))
			continue;
		e->attr = made_file_attr(s, it, kind);
		e->name = made_name(s, kind);
		e->ids = NEW(&s->arena, u64, 1);
		e->ids[0] = id++;
		e->n_ids = 1;
		e->index = n++;
		x->made[kind] = e;
	}
	return n;
}

/* Features of the head that are not copied: they would be false, or the writer makes them. */
static bool is_copied(const struct inject *x, u32 bit)
{
	switch (bit) {
	case PERF_FEAT_BUILD_ID:
		return !x->w.pipe;
	case PERF_FEAT_CMDLINE:
	case PERF_FEAT_EVENT_DESC:
	case PERF_FEAT_AUXTRACE:
	case PERF_FEAT_SAMPLE_TIME:
	case PERF_FEAT_DIR_FORMAT:
	case PERF_FEAT_COMPRESSED:
		return false;
	}
	return true;
}

static void copy_feature(struct inject *x, u32 bit)
{
	struct perf_file *f = &x->list.session.file;
	struct perf_feature_bytes at = perf_feature_at(f, bit);
	struct bytes read = f->pipe ? at.read : (struct bytes){ 0 };
	u8 part[OUT_ROOM];
	u64 done;
	long n;

	perf_write_feature_start(&x->w, bit);
	perf_write_bytes(&x->w, read.at, read.len);
	for (done = 0; !f->pipe && done < at.size; done += n) {
		n = perf_read_at(f, at.off + done, part, MIN(at.size - done, sizeof(part)));
		if (n <= 0)
			break;
		perf_write_bytes(&x->w, part, n);
	}
	perf_write_feature_end(&x->w);
}

/* In a pipe build-ids are records. */
static void write_build_ids(struct inject *x)
{
	struct bytes rest = perf_feature(&x->list.session.file, PERF_FEAT_BUILD_ID);

	while (rest.len >= 8) {
		size_t size = get16(rest.at + 6);
		struct bytes body = bytes_skip(bytes_first(rest, size), 8);

		if (size < 8 || size > rest.len)
			return;
		perf_write_record(&x->w, PERF_BUILD_ID, get16(rest.at + 4), body, NULL);
		rest = bytes_skip(rest, size);
	}
}

static void write_features(struct inject *x)
{
	const struct perf_file *f = &x->list.session.file;
	u32 bit;

	for (bit = 0; bit < PERF_N_FEATURES; bit++)
		if (f->features[bit / 64] >> bit % 64 & 1 && is_copied(x, bit) &&
		    !inject_aslr_hides(x, bit))
			copy_feature(x, bit);
	if (x->w.pipe && !inject_aslr_hides(x, PERF_FEAT_BUILD_ID))
		write_build_ids(x);
	if (!inject_aslr_hides(x, PERF_FEAT_CMDLINE))
		perf_write_cmdline(&x->w, x->cmdline);
	perf_write_event_desc(&x->w);
	if (x->makes && x->list.itrace.branch_stack)
		perf_write_feature(&x->w, PERF_FEAT_BRANCH_STACK, (struct bytes){ 0 });
	listing_times(&x->list, &x->w.first_time, &x->w.last_time);
}

/* Write the head, if that was not done. */
static void start(struct inject *x)
{
	const struct perf_file *f = &x->list.session.file;
	u32 n;

	if (x->started)
		return;
	x->started = true;
	n = f->n_events + N_SAMPLE_KINDS + (CONFIG_GUEST_DATA ? inject_guest_n_events(x) : 0);
	x->events = NEW(&x->list.session.arena, struct perf_event, n);
	for (n = 0; n < f->n_events; n++) {
		x->events[n] = *f->events[n];
		inject_aslr_event(x, &x->events[n]);
	}
	if (listing_makes(&x->list))
		n = add_made(x, n);
	if (CONFIG_GUEST_DATA)
		n = inject_guest_events(x, n);
	perf_write_start(&x->w, x->events, n);
	write_features(x);
	perf_write_records(&x->w, (struct bytes){ x->early, x->n_early });
}

/* Records */

static void keep(struct inject *x, struct bytes raw)
{
	u32 room = MAX(2 * x->early_room, (u32)round_up(x->n_early + raw.len, 4096));

	if (x->early_room - x->n_early < raw.len) {
		x->early = arena_grow(&x->list.session.arena, x->early, 1, x->n_early, room);
		x->early_room = room;
	}
	memcpy(x->early + x->n_early, raw.at, raw.len);
	x->n_early += raw.len;
}

/* Does the record describe the trace, or repeat what the new head says? */
static bool is_replaced(const struct inject *x, u32 type)
{
	switch (type) {
	case PERF_AUX:
	case PERF_ITRACE_START:
	case PERF_AUX_OUTPUT_HW_ID:
	case PERF_AUXTRACE_INFO:
	case PERF_AUXTRACE:
	case PERF_ID_INDEX:
		return x->makes;
	case PERF_COMPRESSED:
	case PERF_COMPRESSED2:
	case PERF_FINISHED_ROUND:
		return true;
	case PERF_SWITCH:
	case PERF_SWITCH_CPU_WIDE:
		return x->strip;
	case PERF_HEADER_ATTR:
	case PERF_EVENT_TYPE:
	case PERF_TRACING_DATA:
	case PERF_HEADER_FEATURE:
	case PERF_EVENT_UPDATE:
		return x->list.session.file.pipe;
	}
	return false;
}

static int copy_trace(struct inject *x, const struct perf_record *rec)
{
	u8 part[OUT_ROOM];
	struct perf_auxtrace aux;
	u64 at;
	long n;

	if (x->aslr.on)
		return fail(0, "--aslr: the trace itself has addresses; add --itrace=..., which "
			    "replaces it");
	if (!perf_get_auxtrace(rec, &aux))
		return 0;
	aux.size = rec->aux_size;
	perf_write_aux_start(&x->w, &aux);
	for (at = 0; at < aux.size; at += n) {
		n = perf_aux_read(&x->list.session.file, rec, at, part,
				  MIN(aux.size - at, sizeof(part)));
		if (n <= 0)
			break;
		perf_write_bytes(&x->w, part, n);
	}
	perf_write_aux_end(&x->w);
	return at < aux.size ? fail(0, "%s: truncated: a part of its trace is missing",
				    x->list.path) : 0;
}

static int copy_record(struct inject *x, const struct perf_record *rec)
{
	bool early = !x->started && rec->type >= PERF_HEADER_ATTR && rec->type != PERF_AUXTRACE;
	struct perf_record copy = *rec;

	if (!early)
		start(x);
	inject_record_ids(x, rec);
	if (inject_jit_record(x, rec) || is_replaced(x, rec->type))
		return 0;
	if (rec->type == PERF_AUXTRACE)
		return copy_trace(x, rec);
	if (inject_aslr_record(x, &copy))
		return 0;
	if (early)
		keep(x, copy.raw);
	else
		perf_write_records(&x->w, copy.raw);
	return 0;
}

/* A record's samples (of a group with :S) come one by one. */
static void copy_sample(struct inject *x, const struct entry *e)
{
	const struct perf_record *rec = e->item->record;

	if (x->strip || (x->copied == rec->off + 1 && x->copied_part == rec->part))
		return;
	x->copied = rec->off + 1;
	x->copied_part = rec->part;
	start(x);
	inject_sample_ids(x, e);
	if (!inject_aslr_recorded(x, e))
		copy_record(x, rec);
}

static void write_made(struct inject *x, const struct entry *e)
{
	const struct itrace *it = &x->list.itrace;
	const struct sample *s = e->sample;
	const struct perf_event *event;
	struct perf_sample sample;
	u64 chain[ITRACE_CHAIN_MAX];
	u32 n = 0;
	u16 misc;

	start(x);
	event = x->made[s->kind];
	if (!event)
		return;
	inject_sample_ids(x, e);
	if (it->callchain && s->kind != SAMPLE_BRANCH)
		n = calls_chain(s->thread ? calls_if_any(s->thread, s->cpu) : NULL, s->ip,
				it->callchain, chain);
	misc = made_sample(&x->list.session, s, chain, n, &x->room, &sample);
	inject_aslr_sample(x, s->thread, &sample);
	sample.event = event;
	sample.id = sample.stream_id = event->ids[0];
	x->n_long += !perf_write_sample(&x->w, misc, &event->attr, &sample);
}

/* A PEBS record of the trace. */
static void write_pebs(struct inject *x, const struct entry *e)
{
	enum { KERNEL = 1, USER };
	struct perf_sample s = *e->recorded;
	const struct perf_event *event = perf_event_by_id(&x->list.session.file, s.id);
	u16 misc = s.ip >> 63 ? KERNEL : USER;

	start(x);
	if (!event)
		return;
	inject_sample_ids(x, e);
	inject_aslr_sample(x, e->thread, &s);
	x->n_long += !perf_write_sample(&x->w, misc, &event->attr, &s);
}

static void write_gap(struct inject *x, const struct entry *e)
{
	const struct item *item = e->item;
	bool lost = item->kind == ITEM_LOST;
	const char *text = flow_gap_text(e->gap);
	u8 body[40 + 64 + 8] = { 0 };

	enum { INSTRUCTION_TRACE = 1, WITH_TIME = 1, TEXT = 40, TEXT_ROOM = 64 };

	start(x);
	set32(body, INSTRUCTION_TRACE);
	set32(body + 4, e->gap);
	set32(body + 8, lost ? item->sample->cpu : item->queue->now_cpu);
	set32(body + 12, lost ? item->sample->pid : item->queue->pid);
	set32(body + 16, lost ? item->sample->tid : item->queue->tid);
	set32(body + 20, WITH_TIME);
	set64(body + 24, lost || x->aslr.on ? 0 : item->step->from);
	set64(body + 32, lost ? item->sample->time : session_time(&x->list.session, item->tsc));
	fmt_str((char *)body + TEXT, TEXT_ROOM, "%s", text);
	perf_write_record(&x->w, PERF_AUXTRACE_ERROR, 0,
			  (struct bytes){ body, round_up(TEXT + strlen(text) + 1, 8) }, NULL);
}

/* The loop */

static int take_entry(struct inject *x, const struct entry *e)
{
	switch (e->kind) {
	case ENTRY_EVENTS:
		return ask_events(&x->ask, false);
	case ENTRY_SAMPLE:
		write_made(x, e);
		break;
	case ENTRY_RECORDED:
		if (e->recorded->in_trace)
			write_pebs(x, e);
		else
			copy_sample(x, e);
		break;
	case ENTRY_RECORD:
		return copy_record(x, e->item->record);
	case ENTRY_GAP:
		if (e->wanted)
			write_gap(x, e);
	}
	return 0;
}

/* The guest's records up to this time; 0: none. */
static void write_guest(struct inject *x, u64 time)
{
	if (!time)
		return;
	start(x);
	inject_guest_write(x, time);
}

static int read_all(struct inject *x)
{
	enum { ROUND = 1 << 20 };
	u64 due = ROUND;
	struct entry e;
	int err = 0, status = 0;

	while (!status && !x->w.err && (err = listing_next(&x->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&x->ask);
		if (CONFIG_GUEST_DATA)
			write_guest(x, inject_guest_time(x, &e));
		status = take_entry(x, &e);
		/* The times of jitted code are ahead of those of other records. */
		if (x->w.at >= due && !x->jits) {
			perf_write_record(&x->w, PERF_FINISHED_ROUND, 0, (struct bytes){ 0 }, NULL);
			perf_write_round(&x->w);
			due = x->w.at + ROUND;
		}
	}
	start(x);
	if (CONFIG_GUEST_DATA)
		inject_guest_write(x, ~0ULL);
	return status ? status : x->w.err ? 0 : ask_read(&x->ask, err);
}

static int run(struct inject *x)
{
	int status;

	if (!x->makes)
		x->list.itrace = (struct itrace){ .off = true };
	/* Their details have addresses. */
	if (x->aslr.on)
		x->list.itrace.interrupts = false;
	x->list.use_calls = x->list.itrace.callchain;
	x->ask.itrace_set = true;
	if ((status = ask_open(&x->ask)) || (status = ask_start(&x->ask)))
		return status;
	status = ask_end(&x->ask, read_all(x), true);
	if (x->n_long)
		warn(0, "%llu samples were too long for a record; give l or g a smaller number",
		     x->n_long);
	inject_aslr_end(x);
	if (inject_jit_close(x))
		status = STATUS_FAILED;
	listing_times(&x->list, &x->w.first_time, &x->w.last_time);
	perf_write_end(&x->w);
	return perf_write_close(&x->w) ? fail(x->w.err, "cannot write %s", x->output) : status;
}

static bool is_input(const char *input, const char *output)
{
	struct stat a, b;

	return !stat(input, &a) && !stat(output, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Called before the sandbox, which forbids creating files. */
static int open_output(struct inject *x)
{
	int err;

	if (strcmp(x->list.path, "-") && access(x->list.path, R_OK))
		return input_fail(-errno, x->list.path, NULL);
	if (is_input(x->list.path, x->output))
		return fail(0, "%s is the file that is read; give another one to -o", x->output);
	err = perf_write_create(&x->w, x->output, -1, &x->list.session.arena);
	if (err)
		return fail(err, "cannot write %s", x->output);
	return x->jits ? inject_jit_open(x) : 0;
}

/* As for perf inject, a file may be the standard input: "< FILE". */
static const char *usual_input(void)
{
	struct stat st;

	return !fstat(0, &st) && S_ISREG(st.st_mode) ? "-" : NULL;
}

static struct inject the;

static const char *take(struct inject *x, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "output", offsetof(struct inject, output), true },
		{ "strip", offsetof(struct inject, strip) },
		{ "jit", offsetof(struct inject, jits) },
		{ "build-ids", offsetof(struct inject, ids) },
		{ "buildid-all", offsetof(struct inject, all_ids) },
		{ 0 },
	};

	if (opt_set(o, name, members, x))
		return NULL;
	if (CONFIG_GUEST_DATA && !strcmp(name, "vm-time-correlation")) {
		x->vm_time = true;
		x->vm_offsets = o->arg;
		return NULL;
	}
	if (CONFIG_GUEST_DATA && !strcmp(name, "guest-data"))
		return opt_refuse(o, name) ? o->error : inject_guest_take(x, o->arg);
	if (!strcmp(name, "aslr"))
		return inject_aslr_take(x, o);
	return strcmp(name, "itrace") ? ask_take(&x->ask, o, name) : ask_itrace(&x->ask, o, true);
}

static int inject(struct opt *o, struct out *out)
{
	const char *name;

	the.cmdline = opt_command_line(o, "inject", &the.list.session.arena);
	script_help(o);
	ask_begin(&the.ask, &the.list, out);
	the.list.path = usual_input();
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (!the.output)
		the.output = "-";
	if (CONFIG_GUEST_DATA && the.vm_time)
		return inject_vm(&the, the.vm_offsets, out);
	the.makes = the.ask.itrace_set && !the.list.itrace.off;
	if (the.strip && !the.makes)
		return fail(0, "--strip needs samples in their place: --itrace=i100us");
	if (the.aslr.on && (the.jits || (the.aslr.no_names && (the.ids || the.all_ids))))
		return fail(0, "--aslr and %s exclude each other", the.jits ? "--jit" :
			    "build-ids");
	if (the.jits && the.makes)
		return fail(0, "--jit and --itrace exclude each other; decode what --jit has "
			    "written");
	if (the.guest && (the.makes || the.jits || the.aslr.on || !strcmp(the.list.path, "-")))
		return fail(0, "--guest-data makes a file of its own; give the other options to a "
			    "second pt inject, and FILE to -i");
	if (CONFIG_GUEST_DATA && inject_guest_open(&the))
		return STATUS_FAILED;
	if (!strcmp(the.output, "-") && isatty(1))
		return fail(0, "the output is not for a terminal; add -o FILE");
	if (open_output(&the))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return run(&the);
}

const struct command cmd_inject = {
	"inject", "replace a trace by samples", help, inject, true
};
