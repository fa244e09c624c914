/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The signals that are blocked: as the program knows them, and as the kernel does.
 *
 * While t->deferred is set, all signals are blocked, and t->mask is the program's mask. SIGSEGV is
 * never blocked, since the kernel kills a thread that writes to a guarded page meanwhile. If the
 * program blocks it, t->segv is set, and the masks that it reads contain it.
 */
#include "own.h"

enum { NR_SIGPROCMASK = 14, NR_GETPID = 39, NR_GETTID = 186, NR_TGKILL = 234 };
enum { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SETMASK = 2, SIGSET = 8 };
enum { EFAULT = 14, EINVAL = 22, SEGV = 11 };

void masks_block(struct agent_thread *t)
{
	u64 all = ~0ULL, old;

	sys_call(NR_SIGPROCMASK, SETMASK, (u64)&all, (u64)&old, SIGSET, 0, 0);
	if (!t->deferred)
		t->mask = old;
	t->deferred = 1;
}

/* The program's mask will be 'mask' when the agent is left. Signals may come here; they do not
 * change t->mask if t->deferred is set. */
void masks_set(struct agent_thread *t, u64 mask)
{
	__atomic_store_n(&t->deferred, 1, __ATOMIC_SEQ_CST);
	t->mask = mask & ~BIT(SEGV);
	t->segv = mask & BIT(SEGV);
}

static u64 change_mask(u64 how, u64 set)
{
	u64 old = 0;

	sys_call(NR_SIGPROCMASK, how, (u64)&set, (u64)&old, SIGSET, 0, 0);
	return old;
}

void masks_hide(struct agent_thread *t)
{
	u64 old = t->deferred ? t->mask : change_mask(SIG_UNBLOCK, BIT(SEGV));

	t->mask &= ~BIT(SEGV);
	t->segv |= old & BIT(SEGV);
}

void masks_show(struct agent_thread *t)
{
	if (t->deferred)
		t->mask |= t->segv;
	else if (t->segv)
		change_mask(SIG_BLOCK, t->segv);
	t->segv = 0;
}

/* rt_sigprocmask() */
void masks_change(struct agent_thread *t)
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
	masks_set(t, how == SETMASK ? set : how == SIG_UNBLOCK ? was & ~set : was | set);
	if (t->segv_came && !t->segv) {
		t->segv_came = 0;
		sys_call(NR_TGKILL, sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0),
			 sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0), SEGV, 0, 0, 0);
	}
	if (!old || sys_write(old, &was, TRANSLATE_NARROW ? size : sizeof(was)))
		r[RAX] = 0;
}
