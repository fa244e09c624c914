/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt record: the command line to a struct record; then the recorder that this machine supports; at
 * the end a summary.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/BUNDLE.h>
#include <pt/config/CMD_CRASH.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/RECORD_FILES.h>
#include <pt/config/RECORD_HW.h>
#include <pt/config/RECORD_MORE.h>
#include <pt/config/RECORD_SAMPLES.h>
#include <pt/config/RECORD_SOFT.h>
#include <pt/config/SOFT_SNAPSHOT.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/fail.h>
#include <pt/host.h>
#include <pt/mounts.h>
#include <pt/num.h>
#include <pt/record.h>
#include <pt/text.h>

#include "ask.h"
#include "crash.h"
#include "record_ask.h"

PACKED(help) =
	"usage: pt record [OPTIONS] [--] COMMAND [ARGS]\n"
	"       pt record [OPTIONS] -a | -p PID | -t TID | -u USER\n"
	"\n"
	"Record what a command or a running process executes, into a perf.data file.\n"
	"\n"
	"  -e, --event EVENT      what to record (intel_pt//u): --help=events\n"
	"  -a, --all-cpus         everything on all CPUs\n"
	"  -C, --cpu LIST         everything on these CPUs: 0-3,8\n"
	HELP_IF(CONFIG_RECORD_MORE,
	"  -G, --cgroup LIST      with -a or -C: only tasks of these cgroups\n")
	"  -p, --pid LIST         these processes\n"
	"  -t, --tid LIST         these threads\n"
	"  -u, --uid USER         all processes of this user\n"
	"  -o, --output FILE      perf.data; - is standard output\n"
	"      --for TIME         end after 5s, 100ms, ...\n"
	"      --max-size SIZE    end when FILE has SIZE bytes: 100M, 4G\n"
	HELP_IF(CONFIG_RECORD_SOFT,
	"      --soft[=HOW]       without Intel PT; HOW: "
	HELP_IF(CONFIG_SOFT_TRANSLATE, "translate, ") "step (slow)\n")
	"  -v, --verbose          print more; -vv: each event\n"
	"  -q, --quiet            print errors only\n"
	HELP_IF(CONFIG_PROGRESS,
	"  The terminal shows progress, unless COMMAND prints there; SIGUSR1 prints it.\n")
	"\n"
	"More: --help=buffers, --help=modes, --help=file. Examples:\n"
	"  pt record ls                          then: pt script --call-trace\n"
	"  pt record -e intel_pt/cyc/u -p $$ --for 100ms      this shell, with cycles\n"
	"  pt record -o - ls | pt script         without a file\n"
	"\f"
	"events: what is recorded\n"
	"\n"
	"  intel_pt/TERMS/u   u: user space, k: kernel; G, H: guests, host. Terms:\n"
	"    tsc mtc mtc_period=N     time; by default tsc,mtc,mtc_period=3\n"
	"    cyc cyc_thresh=N         cycles\n"
	"    psb_period=N             synchronization every 2^(N+11) bytes (3)\n"
	"    noretcomp                no compressed returns\n"
	"    ptw fup_on_ptw pwr_evt event notnt branch=0 config=N\n"
	"    and all in /sys/bus/event_source/devices/intel_pt/format\n"
	"  Other events are sampled, with it"
	HELP_IF(CONFIG_RECORD_SAMPLES, " or alone") ": cycles, sched:sched_switch,\n"
	"  -e '{intel_pt//u,branch-misses/aux-sample-size=8192/u}'\n"
	"\n"
	"  -c, --count N          a sample every N events\n"
	"  -F, --freq N           N samples a second (4000)\n"
	"      --filter FILTER    where to trace: 'filter main @ /bin/x', 'tracestop s',\n"
	"                         'filter 0x10/0x20 @ /bin/x', 'filter sym1 / sym2';\n"
	"                         after -e TRACEPOINT: 'prev_pid == 1'\n"
	"  -i, --no-inherit       without child processes\n"
	"      --per-thread       a buffer for each thread, not for each CPU\n"
	"      --switch-events    context switches also with --per-thread\n"
	HELP_IF(CONFIG_RECORD_SAMPLES,
	"      --all-user         only user space\n"
	"      --all-kernel       only the kernel\n"
	"      --strict-freq      fail if the kernel does not allow -F\n")
	HELP_IF(CONFIG_RECORD_SAMPLES,
	"\f"
	"samples: what each sample contains\n"
	"\n"
	"  -g                         call chain, by frame pointers\n"
	"      --call-graph HOW       fp" HELP_IF(CONFIG_RECORD_MORE, "[,FRAMES]")
	", lbr, dwarf[,BYTES]\n"
	"      --kernel-callchains    without user space\n"
	"      --user-callchains      without the kernel\n"
	"  -b, --branch-any           last branches taken\n"
	"  -j, --branch-filter LIST   of these kinds: any_call,any_ret,cond,u,k,...\n"
	"  -d, --data                 address of the data, and which cache had it\n"
	"      --phys-data            its physical address\n"
	"      --data-page-size\n"
	"      --code-page-size\n"
	"  -W, --weight               cost of the access, if the CPU reports it\n"
	"      --transaction          why a transaction aborted\n"
	"  -I, --intr-regs[=REGS]     registers: AX,IP,...; all without an argument\n"
	"      --user-regs[=REGS]     the same, of user space\n"
	"  -R, --raw-samples          raw data, and the CPU\n"
	"  -P, --period               number of events since the last sample\n"
	"  -T, --timestamp            time, also with --per-thread\n"
	"  -k, --clockid CLOCK        clock of the time: mono, raw, boot, real, tai\n"
	"      --sample-cpu           CPU\n"
	"      --sample-identifier    id of the event\n"
	"      --running-time         how long events of a group (:S) counted\n"
	"  -n, --no-samples           no samples\n"
	HELP_IF(CONFIG_RECORD_MORE,
	"  of one event: -e cycles/call-graph=HOW,stack-size=N,max-stack=N,time=0,freq=N/\n"))
	"\f"
	"buffers: their sizes\n"
	"\n"
	"  -m, --mmap-pages SIZES  size of the buffers of each CPU, records and trace:\n"
	"                         DATA or ,TRACE or DATA,TRACE; pages, or bytes with\n"
	"                         B, K, M, G. Default: 512K,4M; for users other than\n"
	"                         root 256K,128K; less if they may lock no more.\n"
	HELP_IF(CONFIG_RECORD_SAMPLES,
	"      --no-buffering     write each sample at once\n")
	"\f"
	"modes: when to record\n"
	"\n"
	"  -S[SIZE], --snapshot[=SIZE]   only the last SIZE bytes, at each request:\n"
	"                         SIGUSR2 or --control; -Se[SIZE]: also at the end\n"
	HELP_IF(CONFIG_SOFT_SNAPSHOT,
	"                         (without Intel PT always at the end, and when a signal\n"
	"                         kills a process; SIZE: of all threads together (4M))\n"
	"      --last TIME        ... and, with --soft, only the last TIME: 2s, 500ms\n")
	"      --aux-sample[=SIZE]  the last SIZE bytes, in each sample of an event\n"
	"      --control FIFOS    fifo:CTL[,ACK] or fd:CTL[,ACK]. Lines to CTL: enable,\n"
	"                         disable, snapshot, stop, ping, evlist; pt answers \"ack\"\n"
	"  -D, --delay MS         begin MS later; -1: when --control enables\n"
	HELP_IF(CONFIG_RECORD_MORE,
	"                         10-20,30-40: record only in these ranges of ms\n")
	HELP_IF(CONFIG_RECORD_MORE,
	"  -r, --realtime N       record with this priority (SCHED_FIFO, 1 to 99)\n"
	HELP_IF(CONFIG_RECORD_SAMPLES,
	"      --guest            as perf kvm record: only while a virtual machine runs\n"
	"      --host             as perf kvm --host record: the host, too\n"))
	HELP_IF(CONFIG_RECORD_FILES,
	"      --switch-output[=WHEN]  write FILE.TIME; begin the next at WHEN: signal\n"
	"                         (SIGUSR2), 100M (a size), 30s, 5m, 1h (a time)\n"
	"      --switch-max-files N    keep only the last N of them\n"
	"      --timestamp-filename    FILE.TIME also for a single file\n")
	"\f"
	"file: what else FILE contains\n"
	"\n"
	"      --kcore            make FILE a folder that includes the kernel's code\n"
	HELP_IF(CONFIG_BUNDLE,
	"      --bundle           put all code into FILE: any machine can decode it\n")
	HELP_IF(CONFIG_RECORD_SAMPLES,
	"  -s, --stat             counts of each thread\n"
	"      --namespaces       namespaces of each process\n"
	"      --all-cgroups      control groups, by name and in each sample\n"
	"      --no-bpf-event     no records of BPF programs\n"
	"      --buildid-mmap     build-id in the record of each map\n"
	"      --buildid-all      build-ids of all mapped files (the default)\n"
	"  -B, --no-buildid       no build-ids\n"
	"  -N, --no-buildid-cache the default\n"
	"  -z, --compression-level[=N]  compress records (if built with ZSTD); N: 1 to 22\n"
	HELP_IF(CONFIG_RECORD_MORE,
	"      --synth WHAT       records of what runs already: all, task (no maps),\n"
	"                         cgroup, no\n"
	"      --tail-synthesize  these records at the end, of what runs then\n"
	"      --overwrite        only the last records that fit in the buffers (-m)\n")
	"      --dry-run          only read the options\n")
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: rare options of perf record\n"
	"\n"
	"      --exclude-perf    of the event before it, leave out what pt itself does\n"
	"      --group           all events are one group, as in braces\n"
	"      --inherit         with -t: also the threads and processes that it creates\n"
	"\n"
	"Without effect on what is recorded:\n"
	"      --affinity MODE\n"
	"      --aio[=N]\n"
	"      --mmap-flush SIZE\n      --threads[=SPEC]\n"
	"      --num-thread-synthesize N\n      --proc-map-timeout MS\n"
	"      --timestamp-boundary\n"
	"      --guestkallsyms FILE\n      --guestmodules FILE\n      --guestvmlinux FILE\n"
	"      --guestmount DIR\n      --guest-code      for pt script and report\n");

