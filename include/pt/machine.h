/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What this machine lets a tracer do.
 */
#ifndef PT_MACHINE_H
#define PT_MACHINE_H

#include <pt/event_pmu.h>
#include <pt/host.h>

enum machine_lockdown { LOCKDOWN_NONE, LOCKDOWN_INTEGRITY, LOCKDOWN_CONFIDENTIALITY };

struct machine {
	const char *no_sys, *no_proc;	/* a sentence where they are not mounted, or NULL */
	int tracefs;		/* 0, -EACCES, or -ENOENT where it is not mounted */
	bool has_pmu;		/* the kernel has intel_pt */
	int opens;		/* 0, or the -errno of opening it for user space here */
	bool root;		/* may do what root may with perf events */
	bool filtered;		/* a seccomp filter refuses all of them: see counter_filtered() */
	bool has_perf;		/* the kernel has perf events */
	int paranoid;
	char cpuid[HOST_NAME], name[HOST_NAME], hypervisor[HOST_NAME];	/* "" on bare metal */
	bool cpu_has_pt;	/* by CPUID, as the kernel sees it too */
	int kvm_pt_mode;	/* 0: the host traces guests too, 1: each for itself; -1: no KVM */
	u32 n_cpus;
	u64 mlock_kb, memlock_kb;	/* of each CPU; of the user, ~0 without limit */
	bool kcore, kallsyms;	/* readable, and not full of zeros */
	int kptr_restrict;
	enum machine_lockdown lockdown;
	bool ptrace;		/* a child can be traced */
	int yama;		/* ptrace_scope, or 0 */
};

/* 'env' says where sysfs is, 'proc' where /proc is: other folders than those count as mounted
 * if they exist. */
void machine_look(struct machine *m, struct event_env *env, const char *proc);

#endif
