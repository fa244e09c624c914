/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Print the attributes of an event for -vv, as perf does: only those that are set.
 */
#include <pt/out.h>

#include "hw.h"

static const char line[] = "------------------------------------------------------------";

/* Names of flags by bit number. */
static const char *const flags[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", NULL, NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2", "comm_exec",
	"use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol", "bpf_event",
	"aux_output", "cgroup", "text_poke", "build_id", "inherit_thread", "remove_on_exec",
	"sigtrap",
};
static const char *const samples[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD", "STREAM_ID", "RAW",
	"BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER",
	"TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE", "WEIGHT_STRUCT",
};
static const char *const reads[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST",
};

static void say_bits(struct record *r, const char *name, u64 bits, const char *const *names,
		     size_t n)
{
	char text[256];
	size_t i, len = 0;

	for (i = 0; i < n && len < sizeof(text); i++)
		if (bits >> i & 1)
			len += fmt_str(text + len, sizeof(text) - len, len ? "|%s" : "%s",
				       names[i]);
	if (len)
		record_say(r, 2, "  %-32s %s", name, text);
}

static void say_number(struct record *r, const char *name, u64 v)
{
	if (v)
		record_say(r, 2, "  %-32s %llu", name, v);
}

void hw_print_attr(struct record *r, const struct perf_attr *attr)
{
	size_t i;

	if (r->verbose < 2)
		return;
	record_say(r, 2, "%s", line);
	record_say(r, 2, "perf_event_attr:");
	say_number(r, "type", attr->type);
	say_number(r, "size", attr->size);
	if (attr->config)
		record_say(r, 2, "  %-32s %#llx", "config", attr->config);
	say_number(r, "{ sample_period, sample_freq }", attr->period);
	say_bits(r, "sample_type", attr->sample_type, samples, N_ELEM(samples));
	say_bits(r, "read_format", attr->read_format, reads, N_ELEM(reads));
	for (i = 0; i < N_ELEM(flags); i++)
		if (flags[i])
			say_number(r, flags[i], attr->flags >> i & 1);
	say_number(r, "precise_ip", attr->flags >> PERF_F_PRECISE & 3);
	say_number(r, "aux_watermark", attr->aux_watermark);
	say_number(r, "aux_sample_size", attr->aux_sample_size);
	say_number(r, "aux_action", attr->aux_action);
	record_say(r, 2, "%s", line);
}
