/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/session/session.h"
#include "test.h"

/* Is a buffer of 'cpu' taken, with CPUs 0 to n - 1 chosen? */
static bool takes(i32 cpu, u32 n)
{
	static const u64 all[] = { ~0ull, ~0ull };
	static struct session s;

	s = (struct session){ .options = { .cpus = n ? all : NULL, .n_cpus = n } };
	s.images.arena = &test_arena;
	return queue_add(&s, 0, cpu, -1);
}

TEST(only_buffers_of_chosen_cpus_are_taken)
{
	OK(takes(63, 64));
	OK(!takes(64, 64));
	OK(takes(64, 65));
}

TEST(without_a_choice_all_are_taken)
{
	OK(takes(64, 0));
	OK(takes(-1, 64));	/* of a thread */
}
