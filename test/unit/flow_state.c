/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The digest that -j compares. Each byte of the state changes it, unless it is listed here with the
 * reason. So a member that is added to one of these structs, and forgotten in flow_state.c, fails.
 */
#include <pt/flow_state.h>

#include "src/decode/flow.h"
#include "test.h"

struct range { size_t at, size; };
#define MEMBER(type, name) { offsetof(struct type, name), sizeof(((struct type *)0)->name) }

static struct flow f;

static void start(void)
{
	f = (struct flow){ .ret_n = 2, .ret_top = 2, .clock.have_cyc = true };
	f.arch.state = IN_SYNC;
	f.arch.tnt_n = 63;
	f.arch.tnt_fresh = true;
	f.ret[0].ip = 0x1000;
	f.ret[1].ip = 0x2000;
}

/* Does a change of one bit change the digest? */
static bool matters(u8 *byte, bool cycles)
{
	u64 before = flow_state(&f, 1, cycles);
	bool differs;

	*byte ^= 1;
	differs = flow_state(&f, 1, cycles) != before;
	*byte ^= 1;
	return differs;
}

/* Test all bytes of a part of the flow except those in 'not'. */
static void all_matter(const char *what, void *part, size_t size, const struct range *not,
		       size_t n_not)
{
	u8 *bytes = part;
	size_t at, i;

	for (at = 0; at < size; at++) {
		for (i = 0; i < n_not && at - not[i].at >= not[i].size; i++)
			;
		if (i == n_not && !matters(bytes + at, false))
			TEST_FAIL("byte %zu of %s does not matter", at, what);
	}
}

TEST(each_byte_of_the_clock_matters)
{
	static const struct range not[] = {
		MEMBER(clock, setup),			/* the same in all processes */
		MEMBER(clock, cycles), MEMBER(clock, mtc_cyc_tsc),
		MEMBER(clock, mtc_cyc_base),		/* the next test */
		MEMBER(clock, cbr_ticks),		/* follows from cbr */
		MEMBER(clock, updates),			/* only if it is clock_updates */
	};

	start();
	f.clock_updates = 5;
	all_matter("the clock", &f.clock, sizeof(f.clock), not, N_ELEM(not));
}

TEST(cycles_matter_if_they_are_printed_and_count_from_the_last_step)
{
	u64 h;

	start();
	OK(matters((u8 *)&f.clock.cycles, true));
	OK(!matters((u8 *)&f.clock.mtc_cyc_base, true));
	f.clock.cycles = 100;
	f.step_cycles = 90;
	h = flow_state(&f, 1, true);
	f.clock.cycles = 1100;
	f.step_cycles = 1090;
	OK(flow_state(&f, 1, true) == h);
	f.clock.have_cyc = false;
	OK(matters((u8 *)&f.clock.mtc_cyc_tsc, true));
	OK(matters((u8 *)&f.clock.mtc_cyc_base, true));
}

TEST(each_byte_of_what_packets_said_matters)
{
	static const struct range not[] = {
		MEMBER(flow_arch, fup_ip),		/* there is no FUP to walk to */
		MEMBER(flow_arch, tnt_n),		/* below: it has to stay under 64 */
	};

	start();
	OK(matters((u8 *)&f.arch.tnt_n, false));
	all_matter("the state", &f.arch, sizeof(f.arch), not, N_ELEM(not));
	OK(matters((u8 *)&f.last_ip.ip, false));
	OK(matters((u8 *)&f.last_ip.known, false));
	f.arch.state = AT_FUP;
	OK(matters((u8 *)&f.arch.fup_ip, false));
}

TEST(results_that_were_used_and_calls_that_returned_do_not_matter)
{
	start();
	f.arch.tnt_n = 4;
	OK(matters((u8 *)&f.arch.tnt, false));
	OK(!matters((u8 *)&f.arch.tnt + 1, false));
	f.arch.tnt_n = 0;
	OK(!matters((u8 *)&f.arch.tnt, false));
	OK(!matters((u8 *)&f.arch.tnt_fresh, false));
	OK(matters((u8 *)&f.ret[0].ip, false));
	OK(matters((u8 *)&f.ret[1].ip, false));
	OK(!matters((u8 *)&f.ret[2].ip, false));
	f.ret_n = 1;
	OK(!matters((u8 *)&f.ret[0].ip, false));
}

TEST(counts_are_those_since_the_last_step)
{
	u64 h;

	start();
	f.insns = 50;
	f.step_insns = 40;
	f.insns_at_time = 45;
	h = flow_state(&f, 1, false);
	f.insns += 1000;
	OK(flow_state(&f, 1, false) != h);
	f.step_insns += 1000;
	f.insns_at_time += 1000;
	OK(flow_state(&f, 1, false) == h);
}

TEST(in_the_middle_of_an_event_nothing_can_be_compared)
{
	start();
	OK(flow_state(&f, 1, false));
	f.arch.pending = STEP_PTW;
	EQ(flow_state(&f, 1, false), 0);
	start();
	f.values.n_evd = 1;
	EQ(flow_state(&f, 1, false), 0);
	start();
	f.evd_due = 1;
	EQ(flow_state(&f, 1, false), 0);
	start();
	f.again = true;
	EQ(flow_state(&f, 1, false), 0);
	start();
	f.n_long = 1;
	EQ(flow_state(&f, 1, false), 0);
}
