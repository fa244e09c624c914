/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data's features that describe the machine and the events.
 *
 * Each is determined without another program, and left out if the system does not provide it: on a
 * kernel without /sys the file is still written.
 */
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <pt/config.h>
#include <pt/cpus.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/perf_write.h>
#include <pt/textfile.h>

#define CPUS "/sys/devices/system/cpu"
#define PMUS "/sys/bus/event_source/devices"

static void write_text(struct perf_writer *w, enum perf_feature bit, const char *s)
{
	if (!*s)
		return;
	perf_write_feature_start(w, bit);
	perf_write_string(w, s);
	perf_write_feature_end(w);
}

static void write_nrcpus(struct perf_writer *w)
{
	struct cpus present, online;

	cpus_online(&online, "/sys", w->arena);
	if (cpus_read(&present, CPUS "/present", w->arena))
		present = online;
	perf_write_feature_start(w, PERF_FEAT_NRCPUS);
	perf_write_u32(w, present.n);
	perf_write_u32(w, online.n);
	perf_write_feature_end(w);
}

static void write_memory(struct perf_writer *w)
{
	struct sysinfo s;

	if (sysinfo(&s))
		return;
	perf_write_feature_start(w, PERF_FEAT_TOTAL_MEM);
	perf_write_u64(w, (u64)s.totalram * s.mem_unit / 1024);
	perf_write_feature_end(w);
}

void perf_write_cmdline(struct perf_writer *w, char **cmdline)
{
	u32 n = 0;

	while (cmdline && cmdline[n])
		n++;
	if (!n)
		return;
	perf_write_feature_start(w, PERF_FEAT_CMDLINE);
	perf_write_u32(w, n);
	while (*cmdline)
		perf_write_string(w, *cmdline++);
	perf_write_feature_end(w);
}

void perf_write_event_desc(struct perf_writer *w)
{
	enum { ATTR = 128 };
	u32 i;

	perf_write_feature_start(w, PERF_FEAT_EVENT_DESC);
	perf_write_u32(w, w->n_events);
	perf_write_u32(w, ATTR);
	for (i = 0; i < w->n_events; i++) {
		const struct perf_event *e = &w->events[i];
		struct perf_attr attr = e->attr;

		attr.size = ATTR;
		perf_write_bytes(w, &attr, ATTR);
		perf_write_u32(w, e->n_ids);
		perf_write_string(w, e->name);
		perf_write_bytes(w, e->ids, 8 * (size_t)e->n_ids);
	}
	perf_write_feature_end(w);
}

/* The different lists of CPUs in 'file' of the CPUs' topology. */
static void write_siblings(struct perf_writer *w, const struct cpus *cpus, const char *file)
{
	const char **lists = NEW(w->arena, const char *, cpus->n);
	char line[512];
	u32 i, j, n = 0;

	for (i = 0; i < cpus->n; i++) {
		if (textfile_readf(line, sizeof(line), CPUS "/cpu%d/topology/%s", cpus->cpu[i],
				   file) <= 0)
			continue;
		for (j = 0; j < n && strcmp(lists[j], line); j++)
			;
		if (j == n)
			lists[n++] = arena_str(w->arena, line);
	}
	perf_write_u32(w, n);
	for (i = 0; i < n; i++)
		perf_write_string(w, lists[i]);
}

static i64 topology_number(i32 cpu, const char *file)
{
	char line[32];
	u64 v;

	return textfile_readf(line, sizeof(line), CPUS "/cpu%d/topology/%s", cpu, file) > 0 &&
		num_parse(line, &v) ? (i64)v : -1;
}

/* Which CPUs share a core, a socket and a die, and the numbers of those for each CPU. */
static void write_topology(struct perf_writer *w)
{
	struct cpus cpus;
	u32 i;

	if (cpus_read(&cpus, CPUS "/present", w->arena) || access(CPUS "/cpu0/topology", R_OK))
		return;
	perf_write_feature_start(w, PERF_FEAT_CPU_TOPOLOGY);
	write_siblings(w, &cpus, "core_siblings_list");
	write_siblings(w, &cpus, "thread_siblings_list");
	for (i = 0; i < cpus.n; i++) {
		perf_write_u32(w, topology_number(cpus.cpu[i], "core_id"));
		perf_write_u32(w, topology_number(cpus.cpu[i], "physical_package_id"));
	}
	write_siblings(w, &cpus, "die_cpus_list");
	for (i = 0; i < cpus.n; i++)
		perf_write_u32(w, topology_number(cpus.cpu[i], "die_id"));
	perf_write_feature_end(w);
}