struct line_buffer { char at[OUT_ROOM]; };

static void say(void *who, int level, const char *line)
{
	struct line_buffer buf;
	struct out out;

	if (!level) {
		warn(0, "%s", line);
		return;
	}
	out_open(&out, 2, buf.at, sizeof(buf.at));
	out_name(&out, line);
	out_newline(&out);
	out_flush(&out);
}

/* Options. */

static bool add_event(struct opt *o, struct record *r, struct asked *a)
{
	if (a->n_events == EVENTS)
		return record_wrong(o, "too many -e:");
	a->events[a->n_events++] = o->arg;
	r->events = a->events;
	r->filters = a->filters;
	return true;
}

/* Add a filter to the events before it, if they are not Intel PT. Several filters must all
 * match. */
static bool add_filter(struct opt *o, struct record *r, struct asked *a)
{
	const char **of = a->n_events ? &a->filters[a->n_events - 1] : &r->filter;
	size_t size = strlen(o->arg) + 12;
	char *both;

	if (a->n_events && text_after(a->events[a->n_events - 1], "intel_pt"))
		of = &r->filter;
	if (!*of) {
		*of = o->arg;
		return true;
	}
	size += strlen(*of);
	both = NEW(r->arena, char, size);
	fmt_str(both, size, of == &r->filter ? "%s,%s" : "(%s) && (%s)", *of, o->arg);
	*of = both;
	return true;
}

