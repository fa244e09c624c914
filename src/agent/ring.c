/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ring: checks, and records with a time.
 *
 * The write pointer runs through the ring; t->base is the position of the ring's first byte in this
 * round. A check happens when the pointer has passed t->limit. Near the end of a quarter the rest
 * is padded, and the next quarter begins after pt has read its old contents.
 */
#include "own.h"

enum { SLOW_SIZE = sizeof(struct agent_slow) };
enum { NAP_NS = 20000000 };
enum { WAIT_SPINS = 200, DRAIN_NAPS = 50 };

static u64 tsc(void)
{
	u32 lo, hi;

	/* LFENCE: read the TSC after all earlier loads (see ring_new_code()). */
	asm volatile("lfence; rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (u64)hi << 32 | lo;
}

static u64 position(const struct agent_thread *t)
{
	return t->ring - (u64)t->ring_start + t->base;
}

void ring_publish(struct agent_thread *t)
{
	__atomic_store_n(&t->head, position(t), __ATOMIC_RELEASE);
}

/* Clear the stack of calls: returns are then recorded as targets, until there are new calls. */
void ring_forget_calls(struct agent_thread *t)
{
	u32 i;

	for (i = 0; i < AGENT_CALLS; i++)
		t->calls[i] = t->agent->no_call;
	t->calls_epoch = t->epoch;	/* another thread may just begin the next one */
}

/* The next check is due: code has changed at the time 'tsc'. */
static void expire(struct agent_thread *t, u64 tsc)
{
	if (t->limit)
		t->before = tsc;
	t->limit = t->below = 0;
}

/* Set the place of the next check. */
static void set_limit(struct agent_thread *t)
{
	u64 quarter = agent_quarter(t->shared), off = t->ring - (u64)t->ring_start;
	u64 end = off - off % quarter + quarter - AGENT_MARGIN;

	t->limit = (u64)t->ring_start + MIN(end, off + AGENT_STRETCH);
	t->below = -t->limit;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (t->n_code != __atomic_load_n(&t->agent->n_code, __ATOMIC_RELAXED))
		expire(t, t->stamp);
}

void ring_new_code(struct agent_thread *t)
{
	struct agent *a = t->agent;
	u32 i, n = agent_taken(a);

	/* This thread knows this change. If it has not recorded earlier ones, the numbers must
	 * remain different. */
	t->n_code += t->n_code == __atomic_fetch_add(&a->n_code, 1, __ATOMIC_SEQ_CST);
	for (i = 0; i < n; i++) {
		struct agent_thread *other = agent_thread_in(a, i);

		if (other && other != t)
			expire(other, t->stamp);
	}
}

/* Wait until pt has read beyond 'tail'. The wait has a limit, since pt may be dead. */
static COLD void nap(struct agent_thread *t, u64 tail)
{
	__atomic_fetch_add(&t->waits, 1, __ATOMIC_SEQ_CST);
	sys_wait((u32 *)&t->tail, (u32)tail, NAP_NS);
	__atomic_fetch_sub(&t->waits, 1, __ATOMIC_SEQ_CST);
}

/* Wait until pt has read up to position 'need'. */
static COLD void wait_for(struct agent_thread *t, u64 need)
{
	u64 tail;
	u32 i;

	for (i = 0; (i64)((tail = __atomic_load_n(&t->tail, __ATOMIC_ACQUIRE)) - need) < 0; i++) {
		if (agent_pt_is_gone(t))
			return;
		if (i < WAIT_SPINS)
			asm volatile("pause");
		else
			nap(t, tail);
	}
}

void ring_drain(const struct agent *a)
{
	u32 i, naps = 0, n = agent_taken(a);
	struct agent_thread *t;
	u64 tail;

	for (i = 0; i < n; i++) {
		t = agent_thread_in(a, i);
		while (t && naps < DRAIN_NAPS && !agent_pt_is_gone(t)) {
			tail = __atomic_load_n(&t->tail, __ATOMIC_ACQUIRE);
			if ((i64)(t->mapped - tail) <= 0)
				break;
			__atomic_store_n(&t->hurry, 1, __ATOMIC_RELEASE);
			nap(t, tail);
			naps++;
		}
	}
}

static void put_slow(struct agent_thread *t, u8 kind, u16 words, u32 more)
{
	struct agent_slow s = { REC_SLOW, kind, words, more };

	memcpy((void *)t->ring, &s, SLOW_SIZE);
	t->ring += SLOW_SIZE;
}

static void put_word(struct agent_thread *t, u64 v)
{
	memcpy((void *)t->ring, &v, 8);
	t->ring += 8;
}

static void put_stamp(struct agent_thread *t)
{
	t->stamp = tsc();
	put_word(t, t->stamp);
}

/* Before a record: continue in the next quarter if this one is nearly full. If code has changed,
 * limit the time of what was executed up to here. */
static void prepare(struct agent_thread *t)
{
	u64 size = t->shared->ring_size, quarter = size / 4, at = position(t);

	if (at % quarter >= quarter - AGENT_MARGIN) {
		put_slow(t, SLOW_PAD, 0, 0);
		at = at - at % quarter + quarter;
		t->base = at - at % size;
		t->ring = (u64)t->ring_start + at % size;
		ring_publish(t);
		wait_for(t, at + quarter - size);
	}
	if (t->n_code != __atomic_load_n(&t->agent->n_code, __ATOMIC_ACQUIRE)) {
		put_slow(t, SLOW_BEFORE, 1, 0);
		put_word(t, t->before);
	}
}

/* What a decoder must know before it continues; returns bits of 'more'. */
static u32 look_around(struct agent_thread *t)
{
	u32 n = __atomic_load_n(&t->agent->n_code, __ATOMIC_ACQUIRE);
	u32 more = t->n_code != n ? AGENT_NEW_CODE : 0;

	t->n_code = n;
	/* Signals clear the stack of calls, too, but pt need not know that. */
	if (position(t) - t->forgot >= t->shared->psb_every) {
		ring_forget_calls(t);
		t->forgot = position(t);
		more |= AGENT_FORGOT;
	}
	return more | (TRANSLATE_NARROW ? AGENT_NARROW : 0);
}

void ring_write(struct agent_thread *t, u8 kind, u64 word, u64 word2, u32 more)
{
	static const u8 words[N_SLOW] = {
		[SLOW_STAMP] = 2, [SLOW_OFF] = 2, [SLOW_INTERRUPT] = 2, [SLOW_ON] = 2,
		[SLOW_MAP] = 3, [SLOW_NAME] = 1, [SLOW_PTWRITE] = 3, [SLOW_GAP] = 1,
		[SLOW_FAR] = 2,
	};

	prepare(t);
	if (kind == SLOW_STAMP || kind == SLOW_ON)
		more = look_around(t);
	put_slow(t, kind, words[kind], more);
	put_stamp(t);
	if (words[kind] > 1)
		put_word(t, word);
	if (words[kind] > 2)
		put_word(t, word2);
	set_limit(t);
	ring_publish(t);
}

COLD void ring_write_code(struct agent_thread *t, u64 ip, const u8 *code, u32 n)
{
	u32 within = maps_made(t->agent, ip + n - 1) ? 0 : AGENT_WITHIN;
	u32 after = maps_made(t->agent, ip) ? 0 : AGENT_AFTER;

	prepare(t);
	put_slow(t, SLOW_CODE, 2 + (n + 7) / 8, n | within | after);
	put_stamp(t);
	put_word(t, ip);
	memcpy((void *)t->ring, code, n);
	t->ring += (n + 7) & ~7u;
	set_limit(t);
	ring_publish(t);
}

/* The rings of many threads together hold at most AGENT_UNREAD bytes that pt has not read. pt gives
 * back the memory of what it has read. */
static COLD void wait_in_crowd(struct agent_thread *t, u32 n)
{
	if (t->head - t->tail <= AGENT_UNREAD / n)
		return;
	__atomic_store_n(&t->hurry, 1, __ATOMIC_RELEASE);
	wait_for(t, t->head - AGENT_UNREAD / n);
}

void ring_check(struct agent_thread *t, u64 ip)
{
	u32 n = __atomic_load_n(&t->shared->taken, __ATOMIC_RELAXED);
	u64 at;

	ring_write(t, SLOW_STAMP, ip, 0, 0);
	/* The next cache lines belong to pt's processor, which read them in the last round. */
	for (at = t->ring; at < t->limit; at += 64)
		asm volatile("prefetchw (%0)" : : "r" (at));
	if (n > AGENT_CROWD)
		wait_in_crowd(t, n);
}

COLD void ring_open(struct agent_thread *t)
{
	t->ring = (u64)t->ring_start;
	t->base = t->head = 0;
	ring_forget_calls(t);
	t->forgot = -(u64)t->shared->psb_every;
	set_limit(t);
}

u64 ring_target(const struct agent_thread *t)
{
	return get64((void *)(t->ring - 7));
}
