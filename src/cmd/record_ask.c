/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of pt record for sampled events, as bits of perf_attr.
 */
#include <time.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "record_ask.h"

#define S(name) (1u << PERF_S_##name)

enum { READ_ENABLED = 1 << 0, READ_RUNNING = 1 << 1 };
enum { NO_FLAG = 255 };

/* The effect of an option: bits of sample_type and read_format; the number of a flag of each
 * event, and of a flag of the event for side-band. */
static const struct { const char *name; u32 sample; u8 read, flag, track; } words[] = {
	{ "data", S(ADDR) | S(DATA_SRC), 0, NO_FLAG, PERF_F_MMAP_DATA },
	{ "phys-data", S(PHYS_ADDR), 0, NO_FLAG, NO_FLAG },
	{ "data-page-size", S(DATA_PAGE_SIZE), 0, NO_FLAG, NO_FLAG },
	{ "code-page-size", S(CODE_PAGE_SIZE), 0, NO_FLAG, NO_FLAG },
	{ "weight", S(WEIGHT_STRUCT), 0, NO_FLAG, NO_FLAG },
	{ "transaction", S(TRANSACTION), 0, NO_FLAG, NO_FLAG },
	{ "raw-samples", S(RAW) | S(TIME) | S(CPU), 0, NO_FLAG, NO_FLAG },
	{ "period", S(PERIOD), 0, NO_FLAG, NO_FLAG },
	{ "timestamp", S(TIME), 0, NO_FLAG, NO_FLAG },
	{ "sample-cpu", S(CPU), 0, NO_FLAG, NO_FLAG },
	{ "sample-identifier", S(IDENTIFIER), 0, NO_FLAG, NO_FLAG },
	{ "running-time", 0, READ_ENABLED | READ_RUNNING, NO_FLAG, NO_FLAG },
	{ "stat", 0, READ_ENABLED | READ_RUNNING, PERF_F_INHERIT_STAT, NO_FLAG },
	{ "all-user", 0, 0, PERF_F_EXCLUDE_KERNEL, NO_FLAG },
	{ "all-kernel", 0, 0, PERF_F_EXCLUDE_USER, NO_FLAG },
	{ "kernel-callchains", 0, 0, PERF_F_EXCLUDE_CALLCHAIN_USER, NO_FLAG },
	{ "user-callchains", 0, 0, PERF_F_EXCLUDE_CALLCHAIN_KERNEL, NO_FLAG },
	{ "namespaces", 0, 0, NO_FLAG, PERF_F_NAMESPACES },
	{ "all-cgroups", S(CGROUP), 0, NO_FLAG, PERF_F_CGROUP },
	{ "buildid-mmap", 0, 0, NO_FLAG, PERF_F_BUILD_ID },
};

static void set_bits(u64 *to, u64 bits, bool on)
{
	*to = on ? *to | bits : *to & ~bits;
}

static u64 flag_bit(u8 flag)
{
	return flag == NO_FLAG ? 0 : 1ull << flag;
}

static bool set_word(struct record_samples *s, const char *name, bool on)
{
	size_t i;

	for (i = 0; i < N_ELEM(words); i++) {
		if (strcmp(words[i].name, name))
			continue;
		set_bits(&s->sample_type, words[i].sample, on);
		set_bits(&s->read_format, words[i].read, on);
		set_bits(&s->flags, flag_bit(words[i].flag), on);
		set_bits(&s->track, flag_bit(words[i].track), on);
		return true;
	}
	return false;
}

/* The message lists the known words. */
static void wrong_word(struct opt *o, const char *list)
{
	size_t n = sizeof(o->wrong);
	const char *word;
	u32 i;

	record_wrong(o, o->name);
	for (i = 0; (word = text_nth(list, i)); i++) {
		size_t len = strlen(o->wrong);

		fmt_str(o->wrong + len, n - len, i ? " %s" : "; use %s", word);
	}
}

