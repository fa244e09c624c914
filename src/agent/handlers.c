/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's handlers of signals, and the agent's in place of them.
 *
 * The kernel gets agent_signal() for each handler of the program, with the program's flags, mask
 * and restorer; a->actions has the program's.
 */
#include "own.h"

enum { NR_SIGACTION = 13, SIGSET = 8, SEGV = 11, SIGKILL = 9, SIGSTOP = 19 };
enum { SA_SIGINFO = 4, SA_RESTORER = 0x04000000, EFAULT = 14, EINVAL = 22 };

/* The agent's handler always gets a siginfo: without this flag the kernel writes none. While
 * the handler runs, all signals are blocked. */
void handlers_hook(struct action *act)
{
	act->handler = (u64)agent_signal;
	act->flags |= SA_SIGINFO;
	if (TRANSLATE_NARROW) {
		act->flags |= SA_RESTORER;
		act->restorer = (u64)agent_restorer;
	}
	act->mask = ~0ULL;
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

void handlers_adopt(struct agent *a)
{
	struct action act;
	u64 sig;

	for (sig = 1; sig <= N_SIGNALS; sig++) {
		if (!(a->shared->caught >> (sig - 1) & 1) ||
		    sys_call(NR_SIGACTION, sig, 0, (u64)&act, SIGSET, 0, 0) || act.handler <= 1)
			continue;
		a->actions[sig] = act;
		handlers_hook(&act);
		sys_call(NR_SIGACTION, sig, (u64)&act, 0, SIGSET, 0, 0);
	}
}

/* While there are guards, the agent keeps SIGSEGV: if pt dies, threads run that may hit guards, or
 * have hit one already. */
void handlers_give_back(struct agent *a)
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
bool handlers_own_segv(struct agent *a)
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
i64 handlers_set(struct agent_thread *t, u64 sig, const struct action *new, struct action *old)
{
	struct action was, act = { 0 }, *kept = &handlers_actions(t)[sig];
	i64 err;

	was = *kept;
	if (new) {
		act = *new;
		if (act.handler > 1 || (sig == SEGV && t->agent->own_segv && !t->actions)) {
			act.mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
			*kept = act;
			handlers_hook(&act);
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

void handlers_action(struct agent_thread *t)
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
	r[RAX] = handlers_set(t, sig, new ? &act : NULL, &was);
	if (!r[RAX] && old && !sys_write(old, &was, sizeof(was)))
		r[RAX] = (u64)-EFAULT;
}
