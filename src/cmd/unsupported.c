/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of perf that pt accepts without effect, because what they ask for is so anyway; and
 * those that it does not have, each with the reason, or with what has the same use. pt report has
 * a list of its own.
 */
#include <pt/out.h>
#include "unsupported.h"

#define OF_RECORD "affinity,aio,mmap-flush,threads,num-thread-synthesize,proc-map-timeout," \
		  "timestamp-boundary,guestkallsyms,guestmodules,guestvmlinux,guestmount," \
		  "guest-code,"
#define OF_SCRIPT "force,verbose,all-cpus,no-inline,"

/* The last page of each help text has them. */
static const struct { const char *command, *names; } without_effect[] = {
	{ "script", OF_SCRIPT }, { "-D", OF_SCRIPT "Latency," }, { "record", OF_RECORD },
	{ "trace", OF_RECORD },
	{ "evlist", "force," }, { "buildid-list", "force,verbose," },
	{ "inject", "force,verbose,ignore-vmlinux," },
	{ "stat", "hybrid-merge,metric-no-group,metric-no-merge," },
	{ "diff", "force,verbose,modules," },
	{ "probe", "quiet,verbose,no-inlines,demangle," },
	{ "sched", "force,verbose," },
	{ "list", "desc,long-desc,details,deprecated," },
	{ "annotate", "force,stdio,modules,print-line,show-nr-samples,ignore-vmlinux,verbose,"
		    "full-paths,skip-missing," },
};

#define NO_SCRIPTS "pt runs no scripts; --json and --tsv are for programs"
#define NO_FILTERS "pt loads no filters; --json and --tsv are for programs"
#define NO_TUI "pt has no such interface, only text"
#define IN_ANNOTATE "pt annotate prints code"
#define BPF "pt has no BPF programs"
#define ONLY_SHARES "profiles are compared by the shares of functions"
#define NO_VARIABLES "pt reads no variables; give a register, as in 'malloc size=%di'"

/* By the command; an option has the name that perf prefers. */
static const struct { const char *command, *name, *why; } missing[] = {
	{ "script", "--demangle-kernel", "names of the kernel are printed as they are" },
	{ "script", "--dlarg", NO_FILTERS },
	{ "script", "--dlfilter", NO_FILTERS },
	{ "script", "--list-dlfilters", NO_FILTERS },
	{ "script", "--dump-unsorted-raw-trace", "-D prints raw records" },
	{ "script", "--gen-script", NO_SCRIPTS },
	{ "script", "-g", NO_SCRIPTS },
	{ "script", "--script", NO_SCRIPTS },
	{ "script", "-s", NO_SCRIPTS },
	{ "script", "--list", NO_SCRIPTS },
	{ "script", "-l", NO_SCRIPTS },
	{ "script", "--inline", "pt prints no inlined functions" },
	{ "script", "--stitch-lbr", "pt does not join call stacks of LBR" },
	{ "report", "--asm-raw", IN_ANNOTATE },
	{ "report", "--disassembler-style", IN_ANNOTATE },
	{ "report", "-M", IN_ANNOTATE },
	{ "report", "--prefix", IN_ANNOTATE },
	{ "report", "--prefix-strip", IN_ANNOTATE },
	{ "report", "--source", IN_ANNOTATE },
	{ "report", "--dump-raw-trace", "pt -D prints it" },
	{ "report", "-D", "pt -D prints it" },
	{ "report", "--gtk", NO_TUI },
	{ "record", "--clang-opt", BPF },
	{ "record", "--clang-path", BPF },
	{ "record", "--off-cpu", BPF "; pt record --switch-events shows who waits" },
	{ "record", "--bpf-event", "pt records BPF programs by default; --no-bpf-event does not" },
	{ "record", "--debuginfod", "pt downloads nothing" },
	{ "record", "--vmlinux", "pt takes the addresses of kernel functions from kallsyms" },
	{ "record", "--switch-output-event", "--switch-output takes a signal, a size or a time" },
	{ "buildid-list", "--kernel-maps", "/proc/kallsyms and /proc/modules have the addresses" },
	{ "buildid-list", "-m", "/proc/kallsyms and /proc/modules have the addresses" },
	{ "stat", "--bpf-attr-map", BPF },
	{ "stat", "--bpf-counters", BPF },
	{ "stat", "--bpf-prog", BPF },
	{ "stat", "-b", BPF },
	{ "stat", "--group", "write the events as a group: -e '{cycles,instructions}'" },
	{ "stat", "-g", "write the events as a group: -e '{cycles,instructions}'" },
	{ "stat", "--iostat", "pt list shows the uncore counters, if the processor has them" },
	{ "stat", "--percore-show-thread", "pt has no event modifier 'percore'; see --per-core" },
	{ "stat", "--smi-cost", "it changes the processor's setup; -e msr/smi/ counts SMIs" },
	{ "stat", "--td-level", "--topdown prints the first level" },
	{ "stat", "--transaction", "-e tx-start,tx-commit,tx-abort counts transactions" },
	{ "stat", "-T", "-e tx-start,tx-commit,tx-abort counts transactions" },
	{ "diff", "--cycles-hist", ONLY_SHARES },
	{ "diff", "--stream", ONLY_SHARES },
	{ "diff", "-d", "--dsos selects files" },
	{ "diff", "--percentage", "shares are of the selected samples" },
	{ "diff", "--dump-raw-trace", "pt -D prints it" },
	{ "diff", "-D", "pt -D prints it" },
	{ "probe", "--bootconfig", "write the line that --dry-run prints" },
	{ "probe", "--cache", "pt writes nothing but the probes" },
	{ "probe", "--definition", "--dry-run prints the definition of a PROBE" },
	{ "probe", "-D", "--dry-run prints the definition of a PROBE" },
	{ "probe", "--demangle-kernel", "names of the kernel are as in /proc/kallsyms" },
	{ "probe", "--externs", NO_VARIABLES },
	{ "probe", "--range", NO_VARIABLES },
	{ "probe", "--vars", NO_VARIABLES },
	{ "probe", "-V", NO_VARIABLES },
	{ "probe", "--filter", "--list prints all probes" },
	{ "probe", "--funcs", "nm FILE and /proc/kallsyms list functions" },
	{ "probe", "-F", "nm FILE and /proc/kallsyms list functions" },
	{ "probe", "--line", "FUNCTION:LINE is a place, if the file has lines" },
	{ "probe", "-L", "FUNCTION:LINE is a place, if the file has lines" },
	{ "probe", "--max-probes", "a PROBE is one place" },
	{ "probe", "--module", "names of modules are found without it: in /proc/kallsyms" },
	{ "probe", "-m", "names of modules are found without it: in /proc/kallsyms" },
	{ "probe", "--source", "pt reads no source for probes" },
	{ "probe", "-s", "pt reads no source for probes" },
	{ "probe", "--symfs", "probes are for files of this machine" },
	{ "probe", "--target-ns", "give -x the path in this namespace: /proc/PID/root/FILE" },
	{ "probe", "--vmlinux", "addresses are those of the running kernel: /proc/kallsyms" },
	{ "probe", "-k", "addresses are those of the running kernel: /proc/kallsyms" },
	{ "sched", "--dump-raw-trace", "pt -D prints it" },
	{ "sched", "-D", "pt -D prints it" },
	{ "list", "--cputype", "events of each type of CPU have its name: cpu_core/.../" },
	{ "list", "--debug", "the last column says what is wrong with an event" },
	{ "inject", "--known-build-ids", "pt reads the build-ids of the files" },
	{ "inject", "--sched-stat", "pt sched timehist shows how long threads slept" },
	{ "inject", "-s", "pt sched timehist shows how long threads slept" },
	{ "inject", "--guest-data", "pt script --guestmount and --guest-code read guests" },
	{ "inject", "--vm-time-correlation", "pt takes the times of a guest as they are" },
	{ "annotate", "--demangle-kernel", "names of the kernel are printed as they are" },
	{ "annotate", "--disassembler-style", "pt prints AT&T's syntax" },
	{ "annotate", "-M", "pt prints AT&T's syntax" },
	{ "annotate", "--dump-raw-trace", "pt -D prints it" },
	{ "annotate", "-D", "pt -D prints it" },
	{ "annotate", "--group", "each event of a group is printed for itself" },
	{ "annotate", "--gtk", NO_TUI },
	{ "annotate", "--tui", NO_TUI },
	{ "annotate", "--objdump", "pt disassembles without another program" },
	{ "annotate", "--prefix", "pt prints paths as debug information has them" },
	{ "annotate", "--prefix-strip", "pt prints paths as debug information has them" },
};