static bool read_registers(struct opt *o, u64 *mask)
{
	*mask = o->arg ? 0 : RECORD_REGISTERS;
	if (o->arg && !text_bits(perf_registers, o->arg, mask))
		wrong_word(o, perf_registers);
	return true;
}

static bool read_branches(struct opt *o, struct record_samples *s, const char *text)
{
	if (!record_branches(s, text))
		wrong_word(o, record_branch_words);
	return true;
}

static bool read_call_graph(struct opt *o, struct record_samples *s, const char *how)
{
	const char *why = record_call_graph(s, how);

	if (why)
		record_wrong(o, why);
	return true;
}

static bool read_clock(struct opt *o, struct record_samples *s)
{
	static const char names[] = "monotonic\0mono\0monotonic_raw\0raw\0boottime\0boot\0"
				    "realtime\0real\0tai\0";
	static const u8 clocks[] = {
		CLOCK_MONOTONIC, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW,
		CLOCK_BOOTTIME, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_REALTIME, CLOCK_TAI,
	};
	const char *name = o->arg;
	u64 id = 0;
	int i;

	if (text_begins(name, strlen(name), "CLOCK_"))
		name += 6;
	i = text_find(names, name, strlen(name));
	if (i < 0 && (!num_parse(name, &id) || id > 32)) {
		wrong_word(o, names);
		return true;
	}
	s->clockid = i < 0 ? (i32)id : clocks[i];
	s->flags |= 1ull << PERF_F_USE_CLOCKID;
	return true;
}

static bool read_one(struct opt *o, const char *name, struct record_samples *s)
{
	if (set_word(s, name, !o->no))
		return true;
	if (!strcmp(name, "g"))
		return read_call_graph(o, s, "fp");
	if (!strcmp(name, "call-graph"))
		return read_call_graph(o, s, o->arg);
	if (!strcmp(name, "branch-any"))
		return read_branches(o, s, "any");
	if (!strcmp(name, "branch-filter"))
		return read_branches(o, s, o->arg);
	if (!strcmp(name, "clockid"))
		return read_clock(o, s);
	if (!strcmp(name, "intr-regs")) {
		s->sample_type |= S(REGS_INTR);
		return read_registers(o, &s->regs_intr);
	}
	if (!strcmp(name, "user-regs")) {
		s->sample_type |= S(REGS_USER);
		return read_registers(o, &s->regs_user);
	}
	if (!strcmp(name, "no-samples"))
		s->none = true;
	else if (!strcmp(name, "no-buffering"))
		s->unbuffered = true;
	else if (!strcmp(name, "strict-freq"))
		s->strict_freq = true;
	else if (!strcmp(name, "no-bpf-event"))
		s->no_track |= 1ull << PERF_F_BPF_EVENT;
	else
		return false;
	return true;
}

static void read_overwrite(struct opt *o, struct record *r)
{
	const u64 flag = 1ull << PERF_F_WRITE_BACKWARD;

	r->samples.flags = o->no ? r->samples.flags & ~flag : r->samples.flags | flag;
	if (!o->no && !r->samples.asked)
		r->samples.asked = "--overwrite";
}

/* Which machines events count in; and what is written at the end. */
static bool read_more(struct opt *o, const char *name, struct record *r)
{
	if (!strcmp(name, "host"))
		r->host = !o->no;
	else if (!strcmp(name, "guest"))
		*(o->no ? &r->no_guests : &r->guests) = true;
	else if (!strcmp(name, "tail-synthesize"))
		r->tail = !o->no;
	else if (!strcmp(name, "overwrite"))
		read_overwrite(o, r);
	else
		return false;
	return true;
}

bool record_ask(struct opt *o, const char *name, struct record *r)
{
	char given[sizeof(o->name) + 2];

	if (CONFIG_RECORD_MORE && read_more(o, name, r))
		return true;
	if (!read_one(o, name, &r->samples))
		return false;
	fmt_str(given, sizeof(given), "-%s%s", name[1] ? "-" : "", name);
	if (!r->samples.asked)
		r->samples.asked = arena_str(r->arena, given);
	return true;
}
