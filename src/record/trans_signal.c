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

/* Will the signal end the process, as far as is known? (Other signals stop it or do nothing.) */
static bool is_deadly(const struct thread *t, int signal)
{
	const u64 stop = 1ULL << (SIGSTOP - 1) | 1ULL << (SIGTSTP - 1) |
		1ULL << (SIGTTIN - 1) | 1ULL << (SIGTTOU - 1);

	return !(stop >> (signal - 1) & 1) && soft_disposition(t, signal) == DEFAULT;
}

/* A translated thread stops for a signal. If the signal ends the process, the thread first gets
 * the program's registers, for the end of the trace and for the core file. While the agent is
 * working, the signal waits. */
void trans_signal(struct soft *s, struct thread *t, int signal)
{
	bool was_out = t->out, fault;
	siginfo_t info;
	int err;

	t->state = t->state == THREAD_GIVING ? THREAD_GIVING : THREAD_CACHE;
	if (t->out && t->deadly.si_signo == signal)
		ptrace(PTRACE_SETSIGINFO, t->tid, 0, &t->deadly);
	if (!was_out && is_deadly(t, signal) &&
	    !ptrace(PTRACE_GETSIGINFO, t->tid, 0, &info)) {
		fault = info.si_code > 0 && info.si_code != SI_KERNEL;
		err = trans_locate(s, t);
		if (err == -ESRCH)
			return;
		if (CONFIG_CMD_CRASH)
			soft_doomed(s, t, &info, !err);
		if (!err) {
			trans_commit(t);
			t->state = THREAD_CACHE;
			ptrace(PTRACE_SETSIGINFO, t->tid, 0, &info);
		} else if (!fault) {
			t->deadly = info;
			trans_ask(t);
			signal = 0;
		}
	}
	thread_resume(s, t, t->state == THREAD_GIVING ? PTRACE_SYSCALL : PTRACE_CONT, signal,
		      t->state);
}

/* At a system call: the thread may have given itself to pt; then do what was requested. */
void trans_call(struct soft *s, struct thread *t)
{
	if (t->state == THREAD_GIVING && !trans_given(t)) {
		thread_resume(s, t, PTRACE_SYSCALL, 0, THREAD_GIVING);
		return;
	}
	if (t->given && !trans_locate(s, t)) {
		if (CONFIG_CMD_CRASH && t->deadly.si_signo)
			soft_doomed(s, t, &t->deadly, true);
		trans_commit(t);
	}
	thread_resume(s, t, PTRACE_CONT, t->deadly.si_signo, THREAD_CACHE);
}
