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

enum { NR_MADVISE = 28, DONTDUMP = 16 };
enum { PUSHF = 0x9c, POPF = 0x9d, IRET = 0xcf, DATA_64 = 0x2b };
enum { TF = 1 << 8, AC = 1 << 18, SETTABLE = 0x244dd5, FIXED = 0x202 };	/* EFLAGS */

_Static_assert(offsetof(struct agent_thread, self) == T_SELF, "T_SELF");
_Static_assert(offsetof(struct agent_thread, ring) == T_RING, "T_RING");
_Static_assert(offsetof(struct agent_thread, r11) == T_R11, "T_R11");
_Static_assert(offsetof(struct agent_thread, spill) == T_SPILL, "T_SPILL");
_Static_assert(offsetof(struct agent_thread, inside) == T_INSIDE, "T_INSIDE");
_Static_assert(offsetof(struct agent_thread, deferred) == T_DEFERRED, "T_DEFERRED");
_Static_assert(offsetof(struct agent_thread, mask) == T_MASK, "T_MASK");
_Static_assert(offsetof(struct agent_thread, next_r11) == T_NEXT_R11, "T_NEXT_R11");
_Static_assert(offsetof(struct agent_thread, parent) == T_PARENT, "T_PARENT");
_Static_assert(offsetof(struct agent_thread, away) == T_AWAY, "T_AWAY");
_Static_assert(offsetof(struct agent_thread, asked) == T_ASKED, "T_ASKED");
_Static_assert(offsetof(struct agent_thread, frame) == T_FRAME, "T_FRAME");
_Static_assert(offsetof(struct agent_thread, regs) == T_REGS, "T_REGS");
_Static_assert(offsetof(struct agent_thread, regs.flags) == T_FLAGS, "T_FLAGS");
_Static_assert(offsetof(struct agent_thread, gs) == T_GS, "T_GS");
_Static_assert((u32)EXIT_MADE_CALL > EXIT_CHANGED, "kinds");
_Static_assert(AGENT_BLOCK == AGENT_STACK, "AGENT_STACK");
_Static_assert((u32)AGENT_CALLS == TRANSLATE_CALLS, "calls");

static bool is_canonical(u64 ip)
{
	return TRANSLATE_NARROW || (u64)((i64)(ip << 16) >> 16) == ip;
}

/* A POPF that sets the flag AC, by which old programs find an 80486. They read it back at once, by
 * PUSHF: that is done here, too. The processor's flag stays 0. */
static COLD u64 pop_flags(struct agent_thread *t, u64 ip)
{
	u64 *r = t->regs.r, size = TRANSLATE_NARROW ? 4 : 8, flags = 0;
	u8 next = 0;

	if (!sys_read(&flags, r[RSP], size) || flags & TF)
		return agent_refuse(t, ip, AGENT_ODD);
	t->regs.flags = flags & ~AC;
	sys_read(&next, ++ip, 1);
	if (next != PUSHF) {
		r[RSP] += size;
		return agent_at(t, ip);
	}
	flags = (flags & SETTABLE) | FIXED;
	sys_write(r[RSP], &flags, size);
	return agent_at(t, ip + 1);
}

/* IRETQ to 64-bit code. Wine starts its threads by it. */
static COLD u64 iret(struct agent_thread *t, u64 ip)
{
	struct { u64 ip, cs, flags, sp, ss; } frame;

	/* The upper bits of the segments are ignored. */
	if (!sys_read(&frame, t->regs.r[RSP], sizeof(frame)) || (u16)frame.cs != CODE_64 ||
	    (u16)frame.ss != DATA_64 || frame.flags & TF || !is_canonical(frame.ip))
		return agent_refuse(t, ip, AGENT_ODD);
	t->regs.flags = (frame.flags & SETTABLE & ~AC) | FIXED;
	t->regs.r[RSP] = frame.sp;
	ring_write(t, SLOW_FAR, frame.ip, 0, 0);
	return agent_at(t, frame.ip);
}

/* A software interrupt runs in the program's own code and faults there, except a system call of
 * 32-bit programs. */
