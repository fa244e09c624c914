/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf_event_open() and its ioctl()s, and the reason of a refusal in words.
 */
#define _GNU_SOURCE	/* prlimit(), which does not involve other threads (2 kB) */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/counter.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

/* perf_event_open() flags */
enum { BY_CGROUP = 4, CLOEXEC = 8 };

/* ioctl() numbers: '$', and the size of a pointer in those that take one. */
#define ENABLE 0x2400ul
#define DISABLE 0x2401ul
#define SET_FILTER 0x40082406ul
#define GET_ID 0x80082407ul

static int open_as(const struct perf_attr *attr, i32 tid, i32 cpu, int group, u32 flags)
{
	long fd = syscall(SYS_perf_event_open, attr, tid, cpu, group, flags);

	return fd < 0 ? -errno : fd;
}

int counter_open(const struct perf_attr *attr, i32 tid, i32 cpu, int group)
{
	return open_as(attr, tid, cpu, group, CLOEXEC);
}

/* Events that happen in the kernel: without the kernel they would always count 0. */
static bool only_in_kernel(const struct event_spec *spec)
{
	u64 config = spec->attr.config;

	return spec->attr.type == EVENT_TRACEPOINT ||
	       (spec->attr.type == EVENT_SOFTWARE &&
		(config == SW_CONTEXT_SWITCHES || config == SW_CPU_MIGRATIONS ||
		 config == SW_CGROUP_SWITCHES || config == SW_BPF_OUTPUT));
}

/* Without the right to count in the kernel, leave it out, and show that in the name, as perf
 * does. */
static int open_without_kernel(struct event_spec *spec, struct arena *arena, i32 tid, i32 cpu,
			       int group, u32 how)
{
	const u64 kernel = 1ull << PERF_F_EXCLUDE_KERNEL;
	struct perf_attr attr = spec->attr;
	char name[256];
	int fd;

	if (only_in_kernel(spec) || spec->attr.flags & (kernel | 1ull << PERF_F_EXCLUDE_USER) ||
	    counter_paranoid() < 2)
		return -EACCES;
	attr.flags |= kernel | 1ull << PERF_F_EXCLUDE_HV;
	fd = open_as(&attr, tid, cpu, group, how);
	if (fd < 0)
		return fd;
	fmt_str(name, sizeof(name), "%s%su", spec->name, strpbrk(spec->name, "/:") ? "" : ":");
	spec->name = arena_str(arena, name);
	spec->attr = attr;
	return fd;
}

int counter_open_fitting(struct event_spec *spec, struct arena *arena, i32 tid, i32 cpu, int group)
{
	const u32 how = CLOEXEC | (spec->cgroup ? BY_CGROUP : 0);
	const u64 machines = 3ull << PERF_F_EXCLUDE_HOST;
	int fd = open_as(&spec->attr, tid, cpu, group, how);

	if (fd == -EINVAL && spec->attr.flags & machines && !spec->guest_given) {
		u64 flags = spec->attr.flags;

		spec->attr.flags &= ~machines;
		fd = open_as(&spec->attr, tid, cpu, group, how);
		if (fd < 0)
			spec->attr.flags = flags;
	}
	if (fd == -EACCES || fd == -EPERM)
		fd = open_without_kernel(spec, arena, tid, cpu, group, how);
	return fd;
}

int counter_cgroup(const char *name)
{
	static const char *const places[] = {
		"/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/unified/", "/sys/fs/cgroup/", "",
	};
	char path[512];
	size_t i;
	int fd = -1;

	for (i = 0; i < N_ELEM(places) - (*name != '/') && fd < 0; i++) {
		fmt_str(path, sizeof(path), "%s%s", places[i], name);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	return fd < 0 ? -ENOENT : fd;
}

static int control(int fd, unsigned long what, unsigned long arg)
{
	return ioctl(fd, what, arg) < 0 ? -errno : 0;
}

int counter_enable(int fd, bool group)
{
	return control(fd, ENABLE, group);
}

int counter_disable(int fd, bool group)
{
	return control(fd, DISABLE, group);
}

int counter_filter(int fd, const char *filter)
{
	return control(fd, SET_FILTER, (unsigned long)filter);
}

int counter_id(int fd, u64 *id)
{
	return control(fd, GET_ID, (unsigned long)id);
}

u64 counter_raise_limit(void)
{
	struct rlimit limit;

	if (prlimit(0, RLIMIT_NOFILE, NULL, &limit))
		return 1024;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		if (prlimit(0, RLIMIT_NOFILE, &limit, NULL))
			prlimit(0, RLIMIT_NOFILE, NULL, &limit);
	}
	return limit.rlim_cur;
}

