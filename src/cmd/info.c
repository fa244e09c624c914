/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt info: does Intel PT work on this machine, and if not, why; and the contents of a file.
 */
#include <errno.h>

#include <pt/command.h>
#include <pt/config/PERF_DATA.h>
#include <pt/config/RECORD_SOFT.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/config/SANDBOX.h>
#include <pt/counter.h>
#include <pt/fail.h>
#include <pt/machine.h>
#include <pt/num.h>
#include <pt/print_caps.h>
#include <pt/sandbox.h>
#include <pt/text.h>

#include "info.h"

PACKED(help) =
	"usage: pt info [--sysfs DIR]\n"
	HELP_IF(CONFIG_PERF_DATA, "       pt info [--symfs DIR] [--header] FILE\n")
	"\n"
	"Check whether Intel PT works on this machine: one line for each condition. Below\n"
	"each 'no' is what to do about it; '-' is information. The exit status is 0 if\n"
	"Intel PT can be recorded, else 1.\n"
	HELP_IF(CONFIG_PERF_DATA,
	"\n"
	"With FILE: its contents, what was lost, and which files are missing here.\n")
	"\n"
	"      --sysfs DIR        use DIR instead of /sys\n"
	HELP_IF(CONFIG_PERF_DATA,
	"  -i, --input FILE       the same as FILE\n"
	"      --symfs DIR        the folder that contains the recorded files\n"
	"      --header           first the file's header, as pt script prints it\n")
	"\n"
	"  pt info                                can this machine trace?\n"
	"  pt info || pt record --soft ls         record in software, if not\n"
	HELP_IF(CONFIG_PERF_DATA,
	"  pt info perf.data                      what is in this file?\n");

/* Print a line: "Intel PT         yes  text". */
static void put(struct out *o, const char *what, const char *answer, const char *fmt, ...)
	PRINTF(4, 5);

static void put(struct out *o, const char *what, const char *answer, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	fmt_vstr(text, sizeof(text), fmt, ap);
	va_end(ap);
	out_fmt(o, "%-15s %-4s ", what, answer);
	out_name(o, text);
	out_newline(o);
}

/* Print what to do about a "no". */
static void put_advice(struct out *o, const char *text)
{
	out_fmt(o, "%20s -> %s\n", "", text);
}

/* Print that 'what' is not known because of 'missing', a text of the form "/proc is not mounted;
 * COMMAND". */
static void put_missing(struct out *o, const char *what, const char *answer, const char *missing)
{
	const char *command = text_after(missing, "; ");
	int len = command ? command - 2 - missing : (int)strlen(missing);

	put(o, what, answer, "not known: %.*s", len, missing);
	if (command)
		put_advice(o, command);
}

static const char *yes(bool is)
{
	return is ? "yes" : "no";
}

/* How to record without the PMU. */
static const char *soft_advice(void)
{
	return CONFIG_RECORD_SOFT ?
		"pt record traces in software: user space only, slower" :
		"a pt built with RECORD_SOFT traces in software";
}

static bool is_intel(const struct machine *m)
{
	return !strncmp(m->cpuid, "GenuineIntel", 12);
}

/* The name of the processor's vendor. */
static const char *vendor_of(const struct machine *m)
{
	return !strncmp(m->cpuid, "AuthenticAMD", 12) ? "AMD" :
		!strncmp(m->cpuid, "HygonGenuine", 12) ? "Hygon" : "this processor";
}

static const char filtered[] = "perf_event_open() is forbidden, probably by seccomp";
static const char filter_advice[] =
	"in a container: run it with --cap-add PERFMON";

/* The kernel has no PMU: say why, and what to do. */
static void put_no_pmu(struct out *o, const struct machine *m)
{
	if (!is_intel(m) && *m->cpuid) {
		put(o, "Intel PT", "no", "%s has no Intel PT: only Intel processors have it",
		    vendor_of(m));
		return;
	}
	if (m->no_sys) {
		put_missing(o, "Intel PT", "no", m->no_sys);
		return;
	}
	put(o, "Intel PT", "no", "the kernel has no PMU intel_pt");
	if (m->cpu_has_pt)
		put_advice(o, "enable Intel PT in the firmware; use a kernel with CPU_SUP_INTEL");
	else if (*m->hypervisor)
		put_advice(o, "record on the host: its trace includes the guests");
}

