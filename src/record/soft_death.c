/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Deaths by a signal, for the file: what the kernel says of the signal, and the registers.
 *
 * What is seen of a signal before it is delivered counts only if the thread then dies of it: a
 * default action may also stop it, or do nothing.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "soft.h"

/* The kernel says by a positive code that it sent it: for an access to an address, mostly. */
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

void soft_doomed(struct soft *s, struct thread *t, const siginfo_t *info, bool have_regs)
{
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
}

static bool is_told(const struct record *r, i32 pid)
{
	u32 i;

	for (i = 0; i < r->n_deaths; i++)
		if (r->deaths[i].pid == pid)
			return true;
	return false;
}

/* The signal ends all threads of a process. The one that it was for tells most; the first thread's
 * end comes last. */
void soft_died(struct soft *s, const struct thread *t, int status)
{
	const struct perf_death *d = t->death;

	if (!WIFSIGNALED(status))
		return;
	if (d && d->signo == WTERMSIG(status))
		record_death(s->r, d);
	else if (t->tid == t->pid && !is_told(s->r, t->pid))
		record_death(s->r, &(struct perf_death){ .pid = t->pid, .tid = t->tid,
				.time = soft_now(s), .signo = WTERMSIG(status) });
}
