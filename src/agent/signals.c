/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals: the program sees the same frames as without the agent.
 *
 * The kernel calls agent_signal() instead of each handler of the program, with the program's flags
 * and restorer (see handlers.c). Thus it builds the frame, on the correct stack. Registers in the
 * frame that belong to the cache are replaced by the program's; then the program's handler is
 * entered, translated. For rt_sigreturn() the frame is changed back, so that the kernel returns
 * into the cache.
 *
 * The signal may interrupt
 *
 *	the cache           cache_find() finds the program's registers
 *	agent_make_call     a system call is about to be made, or will be made again
 *	agent_made_call     ... has been made
 *	agent_restored ...  the registers are in the thread's block
 *	other agent code    it is busy: the signal is queued again, and comes when the agent is left
 *	the program itself  if the agent let it run, because there is no code to translate
 *
 * A 32-bit program gets other frames, which frames_32.c makes of the kernel's.
 */
#include <pt/config/SOFT_FILTERS.h>

#include "own.h"

enum { NR_SIGACTION = 13, NR_SIGPROCMASK = 14, NR_GETPID = 39, NR_GETTID = 186, NR_TGKILL = 234,
       NR_QUEUE = 297, NR_QUEUE_ALL = 129 };
enum { NR_PRCTL_ARCH = 158, GET_FS = 0x1003, GET_GS = 0x1004 };
enum { ILL = 4, TRAP, BUS = 7, FPE, SEGV = 11, PIPE = 13, CHLD = 17, XFSZ = 25, IO = 29, SYS = 31 };
enum { SI_USER = 0, SI_KERNEL = 0x80, SI_QUEUE = -1, OWN_CODE = 0x70740000, OWN_MASK = 0x7fff0000 };
enum { SEGV_ACCERR = 2, TRAP_TRACE = 2, EFAULT = 14 };
enum { SA_SIGINFO = 4, SA_NODEFER = 0x40000000, SA_RESETHAND = 0x80000000 };
enum { SIGSET = 8, SETMASK = 2 };
enum { FLAGS_AT_HANDLER = ~(1 << 8 | 1 << 10 | 1 << 16) };	/* TF, DF, RF */

/* The place of each register in a frame, by register number. */
static const u8 greg[16] = {
	G_RAX, G_RCX, G_RDX, G_RBX, G_RSP, G_RBP, G_RSI, G_RDI,
	G_R8, G_R9, G_R10, G_R11, G_R12, G_R13, G_R14, G_R15,
};

/* The frame. */

/* Replace the registers of emitted code by the program's. The frame's RIP is in the cache. */
static bool mend_cache(struct agent_thread *t, u64 *g)
{
	struct translate_state s;
	u64 pointer, *saved;

	if (!cache_find(t->agent, g[G_RIP], &s))
		return false;
	if (s.ip == TRANSLATE_EXIT)
		s.ip = translate_left(g[G_RIP], t->spill[3])->ip;
	if (s.swapped == 2)
		s.ip = ((struct translate_exit *)g[G_R11])->ip;
	pointer = s.swapped ? t->ring : g[G_R11];
	if (!s.swapped || s.swapped == 2)
		g[G_R11] = t->r11;
	memset((u8 *)pointer + s.pending - s.zeros, REC_NOT_TAKEN, s.zeros);
	if (s.late)
		*(u8 *)(pointer + s.pending++) = s.late - 1;
	t->ring = pointer + s.pending;
	if (s.ip == TRANSLATE_RCX || s.ip == TRANSLATE_RDX) {
		*(u8 *)t->ring = REC_INDIRECT;
		set64((u8 *)t->ring + 1, g[s.ip == TRANSLATE_RCX ? G_RCX : G_RDX]);
		t->ring += 8;
		s.ip = TRANSLATE_LAST;
	}
	saved = s.scratch ? (u64 *)(pointer + s.scratch) : t->spill;
	if (s.spilled)
		g[greg[s.spilled - 1]] = saved[0];
	if (s.second)
		g[greg[s.second - 1]] = saved[1];
	if (TRANSLATE_NARROW && s.held)
		g[greg[s.held - 1]] = g[G_R13];
	g[G_RSP] -= s.sp;
	g[G_RIP] = s.ip == TRANSLATE_LAST ? ring_target(t) : s.ip;
	/* A call or return may have been executed in part. */
	ring_forget_calls(t);
	return true;
}