/* The kernel has the PMU, but it cannot be opened. */
static void put_refused(struct out *o, const struct machine *m)
{
	bool right = m->opens == -EACCES || m->opens == -EPERM;

	if (m->opens == -EBUSY)
		put(o, "Intel PT", "no", "in use by another tracer, or by KVM for a guest");
	else if (right && m->filtered)
		put(o, "Intel PT", "no", "%s", filtered);
	else if (right)
		put(o, "Intel PT", "no", "not permitted: perf_event_paranoid is %d", m->paranoid);
	else
		put(o, "Intel PT", "no", "the kernel refuses it: %s", strerror(-m->opens));
	if (m->opens == -EBUSY)
		put_advice(o, "stop that tracer; for KVM, load kvm_intel with pt_mode=0");
	else if (right)
		put_advice(o, m->filtered ? filter_advice :
			   "run pt as root, or: sysctl kernel.perf_event_paranoid=2");
}

static void put_pmu(struct out *o, const struct machine *m)
{
	if (!m->opens) {
		put(o, "Intel PT", "yes", "the kernel's intel_pt PMU opens");
		return;
	}
	if (m->has_pmu)
		put_refused(o, m);
	else
		put_no_pmu(o, m);
	put_advice(o, soft_advice());
}

/* Errata by model, for families 6, 12h and 13h. */
static const struct { const char *models, *errata; } errata[] = {
	{ "\x3d\x47\x4f\x56", "BDM64 BDM70" },
	{ "\x4e\x5e\x8e\x9e\xa5\xa6", "BDM70 SKD007 SKD010 SKD022 SKL014 SKL168" },
	{ "\x55\x6a\x6c", "BDM70 SKD022 SKL014 SKZ84" },
	{ "\x8f\xcf\xad\xae", "BDM70 SKD022 SKZ84" },
	{ "\x66\x7d\x7e\x8c\x8d\xa7\xa8", "BDM70 SKD022 SKL014" },
	{ "\x97\x9a\xba\xb7\xbf\xc5\xc6\xb5\xaa\xac\xbd\xcc\xd5", "APL11 BDM70 SKD022" },
	{ "\x5c\x5f", "APL11 APL12" },
	{ "\x7a\x86\x96\x9c\xb6\xaf\xdd", "APL11" },
};

static const char *errata_of(const char *cpuid)
{
	const char *comma = strchr(cpuid, ',');
	u64 family, model;
	size_t i;

	if (strncmp(cpuid, "GenuineIntel,", 13) || !comma)
		return "";
	comma = num_read(comma + 1, 10, &family);
	if (!comma || family != 6 || !num_read(comma + 1, 10, &model) || !model)
		return "";
	for (i = 0; i < N_ELEM(errata); i++)
		if (model < 256 && strchr(errata[i].models, (char)model))
			return errata[i].errata;
	return "";
}

static void put_processor(struct out *o, const struct machine *m)
{
	const char *known = errata_of(m->cpuid);

	put(o, "processor", yes(m->cpu_has_pt), "%s (%s)", *m->name ? m->name : "unknown",
	    m->cpuid);
	if (m->cpu_has_pt && *known)
		out_fmt(o, "%20s errata: %s\n", "", known);
	if (!m->cpu_has_pt && is_intel(m) && !*m->hypervisor)
		put_advice(o, "Intel processors have PT from Broadwell on (2014)");
}

static void put_guest(struct out *o, const struct machine *m)
{
	if (!*m->hypervisor)
		put(o, "machine", "-", "not a virtual machine");
	else
		put(o, "machine", "-", is_intel(m) ?
		    "a virtual machine (%s): few hosts give PT to guests" :
		    "a virtual machine (%s)", m->hypervisor);
}

static void put_kvm(struct out *o, const struct machine *m)
{
	if (m->kvm_pt_mode <= 0) {
		put(o, "KVM", "-", m->kvm_pt_mode ?
		    "no kvm_intel module: no guests to trace" :
		    "pt_mode=0: a trace of the host includes guests");
		return;
	}
	put(o, "KVM", "no", "pt_mode=1: the host's trace stops while a guest runs");
	put_advice(o, "load kvm_intel with pt_mode=0, the default (1 is broken)");
}

