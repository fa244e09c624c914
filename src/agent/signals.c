/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals: the program sees the same frames as without the agent.
 *
 * The kernel gets agent_signal() for each handler of the program, with the program's flags, mask
 * and restorer. Thus the kernel builds the frame, on the correct stack. Registers in the frame that
 * belong to the cache are replaced by the program's; then the program's handler is entered,
 * translated. For rt_sigreturn() the frame is changed back, so that the kernel returns into the
 * cache.
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
 *
 * SIGSEGV is never blocked, since the kernel kills a thread that writes to a guarded page
 * meanwhile. If the program blocks it, t->segv is set, and the masks that it reads contain it.
 */
#include <pt/config/SOFT_FILTERS.h>

#include "own.h"

enum { NR_SIGACTION = 13, NR_SIGPROCMASK = 14, NR_GETPID = 39, NR_GETTID = 186, NR_QUEUE = 297 };
enum { NR_TGKILL = 234, SIG_BLOCK = 0, SIG_UNBLOCK = 1 };
enum { NR_PRCTL_ARCH = 158, GET_FS = 0x1003, GET_GS = 0x1004 };
enum { SEGV_ACCERR = 2, SA_RESTORER = 0x04000000, SA_NODEFER = 0x40000000 };
enum { EFAULT = 14, EINVAL = 22, TRAP_TRACE = 2 };
enum { SIGKILL = 9, SIGSTOP = 19 };
enum { TRAP = 5, SEGV = 11, SA_SIGINFO = 4, SA_RESETHAND = 0x80000000, SIGSET = 8, SETMASK = 2 };
enum { FLAGS_AT_HANDLER = ~(1 << 8 | 1 << 10 | 1 << 16) };	/* TF, DF, RF */

/* The place of each register in a frame, by register number. */
static const u8 greg[16] = {
	G_RAX, G_RCX, G_RDX, G_RBX, G_RSP, G_RBP, G_RSI, G_RDI,
	G_R8, G_R9, G_R10, G_R11, G_R12, G_R13, G_R14, G_R15,
};

void signals_block(struct agent_thread *t)
{
	u64 all = ~0ULL, old;

	sys_call(NR_SIGPROCMASK, SETMASK, (u64)&all, (u64)&old, SIGSET, 0, 0);
	if (!t->deferred)
		t->mask = old;
	t->deferred = 1;
}

/* The frame. */

/* Replace the registers of emitted code by the program's. The frame's RIP is in the cache. */
static bool mend_cache(struct agent_thread *t, u64 *g)
{
	struct translate_state s;
	u64 pointer, *saved;

	if (!cache_find(t->agent, g[G_RIP], &s))
		return false;
	if (s.swapped == 2 && !s.ip)
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
	if (s.rdx)
		g[G_RDX] = saved[1];
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
	bool before = g[G_RIP] == (u64)agent_make_call;
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
	} else if (ip == (u64)agent_make_call || ip == (u64)agent_made_call) {
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
	signals_show(t);
}

void signals_give(struct agent_thread *t)
{
	if (TRANSLATE_NARROW && t->frame)
		t->segv = t->segv_was;
	else if (t->back_ip)
		undo_return(t, t->regs.r[RSP]);
	t->frame = 0;
	interrupted(t, SLOW_INTERRUPT, t->regs.ip);
	signals_show(t);
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

/* The agent's handler always gets a siginfo: without this flag the kernel writes none. While
 * the handler runs, all signals are blocked. */
static void hook(struct action *act)
{
	act->handler = (u64)agent_signal;
	act->flags |= SA_SIGINFO;
	if (TRANSLATE_NARROW) {
		act->flags |= SA_RESTORER;
		act->restorer = (u64)agent_restorer;
	}
	act->mask = ~0ULL;
}

/* The signals that are blocked while the program's handler runs. */
static u64 mask_in_handler(const struct action *act, u32 sig, u64 mask)
{
	return mask | act->mask | (act->flags & SA_NODEFER ? 0 : BIT(sig));
}

static void queue_again(u32 sig, const struct siginfo *info)
{
	u64 pid = sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0);
	u64 tid = sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0);
	i64 err = sys_call(NR_QUEUE, pid, tid, sig, (u64)info, 0, 0);

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
 * the slot is not its own. The arguments are those of a handler. */
