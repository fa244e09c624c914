/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sampler's part of the digest that -j compares: see flow_state.c.
 */
#include "src/synth/sampler.h"
#include "matters.h"

static struct flow flow;
static struct queue queue, *queues[] = { &queue };
static struct session session;
static struct samples samples;
static struct thread thread;
static struct sampler *sampler;
static struct item item;
static bool cycles, periods, code;

static u64 state(void)
{
	return samples_state(&samples, &item, 1, cycles, periods, code);
}

static void start(void)
{
	flow = (struct flow){ .insns = 1000, .step_cycles = 1000 };
	queue = (struct queue){ .session = &session, .flow = &flow };
	session.queues = queues;
	session.n_queues = 1;
	samples = (struct samples){ .session = &session };
	samples.itrace.branches = samples.itrace.instructions = true;
	sampler = samples_sampler(&samples, &queue);
	*sampler = (struct sampler){ .period_ticks = 16, .len = 2, .thread = &thread,
				     .exact = 2000 };
	item.queue = &queue;
	cycles = periods = code = true;
}

TEST(each_byte_of_a_sampler_matters)
{
	static const struct range not[] = {
		MEMBER(sampler, seen),		/* insns_at_sample and period_insns say it */
		MEMBER(sampler, period_mask), MEMBER(sampler, period_ticks),	/* of --itrace */
		{ offsetof(struct sampler, began), 4 },	/* with two bytes of padding */
		MEMBER(sampler, periods),	/* with 'began' only for weights in pt report */
		{ offsetof(struct sampler, insn_due) + 1, 5 },	/* padding */
		MEMBER(sampler, thread),	/* its number: below */
	};

	start();
	all_matter("the sampler", sampler, sizeof(*sampler), state, not, N_ELEM(not));
	OK(matters(&thread.tid, state));
}

TEST(what_is_not_printed_does_not_matter)
{
	start();
	code = false;
	OK(!matters(&sampler->ip, state));
	OK(matters(&sampler->kind, state));
	periods = false;
	OK(!matters(&sampler->period_insns, state));
	OK(!matters(&sampler->insns_at_sample, state));
	cycles = false;
	OK(!matters(&sampler->cycles, state));
	OK(!matters(&sampler->branch_insns, state));
	OK(matters(&sampler->cbr_seen, state));
}

TEST(counts_are_relative_to_those_of_the_flow)
{
	u64 h;

	start();
	h = state();
	flow.insns += 500;
	flow.step_cycles += 500;
	OK(state() != h);
	sampler->insns_at_sample += 500;
	sampler->branch_insns += 500;
	sampler->insn_insns += 500;
	sampler->cycles += 500;
	sampler->exact += 500;
	sampler->branch_cycles += 500;
	sampler->insn_cycles += 500;
	EQ(state(), h);
}

TEST(the_last_instruction_is_the_skipped_branch_if_there_is_one)
{
	start();
	queue.skipped.any = true;
	OK(!matters(&sampler->ip, state));
	OK(!matters(&sampler->kind, state));
}