static void put_rights(struct out *o, const struct machine *m)
{
	int p = m->paranoid;
	const char *may = m->root ? "everything, as root" : p < 0 ? "everything" :
		p == 0 ? "own processes and whole CPUs" : p == 1 ? "own processes, the kernel too" :
		p == 2 ? "user space of own processes" : "nothing";

	if (!m->has_perf) {
		put(o, "rights", "no", "the kernel has no perf events");
		put_advice(o, "use a kernel with PERF_EVENTS; a container may hide them");
		return;
	}
	if (m->filtered) {
		put(o, "rights", "no", "%s", filtered);
		put_advice(o, filter_advice);
		return;
	}
	if (m->no_proc && !m->root) {
		put_missing(o, "rights", "no", m->no_proc);
		return;
	}
	if (m->no_proc)
		put(o, "rights", "yes", "may trace %s", may);
	else
		put(o, "rights", yes(m->root || p <= 2), "perf_event_paranoid is %d: may trace %s",
		    p, may);
	if (!m->root && p > 1)
		put_advice(o, "run pt as root, or: sysctl kernel.perf_event_paranoid=1 (all: -1)");
}

/* Can tracepoints such as sched:sched_switch be used? */
static void put_tracepoints(struct out *o, const struct machine *m)
{
	if (!m->tracefs)
		put(o, "tracepoints", "yes", "tracefs can be read");
	else if (m->tracefs == -EACCES)
		put(o, "tracepoints", "no", "only root may read tracefs");
	else
		put(o, "tracepoints", "no", "tracefs is not mounted: no -e sched:sched_switch");
	if (m->tracefs)
		put_advice(o, m->tracefs == -EACCES ? "run pt as root" :
			   "mount -t tracefs tracefs /sys/kernel/tracing");
}

/* Abilities beyond the trace of branches, from caps/ in sysfs. */
static void put_abilities(struct out *o, const struct machine *m, struct event_env *env)
{
	static const struct { const char *cap, *name; } abilities[] = {
		{ "psb_cyc", "cycles" }, { "mtc", "fine time" },
		{ "ip_filtering", "address filters" }, { "ptwrite", "ptwrite" },
		{ "power_event_trace", "power" }, { "event_trace", "events" },
		{ "tnt_disable", "notnt" },
	};
	char has[160] = "", lacks[160] = "", path[64];
	size_t i;
	u64 v;

	if (!m->has_pmu) {
		put(o, "abilities", "-", "unknown without the PMU");
		return;
	}
	for (i = 0; i < N_ELEM(abilities); i++) {
		char *to;

		fmt_str(path, sizeof(path), "caps/%s", abilities[i].cap);
		to = !event_pmu_value(env, "intel_pt", path, 16, &v) && v ? has : lacks;
		fmt_str(to + strlen(to), sizeof(has) - strlen(to), "%s%s", *to ? ", " : "",
			abilities[i].name);
	}
	put(o, "abilities", yes(*has), "%s%s%s", *has ? has : "nothing but branches",
	    *lacks ? "; not " : "", lacks);
}

static void put_buffers(struct out *o, const struct machine *m)
{
	if (m->root || m->paranoid < 0 || m->memlock_kb == ~0ull)
		put(o, "trace buffers", "yes", "of any size");
	else
		put(o, "trace buffers", "yes", "%llu KiB a CPU (perf_event_mlock_kb) + %llu KiB "
		    "(ulimit -l)", m->mlock_kb, m->memlock_kb);
}

static void put_kernel(struct out *o, const struct machine *m)
{
	if (m->no_proc) {
		put_missing(o, "kernel code", "no", m->no_proc);
		put_missing(o, "kernel names", "no", m->no_proc);
		return;
	}
	put(o, "kernel code", yes(m->kcore), m->kcore ? "/proc/kcore can be read" :
	    "/proc/kcore cannot be read: no trace of the kernel");
	if (!m->kcore)
		put_advice(o, m->root ? "use a kernel with PROC_KCORE, not locked down" :
			   "run pt as root");
	put(o, "kernel names", yes(m->kallsyms), m->kallsyms ? "/proc/kallsyms has addresses" :
	    "/proc/kallsyms hides its addresses");
	if (!m->kallsyms)
		put_advice(o, m->kptr_restrict ?
			   "run pt as root, with: sysctl kernel.kptr_restrict=1" :
			   "run pt as root");
}

