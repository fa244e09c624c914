/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a tracer can do on this machine: read from /proc and /sys, or else tried out.
 */
#define _GNU_SOURCE	/* prlimit() */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/counter.h>
#include <pt/machine.h>
#include <pt/mounts.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>
#include <pt/textfile.h>

static u64 number_at(const char *root, const char *name, u64 otherwise)
{
	char path[256];
	u64 v;

	fmt_str(path, sizeof(path), "%s/%s", root, name);
	return textfile_value(path, 10, &v) ? otherwise : v;
}

/* Open the PMU for the user space of this process, and close it. 0 or -errno. */
static int try_pmu(struct event_env *env, u64 type)
{
	struct perf_attr attr = {
		.type = type, .size = 128, .period = 1,
		.flags = 1ull << PERF_F_DISABLED | 1ull << PERF_F_EXCLUDE_KERNEL |
			 1ull << PERF_F_EXCLUDE_HV,
	};
	int fd = counter_open(&attr, 0, -1, -1);

	if (fd >= 0)
		close(fd);
	return MIN(fd, 0);
}

/* Read a line like "[none] integrity confidentiality". */
static enum machine_lockdown read_lockdown(const char *sysfs)
{
	char text[128];

	if (textfile_readf(text, sizeof(text), "%s/kernel/security/lockdown", sysfs) <= 0)
		return LOCKDOWN_NONE;
	return text_after(text, "[confidentiality]") ? LOCKDOWN_CONFIDENTIALITY :
		text_after(text, "[integrity]") ? LOCKDOWN_INTEGRITY : LOCKDOWN_NONE;
}

/* Without the right to see addresses, all of them read as 0. The first lines may be per-CPU
 * variables, some of which are really at 0, so this searches the first pages for another
 * address. */
static bool has_kallsyms(const char *proc)
{
	char text[16384], *line;
	u64 addr;

	if (textfile_readf(text, sizeof(text), "%s/kallsyms", proc) <= 0)
		return false;
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (num_read(line, 16, &addr) && addr)
			return true;
	}
	return false;
}

/* Reading the ELF header is enough to test the right. */
static bool has_kcore(const char *proc)
{
	char head[5];

	return textfile_readf(head, sizeof(head), "%s/kcore", proc) == 4 &&
	       !memcmp(head, "\177ELF", 4);
}

static bool try_ptrace(void)
{
	int status = 0;
	pid_t pid = _Fork();

	if (!pid)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Has the process CAP_PERFMON or CAP_SYS_ADMIN? By capget(), since /proc may not be mounted. */
static bool has_rights(void)
{
	enum { SYS_ADMIN = 21, PERFMON = 38 };
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };

	return !syscall(SYS_capget, &head, caps) &&
	       (caps[0].effective >> SYS_ADMIN & 1 || caps[1].effective >> (PERFMON - 32) & 1);
}

/* Is 'root' ("/proc", "/sys") mounted? NULL, or a text that says what is missing. */
static const char *missing(const char *root, const char *usual)
{
	if (!strcmp(root, usual))
		return mounts_missing(root);
	return access(root, F_OK) ? "that folder does not exist" : NULL;
}

static u64 memlock_kb(void)
{
	struct rlimit limit;

	if (prlimit(0, RLIMIT_MEMLOCK, NULL, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return ~0ull;
	return limit.rlim_cur >> 10;
}

static int kvm_pt_mode(const char *sysfs)
{
	u64 mode = number_at(sysfs, "module/kvm_intel/parameters/pt_mode", ~0ull);

	return mode == ~0ull ? -1 : (int)mode;
}

void machine_look(struct machine *m, struct event_env *env, const char *proc)
{
	enum { SOFTWARE = 1 };
	struct cpus online;
	u64 type = 0;

	*m = (struct machine){ .no_sys = missing(env->sysfs, "/sys"),
			       .no_proc = missing(proc, "/proc") };
	m->has_pmu = !event_pmu_value(env, "intel_pt", "type", 10, &type);
	m->opens = m->has_pmu ? try_pmu(env, type) : -ENODEV;
	m->root = has_rights();
	m->filtered = counter_filtered();
	m->has_perf = try_pmu(env, SOFTWARE) != -ENOSYS;
	m->tracefs = event_tracepoint_root(env);
	m->paranoid = counter_paranoid();
	host_cpuid(m->cpuid);
	host_cpu_name(m->name);
	host_hypervisor(m->hypervisor);
	m->cpu_has_pt = host_has_pt();
	m->kvm_pt_mode = kvm_pt_mode(env->sysfs);
	cpus_online(&online, env->sysfs, env->arena);
	m->n_cpus = online.n;
	m->mlock_kb = number_at(proc, "sys/kernel/perf_event_mlock_kb", 516);
	m->memlock_kb = memlock_kb();
	m->kcore = has_kcore(proc);
	m->kallsyms = has_kallsyms(proc);
	m->kptr_restrict = number_at(proc, "sys/kernel/kptr_restrict", 0);
	m->lockdown = read_lockdown(env->sysfs);
	m->yama = number_at(proc, "sys/kernel/yama/ptrace_scope", 0);
	m->ptrace = try_ptrace();
}