/* The same at the agent's system call instruction, or after it. If pt has 'stopped' other threads,
 * one of them may hold the lock. */
static void mend_call(struct agent_thread *t, u64 *g, bool stopped)
{
	bool before = g[G_RIP] == OWN_ENTRY(agent_make_call);
	u32 i;

	for (i = 0; i < 16 && !before; i++)
		t->regs.r[i] = g[greg[i]];
	if (!before && (stopped ? (i64)g[G_RAX] == -EFAULT : !syscalls_over(t))) {
		before = true;
		g[G_RAX] = t->call_nr;
	}
	g[G_RIP] = t->call_ip - (before ? 2 : 0);
	if (TRANSLATE_NARROW)
		return;
	if (before && g[G_R11] == t->next_r11)
		g[G_R11] = t->r11;
	else
		g[G_RCX] = t->call_ip;
}

static void mend_left(struct agent_thread *t, u64 *g)
{
	u32 i;

	for (i = 0; i < 16; i++)
		g[greg[i]] = t->regs.r[i];
	g[G_RIP] = t->regs.ip;
	g[G_FLAGS] = t->regs.flags;
}

/* An rt_sigreturn() was not yet made: restore its frame. */
static void undo_return(struct agent_thread *t, u64 sp)
{
	struct ucontext *uc = (struct ucontext *)sp;

	uc->g[G_RIP] = t->back_ip;
	uc->g[G_R11] = t->back_r11;
	uc->mask |= t->segv;
	t->segv = t->segv_was;
}

/* Record that the program is interrupted at 'ip'. In a system call, pt ignores this. But an
 * rt_sigreturn() that is not made is recorded already: what it returns to is interrupted before the
 * first instruction. */
static void interrupted(struct agent_thread *t, enum agent_kind kind, u64 ip)
{
	if (!t->away)
		ring_write(t, kind, t->back_ip ? t->back_ip : ip, 0, 0);
	t->call_ip = t->back_ip = 0;
	cache_leave(t);
}

/* Replace the registers in the frame by the program's. t->back_ip remains if an rt_sigreturn() was
 * not made. */
static void mend(struct agent_thread *t, u64 *g, bool stopped)
{
	u64 ip = g[G_RIP];
	bool called;

	if (ip >= (u64)agent_restored && ip < (u64)agent_left) {
		t->deferred = 0;	/* it was delivered: signals are not deferred now */
		mend_left(t, g);
		called = t->call_ip && t->regs.ip == t->call_ip - 2;
	} else if (ip == OWN_ENTRY(agent_make_call) || ip == OWN_ENTRY(agent_made_call)) {
		mend_call(t, g, stopped);
		called = true;
	} else {
		mend_cache(t, g);
		called = false;
	}
	if (!called)
		t->back_ip = 0;
	if (t->back_ip)
		undo_return(t, g[G_RSP]);
}

/* Change the address in a siginfo if it is one of code. */
static void mend_info(struct agent_thread *t, struct siginfo *info, u64 was, u64 ip)
{
	if (info->code > 0 && info->addr == was && was != ip)
		info->addr = ip;
}