void unsupported_add(struct opt *o, const char *command)
{
	size_t i;

	for (i = 0; i < N_ELEM(without_effect); i++)
		if (!strcmp(without_effect[i].command, command))
			o->ignored = without_effect[i].names;
}

const char *unsupported_why(const char *command, const char *error)
{
	static const char unknown[] = "unknown option ";
	static char text[200];
	const char *name = error + strlen(unknown);
	size_t len, i;

	if (strncmp(error, unknown, strlen(unknown)))
		return NULL;
	len = strcspn(name, ":");
	for (i = 0; i < N_ELEM(missing); i++)
		if (!strcmp(missing[i].command, command) && strlen(missing[i].name) == len &&
		    !strncmp(missing[i].name, name, len)) {
			fmt_str(text, sizeof(text), "%s: %s", missing[i].name, missing[i].why);
			return text;
		}
	return NULL;
}

/* Commands of perf. */
static const struct { const char *name, *why; } commands[] = {
	{ "kvm", "pt record, script and report have its options: --guest, --host, --guestmount" },
	{ "buildid-cache", "pt keeps no cache: pt archive puts the code into a file" },
	{ "config", "--config FILE or PERF_CONFIG names a file to read" },
	{ "test", "pt needs no such test; pt info says what this machine can do" },
	{ "top", "pt report, pt stat -I 1000 and pt trace print lines" },
	{ "lock", "pt record -e 'lock:*', then pt script" },
	{ "kmem", "pt record -e 'kmem:*', then pt script" },
	{ "kwork", "pt record -e 'irq:*,workqueue:*', then pt script" },
	{ "timechart", "pt record -e 'sched:*,power:*', then pt script" },
	{ "mem", "pt record -d -W, then pt script -F data_src" },
	{ "c2c", "pt record -d -W, then pt script -F data_src" },
	{ "bench", "it measures the kernel, and reads no recordings" },
	{ "ftrace", "pt record -e TRACEPOINT, then pt script" },
	{ "data", "pt export writes other formats" },
	{ "daemon", "pt record --switch-output records for a long time" },
	{ "iostat", "pt list shows the uncore counters, if the processor has them" },
	{ "kallsyms", "grep NAME /proc/kallsyms" },
};

const char *unsupported_command(const char *name)
{
	size_t i;

	for (i = 0; i < N_ELEM(commands); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].why;
	return NULL;
}