struct agent_thread *signals_thread(u32 sig, void *info, const struct ucontext *uc)
{
	struct agent_shared *s = (struct agent_shared *)AGENT_SHARED_AT;
	struct agent_thread *t;
	u64 base = 0, slot;

	if (!(s->flags & AGENT_FSGSBASE))
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
static u64 die(const struct action *act, u32 sig, const struct siginfo *info)
{
	struct action none = { 0 };

	if (info->code <= 0 && act->handler)
		return 0;
	sys_call(NR_SIGACTION, sig, (u64)&none, 0, SIGSET, 0, 0);
	if (info->code <= 0)
		queue_again(sig, info);
	return 0;
}

/* Does the signal come from an INT3 or INT1? These were executed when the kernel was entered. (The
 * siginfo may be missing.) */
static bool is_int3(u32 sig, u64 ip)
{
	enum { INT3 = 0xcc, INT1 = 0xf1 };

	return sig == TRAP && ip % PAGE &&
	       (*(const u8 *)(ip - 1) == INT3 || *(const u8 *)(ip - 1) == INT1);
}

/* The program's mask will be 'mask' when the agent is left. Signals may come here; they do not
 * change t->mask if t->deferred is set. */
static void set_mask(struct agent_thread *t, u64 mask)
{
	__atomic_store_n(&t->deferred, 1, __ATOMIC_SEQ_CST);
	t->mask = mask & ~BIT(SEGV);
	t->segv = mask & BIT(SEGV);
}

/* Returns where to continue; 0: at the interrupted place. */
u64 signals_take(u32 sig, void *info, struct ucontext *uc, u64 sp, struct agent_thread *t)
{
	const struct action *act = &signals_actions(t)[sig & 127];
	u64 handler = act->handler, was = uc->g[G_RIP];
	bool siginfo;
	u32 i;

	if (take_guard(t, sig, info, uc))
		return 0;
	if (sig == SEGV && t->segv && ((struct siginfo *)info)->code <= 0) {
		t->segv_came = 1;
		return 0;
	}
	if (handler <= 1 || (sig == SEGV && t->segv))
		return die(act, sig, info);
	mend(t, uc->g, false);
	mend_info(t, info, was, uc->g[G_RIP]);
	interrupted(t, is_int3(sig, uc->g[G_RIP]) ? SLOW_OFF : SLOW_INTERRUPT, uc->g[G_RIP]);
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
	set_mask(t, mask_in_handler(act, sig, uc->mask));
	/* The program steps itself: in the cache, these would be other instructions. */
	if (sig == TRAP && ((struct siginfo *)info)->code == TRAP_TRACE)
		return agent_refuse(t, handler, AGENT_STEPS);
	ring_write(t, SLOW_ON, handler, 0, 0);
	return agent_at(t, handler);
}

u64 signals_out(u32 sig, void *info, struct ucontext *uc)
{
	u64 mask;
	u32 *to = NULL;
	const struct siginfo *i = info;
	struct agent *a = (struct agent *)((struct agent_shared *)AGENT_SHARED_AT)->space;
	bool hit = false;

	if (is_write(sig, info, uc)) {
		agent_lock(a);
		hit = guard_hit(a, i->addr);
		agent_unlock(a);
	}
	if (hit)
		return 0;
	if (a->actions[sig & 127].handler <= 1)
		return die(&a->actions[sig & 127], sig, info);
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
	const struct action *action = &signals_actions(t)[sig & 127];
	u64 ip = uc->g[G_RIP], mask = uc->mask;
	u32 was = t->deferred;

	signals_block(t);
	if (!was)
		t->mask = mask;
	if (action->flags & SA_RESETHAND) {
		struct action again = *action;

		hook(&again);
		sys_call(NR_SIGACTION, sig, (u64)&again, 0, SIGSET, 0, 0);
	}
	queue_again(sig, info);
	uc->mask = ~0ULL;
	if (ip >= (u64)agent_leaving && ip < (u64)agent_restored)
		uc->g[G_RIP] = (u64)agent_leaving;
}

/* Calls. */

/* rt_sigreturn(): the kernel returns into the cache. */
u64 signals_return(struct agent_thread *t, u64 ip)
{
	struct ucontext *uc = (struct ucontext *)t->regs.r[RSP];
	u64 back = uc->g[G_RIP], to;

	ring_write(t, SLOW_OFF, ip, 0, 0);
	ring_write(t, SLOW_ON, back, 0, 0);
	to = agent_at(t, back);
	t->call_ip = ip + 2;
	t->back_ip = back;
	t->back_r11 = uc->g[G_R11];
	t->segv_was = t->segv;
	t->segv = uc->mask & BIT(SEGV);
	uc->mask -= t->segv;
	t->regs.ip = ip;
	t->regs.r[R11] = uc->g[G_R11];
	uc->g[G_RIP] = to;
	uc->g[G_R11] = t->next_r11;
	return (u64)agent_make_call;
}

static u64 change_mask(u64 how, u64 set)
{
	u64 old = 0;

	sys_call(NR_SIGPROCMASK, how, (u64)&set, (u64)&old, SIGSET, 0, 0);
	return old;
}

void signals_hide(struct agent_thread *t)
{
	u64 old = t->deferred ? t->mask : change_mask(SIG_UNBLOCK, BIT(SEGV));

	t->mask &= ~BIT(SEGV);
	t->segv |= old & BIT(SEGV);
}

void signals_show(struct agent_thread *t)
{
	if (t->deferred)
		t->mask |= t->segv;
	else if (t->segv)
		change_mask(SIG_BLOCK, t->segv);
	t->segv = 0;
}

/* rt_sigprocmask() */
void signals_mask(struct agent_thread *t)
{
	u64 new = syscalls_arg(t, 1), old = syscalls_arg(t, 2), size = syscalls_arg(t, 3);
	u64 *r = t->regs.r, set = 0, was = change_mask(SIG_BLOCK, 0);
	u32 how = new ? syscalls_arg(t, 0) : SIG_BLOCK;

	was = (t->deferred ? t->mask : was) | t->segv;
	r[RAX] = (u64)-EINVAL;
	if ((size != SIGSET && !TRANSLATE_NARROW) || how > SETMASK)
		return;
	r[RAX] = (u64)-EFAULT;
	if (new && !sys_read(&set, new, TRANSLATE_NARROW ? size : sizeof(set)))
		return;
	if (TRANSLATE_NARROW && size < SIGSET && how == SETMASK)
		set |= was & ~(u64)~0u;
	set_mask(t, how == SETMASK ? set : how == SIG_UNBLOCK ? was & ~set : was | set);
	if (t->segv_came && !t->segv) {
		t->segv_came = 0;
		sys_call(NR_TGKILL, sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0),
			 sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0), SEGV, 0, 0, 0);
	}
	if (!old || sys_write(old, &was, TRANSLATE_NARROW ? size : sizeof(was)))
		r[RAX] = 0;
}