/* pt stopped the thread, and has put its registers into t->regs. */
void signals_locate(struct agent_thread *t)
{
	u64 g[N_GREGS];
	u32 i;

	for (i = 0; i < 16; i++)
		g[greg[i]] = t->regs.r[i];
	g[G_RIP] = t->regs.ip;
	g[G_FLAGS] = t->regs.flags;
	mend(t, g, true);
	interrupted(t, SLOW_INTERRUPT, g[G_RIP]);
	for (i = 0; i < 16; i++)
		t->regs.r[i] = g[greg[i]];
	t->regs.ip = g[G_RIP];
	masks_show(t);
}

void signals_give(struct agent_thread *t)
{
	if (TRANSLATE_NARROW && t->frame)
		t->segv = t->segv_was;
	else if (t->back_ip)
		undo_return(t, t->regs.r[RSP]);
	t->frame = 0;
	interrupted(t, SLOW_INTERRUPT, t->regs.ip);
	masks_show(t);
}

/* Taking. */

/* Can it be a fault that the agent caused? */
static bool is_write(u32 sig, const struct siginfo *info, const struct ucontext *uc)
{
	enum { WRITE = 2 };

	return sig == SEGV && info->code == SEGV_ACCERR && uc->g[G_ERROR] & WRITE;
}

/* Handle a fault that the agent caused: a write to a page that it made read-only. The instruction
 * is then executed alone, since it may change the instructions after it. */
static bool take_guard(struct agent_thread *t, u32 sig, const struct siginfo *info,
		       struct ucontext *uc)
{
	struct agent *a = t->agent;
	bool hit;
	u64 to;

	if (!is_write(sig, info, uc))
		return false;
	agent_lock(a);
	hit = guard_hit(a, info->addr);
	t->guarded |= hit;
	if (hit && !t->away) {		/* else the instruction is done again as it is */
		mend(t, uc->g, false);
		to = cache_single(t, uc->g[G_RIP]);
		t->r11 = uc->g[G_R11];
		uc->g[G_RIP] = to ? to : uc->g[G_RIP];
		if (TRANSLATE_NARROW && !to)
			set16((u8 *)&uc->g[G_SEGMENTS], CODE_32);
		uc->g[G_R11] = to ? t->ring : t->r11;
	}
	agent_unlock(a);
	return hit;
}

/* The signals that are blocked while the program's handler runs. */
static u64 mask_in_handler(const struct action *act, u32 sig, u64 mask)
{
	return mask | act->mask | (act->flags & SA_NODEFER ? 0 : BIT(sig));
}

static void restore_code(struct siginfo *info)
{
	if (info->code != SI_QUEUE || (info->errno & OWN_MASK) != OWN_CODE)
		return;
	info->code = info->errno & ~OWN_MASK;
	info->errno = 0;
}

/* Was it sent to the process, as far as siginfo tells? Another thread may take it: this one might
 * end now. */
static bool is_for_all(u32 sig, const struct siginfo *info)
{
	const u64 for_one = BIT(ILL) | BIT(TRAP) | BIT(BUS) | BIT(FPE) | BIT(SEGV) | BIT(PIPE) |
			    BIT(XFSZ) | BIT(IO) | BIT(SYS);

	return (sig == CHLD && info->code > 0) ||
	       ((info->code == SI_USER || info->code == SI_KERNEL) && !(for_one & BIT(sig)));
}

/* A thread may send others only codes below 0. Until restore_code(), the code is part of errno. */
static i64 queue_for_all(u64 pid, u32 sig, struct siginfo *info)
{
	i64 err;

	info->errno = info->code | OWN_CODE;
	info->code = SI_QUEUE;
	err = sys_call(NR_QUEUE_ALL, pid, sig, (u64)info, 0, 0, 0);
	restore_code(info);
	return err;
}

static void queue_again(const struct agent_thread *t, u32 sig, struct siginfo *info)
{
	u64 pid = sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0);
	u64 tid = sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0);
	i64 err = 1;

	if (t && is_for_all(sig, info) && !sys_traps(t, NR_QUEUE_ALL))
		err = queue_for_all(pid, sig, info);
	if (err && (!t || !sys_traps(t, NR_QUEUE)))
		err = sys_call(NR_QUEUE, pid, tid, sig, (u64)info, 0, 0);

	if (CONFIG_SOFT_FILTERS && err)		/* a filter forbids it: send it without siginfo */
		sys_call(NR_TGKILL, pid, tid, sig, 0, 0, 0);
}

