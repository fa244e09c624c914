/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Deaths by a signal, for the file: what the kernel says of the signal, and the registers.
 *
 * A signal that is seen before its delivery counts only if the thread then dies of it: its default
 * action may also be to stop the thread, or to do nothing.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "soft.h"

/* If the code is positive, the kernel sent the signal, usually for an access to an address. */
static u64 what_of(const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
		if (info->si_code > 0 && info->si_code != SI_KERNEL)
			return DEATH_ADDR;
	}
	return info->si_code == SI_USER || info->si_code == SI_TKILL ||
	       info->si_code == SI_QUEUE ? DEATH_SENT : 0;
}

void soft_doomed(struct soft *s, struct tracee *t, const siginfo_t *info, bool have_regs)
{
	enum { RSP = 4 };
	struct perf_death *d = t->death;

	if (!d)
		d = t->death = NEW(s->r->arena, struct perf_death, 1);
	*d = (struct perf_death){ .pid = t->pid, .tid = t->tid, .time = soft_now(s),
				  .signo = info->si_signo, .code = info->si_code,
				  .what = what_of(info) };
	if (d->what)
		d->addr = d->what & DEATH_SENT ? (u64)info->si_pid :
						 (u64)(uintptr_t)info->si_addr;
	if (!have_regs)
		return;
	tracee_general(&t->regs, d->regs);
	d->ip = tracee_ip(&t->regs);
	d->what |= DEATH_IP;
	if (d->signo == SIGSEGV && d->code == SI_KERNEL)
		d->addr = ptrace(PTRACE_PEEKDATA, t->tid, d->regs[RSP], 0);
}

static bool is_recorded(const struct record *r, i32 pid)
{
	u32 i;

	for (i = 0; i < r->n_deaths; i++)
		if (r->deaths[i].pid == pid)
			return true;
	return false;
}

/* The signal ends all threads of a process, in any order. That which got it has the details. */
void soft_died(struct soft *s, const struct tracee *t, int status)
{
	const struct perf_death *d = NULL;
	const struct tracee *of = NULL;

	if (!WIFSIGNALED(status) || is_recorded(s->r, t->pid))
		return;
	while ((of = tracee_next(s, of)))
		if (of->pid == t->pid && of->death && of->death->signo == WTERMSIG(status))
			d = of->death;
	record_death(s->r, d ? d : &(struct perf_death){ .pid = t->pid, .tid = t->tid,
				.time = soft_now(s), .signo = WTERMSIG(status) });
}