static COLD u64 odd(struct agent_thread *t, u64 ip)
{
	u8 code[2] = { 0 };

	sys_read_code(t->agent, code, ip, 1);
	if (*code == POPF)
		return pop_flags(t, ip);
	if (code[0] == 0xcd || code[0] == 0x48)
		sys_read_code(t->agent, code, ip, 2);
	if (code[0] == 0xcd && code[1] != 0x80)
		return enter_to(t, ip, 0);
	if (!TRANSLATE_NARROW && code[0] == 0x48 && code[1] == IRET)
		return iret(t, ip);
	if (TRANSLATE_NARROW && calls_clears_fs(t, ip))
		return agent_at(t, ip + (code[0] == 0x66) + 2);
	return agent_refuse(t, ip, AGENT_ODD);
}

static u64 branch(struct agent_thread *t, struct translate_exit *x)
{
	u64 to, ip = x->ip;

	agent_fetch(ip);
	if (agent_is_out(t))
		return enter_out(t, ip);
	agent_lock(t->agent);
	to = cache_link(t, x);
	agent_unlock(t->agent);
	return enter_to(t, ip, to);
}

/* The thread continues in the block whose check it was in, without a lookup. If the block's code
 * has changed meanwhile, the thread was inside before that (see guard.c). A block that compares is
 * looked up, so that it is noticed if its code does not change any more. */
static u64 check(struct agent_thread *t, const struct translate_exit *x)
{
	ring_check(t, x->ip);
	if (x->checked)
		cache_sample(t->agent, x->ip);
	if (x->checked || agent_is_out(t) || t->epoch != t->agent->epoch)
		return agent_at(t, x->ip);
	return enter_to(t, x->ip, (u64)x + x->patch);
}

/* An indirect branch to a target that is not in the table. */
static u64 miss(struct agent_thread *t)
{
	u64 ip = ring_target(t), from, to;

	agent_fetch(ip);
	from = is_canonical(ip) ? 0 : undo_branch(t);
	if (from)		/* it faults in the program's own code */
		return agent_is_out(t) ? enter_out(t, from) : enter_to(t, from, 0);
	if (agent_is_out(t))
		return enter_out(t, ip);
	agent_lock(t->agent);
	to = cache_target(t, ip);
	agent_unlock(t->agent);
	return enter_to(t, ip, to);
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
			return enter_out(t, ip);
		cache_leave(t);
		return syscalls_make(t, ip);
	case EXIT_MADE_CALL:
		return syscalls_made(t);
	case EXIT_ODD:
		return odd(t, ip);
	case EXIT_XBEGIN:
		t->regs.r[RAX] = 0;
		return enter_after(t, ip, ip + x->patch);
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
	sys_try(NR_MADVISE, (u64)t->shared, agent_size(t->shared), DONTDUMP, 0);
	t->shared->taken = MAX(t->shared->taken, 1u);
	if (a) {
		a->shared = t->shared;
		a->n_slots = t->shared->n_slots;
		a->stack = t->regs.r[RSP];
		a->in.out = a->joined = joins;
		if (CONFIG_SOFT_AGAIN)
			a->in.magic = AGENT_MAGIC;
		a->fresh = !a->joined;
		if (joins)
			sys_use_keys(a);
		a->less = a->shared->flags & AGENT_SMALL ? 3 : 0;
		t->space = a->space = __atomic_add_fetch(&a->shared->spaces, 1,
							 __ATOMIC_RELAXED);
	}
	if (!a || !cache_open(a, t->regs.ip)) {
		t->away = 1;
		return agent_refuse(t, t->regs.ip, AGENT_ROOM);
	}
	a->mute = t->limits & AGENT_MUTE;
	t->agent = a;
	t->shared->space = (u64)a;
	return joins ? enter_out(t, t->regs.ip) : agent_continue(t);
}

/* Let all threads into the cache; the others are stopped. If pt dies, they run: then either all
 * enter, or none. The handlers are needed before the first one enters. */
COLD void agent_open(struct agent_thread *t)
{
	struct agent *a = t->agent;

	handlers_adopt(a);
	if (!enter_decide(a, 0))
		handlers_give_back(a);
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

/* pt died before it could take the thread. */
COLD u64 agent_back(struct agent_thread *t)
{
	t->inside = 1;		/* it may have given itself to pt in agent_signal */
	t->asked = 0;
	if (agent_is_out(t))
		return enter_out(t, t->regs.ip);
	masks_hide(t);
	t->call_ip = 0;
	ring_write(t, SLOW_ON, t->regs.ip, 0, 0);
	return agent_at(t, t->regs.ip);
}
