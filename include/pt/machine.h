/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a tracer can do on this machine.
 */
#ifndef PT_MACHINE_H
#define PT_MACHINE_H

#include <pt/event_pmu.h>
#include <pt/host.h>

enum machine_lockdown { LOCKDOWN_NONE, LOCKDOWN_INTEGRITY, LOCKDOWN_CONFIDENTIALITY };

struct machine {
	const char *no_sys, *no_proc;	/* a text if they are not mounted, or NULL */
	int tracefs;		/* 0, -EACCES, or -ENOENT if it is not mounted */
	bool has_pmu;		/* the kernel has intel_pt */
	int opens;		/* 0, or the -errno of opening it for this user space */
	bool root;		/* has root's rights for perf events */
	bool filtered;		/* a seccomp filter forbids them: see counter_filtered() */
	bool has_perf;		/* the kernel has perf events */
	int paranoid;
	char cpuid[HOST_NAME], name[HOST_NAME], hypervisor[HOST_NAME];	/* "" on bare metal */
	bool cpu_has_pt;	/* from CPUID */
	int kvm_pt_mode;	/* 0: traces of the host include guests; 1: not; -1: no KVM */
	u32 n_cpus;
	u64 mlock_kb, memlock_kb;	/* for each CPU; for the user, ~0: no limit */
	bool kcore, kallsyms;	/* readable, with real addresses */
	int kptr_restrict;
	enum machine_lockdown lockdown;
	bool ptrace;		/* a child can be traced */
	int yama;		/* ptrace_scope, or 0 */
};

/* Fill '*m'. 'env' names the folder of sysfs, 'proc' that of /proc. If they are other folders, for
 * tests, they count as mounted if they exist. */
void machine_look(struct machine *m, struct event_env *env, const char *proc);

#endif