/* Does the slot belong to this thread, and is it free for a signal at 'ip'? When the agent is
 * closed, pt may be dead. Threads and processes that the program's own code then makes have the %gs
 * of their parent. And this code may be a handler that has interrupted the agent, since the kernel
 * gets the program's handlers back one after the other: then the slot is in use. */
static bool is_own(const struct agent_thread *t, u64 ip)
{
	if (!agent_is_out(t))
		return true;
	return t->tid == (i32)sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0) &&
	       (!t->agent || stretch_at(t->agent, ip) ||
		ip - (u64)agent_text < (u64)(agent_end - agent_text));
}

/* The thread of %gs; NULL if %gs is not the agent's: the thread did not enter, or has left; or if
 * the slot is not its own. The arguments are those of a handler, which is called after this. */
struct agent_thread *signals_thread(u32 sig, void *info, const struct ucontext *uc)
{
	struct agent_shared *s = own_shared();
	const struct agent *a = (const struct agent *)s->space;
	struct agent_thread *t;
	u64 base = 0, slot;

	restore_code(info);
	if (a && a->mute && !(s->flags & AGENT_FSGSBASE)) {
		/* It may not ask. But as long as pt has not taken all threads out, it has that of
		 * the agent. */
		if (a->in.out)
			return NULL;
		base = (u64)sys_self();
	} else if (!(s->flags & AGENT_FSGSBASE))
		sys_call(NR_PRCTL_ARCH, TRANSLATE_NARROW ? GET_FS : GET_GS, (u64)&base, 0, 0, 0,
			 0);
	else if (TRANSLATE_NARROW)
		asm volatile("rdfsbase %0" : "=r"(base));
	else
		asm volatile("rdgsbase %0" : "=r"(base));
	slot = base - (u64)s - s->slots;
	t = (struct agent_thread *)base;
	return slot < (u64)s->n_slots * s->slot_size && is_own(t, uc->g[G_RIP]) ? t : NULL;
}

/* SIGSEGV, and the program has no handler: it must die like without the agent. But if another
 * process sent the signal, the program may ignore it. */
static u64 die(const struct agent_thread *t, const struct action *act, u32 sig,
	       struct siginfo *info)
{
	struct action none = { 0 };

	if (info->code <= 0 && act->handler)
		return 0;
	sys_call(NR_SIGACTION, sig, (u64)&none, 0, SIGSET, 0, 0);
	if (info->code <= 0)
		queue_again(t, sig, info);
	return 0;
}

/* Does the signal come from an INT3 or INT1? These were executed when the kernel was entered. (The
 * siginfo may be missing.) */
static bool is_int3(const struct agent *a, u32 sig, u64 ip)
{
	enum { INT3 = 0xcc, INT1 = 0xf1 };
	u8 was;

	if (sig != TRAP || !(ip % PAGE))
		return false;
	sys_read_code(a, &was, ip - 1, 1);
	return was == INT3 || was == INT1;
}