/* --exclude-perf: of the last event, a tracepoint, what pt itself does. */
static bool exclude_self(struct opt *o, struct record *r, struct asked *a)
{
	char filter[40];

	if (!a->n_events || !strchr(a->events[a->n_events - 1], ':')) {
		o->error = "--exclude-perf follows a tracepoint: -e sched:sched_switch";
		return false;
	}
	fmt_str(filter, sizeof(filter), "common_pid != %d", getpid());
	o->arg = arena_str(r->arena, filter);
	return add_filter(o, r, a);
}

static bool read_option(struct opt *o, const char *name, struct record *r, struct asked *a)
{
	static const struct opt_member members[] = {
		{ "cpu", offsetof(struct record, target.cpus), true },
		{ "pid", offsetof(struct record, target.pids), true },
		{ "tid", offsetof(struct record, target.tids), true },
		{ "uid", offsetof(struct record, target.user), true },
		{ "output", offsetof(struct record, output), true },
		{ "control", offsetof(struct record, control), true },
		{ "cgroup", offsetof(struct record, cgroups), true },
		{ "all-cpus", offsetof(struct record, target.all_cpus) },
		{ "per-thread", offsetof(struct record, target.per_thread) },
		{ "no-inherit", offsetof(struct record, no_inherit) },
		{ "switch-events", offsetof(struct record, switch_events) },
		{ "kcore", offsetof(struct record, kcore) },
		{ "bundle", offsetof(struct record, bundle) },
		{ "no-buildid", offsetof(struct record, no_build_ids) },
		{ "timestamp-filename", offsetof(struct record, files.stamped) },
		{ "dry-run", offsetof(struct record, dry_run) },
		{ 0 },
	};

	if (opt_set(o, name, members, r))
		return true;
	if (opt_refuse(o, name))
		return false;
	if (!strcmp(name, "quiet"))
		a->quiet = !o->no;
	else if (!strcmp(name, "verbose"))
		r->verbose++;
	else if (!strcmp(name, "event"))
		return add_event(o, r, a);
	else if (!strcmp(name, "filter"))
		return add_filter(o, r, a);
	else if (CONFIG_PERF_OPTIONS && !strcmp(name, "exclude-perf"))
		return exclude_self(o, r, a);
	else if (CONFIG_PERF_OPTIONS && !strcmp(name, "inherit"))
		r->inherit = !o->no;
	else if (CONFIG_PERF_OPTIONS && !strcmp(name, "group"))
		r->group = !o->no;
	else if (!record_value(o, name, r, a) && CONFIG_RECORD_SAMPLES)
		record_ask(o, name, r);
	return !o->error;
}