/* The agent's handler, if the program has none. (The members are assigned one by one; otherwise
 * gcc makes a constant that needs relocation.) */
static void own_action(struct action *act)
{
	act->handler = (u64)agent_signal;
	act->flags = SA_SIGINFO | SA_RESTORER;
	act->restorer = (u64)agent_restorer;
	act->mask = ~0ULL;
}

void signals_adopt(struct agent *a)
{
	struct action act;
	u64 sig;

	for (sig = 1; sig <= N_SIGNALS; sig++) {
		if (!(a->shared->caught >> (sig - 1) & 1) ||
		    sys_call(NR_SIGACTION, sig, 0, (u64)&act, SIGSET, 0, 0) || act.handler <= 1)
			continue;
		a->actions[sig] = act;
		hook(&act);
		sys_call(NR_SIGACTION, sig, (u64)&act, 0, SIGSET, 0, 0);
	}
}

/* While there are guards, the agent keeps SIGSEGV: if pt dies, threads run that may hit guards, or
 * have hit one already. */
void signals_give_back(struct agent *a)
{
	struct action act;
	u64 sig;

	for (sig = 1; sig <= N_SIGNALS; sig++)
		if ((sig != SEGV || !a->n_guarded) &&
		    (a->actions[sig].handler > 1 || (sig == SEGV && a->own_segv)) &&
		    !sys_call(NR_SIGACTION, sig, 0, (u64)&act, SIGSET, 0, 0) &&
		    act.handler == (u64)agent_signal) {
			if (TRANSLATE_NARROW)
				calls_kernel_action(sig, &a->actions[sig]);
			else
				sys_call(NR_SIGACTION, sig, (u64)&a->actions[sig], 0, SIGSET, 0,
					 0);
		}
}