/* Returns where to continue; 0: at the interrupted place. */
u64 signals_take(u32 sig, void *info, struct ucontext *uc, u64 sp, struct agent_thread *t)
{
	const struct action *act = &handlers_actions(t)[sig & 127];
	u64 handler = act->handler, was = uc->g[G_RIP], mask;
	/* Read it before frames_make() overwrites it. */
	bool steps = sig == TRAP && ((struct siginfo *)info)->code == TRAP_TRACE, siginfo;
	u32 i;

	if (take_guard(t, sig, info, uc))
		return 0;
	if (sig == SEGV && t->segv && ((struct siginfo *)info)->code <= 0) {
		t->segv_came = 1;
		return 0;
	}
	if (handler <= 1 || (sig == SEGV && t->segv)) {
		t->guarded = 0;
		return die(t, act, sig, info);
	}
	mend(t, uc->g, false);
	mend_info(t, info, was, uc->g[G_RIP]);
	mask = t->call_ip && uc->g[G_RIP] == t->call_ip ? syscalls_mask(t, uc->mask) : uc->mask;
	interrupted(t, is_int3(t->agent, sig, uc->g[G_RIP]) ? SLOW_OFF : SLOW_INTERRUPT,
		    uc->g[G_RIP]);
	for (i = 0; i < 16; i++)
		t->regs.r[i] = uc->g[greg[i]];
	t->regs.flags = uc->g[G_FLAGS] & FLAGS_AT_HANDLER;
	uc->mask |= t->segv;
	if (TRANSLATE_NARROW) {
		u32 *frame = (u32 *)frames_make(t->agent, act, sig, info, uc, sp);

		siginfo = act->flags & SA_SIGINFO;
		t->regs.r[RAX] = sig;
		t->regs.r[RDX] = siginfo ? frame[2] : 0;
		t->regs.r[RCX] = siginfo ? frame[3] : 0;
		t->regs.r[RSP] = (u64)frame;
	} else {
		t->regs.r[RAX] = 0;
		t->regs.r[RDI] = sig;
		t->regs.r[RSI] = (u64)info;
		t->regs.r[RDX] = (u64)uc;
		t->regs.r[RSP] = sp;
	}
	masks_set(t, mask_in_handler(act, sig, mask));
	/* The program steps itself: in the cache, these would be other instructions. */
	if (steps)
		return agent_refuse(t, handler, AGENT_STEPS);
	ring_write(t, SLOW_ON, handler, 0, 0);
	return agent_at(t, handler);
}

u64 signals_out(u32 sig, void *info, struct ucontext *uc)
{
	u64 mask;
	u32 *to = NULL;
	const struct siginfo *i = info;
	struct agent *a = (struct agent *)own_shared()->space;
	bool hit = false;

	if (is_write(sig, info, uc)) {
		agent_lock_by(a, ~0u);
		hit = guard_hit(a, i->addr);
		agent_unlock(a);
	}
	if (hit)
		return 0;
	if (a->actions[sig & 127].handler <= 1)
		return die(NULL, &a->actions[sig & 127], sig, info);
	mask = mask_in_handler(&a->actions[sig & 127], sig, uc->mask);
	if (TRANSLATE_NARROW) {
		to = (u32 *)frames_make(a, &a->actions[sig & 127], sig, info, uc,
					(u64)uc - 8) - 2;
		to[0] = a->actions[sig & 127].handler;
		to[1] = CODE_32;
	}
	sys_call(NR_SIGPROCMASK, SETMASK, (u64)&mask, 0, SIGSET, 0, 0);
	return TRANSLATE_NARROW ? (u64)to : a->actions[sig & 127].handler;
}

/* The agent is busy. All signals wait until it is left. */
void signals_defer(u32 sig, void *info, struct ucontext *uc, struct agent_thread *t)
{
	const struct action *action = &handlers_actions(t)[sig & 127];
	u64 ip = uc->g[G_RIP], mask = uc->mask;
	u32 was = t->deferred;

	masks_block(t);
	if (!was)
		t->mask = mask;
	if (action->flags & SA_RESETHAND) {
		struct action again = *action;

		handlers_hook(&again);
		sys_call(NR_SIGACTION, sig, (u64)&again, 0, SIGSET, 0, 0);
	}
	queue_again(t, sig, info);
	uc->mask = ~0ULL;
	if (ip >= (u64)agent_leaving && ip < (u64)agent_restored)
		uc->g[G_RIP] = (u64)agent_leaving;
}
