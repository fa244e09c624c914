/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data's features that describe the memory of the machine: its nodes, its caches, and which
 * blocks of memory each node has.
 *
 * Source: sysfs, documented in the kernel's Documentation/ABI. Numbers that it does not have are 0.
 */
#include <pt/cpus.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/perf_write.h>
#include <pt/text.h>
#include <pt/textfile.h>

#define CPUS "/sys/devices/system/cpu"
#define NODES "/sys/devices/system/node"
#define MEMORY "/sys/devices/system/memory"

/* The number after 'key' in a node's meminfo, in kB. */
static u64 memory_of(const char *meminfo, const char *key)
{
	const char *at = text_after(meminfo, key);
	u64 kb = 0;

	if (at)
		num_read(at + strspn(at, " "), 10, &kb);
	return kb;
}

static void write_nodes(struct perf_writer *w, const struct cpus *nodes)
{
	char text[4096];
	u32 i;

	perf_write_feature_start(w, PERF_FEAT_NUMA_TOPOLOGY);
	perf_write_u32(w, nodes->n);
	for (i = 0; i < nodes->n; i++) {
		if (textfile_readf(text, sizeof(text), NODES "/node%d/meminfo", nodes->cpu[i]) < 0)
			*text = 0;
		perf_write_u32(w, nodes->cpu[i]);
		perf_write_u64(w, memory_of(text, "MemTotal:"));
		perf_write_u64(w, memory_of(text, "MemFree:"));
		if (textfile_readf(text, sizeof(text), NODES "/node%d/cpulist", nodes->cpu[i]) < 0)
			*text = 0;
		perf_write_string(w, text);
	}
	perf_write_feature_end(w);
}

/* Caches */

struct cache {
	u32 numbers[4];		/* level, size of a line, sets, ways */
	char texts[3][64];	/* type, size, the CPUs that share it */
};

static bool read_cache(struct cache *c, i32 cpu, u32 index)
{
	static const char numbers[] = "level\0coherency_line_size\0number_of_sets\0"
				      "ways_of_associativity\0";
	static const char texts[] = "type\0size\0shared_cpu_list\0";
	char line[32];
	u64 v;
	u32 i;

	*c = (struct cache){ 0 };
	for (i = 0; i < N_ELEM(c->numbers); i++) {
		if (textfile_readf(line, sizeof(line), CPUS "/cpu%d/cache/index%u/%s", cpu, index,
				   text_nth(numbers, i)) > 0 && num_parse(line, &v))
			c->numbers[i] = v;
		else if (!i)
			return false;
	}
	for (i = 0; i < N_ELEM(c->texts); i++)
		textfile_readf(c->texts[i], sizeof(c->texts[i]), CPUS "/cpu%d/cache/index%u/%s",
			       cpu, index, text_nth(texts, i));
	return true;
}

/* The caches of all CPUs, each once, by level. Returns how many. */
static u32 read_caches(struct cache *list, u32 most, const struct cpus *cpus)
{
	enum { INDEXES = 10 };
	struct cache c;
	u32 n = 0, cpu, index, i;

	for (cpu = 0; cpu < cpus->n; cpu++)
		for (index = 0; index < INDEXES && n < most; index++) {
			if (!read_cache(&c, cpus->cpu[cpu], index))
				break;
			for (i = n; i && memcmp(&list[i - 1], &c, sizeof(c)); i--)
				;
			if (i)
				continue;
			for (i = n++; i && list[i - 1].numbers[0] > c.numbers[0]; i--)
				list[i] = list[i - 1];
			list[i] = c;
		}
	return n;
}

static void write_caches(struct perf_writer *w, const struct cpus *cpus)
{
	enum { EACH = 10, VERSION = 1 };
	u32 most = cpus->n * EACH, n, i, j;
	struct cache *list = NEW(w->arena, struct cache, most);

	n = read_caches(list, most, cpus);
	perf_write_feature_start(w, PERF_FEAT_CACHE);
	perf_write_u32(w, VERSION);
	perf_write_u32(w, n);
	for (i = 0; i < n; i++) {
		for (j = 0; j < N_ELEM(list->numbers); j++)
			perf_write_u32(w, list[i].numbers[j]);
		for (j = 0; j < N_ELEM(list->texts); j++)
			perf_write_string(w, list[i].texts[j]);
	}
	perf_write_feature_end(w);
}

/* Blocks of memory */

enum { BLOCKS = 1 << 20 };

/* Set the bits of the blocks of a node. Returns how many bits there are. */
static u64 read_blocks(u64 *bits, i32 node)
{
	struct textfile_dir dir;
	const char *name;
	char path[64];
	u64 block, n = 0;

	fmt_str(path, sizeof(path), NODES "/node%d", node);
	if (textfile_dir_open(&dir, path))
		return 0;
	while ((name = textfile_dir_next(&dir))) {
		if (strncmp(name, "memory", 6) || !num_parse(name + 6, &block) || block >= BLOCKS)
			continue;
		bits[block / 64] |= 1ull << block % 64;
		n = MAX(n, block + 1);
	}
	return n;
}

static void write_blocks(struct perf_writer *w, const struct cpus *nodes)
{
	enum { VERSION = 1 };
	u64 *bits = NEW(w->arena, u64, BLOCKS / 64), size, n;
	u32 i;

	if (textfile_value(MEMORY "/block_size_bytes", 16, &size))
		return;
	perf_write_feature_start(w, PERF_FEAT_MEM_TOPOLOGY);
	perf_write_u64(w, VERSION);
	perf_write_u64(w, size);
	perf_write_u64(w, nodes->n);
	for (i = 0; i < nodes->n; i++) {
		memset(bits, 0, BLOCKS / 8);
		n = read_blocks(bits, nodes->cpu[i]);
		perf_write_u64(w, nodes->cpu[i]);
		perf_write_u64(w, n);
		perf_write_u64(w, n);
		perf_write_bytes(w, bits, round_up(n, 64) / 8);
	}
	perf_write_feature_end(w);
}

/* Lists that may be empty. perf has them in each file, so that its header does not say that they
 * are missing. */
static void write_empty(struct perf_writer *w)
{
	static const u8 lists[] = {
		PERF_FEAT_BPF_PROG_INFO, PERF_FEAT_BPF_BTF, PERF_FEAT_PMU_CAPS,
	};
	size_t i;

	for (i = 0; i < N_ELEM(lists); i++) {
		if (w->feature[lists[i]].off)
			continue;
		perf_write_feature_start(w, lists[i]);
		perf_write_u32(w, 0);
		perf_write_feature_end(w);
	}
}

void perf_write_topology(struct perf_writer *w)
{
	struct cpus cpus, nodes;

	write_empty(w);
	if (!cpus_read(&cpus, CPUS "/present", w->arena))
		write_caches(w, &cpus);
	if (cpus_read(&nodes, NODES "/online", w->arena))
		return;
	write_nodes(w, &nodes);
	write_blocks(w, &nodes);
}