/* Options that exclude each other, or that would record nothing. */
static const char *contradiction(const struct record *r, const struct asked *a)
{
	const u64 both = 1ull << PERF_F_EXCLUDE_KERNEL | 1ull << PERF_F_EXCLUDE_USER;

	return r->count && r->freq ? "-c and -F exclude each other" :
		a->freq_given && !r->freq && !r->count ? "-F 0: no sample is ever taken" :
		a->size_given && !r->max_size ? "--max-size 0: there would be no file" :
		(r->samples.flags & both) == both ?
			"--all-user and --all-kernel exclude each other" : NULL;
}

/* Name an option that has no effect on events other than Intel PT. */
static const char *asks_for_trace(const struct record *r, const struct asked *a)
{
	return a->soft ? "--soft is" : a->snapshot ? "-S is" : r->sample_size ? "--aux-sample is" :
		r->aux_size ? "-m ,TRACE is" :
		r->filter ? "--filter without a tracepoint before it is" : NULL;
}

static bool read_options(struct opt *o, struct record *r, struct asked *a)
{
	const char *name, *warning;

	o->plain_ends = true;
	while ((name = opt_next(o)))
		if (!read_option(o, name, r, a))
			return false;
	if (opt_stopped(o))
		return false;
	r->target.argv = opt_words(o);
	if (!*r->target.argv)
		r->target.argv = NULL;
	if (!r->output)
		r->output = "perf.data";
	warning = target_settle(&r->target);
	if (warning)
		warn(0, "%s", warning);
	if (!r->target.argv && !target_has_threads(&r->target) && !target_has_cpus(&r->target)) {
		o->error = "nothing to record; give a command, -a, -C, -p, -t or -u";
		return false;
	}
	if (CONFIG_RECORD_MORE && (o->error = contradiction(r, a)))
		return false;
	if (CONFIG_RECORD_SAMPLES && !record_traces(r) && asks_for_trace(r, a)) {
		fmt_str(o->wrong, sizeof(o->wrong), "%s for Intel PT only; add -e intel_pt//u",
			asks_for_trace(r, a));
		o->error = o->wrong;
		return false;
	}
	if (a->snapshot && r->sample_size) {
		o->error = "-S and --aux-sample exclude each other";
		return false;
	}
	if (CONFIG_SOFT_SNAPSHOT && r->last_ns && !(a->snapshot && a->soft)) {
		o->error = "--last is for -S with --soft";
		return false;
	}
	if (r->bundle && !strcmp(r->output, "-")) {
		o->error = "--bundle cannot be written to a pipe";
		return false;
	}
	if (!strcmp(r->output, "-") && isatty(1)) {
		fail(0, "-o -: standard output is a terminal; pipe it to pt script");
		return false;
	}
	if (r->files.asked && !strcmp(r->output, "-")) {
		o->error = "--switch-output makes files: it needs -o FILE";
		return false;
	}
	if (r->files.most && !r->files.asked) {
		o->error = "--switch-max-files is for --switch-output";
		return false;
	}
	if (r->kcore && !strcmp(r->output, "-")) {
		o->error = "--kcore makes a folder, not a pipe";
		return false;
	}
	return true;
}

/* The summary */

