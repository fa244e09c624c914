/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a thread continues: in the cache, or in the program's own code.
 *
 * Emitted code, system calls and signals end here, with the address of the program at which the
 * thread continues.
 */
#include "own.h"

#define VSYSCALL 0xffffffffff600000ULL

/* The agent is closed, and will be open (0) or never open (AGENT_NEVER). False if another thread
 * has already decided the other. */
COLD bool enter_decide(struct agent *a, u32 out)
{
	u32 closed = 1;

	return __atomic_compare_exchange_n(&a->in.out, &closed, out, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* Continue in the program's own code. The thread keeps the agent's %gs, unless the program uses %gs
 * itself. If pt died before the agent was open, no thread may enter any more, since this one is
 * out. */
COLD u64 enter_out(struct agent_thread *t, u64 ip)
{
	if (t->agent && !t->asked)
		enter_decide(t->agent, AGENT_NEVER);
	cache_leave(t);
	masks_show(t);
	t->away = t->gs && t->shared->flags & AGENT_FSGSBASE ? AGENT_OWN_GS : 1;
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
COLD u64 enter_after(struct agent_thread *t, u64 from, u64 to)
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
	return enter_after(t, ip, to);
}

/* There is no code at 'ip': continue there outside of the cache, so that the program gets the fault
 * that it would get without pt. There is no trace until a signal comes. */
static COLD u64 go_astray(struct agent_thread *t, u64 ip)
{
	u64 to = is_kernel_call(ip) ? kernel_call(t, ip) : 0;

	if (to)
		return to;
	if (t->no_room) {
		u32 why = t->no_room;

		t->no_room = AGENT_CAN;
		return agent_refuse(t, ip, why);
	}
	ring_write(t, SLOW_INTERRUPT, ip, 0, 0);
	cache_leave(t);
	t->away = 1;
	t->regs.ip = ip;
	t->next_r11 = TRANSLATE_NARROW ? 0 : t->regs.r[R11];
	return own_code(ip);
}

/* Continue in the cache at 'to', if that is not 0: in a block after its check. So the check is made
 * here. A loop of code that is not linked (see link() in cache.c) comes here for each of its
 * branches, and would write beyond its ring. And if another thread has changed code while this one
 * waited for the lock, a stamp must come before what this one executes of it. */
u64 enter_to(struct agent_thread *t, u64 ip, u64 to)
{
	if (!to)
		return go_astray(t, ip);
	if (t->ring >= t->limit)
		ring_check(t, ip);
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
	cache_leave(t);
	t->regs.ip = ip;
	__atomic_store_n(&t->refused, why, __ATOMIC_RELEASE);
	while (!may_go_on(t))
		sys_wait(&t->asked, 0, 1000000);
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

u64 agent_at(struct agent_thread *t, u64 ip)
{
	u64 to;

	if (agent_is_out(t))
		return enter_out(t, ip);
	agent_lock(t->agent);
	to = cache_entry(t, ip);
	agent_unlock(t->agent);
	return enter_to(t, ip, to);
}

COLD void agent_leave(struct agent *a)
{
	agent_lock(a);		/* if pt dies, other threads run, and may hit guards */
	__atomic_store_n(&a->in.out, 1, __ATOMIC_SEQ_CST);
	handlers_give_back(a);
	guard_open(a, 0, ~0ULL);
	agent_unlock(a);
}

COLD u64 agent_continue(struct agent_thread *t)
{
	if (agent_is_out(t))
		return enter_out(t, t->regs.ip);
	masks_hide(t);
	ring_open(t);
	ring_write(t, SLOW_ON, t->regs.ip, 0, 0);
	return agent_at(t, t->regs.ip);
}
