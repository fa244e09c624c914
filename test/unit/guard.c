/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When code is forgotten, and which pages are made read-only. The agent's code runs here, on a
 * made-up address space.
 */
#include "test.h"

#include "src/agent/guard.c"

enum { SLOT = 64 << 10, SHARED = 4096, N_SLOTS = 2 };

static u8 memory[SHARED + N_SLOTS * SLOT] __attribute__((aligned(4096)));
static struct agent agent;

/* One range of code, and what was done. */
static struct { u64 from, to; bool made, shared; } range;
static struct { u64 from, to; } forgotten;
static u32 n_forgotten, n_maps_read, n_protected;
static bool denied;		/* to restore the rights of a page */

void agent_lock(struct agent *a) { }
void agent_unlock(struct agent *a) { }
void maps_read(struct agent *a) { n_maps_read++; }
bool maps_made(const struct agent *a, u64 ip) { return range.made; }
bool maps_shared(const struct agent *a, u64 ip) { return range.shared; }
bool maps_may_write(u64 at) { return false; }
bool handlers_own_segv(struct agent *a) { return true; }

bool maps_bounds(const struct agent *a, u64 ip, u64 *from, u64 *to)
{
	*from = range.from;
	*to = range.to;
	return ip >= range.from && ip < range.to;
}

bool maps_touch(const struct agent *a, u64 at, u64 size)
{
	return at < range.to && at + size > range.from;
}

bool maps_file(const struct agent *a, u64 from, u64 to)
{
	return !range.made && maps_touch(a, from, to - from);
}

bool cache_has(const struct agent *a, u64 from, u64 to)
{
	return false;
}

void cache_forget(struct agent *a, u64 from, u64 to)
{
	forgotten.from = from;
	forgotten.to = to;
	n_forgotten++;
}

i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	n_protected += nr == NR_MPROTECT;
	return nr == NR_MPROTECT && c == ALL && denied ? -13 : 0;
}

i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d)
{
	return sys_call(nr, a, b, c, d, 0, 0);
}

/* Two threads, and code at [from, to). */
static struct agent_thread *start(u64 from, u64 to, bool made)
{
	struct agent_shared *s = (struct agent_shared *)memory;
	u32 i;

	memset(memory, 0, sizeof(memory));
	*s = (struct agent_shared){ .n_slots = N_SLOTS, .taken = N_SLOTS, .slot_size = SLOT,
				    .slots = SHARED };
	agent = (struct agent){ .shared = s, .n_slots = N_SLOTS, .space = 1, .stack = 0x7ffc00000000 };
	for (i = 0; i < N_SLOTS; i++)
		*agent_slot(s, i) = (struct agent_thread){ .agent = &agent, .shared = s,
							   .space = 1, .state = SLOT_LIVE };
	range.from = from;
	range.to = to;
	range.made = made;
	range.shared = false;
	forgotten.from = forgotten.to = 0;
	n_forgotten = n_maps_read = n_protected = 0;
	return agent_slot(s, 0);
}

TEST(what_a_system_call_changes_is_forgotten_before_and_after_it)
{
	struct agent_thread *t = start(0x4000, 0x9000, true);

	guard_begin(t, 0x5000, 0x6000);
	EQ(n_forgotten, 1);
	EQ(forgotten.from, 0x5000);
	EQ(forgotten.to, 0x6000);
	OK(guard_changing(&agent, 0x5fff, 0x7000));
	OK(!guard_changing(&agent, 0x6000, 0x7000));
	guard_end(t, false);
	EQ(n_forgotten, 2);
	OK(!guard_changing(&agent, 0x5fff, 0x7000));
	EQ(n_maps_read, 0);
	guard_begin(t, 0x10000, 0x11000);	/* no code is there */
	EQ(n_forgotten, 2);
}

TEST(all_blocks_of_a_file_are_forgotten_since_they_look_at_following_code)
{
	struct agent_thread *t = start(0x4000, 0x9000, false);

	OK(guard_begin(t, 0x5000, 0x6000));
	EQ(forgotten.from, 0x4000);
	EQ(forgotten.to, 0x9000);
	guard_end(t, false);
}

TEST(the_maps_are_read_again_if_two_threads_change_them_at_once_or_a_change_failed)
{
	struct agent_thread *t = start(0x4000, 0x9000, true), *other;

	other = agent_slot(agent.shared, 1);
	guard_begin(t, 0x5000, 0x6000);
	guard_begin(other, 0x7000, 0x8000);
	guard_end(t, false);
	guard_end(other, false);
	EQ(n_maps_read, 0);
	guard_begin(t, 0x5000, 0x6000);
	guard_begin(other, 0x5800, 0x8000);
	guard_end(t, false);
	EQ(n_maps_read, 1);
	guard_end(other, false);
	EQ(n_maps_read, 2);
	guard_begin(t, 0x5000, 0x6000);
	guard_end(t, true);
	EQ(n_maps_read, 3);
}

TEST(pages_of_stacks_and_shared_pages_are_not_guarded)
{
	struct agent_thread *t = start(0x4000, 0x9000, true);

	OK(guard_page(&agent, 0x5010));
	EQ(n_protected, 2);
	OK(guard_page(&agent, 0x5fff));		/* it is already */
	EQ(n_protected, 2);
	range.shared = true;
	OK(!guard_page(&agent, 0x6000));
	range.shared = false;
	t->regs.r[RSP] = 0x8ff0;
	OK(!guard_page(&agent, 0x7000));
	t->regs.r[RSP] = 0x10000;
	range.from = agent.stack - 0x10000;
	range.to = agent.stack + 0x1000;
	OK(!guard_page(&agent, agent.stack - 0x2000));
	EQ(n_protected, 2);
}

TEST(a_write_to_a_guarded_page_opens_it_and_forgets_its_code)
{
	start(0x4000, 0x9000, true);
	OK(!guard_hit(&agent, 0x5010));
	OK(guard_page(&agent, 0x5010));
	OK(guard_hit(&agent, 0x5ff8));
	EQ(forgotten.from, 0x5000);
	EQ(forgotten.to, 0x6000);
	EQ(n_protected, 3);
	EQ(agent.n_guarded, 0);
}

TEST(a_page_whose_rights_cannot_be_restored_gets_no_guard)
{
	start(0x4000, 0x9000, true);
	denied = true;
	OK(!guard_page(&agent, 0x5010));
	denied = false;
	EQ(n_protected, 1);
	EQ(agent.n_guarded, 0);
}

/* More hits than there can be in the time of this test. */
TEST(a_page_that_is_often_written_gets_no_guard_any_more)
{
	u32 n = 0;

	start(0x4000, 0x9000, true);
	while (n < 100000 && guard_page(&agent, 0x5000)) {
		OK(guard_hit(&agent, 0x5000));
		n++;
	}
	OK(n >= HITS);
	OK(n < 100000);
	guard_of(&agent, 0x5000)->written = 0;
	OK(guard_page(&agent, 0x5000));
}
