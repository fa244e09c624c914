/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ring of a thread: when it is checked, and what is written then. The agent's code runs here.
 */
#include "test.h"

#include "src/agent/ring.c"

bool maps_made(const struct agent *a, u64 ip)
{
	return true;
}

enum { SLOT = 64 << 10, SHARED = 4096, RING = 64 << 10, QUARTER = RING / 4, N_SLOTS = 2 };
enum { PSB_EVERY = 3000, NO_CALL = 0x1234 };

static u8 memory[SHARED + N_SLOTS * SLOT] __attribute__((aligned(4096)));
static u8 rings[N_SLOTS][RING];
static struct agent agent;
static u32 n_naps;

static struct agent_thread *thread(u32 i)
{
	return agent_slot((struct agent_shared *)memory, i);
}

/* Whoever waits for the reader finds that a quarter was read. */
void sys_wait(u32 *word, u32 value, u64 ns)
{
	n_naps++;
	thread(0)->tail += QUARTER;
}

i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	return 0;
}

i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d)
{
	return sys_call(nr, a, b, c, d, 0, 0);
}

static struct agent_thread *start(void)
{
	struct agent_shared *s = (struct agent_shared *)memory;
	u32 i;

	memset(memory, 0, sizeof(memory));
	*s = (struct agent_shared){ .n_slots = N_SLOTS, .taken = N_SLOTS, .ring_size = RING,
				    .slot_size = SLOT, .slots = SHARED, .psb_every = PSB_EVERY };
	agent = (struct agent){ .shared = s, .n_slots = N_SLOTS, .space = 1, .no_call = NO_CALL };
	n_naps = 0;
	for (i = 0; i < N_SLOTS; i++) {
		struct agent_thread *t = thread(i);

		t->agent = &agent;
		t->shared = s;
		t->ring_start = rings[i];
		t->space = 1;
		t->state = SLOT_LIVE;
		ring_open(t);
	}
	return thread(0);
}

/* The record at '*at', which then is the end of it. '*tsc' is its first word. */
static struct agent_slow next(const u8 **at, u64 *tsc)
{
	struct agent_slow s;

	memcpy(&s, *at, sizeof(s));
	EQ(s.tag, REC_SLOW);
	*tsc = get64(*at + sizeof(s));
	*at += sizeof(s) + 8 * s.words;
	return s;
}

TEST(a_check_is_due_after_a_stretch_and_before_the_end_of_a_quarter)
{
	struct agent_thread *t = start();

	EQ(t->limit - (u64)t->ring_start, AGENT_STRETCH);
	EQ(t->below, -t->limit);
	t->ring = (u64)t->ring_start + QUARTER - AGENT_MARGIN - 100;
	ring_write(t, SLOW_OFF, 0, 0, 0);
	EQ(t->limit - (u64)t->ring_start, QUARTER - AGENT_MARGIN);
	EQ(t->head, t->ring - (u64)t->ring_start);
}

TEST(new_code_is_announced_to_the_other_threads_with_the_time_before_it)
{
	struct agent_thread *one = start(), *other = thread(1);
	const u8 *at;
	struct agent_slow s;
	u64 tsc;

	ring_write(other, SLOW_STAMP, 0x1000, 0, 0);
	ring_write(one, SLOW_OFF, 0x2000, 0, 0);
	ring_new_code(one);
	OK(one->limit != 0);
	EQ(other->limit, 0);
	EQ(other->below, 0);

	at = (const u8 *)other->ring;
	ring_check(other, 0x1010);
	s = next(&at, &tsc);
	EQ(s.kind, SLOW_BEFORE);
	EQ(tsc, one->stamp);
	s = next(&at, &tsc);
	EQ(s.kind, SLOW_STAMP);
	EQ(s.more & AGENT_NEW_CODE, AGENT_NEW_CODE);
	OK(tsc >= one->stamp);
	EQ((u64)at, other->ring);
	OK(other->limit != 0);

	at = (const u8 *)other->ring;
	ring_check(other, 0x1020);
	s = next(&at, &tsc);
	EQ(s.kind, SLOW_STAMP);
	EQ(s.more & AGENT_NEW_CODE, 0);
}

TEST(calls_are_forgotten_where_a_decoder_may_begin_and_the_record_says_so)
{
	struct agent_thread *t = start();
	const u8 *at;
	u64 tsc;
	u32 i;

	for (i = 0; i < 3; i++) {
		bool due = i != 1;

		t->calls[3] = 0x5678;
		at = (const u8 *)t->ring;
		ring_check(t, 0x1000);
		EQ(next(&at, &tsc).more & AGENT_FORGOT, due ? AGENT_FORGOT : 0);
		EQ(t->calls[3], due ? NO_CALL : 0x5678);
		t->ring += i == 1 ? PSB_EVERY : 100;
	}
}

TEST(a_quarter_is_padded_and_the_next_one_is_not_overwritten_before_it_was_read)
{
	struct agent_thread *t = start();
	u32 i;

	for (i = 1; i <= 4; i++) {
		const u8 *pad;
		u64 tsc;

		t->ring = (u64)t->ring_start + i * QUARTER - AGENT_MARGIN + 50;
		pad = (const u8 *)t->ring;
		EQ(n_naps, 0);
		ring_write(t, SLOW_OFF, 0, 0, 0);
		EQ(next(&pad, &tsc).kind, SLOW_PAD);
		EQ(t->ring - (u64)t->ring_start, i % 4 * QUARTER + 24);
	}
	EQ(t->base, RING);
	EQ(t->head, RING + 24);
	EQ(n_naps, 1);
	EQ(t->tail, QUARTER);
}