static void write_groups(struct perf_writer *w)
{
	u32 n = 0, i;

	for (i = 0; i < w->n_events; i++)
		n += w->events[i].members != 0;
	if (!n)
		return;
	perf_write_feature_start(w, PERF_FEAT_GROUP_DESC);
	perf_write_u32(w, n);
	for (i = 0; i < w->n_events; i++) {
		if (!w->events[i].members)
			continue;
		perf_write_string(w, "{anon_group}");
		perf_write_u32(w, i);
		perf_write_u32(w, w->events[i].members + 1);
	}
	perf_write_feature_end(w);
}

/* The next PMU of the folder: its name and number. */
static const char *next_pmu(struct textfile_dir *dir, u64 *type)
{
	const char *name;
	char line[32];

	while ((name = textfile_dir_next(dir)))
		if (textfile_readf(line, sizeof(line), PMUS "/%s/type", name) > 0 &&
		    num_parse(line, type))
			return name;
	return NULL;
}

/* If the folder changes between the two walks, some names are not used. */
static void write_pmus(struct perf_writer *w)
{
	struct textfile_dir dir;
	const char *name;
	u64 type = 0;
	u32 n = 0;

	if (textfile_dir_open(&dir, PMUS))
		return;
	while (next_pmu(&dir, &type))
		n++;
	textfile_dir_open(&dir, PMUS);
	perf_write_feature_start(w, PERF_FEAT_PMU_MAPPINGS);
	perf_write_u32(w, n);
	while (n--) {
		name = next_pmu(&dir, &type);
		perf_write_u32(w, name ? type : 0);
		perf_write_string(w, name ? name : "");
	}
	perf_write_feature_end(w);
	textfile_dir_close(&dir);
}

/* The capabilities of the processor's Intel PT, if a driver reports them. */
static void write_caps(struct perf_writer *w)
{
	static const char folder[] = PMUS "/intel_pt/caps";
	char names[64][32], text[64];
	struct textfile_dir dir;
	const char *name;
	u32 n = 0, i;

	if (textfile_dir_open(&dir, folder))
		return;
	while (n < N_ELEM(names) && (name = textfile_dir_next(&dir)))
		fmt_str(names[n++], sizeof(names[0]), "%s", name);
	textfile_dir_close(&dir);
	perf_write_feature_start(w, PERF_FEAT_PMU_CAPS);
	perf_write_u32(w, 1);
	perf_write_u32(w, n);
	for (i = 0; i < n; i++) {
		if (textfile_readf(text, sizeof(text), "%s/%s", folder, names[i]) < 0)
			*text = 0;
		perf_write_string(w, names[i]);
		perf_write_string(w, text);
	}
	perf_write_string(w, "intel_pt");
	perf_write_feature_end(w);
}

void perf_write_machine(struct perf_writer *w, char **cmdline)
{
	struct utsname un;
	char text[HOST_NAME];

	uname(&un);
	write_text(w, PERF_FEAT_HOSTNAME, un.nodename);
	write_text(w, PERF_FEAT_OSRELEASE, un.release);
	write_text(w, PERF_FEAT_VERSION, "pt " CONFIG_VERSION);
	write_text(w, PERF_FEAT_ARCH, un.machine);
	write_nrcpus(w);
	host_cpu_name(text);
	write_text(w, PERF_FEAT_CPUDESC, text);
	host_cpuid(text);
	write_text(w, PERF_FEAT_CPUID, text);
	write_memory(w);
	perf_write_cmdline(w, cmdline);
	perf_write_event_desc(w);
	write_topology(w);
	write_pmus(w);
	write_groups(w);
	write_caps(w);
}