/* For guards: install the agent's handler for SIGSEGV. A child by vfork() does not need it. */
bool signals_own_segv(struct agent *a)
{
	struct action was, act;

	if (a->own_segv)
		return true;
	if (a->now->actions || sys_call(NR_SIGACTION, SEGV, 0, (u64)&was, SIGSET, 0, 0))
		return false;
	a->own_segv = true;
	if (was.handler > 1)
		return true;
	a->actions[SEGV] = was;
	own_action(&act);
	return !sys_call(NR_SIGACTION, SEGV, (u64)&act, 0, SIGSET, 0, 0);
}

/* Before rt_sigaction(): replace the program's handler by the agent's. */
i64 signals_set(struct agent_thread *t, u64 sig, const struct action *new, struct action *old)
{
	struct action was, act = { 0 }, *kept = &signals_actions(t)[sig];
	i64 err;

	was = *kept;
	if (new) {
		act = *new;
		if (act.handler > 1 || (sig == SEGV && t->agent->own_segv && !t->actions)) {
			act.mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
			*kept = act;
			hook(&act);
		}
		if (kept->handler <= 1 && act.handler > 1)
			own_action(&act);
	}
	err = sys_call(NR_SIGACTION, sig, new ? (u64)&act : 0, (u64)&act, SIGSET, 0, 0);
	if (err && new)
		*kept = was;
	if (err)
		return err;
	if (act.handler == (u64)agent_signal) {
		act.handler = was.handler;
		act.flags = (act.flags & ~(u64)SA_SIGINFO) | (was.flags & SA_SIGINFO);
		act.mask = was.mask;
		if (TRANSLATE_NARROW || was.handler <= 1)
			act = was;
	} else if (TRANSLATE_NARROW && act.restorer == (u64)agent_restorer) {
		was.handler = act.handler;	/* SA_RESETHAND */
		act = was;
	}
	*old = act;
	return 0;
}

void signals_action(struct agent_thread *t)
{
	u64 *r = t->regs.r, sig = r[RDI], new = r[RSI], old = r[RDX];
	struct action act, was;

	if (sig > N_SIGNALS || r[R10] != SIGSET) {
		r[RAX] = (u64)-EINVAL;
		return;
	}
	if (new && !sys_read(&act, new, sizeof(act))) {
		r[RAX] = (u64)-EFAULT;
		return;
	}
	r[RAX] = signals_set(t, sig, new ? &act : NULL, &was);
	if (!r[RAX] && old && !sys_write(old, &was, sizeof(was)))
		r[RAX] = (u64)-EFAULT;
}
