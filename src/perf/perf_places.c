/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The places of the CPUs of the machine that made a file, from its header: CPU_TOPOLOGY has the
 * core, socket and die of each CPU, after lists in words; NUMA_TOPOLOGY has the CPUs of each node.
 */
#include <pt/cpus.h>
#include <pt/perf.h>
#include <pt/perf_write.h>

static struct bytes skip_text(struct bytes b, struct bytes *text)
{
	u32 len = bytes_take32(&b);

	*text = bytes_first(b, MIN((size_t)len, b.len));
	return bytes_skip(b, text->len);
}

static struct bytes skip_texts(struct bytes b)
{
	u32 n = bytes_take32(&b);
	struct bytes text;

	while (n-- && b.len)
		b = skip_text(b, &text);
	return b;
}

static void set_nodes(struct perf_file *f, struct cpu_place *places, u32 n)
{
	struct bytes b = perf_feature(f, PERF_FEAT_NUMA_TOPOLOGY), text;
	u32 nodes = bytes_take32(&b), node, i;
	struct cpus cpus;

	while (nodes-- && b.len > 20) {
		node = bytes_take32(&b);
		b = skip_text(bytes_skip(b, 16), &text);	/* after two sizes of memory */
		if (!cpus_parse(&cpus, arena_strn(f->arena, (const char *)text.at,
						  strnlen((const char *)text.at, text.len)),
				f->arena))
			continue;
		for (i = 0; i < cpus.n; i++)
			if ((u32)cpus.cpu[i] < n)
				places[cpus.cpu[i]].node = node;
	}
}

struct cpu_place *perf_cpu_places(struct perf_file *f, u32 n)
{
	struct bytes all = perf_feature(f, PERF_FEAT_NRCPUS), b, dies;
	u32 n_all = bytes_take32(&all), i;
	struct cpu_place *places = NEW(f->arena, struct cpu_place, n + 1);

	b = skip_texts(skip_texts(perf_feature(f, PERF_FEAT_CPU_TOPOLOGY)));
	dies = skip_texts(bytes_skip(b, MIN(8 * (size_t)n_all, b.len)));
	for (i = 0; i < n && i < n_all && b.len >= 8; i++) {
		places[i].core = bytes_take32(&b);
		places[i].socket = bytes_take32(&b);
		places[i].die = dies.len >= 4 ? bytes_take32(&dies) : 0;
	}
	set_nodes(f, places, n);
	return places;
}
