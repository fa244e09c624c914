/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The digest that -j compares. Each byte of the state changes it, unless it is listed here with the
 * reason. So a member that is added to one of these structs, and forgotten in flow_state.c, fails.
 */
#include <pt/flow_state.h>

#include "src/decode/flow.h"
#include "matters.h"

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

static u64 state(void)
{
	return flow_state(&f, 1, false);
}

static u64 state_with_cycles(void)
{
	return flow_state(&f, 1, true);
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
	all_matter("the clock", &f.clock, sizeof(f.clock), state, not, N_ELEM(not));
}

TEST(cycles_matter_if_they_are_printed_and_count_from_the_last_step)
{
	u64 h;

	start();
	OK(matters(&f.clock.cycles, state_with_cycles));
	OK(!matters(&f.clock.mtc_cyc_base, state_with_cycles));
	f.clock.cycles = 100;
	f.step_cycles = 90;
	h = state_with_cycles();
	f.clock.cycles = 1100;
	f.step_cycles = 1090;
	OK(state_with_cycles() == h);
	f.clock.have_cyc = false;
	OK(matters(&f.clock.mtc_cyc_tsc, state_with_cycles));
	OK(matters(&f.clock.mtc_cyc_base, state_with_cycles));
}

TEST(each_byte_of_what_packets_said_matters)
{
	static const struct range not[] = {
		MEMBER(flow_arch, fup_ip),		/* there is no FUP to walk to */
		MEMBER(flow_arch, tnt_n),		/* below: it has to stay under 64 */
	};

	start();
	OK(matters(&f.arch.tnt_n, state));
	all_matter("the state", &f.arch, sizeof(f.arch), state, not, N_ELEM(not));
	OK(matters(&f.last_ip.ip, state));
	OK(matters(&f.last_ip.known, state));
	f.arch.state = AT_FUP;
	OK(matters(&f.arch.fup_ip, state));
}

TEST(results_that_were_used_and_calls_that_returned_do_not_matter)
{
	start();
	f.arch.tnt_n = 4;
	OK(matters(&f.arch.tnt, state));
	OK(!matters((u8 *)&f.arch.tnt + 1, state));
	f.arch.tnt_n = 0;
	OK(!matters(&f.arch.tnt, state));
	OK(!matters(&f.arch.tnt_fresh, state));
	OK(matters(&f.ret[0].ip, state));
	OK(matters(&f.ret[1].ip, state));
	OK(!matters(&f.ret[2].ip, state));
	f.ret_n = 1;
	OK(!matters(&f.ret[0].ip, state));
}

TEST(counts_are_those_since_the_last_step)
{
	u64 h;

	start();
	f.insns = 50;
	f.step_insns = 40;
	f.insns_at_time = 45;
	h = state();
	f.insns += 1000;
	OK(state() != h);
	f.step_insns += 1000;
	f.insns_at_time += 1000;
	OK(state() == h);
}

TEST(in_the_middle_of_an_event_nothing_can_be_compared)
{
	start();
	OK(state());
	f.arch.pending = STEP_PTW;
	EQ(state(), 0);
	start();
	f.values.n_evd = 1;
	EQ(state(), 0);
	start();
	f.evd_due = 1;
	EQ(state(), 0);
	start();
	f.again = true;
	EQ(state(), 0);
	start();
	f.n_long = 1;
	EQ(state(), 0);
}
