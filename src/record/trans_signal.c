/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stops of translated threads: signals, and the system call in which a thread gives itself to pt.
 *
 * pt passes most signals on: the kernel enters the agent's handler, which starts the program's own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>

#include <pt/config/CMD_CRASH.h>

#include "trans.h"

/* Will the signal end the process, as far as is known? (Other signals stop it or do nothing.) Some
 * programs write to their code very often: then only the agent is asked. */
static bool is_deadly(const struct tracee *t, int signal)
{
	if (signal == SIGSEGV && t->slot->guarded)
		return false;
	return !(STOP_SIGNALS >> (signal - 1) & 1) && soft_disposition(t, signal) == DEFAULT;
}

/* A signal can be delivered only from the stop for that signal, and the agent may have run since:
 * send it again. Its siginfo is restored at the new stop. */
void trans_send_deadly(const struct tracee *t)
{
	if (t->deadly.si_signo)
		trans_send_again(t, 1ull << (t->deadly.si_signo - 1));
}

void trans_resume(struct soft *s, struct tracee *t, int signal)
{
	tracee_resume(s, t, t->asked && !t->given ? PTRACE_SYSCALL : PTRACE_CONT, signal,
		      TRACEE_CACHE);
}

/* Was it an INT3? The registers are those after it. */
static bool is_int3(const struct tracee *t, const siginfo_t *info)
{
	enum { INT3 = 0xcc };
	u8 code;

	return info->si_signo == SIGTRAP && info->si_code == SI_KERNEL &&
	       vm_read(t->vm, tracee_ip(&t->regs) - 1, &code, 1) && code == INT3;
}

/* A translated thread stops for a signal. If the signal ends the process, the thread first gets
 * the program's registers, for the end of the trace and for the core file. While the agent is
 * working, the signal waits. A fault is not sent again: the program's own code causes it again. */
void trans_signal(struct soft *s, struct tracee *t, int signal)
{
	siginfo_t info;
	bool fault;
	int err;

	if (t->out && t->deadly.si_signo == signal)
		ptrace(PTRACE_SETSIGINFO, t->tid, 0, &t->deadly);
	if (!t->out && is_deadly(t, signal) && !ptrace(PTRACE_GETSIGINFO, t->tid, 0, &info)) {
		fault = info.si_code > 0 && info.si_code != SI_KERNEL;
		if (!fault)
			t->deadly = info;
		err = trans_locate(s, t);
		if (err == -ESRCH)
			return;
		t->pack.trapped = !err && is_int3(t, &info);
		if (CONFIG_CMD_CRASH)
			soft_doomed(s, t, &info, !err);
		if (!err && soft_is_init(t)) {
			t->regs.raw.rip -= t->pack.trapped;
			trans_commit(t);
			soft_die_untraced(s, t, signal);
			return;
		}
		if (!err) {
			trans_commit(t);
			trans_send_deadly(t);
			signal = 0;
		} else if (!fault) {
			trans_ask(t);
			signal = 0;
		} else {
			record_say(s->r, 0, "process %d dies in pt's agent, at %llx; "
				   "use --soft=step", t->pid, trans_off(t));
		}
	}
	soft_ignore(t, signal);
	trans_resume(s, t, signal);
}

/* At a system call: the thread may have given itself to pt; then do what was requested. */
void trans_call(struct soft *s, struct tracee *t)
{
	if (!t->asked || !trans_given(t)) {
		trans_resume(s, t, 0);
		return;
	}
	if (t->leaving) {
		if (!trans_locate(s, t)) {
			trans_commit(t);
			soft_let_go(s, t, 0);
		}
		return;
	}
	if (!is_deadly(t, t->deadly.si_signo)) {	/* it has set a handler since */
		t->asked = t->given = false;
	} else if (!trans_locate(s, t)) {
		if (CONFIG_CMD_CRASH)
			soft_doomed(s, t, &t->deadly, true);
		trans_commit(t);
	}
	trans_send_deadly(t);
	if (!t->out)
		t->deadly.si_signo = 0;
	trans_resume(s, t, 0);
}
