/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/itrace.h>

#include "test.h"

static struct itrace of(const char *text)
{
	struct itrace it = { 0 };

	if (!itrace_parse(&it, text))
		TEST_FAIL("'%s' is refused", text);
	return it;
}

TEST(each_letter_asks_for_its_events)
{
	struct itrace it = of("bcrxwpIeAZqq");

	EQ(it.only, ITRACE_CALLS | ITRACE_RETURNS);
	OK(it.branches && it.transactions && it.ptwrites && it.power);
	OK(it.interrupts && it.errors && it.approximate_ipc && it.timeless);
	OK(!it.instructions && !it.off);
	EQ(it.quick, 2);
	OK(of("c").branches);
	EQ(of("b").only, 0);
}

TEST(a_period_has_its_unit)
{
	EQ(of("i7i").period, 7);
	EQ(of("i7i").unit, ITRACE_INSNS);
	EQ(of("i3us").period, 3000);
	EQ(of("i3us").unit, ITRACE_NS);
	EQ(of("i2ms").period, 2000000);
	EQ(of("i9t").unit, ITRACE_TICKS);
	EQ(of("i").period, 100000);
	EQ(of("i").unit, ITRACE_NS);
}

TEST(chains_have_a_length_or_the_usual_one)
{
	EQ(of("ig").callchain, 16);
	EQ(of("ig5").callchain, 5);
	EQ(of("ig5").callchain_others, 0);
	EQ(of("iG7").callchain_others, 7);
	/* perf has one length for both, the last. */
	EQ(of("ig4G8").callchain, 8);
	EQ(of("ig4G8").callchain_others, 8);
	EQ(of("iG8g4").callchain, 4);
	EQ(of("iG8g4").callchain_others, 4);
	EQ(of("ig1024").callchain, ITRACE_CHAIN_MAX);
	OK(!itrace_parse(&(struct itrace){ 0 }, "ig1025"));
	OK(!itrace_parse(&(struct itrace){ 0 }, "ig0"));
	EQ(of("s100b").skip, 100);
}

TEST(gaps_may_leave_kinds_out)
{
	OK(of("e-o").no_overflows && !of("e-o").no_losts);
	OK(of("e-l").no_losts && of("e-l").errors);
}

TEST(lists_add_up)
{
	struct itrace it = of("b");

	OK(itrace_parse(&it, "i10i"));
	OK(it.branches && it.instructions);
	EQ(it.period, 10);
}

TEST(what_is_no_letter_is_refused)
{
	static const char *const wrong[] = { "Q", "b!", "i5x", "i99999999999999999999", "iT" };
	size_t i;

	for (i = 0; i < N_ELEM(wrong); i++) {
		struct itrace it = { 0 };

		if (itrace_parse(&it, wrong[i]))
			TEST_FAIL("'%s' is taken", wrong[i]);
	}
}

TEST(defaults_are_those_of_script_and_report)
{
	struct itrace it;

	itrace_default(&it, false);
	OK(it.only == ITRACE_CALLS && it.branches && it.errors && !it.instructions);
	itrace_default(&it, true);
	OK(it.instructions && !it.branches);
	EQ(it.period, 100000);
	EQ(it.callchain, 16);
}