static void put_lockdown(struct out *o, const struct machine *m)
{
	static const char *const levels[] = {
		"the kernel is not locked down",
		"lockdown=integrity: tracing works",
		"lockdown=confidentiality: no trace of the kernel",
	};

	if (m->no_sys) {
		put_missing(o, "kernel open", "-", m->no_sys);
		return;
	}
	put(o, "kernel open", m->lockdown == LOCKDOWN_CONFIDENTIALITY ? "no" : "yes", "%s",
	    levels[m->lockdown]);
	if (m->lockdown == LOCKDOWN_CONFIDENTIALITY)
		put_advice(o, "boot with lockdown=integrity, or trace user space only");
}

static void put_no_soft(struct out *o, const struct machine *m)
{
	if (m->no_proc) {
		put_missing(o, "soft recorder", "no", m->no_proc);
		return;
	}
	put(o, "soft recorder", "no", "ptrace does not work here%s",
	    m->yama >= 3 ? ": yama's ptrace_scope is 3" : "");
	put_advice(o, m->yama >= 3 ? "boot with kernel.yama.ptrace_scope=1" :
		   "in a container: run it with --cap-add SYS_PTRACE");
}

static void put_soft(struct out *o, const struct machine *m)
{
	bool can = m->ptrace && m->yama < 3 && !m->no_proc;

	if (!CONFIG_RECORD_SOFT) {
		put(o, "soft recorder", "no", "not built into this pt");
		put_advice(o, "make menuconfig: RECORD_SOFT");
		return;
	}
	if (!can) {
		put_no_soft(o, m);
		return;
	}
	put(o, "soft recorder", "yes", m->yama && !m->root ?
	    "commands, in user space; running ones (-p) only for root" :
	    "commands and running processes, in user space");
	put_advice(o, CONFIG_SOFT_TRANSLATE ?
		   "2 to 8 times the CPU time of the program" :
		   "25 us for each instruction (SOFT_TRANSLATE is faster)");
}

static int info_machine(struct out *o, const char *sysfs)
{
	struct arena arena = { 0 };
	struct event_env env = { .sysfs = sysfs, .arena = &arena };
	struct machine m;

	machine_look(&m, &env, "/proc");
	put_pmu(o, &m);
	put_processor(o, &m);
	put_guest(o, &m);
	put_kvm(o, &m);
	put_rights(o, &m);
	put_tracepoints(o, &m);
	put_abilities(o, &m, &env);
	put_buffers(o, &m);
	put_kernel(o, &m);
	put_lockdown(o, &m);
	put_soft(o, &m);
	if (CONFIG_SANDBOX) {
		u32 means = sandbox_enter(false);

		put(o, "sandbox", yes(means & SANDBOX_SECCOMP), "%s",
		    sandbox_name(means));
	}
	arena_free(&arena);
	return m.opens ? STATUS_FAILED : STATUS_DONE;
}

static int info(struct opt *o, struct out *out)
{
	const char *name, *path = NULL, *sysfs = NULL, *symfs = NULL;
	bool header = false;

	while ((name = opt_next(o))) {
		if (!strcmp(name, "sysfs"))
			sysfs = o->arg;
		else if (!strcmp(name, "symfs"))
			symfs = o->arg;
		else if (!strcmp(name, "input"))
			path = o->arg;
		else if (!strcmp(name, "header"))
			header = !o->no;
	}
	if (opt_stopped(o))
		return STATUS_FAILED;
	if (!path)
		path = opt_word(o);
	if (!path)
		return info_machine(out, sysfs ? sysfs : "/sys");
	if (opt_word(o))
		return fail(0, "info takes one file");
	if (CONFIG_PERF_DATA)
		return info_file(out, path, symfs, header);
	return fail(0, "%s: this pt cannot read files", path);
}

const struct command cmd_info = {
	"info", "check whether Intel PT works here; describe a file", help, info, true
};
