/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of perf that pt accepts without effect, because what they ask for is so anyway; and
 * those that it does not have, each with the reason, or with what has the same use. pt report has
 * a list of its own.
 */
#include <pt/out.h>
#include "unsupported.h"

#define OF_RECORD "affinity,aio,mmap-flush,threads,num-thread-synthesize,proc-map-timeout," \
		  "timestamp-boundary,"
#define OF_SCRIPT "force,verbose,all-cpus,Latency,no-inline,"

/* The last page of each help text has them. */
static const struct { const char *command, *names; } without_effect[] = {
	{ "script", OF_SCRIPT }, { "-D", OF_SCRIPT }, { "record", OF_RECORD },
	{ "trace", OF_RECORD },
	{ "evlist", "force," }, { "buildid-list", "force,verbose," },
	{ "inject", "force,verbose,ignore-vmlinux," },
	{ "annotate", "force,stdio,modules,print-line,show-nr-samples,ignore-vmlinux,verbose,"
		    "full-paths,skip-missing," },
};

#define NO_SCRIPTS "pt runs no scripts; --json and --tsv are for programs"
#define NO_FILTERS "pt loads no filters; --json and --tsv are for programs"
#define NO_TUI "pt has no such interface, only text"
#define IN_ANNOTATE "pt annotate prints code"
#define BPF "pt has no BPF programs"

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
	{ "record", "--group", "write the events as a group: -e '{cycles,instructions}'" },
	{ "record", "--clang-opt", BPF },
	{ "record", "--clang-path", BPF },
	{ "record", "--off-cpu", BPF "; pt record --switch-events shows who waits" },
	{ "record", "--bpf-event", "pt records BPF programs by default; --no-bpf-event does not" },
	{ "record", "--debuginfod", "pt downloads nothing" },
	{ "record", "--vmlinux", "pt takes the addresses of kernel functions from kallsyms" },
	{ "record", "--switch-output-event", "--switch-output takes a signal, a size or a time" },
	{ "buildid-list", "--kernel-maps", "/proc/kallsyms and /proc/modules have the addresses" },
	{ "buildid-list", "-m", "/proc/kallsyms and /proc/modules have the addresses" },
	{ "inject", "--known-build-ids", "pt reads the build-ids of the files" },
	{ "inject", "--sched-stat", "pt sched timehist shows how long threads slept" },
	{ "inject", "-s", "pt sched timehist shows how long threads slept" },
	{ "inject", "--guest-data", "pt script --guestmount and --guest-code read guests" },
	{ "inject", "--vm-time-correlation", "pt takes the times of a guest as they are" },
	{ "annotate", "--asm-raw", "pt script --insn-trace prints bytes" },
	{ "annotate", "--demangle-kernel", "names of the kernel are printed as they are" },
	{ "annotate", "--disassembler-style", "pt prints AT&T's syntax" },
	{ "annotate", "-M", "pt prints AT&T's syntax" },
	{ "annotate", "--dump-raw-trace", "pt -D prints it" },
	{ "annotate", "-D", "pt -D prints it" },
	{ "annotate", "-d", "--dsos selects files" },
	{ "annotate", "--group", "each event of a group is printed for itself" },
	{ "annotate", "--gtk", NO_TUI },
	{ "annotate", "--tui", NO_TUI },
	{ "annotate", "--objdump", "pt disassembles without another program" },
	{ "annotate", "--percent-type", "numbers are counts" },
	{ "annotate", "--prefix", "pt prints paths as debug information has them" },
	{ "annotate", "--prefix-strip", "pt prints paths as debug information has them" },
	{ "annotate", "--show-total-period", "pt report prints periods" },
	{ "annotate", "--stdio-color", "NO_COLOR=1 switches colours off" },
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