static void say_loss(const struct record_result *res)
{
	const struct perf_losses *lost = &res->lost;

	if (lost->truncated)
		warn(0, "trace was lost %llu times: a buffer of %llu KiB was full (-m ,%lluK "
		     "doubles it)", lost->truncated, res->aux_size >> 10, res->aux_size >> 9);
	if (lost->partial)
		warn(0, "the processor dropped packets %llu times (PARTIAL)", lost->partial);
	if (lost->collisions)
		warn(0, "another tracer interrupted the trace %llu times", lost->collisions);
	if (lost->records || lost->samples)
		warn(0, "%llu records were lost: a buffer of %llu KiB was full (-m %lluK "
		     "doubles it)", lost->records + lost->samples, res->data_size >> 10,
		     res->data_size >> 9);
}

static u64 own_cpu_ns(void)
{
	struct rusage used;

	return getrusage(RUSAGE_SELF, &used) ? 0 :
		(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000ull +
		(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ull;
}

/* Print how long the recording took; if instructions were counted, also the cycles for each. An
 * untraced program needs about one. */
static void put_times(struct out *out, const struct record_result *res)
{
	u64 own = own_cpu_ns(), programs = res->programs_ns;
	u64 native = record_native_ns(res, programs);
	char time[32], number[32];

	*put_fixed(time, res->took_ns, 1000000000, 3) = 0;
	out_fmt(out, "[ pt record: It took %s s", time);
	if (res->branches) {
		*put_fixed(number, res->branches, 1000000, 1) = 0;
		out_fmt(out, ", %s M branches", number);
		*put_fixed(number, native ? record_all_ns(own, programs) * 10 / native : 0, 10, 1)
			= 0;
		if (native)
			out_fmt(out, ", %s x untraced CPU time", number);
	} else if (res->native_ns && programs) {
		*put_fixed(number, res->insns, 1000000, 1) = 0;
		out_fmt(out, ": %s million instructions, %llu cycles each", number,
			MAX((own + programs) / res->native_ns, 1));
	}
	out_str(out, " ]\n");
}

static void say_end(const struct record_result *res)
{
	struct line_buffer buf;
	struct out out;
	char size[32];

	*put_fixed(size, res->bytes, 1 << 20, 3) = 0;
	out_open(&out, 2, buf.at, sizeof(buf.at));
	out_fmt(&out, "[ pt record: Woken up %llu times to write data ]\n", res->wakeups);
	put_times(&out, res);
	out_fmt(&out, "[ pt record: Captured and wrote %s MB ", size);
	out_name(&out, res->output);
	if (CONFIG_RECORD_MORE && res->samples)
		out_fmt(&out, " (%llu samples)", res->samples);
	out_str(&out, " ]\n");
	out_flush(&out);
}

static int status_of(const struct record_result *res)
{
	if (res->exec_err)
		return res->exec_err == -ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	if (res->signal)
		return 128 + res->signal;
	if (!res->waited)
		return STATUS_DONE;
	if (WIFSIGNALED(res->wait_status))
		return 128 + WTERMSIG(res->wait_status);
	return WEXITSTATUS(res->wait_status);
}

/* The choice of the recorder */

/* A requested feature that only the hardware has: a text that says what to do instead, or NULL. */
static const char *wants_hardware(const struct record *r)
{
	return target_has_cpus(&r->target) ? "trace whole CPUs; give a command or -p PID" :
		r->mode == RECORD_SNAPSHOT && !CONFIG_SOFT_SNAPSHOT ?
			"take snapshots; record all, without -S" :
		r->mode == RECORD_SAMPLE ? "be sampled; record all, without --aux-sample" :
		r->filter ? "filter by address; record all, and grep what pt script prints" :
		r->delay_ms ? "begin later; use -p PID when it is time" :
		r->count || r->freq ? "sample events beside the trace; leave -c and -F out" :
		r->no_inherit ? "leave children out; use pt script --pid or --tid" :
		r->cgroups ? "select cgroups; give a command or -p PID" :
		r->level ? "be compressed; leave -z out" :
		r->files.asked ? "be split; leave --switch-output out" :
		r->kcore ? "trace the kernel; leave --kcore out" : NULL;
}

int record_watch_over(pid_t recorder)
{
	siginfo_t got;
	sigset_t set;
	int status;

	record_signals(&set);
	while (!waitpid(recorder, &status, WNOHANG))
		if (sigwaitinfo(&set, &got) > 0 && got.si_signo != SIGCHLD && got.si_code <= 0)
			kill(recorder, got.si_signo);
	return status;
}

/* A recorder that is killed may leave a breakpoint in a process that it attached to. Therefore
 * such a recorder is a child process, which detaches when this process dies. Returns false in this
 * process, after the child has recorded. */
static bool become_recorder(struct record *r, struct asked *a)
{
	pid_t self = getpid(), recorder = _Fork();

	if (recorder > 0) {
		r->result.wait_status = record_watch_over(recorder);
		r->result.waited = true;
		a->quiet = true;
		return false;
	}
	if (!recorder && (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != self))
		_exit(STATUS_FAILED);
	return true;
}

static void say_software(const struct asked *a, const char *cpu)
{
	const char *missing = mounts_missing("/sys");

	if (!a->soft && !a->quiet)
		warn(0, "no Intel PT here (%s): recording in software", missing ? missing : cpu);
}

static int record_by_software(struct record *r, struct asked *a, const char *cpu)
{
	const char *what = wants_hardware(r), *missing = mounts_missing("/proc");

	if (what)
		return fail(0, "only Intel PT can %s", what);
	if (r->samples.asked)
		return fail(0, "%s is for sampled events; add -e cpu-clock, or leave it "
			    "out", r->samples.asked);
	if (missing)
		return fail(0, "cannot record in software: %s", missing);
	r->translate = CONFIG_SOFT_TRANSLATE && !r->step;
	if (record_read_terms(r))
		return STATUS_FAILED;
	say_software(a, cpu);
	if (r->dry_run)
		return STATUS_DONE;
	if (target_has_threads(&r->target) && !become_recorder(r, a))
		return STATUS_DONE;
	return record_soft(r) ? STATUS_FAILED : STATUS_DONE;
}

/* Block signals; the recorder reads them when it can. */
static void block_signals(sigset_t *old)
{
	sigset_t set;

	record_signals(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, old);
}

static u64 clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int record(struct record *r, struct asked *a)
{
	char cpu[HOST_NAME];
	sigset_t mask;
	int err = -ENODEV;

	block_signals(&mask);
	r->mask = &mask;
	if (CONFIG_RECORD_HW && !a->soft) {
		err = record_hw(r);
		if (CONFIG_RECORD_SAMPLES && !record_traces(r))
			return err ? STATUS_FAILED : STATUS_DONE;
		if (err != -ENODEV)
			return err ? STATUS_FAILED : STATUS_DONE;
	}
	host_cpu_name(cpu);
	if (!*cpu)
		fmt_str(cpu, sizeof(cpu), "no CPUID");
	return CONFIG_RECORD_SOFT ? record_by_software(r, a, cpu) :
				    fail(0, "no Intel PT here (%s)", cpu);
}

enum { LIVE_INTERVAL = 50000000 };	/* ns */

/* 'fd' >= 0: write the pipe form there, in short intervals, and print no summary. */
int record_into(struct opt *o, int fd, int code_fd)
{
	struct arena arena = { 0 };
	struct record r = { .fd = fd, .code_fd = code_fd, .say = say, .arena = &arena };
	struct asked asked = { .quiet = fd >= 0 };
	bool recorded;
	int status;

	if (fd >= 0)
		r.interval_ns = LIVE_INTERVAL;

	r.result.took_ns = -clock_ns();
	r.cmdline = opt_command_line(o, "record", &arena);
	if (!read_options(o, &r, &asked))
		return STATUS_FAILED;
	if (CONFIG_PROGRESS && fd < 0)
		progress_of_record(&r, asked.quiet);
	status = record(&r, &asked);
	r.result.took_ns += clock_ns();
	if (CONFIG_PROGRESS)
		progress_record_end(&r);
	recorded = !status || r.result.trace_bytes || (r.w.err && r.result.bytes);
	if (!asked.quiet && !r.dry_run && recorded) {
		say_loss(&r.result);
		say_end(&r.result);
		if (CONFIG_CMD_CRASH && !r.result.signal && strcmp(r.output, "-"))
			crash_say(r.result.output,
				  r.result.waited && WIFSIGNALED(r.result.wait_status));
	}
	if (!status || r.result.exec_err)
		status = status_of(&r.result);
	arena_free(&arena);
	return status;
}

static int run(struct opt *o, struct out *out)
{
	return record_into(o, -1, -1);
}

const struct command cmd_record = { "record", "record a trace", help, run };
