/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel records to processes, address spaces and the threads that run on CPUs.
 */
#include <pt/config/BPF_PROGRAMS.h>
#include <pt/config/GUESTS.h>

#include "session.h"

enum {
	MISC_CPUMODE = 7, MISC_KERNEL = 1, MISC_GUEST_KERNEL = 4, MISC_GUEST_USER = 5,
};

static void take_mmap(struct session *s, const struct perf_record *rec)
{
	u8 mode = rec->misc & MISC_CPUMODE;
	struct perf_mmap m;
	struct mapping map;
	struct thread *t;

	if (!process_mapping(rec, &m, &map))
		return;
	if (CONFIG_GUESTS && mode == MISC_GUEST_KERNEL && s->guests.any && !s->guests.code)
		images_kernel_mmap(&guest_of(s, m.pid)->images, &map);
	if (mode == MISC_GUEST_KERNEL || mode == MISC_GUEST_USER)
		return;
	if (mode == MISC_KERNEL) {
		images_kernel_mmap(&s->images, &map);
		return;
	}
	t = process_thread(&s->processes, m.pid, m.tid);
	if (!strcmp(m.name, "[vdso]")) {
		code_vdso_mapped(s, t);
		if (!(m.start >> 32))
			map.name = "[vdso32]";
	}
	space_mmap(&s->images, t->space, &map);
}

void sideband_apply(struct session *s, const struct perf_record *rec,
		    const struct perf_sample *sample)
{
	struct perf_ksymbol sym;
	struct perf_text_poke poke;

	if (CONFIG_GUESTS && rec->type == PERF_ID_INDEX)
		guest_learn(s, rec);
	if (CONFIG_GUESTS && s->guests.n_vcpus && guest_apply(s, rec, sample))
		return;
	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2:
		take_mmap(s, rec);
		break;
	case PERF_COMM:
	case PERF_FORK:
		process_task(&s->processes, rec);
		break;
	case PERF_KSYMBOL:
		if (!perf_get_ksymbol(rec, &sym))
			break;
		images_ksymbol(&s->images, sym.addr, sym.len, sym.flags & 1, sym.name);
		if (CONFIG_BPF_PROGRAMS)
			bpf_loaded(s, &sym);
		break;
	case PERF_TEXT_POKE:
		if (perf_get_text_poke(rec, &poke))
			images_text_poke(&s->images, poke.addr, poke.new);
		break;
	}
}

static void sched_switch(struct session *s, const struct perf_sample *sample)
{
	u32 off = s->sched_next_pid_off;
	const struct perf_event *event = sample->event;

	if (s->pt.have_sched_switch != 1 || event != s->sched_event || !event)
		return;
	if (sample->raw.len >= off + 4 &&
	    !switch_record(s, sample->cpu, get32(sample->raw.at + off)))
		process_switch(&s->processes, sample->cpu, -1, get32(sample->raw.at + off));
}

/* Records about the thread that runs on a CPU. */
void sideband_switch(struct session *s, const struct perf_record *rec,
		     const struct perf_sample *sample)
{
	struct perf_switch sw;

	if (CONFIG_GUESTS && guest_has(s, sample->id))
		return;
	if (rec->type == PERF_SAMPLE) {
		sched_switch(s, sample);
		return;
	}
	if (rec->type == PERF_ITRACE_START) {
		if (s->pt.per_cpu && rec->raw.len >= 16)
			process_switch(&s->processes, sample->cpu, get32(rec->raw.at + 8),
				       get32(rec->raw.at + 12));
		return;
	}
	if (!perf_get_switch(rec, &sw))
		return;
	if (s->pt.have_sched_switch != 3) {
		if (!sw.out)
			process_switch(&s->processes, sample->cpu, sample->pid, sample->tid);
		return;
	}
	if (sw.out && sw.cpu_wide) {
		if (!switch_record(s, sample->cpu, sw.tid))
			process_switch(&s->processes, sample->cpu, sw.pid, sw.tid);
		return;
	}
	if (sw.out)
		return;
	switch_in(s, sample->cpu);
	if (process_on_cpu(&s->processes, sample->cpu) != sample->tid)
		process_switch(&s->processes, sample->cpu, sample->pid, sample->tid);
}

/* The BUILD_ID feature: records without a header of their own kind. */
void sideband_build_ids(struct session *s)
{
	enum { FEATURE_BUILD_ID = 2, SIZE_KNOWN = 1 << 15 };
	struct bytes all = perf_feature(&s->file, FEATURE_BUILD_ID);

	while (all.len >= 36) {
		u16 misc = get16(all.at + 4), size = get16(all.at + 6);
		u8 len = misc & SIZE_KNOWN ? all.at[32] : 20;
		const char *name = (const char *)all.at + 36;

		if (size < 37 || size > all.len)
			return;
		if (memchr(name, 0, size - 36))
			images_build_id(&s->images, name, all.at + 12, MIN(len, 20));
		all = bytes_skip(all, size);
	}
}
