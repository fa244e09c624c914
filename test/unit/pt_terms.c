/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/record.h>
#include "test.h"

static char said[256];

static void say(void *who, int level, const char *line)
{
	snprintf(said, sizeof(said), "%s", line);
}

/* The config of an event in software, beside the default; ~0: it is refused. */
static u64 config(const char *event)
{
	const char *events[] = { event, NULL };
	struct record r = { .say = say, .events = events };

	*said = 0;
	return record_read_terms(&r) ? ~0ULL : r.pt_config ^ PT_CFG_DEFAULT;
}

TEST(terms_set_their_bits)
{
	EQ(config("intel_pt//u"), 0);
	EQ(config("intel_pt/cyc/u"), 1 << 1);
	EQ(config("intel_pt/ptw,fup_on_ptw=1/u"), 1 << 12 | 1 << 5);
	EQ(config("intel_pt/noretcomp/"), 1 << 11);
	EQ(config("intel_pt/psb_period=15/") >> 24, (PT_CFG_DEFAULT >> 24 & 15) ^ 15);
	EQ(config("intel_pt/psb_period=16/"), ~0ULL);
	EQ(config("intel_pt/cyc=2/"), ~0ULL);
	EQ(config("intel_pt/cyc=/"), ~0ULL);
	EQ(config("intel_pt/cycles/"), ~0ULL);
	EQ(config("intel_pt/config=0x2400/") ^ PT_CFG_DEFAULT, 0x2400);
}

TEST(what_software_cannot_do_is_refused)
{
	EQ(config("cycles"), ~0ULL);
	EQ(config("intel_pt/cyc"), ~0ULL);
	EQ(config("intel_pt//k"), ~0ULL);
	OK(strstr(said, "kernel"));
	EQ(config("intel_pt//ku"), 0);
	EQ(config("intel_pt/pwr_evt/u"), ~0ULL);
	EQ(config("intel_pt/branch=0/u"), ~0ULL);
}
