/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The agent: pt's code in a traced process. It translates the code that the program will execute,
 * makes the program's system calls, and passes on its signals.
 *
 * It has no libc, no static data and no relocations, and never uses the program's stack. Emitted
 * code calls agent_run() for everything that it cannot do itself; the program's registers are then
 * in t->regs.
 */
#include <pt/config/SOFT_AGAIN.h>

#include "own.h"

#define VSYSCALL 0xffffffffff600000ULL

enum { NR_YIELD = 24, NR_MADVISE = 28, NR_FUTEX = 202, DONTDUMP = 16 };

_Static_assert(offsetof(struct agent_thread, self) == T_SELF, "T_SELF");
_Static_assert(offsetof(struct agent_thread, ring) == T_RING, "T_RING");
_Static_assert(offsetof(struct agent_thread, r11) == T_R11, "T_R11");
_Static_assert(offsetof(struct agent_thread, spill) == T_SPILL, "T_SPILL");
_Static_assert(offsetof(struct agent_thread, inside) == T_INSIDE, "T_INSIDE");
_Static_assert(offsetof(struct agent_thread, deferred) == T_DEFERRED, "T_DEFERRED");
_Static_assert(offsetof(struct agent_thread, mask) == T_MASK, "T_MASK");
_Static_assert(offsetof(struct agent_thread, next_r11) == T_NEXT_R11, "T_NEXT_R11");
_Static_assert(offsetof(struct agent_thread, parent) == T_PARENT, "T_PARENT");
_Static_assert(offsetof(struct agent_thread, asked) == T_ASKED, "T_ASKED");
_Static_assert(offsetof(struct agent_thread, frame) == T_FRAME, "T_FRAME");
_Static_assert(offsetof(struct agent_thread, regs) == T_REGS, "T_REGS");
_Static_assert(offsetof(struct agent_thread, regs.flags) == T_FLAGS, "T_FLAGS");
_Static_assert(AGENT_BLOCK == AGENT_STACK, "AGENT_STACK");
_Static_assert((u32)AGENT_CALLS == TRANSLATE_CALLS, "calls");

void agent_lock(struct agent *a)
{
	u32 i;

	for (i = 1; __atomic_exchange_n(&a->lock, 1, __ATOMIC_ACQUIRE); i++)
		if (i % 64)
			asm volatile("pause");
		else
			sys_call(NR_YIELD, 0, 0, 0, 0, 0, 0);
}

void agent_unlock(struct agent *a)
{
	bool crowded = a->n_old;	/* threads must leave the old epoch, for its memory */

	__atomic_store_n(&a->lock, 0, __ATOMIC_RELEASE);
	if (crowded)
		sys_call(NR_YIELD, 0, 0, 0, 0, 0, 0);
}

bool agent_pt_is_gone(const struct agent_thread *t)
{
	return __atomic_load_n(&t->shared->owner, __ATOMIC_ACQUIRE) & AGENT_OWNER_DIED;
}

/* No thread runs in the cache: pt has not opened the agent yet, or has closed it. */
bool agent_is_out(const struct agent_thread *t)
{
	return !t->agent || __atomic_load_n(&t->agent->in.out, __ATOMIC_SEQ_CST);
}

/* The agent is closed, and will be open (0) or never open (AGENT_NEVER). False if another thread
 * has already decided the other. */