int counter_paranoid(void)
{
	char text[32];
	bool minus;
	u64 v;

	if (textfile_read("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) <= 0)
		return 2;
	minus = *text == '-';
	if (!num_read(text + minus, 10, &v))
		return 2;
	return minus ? -(int)v : (int)v;
}

/* The highest perf_event_paranoid that would allow the event. If the event makes sense without
 * the kernel, it was tried without it. */
static int paranoid_wanted(const struct event_spec *spec, bool on_cpus)
{
	if (spec->attr.type == EVENT_TRACEPOINT)
		return -1;
	if (on_cpus)
		return 0;
	return only_in_kernel(spec) || perf_attr_flag(&spec->attr, PERF_F_EXCLUDE_USER) ? 1 : 2;
}

/* The kernel itself refuses an event of the caller's own user space with EACCES, never EPERM. */
bool counter_filtered(void)
{
	enum { DUMMY = 9 };
	const struct perf_attr attr = {
		.type = EVENT_SOFTWARE, .size = 64, .config = DUMMY,
		.flags = 1ull << PERF_F_DISABLED | 1ull << PERF_F_EXCLUDE_KERNEL |
			 1ull << PERF_F_EXCLUDE_HV,
	};
	int fd = counter_open(&attr, 0, -1, -1);

	if (fd >= 0)
		close(fd);
	return fd == -EPERM;
}

static void why_forbidden(char *to, size_t size, int is, int wanted)
{
	if (counter_filtered())
		fmt_str(to, size, "not permitted: a seccomp filter or security module "
			"forbids it; container: --cap-add PERFMON or "
			"--security-opt seccomp=unconfined");
	else if (is <= wanted)
		fmt_str(to, size, "not permitted: it belongs to another user; run pt as root");
	else
		fmt_str(to, size,
			"not permitted: perf_event_paranoid is %d; run pt as root, or set it to %d",
			is, wanted);
}

static bool on_cpu_pmu(const struct event_spec *spec)
{
	return spec->attr.type == EVENT_HARDWARE || spec->attr.type == EVENT_CACHE ||
	       spec->attr.type == EVENT_RAW;
}

static bool has_cpu_pmu(struct event_env *env)
{
	u64 type;

	return event_pmu_next_type(env, 0) || !event_pmu_value(env, "cpu", "type", 10, &type);
}

/* The meaning, for this event, of a refusal as not supported or malformed. */
static const char *why_not_supported(const struct event_spec *spec, int err, bool on_cpus,
				     struct event_env *env)
{
	if (spec->attr.branch_sample_type)
		return "its samples cannot have branches here; leave out -b, -j, --call-graph lbr";
	if (on_cpu_pmu(spec) && !has_cpu_pmu(env))
		return "the kernel has no CPU counters here (a VM without a virtual PMU?)";
	if (err == -ENODEV && spec->cpus && on_cpus)
		return "it counts on other CPUs than these: see cpumask or cpus of its PMU";
	if (spec->uncore && !on_cpus)
		return "it counts per package, not per task; use -a or -C";
	if (spec->uncore && spec->attr.flags & 0xfull << PERF_F_EXCLUDE_USER)
		return "its PMU cannot separate user and kernel; leave the modifier out";
	if (err == -EINVAL && spec->grouped)
		return "its group needs more counters than are free";
	if (err == -EINVAL && !on_cpus && spec->pmu)
		return "its PMU refuses it for tasks: try -a";
	return on_cpu_pmu(spec) ? "this CPU has no such event" : "the kernel refuses it";
}

void counter_why(char *to, size_t size, const struct event_spec *spec, int err, bool on_cpus,
		 struct event_env *env)
{
	struct rlimit limit = { 0 };

	switch (err) {
	case -EACCES:
	case -EPERM:
		why_forbidden(to, size, counter_paranoid(), paranoid_wanted(spec, on_cpus));
		break;
	case -EMFILE:
		prlimit(0, RLIMIT_NOFILE, NULL, &limit);
		fmt_str(to, size,
			"%llu files are open, the limit of this process (ulimit -Hn)",
			(u64)limit.rlim_cur);
		break;
	case -ENFILE:
		fmt_str(to, size, "too many files are open on this machine (fs.file-max)");
		break;
	case -EBUSY:
		fmt_str(to, size, "another process uses this PMU exclusively");
		break;
	case -ENOSYS:
		fmt_str(to, size, "this kernel was built without perf events");
		break;
	case -ESRCH:
		fmt_str(to, size, "the thread has ended");
		break;
	case -ENOENT:
	case -EOPNOTSUPP:
	case -EINVAL:
	case -ENODEV:
	case -ENXIO:
		fmt_str(to, size, "%s", why_not_supported(spec, err, on_cpus, env));
		break;
	default:
		fmt_str(to, size, "%s", strerror(-err));
	}
}