static COLD bool decide(struct agent *a, u32 out)
{
	u32 closed = 1;

	return __atomic_compare_exchange_n(&a->in.out, &closed, out, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* Continue in the program's own code. The thread keeps its %gs. If pt died before the agent was
 * open, no thread may enter any more, since this one is out. */
static COLD u64 go_out(struct agent_thread *t, u64 ip)
{
	if (t->agent && !t->asked)
		decide(t->agent, AGENT_NEVER);
	cache_leave(t);
	signals_show(t);
	t->away = 1;
	t->call_ip = t->back_ip = 0;
	t->regs.ip = ip;
	t->next_r11 = TRANSLATE_NARROW ? 0 : t->regs.r[R11];
	return own_code(ip);
}

/* A call to the vsyscall page, which the kernel emulates for old programs. */
static bool is_kernel_call(u64 ip)
{
	return ip >> 12 == VSYSCALL >> 12 && !(ip & 0x3ff) && (ip & 0xfff) < 0xc00;
}

/* The program is interrupted at 'from', and continues at 'to'. */
static COLD u64 pass(struct agent_thread *t, u64 from, u64 to)
{
	ring_write(t, SLOW_INTERRUPT, from, 0, 0);
	ring_forget_calls(t);
	ring_write(t, SLOW_ON, to, 0, 0);
	return agent_at(t, to);
}

static COLD u64 kernel_call(struct agent_thread *t, u64 ip)
{
	static const u16 calls[] = { 96, 201, 309 };	/* gettimeofday, time, getcpu */
	u64 *r = t->regs.r, to = 0;

	if (!sys_read(&to, r[RSP], sizeof(to)))
		return 0;
	r[RAX] = sys_call(calls[ip >> 10 & 3], r[RDI], r[RSI], r[RDX], 0, 0, 0);
	r[RSP] += 8;
	return pass(t, ip, to);
}

/* There is no code at 'ip': continue there outside of the cache, so that the program gets the fault
 * that it would get without pt. There is no trace until a signal comes. */
static COLD u64 go_astray(struct agent_thread *t, u64 ip)
{
	u64 to = is_kernel_call(ip) ? kernel_call(t, ip) : 0;

	if (to)
		return to;
	if (t->no_room) {
		t->no_room = 0;
		return agent_refuse(t, ip, AGENT_ROOM);
	}
	ring_write(t, SLOW_INTERRUPT, ip, 0, 0);
	cache_leave(t);
	t->away = 1;
	t->regs.ip = ip;
	t->next_r11 = TRANSLATE_NARROW ? 0 : t->regs.r[R11];
	return own_code(ip);
}

/* Continue in the cache at 'to', if that is not 0. */
static u64 go(struct agent_thread *t, u64 ip, u64 to)
{
	if (!to)
		return go_astray(t, ip);
	t->away = 0;
	t->regs.ip = ip;
	t->next_r11 = t->ring;
	return to;
}

static bool may_go_on(const struct agent_thread *t)
{
	return __atomic_load_n(&t->asked, __ATOMIC_ACQUIRE) || agent_pt_is_gone(t) ||
	       !__atomic_load_n(&t->refused, __ATOMIC_ACQUIRE);
}

COLD bool agent_request(struct agent_thread *t, u64 ip, enum agent_refusal why)
{
	u64 time[2] = { 0, 1000000 };

	cache_leave(t);
	t->regs.ip = ip;
	__atomic_store_n(&t->refused, why, __ATOMIC_RELEASE);
	while (!may_go_on(t))
		sys_call(NR_FUTEX, (u64)&t->asked, 0, 0, (u64)time, 0, 0);
	t->refused = AGENT_CAN;
	return !t->asked;
}

COLD u64 agent_refuse(struct agent_thread *t, u64 ip, enum agent_refusal why)
{
	if (!agent_request(t, ip, why))		/* agent_go handles this first */
		return ip;
	if (t->agent)
		agent_leave(t->agent);
	return agent_at(t, ip);
}

/* A software interrupt runs in the program's own code and faults there, except a system call of
 * 32-bit programs. */
static COLD u64 odd(struct agent_thread *t, u64 ip)
{
	const u8 *code = (const u8 *)ip;

	if (code[0] == 0xcd && code[1] != 0x80)
		return go(t, ip, 0);
	if (TRANSLATE_NARROW && calls_clears_fs(t, ip))
		return agent_at(t, ip + (code[0] == 0x66) + 2);
	return agent_refuse(t, ip, AGENT_ODD);
}

u64 agent_at(struct agent_thread *t, u64 ip)
{
	u64 to;

	if (agent_is_out(t))
		return go_out(t, ip);
	agent_lock(t->agent);
	to = cache_entry(t, ip);
	agent_unlock(t->agent);
	return go(t, ip, to);
}

/* A loop of code that is not linked (see link() in cache.c) comes here for each of its branches,
 * and enters blocks after their check. Without this check it would write beyond its ring. */
static void check_if_due(struct agent_thread *t, u64 ip)
{
	if (t->ring >= t->limit)
		ring_check(t, ip);
}

static u64 branch(struct agent_thread *t, struct translate_exit *x)
{
	u64 to, ip = x->ip;

	if (agent_is_out(t))
		return go_out(t, ip);
	check_if_due(t, ip);
	agent_lock(t->agent);
	to = cache_link(t, x);
	agent_unlock(t->agent);
	return go(t, ip, to);
}

/* The thread continues in the block whose check it was in, without a lookup. If the block's code
 * has changed meanwhile, the thread was inside before that (see guard.c). */
static u64 check(struct agent_thread *t, const struct translate_exit *x)
{
	ring_check(t, x->ip);
	if (agent_is_out(t) || t->epoch != t->agent->epoch)
		return agent_at(t, x->ip);
	return go(t, x->ip, (u64)x + x->patch);
}

static bool is_canonical(u64 ip)
{
	return TRANSLATE_NARROW || (u64)((i64)(ip << 16) >> 16) == ip;
}

/* An indirect branch to a target that is not in the table. */
static u64 miss(struct agent_thread *t)
{
	u64 ip = ring_target(t), from, to;

	from = is_canonical(ip) ? 0 : undo_branch(t);
	if (from)		/* it faults in the program's own code */
		return agent_is_out(t) ? go_out(t, from) : go(t, from, 0);
	if (agent_is_out(t))
		return go_out(t, ip);
	check_if_due(t, ip);
	agent_lock(t->agent);
	to = cache_target(t, ip);
	agent_unlock(t->agent);
	return go(t, ip, to);
}

/* 'x' may be freed as soon as the thread has left the cache. */
u64 agent_run(struct agent_thread *t, struct translate_exit *x)
{
	u64 ip = x->ip;

	if (x->kind != EXIT_MADE_CALL)
		t->call_ip = t->back_ip = 0;
	switch (x->kind) {
	case EXIT_BRANCH:
		return branch(t, x);
	case EXIT_CHECK:
		return check(t, x);
	case EXIT_LOST:
		ring_forget_calls(t);
		return miss(t);
	case EXIT_MISS:
		return miss(t);
	case EXIT_CALL:
		if (agent_is_out(t))
			return go_out(t, ip);
		cache_leave(t);
		return syscalls_make(t, ip);
	case EXIT_MADE_CALL:
		return syscalls_made(t);
	case EXIT_ODD:
		return odd(t, ip);
	case EXIT_XBEGIN:
		t->regs.r[RAX] = 0;
		return pass(t, ip, ip + x->patch);
	case EXIT_PTWRITE:
		ring_write(t, SLOW_PTWRITE, ip, t->spill[2], x->checked);
		ip += x->patch;
	}
	return agent_at(t, ip);
}

/* Start the first thread of a program. If pt attached, other threads run already: then this thread
 * gives itself to pt at once, and pt lets all threads in together. */
COLD u64 agent_begin(struct agent_thread *t)
{
	struct agent *a = sys_map(sizeof(*a));
	bool joins = t->asked;		/* pt may ask again while this runs */

	/* Core files would have all slots, also those that are not in use. */
	sys_call(NR_MADVISE, (u64)t->shared, agent_size(t->shared), DONTDUMP, 0, 0, 0);
	t->shared->taken = MAX(t->shared->taken, 1u);
	if (a) {
		a->shared = t->shared;
		a->stack = t->regs.r[RSP];
		a->in.out = a->joined = joins;
		if (CONFIG_SOFT_AGAIN)
			a->in.magic = AGENT_MAGIC;
		a->fresh = !a->joined;
		a->less = a->shared->flags & AGENT_SMALL ? 3 : 0;
		t->space = a->space = __atomic_add_fetch(&a->shared->spaces, 1,
							 __ATOMIC_RELAXED);
	}
	if (!a || !cache_open(a, t->regs.ip)) {
		t->away = 1;
		return agent_refuse(t, t->regs.ip, AGENT_ROOM);
	}
	t->agent = a;
	t->shared->space = (u64)a;
	return joins ? go_out(t, t->regs.ip) : agent_continue(t);
}

/* Let all threads into the cache; the others are stopped. If pt dies, they run: then either all
 * enter, or none. The handlers are needed before the first one enters. */
COLD void agent_open(struct agent_thread *t)
{
	struct agent *a = t->agent;

	signals_adopt(a);
	if (!decide(a, 0))
		signals_give_back(a);
}

COLD void agent_leave(struct agent *a)
{
	agent_lock(a);		/* if pt dies, other threads run, and may hit guards */
	__atomic_store_n(&a->in.out, 1, __ATOMIC_SEQ_CST);
	signals_give_back(a);
	guard_open(a, 0, ~0ULL);
	agent_unlock(a);
}

/* Let no thread into the cache any more. If pt died, all threads continue translated, unless
 * another pt takes them out. */
COLD void agent_close(struct agent_thread *t)
{
	if (t->agent && (!agent_pt_is_gone(t) || (CONFIG_SOFT_AGAIN && t->asked == AGENT_CLOSE)))
		agent_leave(t->agent);
}

/* Free the agent's memory. All other threads are in the program's own code. */
COLD void agent_drop(struct agent_thread *t)
{
	struct agent *a = t->agent;

	t->agent = NULL;
	if (!a)
		return;
	cache_close(a);
	sys_unmap(a, sizeof(*a));
}

COLD u64 agent_continue(struct agent_thread *t)
{
	if (agent_is_out(t))
		return go_out(t, t->regs.ip);
	signals_hide(t);
	ring_open(t);
	ring_write(t, SLOW_ON, t->regs.ip, 0, 0);
	return agent_at(t, t->regs.ip);
}

/* pt died before it could take the thread. */
COLD u64 agent_back(struct agent_thread *t)
{
	t->inside = 1;		/* it may have given itself to pt in agent_signal */
	t->asked = 0;
	if (agent_is_out(t))
		return go_out(t, t->regs.ip);
	signals_hide(t);
	t->call_ip = 0;
	ring_write(t, SLOW_ON, t->regs.ip, 0, 0);
	return agent_at(t, t->regs.ip);
}
